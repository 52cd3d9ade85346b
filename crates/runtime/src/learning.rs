//! The learning cycle: takes in what is new, finds what separates success from failure, proposes, tries, promotes and takes
//! back. Finished traces go in; a run that is under way never notices.
//!
//! A cycle reads what was learnt so far ([book](self::book)), decides, and writes everything down at once. If a person or
//! another learner was faster it looks again. `auto_update = false` means what it says: nothing that anybody is told
//! changes without a person, except that a trial a person began ends by itself when it harms.

mod alerts;
mod book;
mod by_hand;
mod outlook;
mod predict;
mod reword;
mod shadow;
mod take_in;
mod trials;

use std::collections::BTreeMap;
use std::time::Duration;

use domain::guideline::{Author, Lesson, Report};
use domain::pattern::Pattern;
use domain::store::{Store, StoreError};
use jiff::Timestamp;
use learn::experiment::PlanPolicy;
use learn::points::{Budget, is_told};
use learn::{MinePolicy, Miner};
use serde_json::{Value, json};

use book::Book;
use take_in::take_in;

pub use by_hand::{ByHandError, Revoked, Yes, accept, adopt, dismiss, revoke, roll_back, stop};
pub use outlook::{Status, Told, patterns, status};
pub use predict::{Place, Predicted, Reason, predict};
pub use reword::Wordsmith;
pub use shadow::evaluate;

/// How long somebody is the learner who does not say so again.
const TERM: Duration = Duration::from_secs(600);
/// How often a cycle begins again because somebody changed what was learnt meanwhile.
const TRIES: usize = 5;

/// How learning is done.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnPolicy {
    /// How many traces there must be before anything is said.
    pub min_traces: u64,
    /// How sure a pattern must be.
    pub confidence: f64,
    /// Whether guidelines change without a person.
    pub auto_update: bool,
    /// Whether a model says lessons in better words.
    pub reword: bool,
    /// How much a lesson must help, in success rate.
    pub minimum_effect: f64,
    /// What share of what is promoted may be useless, on average.
    pub false_discoveries: f64,
    /// How many of those concerned get what is tried.
    pub share: f64,
    /// How many experiments may reach one kind of agent at once.
    pub at_once: usize,
    /// How many tokens learnt points may take of a prompt.
    pub tokens: usize,
}

impl Default for LearnPolicy {
    fn default() -> Self {
        let (plan, budget) = (PlanPolicy::default(), Budget::default());
        Self {
            min_traces: 10,
            confidence: 0.7,
            auto_update: false,
            reword: false,
            minimum_effect: plan.minimum,
            false_discoveries: plan.false_discoveries,
            share: plan.share,
            at_once: plan.at_once,
            tokens: budget.tokens,
        }
    }
}

impl LearnPolicy {
    fn mining(&self) -> MinePolicy {
        MinePolicy { min_traces: self.min_traces, confidence: self.confidence, ..MinePolicy::default() }
    }

    fn planning(&self) -> PlanPolicy {
        PlanPolicy {
            share: self.share,
            minimum: self.minimum_effect,
            false_discoveries: self.false_discoveries,
            at_once: self.at_once,
            tokens: self.tokens,
        }
    }
}

/// Why there was no cycle.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Wait, or leave it to them.
    #[error("`{learner}` is learning, until {until} at the latest")]
    Busy {
        /// Who.
        learner: String,
        /// Until when, unless they say so again.
        until: Timestamp,
    },
    /// Try again later.
    #[error("what was learnt is being changed all the time by somebody else")]
    Contended,
    /// See there.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// One cycle. On return everything is durable.
pub async fn learn(
    store: &dyn Store,
    policy: &LearnPolicy,
    worker: &str,
    wordsmith: Option<&Wordsmith<'_>>,
) -> Result<Report, LearnError> {
    take_up(store, worker).await?;
    let learnt = cycle(store, policy, worker, wordsmith).await;
    store.lay_down_learning(worker).await?;
    learnt
}

async fn cycle(
    store: &dyn Store,
    policy: &LearnPolicy,
    worker: &str,
    wordsmith: Option<&Wordsmith<'_>>,
) -> Result<Report, LearnError> {
    let started_at = Timestamp::now();
    let mut seen = BTreeMap::new();
    for _ in 0..TRIES {
        let Some(taken) = take_in(store).await? else { continue };
        for (became, count) in taken.seen {
            *seen.entry(became).or_default() += count;
        }
        take_up(store, worker).await?;
        let mut book = Book::read(store).await?;
        let patterns = taken.miner.patterns(&policy.mining());
        let lessons = distil(&book, &patterns, wordsmith).await;
        let found = Found { miner: &taken.miner, patterns, lessons, seen: &seen, started_at };
        let report = conclude(store, policy, &mut book, found).await?;
        book.change.report = Some(report.clone());
        if book.write(store).await? {
            tracing::info!(
                cycle = report.cycle,
                traces = report.traces,
                changes = report.changed.len(),
                "a cycle ended"
            );
            for alert in &report.alerts {
                tracing::warn!(agent = %alert.agent, before = alert.before, now = alert.now, "an agent succeeds less often");
            }
            return Ok(report);
        }
    }
    Err(LearnError::Contended)
}

async fn take_up(store: &dyn Store, worker: &str) -> Result<(), LearnError> {
    let now = Timestamp::now();
    if store.take_up_learning(worker, now, now + TERM).await? {
        return Ok(());
    }
    let (learner, until) = store.learned().await?.learner.unwrap_or_else(|| ("somebody".to_owned(), now));
    Err(LearnError::Busy { learner, until })
}

/// What a cycle decides about.
struct Found<'f> {
    miner: &'f Miner,
    patterns: Vec<Pattern>,
    lessons: Vec<Lesson>,
    seen: &'f BTreeMap<String, u64>,
    started_at: Timestamp,
}

/// What the patterns teach; what is new is said in better words, where somebody has them.
async fn distil(book: &Book, patterns: &[Pattern], wordsmith: Option<&Wordsmith<'_>>) -> Vec<Lesson> {
    let mut lessons = learn::points::distil(patterns, Timestamp::now());
    let Some(wordsmith) = wordsmith else { return lessons };
    for lesson in &mut lessons {
        let known = |other: &Lesson| {
            (&other.pattern.mark, &other.agent, &other.problem)
                == (&lesson.pattern.mark, &lesson.agent, &lesson.problem)
        };
        if !book.lessons().any(known) {
            *lesson = wordsmith.reword(lesson).await;
        }
    }
    lessons
}

/// Decides everything, in the book.
async fn conclude(
    store: &dyn Store,
    policy: &LearnPolicy,
    book: &mut Book,
    found: Found<'_>,
) -> Result<Report, StoreError> {
    let Found { miner, patterns, lessons, seen, started_at } = found;
    let now = Timestamp::now();
    let (traces, successes) = miner.outcomes();
    let mut not_changed = Vec::new();
    // Outcomes first: what they promote may have to make room for what is worth more.
    trials::judge(store, policy, book, &mut not_changed, now).await?;
    if traces < policy.min_traces {
        let wanted = policy.min_traces;
        not_changed
            .push(format!("too few traces have an outcome to say anything: {traces} of {wanted} that are wanted"));
    } else if successes == 0 || successes == traces {
        let all = if successes == 0 { "failed" } else { "succeeded" };
        not_changed.push(format!("all {traces} traces {all}: there is nothing to compare"));
    } else {
        merge(policy, book, lessons, &mut not_changed, now);
        trials::stop_orphans(book, now);
    }
    // What comes into the shadow now is looked at once more before anybody is told.
    trials::begin(policy, book, now);
    shadow::weigh(store, policy, book, &mut not_changed, now).await?;
    let cycle = book.cycles + 1;
    book.publish(&Author::Cycle(cycle), "what was learnt", now);
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    for pattern in &patterns {
        *found.entry(pattern.mark.family().word().to_owned()).or_default() += 1;
    }
    Ok(Report {
        cycle,
        started_at,
        ended_at: Timestamp::now(),
        seen: seen.clone(),
        traces,
        successes,
        found,
        changed: std::mem::take(&mut book.done),
        not_changed,
        alerts: alerts::look(store).await?,
        figures: figures(miner),
    })
}

/// Brings what is known together with what the patterns say now.
fn merge(policy: &LearnPolicy, book: &mut Book, new: Vec<Lesson>, not_changed: &mut Vec<String>, now: Timestamp) {
    let known = book.all();
    let budget = Budget { tokens: policy.tokens, ..Budget::default() };
    let mut merged = learn::points::merge(&known, new, &budget, now);
    for lesson in merged.lessons {
        let before = known.iter().find(|before| before.id == lesson.id);
        match before {
            Some(before) if *before == lesson => {}
            Some(before) if is_told(before) && !is_told(&lesson) && !policy.auto_update => {
                merged.changed.retain(|sentence| !sentence.starts_with(&format!("“{}”", lesson.text)));
                not_changed.push(format!(
                    "“{}” would be {}, and stays {} because nothing changes by itself: {}",
                    lesson.text,
                    lesson.status.word(),
                    before.status.word(),
                    lesson.because
                ));
            }
            _ => book.put(lesson),
        }
    }
    book.done.extend(merged.changed);
    not_changed.extend(merged.kept_out);
}

fn figures(miner: &Miner) -> Value {
    json!({ "tools": miner.tools() })
}
