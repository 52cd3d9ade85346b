//! What is known beyond the settings: how components were changed since the start, and what became of earlier runs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use domain::embed::Embedder;
use domain::forecast::Hindsight;
use domain::shelf::Kept;
use domain::store::{Store, StoreError};
use domain::trace::ToolRecord;

use crate::heed::Learnt;
use crate::library::Finder;
use crate::settings::Component;
use crate::{Runtime, settings};

/// Where changed components are kept.
const SHELF: &str = "components";
/// How many finished runs are looked back upon.
const MOST: usize = 500;
/// How long what was read is good enough.
const FRESH: Duration = Duration::from_secs(10);

/// What was read lately.
#[derive(Default)]
pub struct Lately {
    components: Mutex<Read<BTreeMap<String, Component>>>,
    history: Mutex<Read<Vec<Hindsight>>>,
    learnt: Mutex<Read<Learnt>>,
    tool_records: Mutex<Read<Vec<ToolRecord>>>,
    pub(crate) finder: Finder,
}

struct Read<T> {
    at: Option<Instant>,
    value: Arc<T>,
}

impl<T: Default> Default for Read<T> {
    fn default() -> Self {
        Self { at: None, value: Arc::default() }
    }
}

impl<T> Read<T> {
    fn fresh(&self) -> Option<Arc<T>> {
        let at = self.at?;
        (at.elapsed() < FRESH).then(|| Arc::clone(&self.value))
    }
}

fn lock<T>(read: &Mutex<Read<T>>) -> std::sync::MutexGuard<'_, Read<T>> {
    read.lock().unwrap_or_else(PoisonError::into_inner)
}

fn renew<T>(read: &Mutex<Read<T>>, value: T) -> Arc<T> {
    let value = Arc::new(value);
    *lock(read) = Read { at: Some(Instant::now()), value: Arc::clone(&value) };
    value
}

impl Lately {
    /// Nothing yet, with things found by what their texts mean to this embedder rather than to the shipped one.
    pub fn with(embedder: Arc<dyn Embedder>) -> Self {
        Self { finder: Finder::with(embedder), ..Self::default() }
    }

    /// What became of planned runs, newest first, as of a few seconds ago.
    pub(crate) async fn history(&self, store: &dyn Store) -> Result<Arc<Vec<Hindsight>>, StoreError> {
        let fresh = lock(&self.history).fresh();
        match fresh {
            Some(history) => Ok(history),
            None => Ok(renew(&self.history, store.hindsight(MOST).await?)),
        }
    }

    /// How calls of tools went, as of a few seconds ago.
    pub(crate) async fn tool_records(&self, store: &dyn Store) -> Result<Arc<Vec<ToolRecord>>, StoreError> {
        let fresh = lock(&self.tool_records).fresh();
        match fresh {
            Some(records) => Ok(records),
            None => Ok(renew(&self.tool_records, store.tool_records().await?)),
        }
    }

    /// What was learnt, as of a few seconds ago.
    pub(crate) async fn learnt(&self, store: &dyn Store) -> Result<Arc<Learnt>, StoreError> {
        let fresh = lock(&self.learnt).fresh();
        match fresh {
            Some(learnt) => Ok(learnt),
            None => Ok(renew(&self.learnt, Learnt::read(store).await?)),
        }
    }
}

impl Runtime {
    /// How a component uses models: as it was changed last, or as configured. Whoever plans again does so as the planner
    /// does, unless told otherwise.
    pub fn component(&self, name: &str) -> Component {
        let changed = Arc::clone(&lock(&self.lately.components).value);
        let known = changed.get(name).or_else(|| self.settings.components.get(name)).cloned();
        match known {
            Some(component) => component,
            None if name == crate::plan::AGAIN => {
                Component { disabled: false, ..self.component(crate::plan::COMPONENT) }
            }
            None => Component::default(),
        }
    }

    /// Changes how a component uses models, for this process at once and for others within seconds. On return it is
    /// durable.
    pub async fn configure(
        &self,
        name: &str,
        change: impl Fn(Component) -> Component + Send,
    ) -> Result<Component, StoreError> {
        loop {
            let kept = self.store.kept(SHELF, name).await?;
            let version = kept.as_ref().map_or(0, |kept| kept.version);
            let before = kept.as_ref().and_then(read).unwrap_or_else(|| self.component(name));
            let after = change(before);
            let value = serde_json::to_value(&after).unwrap_or_default();
            if self.store.keep(SHELF, name, &value, version).await? {
                self.reload_components().await?;
                return Ok(after);
            }
        }
    }

    /// Reads how components were changed, by whatever process.
    pub async fn reload_components(&self) -> Result<(), StoreError> {
        let kept = self.store.shelf(SHELF).await?;
        let components = kept.iter().filter_map(|kept| Some((kept.key.clone(), read(kept)?))).collect();
        renew(&self.lately.components, components);
        Ok(())
    }

    /// [`reload_components`](Runtime::reload_components), unless that was done a moment ago.
    pub(crate) async fn refresh_components(&self) -> Result<(), StoreError> {
        if lock(&self.lately.components).fresh().is_none() {
            self.reload_components().await?;
        }
        Ok(())
    }
}

fn read(kept: &Kept) -> Option<settings::Component> {
    serde_json::from_value(kept.value.clone()).ok()
}
