//! Anthropic's messages.
//!
//! Spoken here rather than through `genai` for the same reasons as OpenAI's wire. An answer in a given form is had by
//! forcing a tool, whose input is then the answer: every model that knows tools can do that.

mod answer;
mod request;
mod stream;

use std::sync::Arc;

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, ModelError, Reply};
use futures::stream::BoxStream;
use reqwest::header::{HeaderMap, HeaderValue};

use crate::connect::ConnectError;
use crate::wire::{Endpoint, Line};

/// A model that speaks messages.
pub(crate) struct Anthropic {
    line: Arc<Line>,
}

impl Anthropic {
    pub(crate) fn new(endpoint: Endpoint) -> Result<Self, ConnectError> {
        let mut headers = HeaderMap::new();
        headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
        if let Some(value) = endpoint.key_header("")? {
            headers.insert("x-api-key", value);
        }
        Ok(Self { line: endpoint.line("messages", headers) })
    }

    fn body(&self, ask: &Ask, streamed: bool) -> Result<Vec<u8>, ModelError> {
        request::body(&self.line.endpoint.model, ask, streamed)
            .map_err(|error| self.line.endpoint.speaker().refused(format!("request cannot be written: {error}")))
    }
}

#[async_trait]
impl ChatModel for Anthropic {
    fn name(&self) -> &str {
        &self.line.endpoint.name
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let body = self.line.whole(self.body(ask, false)?).await?;
        answer::read(self.line.endpoint.speaker(), &self.line.endpoint.price, request::form(ask), &body)
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let form = request::form(ask).map(|form| form.name.clone());
        self.line.streamed(self.body(ask, true)?, stream::Blocks::new(Arc::clone(&self.line), form)).await
    }
}
