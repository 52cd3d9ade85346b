//! `/v1/agents`, `/v1/cohorts` and `/v1/skills`: what is kept and used again. One set of answers for all three.

mod shape;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use domain::id::ItemName;
use domain::library::{Body, ItemFilter, ItemSummary, Kind};
use domain::store::Cursor;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path, Query};
use crate::openapi::Nothing;
use crate::schema::{self, Line};
use shape::{Found, FoundItems, Items, KeptItem, Uses, Version, Versions};

/// How many uses of one item are told.
const USES: usize = 100;

/// An item in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfItem {
    /// What it is called.
    #[param(schema_with = schema::item_name)]
    name: ItemName,
}

/// Which items.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only those that are offered, or only those that are not.
    active: Option<bool>,
    /// Only where name, description or keywords contain this, whatever the case.
    #[param(schema_with = schema::line, required = false)]
    q: Option<Line>,
    /// At most so many.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// Where an earlier page said that the next one begins.
    cursor: Option<String>,
}

/// What is looked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Sought {
    /// What it is to do, in words.
    #[param(schema_with = schema::line)]
    q: Line,
    /// At most so many.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
}

/// Which version.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AtVersion {
    /// Counted from 1; the one that is used when absent.
    #[param(minimum = 1)]
    version: Option<u32>,
}

/// The version that is to be used.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rollback {
    /// Counted from 1.
    #[serde(deserialize_with = "schema::whole")]
    #[schema(minimum = 1)]
    version: u32,
}

/// The URLs of one kind.
macro_rules! shelf {
    ($module:ident, $kind:ident, $base:literal) => {
        pub(crate) mod $module {
            use super::*;

            const KIND: Kind = Kind::$kind;

            #[utoipa::path(
                get, path = $base, tag = "library", params(Which), responses((status = 200, body = Items)),
                summary = concat!("`GET ", $base, "`: what is kept, used most recently first.")
            )]
            pub(crate) async fn list(
                State(app): State<App>,
                Query(which): Query<Which>,
            ) -> Result<axum::Json<Items>, ApiError> {
                super::list(&app, KIND, which).await
            }

            #[utoipa::path(
                get, path = concat!($base, "/search"), tag = "library", params(Sought),
                responses((status = 200, body = FoundItems)),
                summary = concat!("`GET ", $base, "/search`: what fits some words, best first, and why.")
            )]
            pub(crate) async fn search(
                State(app): State<App>,
                Query(sought): Query<Sought>,
            ) -> Result<axum::Json<FoundItems>, ApiError> {
                super::search(&app, KIND, sought).await
            }

            #[utoipa::path(
                get, path = concat!($base, "/{name}"), tag = "library", params(OfItem, AtVersion),
                responses(
                    (status = 200, body = KeptItem),
                    (status = 404, body = Problem, description = "there is no such thing, or no such version")
                ),
                summary = concat!("`GET ", $base, "/{name}`: everything about one, as it is used or at a version.")
            )]
            pub(crate) async fn show(
                State(app): State<App>,
                Path(OfItem { name }): Path<OfItem>,
                Query(AtVersion { version }): Query<AtVersion>,
            ) -> Result<axum::Json<KeptItem>, ApiError> {
                super::show(&app, KIND, &name, version).await
            }

            #[utoipa::path(
                get, path = concat!($base, "/{name}/versions"), tag = "library", params(OfItem),
                responses(
                    (status = 200, body = Versions),
                    (status = 404, body = Problem, description = "there is no such thing")
                ),
                summary = concat!("`GET ", $base, "/{name}/versions`: all its versions, newest first.")
            )]
            pub(crate) async fn versions(
                State(app): State<App>,
                Path(OfItem { name }): Path<OfItem>,
                _: Query<Nothing>,
            ) -> Result<axum::Json<Versions>, ApiError> {
                super::versions(&app, KIND, &name).await
            }

            #[utoipa::path(
                get, path = concat!($base, "/{name}/uses"), tag = "library", params(OfItem),
                responses(
                    (status = 200, body = Uses),
                    (status = 404, body = Problem, description = "there is no such thing")
                ),
                summary = concat!("`GET ", $base, "/{name}/uses`: what it was used for and how that went, newest first.")
            )]
            pub(crate) async fn uses(
                State(app): State<App>,
                Path(OfItem { name }): Path<OfItem>,
                _: Query<Nothing>,
            ) -> Result<axum::Json<Uses>, ApiError> {
                super::uses(&app, KIND, &name).await
            }

            #[utoipa::path(
                post, path = concat!($base, "/{name}/activate"), tag = "library", params(OfItem),
                responses(
                    (status = 200, body = KeptItem),
                    (status = 404, body = Problem, description = "there is no such thing")
                ),
                summary = concat!("`POST ", $base, "/{name}/activate`: offers it again.")
            )]
            pub(crate) async fn activate(
                State(app): State<App>,
                Path(OfItem { name }): Path<OfItem>,
                _: Query<Nothing>,
            ) -> Result<axum::Json<KeptItem>, ApiError> {
                super::switch(&app, KIND, &name, true).await
            }

            #[utoipa::path(
                post, path = concat!($base, "/{name}/deactivate"), tag = "library", params(OfItem),
                responses(
                    (status = 200, body = KeptItem),
                    (status = 404, body = Problem, description = "there is no such thing")
                ),
                summary = concat!("`POST ", $base, "/{name}/deactivate`: offers it no longer; nothing is deleted.")
            )]
            pub(crate) async fn deactivate(
                State(app): State<App>,
                Path(OfItem { name }): Path<OfItem>,
                _: Query<Nothing>,
            ) -> Result<axum::Json<KeptItem>, ApiError> {
                super::switch(&app, KIND, &name, false).await
            }

            #[utoipa::path(
                post, path = concat!($base, "/{name}/rollback"), tag = "library", params(OfItem), request_body = Rollback,
                responses(
                    (status = 200, body = KeptItem),
                    (status = 404, body = Problem, description = "there is no such thing, or no such version")
                ),
                summary = concat!("`POST ", $base, "/{name}/rollback`: uses another version from now on.")
            )]
            pub(crate) async fn rollback(
                State(app): State<App>,
                Path(OfItem { name }): Path<OfItem>,
                _: Query<Nothing>,
                Json(Rollback { version }): Json<Rollback>,
            ) -> Result<axum::Json<KeptItem>, ApiError> {
                super::rollback(&app, KIND, &name, version).await
            }
        }
    };
}

shelf!(agents, Agent, "/v1/agents");
shelf!(cohorts, Cohort, "/v1/cohorts");
shelf!(skills, Skill, "/v1/skills");

/// `GET /v1/skills/{name}/export`: a skill as `SKILL.md`, for other agents.
#[utoipa::path(
    get, path = "/v1/skills/{name}/export", tag = "library", params(OfItem),
    responses(
        (status = 200, body = String, content_type = "text/markdown; charset=utf-8", description = "a `SKILL.md`"),
        (status = 404, body = Problem, description = "there is no such skill")
    )
)]
pub(crate) async fn export(
    State(app): State<App>,
    Path(OfItem { name }): Path<OfItem>,
    _: Query<Nothing>,
) -> Result<impl IntoResponse, ApiError> {
    match find(&app, Kind::Skill, &name, None).await?.item.draft.body {
        Body::Skill(skill) => Ok(([(CONTENT_TYPE, "text/markdown; charset=utf-8")], runtime::to_skill_md(&skill))),
        Body::Agent(_) | Body::Cohort(_) | Body::Plan(_) => Err(nothing(Kind::Skill, &name)),
    }
}

async fn list(app: &App, kind: Kind, which: Which) -> Result<axum::Json<Items>, ApiError> {
    let limit = schema::page_length(which.limit)?;
    let filter = ItemFilter { kind: Some(kind), active: which.active, text: which.q.map(String::from) };
    let (items, next) = app.store.items(&filter, which.cursor.map(Cursor).as_ref(), limit).await?;
    let items = items.into_iter().map(KeptItem::in_short).collect();
    Ok(axum::Json(Items { items, next: next.map(|Cursor(next)| next) }))
}

async fn search(app: &App, kind: Kind, sought: Sought) -> Result<axum::Json<FoundItems>, ApiError> {
    let limit = schema::page_length(sought.limit)?;
    let found = app.runtime.find(sought.q.as_str(), &[kind], limit).await?;
    Ok(axum::Json(FoundItems { found: found.into_iter().map(Found::from).collect() }))
}

async fn show(app: &App, kind: Kind, name: &ItemName, version: Option<u32>) -> Result<axum::Json<KeptItem>, ApiError> {
    if version == Some(0) {
        return Err(ApiError::invalid("version", "`version` is counted from 1"));
    }
    Ok(axum::Json(find(app, kind, name, version).await?.into()))
}

async fn versions(app: &App, kind: Kind, name: &ItemName) -> Result<axum::Json<Versions>, ApiError> {
    let current = find(app, kind, name, None).await?.item.version;
    let versions = app.store.versions(kind, name).await?;
    let versions = versions.into_iter().map(|item| Version::of(item, current)).collect();
    Ok(axum::Json(Versions { versions }))
}

async fn uses(app: &App, kind: Kind, name: &ItemName) -> Result<axum::Json<Uses>, ApiError> {
    find(app, kind, name, None).await?;
    let uses = app.store.uses(kind, name, USES).await?;
    Ok(axum::Json(Uses { uses: uses.into_iter().map(Into::into).collect() }))
}

async fn switch(app: &App, kind: Kind, name: &ItemName, active: bool) -> Result<axum::Json<KeptItem>, ApiError> {
    if !app.store.switch(kind, name, active).await? {
        return Err(nothing(kind, name));
    }
    show(app, kind, name, None).await
}

async fn rollback(app: &App, kind: Kind, name: &ItemName, version: u32) -> Result<axum::Json<KeptItem>, ApiError> {
    if version == 0 {
        return Err(ApiError::invalid("version", "`version` is counted from 1"));
    }
    find(app, kind, name, Some(version)).await?;
    app.store.turn_to(kind, name, version).await?;
    show(app, kind, name, None).await
}

async fn find(app: &App, kind: Kind, name: &ItemName, version: Option<u32>) -> Result<ItemSummary, ApiError> {
    if let Some(found) = app.store.item(kind, name, version).await? {
        return Ok(found);
    }
    match (app.store.item(kind, name, None).await?, version) {
        (Some(there), Some(version)) => {
            let many = there.versions;
            Err(ApiError::not_found(format!("{kind} `{name}` has no version {version}; there are {many}")))
        }
        _ => Err(nothing(kind, name)),
    }
}

fn nothing(kind: Kind, name: &ItemName) -> ApiError {
    ApiError::not_found(format!("there is no {kind} `{name}`"))
}
