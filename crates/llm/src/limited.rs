//! Keeps the number of calls under way within what a provider, or a small machine, can bear.

use std::sync::Arc;

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, ModelError, Reply};
use futures::stream::{BoxStream, StreamExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A model that is asked by so many at a time; the others wait their turn, first come, first served.
pub struct Limited {
    inner: Arc<dyn ChatModel>,
    places: Arc<Semaphore>,
}

impl Limited {
    /// The model behind places that may be shared with other models.
    pub fn new(inner: Arc<dyn ChatModel>, places: Arc<Semaphore>) -> Self {
        Self { inner, places }
    }

    async fn place(&self) -> Result<OwnedSemaphorePermit, ModelError> {
        Arc::clone(&self.places).acquire_owned().await.map_err(|_| ModelError::Unavailable {
            model: self.inner.name().to_owned(),
            detail: "no more calls are let through".to_owned(),
        })
    }
}

#[async_trait]
impl ChatModel for Limited {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let _place = self.place().await?;
        self.inner.reply(ask).await
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let place = self.place().await?;
        let stream = self.inner.stream(ask).await?;
        // The place is given up with the stream.
        Ok(stream
            .inspect(move |_| {
                let _ = &place;
            })
            .boxed())
    }
}
