//! The conversation that agent frameworks are compared with: weather and timer together, then a calendar entry, then
//! words. And six slow steps at once, then words.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::event::Recorded;
use domain::request::Request;
use domain::tool::{Effect, Tool};
use serde_json::{Value, json};

use crate::compose::{Made, request, write};

/// What a call of a timer or a calendar counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// A write, which it is: declared, recorded, sent once, settled.
    Writes,
    /// A read, as in frameworks that know no difference.
    Reads,
}

impl Variant {
    /// The variant of a flag; the empty word is the first.
    pub fn from_word(word: &str) -> Result<Self, String> {
        match word {
            "" | "writes" => Ok(Self::Writes),
            "reads" => Ok(Self::Reads),
            other => Err(format!("`{other}` is neither `writes` nor `reads`")),
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Writes => "writes",
            Self::Reads => "reads",
        }
    }
}

/// Which conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Task {
    /// Three turns, three tools.
    Trip,
    /// Two turns, six calls of 100 ms at once.
    Plan6,
}

/// The tools of both conversations.
pub fn tools(variant: Variant) -> Vec<Arc<dyn Tool>> {
    let effect = || if variant == Variant::Writes { write() } else { Effect::Read };
    let words = |what: &str| json!({"type": "string", "description": what});
    let number = |what: &str| json!({"type": "integer", "description": what});
    vec![
        Made::new("trip.get_weather", Effect::Read, json!({"city": words("The city")}), |it| {
            Value::String(format!("WX#ok sunny 21C in {}", it["city"].as_str().unwrap_or_default()))
        })
        .boxed(),
        Made::new("trip.set_timer", effect(), json!({"minutes": number("How long, in minutes")}), |it| {
            Value::String(format!("TM#ok timer set for {} min", it["minutes"]))
        })
        .boxed(),
        Made::new("trip.add_event", effect(), json!({"title": words("What"), "date": words("ISO date")}), |it| {
            let (title, date) = (it["title"].as_str().unwrap_or_default(), it["date"].as_str().unwrap_or_default());
            Value::String(format!("EV#ok {title} on {date}"))
        })
        .boxed(),
        Made::new("trip.slow_step", Effect::Read, json!({"n": number("Which step")}), |it| {
            Value::String(format!("ST#{} done", it["n"]))
        })
        .taking(Duration::from_millis(100))
        .boxed(),
    ]
}

/// A request with a plan of one step, which an agent carries out.
pub fn ask(task: Task) -> Request {
    let (text, tools) = match task {
        Task::Trip => (
            "Check the weather in Paris, set a 15 minute timer, then put a picnic on my calendar for 2026-05-01.",
            json!(["trip.get_weather", "trip.set_timer", "trip.add_event"]),
        ),
        Task::Plan6 => ("Run steps 1 to 6; they are independent. Then summarise.", json!(["trip.slow_step"])),
    };
    let prompt = "You are a helpful assistant. Use the tools.";
    request(text, json!({"steps": [{"id": "do", "goal": text, "prompt": prompt, "tools": tools}]}))
}

/// Why a ledger is not that of a whole conversation, if it is not.
pub fn complaint(task: Task, variant: Variant, ledger: &[Recorded]) -> Option<String> {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for recorded in ledger {
        *found.entry(recorded.entry.event.kind()).or_default() += 1;
    }
    let mut wanted: BTreeMap<&str, usize> =
        ["received", "routed", "verified", "planned", "step_started", "forged", "step_finished", "finished"]
            .map(|kind| (kind, 1))
            .into();
    let (turns, reads, intents) = match (task, variant) {
        (Task::Trip, Variant::Writes) => (3, 1, 2),
        (Task::Trip, Variant::Reads) => (3, 3, 0),
        (Task::Plan6, _) => (2, 6, 0),
    };
    wanted.extend([("model_called", turns), ("tool_called", reads)]);
    if intents > 0 {
        wanted.extend([("intent_declared", intents), ("intent_sent", intents), ("intent_settled", intents)]);
    }
    (found != wanted).then(|| format!("events are {found:?} and should be {wanted:?}"))
}
