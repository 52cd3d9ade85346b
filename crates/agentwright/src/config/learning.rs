//! How learning is done, and the variables that say so: `META_AGENT_CONFIG_FILE`, `META_AGENT_STATE_FILE` and
//! `META_AGENT_LOG_LEVEL`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Loaded;
use super::error::ConfigError;
use super::surroundings::Surroundings;
use super::values::{Count, Fraction, Period, Within};

/// `[learning]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Learning {
    /// Whether `serve` learns by itself.
    pub enabled: bool,
    /// How often finished runs are looked at.
    pub interval: Period,
    /// How many there must be.
    pub min_traces: Count,
    /// How sure a pattern must be.
    pub confidence: Fraction,
    /// Whether guidelines change without a person.
    pub auto_update: bool,
    /// Whether a model says lessons in better words.
    pub reword: bool,
    /// How much a lesson must help, in success rate.
    pub minimum_effect: Fraction,
    /// What share of what is promoted may be useless, on average.
    pub false_discoveries: Fraction,
    /// How many of those concerned get what is tried.
    pub share: Fraction,
    /// How many experiments may reach one kind of agent at once.
    pub at_once: Within<1, 20>,
    /// How many tokens learnt points may take of a prompt.
    pub tokens: Within<50, 1000>,
}

impl Default for Learning {
    fn default() -> Self {
        Self {
            enabled: true,
            interval: Period::seconds(3600),
            min_traces: Count::clamped(10),
            confidence: Fraction::clamped(0.7),
            auto_update: false,
            reword: false,
            minimum_effect: Fraction::clamped(0.02),
            false_discoveries: Fraction::clamped(0.05),
            share: Fraction::clamped(0.5),
            at_once: Within::clamped(2),
            tokens: Within::clamped(600),
        }
    }
}

impl Loaded {
    /// Where what was learnt is also written after each cycle, and read from where nothing was learnt yet.
    pub fn learning_state(&self) -> Option<PathBuf> {
        let named = self.surroundings().variable("META_AGENT_STATE_FILE")?;
        Some(self.surroundings().directory().join(named))
    }
}

impl Surroundings {
    /// How much is logged about learning, where that is said.
    pub fn learning_log(&self) -> Option<&'static str> {
        let level = self.variable("META_AGENT_LOG_LEVEL")?.to_ascii_lowercase();
        let levels = [("critical", "error"), ("error", "error"), ("warning", "warn"), ("warn", "warn")];
        let levels = levels.into_iter().chain([("info", "info"), ("debug", "debug"), ("trace", "trace")]);
        levels.into_iter().find(|(word, _)| *word == level).map(|(_, level)| level)
    }
}

/// What `META_AGENT_CONFIG_FILE` says: the keys of `[learning]`, as TOML or JSON, by themselves, under `learning`, or
/// under `config` as in an exported state.
pub(super) fn keys_in(file: &Path) -> Result<toml::Table, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable { file: file.to_owned(), source };
    let text = std::fs::read_to_string(file).map_err(unreadable)?;
    let table: toml::Table = match text.trim_start().starts_with('{') {
        true => serde_json::from_str(&text).map_err(|error| unreadable(error.into()))?,
        false => toml::from_str(&text)
            .map_err(|source| ConfigError::NotToml { file: file.to_owned(), source: source.into() })?,
    };
    let inner = ["learning", "config"].iter().find_map(|name| table.get(*name)?.as_table());
    Ok(inner.unwrap_or(&table).clone())
}
