//! Money in whole millionths of a dollar, so that sums are exact.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An amount in US dollars; serialised as a number of dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "f64")]
pub struct Usd(u64);

impl Usd {
    /// Nothing.
    pub const ZERO: Usd = Usd(0);

    /// An amount in millionths of a dollar.
    pub const fn micros(micros: u64) -> Self {
        Self(micros)
    }

    /// The amount in millionths of a dollar.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// An amount in dollars; negative and absurd amounts become nothing.
    pub fn dollars(dollars: f64) -> Self {
        if dollars.is_finite() && dollars > 0.0 { Self((dollars * 1e6).round() as u64) } else { Self(0) }
    }

    /// The amount in dollars.
    pub fn as_dollars(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// What is left after taking something away, never less than nothing.
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl std::ops::Add for Usd {
    type Output = Usd;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::AddAssign for Usd {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl fmt::Display for Usd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${:.4}", self.as_dollars())
    }
}

impl Serialize for Usd {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_dollars())
    }
}

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Usd::dollars)
    }
}

/// What a provider charges for a million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// For a million tokens read, in dollars.
    pub input: f64,
    /// For a million tokens written, in dollars.
    pub output: f64,
}

impl Price {
    /// What so many tokens cost, rounded up to a millionth of a dollar.
    pub fn of(&self, input_tokens: u64, output_tokens: u64) -> Usd {
        // A dollar per million tokens is a millionth of a dollar per token.
        let micros = self.input.max(0.0) * input_tokens as f64 + self.output.max(0.0) * output_tokens as f64;
        Usd::micros(micros.ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_per_million_tokens_and_round_up() {
        let price = Price { input: 2.5, output: 10.0 };
        assert_eq!(price.of(1_000_000, 0), Usd::dollars(2.5));
        assert_eq!(price.of(1, 1), Usd::micros(13));
    }

    #[test]
    fn an_amount_survives_being_written_and_read() {
        let amount = Usd::micros(1_234_567);
        let json = serde_json::to_string(&amount).expect("json");
        assert_eq!((json.as_str(), serde_json::from_str::<Usd>(&json).expect("usd")), ("1.234567", amount));
    }
}
