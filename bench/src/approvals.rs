//! Whether people's answers can be raced: two at once, some of them about something else, while processes die. What is
//! done must be what was agreed to, once.

mod actors;
mod audit;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use domain::approval::{Approval, ApprovalId, Ruling, Subject, Verdict};
use domain::chat::ChatModel;
use domain::dispatch::{Advance, Advanced};
use domain::hash::Hash;
use domain::id::RunId;
use domain::plan::Strategy;
use domain::run::RunStatus;
use domain::store::{Store, StoreError};
use jiff::Timestamp;
use runtime::policy::{Action, Rule};
use runtime::{DecideError, Runtime, Settings};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use self::actors::{Deeds, Ideas, Mortal, Receiver};
use self::audit::{Faults, audit};
use crate::compose;
use crate::dice::Dice;

/// How often a run is asked about before it is told to stop.
const ROUNDS: u32 = 8;
/// One in so many processes dies.
const MORTALITY: u64 = 3;
/// The longest life of one that does, in moments.
const MOMENTS: u64 = 24;

/// Races two answers against each other, with crashes in between, and counts what was done twice or without consent.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many races
    #[arg(long, default_value_t = 10_000)]
    pub races: u64,
    /// How many at once
    #[arg(long, default_value_t = 32)]
    pub at_once: u64,
    /// What chance begins with
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// What all races share.
struct Field {
    store: Arc<dyn Store>,
    model: Arc<dyn ChatModel>,
    deeds: Arc<Deeds>,
}

impl Field {
    /// A process that has just begun.
    fn process(&self, patience: Option<Duration>) -> anyhow::Result<Runtime> {
        let settings = Settings {
            strategy: Strategy::TaskGraph,
            rules: vec![Rule { tool: "door.*".into(), when: None, action: Action::Ask }],
            patience,
            ..Settings::default()
        };
        let tools = vec![Receiver::noting(Arc::clone(&self.deeds))];
        compose::runtime(Arc::clone(&self.store), Some(Arc::clone(&self.model)), tools, settings)
    }
}

/// What became of one race, or of many.
#[derive(Debug, Default)]
struct Tally {
    faults: Faults,
    deeds: u64,
    deaths: u64,
    /// Approvals that took more than one answer.
    shared: u64,
    said: BTreeMap<&'static str, u64>,
    ended: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.faults.twice += other.faults.twice;
        self.faults.unasked += other.faults.unasked;
        self.deeds += other.deeds;
        self.deaths += other.deaths;
        self.shared += other.shared;
        for (word, count) in other.said {
            *self.said.entry(word).or_default() += count;
        }
        for (word, count) in other.ended {
            *self.ended.entry(word).or_default() += count;
        }
    }
}

/// Two writes, each with its words.
fn plan(first: &str, second: &str) -> Value {
    json!({"goal": "write on the door", "steps": [
        {"id": "first", "tool": "door.write", "arguments": {"text": first}},
        {"id": "second", "tool": "door.write", "arguments": {"text": second}, "depends_on": ["first"]},
    ], "answer": "${second.text}"})
}

/// Runs all races; an error where anything was done twice, without consent, or by two answers.
pub async fn measure(args: &Args) -> anyhow::Result<Value> {
    let folder = tempfile::tempdir()?;
    let store = compose::ledger(folder.path()).await?;
    let field = Arc::new(Field { store, model: Arc::new(Ideas::default()), deeds: Arc::default() });
    let begun = Instant::now();
    let mut lanes = JoinSet::new();
    for lane in 0..args.at_once.max(1) {
        let (field, args) = (Arc::clone(&field), args.clone());
        lanes.spawn(async move {
            let mut tally = Tally::default();
            for race in (lane..args.races).step_by(args.at_once.max(1) as usize) {
                tally.add(one(&field, &mut Dice::new(args.seed ^ race.wrapping_mul(0x5851_f42d_4c95_7f2d))).await?);
            }
            anyhow::Ok(tally)
        });
    }
    let mut all = Tally::default();
    while let Some(tally) = lanes.join_next().await {
        all.add(tally??);
    }
    let measured = json!({
        "bench": "approvals", "races": args.races, "executions": all.deeds, "deaths": all.deaths,
        "double_executions": all.faults.twice, "other_bytes": all.faults.unasked, "answers_shared": all.shared,
        "answers": all.said, "runs": all.ended, "seconds": begun.elapsed().as_secs_f64(),
    });
    ensure!(all.faults == Faults::default() && all.shared == 0, "a promise was broken: {measured}");
    ensure!(all.deeds > 0 && all.deaths > 0, "nothing was put to the test: {measured}");
    Ok(measured)
}

/// One run, from its request to its end.
async fn one(field: &Arc<Field>, dice: &mut Dice) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    let patience = (dice.below(8) == 0).then(|| Duration::from_micros(500 + dice.below(8_000)));
    let words = dice.any();
    let wanted = match dice.below(4) {
        // An agent, whose one call is asked about when it makes it.
        0 => json!({"steps": [{"id": "first", "goal": "write something", "tools": ["door.write"]}]}),
        _ => plan(&format!("a {words}"), &format!("b {words}")),
    };
    let run = field.process(patience)?.accept(compose::request("write on the door", wanted)).await?;
    let mut stale = Hash::of(b"nothing that was ever asked");
    for _ in 0..ROUNDS {
        if advance(field, run, patience, dice, &mut tally).await? == Advanced::Ended {
            break;
        }
        let Some(asked) = pending(field, run).await? else { continue };
        let mut answers = JoinSet::new();
        for _ in 0..2 {
            let verdict = verdict(&asked, stale, dice);
            let (process, id) = (field.process(patience)?, asked.id);
            let life = if dice.below(MORTALITY) == 0 { dice.below(12) } else { u64::MAX };
            answers.spawn(Mortal::new(async move { process.decide(id, verdict, None).await }, life));
        }
        // Somebody may take the run up while they speak, and die of it.
        if dice.below(3) == 0 {
            let _ = Mortal::new(field.process(patience)?.advance(run), dice.below(MOMENTS)).await;
        }
        let mut taken = 0;
        while let Some(answer) = answers.join_next().await {
            let word = heard(answer?)?;
            taken += u64::from(word == "taken");
            *tally.said.entry(word).or_default() += 1;
        }
        tally.shared += u64::from(taken > 1);
        stale = asked.hash;
    }
    finish(field, run, patience).await?;
    let status = field.store.run(run).await?.context("a run is gone")?.status;
    *tally.ended.entry(status.word()).or_default() += 1;
    let deeds = field.deeds.of(run);
    tally.deeds = deeds.len() as u64;
    tally.faults = audit(&runtime::ledger(field.store.as_ref(), run).await?, &deeds);
    Ok(tally)
}

/// Takes a run as far as it goes, in processes some of which die, and of which two may be at it at once.
async fn advance(
    field: &Arc<Field>,
    run: RunId,
    patience: Option<Duration>,
    dice: &mut Dice,
    tally: &mut Tally,
) -> anyhow::Result<Advanced> {
    for _ in 0..2 {
        if dice.below(MORTALITY) == 0 {
            let dead = Mortal::new(field.process(patience)?.advance(run), dice.below(MOMENTS)).await;
            tally.deaths += u64::from(dead.is_none());
        }
    }
    if dice.below(4) == 0 {
        let (one, other) = (field.process(patience)?, field.process(patience)?);
        let (one, other) = tokio::join!(one.advance(run), other.advance(run));
        let _ = (fenced(one)?, fenced(other)?);
    }
    Ok(fenced(field.process(patience)?.advance(run).await)?.unwrap_or(Advanced::Elsewhere))
}

/// Who was replaced has nothing to say.
fn fenced(advanced: Result<Advanced, StoreError>) -> anyhow::Result<Option<Advanced>> {
    match advanced {
        Ok(advanced) => Ok(Some(advanced)),
        Err(StoreError::Fenced { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What a run asks now.
async fn pending(field: &Field, run: RunId) -> anyhow::Result<Option<Approval>> {
    let Some(wait) = field.store.waits(Some(run), 1).await?.pop() else { return Ok(None) };
    Ok(field.store.approval(ApprovalId::of(run, &wait.wait.name), Timestamp::now()).await?)
}

/// What somebody says, about what is asked or about something else.
fn verdict(asked: &Approval, stale: Hash, dice: &mut Dice) -> Verdict {
    let words = dice.any();
    let decision = match dice.below(8) {
        0..=2 => Ruling::Approve,
        3 | 4 => Ruling::Edit {
            plan: match &asked.proposal.subject {
                Subject::Plan { .. } => plan(&format!("c {words}"), &format!("d {words}")),
                Subject::Call { .. } => json!({"text": format!("e {words}")}),
            },
        },
        // What cannot be carried out must not count.
        5 => Ruling::Edit { plan: json!({"steps": []}) },
        6 => Ruling::Respond { message: format!("something else, {words}") },
        _ => Ruling::Reject,
    };
    let hash = if dice.below(4) == 0 { stale } else { asked.hash };
    Verdict { decision, hash, reason: None }
}

/// What somebody heard who answered.
fn heard(answer: Option<Result<Approval, DecideError>>) -> anyhow::Result<&'static str> {
    Ok(match answer {
        None => "died",
        Some(Ok(_)) => "taken",
        Some(Err(DecideError::Already(_))) => "already",
        Some(Err(DecideError::Stale(_))) => "stale",
        Some(Err(DecideError::Expired(_))) => "expired",
        Some(Err(DecideError::Unsound { .. })) => "unsound",
        Some(Err(DecideError::Withdrawn(_))) => "withdrawn",
        Some(Err(error @ (DecideError::Unknown(_) | DecideError::Unheard(_) | DecideError::Store(_)))) => {
            return Err(error.into());
        }
    })
}

/// Ends what is still waiting.
async fn finish(field: &Arc<Field>, run: RunId, patience: Option<Duration>) -> anyhow::Result<()> {
    for _ in 0..20 {
        let status = field.store.run(run).await?.context("a run is gone")?.status;
        if !matches!(status, RunStatus::Pending | RunStatus::Running | RunStatus::Waiting) {
            return Ok(());
        }
        runtime::cancel(field.store.as_ref(), run, None).await?;
        fenced(field.process(patience)?.advance(run).await)?;
    }
    anyhow::bail!("{run} does not end")
}
