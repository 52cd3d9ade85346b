//! Values that are in range because they exist: reading one checks it, and the error carries its key.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// A whole number from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Within<const MIN: u64, const MAX: u64>(u64);

impl<const MIN: u64, const MAX: u64> Within<MIN, MAX> {
    /// The number, brought into range if it is not: for defaults and tests.
    pub const fn clamped(number: u64) -> Self {
        Self(if number < MIN {
            MIN
        } else if number > MAX {
            MAX
        } else {
            number
        })
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Within<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = i64::deserialize(deserializer)?;
        match u64::try_from(number) {
            Ok(found) if (MIN..=MAX).contains(&found) => Ok(Self(found)),
            _ if MAX == COUNT_MAX => Err(D::Error::custom(format!("{number} is less than {MIN}"))),
            _ => Err(D::Error::custom(format!("{number} is not from {MIN} to {MAX}"))),
        }
    }
}

/// As large as a number in a TOML file can be.
pub(super) const COUNT_MAX: u64 = i64::MAX as u64;

/// A whole number, at least 1.
pub type Count = Within<1, COUNT_MAX>;

/// A number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
pub struct Fraction(f64);

impl Fraction {
    /// The number, brought into range if it is not.
    pub const fn clamped(number: f64) -> Self {
        Self(number.clamp(0.0, 1.0))
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number_within(deserializer, 0.0, 1.0).map(Self)
    }
}

/// How freely a model chooses words: from 0 to 2.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
pub struct Temperature(f64);

impl Temperature {
    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Temperature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number_within(deserializer, 0.0, 2.0).map(Self)
    }
}

/// An amount of money that is not negative.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
pub struct Dollars(f64);

impl Dollars {
    /// The amount, nothing if it is negative.
    pub const fn at_least_zero(amount: f64) -> Self {
        Self(amount.max(0.0))
    }

    /// The amount.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Dollars {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number_within(deserializer, 0.0, 1_000_000.0).map(Self)
    }
}

impl FromStr for Dollars {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let amount: f64 = text.parse().map_err(|_| format!("`{text}` is not an amount in dollars; write `0.25`"))?;
        match amount {
            0.0..=1_000_000.0 => Ok(Self(amount)),
            _ => Err(format!("{text} is not from 0 to 1000000")),
        }
    }
}

fn number_within<'de, D: Deserializer<'de>>(deserializer: D, min: f64, max: f64) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    // Not a number is in no range.
    if (min..=max).contains(&number) {
        Ok(number)
    } else {
        Err(D::Error::custom(format!("{number} is not from {min} to {max}")))
    }
}

/// A model of a provider, written `provider:model` or `provider/model`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModelName {
    provider: String,
    model: String,
}

impl ModelName {
    /// Who is asked.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// What the provider calls the model.
    pub fn model(&self) -> &str {
        &self.model
    }
}

impl FromStr for ModelName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_word =
            |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
        // Models have names with colons and slashes of their own: `ollama:qwen3:4b`.
        let is_model = |model: &str| !model.trim().is_empty() && !model.contains(char::is_control);
        match text.trim().split_once([':', '/']) {
            Some((provider, model)) if is_word(provider) && is_model(model) => {
                Ok(Self { provider: provider.to_ascii_lowercase(), model: model.to_owned() })
            }
            _ => Err(format!("`{text}` is not a model; write `provider:model`")),
        }
    }
}

impl TryFrom<String> for ModelName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<ModelName> for String {
    fn from(name: ModelName) -> String {
        name.to_string()
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider, self.model)
    }
}

/// A stretch of time longer than none, written `60s`, `500ms`, `2m` or `1d`; a day has 24 hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Period(Duration);

impl Period {
    /// So many seconds, at least one.
    pub const fn seconds(seconds: u64) -> Self {
        Self(Duration::from_secs(if seconds == 0 { 1 } else { seconds }))
    }

    /// The time.
    pub const fn get(self) -> Duration {
        self.0
    }
}

impl FromStr for Period {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let days = text.strip_suffix('d').and_then(|days| days.parse::<u32>().ok());
        let days = days.map(|days| Ok(jiff::SignedDuration::from_hours(24 * i64::from(days))));
        let duration = days
            .unwrap_or_else(|| text.parse())
            .map_err(|_| format!("`{text}` is not a duration; write `60s`, `500ms` or `2m`"))?;
        match Duration::try_from(duration) {
            Ok(duration) if !duration.is_zero() => Ok(Self(duration)),
            _ => Err(format!("`{text}` is not longer than nothing")),
        }
    }
}

impl TryFrom<String> for Period {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Period> for String {
    fn from(period: Period) -> String {
        period.to_string()
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::SignedDuration::try_from(self.0) {
            Ok(duration) => f.write_str(&format!("{duration:#}").replace(' ', "")),
            Err(_) => write!(f, "{}s", self.0.as_secs()),
        }
    }
}

/// Something that must not be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Hides a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_named_by_provider_and_model() {
        for (text, provider, model) in [
            ("ollama:qwen3:4b", "ollama", "qwen3:4b"),
            ("openrouter/some/model", "openrouter", "some/model"),
            ("OpenAI:gpt-x", "openai", "gpt-x"),
        ] {
            let name: ModelName = text.parse().expect("valid");
            assert_eq!((name.provider(), name.model()), (provider, model));
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        for wrong in ["", "gpt-x", ":x", "openai:", "open ai:x", "openai:a\nb"] {
            assert!(wrong.parse::<ModelName>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_period_is_written_with_its_unit() {
        for (text, millis, again) in [
            ("60s", 60_000, "1m"),
            ("500ms", 500, "500ms"),
            ("2m", 120_000, "2m"),
            ("1h 30m", 5_400_000, "1h30m"),
            ("2d", 172_800_000, "48h"),
        ] {
            let period: Period = text.parse().expect("valid");
            assert_eq!((period.get(), period.to_string().as_str()), (Duration::from_millis(millis), again));
            assert_eq!(period.to_string().parse(), Ok(period));
        }
        for wrong in ["", "60", "-1s", "0s", "0d", "-1d", "soon"] {
            assert!(wrong.parse::<Period>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_secret_is_not_shown_by_accident() {
        assert_eq!(format!("{:?}", Secret::new("sk-1")), "***");
    }
}
