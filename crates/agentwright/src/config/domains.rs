//! The sections that say where the tools of a domain find what they deal with.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::values::{Fraction, Within};

/// `[fast_path]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FastPath {
    /// Whether obvious requests are answered without a plan.
    pub enabled: bool,
    /// From this confidence on they are.
    pub accept: Fraction,
    /// Below this one they are only where a sentence fits to the last word and nothing is changed by it.
    pub plan_below: Fraction,
    /// The wrong fast answers that are tolerated.
    pub alpha: Fraction,
    /// The chance that there are more of them.
    pub delta: Fraction,
    /// Whether outcomes change what is sure enough.
    pub adapt: bool,
    /// What is wanted for single roles: `fast` or `plan`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub prefer: BTreeMap<String, Prefer>,
    /// The same for single people.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub people: BTreeMap<String, BTreeMap<String, Prefer>>,
}

impl Default for FastPath {
    fn default() -> Self {
        Self {
            enabled: true,
            accept: Fraction::clamped(0.95),
            plan_below: Fraction::clamped(0.7),
            alpha: Fraction::clamped(0.01),
            delta: Fraction::clamped(0.05),
            adapt: true,
            prefer: BTreeMap::new(),
            people: BTreeMap::new(),
        }
    }
}

/// How somebody wants a role's requests dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Prefer {
    /// At once.
    Fast,
    /// With a plan.
    Plan,
}

/// `[roles]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Roles {
    /// Folders of role files; `roles/` next to `agentwright.toml` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<PathBuf>>,
}

/// `[weather]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weather {
    /// The place that is meant when none is named; `person.place` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// `metric` or `imperial`.
    pub units: Units,
    /// Where forecasts are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast_url: Option<String>,
    /// Where places are looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geocoding_url: Option<String>,
}

/// In what temperatures, lengths and speeds are told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// Degrees Celsius, millimetres, kilometres an hour.
    #[default]
    Metric,
    /// Degrees Fahrenheit, inches, miles an hour.
    Imperial,
}

/// `[smart_home]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SmartHome {
    /// A Home Assistant; without one or a broker the house is a virtual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home_assistant: Option<HomeAssistant>,
    /// An MQTT broker whose devices announce themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mqtt: Option<Mqtt>,
}

/// `[smart_home.home_assistant]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HomeAssistant {
    /// Where it is, for example `http://homeassistant.local:8123`.
    pub url: String,
    /// The variable that holds the access token; `HOME_ASSISTANT_TOKEN` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_env: Option<String>,
}

/// `[smart_home.mqtt]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mqtt {
    /// The broker.
    pub host: String,
    /// Its port; 1883 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<Within<1, 65535>>,
    /// Who we are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The variable that holds the password; `MQTT_PASSWORD` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_env: Option<String>,
    /// Where devices announce themselves; `homeassistant` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
}

/// `[calendar]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Calendar {
    /// A CalDAV server to keep in step with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caldav: Option<CalDav>,
}

/// `[calendar.caldav]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalDav {
    /// The server, or one calendar on it.
    pub url: String,
    /// Who we are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The variable that holds the password; `CALDAV_PASSWORD` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_env: Option<String>,
}

/// `[search]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Search {
    /// Folders whose files can be found; `notes/` next to `agentwright.toml` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folders: Option<Vec<PathBuf>>,
    /// Names such as `drafts` or `*.log` that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// A SearXNG instance that searches the web.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searxng: Option<String>,
    /// The variable that holds a key for Brave's web search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brave_key_env: Option<String>,
}
