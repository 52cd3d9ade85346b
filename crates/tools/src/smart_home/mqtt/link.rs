//! The connection to the broker, and everything that was heard over it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use rumqttc::{
    AsyncClient, ConnectReturnCode, ConnectionError, Event, EventLoop, Packet, Publish, QoS, SubscribeFilter,
};
use tokio::sync::{Notify, watch};

use super::announced::{self, Thing};
use super::report;
use crate::smart_home::house::{Change, Condition};
use crate::words::capped;

/// The first pause before connecting again, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];
/// How many topics one request subscribes to.
const BATCH: usize = 32;
/// The most announcements that are listened to.
const MOST: usize = 10_000;

/// The topics that have nothing to do with any device.
#[derive(Clone)]
pub(super) struct Topics {
    pub(super) prefix: String,
    /// Where we write to ourselves.
    pub(super) echo: String,
}

/// How the connection is.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Link {
    #[default]
    Connecting,
    /// There is one, and announcements are coming in.
    Up,
    /// There is one, and all that was announced and told before is known.
    Settled,
    /// There is none, for this reason.
    Down(String),
    /// The broker does not want us.
    Unauthorised,
}

/// What was heard.
#[derive(Default)]
pub(super) struct Known {
    pub(super) link: Link,
    /// How often connecting was tried in vain.
    pub(super) tried: u64,
    /// The last message to ourselves that came back.
    pub(super) echo: u64,
    /// What was announced, by the topic of the announcement.
    announced: BTreeMap<String, Vec<Thing>>,
    /// The last message on each topic.
    pub(super) heard: BTreeMap<String, String>,
    /// What devices that never report were last told.
    assumed: BTreeMap<String, Condition>,
}

impl Known {
    pub(super) fn things(&self) -> impl Iterator<Item = &Thing> + Clone {
        self.announced.values().flatten()
    }

    pub(super) fn thing(&self, id: &str) -> Option<&Thing> {
        self.things().find(|thing| thing.id == id)
    }

    /// Whether a device ever says how it is.
    pub(super) fn reports(&self, id: &str) -> bool {
        self.thing(id).is_some_and(|thing| report::topics(thing).next().is_some() && thing.domain() != "scene")
    }

    pub(super) fn condition(&self, id: &str) -> Condition {
        match (self.thing(id), self.assumed.get(id)) {
            (_, Some(assumed)) if !self.reports(id) => assumed.clone(),
            (Some(thing), _) => report::condition(thing, &self.heard),
            (None, _) => Condition::of("unknown"),
        }
    }

    pub(super) fn shows(&self, change: &Change) -> bool {
        change.fulfilled_by(&self.condition(&change.id))
    }

    /// Believes that a change was made by a device that cannot say so.
    pub(super) fn assume(&mut self, change: &Change) {
        if !self.reports(&change.id) {
            self.assumed.insert(change.id.clone(), change.after.clone());
        }
    }
}

/// How far listening has come since the connection was made.
#[derive(PartialEq)]
enum Stage {
    /// Old announcements come in.
    Announcements,
    /// Old states come in; whether we have asked to be told when they end.
    States {
        asked: bool,
    },
    Settled,
}

/// Keeps the connection up for as long as the future is polled.
pub(super) async fn keep(
    mut events: EventLoop,
    client: AsyncClient,
    known: watch::Sender<Known>,
    topics: Topics,
    again: Arc<Notify>,
) {
    let mut listener = Listener {
        client,
        known,
        topics,
        stage: Stage::Announcements,
        wanted: Vec::new(),
        subscribed: BTreeSet::new(),
    };
    let mut pause = PAUSES[0];
    loop {
        match events.poll().await {
            Ok(Event::Incoming(Packet::ConnAck(_))) => {
                pause = PAUSES[0];
                listener.begin();
            }
            Ok(Event::Incoming(Packet::Publish(message))) => listener.hear(&message),
            Ok(_) => {}
            Err(error) => {
                listener.known.send_modify(|known| {
                    known.link = down(&error);
                    known.tried += 1;
                });
                tokio::select! {
                    () = tokio::time::sleep(pause) => {}
                    () = again.notified() => {}
                }
                pause = (pause * 2).min(PAUSES[1]);
            }
        }
        listener.catch_up();
    }
}

fn down(error: &ConnectionError) -> Link {
    match error {
        ConnectionError::ConnectionRefused(
            ConnectReturnCode::BadUserNamePassword | ConnectReturnCode::NotAuthorized,
        ) => Link::Unauthorised,
        other => Link::Down(capped(&other.to_string(), 200)),
    }
}

struct Listener {
    client: AsyncClient,
    known: watch::Sender<Known>,
    topics: Topics,
    stage: Stage,
    /// Topics to subscribe to, once there is room in the queue.
    wanted: Vec<String>,
    subscribed: BTreeSet<String>,
}

impl Listener {
    /// Subscribes to announcements. A broker sends those it has kept before it takes our message to ourselves.
    fn begin(&mut self) {
        self.stage = Stage::Announcements;
        self.subscribed.clear();
        self.wanted = self.known.borrow().things().flat_map(report::topics).map(str::to_owned).collect();
        self.known.send_modify(|known| known.link = Link::Up);
        let prefix = &self.topics.prefix;
        let first = [self.topics.echo.clone(), format!("{prefix}/+/+/config"), format!("{prefix}/+/+/+/config")];
        let filters = first.map(|topic| SubscribeFilter::new(topic, QoS::AtLeastOnce));
        // The queue is empty: the connection is new.
        let _ = self.client.try_subscribe_many(filters);
        self.say("announcements");
    }

    fn hear(&mut self, message: &Publish) {
        let text = String::from_utf8_lossy(&message.payload);
        let topic = message.topic.as_str();
        if topic == self.topics.echo {
            return self.hear_ourselves(&text);
        }
        let below = topic.strip_prefix(self.topics.prefix.as_str()).and_then(|rest| rest.strip_prefix('/'));
        match below.and_then(|rest| rest.strip_suffix("/config")) {
            Some(place) => {
                let things = announced::things(place, &text);
                self.wanted.extend(things.iter().flat_map(report::topics).map(str::to_owned));
                self.known.send_modify(|known| match things.is_empty() {
                    true => drop(known.announced.remove(topic)),
                    false if known.announced.len() < MOST => drop(known.announced.insert(topic.to_owned(), things)),
                    false => {}
                });
            }
            None => self.known.send_modify(|known| drop(known.heard.insert(topic.to_owned(), text.into_owned()))),
        }
    }

    fn hear_ourselves(&mut self, text: &str) {
        match text {
            "announcements" => self.stage = Stage::States { asked: false },
            "states" => {
                self.stage = Stage::Settled;
                self.known.send_modify(|known| known.link = Link::Settled);
            }
            number => {
                let number = number.parse().unwrap_or(0);
                self.known.send_modify(|known| known.echo = known.echo.max(number));
            }
        }
    }

    /// Subscribes to what was announced, as far as there is room. Before all is announced there is no hurry.
    fn catch_up(&mut self) {
        if self.stage == Stage::Announcements {
            return;
        }
        self.wanted.retain(|topic| !self.subscribed.contains(topic));
        while !self.wanted.is_empty() {
            let batch: BTreeSet<String> = self.wanted.iter().take(BATCH).cloned().collect();
            let filters = batch.iter().map(|topic| SubscribeFilter::new(topic.clone(), QoS::AtLeastOnce));
            if self.client.try_subscribe_many(filters.collect::<Vec<_>>()).is_err() {
                return;
            }
            self.wanted.retain(|topic| !batch.contains(topic));
            self.subscribed.extend(batch);
        }
        if self.stage == (Stage::States { asked: false }) && self.say("states") {
            self.stage = Stage::States { asked: true };
        }
    }

    fn say(&self, text: &str) -> bool {
        self.client.try_publish(&self.topics.echo, QoS::AtLeastOnce, false, text).is_ok()
    }
}
