//! `calendar.sync`: exchanges changes with the calendar server when a person asks for it.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Tool, ToolError, ToolSpec};
use serde_json::Value;

use super::book::Book;
use super::caldav::CalDav;
use super::sync;
use crate::declare::parse;
use crate::errors;

pub(super) struct Sync {
    spec: ToolSpec,
    book: Arc<Book>,
    server: Option<CalDav>,
}

impl Sync {
    pub(super) fn new(book: Arc<Book>, server: Option<CalDav>) -> Self {
        Self { spec: sync::declaration(), book, server }
    }
}

#[async_trait]
impl Tool for Sync {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let sync::Arguments {} = parse(&self.spec, arguments)?;
        let server =
            self.server.as_ref().ok_or_else(|| errors::failed(&self.spec, "no calendar server is configured"))?;
        sync::exchange(&self.spec, &self.book, server, call.now).await
    }
}
