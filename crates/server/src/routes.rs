//! `/v1/routes`: which ways requests go, what is promised about that, and what people say about it.

pub(crate) mod corrections;
pub(crate) mod pathways;
pub(crate) mod quality;

use axum::extract::State;
use domain::role::Role;
use domain::route::Certified;
use runtime::{Promise, Understood};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Query};
use crate::openapi::Nothing;
use crate::schema::{self, Words};

/// A request that is not made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Supposed {
    #[schema(schema_with = schema::words)]
    text: Words,
}

/// The roles there are.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Roles {
    roles: Vec<RoleLine>,
}

/// A role, and what is promised about its fast answers.
#[derive(Debug, Serialize, ToSchema)]
struct RoleLine {
    /// What it is called.
    name: String,
    /// What it is for.
    when_to_use: String,
    /// Requests it answers.
    examples: Vec<String>,
    /// Whether it comes with the program.
    shipped: bool,
    /// What its agent can reach.
    tools: Vec<String>,
    /// What is promised; absent where it never answers without a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false, nullable = false)]
    certified: Option<Certified>,
}

impl From<Promise> for RoleLine {
    fn from(Promise { role, certified }: Promise) -> Self {
        let Role { name, when_to_use, examples, shipped, tools, .. } = role;
        let tools = tools.iter().map(ToString::to_string).collect();
        Self { name, when_to_use, examples, shipped, tools, certified }
    }
}

/// `POST /v1/routes/explain`: how a request would be understood, and why. Nothing is carried out.
#[utoipa::path(
    post, path = "/v1/routes/explain", tag = "routes", request_body = Supposed,
    responses(
        (status = 200, body = Object, description = "the judgement, its signals, and what is most like the request"),
        (status = 409, body = Problem, description = "everything is planned here")
    )
)]
pub(crate) async fn explain(
    State(app): State<App>,
    _: Query<Nothing>,
    Json(Supposed { text }): Json<Supposed>,
) -> Result<axum::Json<Understood>, ApiError> {
    understand(&app, &text).await.map(axum::Json)
}

/// How a request would be understood, where not everything is planned.
pub(crate) async fn understand(app: &App, text: &Words) -> Result<Understood, ApiError> {
    let understood = app.runtime.understand(text.0.as_str(), app.person.name.as_deref()).await;
    let nothing = || ApiError::conflict("no_reflexes", "everything is planned here: there are no roles to choose from");
    understood.ok_or_else(nothing)
}

/// `GET /v1/routes/roles`: the roles there are, and what is promised about each.
#[utoipa::path(get, path = "/v1/routes/roles", tag = "routes", responses((status = 200, body = Roles)))]
pub(crate) async fn roles(State(app): State<App>, _: Query<Nothing>) -> Result<axum::Json<Roles>, ApiError> {
    let promises = app.runtime.promises(app.person.name.as_deref()).await;
    Ok(axum::Json(Roles { roles: promises.into_iter().map(RoleLine::from).collect() }))
}
