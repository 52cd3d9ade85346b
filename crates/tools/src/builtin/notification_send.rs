//! `notification.send`: tells a person something, where the operator wants it told.
//!
//! A webhook is sent the key and may recognise a repetition, so after a crash it is asked again. A line on a terminal or
//! in a log, or a window on a desktop, cannot be recognised or looked up, so it is never repeated. Of several places,
//! one that takes the notification is enough.

mod desktop;

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::desktop::Notice;
pub use self::desktop::{Desktop, Dialect};

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
    /// A window that the desktop shows for a while.
    Desktop(Desktop),
    /// The log of this process, if anybody listens to it.
    Log,
    /// Each of these, in this order.
    All(Vec<Notify>),
}

impl Notify {
    /// The terminal this process was started from.
    pub fn stderr() -> Self {
        Notify::Terminal(Arc::new(Mutex::new(std::io::stderr())))
    }

    /// The word for it in results.
    fn word(&self) -> &'static str {
        match self {
            Notify::Terminal(_) => "terminal",
            Notify::Webhook { .. } => "webhook",
            Notify::Desktop(_) => "desktop",
            Notify::Log => "log",
            Notify::All(_) => "several places",
        }
    }

    /// Whether it can be told again under the same key.
    fn recognises(&self) -> bool {
        match self {
            Notify::Webhook { .. } => true,
            Notify::Terminal(_) | Notify::Desktop(_) | Notify::Log => false,
            Notify::All(parts) => parts.iter().all(Notify::recognises),
        }
    }

    /// Whether it reaches beyond this machine.
    fn is_external(&self) -> bool {
        match self {
            Notify::Webhook { .. } => true,
            Notify::Terminal(_) | Notify::Desktop(_) | Notify::Log => false,
            Notify::All(parts) => parts.iter().any(Notify::is_external),
        }
    }

    /// The places themselves.
    fn places(&self) -> Vec<&Notify> {
        match self {
            Notify::All(parts) => parts.iter().flat_map(Notify::places).collect(),
            place => vec![place],
        }
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
        let repeat = if notify.recognises() { Repeat::SameKey } else { Repeat::Never };
        let external = notify.is_external();
        let effect = Effect::Write { reversible: false, repeat, external, targets: Vec::new() };
        let spec = super::spec::<Arguments>("notification.send", "Tells the user something, right away.", effect);
        let told = match notify {
            Notify::All(_) => super::list("string"),
            _ => json!("string"),
        };
        let missed = super::list(super::fields(json!({"place": "string", "why": "string"}), json!({})));
        let returns = super::fields(json!({"told": told, "said": "string"}), json!({"not_told": missed}));
        Self { spec: super::returning(spec, returns), notify }
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

    async fn tell(&self, place: &Notify, arguments: &Arguments, call: &CallContext) -> Result<(), ToolError> {
        match place {
            Notify::Webhook { url, client } => self.post(url, client, arguments, call).await,
            Notify::Desktop(desktop) => {
                let urgency = match arguments.urgency.unwrap_or(Urgency::Normal) {
                    Urgency::Low => "low",
                    Urgency::Normal => "normal",
                    Urgency::High => "critical",
                };
                let title = arguments.title.as_deref().unwrap_or("Agentwright");
                desktop.show(&self.spec, &Notice { title, text: &arguments.text, urgency }).await
            }
            Notify::Terminal(terminal) => {
                let mut terminal = terminal.lock().unwrap_or_else(PoisonError::into_inner);
                let shown = terminal.write_all(line(arguments).as_bytes()).and_then(|()| terminal.flush());
                shown.map_err(|error| errors::lost(&self.spec, format!("the terminal takes no text: {error}")))
            }
            Notify::Log if tracing::enabled!(tracing::Level::INFO) => {
                tracing::info!(run = %call.run, key = call.key, title = arguments.title, "{}", arguments.text);
                Ok(())
            }
            Notify::Log => Err(errors::unavailable(&self.spec, "nobody listens to the log")),
            Notify::All(_) => Err(errors::unavailable(&self.spec, "several places are told one by one")),
        }
    }
}

#[async_trait]
impl Tool for Send {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let arguments: Arguments = super::parse(&self.spec, arguments)?;
        if !matches!(self.notify, Notify::All(_)) {
            self.tell(&self.notify, &arguments, call).await?;
            let said = format!("You have been told: {}", arguments.text);
            return Ok(json!({"told": self.notify.word(), "said": said}));
        }
        let (mut told, mut missed) = (Vec::new(), Vec::new());
        for place in self.notify.places() {
            match self.tell(place, &arguments, call).await {
                Ok(()) => told.push(place.word()),
                Err(error) => missed.push((place.word(), error)),
            }
        }
        if told.is_empty() {
            return Err(refusal(&self.spec, missed.into_iter().map(|(_, error)| error).collect()));
        }
        let missed: Vec<Value> =
            missed.iter().map(|(place, error)| json!({"place": place, "why": error.to_string()})).collect();
        let said = format!("You have been told: {}", arguments.text);
        let mut result = json!({"told": told, "said": said});
        if !missed.is_empty() {
            result["not_told"] = json!(missed);
        }
        Ok(result)
    }
}

/// What it means that nobody was told: where one place may have been, that nobody knows.
fn refusal(spec: &ToolSpec, errors: Vec<ToolError>) -> ToolError {
    let in_doubt = errors.iter().position(|error| matches!(error, ToolError::InDoubt { .. })).unwrap_or(0);
    let nowhere = || errors::unavailable(spec, "there is nowhere to tell it");
    errors.into_iter().nth(in_doubt).unwrap_or_else(nowhere)
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
