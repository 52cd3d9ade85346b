//! From a span to pieces of a trace. Each span is mapped on its own: whatever else belongs to its trace may come later, or
//! never.

use std::fmt::Write;

use domain::id::TraceId;
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Part, Piece, Trouble};
use jiff::Timestamp;

use super::agent;
use super::attributes::Attributes;
use super::kind::{Kind, kind};
use super::step;
use super::wire::{Event, STATUS_ERROR, Span};

/// What a span comes to.
#[derive(Debug, PartialEq)]
pub(super) enum Mapped {
    /// Pieces of a trace.
    Parts(Vec<Part>),
    /// It has nothing to do with agents.
    KeptOut,
    /// It cannot be filed.
    Rejected(Flaw),
}

/// Why a span cannot be filed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Flaw {
    /// Its trace id is not 16 bytes, or all zero.
    TraceId,
    /// Its own id is not 8 bytes, or all zero.
    SpanId,
    /// Another key began its trace.
    Anothers,
}

/// A span as the mapping sees it.
pub(super) struct Seen<'s> {
    pub(super) span: &'s Span,
    pub(super) is: Attributes<'s>,
    pub(super) program: &'s Attributes<'s>,
    /// How deep it lies, as far as it can tell itself: 0 without a parent, 1 with one.
    pub(super) depth: u32,
    pub(super) from: Timestamp,
    /// Absent where nobody said.
    pub(super) to: Option<Timestamp>,
}

/// The pieces a span stands for. `now` stands in for times that are missing.
pub(super) fn map(span: &Span, program: &Attributes<'_>, now: Timestamp) -> Mapped {
    let Some(trace) = hex(&span.trace_id, 16).and_then(|id| id.parse::<TraceId>().ok()) else {
        return Mapped::Rejected(Flaw::TraceId);
    };
    let Some(key) = hex(&span.span_id, 8) else { return Mapped::Rejected(Flaw::SpanId) };
    let (start, end) = (moment(span.start_time_unix_nano), moment(span.end_time_unix_nano));
    let outermost = hex(&span.parent_span_id, 8).is_none();
    let seen = Seen {
        span,
        is: Attributes::of(&span.attributes),
        program,
        depth: u32::from(!outermost),
        from: start.or(end).unwrap_or(now),
        to: end,
    };
    let pieces = match kind(&span.name, &seen.is, outermost) {
        Kind::Agent => agent::pieces(&seen),
        Kind::Tool => vec![("", seen.from, step::call(&seen))],
        Kind::Model => step::model(&seen),
        Kind::Thought => vec![("", seen.from, step::thought(&seen))],
        Kind::Label => agent::label(&seen).map(|label| ("", seen.from, label)).into_iter().collect(),
        Kind::Other => return Mapped::KeptOut,
    };
    let part = |(suffix, at, piece): (&str, Timestamp, Piece)| Part {
        trace: trace.clone(),
        key: format!("{key}{suffix}"),
        at,
        piece,
    };
    Mapped::Parts(pieces.into_iter().map(part).collect())
}

impl Seen<'_> {
    /// How long it took, where the end is not before the beginning.
    pub(super) fn millis(&self) -> Option<u64> {
        let took = self.to?.duration_since(self.from).as_millis();
        u64::try_from(took).ok()
    }

    /// How it ended: an error is one whether the status says so, an attribute, or an exception that was recorded. No word
    /// about it means that there was none, as OpenTelemetry has it.
    pub(super) fn ended(&self) -> CallEnd {
        let exception = self.span.events.iter().find(|event| event.name == "exception").map(exception);
        let failed = self.status() == STATUS_ERROR || self.is.has("error.type") || exception.is_some();
        if !failed {
            return CallEnd::Done;
        }
        let words = [
            self.is.text(&["error.type"]).unwrap_or_default().into_owned(),
            exception.unwrap_or_default(),
            self.span.status.as_ref().map(|status| status.message.clone()).unwrap_or_default(),
        ];
        CallEnd::Failed(Trouble::of(&words.join(" ")))
    }

    pub(super) fn status(&self) -> i32 {
        self.span.status.as_ref().map_or(0, |status| status.code)
    }

    /// The name of whoever did it.
    pub(super) fn by(&self) -> Option<Symbol> {
        self.is.text(&["gen_ai.agent.name", "agent.name", "agent_name"]).map(|name| named(&name))
    }

    /// The name of the span without the word that says what kind it is.
    pub(super) fn bare_name(&self) -> &str {
        let name = self.span.name.as_str();
        let prefixes = ["invoke_agent ", "invoke_workflow ", "execute_tool ", "chat ", "plan "];
        prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
    }
}

/// A name that people gave, as a symbol: spaces inside of it become `_`.
pub(crate) fn named(name: &str) -> Symbol {
    let words: Vec<&str> = name.trim_matches(' ').split(' ').filter(|word| !word.is_empty()).collect();
    Symbol::of(&words.join("_"))
}

fn exception(event: &Event) -> String {
    let about = Attributes::of(&event.attributes);
    let of = |name: &str| about.text(&[name]).unwrap_or_default().into_owned();
    format!("{} {}", of("exception.type"), of("exception.message"))
}

/// An id as it is written, if it is one: of its length, and not all zero.
fn hex(bytes: &[u8], length: usize) -> Option<String> {
    if bytes.len() != length || bytes.iter().all(|byte| *byte == 0) {
        return None;
    }
    let mut text = String::with_capacity(2 * length);
    for byte in bytes {
        // Writing to a string always works.
        let _ = write!(text, "{byte:02x}");
    }
    Some(text)
}

fn moment(nanos: u64) -> Option<Timestamp> {
    if nanos == 0 { None } else { Timestamp::from_nanosecond(nanos.into()).ok() }
}
