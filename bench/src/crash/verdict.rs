//! Reads ledger and receiver side by side, and says what must not be.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use domain::event::{Event, Recorded};
use domain::id::RunId;
use domain::intent::{IntentStatus, IntentView};
use domain::run::{FailureKind, RunStatus, RunSummary};
use domain::store::RunFilter;
use runtime::Runtime;
use serde_json::{Value, json};

use super::desk;
use super::receiver::{Page, Receiver};
use crate::dice::Dice;

/// How many runs are read at once.
const PAGE: usize = 500;

/// What was seen.
pub struct Verdict {
    /// The figures.
    pub summary: Value,
    /// What must not have happened, a sentence each.
    pub violations: Vec<String>,
}

/// Looks at everything.
pub async fn look(
    folder: &Path,
    base: &str,
    receiver: &Receiver,
    acknowledged: &[RunId],
    replays: usize,
    seed: u64,
) -> anyhow::Result<Verdict> {
    let runtime = desk::runtime(folder, base, 1).await?;
    let mut books = Books { pages: receiver.pages(), ..Books::default() };
    let mut cursor = None;
    let mut dice = Dice::new(seed);
    let total = runtime.store.count(&RunFilter::default()).await?;
    loop {
        let page = runtime.store.runs(&RunFilter::default(), cursor.as_ref(), PAGE).await?;
        for summary in &page.runs {
            let ledger = runtime.ledger(summary.run).await?;
            let intents = runtime.store.intents(Some(summary.run), None, 1_000).await?;
            books.compare(summary, &ledger, &intents);
            // Those that were taken up again are the ones worth repeating.
            let chosen = summary.flags.resumed || dice.below(10) == 0;
            if chosen && books.replayed < replays {
                books.replay(&runtime, summary.run, &ledger);
            }
        }
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    let lost = acknowledged.iter().filter(|run| !books.runs.contains(run)).count();
    books.refuse(lost > 0, || format!("{lost} acknowledged runs are not in the ledger"));
    let strangers: Vec<&String> = books
        .pages
        .iter()
        .filter(|(key, page)| page.carried_out > 0 && !books.declared.contains(*key))
        .map(|(key, _)| key)
        .collect();
    let strangers =
        strangers.first().map(|key| format!("{} writes are in no ledger, `{key}` for one", strangers.len()));
    books.violations.extend(strangers);
    Ok(books.close(acknowledged.len(), lost, total))
}

#[derive(Default)]
struct Books {
    pages: BTreeMap<String, Page>,
    runs: HashSet<RunId>,
    declared: HashSet<String>,
    violations: Vec<String>,
    by_status: BTreeMap<&'static str, u64>,
    by_intent: BTreeMap<String, u64>,
    events: u64,
    resumed: u64,
    quarantined: u64,
    results: u64,
    replayed: usize,
}

impl Books {
    fn refuse(&mut self, wrong: bool, why: impl FnOnce() -> String) {
        if wrong {
            self.violations.push(why());
        }
    }

    /// One run, as its ledger has it and as the receiver has it.
    fn compare(&mut self, summary: &RunSummary, ledger: &[Recorded], intents: &[IntentView]) {
        let run = summary.run;
        self.runs.insert(run);
        self.events += ledger.len() as u64;
        *self.by_status.entry(summary.status.word()).or_default() += 1;
        let quarantined = summary.failure == Some(FailureKind::Quarantined);
        self.quarantined += u64::from(quarantined);
        let in_order = ledger.iter().zip(1..).all(|(recorded, seq)| recorded.seq == seq);
        self.refuse(!in_order, || format!("{run}: sequence numbers have gaps"));
        let keys: BTreeSet<&str> = ledger.iter().map(|recorded| recorded.entry.key.as_str()).collect();
        self.refuse(keys.len() != ledger.len(), || format!("{run}: a key is on record twice"));
        let ends = ledger.iter().filter(|recorded| matches!(recorded.entry.event, Event::Finished { .. })).count();
        let last = match ledger.last().map(|last| &last.entry.event) {
            Some(Event::Finished { ending, .. }) => Some(ending.status()),
            _ => None,
        };
        self.refuse(ends != 1 || last != Some(summary.status), || {
            format!("{run}: {ends} ends on record, the last event is {last:?}, the listing says {:?}", summary.status)
        });
        let mark = mark(ledger);
        for recorded in ledger {
            match &recorded.entry.event {
                Event::Resumed { .. } => self.resumed += 1,
                Event::ToolCalled { .. } => self.result(recorded, format!("{run}/{}", recorded.entry.key)),
                Event::ModelCalled { .. } => {
                    let turn = recorded.entry.key.rsplit('/').next().unwrap_or_default();
                    self.result(recorded, format!("{mark}/turn/{turn}"));
                }
                _ => {}
            }
        }
        for intent in intents {
            self.intent(run, ledger, intent, quarantined);
        }
        let doubts = intents.iter().filter(|intent| intent.status == IntentStatus::Unknown).count();
        self.refuse(summary.flags.in_doubt != (doubts > 0), || {
            format!("{run}: {doubts} intents are in doubt, and the run says {}", summary.flags.in_doubt)
        });
        let done = intents.iter().filter(|intent| intent.status == IntentStatus::Done).count();
        let well = summary.status == RunStatus::Completed && done == desk::WRITES && intents.len() == desk::WRITES;
        self.refuse(!well && doubts == 0 && !quarantined, || {
            format!("{run}: {:?} with {done} of {} writes done: {:?}", summary.status, intents.len(), summary.error)
        });
    }

    /// A result on record: nobody may have come for it again, and within one life nobody may have come twice.
    fn result(&mut self, recorded: &Recorded, key: String) {
        self.results += 1;
        let Some(page) = self.pages.get(&key) else {
            return self.violations.push(format!("`{key}` is on record and never arrived"));
        };
        let late = page.arrivals.iter().any(|arrival| arrival.at > recorded.entry.at);
        let lives: BTreeSet<u32> = page.arrivals.iter().map(|arrival| arrival.life).collect();
        let twice = lives.len() < page.arrivals.len();
        self.refuse(late, || format!("`{key}` was asked for again after its result was on record"));
        self.refuse(twice, || format!("`{key}` was asked for twice by one process"));
    }

    /// A write: carried out at most once, exactly once where it is done, and declared and sent before it arrived.
    fn intent(&mut self, run: RunId, ledger: &[Recorded], intent: &IntentView, quarantined: bool) {
        let (key, tool) = (&intent.intent.key, intent.intent.tool.as_str());
        self.declared.insert(key.clone());
        *self.by_intent.entry(format!("{tool} {}", intent.status.word())).or_default() += 1;
        let page = self.pages.get(key).cloned().unwrap_or_default();
        self.refuse(page.carried_out > 1, || format!("`{key}` ({tool}) was carried out {} times", page.carried_out));
        let fits = match intent.status {
            IntentStatus::Done => page.carried_out == 1,
            // Nobody can tell: of those that may be repeated, only after every attempt, or where their run was given up
            // because too many lives in a row were too short for any progress.
            IntentStatus::Unknown => tool == desk::CHARGE || intent.attempts >= 3 || quarantined,
            IntentStatus::Withheld => page.arrivals.is_empty(),
            IntentStatus::Failed | IntentStatus::Declared | IntentStatus::Sending => false,
        };
        self.refuse(!fits, || {
            format!("`{key}` ({tool}) is {} after {} arrivals", intent.status.word(), page.arrivals.len())
        });
        let filed = key.strip_prefix(&format!("{run}/")).unwrap_or(key);
        let sent: Vec<_> = ledger
            .iter()
            .filter(|recorded| matches!(&recorded.entry.event, Event::IntentSent { intent, .. } if intent == key))
            .map(|recorded| recorded.entry.at)
            .collect();
        let settled = ledger.iter().find(|recorded| recorded.entry.key == format!("{filed}/settled"));
        self.refuse(page.arrivals.len() > sent.len(), || {
            format!("`{key}` arrived {} times and was sent {} times", page.arrivals.len(), sent.len())
        });
        let early = page.arrivals.first().zip(sent.first()).is_some_and(|(first, sent)| first.at < *sent);
        self.refuse(early, || format!("`{key}` arrived before it was on record that it would be sent"));
        let late = settled.is_some_and(|settled| page.arrivals.iter().any(|arrival| arrival.at > settled.entry.at));
        self.refuse(late, || format!("`{key}` was sent again after it was settled"));
    }

    fn replay(&mut self, runtime: &Runtime, run: RunId, ledger: &[Recorded]) {
        self.replayed += 1;
        match runtime.replay(ledger) {
            Ok(events) => self.refuse(events != ledger.len(), || format!("{run}: only {events} events were replayed")),
            Err(differs) => {
                self.violations.push(format!("{run}: replay differs at event {}: {}", differs.seq, differs.detail));
            }
        }
    }

    fn close(self, acknowledged: usize, lost: usize, total: u64) -> Verdict {
        let tools = [desk::LOOK, desk::NOTE, desk::CHARGE, desk::BOOK, "model"];
        let arrivals: BTreeMap<&str, Value> = tools
            .iter()
            .map(|tool| {
                let pages: Vec<&Page> = self.pages.values().filter(|page| page.tool == *tool).collect();
                let all: usize = pages.iter().map(|page| page.arrivals.len()).sum();
                let carried_out: u32 = pages.iter().map(|page| page.carried_out).sum();
                (*tool, json!({"keys": pages.len(), "arrivals": all, "again": all - pages.len(), "carried_out": carried_out}))
            })
            .collect();
        let twice = self.pages.values().filter(|page| page.carried_out > 1).count();
        let summary = json!({
            "runs": total, "acknowledged": acknowledged, "lost": lost, "by_status": self.by_status,
            "quarantined": self.quarantined, "events": self.events, "resumed": self.resumed,
            "results_on_record": self.results, "carried_out_twice": twice, "intents": self.by_intent,
            "receiver": arrivals, "replayed": self.replayed,
        });
        Verdict { summary, violations: self.violations }
    }
}

/// The mark of a run's job.
fn mark(ledger: &[Recorded]) -> String {
    match ledger.first().map(|first| &first.entry.event) {
        Some(Event::Received { request, .. }) => {
            request.text.as_str().trim_start_matches("Do ").trim_end_matches('.').to_owned()
        }
        _ => String::new(),
    }
}
