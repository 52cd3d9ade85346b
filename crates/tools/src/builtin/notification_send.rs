//! `notification.send`: tells a person something, where the operator wants it told.
//!
//! A webhook is sent the key and may recognise a repetition, so after a crash it is asked again. A line on a terminal or
//! in a log cannot be recognised or looked up, so it is never repeated.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::errors;

/// How long a webhook may take to take a notification.
const PATIENCE: Duration = Duration::from_secs(15);

/// Where notifications go.
#[derive(Clone)]
pub enum Notify {
    /// A line, and for urgent ones a bell, on something that shows lines.
    Terminal(Arc<Mutex<dyn Write + std::marker::Send>>),
    /// A `POST` of `{text, title, urgency, run, at}` with the key as `Idempotency-Key`.
    Webhook {
        /// Who is told.
        url: reqwest::Url,
        /// How they are reached.
        client: reqwest::Client,
    },
    /// The log of this process, if anybody listens to it.
    Log,
}

impl Notify {
    /// The terminal this process was started from.
    pub fn stderr() -> Self {
        Notify::Terminal(Arc::new(Mutex::new(std::io::stderr())))
    }
}

pub(super) struct Send {
    spec: ToolSpec,
    notify: Notify,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What to say.
    #[schemars(length(min = 1))]
    text: String,
    /// A few words above it.
    title: Option<String>,
    /// How loudly; normal when left out.
    urgency: Option<Urgency>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Urgency {
    Low,
    Normal,
    High,
}

impl Send {
    pub(super) fn new(notify: Notify) -> Self {
        let (repeat, external) = match notify {
            Notify::Webhook { .. } => (Repeat::SameKey, true),
            Notify::Terminal(_) | Notify::Log => (Repeat::Never, false),
        };
        let effect = Effect::Write { reversible: false, repeat, external, targets: Vec::new() };
        let spec = super::spec::<Arguments>("notification.send", "Tells the user something, right away.", effect);
        Self { spec, notify }
    }

    async fn post(
        &self,
        url: &reqwest::Url,
        client: &reqwest::Client,
        arguments: &Arguments,
        call: &CallContext,
    ) -> Result<(), ToolError> {
        let body = json!({
            "text": arguments.text, "title": arguments.title, "urgency": arguments.urgency.unwrap_or(Urgency::Normal),
            "run": call.run, "at": call.now,
        });
        let request = client.post(url.clone()).header("Idempotency-Key", &call.key).json(&body);
        let response = request.timeout(PATIENCE).send().await;
        let response = response.map_err(|error| crate::http::unsent(&self.spec, PATIENCE, &error))?;
        crate::http::accepted(&self.spec, PATIENCE, response).await
    }
}

#[async_trait]
impl Tool for Send {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let arguments: Arguments = super::parse(&self.spec, arguments)?;
        let told = match &self.notify {
            Notify::Webhook { url, client } => {
                self.post(url, client, &arguments, call).await?;
                "webhook"
            }
            Notify::Terminal(terminal) => {
                let mut terminal = terminal.lock().unwrap_or_else(PoisonError::into_inner);
                let shown = terminal.write_all(line(&arguments).as_bytes()).and_then(|()| terminal.flush());
                shown.map_err(|error| errors::lost(&self.spec, format!("the terminal takes no text: {error}")))?;
                "terminal"
            }
            Notify::Log if tracing::enabled!(tracing::Level::INFO) => {
                tracing::info!(run = %call.run, key = call.key, title = arguments.title, "{}", arguments.text);
                "log"
            }
            Notify::Log => return Err(errors::unavailable(&self.spec, "nobody listens to the log")),
        };
        Ok(json!({"told": told}))
    }
}

/// One line without control characters: what a model wrote must not move the cursor.
fn line(arguments: &Arguments) -> String {
    let bell = if arguments.urgency == Some(Urgency::High) { "\u{7}" } else { "" };
    let title = arguments.title.as_ref().map_or(String::new(), |title| format!("{title}: "));
    let text: String = format!("{title}{}", arguments.text)
        .chars()
        .map(|c| if c == '\n' || c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect();
    format!("{bell}{text}\n")
}
