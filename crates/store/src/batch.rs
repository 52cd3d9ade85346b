//! A batch of entries as the rows it becomes: worked out before any database is involved, the same for every store.

use std::collections::BTreeMap;

use domain::budget::Spent;
use domain::event::{Entry, Event, Need, Origin, Route};
use domain::hash::Hash;
use domain::id::{RunId, SessionId};
use domain::intent::Settlement;
use domain::plan::Strategy;
use domain::run::{FailureKind, RunStatus};
use domain::score::Score;
use domain::view::{Change, changes};
use serde::Serialize;

use crate::answer::Answer;
use crate::asked::Question;
use crate::instant::{earlier, nanos};
use crate::item::{LibraryChange, Usage};
use crate::record::{Call, bucket};
use crate::words::storable;

/// Bodies longer than this are kept apart, by their hash.
const LARGE: usize = 8 * 1024;

/// Everything that recording some entries changes.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) run: RunId,
    pub(crate) events: Vec<EventRow>,
    pub(crate) begin: Option<Begin>,
    pub(crate) delta: Delta,
    pub(crate) rows: Vec<RowChange>,
    pub(crate) library: Vec<LibraryChange>,
    /// Calls of tools, sorted; those of writes are known when they are settled.
    pub(crate) calls: Vec<Call>,
}

/// An event as it is stored.
#[derive(Debug)]
pub(crate) struct EventRow {
    pub(crate) key: String,
    pub(crate) input: Option<Hash>,
    pub(crate) at: i64,
    pub(crate) body: Body,
}

/// An event's JSON: in its row if it is small.
#[derive(Debug)]
pub(crate) enum Body {
    Here(String),
    Apart { hash: Hash, bytes: String },
}

/// What a run's row is made from.
#[derive(Debug)]
pub(crate) struct Begin {
    pub(crate) text: String,
    pub(crate) session: Option<SessionId>,
    pub(crate) user: Option<String>,
    pub(crate) parent: Option<Origin>,
    pub(crate) rehearsal: bool,
    pub(crate) at: i64,
}

/// What changes in a run's row.
#[derive(Debug, Default)]
pub(crate) struct Delta {
    pub(crate) status: Option<RunStatus>,
    pub(crate) route: Option<Route>,
    pub(crate) strategy: Option<Strategy>,
    pub(crate) role: Option<String>,
    pub(crate) replanned: bool,
    pub(crate) resumed: bool,
    pub(crate) spent: Spent,
    /// Who has worked on it, each once.
    pub(crate) links: Vec<String>,
    pub(crate) quality: Option<f64>,
    /// Something other than having been taken up again happened.
    pub(crate) progress: bool,
    /// The run is to be advanced no later than this.
    pub(crate) wake: Option<i64>,
    pub(crate) ending: Option<End>,
    pub(crate) updated_at: i64,
}

/// How a run ended, in words.
#[derive(Debug)]
pub(crate) struct End {
    /// What it says about what was used; nothing where it was stopped from outside.
    pub(crate) good: Option<bool>,
    pub(crate) answer: Option<String>,
    pub(crate) error: Option<String>,
    pub(crate) failure: Option<FailureKind>,
    pub(crate) worked_ms: Option<i64>,
}

/// A change of a row that is not the run's own. They are made in order.
#[derive(Debug)]
pub(crate) enum RowChange {
    Declare { key: String, intent: String, at: i64 },
    Send { key: String, attempts: i64, at: i64 },
    Settle { key: String, status: &'static str, settlement: String, at: i64, call: Option<Sent> },
    Ask { name: String, wait: String, since: i64, timer: Option<i64>, question: Option<Question> },
    Answer { name: String, answer: String, by: Option<String>, at: i64 },
    File(Answer),
    Report(BTreeMap<String, Score>),
    Foresee(String),
}

/// What a write that was sent says about its tool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sent {
    Went,
    Failed,
    /// Nobody can tell, nor how long it took.
    InDoubt,
}

impl Batch {
    /// What some entries of a run mean.
    pub(crate) fn new(run: RunId, entries: Vec<Entry>) -> Self {
        let mut batch = Self {
            run,
            events: Vec::with_capacity(entries.len()),
            begin: None,
            delta: Delta::default(),
            rows: Vec::new(),
            library: Vec::new(),
            calls: Vec::new(),
        };
        for entry in entries {
            let at = nanos(entry.at);
            for change in changes(&entry) {
                batch.take(change, at);
            }
            batch.delta.progress |= !matches!(entry.event, Event::Resumed { .. });
            batch.delta.updated_at = at;
            batch.events.push(EventRow { body: Body::of(&entry.event), key: entry.key, input: entry.input, at });
        }
        batch.calls.sort();
        // What a fork begins with is its parent's: it was kept, used and called there.
        if batch.begin.as_ref().is_some_and(|begin| begin.parent.is_some()) {
            batch.library.clear();
            batch.calls.clear();
            for row in &mut batch.rows {
                if let RowChange::Settle { call, .. } = row {
                    *call = None;
                }
            }
        }
        batch
    }

    /// The same, and the run is to be advanced when its last entry happened.
    pub(crate) fn waking(mut self) -> Self {
        self.delta.wake = earlier(self.delta.wake, Some(self.delta.updated_at));
        self
    }

    /// How many sequence numbers it needs.
    pub(crate) fn len(&self) -> i64 {
        self.events.len() as i64
    }

    /// A key that stands in it twice.
    pub(crate) fn key_twice(&self) -> Option<&str> {
        let mut keys: Vec<&str> = self.events.iter().map(|event| event.key.as_str()).collect();
        keys.sort_unstable();
        keys.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
    }

    /// Whether events, the run's row and calls are all it changes.
    pub(crate) fn is_one_statement(&self) -> bool {
        self.rows.is_empty()
            && self.library.is_empty()
            && self.delta.ending.is_none()
            && self.events.iter().all(|event| event.body.apart().is_none())
    }

    /// Whether it settles an intent, and whether one of these is in doubt.
    pub(crate) fn settles(&self) -> (bool, bool) {
        let mut settles = (false, false);
        for row in &self.rows {
            if let RowChange::Settle { status, .. } = row {
                settles = (true, settles.1 || *status == "unknown");
            }
        }
        settles
    }

    fn take(&mut self, change: Change, at: i64) {
        match change {
            Change::Begin { text, session, user, parent, rehearsal } => {
                self.delta.status = Some(RunStatus::Pending);
                let (text, user) = (storable(&text), user.as_deref().map(storable));
                self.begin = Some(Begin { text, session, user, parent, rehearsal, at });
            }
            Change::Running => self.delta.status = Some(RunStatus::Running),
            Change::Resumed => self.delta.resumed = true,
            Change::Routed(route, strategy, role) => {
                self.delta.route = Some(route);
                self.delta.strategy = Some(strategy);
                self.delta.role = role.as_deref().map(storable);
            }
            Change::Replanned => self.delta.replanned = true,
            Change::Spend(spent) => self.delta.spent += spent,
            Change::Called { tool, failed, millis } => {
                self.calls.push(Call { tool: tool.as_str().to_owned(), failed, bucket: bucket(millis) });
            }
            Change::Declare(intent) => {
                self.rows.push(RowChange::Declare { intent: json(&intent), key: intent.key, at });
            }
            Change::Send { intent, attempt } => {
                self.rows.push(RowChange::Send { key: intent, attempts: attempt.into(), at });
            }
            Change::Settle { intent, settlement } => self.rows.push(RowChange::Settle {
                key: intent,
                status: settlement.status().word(),
                call: match settlement {
                    Settlement::Done { .. } => Some(Sent::Went),
                    Settlement::Failed { .. } => Some(Sent::Failed),
                    Settlement::Unknown { .. } => Some(Sent::InDoubt),
                    Settlement::Withheld { .. } => None,
                },
                settlement: json(&settlement),
                at,
            }),
            Change::Wait(wait) => {
                self.delta.status = Some(RunStatus::Waiting);
                let moment = match wait.need {
                    Need::Time { at } => Some(nanos(at)),
                    Need::Answer { .. } | Need::Approval { .. } | Need::Budget { .. } => None,
                };
                let timer = earlier(moment, wait.until.map(nanos));
                self.delta.wake = earlier(self.delta.wake, timer);
                let question = Question::of(self.run, &wait);
                self.rows.push(RowChange::Ask { wait: json(&wait), name: wait.name, since: at, timer, question });
            }
            Change::Keep(draft) => self.library.push(LibraryChange::keep(self.run, *draft, at)),
            Change::Use { step, text, kind, name, hash, decision, score } => {
                self.library.push(LibraryChange::Use(Usage {
                    step: step.map(|step| step.as_str().to_owned()).unwrap_or_default(),
                    text: text.as_deref().map(storable),
                    kind: kind.word(),
                    name: name.as_str().to_owned(),
                    hash,
                    decision: decision.word(),
                    score: score.get(),
                    at,
                }));
            }
            Change::Answer { name, answer, by } => {
                let by = by.as_deref().map(storable);
                self.rows.push(RowChange::Answer { name, answer: json(&answer), by, at });
            }
            Change::Link(names) => {
                for name in names.iter().map(|name| storable(name)) {
                    if !self.delta.links.contains(&name) {
                        self.delta.links.push(name);
                    }
                }
            }
            Change::File(stage, answer) => {
                self.rows.push(RowChange::File(Answer::new(&self.run.to_string(), stage, at, &answer)));
            }
            Change::Report(scores) => self.rows.push(RowChange::Report(scores)),
            Change::Quality(quality) => self.delta.quality = Some(quality.get()),
            Change::Foresee(forecast) => self.rows.push(RowChange::Foresee(json(&forecast))),
            Change::End { status, answer, error, failure, worked_ms } => {
                self.delta.status = Some(status);
                self.delta.ending = Some(End {
                    good: match status {
                        RunStatus::Completed => Some(true),
                        RunStatus::Failed => Some(false),
                        RunStatus::Cancelled | RunStatus::Pending | RunStatus::Running | RunStatus::Waiting => None,
                    },
                    answer: answer.as_deref().map(storable),
                    error: error.as_deref().map(storable),
                    failure,
                    worked_ms: worked_ms.map(|millis| i64::try_from(millis).unwrap_or(i64::MAX)),
                });
            }
        }
    }
}

impl Delta {
    /// Whether only counters change: such a change touches no index.
    pub(crate) fn is_counting(&self) -> bool {
        self.status.is_none()
            && self.strategy.is_none()
            && !self.replanned
            && !self.resumed
            && self.wake.is_none()
            && self.quality.is_none()
            && self.ending.is_none()
    }
}

impl Body {
    fn of(event: &Event) -> Self {
        let bytes = json(event);
        if bytes.len() > LARGE { Self::Apart { hash: Hash::of(bytes.as_bytes()), bytes } } else { Self::Here(bytes) }
    }

    /// What stands in the event's row.
    pub(crate) fn here(&self) -> Option<&str> {
        match self {
            Body::Here(bytes) => Some(bytes),
            Body::Apart { .. } => None,
        }
    }

    /// What stands apart, with its hash.
    pub(crate) fn apart(&self) -> Option<(&Hash, &str)> {
        match self {
            Body::Here(_) => None,
            Body::Apart { hash, bytes } => Some((hash, bytes)),
        }
    }
}

/// Our own types always serialise.
pub(crate) fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The word that a failure is stored as.
pub(crate) fn failure_word(failure: FailureKind) -> String {
    json(&failure).trim_matches('"').to_owned()
}
