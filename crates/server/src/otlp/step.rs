//! Spans that are steps: calls of tools, questions to models, thoughts.

use domain::score::Score;
use domain::symbol::Symbol;
use domain::trace::{Piece, Speaker, Step, Untrusted};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::map::{Seen, named};
use super::messages::{asked, brought, given};

/// What a piece is called within its span, when it happened, and what it is.
pub(super) type Told = (&'static str, Timestamp, Piece);

/// A call of a tool.
pub(super) fn call(seen: &Seen<'_>) -> Piece {
    let tool = seen.is.text(&["gen_ai.tool.name", "tool.name", "traceloop.entity.name"]);
    let arguments = seen.is.json(&[
        "gen_ai.tool.call.arguments",
        "tool_arguments",
        "input.value",
        "traceloop.entity.input",
        "tool.parameters",
    ]);
    let response =
        seen.is.text(&["gen_ai.tool.call.result", "tool_response", "output.value", "traceloop.entity.output"]);
    let response = response.unwrap_or_default();
    let step = Step::Call {
        tool: tool.map_or_else(|| named(seen.bare_name()), |tool| named(&tool)),
        by: seen.by(),
        arguments: Untrusted::value(unwrapped(arguments.unwrap_or_default())),
        length: chars(&response),
        response: Untrusted::text(&response),
        ended: seen.ended(),
        at: Some(seen.from),
        millis: seen.millis(),
    };
    Piece::Did { step }
}

/// A question to a model: that it was asked, what the user had said just before, what the model thought and said.
pub(super) fn model(seen: &Seen<'_>) -> Vec<Told> {
    let names = ["gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "llm.request.model"];
    let model = seen.is.text(&names).map_or_else(|| Symbol::of("unknown"), |name| named(&name));
    let step = Step::Model {
        model,
        tokens_in: seen.is.count(&TOKENS_IN).unwrap_or(0),
        tokens_out: seen.is.count(&TOKENS_OUT).unwrap_or(0),
        ended: seen.ended(),
        at: Some(seen.from),
        millis: seen.millis(),
    };
    let mut told = Vec::new();
    // What came before was told by the question before; a last message of the user is new.
    if let Some(words) = given(&seen.is).last().and_then(asked) {
        told.push((":0-user", seen.from, said(Speaker::User, None, words, seen.from)));
    }
    told.push((":1-model", seen.from, Piece::Did { step }));
    let at = seen.to.unwrap_or(seen.from).max(seen.from);
    for message in brought(&seen.is) {
        if !message.thought.is_empty() {
            told.push((":2-thought", at, thinking("thought", seen.by(), &message.thought, None, at)));
        }
        if !message.text.is_empty() {
            told.push((":3-said", at, said(Speaker::Agent, seen.by(), &message.text, at)));
        }
    }
    // A model that was asked for several answers brings several; the last one stands for them.
    told.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            std::mem::swap(later, earlier);
        }
        same
    });
    told
}

/// Something that was thought.
pub(super) fn thought(seen: &Seen<'_>) -> Piece {
    let what = seen.is.text(&["agentwright.thought.kind", "gen_ai.operation.name"]);
    let text = seen.is.text(&["agentwright.thought.text", "output.value"]);
    let text = text.map(String::from).or_else(|| brought(&seen.is).pop().map(|message| message.text));
    let confidence = seen.is.number(&["agentwright.thought.confidence"]).map(Score::nearest);
    let what = what.as_deref().unwrap_or("thought");
    thinking(what, seen.by(), &text.unwrap_or_default(), confidence, seen.from)
}

pub(super) const TOKENS_IN: [&str; 5] = [
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "llm.usage.prompt_tokens",
    "gen_ai.aggregated_usage.input_tokens",
];
pub(super) const TOKENS_OUT: [&str; 5] = [
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "llm.usage.completion_tokens",
    "gen_ai.aggregated_usage.output_tokens",
];

fn said(who: Speaker, by: Option<Symbol>, words: &str, at: Timestamp) -> Piece {
    let step = Step::Said { who, by, text: Untrusted::text(words), length: chars(words), at: Some(at) };
    Piece::Did { step }
}

fn thinking(what: &str, by: Option<Symbol>, words: &str, confidence: Option<Score>, at: Timestamp) -> Piece {
    let text = Untrusted::text(words);
    let step = Step::Thought { what: named(what), by, text, length: chars(words), confidence, at: Some(at) };
    Piece::Did { step }
}

/// How many characters a text has.
pub(crate) fn chars(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

/// Arguments without what Python's instrumentations pack them in: `{"args": […], "kwargs": {…}}`.
fn unwrapped(arguments: Value) -> Value {
    let Value::Object(packed) = &arguments else { return arguments };
    let known = ["args", "kwargs", "sanitize_inputs_outputs"];
    let (Some(Value::Object(named)), true) =
        (packed.get("kwargs"), packed.keys().all(|key| known.contains(&key.as_str())))
    else {
        return arguments;
    };
    let places = packed.get("args").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let by_place = places.iter().enumerate().map(|(place, value)| (place.to_string(), value.clone()));
    let by_name = named.iter().map(|(name, value)| (name.clone(), value.clone()));
    Value::Object(by_place.chain(by_name).collect::<Map<_, _>>())
}
