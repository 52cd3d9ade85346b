//! Where traces come from, and when that is not to be believed any more.

use axum::Json;
use axum::extract::State;
use domain::trace::Source;
use runtime::learning;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::error::{ApiError, Problem};
use crate::extract::{Path, Query};
use crate::learning::refused;
use crate::openapi::Nothing;
use crate::schema;

/// Where traces come from, written as we write it.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct From(pub(super) Source);

impl TryFrom<String> for From {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let known = match text.split_once(':') {
            Some(("key" | "import", name)) => {
                (1..=64).contains(&name.len())
                    && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"_.-".contains(&it))
            }
            Some(_) => false,
            None => text == "own",
        };
        if known {
            return Ok(Self(Source::from(text)));
        }
        Err(format!("`{text}` is no source: they are `own`, `key:` and a key's id, or `import:` and a name"))
    }
}

/// A source in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfSource {
    /// Which source: `key:` and a key's id, or `import:` and a name.
    #[param(schema_with = schema::source)]
    source: From,
}

/// A source that is not believed any more.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Revoked {
    /// Which.
    source: String,
    /// How many traces it had sent.
    traces: u64,
    /// The lessons that rested on them, and are withdrawn.
    lessons: Vec<String>,
}

/// `POST /v1/sources/{source}/revoke`: nothing is learnt any more from what came from there, nor from what will.
#[utoipa::path(
    post, path = "/v1/sources/{source}/revoke", tag = "traces", params(OfSource),
    responses(
        (status = 200, body = Revoked),
        (status = 409, body = Problem, description = "our own runs are always believed")
    )
)]
pub(crate) async fn revoke(
    State(app): State<App>,
    Path(OfSource { source: From(source) }): Path<OfSource>,
    _: Query<Nothing>,
) -> Result<Json<Revoked>, ApiError> {
    if source.is_own() {
        return Err(ApiError::conflict("own_runs", "runs of this server are what it knows best; rate them instead"));
    }
    let revoked = learning::revoke(app.store.as_ref(), &source).await.map_err(refused)?;
    let lessons = revoked.lessons.iter().map(ToString::to_string).collect();
    Ok(Json(Revoked { source: source.to_string(), traces: revoked.traces, lessons }))
}
