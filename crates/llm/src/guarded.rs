//! The usual protection around a model: at most so many calls, none into a dead provider, and another try.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::chat::ChatModel;
use tokio::sync::Semaphore;

use crate::breaker::{Breaker, Circuit, Trip};
use crate::limited::Limited;
use crate::retrying::{Retries, Retrying};

/// How a model is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How often it is asked.
    pub retries: Retries,
    /// When its provider is left alone.
    pub trip: Trip,
    /// How many calls of one provider are under way at once.
    pub concurrency: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { retries: Retries::default(), trip: Trip::default(), concurrency: 16 }
    }
}

/// The protections of all providers: models of the same one share its circuit and its places.
#[derive(Debug)]
pub struct Guards {
    settings: Settings,
    providers: Mutex<BTreeMap<String, Guard>>,
}

#[derive(Debug, Clone)]
struct Guard {
    circuit: Arc<Circuit>,
    places: Arc<Semaphore>,
}

impl Guards {
    /// Protections for providers that are yet to be met.
    pub fn new(settings: Settings) -> Self {
        Self { settings, providers: Mutex::new(BTreeMap::new()) }
    }

    /// The model, retried, behind its provider's breaker and limit.
    pub fn around(&self, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
        let provider = model.name().split_once(':').map_or(model.name(), |(provider, _)| provider).to_owned();
        let mut providers = self.providers.lock().unwrap_or_else(PoisonError::into_inner);
        let guard = providers.entry(provider).or_insert_with(|| Guard {
            circuit: Circuit::new(self.settings.trip),
            places: Arc::new(Semaphore::new(self.settings.concurrency.max(1))),
        });
        let limited = Arc::new(Limited::new(model, Arc::clone(&guard.places)));
        let breaking = Arc::new(Breaker::new(limited, Arc::clone(&guard.circuit)));
        Arc::new(Retrying::new(breaking, self.settings.retries))
    }
}

/// One model with protections of its own; where several share a provider, use [`Guards`].
pub fn guarded(model: Arc<dyn ChatModel>, settings: Settings) -> Arc<dyn ChatModel> {
    Guards::new(settings).around(model)
}
