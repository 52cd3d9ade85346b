//! What reported confidences turned out to be worth: a curve that never falls, from what was reported to what came true.
//!
//! The curve is the monotone fit of outcomes on reports by pooling neighbours that are out of order. It leaves reports
//! as they are until there is evidence: at least [`EVIDENCE`] finished runs that reported under that name, some of which
//! succeeded and some of which did not. Then each pool holds at least [`EVIDENCE`] runs and a fifth of all, and counts
//! [`TRUST`] more that ended exactly as often well as they said. So twenty runs move a report two thirds of the way to
//! what was seen, and three hundred alike nearly all of it. Beyond the lowest and highest pool a point more of
//! reported confidence is worth a point, or less where the curve would leave 0 to 1.
//!
//! It is right as long as whoever reports goes on reporting as before. Another model or prompt behind a name breaks
//! that, and so does a gate that acts on the curve: plans it holds back have no outcome to learn from.

use domain::forecast::Hindsight;
use domain::score::Score;
use serde::Serialize;

use crate::window::reports;

/// So many finished runs under a name, of both outcomes, are evidence. Fewer change nothing.
pub const EVIDENCE: usize = 20;
/// How many runs that came out exactly as reported each pool is mixed with.
pub const TRUST: f64 = 10.0;
/// How many bins the calibration error has at most.
const BINS: usize = 10;

/// What reports under one name are worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    name: String,
    knots: Vec<(f64, f64)>,
    runs: usize,
    reported: f64,
    succeeded: usize,
}

/// The curve of one name: `thought`, `plan`, `verification`, `critique`, `overall`, `quality`.
pub fn calibrate(history: &[Hindsight], name: &str) -> Curve {
    let mut known = reports(history, name);
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all = known.iter().copied().map(Pool::of).fold(Pool::default(), Pool::join);
    let succeeded = all.good as usize;
    let evident = known.len() >= EVIDENCE && succeeded > 0 && succeeded < known.len();
    let knots = if evident { fit(&known) } else { Vec::new() };
    Curve { name: name.into(), knots, runs: known.len(), reported: all.mean(), succeeded }
}

impl Curve {
    /// What a report is worth; the same until there is evidence.
    pub fn apply(&self, reported: Score) -> Score {
        let x = reported.get();
        let after = self.knots.partition_point(|knot| knot.0 < x);
        let before = after.checked_sub(1).and_then(|before| self.knots.get(before));
        let worth = match (before, self.knots.get(after)) {
            (Some((x0, y0)), Some((x1, y1))) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
            (Some((x0, y0)), None) => y0 + (x - x0) * ((1.0 - y0) / (1.0 - x0)).min(1.0),
            (None, Some((x1, y1))) if *x1 > x => y1 - (x1 - x) * (y1 / x1).min(1.0),
            (None, Some((_, y1))) => *y1,
            (None, None) => x,
        };
        Score::nearest(worth)
    }

    /// How many finished runs it rests on; 0 while it changes nothing.
    pub fn evidence(&self) -> u32 {
        if self.knots.is_empty() { 0 } else { self.runs as u32 }
    }

    /// What it rests on, in a sentence.
    pub fn explanation(&self) -> String {
        let Self { name, runs, succeeded, .. } = self;
        if !self.knots.is_empty() {
            return format!(
                "over {runs} finished runs `{name}` was reported as {:.2} on average, and {:.2} of them succeeded",
                self.reported,
                *succeeded as f64 / *runs as f64
            );
        }
        let why = match (*runs, *succeeded) {
            (runs, _) if runs < EVIDENCE => format!("{runs} of {EVIDENCE} finished runs that it takes are known"),
            (runs, 0) => format!("none of {runs} finished runs succeeded, so they cannot be told apart"),
            (runs, _) => format!("all {runs} finished runs succeeded, so they cannot be told apart"),
        };
        format!("`{name}` is taken as reported: {why}")
    }
}

/// How far reports and outcomes are apart on average, over up to ten bins of about equally many runs; equal reports
/// share a bin. The bins are those of the reports with and without a curve, so that both can be compared. Nothing where
/// no run reported under that name. A few dozen runs are off by some hundredths by chance alone.
pub fn calibration_error(history: &[Hindsight], name: &str, curve: Option<&Curve>) -> Option<f64> {
    let mut known = reports(history, name);
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let said = |reported: f64| curve.map_or(reported, |curve| curve.apply(Score::nearest(reported)).get());
    let bins = (known.len() / EVIDENCE).clamp(1, BINS);
    let apart = |bin: &[(f64, bool)]| {
        bin.iter().map(|(reported, good)| said(*reported) - f64::from(u8::from(*good))).sum::<f64>().abs()
    };
    let total: f64 = grouped(&known, known.len().div_ceil(bins)).into_iter().map(apart).sum();
    (!known.is_empty()).then(|| total / known.len() as f64)
}

/// Neighbours in groups of at least so many, equal reports together; what is left over joins the last group.
fn grouped(sorted: &[(f64, bool)], smallest: usize) -> Vec<&[(f64, bool)]> {
    let mut groups = Vec::new();
    let (mut from, mut to) = (0, 0);
    for alike in sorted.chunk_by(|a, b| a.0 == b.0) {
        to += alike.len();
        if to - from >= smallest {
            groups.push(from..to);
            from = to;
        }
    }
    match groups.last_mut() {
        Some(last) => last.end = to,
        None => groups.push(0..to),
    }
    groups.into_iter().map(|group| &sorted[group]).collect()
}

fn fit(sorted: &[(f64, bool)]) -> Vec<(f64, f64)> {
    let groups = grouped(sorted, EVIDENCE.max(sorted.len() / 5));
    let seen =
        pooled(groups.into_iter().map(|group| group.iter().copied().map(Pool::of).fold(Pool::default(), Pool::join)));
    // Small pools are pulled harder towards what they said, which can put neighbours out of order again.
    let mixed = pooled(seen.into_iter().map(Pool::trusted));
    mixed.iter().map(|pool| (pool.mean(), pool.rate())).collect()
}

/// Joins neighbours until none succeeds more rarely than the one before it.
fn pooled(groups: impl Iterator<Item = Pool>) -> Vec<Pool> {
    let mut pools: Vec<Pool> = Vec::new();
    for mut last in groups {
        while let Some(before) = pools.pop_if(|before| before.rate() >= last.rate()) {
            last = before.join(last);
        }
        pools.push(last);
    }
    pools
}

#[derive(Debug, Clone, Copy, Default)]
struct Pool {
    runs: f64,
    reported: f64,
    good: f64,
}

impl Pool {
    fn of((reported, good): (f64, bool)) -> Self {
        Pool { runs: 1.0, reported, good: f64::from(u8::from(good)) }
    }

    fn join(self, other: Pool) -> Self {
        Pool { runs: self.runs + other.runs, reported: self.reported + other.reported, good: self.good + other.good }
    }

    fn trusted(self) -> Self {
        let said = self.mean();
        Pool { runs: self.runs + TRUST, reported: self.reported + TRUST * said, good: self.good + TRUST * said }
    }

    fn mean(&self) -> f64 {
        if self.runs > 0.0 { self.reported / self.runs } else { 0.0 }
    }

    fn rate(&self) -> f64 {
        if self.runs > 0.0 { self.good / self.runs } else { 0.0 }
    }
}
