//! OpenAI's chat completions, which most providers and all local servers speak too.
//!
//! Spoken here rather than through `genai` because most calls go this way: `genai` builds every request and answer as a
//! tree of JSON values, at twice the CPU, and reads bodies of any length.

mod answer;
mod content;
mod request;
mod stream;

use std::sync::Arc;

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, ModelError, Reply};
use futures::stream::BoxStream;
use reqwest::header::{AUTHORIZATION, HeaderMap};

use crate::connect::ConnectError;
use crate::wire::{Endpoint, Line};
use request::{Delivery, LengthField};

/// A model that speaks chat completions.
pub(crate) struct OpenAi {
    line: Arc<Line>,
    length: LengthField,
}

impl OpenAi {
    pub(crate) fn new(endpoint: Endpoint) -> Result<Self, ConnectError> {
        let mut headers = HeaderMap::new();
        if let Some(value) = endpoint.key_header("Bearer ")? {
            headers.insert(AUTHORIZATION, value);
        }
        // OpenAI's newer models refuse the old name, and most others do not know the new one.
        let length =
            if endpoint.provider == "openai" { LengthField::MaxCompletionTokens } else { LengthField::MaxTokens };
        Ok(Self { line: endpoint.line("chat/completions", headers), length })
    }

    fn body(&self, ask: &Ask, delivery: Delivery) -> Result<Vec<u8>, ModelError> {
        request::body(&self.line.endpoint.model, ask, self.length, delivery)
            .map_err(|error| self.line.endpoint.speaker().refused(format!("request cannot be written: {error}")))
    }
}

#[async_trait]
impl ChatModel for OpenAi {
    fn name(&self) -> &str {
        &self.line.endpoint.name
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let body = self.line.whole(self.body(ask, Delivery::Whole)?).await?;
        answer::read(self.line.endpoint.speaker(), &self.line.endpoint.price, &body)
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let body = self.body(ask, Delivery::Streamed)?;
        self.line.streamed(body, stream::Chunks::new(Arc::clone(&self.line))).await
    }
}
