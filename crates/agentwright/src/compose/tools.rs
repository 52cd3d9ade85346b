//! The tools: those that are built in, and those that files describe.

use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use async_trait::async_trait;
use domain::id::{RunId, ToolName};
use domain::request::{Request, Text, Wishes};
use domain::store::{Store, StoreError};
use domain::tool::{CallContext, ToolError, Toolbox};
use jiff::tz::TimeZone;
use runtime::Runtime;
use tools::{Begin, Builtins, Notify, Registry, Starter};

use super::{domains, mcp};
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
    let mut notify = Vec::new();
    if notifications.terminal {
        notify.push(Notify::Terminal(notices));
    }
    if notifications.desktop {
        notify.extend(domains::desktop(loaded));
    }
    if let Some(url) = &notifications.webhook {
        let url = domains::url("notifications.webhook", url)?;
        notify.push(Notify::Webhook { url, client: client.clone() });
    }
    let notify = match <[Notify; 1]>::try_from(notify) {
        Ok([only]) => only,
        Err(none) if none.is_empty() => Notify::Log,
        Err(several) => Notify::All(several),
    };
    let starter: Arc<dyn Starter> = Arc::new(Start(runtime));
    let mut all = tools::builtin(Builtins {
        notify,
        audit: loaded.state_directory().join("audit.jsonl"),
        errors: loaded.state_directory().join("errors.jsonl"),
        store: Arc::clone(&store),
        starter: Arc::clone(&starter),
        zone: TimeZone::system(),
    });
    all.extend(domains::all(loaded, &store, &starter, &client)?);
    let variable = |name: &str| loaded.surroundings().variable(name).map(str::to_owned);
    for path in loaded.tool_paths() {
        let described = tools::load(&path, &client, &variable).map_err(|error| {
            Refusal::configuration("the tools cannot be read")
                .because(error)
                .hint("`docs/tools.md` describes every key")
        })?;
        all.extend(described);
    }
    let servers = mcp::tools(loaded, &all)?;
    servers.notes.iter().for_each(|note| tracing::warn!("{note}"));
    all.extend(servers.tools);
    let registry = Registry::new(all).map_err(|error| {
        Refusal::configuration("the tools do not go together").because(error).hint("rename one of them")
    })?;
    Ok(Arc::new(registry))
}

/// Starts and stops runs for tools.
struct Start(Later);

impl Start {
    fn runtime(&self) -> Result<Arc<Runtime>, ToolError> {
        let detail = || "runs can only be started by runs".to_owned();
        self.0
            .get()
            .and_then(Weak::upgrade)
            .ok_or_else(|| ToolError::Unavailable { tool: starting(), detail: detail() })
    }
}

#[async_trait]
impl Starter for Start {
    async fn start(&self, run: RunId, begin: Begin, _call: &CallContext) -> Result<(), ToolError> {
        let text: Text = begin.text.parse().map_err(|error: domain::request::BadRequest| ToolError::BadArguments {
            tool: starting(),
            problems: vec![error.to_string()],
        })?;
        let request = Request {
            text,
            at: begin.at,
            zone: None,
            place: None,
            session: None,
            user: None,
            earlier: Vec::new(),
            wishes: Wishes { plan: begin.plan, ..Wishes::default() },
        };
        // The same key always names the same run, so a repetition changes nothing.
        self.runtime()?.accept_as(run, request).await.map_err(in_doubt)
    }

    async fn stop(&self, run: RunId, call: &CallContext) -> Result<(), ToolError> {
        let reason = Some(format!("stopped by {}", call.run));
        match self.runtime()?.cancel(run, reason).await {
            Ok(_) | Err(StoreError::NoSuchRun { .. }) => Ok(()),
            Err(error) => Err(in_doubt(error)),
        }
    }
}

fn in_doubt(error: StoreError) -> ToolError {
    ToolError::InDoubt { tool: starting(), detail: error.to_string() }
}

fn starting() -> ToolName {
    "workflow.start".parse().expect("a tool name")
}
