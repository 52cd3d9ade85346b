//! `/v1/session`: signing in, signing out, and choosing a password.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use axum::response::IntoResponse;
use axum::{Extension, Json};
use domain::audit::Outcome;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Going, LONGEST, SignedIn};
use crate::access::Role;
use crate::app::App;
use crate::caller::{Caller, Came, SESSION_COOKIE, session_cookie};
use crate::error::{ApiError, Created, Done, Problem};
use crate::extract::{self, Query};
use crate::openapi::Nothing;
use crate::password::LENGTH;
use crate::people::Account;
use crate::site::Reached;
use crate::{audit, limit, people, schema, session};

/// Who is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Who {
    signed_in: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    person: Option<Named>,
    /// What must stand in `X-CSRF-Token` where something is changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    csrf: Option<String>,
    /// Whether they have chosen a password.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    has_password: Option<bool>,
    /// Of the server.
    version: &'static str,
}

/// Somebody.
#[derive(Debug, Serialize, ToSchema)]
struct Named {
    name: String,
    #[schema(schema_with = schema::role)]
    role: Role,
}

/// With what somebody signs in: a token, or a name and a password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignIn {
    /// What stands after the `#` of a link; good for once.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(required = false, nullable = false)]
    token: Option<String>,
    /// Who they are.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(required = false, nullable = false)]
    name: Option<String>,
    /// What only they know.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(required = false, nullable = false)]
    password: Option<String>,
}

/// Another password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// The new one.
    #[schema(schema_with = schema::password)]
    password: String,
    /// The one before; not needed by who has none, or came in with a link.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(required = false, nullable = false)]
    old: Option<String>,
}

/// `GET /v1/session`: who is signed in, if anybody is.
#[utoipa::path(get, path = "/v1/session", tag = "access", responses((status = 200, body = Who)))]
pub(crate) async fn show(State(app): State<App>, headers: HeaderMap, _: Query<Nothing>) -> Result<Json<Who>, ApiError> {
    let going = match session_cookie(&headers) {
        Some(secret) => session::find(app.store.as_ref(), secret, Timestamp::now()).await?,
        None => None,
    };
    Ok(Json(who(going.as_ref())))
}

/// `POST /v1/session`: signs in, with a token or with a name and a password.
#[utoipa::path(
    post, path = "/v1/session", tag = "access", request_body = SignIn,
    responses(
        (status = 201, body = Who, description = "the answer sets the cookie of the session"),
        (status = 401, body = Problem, description = "`wrong_password` or `wrong_token`")
    )
)]
pub(crate) async fn begin(
    State(app): State<App>,
    Extension(reached): Extension<Reached>,
    headers: HeaderMap,
    _: Query<Nothing>,
    extract::Json(said): extract::Json<SignIn>,
) -> Result<impl IntoResponse, ApiError> {
    let bucket = format!("sign in {}", limit::address(reached.from));
    let (account, by) = match (said.token, said.name, said.password) {
        (Some(token), None, None) => {
            app.failures.take(&bucket)?;
            (of_token(&app, &token).await?, SignedIn::Token)
        }
        (None, Some(name), Some(password)) => {
            app.failures.take(&bucket)?;
            (of_password(&app, &name, password).await?, SignedIn::Password)
        }
        _ => return Err(ApiError::invalid("token", "send either `token`, or `name` and `password`")),
    };
    app.failures.put_back(&bucket);
    audit::signed_in(&app, Some(&account.name), Outcome::Done).await;
    let shelf = app.store.as_ref();
    // Whoever signs in leaves what they were signed in as.
    if let Some(before) = session_cookie(&headers) {
        session::end(shelf, &crate::secret::place(before)).await?;
    }
    people::seen(shelf, &account.name, Timestamp::now()).await?;
    let (secret, going) = session::begin(shelf, account, by).await?;
    let cookie = cookie(&secret, LONGEST.as_secs(), reached.secure);
    Ok(([(SET_COOKIE, cookie)], Created { location: "/v1/session".to_owned(), body: who(Some(&going)) }))
}

/// `DELETE /v1/session`: signs out.
#[utoipa::path(delete, path = "/v1/session", tag = "access", responses((status = 204, description = "signed out")))]
pub(crate) async fn end(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(reached): Extension<Reached>,
    _: Query<Nothing>,
) -> Result<impl IntoResponse, ApiError> {
    session::end(app.store.as_ref(), &going(&caller)?.place).await?;
    Ok(([(SET_COOKIE, cookie("", 0, reached.secure))], Done))
}

/// `PUT /v1/session/password`: chooses a password, and ends one's other sessions.
#[utoipa::path(
    put, path = "/v1/session/password", tag = "access", request_body = NewPassword,
    responses((status = 204, description = "it is the password from now on"))
)]
pub(crate) async fn choose(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    _: Query<Nothing>,
    extract::Json(NewPassword { password, old }): extract::Json<NewPassword>,
) -> Result<Done, ApiError> {
    if !LENGTH.contains(&password.chars().count()) {
        let words = format!("a password has {} to {} characters", LENGTH.start(), LENGTH.end());
        return Err(ApiError::invalid("password", words));
    }
    let (going, shelf) = (going(&caller)?, app.store.as_ref());
    let name = &going.account.name;
    if going.account.has_password() && going.by == SignedIn::Password {
        let old = old.ok_or_else(|| ApiError::invalid("old", "`old` is missing: it is the password of now"))?;
        let bucket = format!("password {}", caller.id);
        app.failures.take(&bucket)?;
        if !app.passwords.matches(old, going.account.password()).await? {
            return Err(ApiError::WrongPassword);
        }
        app.failures.put_back(&bucket);
    }
    people::set_password(shelf, name, app.passwords.hash(password).await?).await?;
    session::end_all(shelf, name, Some(&going.place)).await?;
    session::now_with_password(shelf, &going.place).await?;
    Ok(Done)
}

async fn of_token(app: &App, token: &str) -> Result<Account, ApiError> {
    match people::redeem(app.store.as_ref(), token, Timestamp::now()).await? {
        Some(account) => Ok(account),
        None => {
            audit::signed_in(app, None, Outcome::Refused).await;
            Err(ApiError::WrongToken)
        }
    }
}

async fn of_password(app: &App, name: &str, password: String) -> Result<Account, ApiError> {
    let account = people::find(app.store.as_ref(), name).await?;
    let kept = account.as_ref().and_then(Account::password);
    match (app.passwords.matches(password, kept).await?, account) {
        (true, Some(account)) => Ok(account),
        (_, account) => {
            // What is typed in the wrong place is nobody's business: only names that there are stand in the trail.
            audit::signed_in(app, account.as_ref().map(|it| it.name.as_str()), Outcome::Refused).await;
            Err(ApiError::WrongPassword)
        }
    }
}

fn going(caller: &Caller) -> Result<&Going, ApiError> {
    match &caller.came {
        Came::SignedIn(going) => Ok(going),
        Came::Key | Came::Here => Err(ApiError::NoSession),
    }
}

fn who(going: Option<&Going>) -> Who {
    Who {
        signed_in: going.is_some(),
        person: going.map(|it| Named { name: it.account.name.clone(), role: it.account.role }),
        csrf: going.map(|it| it.csrf.clone()),
        has_password: going.map(|it| it.account.has_password()),
        version: env!("CARGO_PKG_VERSION"),
    }
}

/// What a browser is to keep, out of reach of scripts and of pages of others.
fn cookie(secret: &str, seconds: i64, secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{SESSION_COOKIE}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}
