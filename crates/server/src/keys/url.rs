//! `/v1/keys`: the keys there are, seen and made over HTTP.

use axum::extract::State;
use axum::response::IntoResponse;
use axum::{Extension, Json};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Key, KeyError, Wanted};
use crate::access::{Area, Grant, Role};
use crate::app::App;
use crate::audit::On;
use crate::caller::Caller;
use crate::error::{ApiError, Created, Problem};
use crate::extract::{self, Path, Query};
use crate::keys;
use crate::openapi::Nothing;
use crate::schema::{self, Line};

/// How long a key may last that ends by itself, in days.
const MOST_DAYS: u32 = 3_650;

/// A key in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfKey {
    /// What stands between `aw_` and the secret.
    #[param(schema_with = schema::line)]
    id: Line,
}

/// A key to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewKey {
    /// What to call it.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    name: Option<Line>,
    /// What it is to open.
    #[schema(schema_with = schema::role)]
    role: Role,
    /// Where; everywhere when absent.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::areas, required = false)]
    scopes: Option<Vec<Area>>,
    /// When it ends by itself; never when absent.
    #[serde(default, deserialize_with = "schema::perhaps_whole")]
    #[schema(minimum = 1, maximum = 3650, required = false, nullable = false)]
    expires_in_days: Option<u64>,
    /// Whether it is learnt from the traces that are sent with it.
    #[serde(default)]
    evidence: bool,
}

/// What is shown of a key.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeyPage {
    /// What stands between `aw_` and the secret.
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    name: Option<String>,
    #[schema(schema_with = schema::role)]
    role: Role,
    /// Everywhere when absent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(schema_with = schema::areas, required = false)]
    scopes: Vec<Area>,
    /// Whether it is learnt from the traces that are sent with it.
    evidence: bool,
    #[schema(schema_with = schema::moment)]
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::moment, required = false)]
    expires_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::moment, required = false)]
    revoked_at: Option<Timestamp>,
    /// To ten minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::moment, required = false)]
    last_used_at: Option<Timestamp>,
}

/// The keys there are.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Keys {
    /// Oldest first.
    keys: Vec<KeyPage>,
}

/// A key that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MadeKey {
    key: KeyPage,
    /// The key itself: it is told this once.
    secret: String,
}

/// `GET /v1/keys`: the keys there are, without their secrets.
#[utoipa::path(get, path = "/v1/keys", tag = "access", responses((status = 200, body = Keys)))]
pub(crate) async fn list(State(app): State<App>, _: Query<Nothing>) -> Result<Json<Keys>, ApiError> {
    let keys = keys::list(app.store.as_ref()).await?;
    Ok(Json(Keys { keys: keys.into_iter().map(Into::into).collect() }))
}

/// `POST /v1/keys`: makes a key, and tells it this once.
#[utoipa::path(
    post, path = "/v1/keys", tag = "access", request_body = NewKey, responses((status = 201, body = MadeKey))
)]
pub(crate) async fn create(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    _: Query<Nothing>,
    extract::Json(wanted): extract::Json<NewKey>,
) -> Result<impl IntoResponse, ApiError> {
    let wanted = wanted.understood()?;
    caller.grant.covers(&wanted.grant)?;
    let (secret, key) = keys::create(app.store.as_ref(), wanted).await?;
    let about = Extension(On("id", key.id.clone()));
    let made = Created { location: format!("/v1/keys/{}", key.id), body: MadeKey { key: key.into(), secret } };
    Ok((about, made))
}

/// `DELETE /v1/keys/{id}`: ends a key's validity, at once and everywhere.
#[utoipa::path(
    delete, path = "/v1/keys/{id}", tag = "access", params(OfKey),
    responses((status = 200, body = KeyPage), (status = 404, body = Problem, description = "there is no such key"))
)]
pub(crate) async fn revoke(
    State(app): State<App>,
    Path(OfKey { id }): Path<OfKey>,
    _: Query<Nothing>,
) -> Result<Json<KeyPage>, ApiError> {
    let revoked = keys::revoke(app.store.as_ref(), id.as_str()).await?;
    let key = revoked.ok_or_else(|| ApiError::not_found(format!("there is no key `{}`", id.as_str())))?;
    Ok(Json(key.into()))
}

impl NewKey {
    fn understood(self) -> Result<Wanted, ApiError> {
        let scopes = match self.scopes {
            Some(scopes) if scopes.is_empty() => {
                return Err(ApiError::invalid("scopes", "`scopes` is empty; leave it out for all of them"));
            }
            scopes => scopes.unwrap_or_default(),
        };
        let days = match self.expires_in_days {
            Some(days) => match u32::try_from(days) {
                Ok(days @ 1..=MOST_DAYS) => Some(days),
                _ => {
                    let words = format!("`expires_in_days` can be 1 to {MOST_DAYS}");
                    return Err(ApiError::invalid("expires_in_days", words));
                }
            },
            None => None,
        };
        let expires_at = days.map(|days| Timestamp::now() + SignedDuration::from_hours(24 * i64::from(days)));
        let grant = Grant { role: self.role, scopes };
        Ok(Wanted { name: self.name.map(String::from), grant, evidence: self.evidence, expires_at })
    }
}

impl From<Key> for KeyPage {
    fn from(key: Key) -> Self {
        let Key { id, name, grant, evidence, hash: _, created_at, expires_at, revoked_at, last_used_at } = key;
        let Grant { role, scopes } = grant;
        Self { id, name, role, scopes, evidence, created_at, expires_at, revoked_at, last_used_at }
    }
}

impl From<KeyError> for ApiError {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::NoChance(error) => error.into(),
            KeyError::Store(error) => error.into(),
        }
    }
}
