//! The tools: those that are built in, and those that files describe.

use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use async_trait::async_trait;
use domain::id::{RunId, ToolName};
use domain::request::{Request, Text, Wishes};
use domain::store::Store;
use domain::tool::{CallContext, ToolError, Toolbox};
use jiff::tz::TimeZone;
use runtime::Runtime;
use tools::{Builtins, Notify, Registry, Starter};

use crate::config::Loaded;
use crate::exit::Refusal;

/// The runtime, once there is one.
pub(super) type Later = Arc<OnceLock<Weak<Runtime>>>;

/// Everything that can be called.
pub(super) fn toolbox(
    loaded: &Loaded,
    store: Arc<dyn Store>,
    notices: Arc<Mutex<dyn Write + Send>>,
    runtime: Later,
) -> anyhow::Result<Arc<dyn Toolbox>> {
    let client = tools::client()?;
    let notifications = &loaded.config.notifications;
    let notify = match &notifications.webhook {
        Some(url) => {
            let wrong = |error| Refusal::configuration("`notifications.webhook` is not a URL").because(error);
            Notify::Webhook { url: url.parse().map_err(wrong)?, client: client.clone() }
        }
        None if notifications.terminal => Notify::Terminal(notices),
        None => Notify::Log,
    };
    let mut all = tools::builtin(Builtins {
        notify,
        audit: loaded.state_directory().join("audit.jsonl"),
        errors: loaded.state_directory().join("errors.jsonl"),
        store,
        starter: Arc::new(Start(runtime)),
        zone: TimeZone::system(),
    });
    let variable = |name: &str| loaded.surroundings().variable(name).map(str::to_owned);
    for path in loaded.tool_paths() {
        let described = tools::load(&path, &client, &variable).map_err(|error| {
            Refusal::configuration("the tools cannot be read")
                .because(error)
                .hint("`docs/tools.md` describes every key")
        })?;
        all.extend(described);
    }
    let registry = Registry::new(all).map_err(|error| {
        Refusal::configuration("the tools do not go together").because(error).hint("rename one of them")
    })?;
    Ok(Arc::new(registry))
}

/// Starts runs for the tool `workflow.start`.
struct Start(Later);

#[async_trait]
impl Starter for Start {
    async fn start(&self, run: RunId, text: &str, call: &CallContext) -> Result<(), ToolError> {
        let tool: ToolName = "workflow.start"
            .parse()
            .map_err(|_| ToolError::Unknown { name: "workflow.start".to_owned(), nearest: Vec::new() })?;
        let Some(runtime) = self.0.get().and_then(Weak::upgrade) else {
            let detail = "runs can only be started by runs".to_owned();
            return Err(ToolError::Unavailable { tool, detail });
        };
        let text: Text = text.parse().map_err(|error: domain::request::BadRequest| ToolError::BadArguments {
            tool: tool.clone(),
            problems: vec![error.to_string()],
        })?;
        let request = Request {
            text,
            at: call.now,
            zone: None,
            place: None,
            session: None,
            user: None,
            wishes: Wishes::default(),
        };
        // The same key always names the same run, so a repetition changes nothing.
        let unavailable = |error: domain::store::StoreError| ToolError::InDoubt { tool, detail: error.to_string() };
        runtime.accept_as(run, request).await.map_err(unavailable)
    }
}
