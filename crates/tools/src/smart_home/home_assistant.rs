//! Home Assistant: states and changes over its REST API, rooms and confirmations over its WebSocket API.
//!
//! States are read when they are asked for, so they are never out of date; rooms and names change seldom and are read
//! again after some minutes. Nothing runs between calls: what is away now is tried afresh by the next call.

mod calls;
mod entities;
mod rest;
mod socket;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Client, Url};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use self::calls::Call;
use self::entities::{Registries, condition};
use self::rest::Rest;
use self::socket::Socket;
use super::house::{Change, House, HouseError, Outcome, View};

/// How long rooms and names are believed.
const REGISTRIES: Duration = Duration::from_secs(300);
/// How long they are done without, or old ones are, where they cannot be read.
const STALE: Duration = Duration::from_secs(30);
/// How long a device has to show that it did what it was told.
const CONFIRMING: Duration = Duration::from_secs(3);

pub(super) struct HomeAssistant {
    rest: Rest,
    /// And until when they are believed.
    registries: Mutex<Option<(Instant, Arc<Registries>)>>,
    known: Mutex<Arc<View>>,
}

impl HomeAssistant {
    pub(super) fn new(url: Url, token: String, client: Client) -> Self {
        let known = Mutex::new(Arc::default());
        let token = token.trim().to_owned();
        Self { rest: Rest { url, token, client }, registries: Mutex::new(None), known }
    }

    async fn registries(&self) -> Result<Arc<Registries>, HouseError> {
        let kept = self.registries.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((until, registries)) = &kept
            && Instant::now() < *until
        {
            return Ok(Arc::clone(registries));
        }
        let (registries, believed) = match self.read_registries().await {
            Ok(fresh) => (Arc::new(fresh), REGISTRIES),
            Err(error @ HouseError::Refused(_)) => return Err(error),
            // States can be read and services called without knowing rooms.
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "rooms cannot be read from Home Assistant");
                (kept.map(|(_, registries)| registries).unwrap_or_default(), STALE)
            }
        };
        let kept = Some((Instant::now() + believed, Arc::clone(&registries)));
        *self.registries.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        Ok(registries)
    }

    async fn read_registries(&self) -> Result<Registries, HouseError> {
        let mut socket = Socket::open(&self.rest).await?;
        let mut list = async |question: Value| match socket.ask(question.clone()).await {
            // Older versions have fewer lists.
            Err(HouseError::Refused(detail)) => {
                tracing::debug!(%question, detail, "Home Assistant does not answer everything");
                Ok(Value::Null)
            }
            other => other,
        };
        let mut registries = Registries {
            floors: list(json!({"type": "config/floor_registry/list"})).await?,
            areas: list(json!({"type": "config/area_registry/list"})).await?,
            devices: list(json!({"type": "config/device_registry/list"})).await?,
            entities: list(json!({"type": "config/entity_registry/list"})).await?,
            config: list(json!({"type": "get_config"})).await?,
            details: Value::Null,
        };
        let ids = json!(registries.entity_ids());
        registries.details = list(json!({"type": "config/entity_registry/get_entries", "entity_ids": ids})).await?;
        Ok(registries)
    }

    async fn make(&self, calls: Vec<Call>) -> Result<Made, HouseError> {
        let mut made = Made::default();
        let mut refusal = None;
        for call in calls {
            match self.rest.call(&call).await {
                Ok(states) => {
                    made.states.extend(states.into_iter().filter_map(|state| {
                        let id = state["entity_id"].as_str()?.to_owned();
                        Some((id, state))
                    }));
                    made.any = true;
                }
                // Some of it may be done already; the devices that were not reached are told so one by one.
                Err(error @ (HouseError::Away(_) | HouseError::Refused(_))) => {
                    made.refused.extend(call.entities.iter().map(|id| (id.clone(), error.to_string())));
                    refusal = refusal.or(Some(error));
                }
                Err(error) => return Err(error),
            }
        }
        match refusal {
            Some(error) if !made.any => Err(error),
            _ => Ok(made),
        }
    }

    /// Waits, not for long, until all that is wished for is so, and puts into `states` what was heard.
    async fn confirm(&self, changes: &[&Change], states: &mut BTreeMap<String, Value>) -> Result<(), HouseError> {
        let mut socket = Socket::open(&self.rest).await?;
        let ids: Vec<&str> = changes.iter().map(|change| change.id.as_str()).collect();
        socket.ask(json!({"type": "subscribe_entities", "entity_ids": ids})).await?;
        while changes.iter().any(|change| !fulfilled(change, states)) {
            entities::follow(states, &socket.event().await?);
        }
        Ok(())
    }
}

/// What Home Assistant answered to some calls.
#[derive(Default)]
struct Made {
    any: bool,
    states: BTreeMap<String, Value>,
    refused: BTreeMap<String, String>,
}

#[async_trait]
impl House for HomeAssistant {
    async fn look(&self) -> Result<View, HouseError> {
        let states = self.rest.states().await?;
        let view = entities::view(&states, self.registries().await?.as_ref());
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(view.clone());
        Ok(view)
    }

    fn known(&self) -> Arc<View> {
        Arc::clone(&self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn apply(&self, changes: &[Change], _: &str, _: u64) -> Result<Vec<Outcome>, HouseError> {
        let Made { mut states, refused, .. } = self.make(calls::of(changes)).await?;
        let waiting: Vec<&Change> =
            changes.iter().filter(|change| !refused.contains_key(&change.id) && !fulfilled(change, &states)).collect();
        if !waiting.is_empty()
            && let Ok(Err(error)) = timeout(CONFIRMING, self.confirm(&waiting, &mut states)).await
        {
            tracing::debug!(error = &error as &dyn std::error::Error, "states cannot be followed");
        }
        let outcome = |change: &Change| match refused.get(&change.id) {
            Some(why) => Outcome::Refused(why.clone()),
            None if !calls::shows(change) => Outcome::Confirmed(change.after.clone()),
            None if fulfilled(change, &states) => {
                let unit = change.before.unit.as_deref();
                states.get(&change.id).map_or(Outcome::Unconfirmed, |state| Outcome::Confirmed(condition(state, unit)))
            }
            None => Outcome::Unconfirmed,
        };
        Ok(changes.iter().map(outcome).collect())
    }
}

fn fulfilled(change: &Change, states: &BTreeMap<String, Value>) -> bool {
    if !calls::shows(change) {
        return true;
    }
    let unit = change.before.unit.as_deref();
    states.get(&change.id).is_some_and(|state| change.fulfilled_by(&condition(state, unit)))
}
