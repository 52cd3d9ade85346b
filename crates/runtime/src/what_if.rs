//! Replays, forks and what-ifs: a ledger read again, up to some event, or with one thing changed.

use std::collections::{BTreeMap, HashMap};

use domain::event::{Entry, Event, Origin, Outcome, Recorded};
use domain::id::RunId;
use domain::run::Ending;
use domain::store::StoreError;
use serde_json::Value;

use crate::Runtime;
use crate::advance::{over_budget, request_of};
use crate::approve::Consent;
use crate::messages::Mailboxes;
use crate::meter::Meter;
use crate::pipeline;
use crate::received;
use crate::record::{Halt, Journal};
use crate::replay::{Divergence, drive};
use crate::work::Work;

/// What is different in a what-if, besides the runtime's own settings and prompts.
#[derive(Debug, Clone, Default)]
pub struct Changed {
    /// Results of tools, by the key they are filed under.
    pub results: BTreeMap<String, Value>,
}

/// How a run would have gone.
#[derive(Debug)]
pub struct WhatIf {
    /// How it would have ended; absent where it would wait for somebody.
    pub ending: Option<Ending>,
    /// What would have happened.
    pub entries: Vec<Entry>,
    /// How many results of the run were used again.
    pub reused: usize,
    /// The keys of those that had to be made anew.
    pub made: Vec<String>,
}

impl Runtime {
    /// Repeats a run from its record, asking no model and calling no tool. Says how many events came out the same, or
    /// which is the first that did not.
    pub fn replay(&self, ledger: &[Recorded]) -> Result<usize, Divergence> {
        let Some(request) = request_of(ledger) else {
            return Err(Divergence { seq: 1, detail: "the ledger does not begin with its request".into() });
        };
        let run = run_of(ledger).unwrap_or_else(RunId::fresh);
        let meter = Meter::new(self.budget_for(&request), &[]);
        let journal = Journal::replaying(run, ledger.to_vec());
        let work = Work {
            runtime: self,
            request: &request,
            journal: &journal,
            meter: &meter,
            mail: Mailboxes::default(),
            consent: Consent::default(),
        };
        let Some(gate) = journal.gate() else { return Ok(0) };
        drive(gate, async {
            match pipeline::run(&work).await {
                Ok(ending) => pipeline::conclude(&work, ending).await,
                Err(Halt::OverBudget(limit)) => pipeline::conclude(&work, over_budget(limit)).await,
                Err(halt) => Err(halt),
            }
        })
    }

    /// Runs a request again with something changed, in memory. Results on record are used where the question is the
    /// same; the others are made. Nothing is written to the world or to the store.
    pub async fn what_if(&self, ledger: &[Recorded], changed: &Changed) -> Result<WhatIf, StoreError> {
        let run = RunId::fresh();
        let mut request = request_of(ledger).ok_or(StoreError::NoSuchRun { run })?;
        request.wishes.dry = true;
        let mut borrowed: HashMap<String, Entry> =
            ledger.iter().map(|recorded| (recorded.entry.key.clone(), recorded.entry.clone())).collect();
        for (key, value) in &changed.results {
            if let Some(entry) = borrowed.get_mut(key)
                && let Event::ToolCalled { result, .. } = &mut entry.event
            {
                *result = Outcome::Ok(value.clone());
            }
        }
        let meter = Meter::new(self.budget_for(&request), &[]);
        let journal = Journal::trying(run, received(request.clone(), None), borrowed);
        let ending = {
            let work = Work {
                runtime: self,
                request: &request,
                journal: &journal,
                meter: &meter,
                mail: Mailboxes::default(),
                consent: Consent::default(),
            };
            tokio::select! {
                biased;
                error = journal.write_nowhere() => return Err(error),
                ending = pipeline::run(&work) => match ending {
                    Ok(ending) => Some(ending),
                    Err(Halt::Waits) => None,
                    Err(Halt::OverBudget(error)) => {
                        Some(Ending::Failed { reason: domain::run::FailureKind::Budget, error, answer: None })
                    }
                    Err(Halt::Diverged(error)) => {
                        Some(Ending::Failed { reason: domain::run::FailureKind::Step, error, answer: None })
                    }
                    Err(Halt::Store(error)) => return Err(error),
                },
            }
        };
        let (entries, reused, made) = journal.into_entries();
        Ok(WhatIf { ending, entries, reused, made })
    }
}

/// The run a ledger belongs to, as far as its intents tell.
fn run_of(ledger: &[Recorded]) -> Option<RunId> {
    ledger.iter().find_map(|recorded| match &recorded.entry.event {
        Event::IntentDeclared { intent } => intent.key.split('/').next()?.parse().ok(),
        _ => None,
    })
}

/// The entries that a fork shares with its parent. The parent's end, its stops and its pauses are its own; a write that
/// was under way is not shared either.
pub(crate) fn shared_entries(parent: RunId, fork: RunId, ledger: &[Recorded], origin: Origin) -> Vec<Entry> {
    let settled: Vec<&str> = ledger
        .iter()
        .filter_map(|recorded| match &recorded.entry.event {
            Event::IntentSettled { intent, .. } => Some(intent.as_str()),
            _ => None,
        })
        .collect();
    let rename = |key: &str| key.replacen(&parent.to_string(), &fork.to_string(), 1);
    ledger
        .iter()
        .filter_map(|recorded| {
            let mut entry = recorded.entry.clone();
            match &mut entry.event {
                Event::Received { parent, .. } => *parent = Some(origin),
                Event::Finished { .. } | Event::CancelAsked { .. } | Event::Resumed { .. } => return None,
                Event::IntentSent { intent, .. } if !settled.contains(&intent.as_str()) => return None,
                Event::IntentSent { intent, .. } | Event::IntentSettled { intent, .. } => *intent = rename(intent),
                Event::IntentDeclared { intent } => intent.key = rename(&intent.key),
                _ => {}
            }
            Some(entry)
        })
        .collect()
}
