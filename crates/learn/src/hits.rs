//! How often runs ended within what was foreseen of them, and whether that is as often as was said.
//!
//! The intervals take runs as independent. Runs that fail together, when a provider is down, say less than they count.

use domain::forecast::{Forecast, Hindsight, Range};
use schemars::JsonSchema;
use serde::Serialize;

use crate::interval::{NINETY_FIVE, wilson};
use crate::window::newest;

/// What became of forecasts, of the newest [`WINDOW`](crate::WINDOW) runs that had one.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Hits {
    /// How many finished runs had a forecast.
    pub runs: u32,
    /// Whether they cost what was foreseen. Runs that were foreseen to be free and were do not count.
    pub usd: Rate,
    /// Whether they took as long. Runs whose time is not known do not count.
    pub seconds: Rate,
    /// Whether as many succeeded as was foreseen.
    pub success: Chances,
}

/// How often runs ended within their range.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Rate {
    /// So many did.
    pub within: u32,
    /// Of so many.
    pub of: u32,
    /// The share, where any were counted.
    pub share: Option<f64>,
    /// The share they tend to lies from here, 95 times in 100,
    pub low: f64,
    /// to here.
    pub high: f64,
    /// The share that was promised, where any were counted.
    pub level: Option<f64>,
    /// What that says of the ranges.
    pub fit: Fit,
}

/// What a share of hits says of the ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fit {
    /// Nothing yet: no run was counted.
    Unknown,
    /// Fewer hits than promised, by more than chance.
    TooNarrow,
    /// As many as promised, as far as can be told.
    Fits,
    /// More than promised, by more than chance: the ranges could be narrower.
    TooWide,
}

/// What became of foreseen chances.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Chances {
    /// How many runs were counted.
    pub of: u32,
    /// The chance that was foreseen, on average.
    pub foreseen: Option<f64>,
    /// The share that succeeded.
    pub succeeded: Option<f64>,
    /// The share they tend to lies from here, 95 times in 100,
    pub low: f64,
    /// to here.
    pub high: f64,
    /// The mean squared distance between chance and outcome: 0 is perfect, always saying a half gets 0.25.
    pub brier: Option<f64>,
    /// What one gets by always saying the share that succeeded. Who is not below it tells no run from another.
    pub brier_of_share: Option<f64>,
}

/// Compares what was foreseen of finished runs with what became of them.
pub fn hits(history: &[Hindsight]) -> Hits {
    let foreseen = newest(history, |run| run.forecast.as_ref().map(|forecast| (run, forecast)));
    let rate_of = |took: fn(&Hindsight) -> Option<f64>, range: fn(&Forecast) -> Range| {
        let counted = foreseen.iter().filter_map(|(run, forecast)| {
            let (took, range) = (took(run)?, range(forecast));
            let free = took == 0.0 && range.high == 0.0;
            (took.is_finite() && !free).then(|| (range.holds(took), forecast.level.get()))
        });
        rate(counted.collect())
    };
    Hits {
        runs: foreseen.len() as u32,
        usd: rate_of(|run| Some(run.spent.usage.cost.as_dollars()), |forecast| forecast.usd),
        seconds: rate_of(|run| run.seconds, |forecast| forecast.seconds),
        success: chances(
            foreseen
                .iter()
                .map(|(run, forecast)| (forecast.success.middle, run.succeeded))
                .filter(|(chance, _)| (0.0..=1.0).contains(chance))
                .collect(),
        ),
    }
}

fn rate(counted: Vec<(bool, f64)>) -> Rate {
    let within = counted.iter().filter(|(within, _)| *within).count();
    let (low, high) = wilson(within as f64, counted.len() as f64, NINETY_FIVE);
    let level = mean(counted.iter().map(|(_, level)| *level));
    let fit = match level {
        None => Fit::Unknown,
        Some(level) if high < level => Fit::TooNarrow,
        Some(level) if low > level => Fit::TooWide,
        Some(_) => Fit::Fits,
    };
    let share = mean(counted.iter().map(|(within, _)| f64::from(u8::from(*within))));
    Rate { within: within as u32, of: counted.len() as u32, share, low, high, level, fit }
}

fn chances(counted: Vec<(f64, bool)>) -> Chances {
    let outcomes = || counted.iter().map(|(_, succeeded)| f64::from(u8::from(*succeeded)));
    let succeeded = mean(outcomes());
    let (low, high) = wilson(outcomes().sum(), counted.len() as f64, NINETY_FIVE);
    let foreseen = || counted.iter().map(|(chance, _)| *chance);
    Chances {
        of: counted.len() as u32,
        foreseen: mean(foreseen()),
        succeeded,
        low,
        high,
        brier: mean(foreseen().zip(outcomes()).map(|(chance, outcome)| (chance - outcome).powi(2))),
        brier_of_share: succeeded.map(|share| share * (1.0 - share)),
    }
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = numbers.len();
    (count > 0).then(|| numbers.sum::<f64>() / count as f64)
}
