//! Leaves a provider alone that fails again and again, and lets one call find out whether it is back.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, ModelError, Reply};
use futures::stream::{BoxStream, StreamExt};
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

/// When a provider is left alone, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trip {
    /// So many failures in a row.
    pub failures: u32,
    /// This long, before one call may try.
    pub pause: Duration,
}

impl Default for Trip {
    fn default() -> Self {
        Self { failures: 5, pause: Duration::from_secs(30) }
    }
}

/// What is known of a provider's health; one for all its models.
#[derive(Debug)]
pub struct Circuit {
    trip: Trip,
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// Calls go through; so many failed in a row.
    Closed { failures: u32 },
    /// Nothing goes through until then.
    Open { until: Instant },
    /// One call is trying.
    Probing,
}

impl Circuit {
    /// A provider that is taken to be well.
    pub fn new(trip: Trip) -> Arc<Self> {
        Arc::new(Self { trip, state: Mutex::new(State::Closed { failures: 0 }) })
    }

    fn enter(self: &Arc<Self>, model: &str) -> Result<Passage, ModelError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let refused = |detail: String| ModelError::Unavailable { model: model.to_owned(), detail };
        let probe = match *state {
            State::Closed { .. } => false,
            State::Open { until } if until <= now => true,
            State::Open { until } => {
                let left = SignedDuration::try_from(until - now).unwrap_or_default();
                let until =
                    Timestamp::now().saturating_add(left).map_or_else(|_| "later".to_owned(), |at| format!("{at:.0}"));
                let failures = self.trip.failures;
                return Err(refused(format!("after {failures} failures in a row it is left alone until {until}")));
            }
            State::Probing => return Err(refused("it failed again and again, and one call is trying it".to_owned())),
        };
        if probe {
            *state = State::Probing;
        }
        Ok(Passage { circuit: Arc::clone(self), probe, settled: false })
    }

    fn set(&self, change: impl FnOnce(State) -> State) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = change(*state);
    }

    fn open(&self) -> State {
        State::Open { until: Instant::now() + self.trip.pause }
    }
}

/// A call that was let through. One that is dropped before it ended says nothing about the provider.
struct Passage {
    circuit: Arc<Circuit>,
    probe: bool,
    settled: bool,
}

impl Passage {
    fn settle(&mut self, error: Option<&ModelError>) {
        self.settled = true;
        let circuit = Arc::clone(&self.circuit);
        let probe = self.probe;
        circuit.set(|state| match state {
            _ if probe && is_failure(error) => circuit.open(),
            _ if probe => State::Closed { failures: 0 },
            State::Closed { .. } if !is_failure(error) => State::Closed { failures: 0 },
            State::Closed { failures } if failures + 1 < circuit.trip.failures => {
                State::Closed { failures: failures + 1 }
            }
            State::Closed { .. } => circuit.open(),
            // The end of a call from before the circuit opened is old news.
            State::Open { .. } | State::Probing => state,
        });
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        if self.probe && !self.settled {
            self.circuit.set(|_| State::Open { until: Instant::now() });
        }
    }
}

/// A provider that refuses, or is busy, is alive.
fn is_failure(error: Option<&ModelError>) -> bool {
    match error {
        Some(ModelError::Unavailable { .. } | ModelError::TimedOut { .. } | ModelError::Garbled { .. }) => true,
        Some(
            ModelError::Busy { .. }
            | ModelError::TooLong { .. }
            | ModelError::Refused { .. }
            | ModelError::OverBudget { .. }
            | ModelError::NoModel,
        )
        | None => false,
    }
}

/// A model that is not asked while its provider is down.
pub struct Breaker {
    inner: Arc<dyn ChatModel>,
    circuit: Arc<Circuit>,
}

impl Breaker {
    /// The model behind its provider's circuit.
    pub fn new(inner: Arc<dyn ChatModel>, circuit: Arc<Circuit>) -> Self {
        Self { inner, circuit }
    }
}

#[async_trait]
impl ChatModel for Breaker {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let mut passage = self.circuit.enter(self.inner.name())?;
        let answer = self.inner.reply(ask).await;
        passage.settle(answer.as_ref().err());
        answer
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let mut passage = self.circuit.enter(self.inner.name())?;
        let stream = self.inner.stream(ask).await.inspect_err(|error| passage.settle(Some(error)))?;
        Ok(stream
            .inspect(move |item| match item {
                Ok(Delta::Text(_)) => {}
                Ok(Delta::Done(_)) => passage.settle(None),
                Err(error) => passage.settle(Some(error)),
            })
            .boxed())
    }
}
