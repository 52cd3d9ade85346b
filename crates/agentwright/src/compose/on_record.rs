//! Tools that may be looked at but not called: for going through a record.

use std::sync::Arc;

use async_trait::async_trait;
use domain::id::ToolName;
use domain::tool::{CallContext, Standing, Tool, ToolError, ToolSpec, Toolbox};
use serde_json::Value;

/// The same tools, none of which does anything.
pub(super) fn only(tools: Arc<dyn Toolbox>) -> Arc<dyn Toolbox> {
    Arc::new(OnRecord(tools))
}

struct OnRecord(Arc<dyn Toolbox>);

struct Idle(Arc<dyn Tool>);

fn idle(tool: Arc<dyn Tool>) -> Arc<dyn Tool> {
    Arc::new(Idle(tool))
}

impl Toolbox for OnRecord {
    fn specs(&self) -> Vec<&ToolSpec> {
        self.0.specs()
    }

    fn tool(&self, name: &ToolName) -> Option<Arc<dyn Tool>> {
        self.0.tool(name).map(idle)
    }

    fn resolve(&self, name: &str, among: Option<&[ToolName]>) -> Result<Arc<dyn Tool>, ToolError> {
        self.0.resolve(name, among).map(idle)
    }

    fn check(&self, tool: &ToolName, arguments: &Value) -> Result<(), ToolError> {
        self.0.check(tool, arguments)
    }

    fn check_draft(&self, tool: &ToolName, arguments: &Value) -> Result<(), ToolError> {
        self.0.check_draft(tool, arguments)
    }

    fn listing(&self, among: Option<&[ToolName]>) -> String {
        self.0.listing(among)
    }
}

#[async_trait]
impl Tool for Idle {
    fn spec(&self) -> &ToolSpec {
        self.0.spec()
    }

    fn standing(&self) -> Standing {
        self.0.standing()
    }

    async fn call(&self, _arguments: &Value, _call: &CallContext) -> Result<Value, ToolError> {
        let detail = "nothing is on record; `--live` would call it".to_owned();
        Err(ToolError::Unavailable { tool: self.spec().name.clone(), detail })
    }
}
