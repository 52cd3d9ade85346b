//! `/v1/lessons`: points that were learnt, and what people say about them.

use axum::extract::State;
use axum::{Extension, Json};
use domain::guideline::{Lesson, LessonId, LessonStatus};
use domain::symbol::Symbol;
use runtime::learning::{self, Yes};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::{refused, written};
use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{self, Path, Query};
use crate::openapi::Nothing;
use crate::schema;

/// A lesson in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfLesson {
    /// Which lesson.
    #[param(pattern = "^lsn_[0-9a-f]{16}$")]
    lesson: String,
}

impl OfLesson {
    fn id(&self) -> LessonId {
        LessonId(Symbol::of(&self.lesson))
    }
}

/// Which lessons.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only those that stand here.
    #[param(schema_with = schema::lesson_status, required = false)]
    status: Option<LessonStatus>,
}

/// How a lesson is accepted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Accept {
    /// Tell all at once, without trying it out.
    #[serde(default)]
    now: bool,
}

/// What was learnt.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Lessons {
    /// Most recently changed first: `id`, `agent`, `problem`, `text`, `pattern`, `status`, `because`, `effect`.
    #[schema(value_type = Vec<Object>)]
    lessons: Vec<Value>,
}

/// A lesson, and what it would have changed about the runs on record.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LessonPage {
    #[schema(value_type = Object)]
    lesson: Value,
    /// What following it went with so far, with its uncertainty; `words` says it in a sentence.
    #[schema(value_type = Object)]
    on_record: Value,
}

/// `GET /v1/lessons`: what was learnt, most recently changed first.
#[utoipa::path(get, path = "/v1/lessons", tag = "learning", params(Which), responses((status = 200, body = Lessons)))]
pub(crate) async fn list(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<Lessons>, ApiError> {
    let lessons = app.store.lessons().await?;
    let lessons = lessons.iter().filter(|lesson| which.status.is_none_or(|status| lesson.status == status));
    Ok(Json(Lessons { lessons: lessons.map(written).collect() }))
}

/// `GET /v1/lessons/{lesson}`: what it rests on, and what it would have changed about the runs on record.
#[utoipa::path(
    get, path = "/v1/lessons/{lesson}", tag = "learning", params(OfLesson),
    responses((status = 200, body = LessonPage), (status = 404, body = Problem, description = "there is no such lesson"))
)]
pub(crate) async fn show(
    State(app): State<App>,
    Path(of): Path<OfLesson>,
    _: Query<Nothing>,
) -> Result<Json<LessonPage>, ApiError> {
    let unknown = || ApiError::not_found(format!("there is no lesson `{}`", of.lesson));
    let lesson = app.store.lesson(&of.id()).await?.ok_or_else(unknown)?;
    let on_record = learning::evaluate(app.store.as_ref(), &lesson).await?;
    Ok(Json(LessonPage { lesson: written(&lesson), on_record: written(&on_record) }))
}

/// `POST /v1/lessons/{lesson}/accept`: it is tried out, or told to all if its trial speaks for it.
#[utoipa::path(
    post, path = "/v1/lessons/{lesson}/accept", tag = "learning", params(OfLesson), request_body = Accept,
    responses(
        (status = 200, body = Object),
        (status = 404, body = Problem, description = "there is no such lesson"),
        (status = 409, body = Problem, description = "it is told or tried already")
    )
)]
pub(crate) async fn accept(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<OfLesson>,
    _: Query<Nothing>,
    extract::Json(Accept { now }): extract::Json<Accept>,
) -> Result<Json<Value>, ApiError> {
    let yes = if now { Yes::AtOnce } else { Yes::Try };
    answered(learning::accept(app.store.as_ref(), &of.id(), yes, Some(&caller.to_string())).await)
}

/// `POST /v1/lessons/{lesson}/dismiss`: nobody is told any more.
#[utoipa::path(
    post, path = "/v1/lessons/{lesson}/dismiss", tag = "learning", params(OfLesson),
    responses(
        (status = 200, body = Object),
        (status = 404, body = Problem, description = "there is no such lesson"),
        (status = 409, body = Problem, description = "it is retired already")
    )
)]
pub(crate) async fn dismiss(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(of): Path<OfLesson>,
    _: Query<Nothing>,
) -> Result<Json<Value>, ApiError> {
    answered(learning::dismiss(app.store.as_ref(), &of.id(), Some(&caller.to_string())).await)
}

fn answered(lesson: Result<Lesson, learning::ByHandError>) -> Result<Json<Value>, ApiError> {
    lesson.map(|lesson| Json(written(&lesson))).map_err(refused)
}
