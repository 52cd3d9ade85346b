//! From a line of configuration to a model that answers.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use domain::chat::ChatModel;
use domain::money::Price;

use crate::anthropic::Anthropic;
use crate::http::Http;
use crate::openai::OpenAi;
use crate::provider::{Key, Wire, provider};
use crate::replayed::{BadRecording, Replayed};
use crate::scripted::{BadScript, Scripted};
use crate::via_genai::ViaGenai;
use crate::wire::{Endpoint, Limits};

/// `provider:model` or `provider/model`; the first separator divides, so that models may contain both.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelName {
    provider: String,
    model: String,
}

impl ModelName {
    /// Whom to ask, in lower case.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// What the provider calls the model.
    pub fn model(&self) -> &str {
        &self.model
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider, self.model)
    }
}

/// Write both the provider and the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a model: write `provider:model`, as in `ollama:qwen3:4b`")]
pub struct BadModelName(pub String);

impl FromStr for ModelName {
    type Err = BadModelName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().split_once([':', '/']) {
            Some((provider, model)) if !provider.is_empty() && !model.is_empty() => {
                Ok(Self { provider: provider.to_ascii_lowercase(), model: model.to_owned() })
            }
            _ => Err(BadModelName(text.to_owned())),
        }
    }
}

/// A secret that does not show itself in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Surrounding white space, as pasting leaves it, is not part of a key.
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// Everything needed to ask one model.
#[derive(Debug, Clone)]
pub struct ModelConfig {
    /// Whom to ask for what.
    pub name: ModelName,
    /// Where, if not at the provider's own address: up to and including the version, as in `http://localhost:11434/v1`.
    pub base_url: Option<String>,
    /// With which right.
    pub api_key: Option<ApiKey>,
    /// The longest time from asking to the last byte of an answer.
    pub timeout: Duration,
    /// The longest silence within an answer that has begun.
    pub idle_timeout: Duration,
    /// What it charges.
    pub price: Price,
}

impl ModelConfig {
    /// A model at its provider's own address: free, without a key, two minutes for an answer, half a minute of silence.
    pub fn new(name: ModelName) -> Self {
        Self {
            name,
            base_url: None,
            api_key: None,
            timeout: Duration::from_secs(120),
            idle_timeout: Duration::from_secs(30),
            price: Price::default(),
        }
    }
}

/// Why a configured model cannot even be asked.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Set the provider's key.
    #[error("provider `{provider}` needs an API key")]
    NeedsKey {
        /// Who wants one.
        provider: String,
    },
    /// Set a base URL, or correct the provider's name.
    #[error("no address is known for provider `{provider}`: set its base URL")]
    NeedsUrl {
        /// Who was not found.
        provider: String,
    },
    /// Correct the base URL.
    #[error("`{url}` is not a URL that can be asked")]
    BadUrl {
        /// What was configured.
        url: String,
    },
    /// Correct the key: it has characters that no header may carry.
    #[error("the API key of `{provider}` contains characters that cannot be sent")]
    BadKey {
        /// Whose key it is.
        provider: String,
    },
    /// Correct the script.
    #[error("script cannot be played")]
    Script(#[source] BadScript),
    /// Correct the path, or record again.
    #[error("recording cannot be played")]
    Recording(#[source] BadRecording),
    /// Nothing: the system has no usable TLS certificates or proxy settings.
    #[error("HTTP client cannot be made")]
    Client(#[source] reqwest::Error),
    /// Nothing: the client crate refuses to be set up.
    #[error("model client cannot be made")]
    Genai(#[source] genai::Error),
}

/// The model of a configuration; nothing is asked yet.
///
/// `scripted:PATH` and `recorded:PATH` are models too: see [`Scripted`] and [`Replayed`].
pub fn connect(config: &ModelConfig, http: &Http) -> Result<Arc<dyn ChatModel>, ConnectError> {
    let path = Path::new(config.name.model());
    match config.name.provider() {
        "scripted" => return Ok(Arc::new(Scripted::from_path(path).map_err(ConnectError::Script)?)),
        "recorded" => return Ok(Arc::new(Replayed::from_path(path).map_err(ConnectError::Recording)?)),
        _ => {}
    }
    let known = provider(config.name.provider());
    let own_address = config.base_url.is_none();
    if own_address && known.key == Key::Required && config.api_key.is_none() {
        return Err(ConnectError::NeedsKey { provider: config.name.provider().to_owned() });
    }
    let base_url = config.base_url.as_deref().or(known.base_url);
    let needs_url = || ConnectError::NeedsUrl { provider: config.name.provider().to_owned() };
    Ok(match known.wire {
        Wire::OpenAi => Arc::new(OpenAi::new(endpoint(config, http, base_url.ok_or_else(needs_url)?)?)?),
        Wire::Anthropic => Arc::new(Anthropic::new(endpoint(config, http, base_url.ok_or_else(needs_url)?)?)?),
        Wire::Genai(kind) => Arc::new(ViaGenai::new(kind, config, http, base_url)?),
    })
}

fn endpoint(config: &ModelConfig, http: &Http, base_url: &str) -> Result<Endpoint, ConnectError> {
    Ok(Endpoint {
        name: config.name.to_string(),
        provider: config.name.provider().to_owned(),
        model: config.name.model().to_owned(),
        base_url: parse_url(base_url)?,
        key: config.api_key.clone(),
        limits: Limits { whole: config.timeout, silence: config.idle_timeout },
        price: config.price,
        http: http.0.clone(),
    })
}

/// An address that paths can be appended to.
pub(crate) fn parse_url(url: &str) -> Result<reqwest::Url, ConnectError> {
    let bad = || ConnectError::BadUrl { url: url.to_owned() };
    let parsed = reqwest::Url::parse(url.trim().trim_end_matches('/')).map_err(|_| bad())?;
    if matches!(parsed.scheme(), "http" | "https") && parsed.has_host() { Ok(parsed) } else { Err(bad()) }
}
