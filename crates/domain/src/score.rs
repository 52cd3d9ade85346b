//! How good or how sure something is, from 0 to 1.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A number from 0 to 1. Zero is a score like any other: the worst one.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Score(f64);

/// Why a number is not a score.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("`{0}` is not a score: it must be from 0 to 1")]
pub struct BadScore(pub f64);

impl Score {
    /// The worst.
    pub const ZERO: Score = Score(0.0);
    /// The best.
    pub const ONE: Score = Score(1.0);

    /// The nearest score to a number; what is not a number is the worst.
    pub fn nearest(number: f64) -> Self {
        if number.is_nan() { Self::ZERO } else { Self(number.clamp(0.0, 1.0)) }
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Score {
    type Error = BadScore;

    fn try_from(number: f64) -> Result<Self, BadScore> {
        if (0.0..=1.0).contains(&number) { Ok(Self(number)) } else { Err(BadScore(number)) }
    }
}

impl From<Score> for f64 {
    fn from(score: Score) -> f64 {
        score.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", self.0)
    }
}

impl JsonSchema for Score {
    fn schema_name() -> Cow<'static, str> {
        "Score".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_a_score_and_what_lies_outside_is_none() {
        let read = |text: &str| serde_json::from_str::<Score>(text).map_err(|error| error.to_string());
        assert_eq!(read("0"), Ok(Score::ZERO));
        assert_eq!(read("0.45").map(Score::get), Ok(0.45));
        assert_eq!(read("1.7"), Err("`1.7` is not a score: it must be from 0 to 1".into()));
        assert!(read("\"high\"").is_err());
        assert!(Score::try_from(f64::NAN).is_err());
        assert_eq!(Score::nearest(f64::NAN), Score::ZERO);
    }
}
