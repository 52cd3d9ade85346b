//! What is expected of a plan before it is carried out, and what became of such expectations.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::budget::Spent;
use crate::id::RunId;
use crate::score::Score;

/// What a run will probably take and bring.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Forecast {
    /// Dollars for models, what is spent already included.
    pub usd: Range,
    /// Seconds of work, those gone by included; waiting for people does not count.
    pub seconds: Range,
    /// The chance that it ends with an answer.
    pub success: Range,
    /// How often runs are meant to end within such ranges.
    pub level: Score,
    /// How many finished runs it rests on.
    pub basis: u32,
    /// What it rests on, in a sentence.
    pub explanation: String,
}

/// From the low end to the high end, and the middle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Range {
    /// The low end.
    pub low: f64,
    /// The most likely.
    pub middle: f64,
    /// The high end.
    pub high: f64,
}

impl Range {
    /// Whether a value lies in it.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// A planned run that has ended, beside what was expected of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hindsight {
    /// Which run.
    pub run: RunId,
    /// When it was accepted.
    pub at: Timestamp,
    /// Whether it ended with an answer; what a person said about it counts more.
    pub succeeded: bool,
    /// What was reported before it was carried out, by the names of [`Confidence::scores`](crate::confidence::Confidence);
    /// `overall` for all of them together, `first` for the same of the first plan, and `quality`.
    pub reported: BTreeMap<String, Score>,
    /// What was expected.
    pub forecast: Option<Forecast>,
    /// What it used altogether.
    pub spent: Spent,
    /// Seconds of work.
    pub seconds: Option<f64>,
}
