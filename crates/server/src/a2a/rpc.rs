//! `/a2a`: JSON-RPC as A2A uses it. What goes wrong with a call is an answer with a code of the protocol.

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, post};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::dialect::{self, Method};
use super::{stream, tasks};
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{parse, read};
use crate::guard::Caller;

const VERSION: &str = "A2A-Version";
/// Without the header it is 0.3.
const SPOKEN: [&str; 2] = ["1.0", "0.3"];

/// What answers at `/a2a`.
pub(crate) fn methods() -> MethodRouter<App> {
    post(answer)
}

/// Why a call has no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// Send one JSON-RPC request.
    #[error("the body is not a JSON-RPC request: {0}")]
    NotACall(String),
    /// Call one of those there are.
    #[error("there is no method `{0}`")]
    NoSuchMethod(String),
    /// Check the id.
    #[error("there is no task `{0}`")]
    NoSuchTask(String),
    /// It has ended.
    #[error("{0}")]
    NotCancelable(String),
    /// Ask for the task, or follow it.
    #[error("this agent does not send push notifications")]
    NoPush,
    /// Begin another task.
    #[error("{0}")]
    NotPossible(String),
    /// Send text.
    #[error("a message may hold text, and a decision as data; nothing else is read")]
    OtherContent,
    /// The card there is has everything on it.
    #[error("there is no other card")]
    NoOtherCard,
    /// Speak one of those that are spoken.
    #[error("A2A {0} is not spoken here; 1.0 and 0.3 are")]
    OtherVersion(String),
    /// See there.
    #[error(transparent)]
    Api(#[from] ApiError),
}

impl From<domain::store::StoreError> for Fault {
    fn from(error: domain::store::StoreError) -> Self {
        Fault::Api(error.into())
    }
}

impl Fault {
    fn code(&self) -> (i32, &'static str) {
        match self {
            Fault::NotACall(_) => (-32600, "INVALID_REQUEST"),
            Fault::NoSuchMethod(_) => (-32601, "METHOD_NOT_FOUND"),
            Fault::NoSuchTask(_) | Fault::Api(ApiError::NotFound { .. }) => (-32001, "TASK_NOT_FOUND"),
            Fault::NotCancelable(_) => (-32002, "TASK_NOT_CANCELABLE"),
            Fault::NoPush => (-32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"),
            Fault::NotPossible(_) => (-32004, "UNSUPPORTED_OPERATION"),
            Fault::OtherContent => (-32005, "CONTENT_TYPE_NOT_SUPPORTED"),
            Fault::NoOtherCard => (-32007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED"),
            Fault::OtherVersion(_) => (-32009, "VERSION_NOT_SUPPORTED"),
            Fault::Api(ApiError::Away(_) | ApiError::Broken(_) | ApiError::Closing) => (-32603, "INTERNAL"),
            Fault::Api(_) => (-32602, "INVALID_PARAMS"),
        }
    }

    pub(super) fn written(&self, id: &Value) -> Value {
        if let Fault::Api(error) = self {
            error.log();
        }
        let (code, reason) = self.code();
        let info = json!({
            "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "a2a-protocol.org",
        });
        json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": self.to_string(), "data": [info]}})
    }
}

/// A call.
#[derive(Debug, Deserialize)]
struct Call {
    jsonrpc: String,
    #[serde(default)]
    id: Value,
    method: String,
    #[serde(default)]
    params: Value,
}

/// `POST /a2a`: the Agent2Agent protocol.
async fn answer(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let spoken = version(request.headers());
    let bytes = read(request, app.limits.body, &app.limits).await?;
    let call = match parse::<Call>(&bytes, app.limits.depth) {
        Ok(call) if call.jsonrpc == "2.0" => call,
        Ok(_) => return Ok(faulty(&Value::Null, &Fault::NotACall("`jsonrpc` must be `2.0`".to_owned()))),
        Err(error) => return Ok(faulty(&Value::Null, &Fault::NotACall(error.to_string()))),
    };
    let id = call.id.clone();
    let answered = match spoken {
        Ok(()) => dispatch(app, caller, call).await,
        Err(fault) => Err(fault),
    };
    match answered {
        // Who may do what is a matter of HTTP.
        Err(Fault::Api(error @ ApiError::Forbidden(_))) => Err(error),
        answered => Ok(answered.unwrap_or_else(|fault| faulty(&id, &fault))),
    }
}

async fn dispatch(app: App, caller: Caller, Call { id, method, params, .. }: Call) -> Result<Response, Fault> {
    let (dialect, wanted) = dialect::method(&method).ok_or(Fault::NoSuchMethod(method))?;
    let result = match wanted {
        Method::Send => tasks::send(&app, &caller, dialect, read_params(params)?).await?,
        Method::Get => tasks::get(&app, dialect, read_params(params)?).await?,
        Method::List => tasks::list(&app, dialect, read_params(params)?).await?,
        Method::Cancel => tasks::cancel(&app, &caller, dialect, read_params(params)?).await?,
        Method::Stream => return stream::send(app, caller, dialect, id, read_params(params)?).await,
        Method::Subscribe => return stream::subscribe(app, caller, dialect, id, read_params(params)?).await,
        Method::Push => return Err(Fault::NoPush),
        Method::MoreCard => return Err(Fault::NoOtherCard),
    };
    Ok(axum::Json(json!({"jsonrpc": "2.0", "id": id, "result": result})).into_response())
}

fn read_params<T: DeserializeOwned>(params: Value) -> Result<T, Fault> {
    serde_path_to_error::deserialize(params).map_err(|error| {
        let (path, why) = (error.path().to_string(), error.inner().to_string());
        Fault::Api(ApiError::Invalid { message: format!("`params` is wrong at `{path}`: {why}"), param: Some(path) })
    })
}

fn faulty(id: &Value, fault: &Fault) -> Response {
    axum::Json(fault.written(id)).into_response()
}

/// Whether the version that a client says it speaks is one that is spoken here. Patches do not count.
fn version(headers: &HeaderMap) -> Result<(), Fault> {
    let said = headers.get(VERSION).and_then(|said| said.to_str().ok()).unwrap_or_default().trim();
    let minor: Vec<&str> = said.split('.').take(2).collect();
    match said.is_empty() || SPOKEN.contains(&minor.join(".").as_str()) {
        true => Ok(()),
        false => Err(Fault::OtherVersion(said.to_owned())),
    }
}
