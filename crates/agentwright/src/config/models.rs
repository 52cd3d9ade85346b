//! Which models there are, what they cost, and which component uses which.

use std::collections::BTreeMap;

use domain::chat::Tier;
use domain::money::Price;
use serde::{Deserialize, Serialize};

use super::values::{Dollars, ModelName, Period, Temperature, Within};

/// The parts of the runtime that ask models, by the names they have in `[components]`.
pub const COMPONENTS: [&str; 14] = [
    "router",
    "complexity",
    "thinker",
    "planner",
    "replanner",
    "critic",
    "scorer",
    "meta_agent",
    "prompt_creator",
    "agent",
    "answer",
    "reflect",
    "distiller",
    "direct",
];

/// `[models]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Models {
    /// Small and quick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weak: Option<ModelName>,
    /// What most work is done with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<ModelName>,
    /// The best there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strong: Option<ModelName>,
    /// What models cost, in dollars per million tokens.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub price: BTreeMap<ModelName, ModelPrice>,
    /// How patient we are with them.
    pub limits: Limits,
}

impl Models {
    /// The model of a tier; a tier without one borrows from its neighbours, the default first.
    pub fn of_tier(&self, tier: Tier) -> Option<&ModelName> {
        let (weak, default, strong) = (self.weak.as_ref(), self.default.as_ref(), self.strong.as_ref());
        match tier {
            Tier::Weak => weak.or(default).or(strong),
            Tier::Default => default.or(strong).or(weak),
            Tier::Strong => strong.or(default).or(weak),
        }
    }

    /// The models that are configured for a tier, each once.
    pub fn all(&self) -> Vec<&ModelName> {
        let mut all: Vec<&ModelName> = Vec::new();
        for model in [&self.default, &self.weak, &self.strong].into_iter().flatten() {
            if !all.contains(&model) {
                all.push(model);
            }
        }
        all
    }
}

/// `[models.price."provider:model"]`
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    /// For a million tokens read.
    pub input: Dollars,
    /// For a million tokens written.
    pub output: Dollars,
}

impl From<ModelPrice> for Price {
    fn from(price: ModelPrice) -> Price {
        Price { input: price.input.get(), output: price.output.get() }
    }
}

/// `[models.limits]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// How long one call may take.
    pub timeout: Period,
    /// How often a call is made before it has failed.
    pub attempts: Within<1, 10>,
    /// How many calls there are at once.
    pub concurrency: Within<1, 1000>,
    /// After how many failures in a row a provider is left alone.
    pub breaker_failures: Within<1, 1000>,
    /// For how long.
    pub breaker_pause: Period,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Period::seconds(60),
            attempts: Within::clamped(3),
            concurrency: Within::clamped(8),
            breaker_failures: Within::clamped(5),
            breaker_pause: Period::seconds(30),
        }
    }
}

/// `[providers.NAME]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Provider {
    /// Where it is, if not where everybody knows it to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The environment variable that holds the key. The key itself never stands in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
}

/// `[components.NAME]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Component {
    /// How able a model it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// A model of its own, instead of a tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelName>,
    /// How freely it chooses words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Temperature>,
    /// The longest answer that is paid for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<Within<1, 1_000_000>>,
    /// Whether it is used at all.
    pub enabled: bool,
}

impl Default for Component {
    fn default() -> Self {
        Self { tier: None, model: None, temperature: None, max_tokens: None, enabled: true }
    }
}
