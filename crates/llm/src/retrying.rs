//! Asks again when an answer may well come a little later.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, ModelError, Reply};
use futures::stream::{self, BoxStream, StreamExt};

use crate::chance::Chance;

/// How often and how patiently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// How often a model is asked at most, the first time included.
    pub attempts: u32,
    /// The longest wait before the second attempt; it doubles with each one.
    pub first_wait: Duration,
    /// The longest wait of all, however often it was doubled.
    pub longest_wait: Duration,
    /// The longest wait a provider may ask for; one that wants more is not asked again.
    pub longest_retry_after: Duration,
    /// Where the jitter begins; anywhere, if it does not matter.
    pub seed: Option<u64>,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            attempts: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(8),
            longest_retry_after: Duration::from_secs(60),
            seed: None,
        }
    }
}

/// A model that is asked again after errors that pass.
pub struct Retrying {
    inner: Arc<dyn ChatModel>,
    retries: Retries,
    chance: Chance,
}

impl Retrying {
    /// The model, asked as often as the settings allow.
    pub fn new(inner: Arc<dyn ChatModel>, retries: Retries) -> Self {
        // Those who share a provider must not share their jitter.
        let seed = retries.seed.unwrap_or_else(|| RandomState::new().hash_one(inner.name()));
        Self { inner, retries, chance: Chance::new(seed) }
    }

    /// Waits for the next attempt, or gives the error back.
    async fn wait(&self, attempt: u32, error: ModelError) -> Result<(), ModelError> {
        match wait(&self.retries, attempt, &error, self.chance.next()) {
            Some(wait) => {
                tracing::debug!(model = self.inner.name(), attempt, ?wait, %error, "asks again after an error");
                tokio::time::sleep(wait).await;
                Ok(())
            }
            None => Err(error),
        }
    }

    /// A stream that has brought its first item, so that nothing was shown before.
    async fn begun(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let mut stream = self.inner.stream(ask).await?;
        match stream.next().await {
            Some(Ok(first)) => Ok(stream::iter([Ok(first)]).chain(stream).boxed()),
            Some(Err(error)) => Err(error),
            None => Err(ModelError::Garbled {
                model: self.inner.name().to_owned(),
                detail: "stream ended before it began".to_owned(),
            }),
        }
    }
}

#[async_trait]
impl ChatModel for Retrying {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let mut attempt = 1;
        loop {
            match self.inner.reply(ask).await {
                Ok(reply) => return Ok(reply),
                Err(error) => self.wait(attempt, error).await?,
            }
            attempt += 1;
        }
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let mut attempt = 1;
        loop {
            match self.begun(ask).await {
                Ok(stream) => return Ok(stream),
                Err(error) => self.wait(attempt, error).await?,
            }
            attempt += 1;
        }
    }
}

/// How long to wait after so many attempts, if it is worth it. `luck` spreads callers over the whole wait.
fn wait(retries: &Retries, attempt: u32, error: &ModelError, luck: f64) -> Option<Duration> {
    if attempt >= retries.attempts || !error.is_passing() {
        return None;
    }
    let doubled = retries.first_wait.saturating_mul(2u32.saturating_pow(attempt - 1));
    let jittered = doubled.min(retries.longest_wait).mul_f64(luck);
    match error {
        ModelError::Busy { retry_after: Some(asked), .. } if *asked > retries.longest_retry_after => None,
        // Everybody was told the same moment, so the jitter comes on top.
        ModelError::Busy { retry_after: Some(asked), .. } => Some(*asked + jittered.min(retries.first_wait)),
        _ => Some(jittered),
    }
}
