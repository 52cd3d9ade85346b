//! How runs that did not do something would have fared, by runs of their kind that did.

use std::collections::{BTreeMap, HashMap};

use domain::guideline::Effect;
use domain::symbol::Symbol;
use domain::trace::Sketch;

use crate::interval::NINETY_FIVE;

/// How many runs of the wider kind each kind is mixed with.
const TRUST: f64 = 2.0;
/// No kind of run does something more rarely or more often than this, as far as weights are concerned.
const RAREST: f64 = 0.05;

/// A run to compare.
pub(super) struct Compared<'a> {
    pub(super) sketch: &'a Sketch,
    pub(super) success: bool,
    /// Whether it did what is compared.
    pub(super) heeds: bool,
}

/// What the comparison comes to.
pub(super) struct Found {
    pub(super) effect: Effect,
    pub(super) overlap: f64,
    pub(super) effective: f64,
}

/// Runs of one kind.
#[derive(Debug, Clone, Copy, Default)]
struct Kind {
    /// Those that did it.
    heeding: f64,
    /// Successes among them.
    good: f64,
    /// All.
    all: f64,
}

type Key<'a> = (&'a Symbol, &'a Symbol, Option<&'a Symbol>, Option<&'a Symbol>);

/// The mean over runs that did not of how often their kind succeeds when it does, less how often they succeeded; set
/// right by how far that guess is off for those that did, each standing for as many as its kind has that did not. One of the
/// two guesses, of success or of how often it is done, may be wrong.
pub(super) fn compare(runs: &[Compared<'_>]) -> Option<Found> {
    let mut kinds: HashMap<Key<'_>, Kind> = HashMap::new();
    for run in runs {
        for key in keys(run.sketch) {
            kinds.entry(key).or_default().add(run, 1.0);
        }
    }
    let heeding = runs.iter().filter(|run| run.heeds).count();
    let reached = runs.len() - heeding;
    if heeding == 0 || reached == 0 {
        return None;
    }
    let guesses: Vec<(f64, f64)> = runs.iter().map(|run| guess(&kinds, run)).collect();
    let weight = |chance: f64| (1.0 - chance) / chance;
    let weights: Vec<f64> =
        runs.iter().zip(&guesses).map(|(run, (_, chance))| if run.heeds { weight(*chance) } else { 0.0 }).collect();
    let total: f64 = weights.iter().sum();
    let outcome = |run: &Compared<'_>| f64::from(u8::from(run.success));
    let plain: f64 =
        runs.iter().zip(&guesses).filter(|(run, _)| !run.heeds).map(|(run, (rate, _))| rate - outcome(run)).sum();
    let off: f64 =
        runs.iter().zip(&guesses).zip(&weights).map(|((run, (rate, _)), weight)| weight * (outcome(run) - rate)).sum();
    let (plain, off) = (plain / reached as f64, off / total);
    let estimate = plain + off;
    // Attempts at one task are alike: what they add to the error is added up before it is squared.
    let mut clusters: BTreeMap<&str, f64> = BTreeMap::new();
    for ((run, (rate, _)), weight) in runs.iter().zip(&guesses).zip(&weights) {
        let part = if run.heeds {
            weight / total * (outcome(run) - rate - off)
        } else {
            (rate - outcome(run) - plain) / reached as f64
        };
        let name = run.sketch.task.as_ref().map_or(run.sketch.trace.as_str(), Symbol::as_str);
        *clusters.entry(name).or_default() += part;
    }
    let several = clusters.len() as f64;
    let variance: f64 = clusters.values().map(|part| part * part).sum::<f64>() * several / (several - 1.0).max(1.0);
    let half = NINETY_FIVE * variance.sqrt();
    let comparable = |run: &&Compared<'_>| {
        !run.heeds && keys(run.sketch).last().and_then(|key| kinds.get(key)).is_some_and(|kind| kind.heeding > 0.0)
    };
    let overlap = runs.iter().filter(comparable).count() as f64 / reached as f64;
    let effective = total * total / weights.iter().map(|weight| weight * weight).sum::<f64>();
    let (low, high) = ((estimate - half).max(-1.0), (estimate + half).min(1.0));
    let effect = Effect { estimate: estimate.clamp(-1.0, 1.0), low, high, runs: runs.len() as u64 };
    Some(Found { effect, overlap, effective: effective.min(reached as f64) })
}

impl Kind {
    fn add(&mut self, run: &Compared<'_>, times: f64) {
        self.all += times;
        if run.heeds {
            self.heeding += times;
            self.good += times * f64::from(u8::from(run.success));
        }
    }
}

/// The kinds a run is of, the widest first.
fn keys(sketch: &Sketch) -> [Key<'_>; 4] {
    let (agent, problem) = (&sketch.agent, &sketch.problem);
    let (task, system) = (sketch.task.as_ref(), sketch.system.as_ref());
    [
        (agent, problem, None, None),
        (agent, problem, None, system),
        (agent, problem, task, None),
        (agent, problem, task, system),
    ]
}

/// How often runs like this one succeed when they do it, and how often they do it: counted without the run itself, the
/// narrower kind mixed with the wider.
fn guess(kinds: &HashMap<Key<'_>, Kind>, run: &Compared<'_>) -> (f64, f64) {
    let mut before = None;
    let (mut rate, mut chance) = (0.5, 0.5);
    for key in keys(run.sketch) {
        // Where task or system are not known two kinds are one, and count once.
        if before.replace(key) == Some(key) {
            continue;
        }
        let mut kind = kinds.get(&key).copied().unwrap_or_default();
        kind.add(run, -1.0);
        rate = (kind.good + TRUST * rate) / (kind.heeding + TRUST);
        chance = (kind.heeding + TRUST * chance) / (kind.all + TRUST);
    }
    (rate, chance.clamp(RAREST, 1.0 - RAREST))
}
