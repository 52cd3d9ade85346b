//! How the agents are configured: read, changed, switched on and off. Changes last, and count from then on.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use domain::chat::Tier;
use domain::confidence::{EXECUTE_FROM, RETHINK_FROM, REVIEW_FROM};
use domain::critique::{APPROVE_FROM, REVISE_FROM};
use domain::stage::Stage;
use runtime::{Component, Runtime};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Agent, OfAgent, Reply, replies, shape, switched_off};
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{self, Query};
use crate::openapi::Nothing;
use crate::plain::Refusal;
use crate::schema::{self, Line};

/// The longest answer that can be paid for.
pub(super) const MOST_TOKENS: u32 = 1_000_000;

/// How an agent is configured.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Configuration {
    #[schema(schema_with = shape::agent)]
    agent_id: &'static str,
    #[schema(schema_with = shape::agent)]
    agent_name: &'static str,
    /// What it does.
    description: &'static str,
    enabled: bool,
    /// What it is called in the configuration file.
    component: &'static str,
    /// How able a model it asks; nothing where it asks none.
    #[schema(schema_with = shape::tier_or_null)]
    tier: Option<Tier>,
    /// The model that it asks; nothing where there is none, or it needs none.
    #[schema(required = true)]
    model: Option<String>,
    /// How freely words are chosen, where it is set.
    #[schema(schema_with = shape::temperature_or_null)]
    temperature: Option<f64>,
    /// The longest answer, where it is set.
    #[schema(schema_with = shape::tokens_or_null)]
    max_tokens: Option<u32>,
    /// Where its judgements turn.
    #[schema(value_type = BTreeMap<String, f64>)]
    thresholds: BTreeMap<&'static str, f64>,
}

/// All agents.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Agents {
    /// In the order in which they work.
    items: Vec<Configuration>,
}

/// Which answer of an agent.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// The latest answer to this request, instead of how the agent is configured.
    #[param(schema_with = schema::line, required = false)]
    request_id: Option<Line>,
}

/// An answer of an agent, or how it is configured.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Shown {
    /// When a request was named.
    Answer(Box<Reply>),
    /// When none was.
    Configuration(Configuration),
}

/// What is to be different about an agent. What is absent stays; null sets it back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Change {
    /// How able a model it asks.
    #[serde(default, deserialize_with = "said")]
    #[schema(schema_with = shape::tier_or_null, required = false)]
    tier: Option<Option<Tier>>,
    /// A model by its name, whatever the tier.
    #[serde(default, deserialize_with = "said")]
    #[schema(schema_with = shape::line_or_null, required = false)]
    model: Option<Option<Line>>,
    /// How freely words are chosen.
    #[serde(default, deserialize_with = "said")]
    #[schema(schema_with = shape::temperature_or_null, required = false)]
    temperature: Option<Option<f64>>,
    /// The longest answer that is paid for.
    #[serde(default, deserialize_with = "said")]
    #[schema(schema_with = shape::tokens_or_null, required = false)]
    max_tokens: Option<Option<u64>>,
    /// Whether it is used.
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = bool, required = false)]
    enabled: Option<bool>,
}

/// `GET /api/agents`: how each is configured.
#[utoipa::path(get, path = "/api/agents", tag = "agents", responses((status = 200, body = Agents)))]
pub(crate) async fn list(State(app): State<App>, _: Query<Nothing>) -> Result<Json<Agents>, ApiError> {
    app.runtime.reload_components().await?;
    Ok(Json(Agents { items: Stage::ALL.map(|stage| configuration(&app.runtime, stage)).into() }))
}

/// `GET /api/agents/{agent}`: the latest answer to a request, or how the agent is configured.
#[utoipa::path(
    get, path = "/api/agents/{agent}", tag = "agents", params(OfAgent, Which),
    responses(
        (status = 200, body = Shown),
        (status = 404, body = Refusal, description = "there is no such agent, or it has not answered this request")
    )
)]
pub(crate) async fn show(
    State(app): State<App>,
    Agent(stage): Agent,
    Query(Which { request_id }): Query<Which>,
) -> Result<Json<Shown>, ApiError> {
    app.runtime.reload_components().await?;
    let Some(request) = request_id.map(String::from) else {
        return Ok(Json(Shown::Configuration(configuration(&app.runtime, stage))));
    };
    if app.runtime.component(stage.component()).disabled {
        return Err(switched_off(stage));
    }
    let latest = app.store.filed(&request, stage).await?;
    let latest = replies(&app, latest.into_iter().collect()).await?.pop();
    let none = || ApiError::not_found(format!("`{}` has not answered a request `{request}`", stage.name()));
    latest.ok_or_else(none).map(|reply| Json(Shown::Answer(Box::new(reply))))
}

/// `PATCH /api/agents/{agent}`: configures an agent, from now on.
#[utoipa::path(
    patch, path = "/api/agents/{agent}", tag = "agents", params(OfAgent), request_body = Change,
    responses(
        (status = 200, body = Configuration),
        (status = 404, body = Refusal, description = "there is no such agent")
    )
)]
pub(crate) async fn change(
    State(app): State<App>,
    Agent(stage): Agent,
    _: Query<Nothing>,
    extract::Json(change): extract::Json<Change>,
) -> Result<Json<Configuration>, ApiError> {
    let change = change.checked(&app.runtime, stage)?;
    app.runtime.configure(stage.component(), |component| change.apply(component)).await?;
    Ok(Json(configuration(&app.runtime, stage)))
}

/// `POST /api/agents/{agent}/enable`: switches an agent on.
#[utoipa::path(
    post, path = "/api/agents/{agent}/enable", tag = "agents", params(OfAgent),
    responses(
        (status = 200, body = Configuration),
        (status = 404, body = Refusal, description = "there is no such agent")
    )
)]
pub(crate) async fn enable(
    State(app): State<App>,
    Agent(stage): Agent,
    _: Query<Nothing>,
) -> Result<Json<Configuration>, ApiError> {
    switch(&app, stage, true).await
}

/// `POST /api/agents/{agent}/disable`: switches an agent off, for runs as well.
#[utoipa::path(
    post, path = "/api/agents/{agent}/disable", tag = "agents", params(OfAgent),
    responses(
        (status = 200, body = Configuration),
        (status = 404, body = Refusal, description = "there is no such agent")
    )
)]
pub(crate) async fn disable(
    State(app): State<App>,
    Agent(stage): Agent,
    _: Query<Nothing>,
) -> Result<Json<Configuration>, ApiError> {
    switch(&app, stage, false).await
}

async fn switch(app: &App, stage: Stage, on: bool) -> Result<Json<Configuration>, ApiError> {
    app.runtime.configure(stage.component(), |component| Component { disabled: !on, ..component }).await?;
    Ok(Json(configuration(&app.runtime, stage)))
}

/// A change that makes sense.
struct Checked {
    change: Change,
    max_tokens: Option<Option<u32>>,
}

impl Change {
    fn checked(self, runtime: &Runtime, stage: Stage) -> Result<Checked, ApiError> {
        let models = self.tier.is_some() || self.model.is_some();
        if stage.tier().is_none() && (models || self.temperature.is_some() || self.max_tokens.is_some()) {
            let message = format!("`{}` asks no model: only `enabled` can be changed", stage.name());
            return Err(ApiError::Invalid { message, param: None });
        }
        if matches!((&self.tier, &self.model), (Some(Some(_)), Some(Some(_)))) {
            return Err(ApiError::invalid("model", "a model is chosen by `tier` or by `model`: send one of them"));
        }
        if let Some(Some(name)) = &self.model
            && !runtime.models.named.contains_key(name.as_str())
        {
            return Err(ApiError::invalid("model", no_such_model(runtime, name.as_str())));
        }
        if let Some(Some(temperature)) = self.temperature
            && !(0.0..=2.0).contains(&temperature)
        {
            return Err(ApiError::invalid("temperature", format!("`temperature` is {temperature}; it can be 0 to 2")));
        }
        let tokens = |tokens: u64| match u32::try_from(tokens) {
            Ok(tokens @ 1..=MOST_TOKENS) => Ok(tokens),
            _ => Err(ApiError::invalid("maxTokens", format!("`maxTokens` is {tokens}; it can be 1 to {MOST_TOKENS}"))),
        };
        let max_tokens = self.max_tokens.map(|said| said.map(tokens).transpose()).transpose()?;
        Ok(Checked { change: self, max_tokens })
    }
}

impl Checked {
    fn apply(&self, before: Component) -> Component {
        let change = &self.change;
        // Whoever chooses by tier does not want the model that was chosen by name before.
        let model = match (&change.model, change.tier) {
            (Some(model), _) => model.as_ref().map(|name| name.as_str().to_owned()),
            (None, Some(Some(_))) => None,
            (None, _) => before.model,
        };
        Component {
            tier: change.tier.unwrap_or(before.tier),
            model,
            temperature: change.temperature.unwrap_or(before.temperature),
            max_tokens: self.max_tokens.unwrap_or(before.max_tokens),
            disabled: change.enabled.map_or(before.disabled, |enabled| !enabled),
        }
    }
}

fn no_such_model(runtime: &Runtime, name: &str) -> String {
    let there: Vec<&str> = runtime.models.named.keys().map(String::as_str).collect();
    match there.is_empty() {
        true => format!("there is no model `{name}`: none is configured by name"),
        false => format!("there is no model `{name}`; there are `{}`", there.join("`, `")),
    }
}

fn configuration(runtime: &Runtime, stage: Stage) -> Configuration {
    let component = runtime.component(stage.component());
    let usual = stage.tier();
    let model = usual.and_then(|tier| runtime.models.choose(&component, tier).ok());
    Configuration {
        agent_id: stage.name(),
        agent_name: stage.name(),
        description: description(stage),
        enabled: !component.disabled,
        component: stage.component(),
        tier: usual.map(|tier| component.tier.unwrap_or(tier)),
        model: model.map(|model| model.chat.name().to_owned()),
        temperature: component.temperature,
        max_tokens: component.max_tokens,
        thresholds: thresholds(runtime, stage),
    }
}

fn description(stage: Stage) -> &'static str {
    match stage {
        Stage::Thinker => "Thinks about a request before it is planned.",
        Stage::Planner => "Makes a plan, and has it proved.",
        Stage::Critic => "Judges a plan in five respects.",
        Stage::Scorer => "Weighs how sure the others are.",
        Stage::MetaAgent => "Judges the reasoning, and says whether it needs more thought or another plan.",
        Stage::Replanner => "Makes another plan from what was wrong with the last.",
    }
}

fn thresholds(runtime: &Runtime, stage: Stage) -> BTreeMap<&'static str, f64> {
    let gate = &runtime.settings.gate;
    match stage {
        Stage::Critic => [("approveFrom", APPROVE_FROM), ("reviseFrom", REVISE_FROM)].into(),
        Stage::Scorer => {
            [("executeFrom", EXECUTE_FROM), ("reviewFrom", REVIEW_FROM), ("rethinkFrom", RETHINK_FROM)].into()
        }
        Stage::MetaAgent => [("deepenBelow", gate.deepen_below), ("replanBelow", gate.replan_below)].into(),
        Stage::Thinker | Stage::Planner | Stage::Replanner => BTreeMap::new(),
    }
}

/// Tells what is null from what is absent.
fn said<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
