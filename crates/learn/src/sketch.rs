//! Reads off a trace what may be learnt from, and leaves behind everything anybody wrote.
//!
//! Texts are measured once, word by word, so that a long trace takes as many times longer as it has more words.

mod known;
mod words;

use std::collections::HashSet;

use domain::symbol::Symbol;
use domain::trace::{Cue, Move, Sketch, Speaker, Step, Trace};
use serde_json::Value;

use known::{Known, Origin};

/// The sketch of a trace.
pub fn sketch(trace: &Trace) -> Sketch {
    let mut reader = Reader::default();
    let moves = trace.steps.iter().map(|step| reader.read(step)).collect();
    let metric = |name: &str| trace.metrics.get(&Symbol::of(name)).copied().filter(|value| value.is_finite());
    let lasted =
        trace.ended_at.map(|end| end.duration_since(trace.started_at).as_secs_f64()).filter(|lasted| *lasted > 0.0);
    Sketch {
        trace: trace.id.clone(),
        source: trace.source.clone(),
        agent: trace.agent.clone(),
        problem: trace.problem.clone(),
        task: trace.task.clone(),
        system: trace.system.clone(),
        user: trace.user.clone(),
        success: trace.outcome.as_ref().map(|outcome| outcome.success),
        moves,
        seconds: metric("seconds").or(lasted),
        usd: metric("usd"),
        lessons: trace.lessons.clone(),
        trials: trace.trials.clone(),
    }
}

/// What is remembered of a trace while it is read.
#[derive(Default)]
struct Reader<'a> {
    called: HashSet<(&'a Symbol, &'a Value)>,
    known: Known,
    agreed: bool,
}

impl<'a> Reader<'a> {
    fn read(&mut self, step: &'a Step) -> Move {
        match step {
            Step::Call { tool, by, arguments, response, length, ended, millis, .. } => {
                let arguments = arguments.reveal();
                let (mut cues, things) = self.known.arguments(arguments);
                if self.agreed {
                    cues.push(Cue::Confirmed);
                }
                if !self.called.insert((tool, arguments)) {
                    cues.push(Cue::Again);
                }
                if is_empty(response.reveal()) {
                    cues.push(Cue::Empty);
                }
                self.known.learn(response.reveal(), *length, Origin::Tool);
                let keys = arguments.as_object().map(|fields| fields.keys().map(|key| Symbol::of(key)).collect());
                Move::Call {
                    tool: tool.clone(),
                    by: by.clone(),
                    keys: keys.unwrap_or_default(),
                    cues,
                    things,
                    ended: *ended,
                    length: *length,
                    millis: *millis,
                }
            }
            Step::Said { who, by, text, length, .. } => {
                let cues = words::cues(text.reveal());
                let origin = match who {
                    Speaker::User => Origin::User,
                    Speaker::Agent | Speaker::Other => Origin::Agent,
                };
                if *who == Speaker::User {
                    self.agreed = cues.contains(&Cue::Yes);
                }
                self.known.learn(text.reveal(), *length, origin);
                Move::Said { who: *who, by: by.clone(), length: *length, cues }
            }
            Step::Thought { what, by, text, length, confidence, .. } => {
                let cues = words::cues(text.reveal());
                Move::Thought { what: what.clone(), by: by.clone(), length: *length, confidence: *confidence, cues }
            }
            Step::Model { tokens_in, tokens_out, ended, .. } => {
                Move::Model { tokens: tokens_in.saturating_add(*tokens_out), ended: *ended }
            }
        }
    }
}

fn is_empty(response: &str) -> bool {
    matches!(response.trim(), "" | "[]" | "{}" | "null" | "None" | "\"\"")
}
