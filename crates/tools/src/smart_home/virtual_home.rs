//! A home that exists on a shelf only. Its state and the keys of the calls that made it are one record, so a call is
//! made once however often it is repeated.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use domain::shelf::Shelf;
use serde::{Deserialize, Serialize};

use super::furniture::furnished;
use super::house::{Change, Condition, Earlier, House, HouseError, Outcome, View};
use super::journal::Journal;
use super::record::{self, Version};

/// The record on the shelf.
const RECORD: &str = "house";

pub(super) struct VirtualHome {
    shelf: Arc<dyn Shelf>,
    known: Mutex<Arc<View>>,
}

#[derive(Default, Serialize, Deserialize)]
struct State {
    /// Devices that are not as they were at first.
    devices: BTreeMap<String, Condition>,
    journal: Journal,
}

impl VirtualHome {
    pub(super) fn new(shelf: Arc<dyn Shelf>) -> Self {
        Self { shelf, known: Mutex::new(Arc::new(furnished())) }
    }

    async fn state(&self) -> Result<(State, Version), HouseError> {
        record::read(self.shelf.as_ref(), RECORD).await
    }
}

#[async_trait]
impl House for VirtualHome {
    async fn look(&self) -> Result<View, HouseError> {
        let (state, version) = self.state().await?;
        let mut view = View { version, ..furnished() };
        for device in &mut view.devices {
            if let Some(condition) = state.devices.get(&device.id) {
                device.condition = condition.clone();
            }
        }
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(view.clone());
        Ok(view)
    }

    fn known(&self) -> Arc<View> {
        Arc::clone(&self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn earlier(&self, key: &str) -> Result<Earlier, HouseError> {
        Ok(self.state().await?.0.journal.find(key))
    }

    async fn apply(&self, changes: &[Change], key: &str, seen: Version) -> Result<Vec<Outcome>, HouseError> {
        let (mut state, version) = self.state().await?;
        if let Earlier::Done(_, outcomes) = state.journal.find(key) {
            return Ok(outcomes);
        }
        if version != seen {
            return Err(HouseError::Moved);
        }
        let outcomes: Vec<Outcome> = changes.iter().map(|change| Outcome::Confirmed(change.after.clone())).collect();
        state.devices.extend(changes.iter().map(|change| (change.id.clone(), change.after.clone())));
        state.journal.finish(key, changes, &outcomes);
        match record::write(self.shelf.as_ref(), RECORD, &state, version).await? {
            true => Ok(outcomes),
            false => Err(HouseError::Moved),
        }
    }
}
