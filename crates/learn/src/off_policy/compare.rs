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
/// two guesses, of success or of how often it is done, may be wrong. Absent where all did, or none.
pub(super) fn compare(runs: &[Compared<'_>]) -> Option<Found> {
    let mut kinds: HashMap<Key<'_>, Kind> = HashMap::new();
    for run in runs {
        for key in keys(run.sketch) {
            kinds.entry(key).or_default().add(run, 1.0);
        }
    }
    let parts: Vec<Part<'_>> = runs.iter().map(|run| Part::of(run, &kinds)).collect();
    let sum = |heeds: bool, of: fn(&Part<'_>) -> f64| {
        parts.iter().filter(|part| part.run.heeds == heeds).map(of).sum::<f64>()
    };
    let (reached, weights) = (sum(false, |part| part.weight), sum(true, |part| part.weight));
    if reached == 0.0 || weights == 0.0 {
        return None;
    }
    let plain = sum(false, |part| part.weight * part.gap) / reached;
    let off = sum(true, |part| part.weight * part.gap) / weights;
    let deviation = deviation(&parts, |part| match part.run.heeds {
        true => part.weight * (part.gap - off) / weights,
        false => part.weight * (plain - part.gap) / reached,
    });
    let (estimate, half) = (off - plain, NINETY_FIVE * deviation);
    let (low, high) = ((estimate - half).max(-1.0), (estimate + half).min(1.0));
    let comparable = parts.iter().filter(|part| !part.run.heeds && part.comparable).count();
    Some(Found {
        effect: Effect { estimate: estimate.clamp(-1.0, 1.0), low, high, runs: runs.len() as u64 },
        overlap: comparable as f64 / reached,
        effective: (weights * weights / sum(true, |part| part.weight * part.weight)).min(reached),
    })
}

/// What a run adds to the comparison.
struct Part<'a> {
    run: &'a Compared<'a>,
    /// How many runs it stands for: one for each that did not, and for one that did as many as its kind has that did not.
    weight: f64,
    /// By how much its outcome exceeds what its kind comes to when it does what is compared.
    gap: f64,
    /// Whether its narrowest kind has runs that did.
    comparable: bool,
}

impl<'a> Part<'a> {
    fn of(run: &'a Compared<'a>, kinds: &HashMap<Key<'_>, Kind>) -> Self {
        let (rate, chance) = guess(kinds, run);
        let narrowest = keys(run.sketch).last().and_then(|key| kinds.get(key)).copied().unwrap_or_default();
        Self {
            run,
            weight: if run.heeds { (1.0 - chance) / chance } else { 1.0 },
            gap: f64::from(u8::from(run.success)) - rate,
            comparable: narrowest.heeding > 0.0,
        }
    }
}

/// How far the sum of some errors is off. Attempts at one task are alike: they are added up before they are squared.
fn deviation(parts: &[Part<'_>], error: impl Fn(&Part<'_>) -> f64) -> f64 {
    let mut tasks: BTreeMap<&str, f64> = BTreeMap::new();
    for part in parts {
        let Sketch { task, trace, .. } = part.run.sketch;
        *tasks.entry(task.as_ref().map_or(trace.as_str(), Symbol::as_str)).or_default() += error(part);
    }
    let several = tasks.len() as f64;
    (tasks.values().map(|error| error * error).sum::<f64>() * several / (several - 1.0).max(1.0)).sqrt()
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
