//! A run as OpenTelemetry sees it: spans, which are a view of its ledger.
//!
//! A trace has the id of its run, and a span's id is made from the key of its entry: a run that is told of twice, or by
//! two machines, is one trace. Without [`Content::Told`] nothing is said that people, models or tools said.

mod agents;
mod attributes;
mod calls;
mod planning;
mod whole;

use jiff::Timestamp;

use crate::event::{Event, Recorded, Seq};
use crate::hash::Hash;
use crate::id::RunId;

use agents::Agents;

/// The name of a trace.
pub type Trace = [u8; 16];

/// The name of a span within its trace.
pub type SpanId = [u8; 8];

/// Something that took some time.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The trace it belongs to.
    pub trace: Trace,
    /// Its name there.
    pub id: SpanId,
    /// The span it is a part of; absent for the whole run.
    pub parent: Option<SpanId>,
    /// What is done, and to what: `chat gpt-5`.
    pub name: String,
    /// Whether somebody else does it.
    pub kind: SpanKind,
    /// When it began.
    pub from: Timestamp,
    /// When it ended.
    pub to: Timestamp,
    /// What is known about it.
    pub attributes: Vec<(&'static str, Attribute)>,
    /// What happened meanwhile.
    pub marks: Vec<Mark>,
    /// Spans of other traces that it comes from.
    pub links: Vec<(Trace, SpanId)>,
    /// Whether it went wrong.
    pub ended: SpanEnd,
    /// The entry from which on nothing more can be said about it.
    pub closed: Seq,
}

/// Who does what a span tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    /// This program.
    Internal,
    /// Somebody who was asked.
    Client,
}

/// How a span ended.
#[derive(Debug, Clone, PartialEq)]
pub enum SpanEnd {
    /// Nobody complained.
    Fine,
    /// It went wrong; with words only where content is told.
    Failed(Option<String>),
}

/// A moment within a span.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// What happened.
    pub name: &'static str,
    /// When.
    pub at: Timestamp,
    /// What is known about it.
    pub attributes: Vec<(&'static str, Attribute)>,
}

/// A value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Attribute {
    /// Words.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number.
    Real(f64),
    /// Yes or no.
    Truth(bool),
    /// Several words.
    Texts(Vec<String>),
}

/// Whether spans say what was asked, answered and passed on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Content {
    /// They do not: names, numbers and kinds of errors only.
    #[default]
    Withheld,
    /// They do.
    Told,
}

/// Everything a ledger says, as spans; the one of the whole run is the last, and is there once the run has ended.
///
/// What a fork shares with the run it comes from is told of in that run's trace.
pub fn of_run(run: RunId, ledger: &[Recorded], content: Content) -> Vec<Span> {
    let Some(Event::Received { parent, .. }) = ledger.first().map(|first| &first.entry.event) else {
        return Vec::new();
    };
    let telling = Telling { run, content, agents: Agents::of(ledger) };
    let mut spans = planning::spans(&telling, ledger);
    let thinking = planning::owners(&spans, ledger);
    spans.extend(telling.agents.spans(&telling, ledger));
    spans.extend(calls::spans(&telling, ledger, &thinking));
    spans.extend(whole::span(&telling, ledger));
    let shared = parent.map_or(0, |origin| origin.seq);
    spans.retain(|span| span.closed > shared);
    spans
}

/// The last entry that an earlier telling of this ledger covered: what stood there when the run came to rest before it
/// was last taken up.
pub fn told_before(ledger: &[Recorded]) -> Seq {
    let (mut waits, mut told) = (false, 0);
    for Recorded { seq, entry } in ledger {
        match entry.event {
            Event::Waiting { .. } => waits = true,
            Event::Resumed { .. } if waits => (waits, told) = (false, *seq),
            _ => {}
        }
    }
    told
}

/// What is needed to tell of a run.
struct Telling {
    run: RunId,
    content: Content,
    agents: Agents,
}

impl Telling {
    fn tells(&self) -> bool {
        self.content == Content::Told
    }

    /// A span about what is filed under a key.
    fn span(&self, key: &str, name: String, times: (Timestamp, Timestamp), closed: Seq) -> Span {
        let (from, to) = times;
        Span {
            trace: *self.run.bytes(),
            id: id(self.run, key),
            parent: Some(root(self.run)),
            name,
            kind: SpanKind::Internal,
            from: from.min(to),
            to,
            attributes: Vec::new(),
            marks: Vec::new(),
            links: Vec::new(),
            ended: SpanEnd::Fine,
            closed,
        }
    }

    /// What went wrong: its kind, and its words where they may be told.
    fn failed(&self, span: &mut Span, kind: &str, words: impl FnOnce() -> String) {
        span.attributes.push(("error.type", kind.into()));
        span.ended = SpanEnd::Failed(self.tells().then(words));
    }
}

/// The span of a whole run.
pub fn root(run: RunId) -> SpanId {
    id(run, "")
}

fn id(run: RunId, key: &str) -> SpanId {
    let mut bytes = run.bytes().to_vec();
    bytes.extend(key.as_bytes());
    let mut id = SpanId::default();
    id.copy_from_slice(&Hash::of(&bytes).bytes()[..8]);
    id
}
