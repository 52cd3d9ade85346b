//! `/v1/models`: the names under which this runtime can be asked, each of which goes about things in its own way.

use axum::Json;
use domain::request::Asked;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, Problem};
use crate::extract::{Path, Query};
use crate::openapi::Nothing;

/// When the first of them was offered, in seconds since 1970.
const CREATED: i64 = 1_763_164_800;

/// A way of going about a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
    /// Whichever way fits.
    Usual,
    /// Never with a plan.
    Fast,
    /// Always with a plan.
    Plan,
}

impl Model {
    const ALL: [Model; 3] = [Model::Usual, Model::Fast, Model::Plan];

    /// As it is asked for.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Model::Usual => "agentwright",
            Model::Fast => "agentwright-fast",
            Model::Plan => "agentwright-plan",
        }
    }

    /// The one of this name.
    pub(crate) fn named(name: &str) -> Result<Self, ApiError> {
        let found = Self::ALL.into_iter().find(|model| model.name() == name);
        found.ok_or_else(|| ApiError::NoSuchModel { model: name.to_owned() })
    }

    /// Whether a planner is asked.
    pub(crate) fn planner(self) -> Option<Asked> {
        match self {
            Model::Usual => None,
            Model::Fast => Some(Asked::Never),
            Model::Plan => Some(Asked::Always),
        }
    }

    fn card(self) -> ModelCard {
        let description = match self {
            Model::Usual => "Answers at once what is clear, and plans the rest.",
            Model::Fast => "Answers at once what is clear, and says so where that is not enough.",
            Model::Plan => "Plans everything.",
        };
        ModelCard { id: self.name(), object: "model", created: CREATED, owned_by: "agentwright", description }
    }
}

/// A model as OpenAI's clients know them.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelCard {
    id: &'static str,
    object: &'static str,
    /// Seconds since 1970.
    created: i64,
    owned_by: &'static str,
    /// What it is for.
    description: &'static str,
}

/// All models.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelCards {
    object: &'static str,
    data: Vec<ModelCard>,
}

/// A model in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfModel {
    /// Its name.
    #[param(example = "agentwright")]
    model: String,
}

/// `GET /v1/models`: the models that can be asked.
#[utoipa::path(get, path = "/v1/models", tag = "openai", responses((status = 200, body = ModelCards)))]
pub(crate) async fn list(_: Query<Nothing>) -> Json<ModelCards> {
    Json(ModelCards { object: "list", data: Model::ALL.map(Model::card).into() })
}

/// `GET /v1/models/{model}`: one of them.
#[utoipa::path(
    get, path = "/v1/models/{model}", tag = "openai", params(OfModel),
    responses((status = 200, body = ModelCard), (status = 404, body = Problem, description = "there is no such model"))
)]
pub(crate) async fn show(
    Path(OfModel { model }): Path<OfModel>,
    _: Query<Nothing>,
) -> Result<Json<ModelCard>, ApiError> {
    Model::named(&model).map(|model| Json(model.card()))
}
