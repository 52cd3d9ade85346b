//! Models: connected and protected as configured, or silent ones that only have the names.

use std::sync::Arc;

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, ModelError, Reply, Tier};
use domain::money::Price;
use futures::stream::BoxStream;
use llm::{ApiKey, ConnectError, Guards, Http, ModelConfig, Retries, Trip};
use runtime::{Model, Models};

use crate::config::{Loaded, ModelName};
use crate::exit::Refusal;

/// The longest silence within an answer that has begun.
const SILENCE: std::time::Duration = std::time::Duration::from_secs(30);

/// Every model that is configured, ready to be asked.
pub(super) fn live(loaded: &Loaded) -> anyhow::Result<Models> {
    let limits = &loaded.config.models.limits;
    let guards = Guards::new(llm::Settings {
        retries: Retries { attempts: limits.attempts.get() as u32, ..Retries::default() },
        trip: Trip { failures: limits.breaker_failures.get() as u32, pause: limits.breaker_pause.get() },
        concurrency: limits.concurrency.get() as usize,
    });
    let http = Http::new()?;
    all(loaded, |name| {
        let connected = connect(loaded, name, &http).map_err(|error| refusal(loaded, name, error))?;
        Ok(guards.around(connected))
    })
}

/// The same names, but nobody answers: for going through a record.
pub(super) fn silent(loaded: &Loaded) -> Models {
    let silent = |name: &ModelName| Ok(Arc::new(Silent(name.to_string())) as Arc<dyn ChatModel>);
    all(loaded, silent).unwrap_or_default()
}

fn all(
    loaded: &Loaded,
    mut make: impl FnMut(&ModelName) -> anyhow::Result<Arc<dyn ChatModel>>,
) -> anyhow::Result<Models> {
    let mut models = Models::default();
    let configured = &loaded.config.models;
    let mut model = |name: &ModelName| -> anyhow::Result<Model> {
        if let Some(made) = models.named.get(&name.to_string()) {
            return Ok(Model::clone(made));
        }
        let made = Model { chat: make(name)?, price: price(loaded, name) };
        models.named.insert(name.to_string(), made.clone());
        Ok(made)
    };
    let mut tiers = Vec::new();
    let by_tier =
        [(Tier::Weak, &configured.weak), (Tier::Default, &configured.default), (Tier::Strong, &configured.strong)];
    for (tier, name) in by_tier {
        if let Some(name) = name {
            tiers.push((tier, model(name)?));
        }
    }
    for name in loaded.config.components.values().filter_map(|component| component.model.as_ref()) {
        model(name)?;
    }
    models.tiers = tiers.into_iter().collect();
    Ok(models)
}

fn price(loaded: &Loaded, name: &ModelName) -> Price {
    loaded.config.models.price.get(name).copied().map(Price::from).unwrap_or_default()
}

fn connect(loaded: &Loaded, name: &ModelName, http: &Http) -> Result<Arc<dyn ChatModel>, ConnectError> {
    let access = loaded.access(name.provider());
    let timeout = loaded.config.models.limits.timeout.get();
    let words = name.to_string();
    let needs_url = || ConnectError::NeedsUrl { provider: name.provider().to_owned() };
    let config = ModelConfig {
        base_url: access.base_url,
        api_key: access.key.map(|key| ApiKey::new(key.expose())),
        timeout,
        idle_timeout: timeout.min(SILENCE),
        price: price(loaded, name),
        ..ModelConfig::new(words.parse().map_err(|_| needs_url())?)
    };
    llm::connect(&config, http)
}

fn refusal(loaded: &Loaded, name: &ModelName, error: ConnectError) -> anyhow::Error {
    let provider = name.provider();
    let hint = match &error {
        ConnectError::NeedsKey { .. } => {
            let variable = loaded.access(provider).key_variable.unwrap_or_else(|| "a variable".to_owned());
            format!("set `{variable}`, or name another variable: `api_key_env` under `[providers.{provider}]`")
        }
        ConnectError::NeedsUrl { .. } => format!("say where it is: `base_url` under `[providers.{provider}]`"),
        ConnectError::BadUrl { .. } => format!("correct `base_url` under `[providers.{provider}]`"),
        ConnectError::BadKey { .. } => "look for quotes or line ends in the variable that holds the key".to_owned(),
        ConnectError::Script(_) | ConnectError::Recording(_) => "check the path after the colon".to_owned(),
        ConnectError::Client(_) | ConnectError::Genai(_) => {
            "check the proxy settings and the certificates of this machine".to_owned()
        }
    };
    Refusal::configuration(format!("{name} cannot be asked")).because(error).hint(hint).into()
}

/// A model that has a name and nothing to say.
struct Silent(String);

#[async_trait]
impl ChatModel for Silent {
    fn name(&self) -> &str {
        &self.0
    }

    async fn reply(&self, _ask: &Ask) -> Result<Reply, ModelError> {
        Err(ModelError::Refused { model: self.0.clone(), detail: "nothing is on record; `--live` would ask".into() })
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        self.reply(ask)
            .await
            .map(|reply| -> BoxStream<'static, _> { Box::pin(futures::stream::iter([Ok(Delta::Done(reply))])) })
    }
}
