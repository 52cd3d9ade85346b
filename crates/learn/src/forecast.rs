//! What the next run will probably take and bring: what its plan lets one expect, times how far such expectations were off.
//!
//! **Cost and time.** For each finished run that had a forecast, what it took is set against the middle of that
//! forecast. The range is the new expectation times the tenth from below and the tenth from above of these ratios, counted
//! as split conformal prediction does: with n ratios the ⌊(n+1)/10⌋-th smallest and the ⌊(n+1)/10⌋-th largest. If the next run
//! is exchangeable with the n, it ends within that range at least eight times in ten, whatever the ratios look like.
//! Below [`ENOUGH`] ratios [`USD_PRIOR`] and [`SECONDS_PRIOR`] stand in, which are a guess and promise nothing.
//!
//! The middle is the expectation itself and never corrected, because later forecasts are measured against it: a middle
//! that followed the ratios would shift them. So the range always reaches to the expectation, and where
//! expectations are wrong on one side it holds more runs than it says (up to nine in ten).
//!
//! **Success.** The middle is the calibrated confidence. Around it lies Wilson's interval for the chance, over finished runs
//! whose chance was foreseen within [`ALIKE`] of it, mixed with [`SURE`] runs that came out as foreseen. It says where
//! the chance lies, not how the run ends.
//!
//! What breaks it: other prices, models or a changed way of expecting (ratios of another kind), runs forecast at another
//! point of their life (more of the total is spent, so ratios lie closer to 1), and many runs at a time, which are
//! foreseen before those beside them have ended.

use domain::forecast::{Forecast, Hindsight, Range};
use domain::score::Score;

use crate::interval::{EIGHTY, wilson};
use crate::window::newest;

/// How often runs are meant to end within the ranges of cost and time.
pub const LEVEL: f64 = 0.8;
/// So many ratios are enough to take ranges from; nine is the least for which the level can be promised.
pub const ENOUGH: usize = 10;
/// How much of the expected cost is taken to be possible before there are enough runs.
pub const USD_PRIOR: (f64, f64) = (0.3, 3.0);
/// The same of the expected time, which hangs on how busy others are.
pub const SECONDS_PRIOR: (f64, f64) = (0.3, 4.0);
/// Chances no farther apart than this are about the same.
pub const ALIKE: f64 = 0.1;
/// How many runs that came out as foreseen the calibrated confidence is worth.
pub const SURE: f64 = 4.0;
/// What is beyond this is no amount of dollars or seconds, nor a ratio of them.
const MOST: f64 = 1e12;

/// What the plan alone lets one expect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// Dollars still to come.
    pub usd: f64,
    /// Seconds of work still to come.
    pub seconds: f64,
    /// Dollars gone already.
    pub spent_usd: f64,
    /// Seconds of work gone already.
    pub spent_seconds: f64,
    /// How sure the chain is, calibrated.
    pub confidence: Score,
}

/// What is to be expected of a plan, after what became of those before it.
pub fn forecast(history: &[Hindsight], shape: &Shape) -> Forecast {
    let cost = Ratios::of(history, USD_PRIOR, |run, foreseen| Some((run.spent.usage.cost.as_dollars(), foreseen.usd)));
    let time = Ratios::of(history, SECONDS_PRIOR, |run, foreseen| Some((run.seconds?, foreseen.seconds)));
    let alike = Alike::of(history, shape.confidence);
    let usd = cost.around(shape.spent_usd, shape.usd);
    let seconds = time.around(shape.spent_seconds, shape.seconds);
    let basis = cost.runs.max(time.runs).max(alike.runs);
    let explanation = [
        match basis {
            0 => "no finished runs to go by".into(),
            1 => "1 finished run".into(),
            runs => format!("{runs} finished runs"),
        },
        cost.explained("cost", &usd),
        time.explained("time", &seconds),
        alike.explained(),
    ]
    .join("; ");
    let success = alike.around(shape.confidence);
    Forecast { usd, seconds, success, level: Score::nearest(LEVEL), basis, explanation }
}

/// How many times what was expected runs took; a guess where `runs` is 0.
struct Ratios {
    low: f64,
    high: f64,
    runs: u32,
}

impl Ratios {
    /// Runs of which nothing was expected have no ratio and do not count.
    fn of(
        history: &[Hindsight],
        prior: (f64, f64),
        took: impl Fn(&Hindsight, &Forecast) -> Option<(f64, Range)>,
    ) -> Self {
        let mut known = newest(history, |run| {
            let (took, expected) = took(run, run.forecast.as_ref()?)?;
            let ratio = took / expected.middle;
            (took >= 0.0 && expected.middle > 0.0 && ratio.is_finite()).then_some(ratio.min(MOST))
        });
        if known.len() < ENOUGH {
            return Self { low: prior.0, high: prior.1, runs: 0 };
        }
        known.sort_by(f64::total_cmp);
        let outside = (known.len() + 1) / 10;
        Self { low: known[outside - 1], high: known[known.len() - outside], runs: known.len() as u32 }
    }

    fn around(&self, spent: f64, to_come: f64) -> Range {
        let spent = amount(spent);
        let middle = amount(spent + amount(to_come));
        let low = (middle * self.low).max(spent).min(middle);
        Range { low, middle, high: amount(middle * self.high).max(middle) }
    }

    fn explained(&self, what: &str, range: &Range) -> String {
        let Self { low, high, .. } = self;
        match self.runs {
            _ if range.middle == 0.0 => format!("no {what} is expected"),
            0 => format!("{what} is guessed to be {low:.1} to {high:.1} times what is expected"),
            _ => format!("{what} was {low:.1} to {high:.1} times what was expected"),
        }
    }
}

/// Runs whose chance was foreseen as about the same.
struct Alike {
    runs: u32,
    succeeded: u32,
}

impl Alike {
    fn of(history: &[Hindsight], confidence: Score) -> Self {
        let known = newest(history, |run| {
            let foreseen = run.forecast.as_ref()?.success.middle;
            ((foreseen - confidence.get()).abs() <= ALIKE).then_some(run.succeeded)
        });
        Self { runs: known.len() as u32, succeeded: known.iter().filter(|succeeded| **succeeded).count() as u32 }
    }

    fn around(&self, confidence: Score) -> Range {
        let middle = confidence.get();
        let (low, high) = wilson(f64::from(self.succeeded) + SURE * middle, f64::from(self.runs) + SURE, EIGHTY);
        Range { low: low.min(middle), middle, high: high.max(middle) }
    }

    fn explained(&self) -> String {
        match self.runs {
            0 => "success is as sure as the plan, as far as is known".into(),
            runs => format!("{} of {runs} about as sure succeeded", self.succeeded),
        }
    }
}

/// The nearest amount that makes sense.
fn amount(number: f64) -> f64 {
    if number.is_nan() { 0.0 } else { number.clamp(0.0, MOST) }
}
