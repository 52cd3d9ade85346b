//! Devices that announce themselves over MQTT the way Home Assistant's discovery describes it.
//!
//! One connection is kept from the first call on, because states are told to those who listen; it ends with its owner.
//! The broker is known to have taken what was sent when a message to ourselves, sent after it, has come back.

mod announced;
mod command;
mod link;
mod report;
mod template;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use rumqttc::{AsyncClient, EventLoop, MqttOptions, QoS};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use self::link::{Known, Link, Topics};
use super::house::{Area, Change, House, HouseError, Outcome, View};

/// How long the broker has to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a device has to show that it did what it was told.
const CONFIRMING: Duration = Duration::from_secs(3);
/// The most requests that wait to be sent; more have to wait before they wait.
const QUEUE: usize = 64;
/// The longest message, in bytes.
const LONGEST: usize = 1 << 20;

/// How a broker is reached.
pub(super) struct Broker {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) user: Option<String>,
    pub(super) password: Option<String>,
    /// Where devices announce themselves, `homeassistant` by custom.
    pub(super) prefix: String,
}

pub(super) struct Mqtt {
    at: String,
    client: AsyncClient,
    topics: Topics,
    known: watch::Sender<Known>,
    /// Told when somebody does not want to wait for the next attempt to connect.
    again: Arc<Notify>,
    /// The last message to ourselves.
    echoes: AtomicU64,
    connection: Mutex<Connection>,
    seen: Mutex<Arc<View>>,
}

/// What polls the connection; it begins with the first call.
struct Connection {
    idle: Option<EventLoop>,
    running: JoinSet<()>,
}

impl Mqtt {
    pub(super) fn new(broker: Broker) -> Self {
        let id = format!("agentwright-{}", uuid::Uuid::now_v7().simple());
        let mut options = MqttOptions::new(&id, &broker.host, broker.port);
        options.set_keep_alive(Duration::from_secs(30)).set_max_packet_size(LONGEST, LONGEST).set_clean_session(true);
        if let Some(user) = &broker.user {
            options.set_credentials(user, broker.password.as_deref().unwrap_or_default());
        }
        let (client, mut events) = AsyncClient::new(options, QUEUE);
        events.network_options.set_connection_timeout(5);
        // Commands are short; waiting for more to send with them only makes lamps slow.
        events.network_options.set_tcp_nodelay(true);
        let prefix = broker.prefix.trim_end_matches('/').to_owned();
        Self {
            at: format!("{}:{}", broker.host, broker.port),
            client,
            topics: Topics { prefix, echo: format!("agentwright/{id}/echo") },
            known: watch::Sender::new(Known::default()),
            again: Arc::default(),
            echoes: AtomicU64::new(0),
            connection: Mutex::new(Connection { idle: Some(events), running: JoinSet::new() }),
            seen: Mutex::default(),
        }
    }

    fn start(&self) {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(events) = connection.idle.take() {
            let (client, known) = (self.client.clone(), self.known.clone());
            connection.running.spawn(link::keep(events, client, known, self.topics.clone(), Arc::clone(&self.again)));
        }
    }

    /// Returns once all that is announced is known, or says why that is not to be.
    async fn connected(&self) -> Result<(), HouseError> {
        self.start();
        let mut known = self.known.subscribe();
        let tried = known.borrow().tried;
        if matches!(known.borrow().link, Link::Down(_) | Link::Unauthorised) {
            self.again.notify_one();
        }
        let done = |known: &Known| matches!(known.link, Link::Settled) || known.tried > tried;
        // A broker that lets nobody write to themselves leaves it open when everything is known.
        let _ = timeout(PATIENCE, known.wait_for(done)).await;
        match &self.known.borrow().link {
            Link::Settled | Link::Up => Ok(()),
            Link::Unauthorised => {
                Err(HouseError::Refused(format!("the broker at {} does not accept the user or password", self.at)))
            }
            Link::Connecting => Err(HouseError::Away(format!("the broker at {} does not answer", self.at))),
            Link::Down(why) => Err(HouseError::Away(format!("the broker at {} cannot be reached: {why}", self.at))),
        }
    }

    /// Sends messages and waits until the broker has them.
    async fn send(&self, messages: Vec<command::Message>) -> Result<(), HouseError> {
        let echo = self.echoes.fetch_add(1, Ordering::Relaxed) + 1;
        let mut known = self.known.subscribe();
        let sending = async {
            for command::Message { topic, payload, retain } in messages {
                self.client.publish(topic, QoS::AtLeastOnce, retain, payload).await?;
            }
            self.client.publish(&self.topics.echo, QoS::AtLeastOnce, false, echo.to_string()).await?;
            let arrived = |known: &Known| known.echo >= echo || !matches!(known.link, Link::Settled | Link::Up);
            let arrived = known.wait_for(arrived).await;
            Ok::<bool, rumqttc::ClientError>(arrived.is_ok_and(|known| known.echo >= echo))
        };
        match timeout(PATIENCE, sending).await {
            Ok(Ok(true)) => Ok(()),
            _ => Err(HouseError::Lost(format!("the broker at {} has not acknowledged it", self.at))),
        }
    }
}

#[async_trait]
impl House for Mqtt {
    async fn look(&self) -> Result<View, HouseError> {
        self.connected().await?;
        let known = self.known.borrow();
        let things = known.things();
        let mut areas: Vec<Area> = Vec::new();
        for area in things.clone().filter_map(|thing| thing.area.as_deref()) {
            let id = announced::slug(area);
            if areas.iter().all(|known| known.id != id) {
                areas.push(Area { id, name: area.to_owned(), aliases: Vec::new(), floor: None });
            }
        }
        let devices = things.map(|thing| report::device(thing, &known)).collect();
        let view = View { version: 0, devices, areas, floors: Vec::new() };
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(view.clone());
        Ok(view)
    }

    fn known(&self) -> Arc<View> {
        Arc::clone(&self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn apply(&self, changes: &[Change], _: &str, _: u64) -> Result<Vec<Outcome>, HouseError> {
        self.connected().await?;
        let decided: Vec<Result<Vec<command::Message>, String>> = {
            let known = self.known.borrow();
            let messages = |change: &Change| match known.thing(&change.id) {
                Some(thing) => command::messages(thing, change),
                None => Err("it is not announced any more".to_owned()),
            };
            changes.iter().map(messages).collect()
        };
        let refused: Vec<Option<String>> = decided.iter().map(|one| one.as_ref().err().cloned()).collect();
        if let (true, Some(Some(why))) = (refused.iter().all(Option::is_some), refused.first()) {
            return Err(HouseError::Refused(why.clone()));
        }
        self.send(decided.into_iter().flatten().flatten().collect()).await?;
        let made = || changes.iter().zip(&refused).filter(|(_, why)| why.is_none()).map(|(change, _)| change);
        self.known.send_modify(|known| made().for_each(|change| known.assume(change)));
        let shown = |known: &Known| made().all(|change| !known.reports(&change.id) || known.shows(change));
        let _ = timeout(CONFIRMING, self.known.subscribe().wait_for(shown)).await;
        let known = self.known.borrow();
        let outcome = |(change, why): (&Change, &Option<String>)| match why {
            Some(why) => Outcome::Refused(why.clone()),
            None if known.reports(&change.id) && known.shows(change) => Outcome::Confirmed(known.condition(&change.id)),
            None => Outcome::Unconfirmed,
        };
        Ok(changes.iter().zip(&refused).map(outcome).collect())
    }
}
