//! Success rates that fell, told with a known rate of false alarms.
//!
//! From every few outcomes on somebody bets that the rate is lower than it surely was before: capital that grows only if
//! it is. The sum of all that capital is on average no more than the number of bettors while nothing has changed, so that
//! it reaches a bar after that many outcomes at the earliest, on average (an e-detector of the Shiryaev–Roberts kind).

use domain::guideline::Alert;
use domain::id::TraceId;
use domain::symbol::Symbol;

use crate::interval::{NINETY_FIVE, wilson};

/// A bettor begins every so many outcomes.
const EVERY: usize = 5;
/// So many bettors are kept at most; those that lost most leave.
const BETTORS: usize = 200;
/// Drops that are bet on.
const DROPS: [f64; 4] = [0.05, 0.1, 0.2, 0.4];
/// How much of its capital a bet may lose at once.
const STAKE: f64 = 0.75;

/// When a drop is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlertPolicy {
    /// After how many runs a false alarm comes, on average, at the earliest.
    pub rarely: f64,
    /// How many outcomes a rate must rest on before it can fall.
    pub least: usize,
    /// How many of the newest outcomes say whether it is still low.
    pub newest: usize,
}

impl Default for AlertPolicy {
    fn default() -> Self {
        Self { rarely: 10_000.0, least: 50, newest: 50 }
    }
}

/// The outcomes of one kind of agent, in the order in which they became known.
#[derive(Debug, Clone, PartialEq)]
pub struct Series<'a> {
    /// Whose.
    pub agent: Symbol,
    /// At which kind of problem; absent for all of them.
    pub problem: Option<Symbol>,
    /// The outcomes.
    pub outcomes: &'a [(TraceId, bool)],
}

/// The rates that fell and are still low.
pub fn watch(series: &[Series<'_>], policy: &AlertPolicy) -> Vec<Alert> {
    series.iter().filter_map(|series| still_low(series, policy)).collect()
}

/// A drop that was noticed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noticed {
    /// At which outcome, counted from 0.
    pub at: usize,
    /// With which outcome it probably began.
    pub since: usize,
    /// What there was before it.
    pub before: Counted,
    /// How rarely so much comes by chance, in runs.
    pub evidence: f64,
}

/// Every drop that was noticed, in order. What came since one is what the next is measured by.
pub fn drops(outcomes: &[(TraceId, bool)], policy: &AlertPolicy) -> Vec<Noticed> {
    let bar = policy.rarely.max(1.0) / EVERY as f64;
    let mut noticed = Vec::new();
    let mut before = Counted::default();
    let mut bettors: Vec<Bettor> = Vec::new();
    for (at, (_, success)) in outcomes.iter().enumerate() {
        if before.all as usize >= policy.least && at % EVERY == 0 {
            bettors.push(Bettor::new(at, before));
        }
        bettors.iter_mut().for_each(|bettor| bettor.observe(*success));
        before.add(*success);
        let capital: f64 = bettors.iter().map(Bettor::capital).sum();
        if let Some(first) = richest(&bettors).filter(|_| capital >= bar) {
            let Bettor { since, before: was, .. } = bettors[first];
            noticed.push(Noticed { at, since, before: was, evidence: capital * EVERY as f64 });
            before = Counted::of(&outcomes[since..=at]);
            bettors.clear();
        } else if bettors.len() > BETTORS {
            // Whoever leaves takes capital along, so that alarms become rarer and never more frequent.
            bettors.sort_by(|a, b| b.capital().total_cmp(&a.capital()));
            bettors.truncate(BETTORS);
        }
    }
    noticed
}

fn richest(bettors: &[Bettor]) -> Option<usize> {
    (0..bettors.len()).max_by(|a, b| bettors[*a].capital().total_cmp(&bettors[*b].capital()))
}

fn still_low(series: &Series<'_>, policy: &AlertPolicy) -> Option<Alert> {
    let outcomes = series.outcomes;
    let Noticed { since, before, evidence, .. } = *drops(outcomes, policy).last()?;
    let newest = &outcomes[since.max(outcomes.len().saturating_sub(policy.newest.max(1)))..];
    let (was, now) = (before.rate(), Counted::of(newest).rate());
    if now >= before.surely() {
        return None;
    }
    let (agent, problem, first) = (series.agent.clone(), series.problem.clone(), outcomes[since].0.clone());
    let at = problem.as_ref().map_or_else(String::new, |problem| format!(" at `{problem}`"));
    let words = format!(
        "`{agent}` succeeds less often{at} since `{first}`: in {:.0} % of the newest {} runs, in {:.0} % of {} before; a \
         false alarm comes once in {:.0} runs",
        now * 1e2,
        newest.len(),
        was * 1e2,
        before.all,
        policy.rarely
    );
    Some(Alert { agent, problem, before: was, now, evidence, since: Some(first), words })
}

/// Outcomes counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// Successes.
    pub good: u64,
    /// All.
    pub all: u64,
}

impl Counted {
    fn of(outcomes: &[(TraceId, bool)]) -> Self {
        Self { good: outcomes.iter().filter(|(_, success)| *success).count() as u64, all: outcomes.len() as u64 }
    }

    fn add(&mut self, success: bool) {
        self.all += 1;
        self.good += u64::from(success);
    }

    fn rate(&self) -> f64 {
        self.good as f64 / self.all.max(1) as f64
    }

    /// What the rate surely was.
    fn surely(&self) -> f64 {
        wilson(self.good as f64, self.all as f64, NINETY_FIVE).0
    }
}

/// Somebody who bets that the rate is lower from some outcome on.
struct Bettor {
    since: usize,
    before: Counted,
    was: f64,
    bets: [f64; DROPS.len()],
}

impl Bettor {
    fn new(since: usize, before: Counted) -> Self {
        Self { since, before, was: before.surely(), bets: [1.0 / DROPS.len() as f64; DROPS.len()] }
    }

    fn observe(&mut self, success: bool) {
        let won = self.was - f64::from(u8::from(success));
        let variance = (self.was * (1.0 - self.was)).max(f64::MIN_POSITIVE);
        for (bet, drop) in self.bets.iter_mut().zip(DROPS) {
            let stake = (drop / variance).min(STAKE / (1.0 - self.was).max(f64::MIN_POSITIVE));
            *bet = (*bet * (1.0 + stake * won)).min(1e300);
        }
    }

    fn capital(&self) -> f64 {
        self.bets.iter().sum()
    }
}
