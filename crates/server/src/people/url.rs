//! `/v1/people`: who can sign in, seen and changed over HTTP.

use axum::extract::State;
use axum::response::IntoResponse;
use axum::{Extension, Json};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Account, PeopleError};
use crate::access::{Grant, Role};
use crate::app::App;
use crate::audit::On;
use crate::caller::Caller;
use crate::error::{ApiError, Created, Done, Problem};
use crate::extract::{self, Path, Query};
use crate::openapi::Nothing;
use crate::{people, schema};

/// Somebody in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfPerson {
    /// Who.
    #[param(schema_with = schema::person)]
    name: String,
}

/// Somebody who is to be able to sign in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPerson {
    /// What they are called, in ledgers too.
    #[schema(schema_with = schema::person)]
    name: String,
    /// What they may do.
    #[schema(schema_with = schema::role)]
    role: Role,
}

/// Somebody who can sign in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PersonPage {
    #[schema(schema_with = schema::person)]
    name: String,
    #[schema(schema_with = schema::role)]
    role: Role,
    #[schema(schema_with = schema::moment)]
    created_at: Timestamp,
    /// Whether they have chosen one.
    has_password: bool,
    /// To a few minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::moment, required = false)]
    last_seen_at: Option<Timestamp>,
}

/// Everybody.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct People {
    /// By name.
    people: Vec<PersonPage>,
}

/// Somebody, and how they come in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Invited {
    person: PersonPage,
    /// What stands after the `#` of `/welcome#…`: good for once and a day, and told this once.
    token: String,
}

/// `GET /v1/people`: who can sign in.
#[utoipa::path(get, path = "/v1/people", tag = "access", responses((status = 200, body = People)))]
pub(crate) async fn list(State(app): State<App>, _: Query<Nothing>) -> Result<Json<People>, ApiError> {
    let people = people::list(app.store.as_ref()).await?;
    Ok(Json(People { people: people.into_iter().map(Into::into).collect() }))
}

/// `POST /v1/people`: lets somebody sign in.
#[utoipa::path(
    post, path = "/v1/people", tag = "access", request_body = NewPerson,
    responses((status = 201, body = Invited), (status = 409, body = Problem, description = "the name is taken"))
)]
pub(crate) async fn add(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    _: Query<Nothing>,
    extract::Json(NewPerson { name, role }): extract::Json<NewPerson>,
) -> Result<impl IntoResponse, ApiError> {
    // People reach everything: who is kept to some areas cannot give that away.
    caller.grant.covers(&Grant::everywhere(role))?;
    let (account, token) = people::add(app.store.as_ref(), &name, role).await?;
    let about = Extension(On("name", account.name.clone()));
    let location = format!("/v1/people/{}", account.name);
    Ok((about, Created { location, body: Invited { person: account.into(), token } }))
}

/// `POST /v1/people/{name}/invite`: another link for somebody, for example because they forgot their password.
#[utoipa::path(
    post, path = "/v1/people/{name}/invite", tag = "access", params(OfPerson),
    responses((status = 200, body = Invited), (status = 404, body = Problem, description = "there is nobody of that name"))
)]
pub(crate) async fn invite(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfPerson { name }): Path<OfPerson>,
    _: Query<Nothing>,
) -> Result<Json<Invited>, ApiError> {
    caller.grant.covers(&Grant::everywhere(Role::Admin))?;
    let (account, token) = people::invite(app.store.as_ref(), &name).await?;
    Ok(Json(Invited { person: account.into(), token }))
}

/// `DELETE /v1/people/{name}`: somebody cannot sign in any more, and is signed out everywhere.
#[utoipa::path(
    delete, path = "/v1/people/{name}", tag = "access", params(OfPerson),
    responses(
        (status = 204, description = "they are gone"),
        (status = 404, body = Problem, description = "there is nobody of that name"),
        (status = 409, body = Problem, description = "they are the last admin")
    )
)]
pub(crate) async fn remove(
    State(app): State<App>,
    Path(OfPerson { name }): Path<OfPerson>,
    _: Query<Nothing>,
) -> Result<Done, ApiError> {
    people::remove(app.store.as_ref(), &name).await?;
    Ok(Done)
}

impl From<Account> for PersonPage {
    fn from(account: Account) -> Self {
        let has_password = account.has_password();
        let Account { name, role, created_at, last_seen_at, .. } = account;
        Self { name, role, created_at, has_password, last_seen_at }
    }
}

impl From<PeopleError> for ApiError {
    fn from(error: PeopleError) -> Self {
        let message = error.to_string();
        match error {
            PeopleError::BadName(_) => Self::invalid("name", message),
            PeopleError::Taken(_) => Self::conflict("taken", message),
            PeopleError::LastAdmin(_) => Self::conflict("last_admin", message),
            PeopleError::Unknown(_) => Self::not_found(message),
            PeopleError::NoChance(error) => error.into(),
            PeopleError::Store(error) => error.into(),
        }
    }
}
