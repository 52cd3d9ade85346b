//! The words in which checks of traces are written.

use std::sync::Arc;

use domain::id::TraceId;
use domain::store::Store;
use domain::symbol::Symbol;
use domain::trace::{
    CallEnd, Part, Piece, Received, Source, Standing, Step, TraceFilter, TraceSummary, Trouble, Untrusted, Verdict,
};

use super::language::at;

/// The trace of that name.
pub(super) fn id(name: &str) -> TraceId {
    name.to_owned().try_into().expect("a trace id")
}

/// Whoever has the key of that name.
pub(super) fn key(name: &str) -> Source {
    Source::key(name)
}

fn part(trace: &str, second: i64, key: &str, piece: Piece) -> Part {
    Part { trace: id(trace), key: key.into(), at: at(second), piece }
}

/// Which agent a span at some depth was.
pub(super) fn about(trace: &str, second: i64, key: &str, depth: u32, agent: &str, problem: Option<&str>) -> Part {
    let piece = Piece::About {
        depth,
        agent: Some(Symbol::of(agent)),
        problem: problem.map(Symbol::of),
        task: None,
        system: None,
        user: None,
        context: Some(Untrusted::text("feed \u{0} the cat")),
        lessons: Vec::new(),
        trials: Vec::new(),
    };
    part(trace, second, key, piece)
}

/// A call of a tool.
pub(super) fn call(trace: &str, second: i64, key: &str, ended: CallEnd) -> Part {
    let step = Step::Call {
        tool: Symbol::of("cat.feed"),
        by: None,
        arguments: Untrusted::new(serde_json::json!({"bowl": key})),
        response: Untrusted::text("fed"),
        length: 3,
        ended,
        at: Some(at(second)),
        millis: Some(7),
    };
    part(trace, second, key, Piece::Did { step })
}

/// How a call ends that brings nothing.
pub(super) fn failed() -> CallEnd {
    CallEnd::Failed(Trouble::TimedOut)
}

/// A thought.
pub(super) fn thought(trace: &str, second: i64, key: &str) -> Part {
    let step = Step::Thought {
        what: Symbol::of("thought"),
        by: None,
        text: Untrusted::text("it is hungry"),
        length: 12,
        confidence: None,
        at: Some(at(second)),
    };
    part(trace, second, key, Piece::Did { step })
}

/// How something came out.
pub(super) fn verdict(success: bool) -> Verdict {
    Verdict { success, score: None, answer: None }
}

/// The end of a trace.
pub(super) fn end(trace: &str, second: i64, key: &str, success: Option<bool>) -> Part {
    let piece = Piece::End { depth: 0, outcome: success.map(verdict), ground_truth: None, metrics: Default::default() };
    part(trace, second, key, piece)
}

/// What is said later.
pub(super) fn label(trace: &str, second: i64, key: &str, success: bool) -> Part {
    part(trace, second, key, Piece::Label { outcome: verdict(success) })
}

/// A whole trace, as one piece each of a beginning, a good and a bad call, and an end.
pub(super) fn whole(trace: &str, second: i64, agent: &str, success: bool) -> Vec<Part> {
    vec![
        about(trace, second, "root", 0, agent, Some("pets")),
        call(trace, second + 1, "a", CallEnd::Done),
        call(trace, second + 2, "b", failed()),
        end(trace, second + 3, "end", Some(success)),
    ]
}

/// Sends pieces that may be learnt from.
pub(super) async fn send(store: &Arc<dyn Store>, source: &Source, parts: Vec<Part>) -> Received {
    store.receive(source, Standing::Evidence, parts, at(0)).await.expect("received")
}

/// What became of so many new, changed, known and refused pieces.
pub(super) fn became(added: u64, changed: u64, known: u64, refused: u64) -> Received {
    Received { added, changed, known, refused }
}

/// The traces that a filter lets through.
pub(super) async fn listed(store: &Arc<dyn Store>, filter: &TraceFilter) -> Vec<TraceSummary> {
    let (traces, more) = store.traces(filter, None, 1_000).await.expect("traces");
    assert_eq!(more, None);
    assert_eq!(store.count_traces(filter).await.expect("counted"), traces.len() as u64);
    traces
}

/// The one trace of that name as listings show it, after it was seen to say the same as the trace itself.
pub(super) async fn summary(store: &Arc<dyn Store>, name: &str) -> TraceSummary {
    let listed = listed(store, &TraceFilter::default()).await;
    let shown = listed.into_iter().find(|shown| shown.id == id(name)).expect("listed");
    let trace = store.trace(&id(name)).await.expect("read").expect("there");
    let ends: Vec<CallEnd> = trace.steps.iter().filter_map(ended).collect();
    let failures = ends.iter().filter(|ended| matches!(ended, CallEnd::Failed(_))).count() as u64;
    assert_eq!(
        (&shown.source, &shown.agent, &shown.problem, shown.started_at, shown.ended_at),
        (&trace.source, &trace.agent, &trace.problem, trace.started_at, trace.ended_at)
    );
    let counted = (trace.outcome.map(|outcome| outcome.success), ends.len() as u64, failures);
    assert_eq!((shown.success, shown.calls, shown.failures), counted);
    shown
}

fn ended(step: &Step) -> Option<CallEnd> {
    match step {
        Step::Call { ended, .. } => Some(*ended),
        Step::Said { .. } | Step::Thought { .. } | Step::Model { .. } => None,
    }
}

/// What has changed since a mark, and the mark to go on from.
pub(super) async fn changed(store: &Arc<dyn Store>, mark: &mut u64) -> Vec<TraceSummary> {
    let (changed, next) = store.changed_traces(*mark, 1_000).await.expect("changed");
    assert!(next >= *mark);
    *mark = next;
    changed
}
