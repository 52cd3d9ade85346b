//! The protocol: who is let in, what they see, and which tool they mean.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, Implementation, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use super::catalogue::{self, CATALOGUE};
use super::desk::{Desk, Line};
use super::resources;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;

/// What clients tell the models that use this server.
const INSTRUCTIONS: &str = "Agentwright plans and carries out requests in plain words, and keeps a ledger of each run. \
Use `run` for anything that is to be done or found out. Where a run waits for a person, the answer says for what: \
`approve` decides approvals by their id and hash, `answer` answers questions. `get_run` says how a run stands.";

/// Answers one client, or all clients that come over HTTP.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) line: Line,
}

impl Door {
    fn let_in(&self, context: &RequestContext<RoleServer>) -> Result<(App, Caller), ErrorData> {
        self.line.of(context).ok_or_else(|| ErrorData::internal_error("nobody knows who calls", None))
    }
}

impl ServerHandler for Door {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let mut info = ServerConfig::new(capabilities).with_instructions(INSTRUCTIONS);
        info.server_info = Implementation::new("agentwright", env!("CARGO_PKG_VERSION")).with_title("Agentwright");
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let (_, caller) = self.let_in(&context)?;
        let theirs = CATALOGUE.iter().filter(|entry| entry.is_for(&caller.grant).is_ok());
        Ok(ListToolsResult::with_all_items(theirs.map(|entry| entry.tool.clone()).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (app, caller) = self.let_in(&context)?;
        let CallToolRequestParams { name, arguments, input_responses, request_state, .. } = request;
        let unknown = || ErrorData::invalid_params(format!("there is no tool `{name}`"), None);
        let entry = catalogue::find(&name).ok_or_else(unknown)?;
        if let Err(missing) = entry.is_for(&caller.grant) {
            return Ok(catalogue::refused(&ApiError::Forbidden(missing)));
        }
        let responses = input_responses.unwrap_or_default();
        let desk = Desk { app, caller, context, state: request_state, responses };
        Ok(entry.call(desk, arguments.unwrap_or_default()).await)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let (app, caller) = self.let_in(&context)?;
        resources::list(&app, &caller).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let (_, caller) = self.let_in(&context)?;
        Ok(resources::templates(&caller))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (app, caller) = self.let_in(&context)?;
        Ok(resources::read(&app, &caller, &request.uri).await?.into())
    }
}
