//! What goes wrong, in words for clients: the only place with status codes. The cause goes to the log.

mod answers;
mod causes;

use axum::http::StatusCode;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use domain::chat::ModelError;
use domain::finding::Finding;
use domain::store::StoreError;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::access::Missing;
use crate::approvals::ApprovalPage;
use crate::plain::Sentence;

pub(crate) use answers::{Accepted, Created, Done, NothingMore, outcome};

/// Why a request was not answered as it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// Correct the request; `param` is what is wrong with it.
    #[error("{message}")]
    Invalid {
        /// What is wrong, in a sentence.
        message: String,
        /// Where: a field of the body, a parameter or a header.
        param: Option<String>,
    },
    /// Come with a key.
    #[error("a valid key is needed: send it as `Authorization: Bearer aw_…`")]
    NoKey,
    /// Sign in.
    #[error("the session has ended: sign in again")]
    NoSession,
    /// Try another password, or another name.
    #[error("the name or the password is wrong")]
    WrongPassword,
    /// Ask for another link.
    #[error("this link was used before, or is too old: `agentwright people invite` makes another")]
    WrongToken,
    /// Send what `GET /v1/session` says as `X-CSRF-Token`.
    #[error("the header `X-CSRF-Token` is missing or wrong")]
    WrongCsrf,
    /// Ask from a page of this server, or without a browser.
    #[error("`{origin}` is not this server: pages of others may not ask it")]
    WrongOrigin {
        /// Where the page is from.
        origin: String,
    },
    /// Come back later.
    #[error("too many requests: come back in {retry_after} s")]
    TooMany {
        /// When, in seconds.
        retry_after: u64,
    },
    /// Come with a key, or as somebody, who may do this.
    #[error(transparent)]
    Forbidden(#[from] Missing),
    /// Name this machine by its own name.
    #[error("`{host}` is not a name of this server")]
    WrongHost {
        /// The name that was used.
        host: String,
    },
    /// Check the path, or the id in it.
    #[error("{message}")]
    NotFound {
        /// What there is not.
        message: String,
    },
    /// Use one of the models that are listed.
    #[error("there is no model `{model}`; `GET /v1/models` lists those there are")]
    NoSuchModel {
        /// What was asked for.
        model: String,
    },
    /// See there: only a model could answer this.
    #[error("{}", model_words(.0))]
    Model(ModelError),
    /// Use one of the methods in the header `Allow`.
    #[error("`{method}` is not possible here; `Allow` lists what is")]
    WrongMethod {
        /// The method that was used.
        method: String,
    },
    /// Send the body faster.
    #[error("the body did not arrive in time")]
    SlowBody,
    /// Look how things stand now; `code` says what is in the way.
    #[error("{message}")]
    Conflict {
        /// What is in the way, in a sentence.
        message: String,
        /// What is in the way, in a word.
        code: &'static str,
    },
    /// Look at `approval`, and decide about that.
    #[error("{message}")]
    Undecidable {
        /// Why it cannot be decided like this, in a sentence.
        message: String,
        /// What is in the way.
        obstacle: Obstacle,
        /// How it stands.
        approval: Box<ApprovalPage>,
    },
    /// Correct what `findings` name.
    #[error("this cannot be carried out: {}", .findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Unsound {
        /// What was proved about it.
        findings: Vec<Finding>,
        /// Where it stands in the request.
        param: &'static str,
    },
    /// Send less.
    #[error("the body is too large: at most {limit} bytes are read")]
    TooLarge {
        /// How much is read.
        limit: usize,
    },
    /// Send JSON, and say so.
    #[error("the body must be JSON, with the header `Content-Type: application/json`")]
    NotJson,
    /// Send spans, and say how they are written.
    #[error("{message}")]
    NotSpans {
        /// What was sent instead.
        message: String,
    },
    /// Use another `Idempotency-Key` for another request.
    #[error("this `Idempotency-Key` was used with another body before")]
    KeyReused,
    /// Send fewer headers.
    #[error("the request has too many headers, or too long ones")]
    TooManyHeaders,
    /// Try again later: the answer takes longer than anybody should wait.
    #[error("the answer took too long")]
    TooSlow,
    /// Try again in a moment: more is asked at once than can be answered.
    #[error("too much is asked at once; come back in a moment")]
    Crowded,
    /// Try again later, or elsewhere.
    #[error("the server is stopping")]
    Closing,
    /// Try again later.
    #[error("the database is not available")]
    Away(#[source] StoreError),
    /// Report it: the log says more.
    #[error("something broke; the log of the server says more")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Why a decision is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// It is about something else than what is proposed.
    Stale,
    /// Somebody was faster.
    Decided,
    /// The run has ended.
    Withdrawn,
    /// It is too late.
    Expired,
}

impl Obstacle {
    fn kind(self) -> (StatusCode, &'static str, &'static str) {
        let code = match self {
            Obstacle::Stale => "stale",
            Obstacle::Decided => "decided",
            Obstacle::Withdrawn => "withdrawn",
            Obstacle::Expired => return (StatusCode::GONE, "conflict_error", "expired"),
        };
        (StatusCode::CONFLICT, "conflict_error", code)
    }
}

impl ApiError {
    /// The request is wrong, and this is where.
    pub fn invalid(param: &str, message: impl Into<String>) -> Self {
        Self::Invalid { message: message.into(), param: Some(param.to_owned()) }
    }

    /// There is no such thing.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::NotFound { message: message.into() }
    }

    /// Something is in the way.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::Conflict { message: message.into(), code }
    }

    /// Tells the operator about what is not the client's doing.
    pub(crate) fn log(&self) {
        let (status, _, code) = self.kind();
        if status.is_server_error() && !matches!(self, ApiError::Crowded) {
            let cause = std::error::Error::source(self).map(ToString::to_string);
            tracing::error!(code, cause = cause.unwrap_or_default(), "a request could not be answered: {self}");
        }
    }

    /// Its status, its type and its code.
    fn kind(&self) -> (StatusCode, &'static str, &'static str) {
        use StatusCode as Status;
        match self {
            ApiError::Invalid { .. } => (Status::BAD_REQUEST, "invalid_request_error", "invalid_request"),
            ApiError::NoKey => (Status::UNAUTHORIZED, "authentication_error", "invalid_key"),
            ApiError::NoSession => (Status::UNAUTHORIZED, "authentication_error", "session_ended"),
            ApiError::WrongPassword => (Status::UNAUTHORIZED, "authentication_error", "wrong_password"),
            ApiError::WrongToken => (Status::UNAUTHORIZED, "authentication_error", "wrong_token"),
            ApiError::WrongCsrf => (Status::FORBIDDEN, "permission_error", "wrong_csrf"),
            ApiError::WrongOrigin { .. } => (Status::FORBIDDEN, "permission_error", "wrong_origin"),
            ApiError::TooMany { .. } => (Status::TOO_MANY_REQUESTS, "rate_limit_error", "too_many_requests"),
            ApiError::Forbidden(Missing::Role { .. }) => (Status::FORBIDDEN, "permission_error", "role_too_low"),
            ApiError::Forbidden(Missing::Scope(_)) => (Status::FORBIDDEN, "permission_error", "out_of_scope"),
            ApiError::WrongHost { .. } => (Status::MISDIRECTED_REQUEST, "invalid_request_error", "wrong_host"),
            ApiError::NotFound { .. } => (Status::NOT_FOUND, "not_found_error", "not_found"),
            ApiError::NoSuchModel { .. } => (Status::NOT_FOUND, "invalid_request_error", "model_not_found"),
            ApiError::Model(error) => model_kind(error),
            ApiError::WrongMethod { .. } => (Status::METHOD_NOT_ALLOWED, "invalid_request_error", "wrong_method"),
            ApiError::SlowBody => (Status::REQUEST_TIMEOUT, "invalid_request_error", "slow_body"),
            ApiError::Conflict { code, .. } => (Status::CONFLICT, "conflict_error", code),
            ApiError::Undecidable { obstacle, .. } => obstacle.kind(),
            ApiError::Unsound { .. } => (Status::BAD_REQUEST, "invalid_request_error", "invalid_plan"),
            ApiError::TooLarge { .. } => (Status::PAYLOAD_TOO_LARGE, "invalid_request_error", "too_large"),
            ApiError::NotJson => (Status::UNSUPPORTED_MEDIA_TYPE, "invalid_request_error", "not_json"),
            ApiError::NotSpans { .. } => (Status::UNSUPPORTED_MEDIA_TYPE, "invalid_request_error", "not_spans"),
            ApiError::KeyReused => (Status::CONFLICT, "conflict_error", "idempotency_key_reused"),
            ApiError::TooManyHeaders => {
                (Status::REQUEST_HEADER_FIELDS_TOO_LARGE, "invalid_request_error", "too_many_headers")
            }
            ApiError::TooSlow => (Status::SERVICE_UNAVAILABLE, "unavailable_error", "too_slow"),
            ApiError::Crowded => (Status::SERVICE_UNAVAILABLE, "unavailable_error", "crowded"),
            ApiError::Closing => (Status::SERVICE_UNAVAILABLE, "unavailable_error", "stopping"),
            ApiError::Away(cause) => (Status::SERVICE_UNAVAILABLE, "unavailable_error", away(cause)),
            ApiError::Broken(_) => (Status::INTERNAL_SERVER_ERROR, "server_error", "broken"),
        }
    }

    fn headers(&self) -> Vec<(HeaderName, HeaderValue)> {
        let one = |name, value| vec![(name, HeaderValue::from_static(value))];
        match self {
            ApiError::NoKey | ApiError::NoSession | ApiError::WrongPassword | ApiError::WrongToken => {
                one(header::WWW_AUTHENTICATE, "Bearer realm=\"agentwright\"")
            }
            ApiError::TooMany { retry_after } => vec![(header::RETRY_AFTER, (*retry_after).into())],
            ApiError::Crowded => one(header::RETRY_AFTER, "1"),
            ApiError::TooSlow | ApiError::Closing | ApiError::Away(_) => one(header::RETRY_AFTER, "5"),
            ApiError::Model(error) if error.is_passing() => one(header::RETRY_AFTER, "5"),
            ApiError::SlowBody | ApiError::TooLarge { .. } => one(header::CONNECTION, "close"),
            _ => Vec::new(),
        }
    }

    fn param(&self) -> Option<&str> {
        match self {
            ApiError::Invalid { param, .. } => param.as_deref(),
            ApiError::Unsound { param, .. } => Some(param),
            ApiError::KeyReused => Some("Idempotency-Key"),
            ApiError::WrongHost { .. } => Some("Host"),
            ApiError::WrongOrigin { .. } => Some("Origin"),
            ApiError::WrongCsrf => Some("X-CSRF-Token"),
            ApiError::NoSuchModel { .. } => Some("model"),
            _ => None,
        }
    }
}

/// What somebody hears at the door for whom there is no place, byte by byte.
pub(crate) fn turned_away() -> Vec<u8> {
    let (status, kind, code) = ApiError::Crowded.kind();
    let error = json!({"message": ApiError::Crowded.to_string(), "type": kind, "code": code, "param": null});
    let body = json!({ "error": error }).to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nretry-after: 1\r\nconnection: close\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    head.into_bytes()
}

fn model_words(error: &ModelError) -> String {
    match error {
        ModelError::NoModel => "only a model can answer this, and none is configured: set `models.default`".to_owned(),
        error => error.to_string(),
    }
}

fn model_kind(error: &ModelError) -> (StatusCode, &'static str, &'static str) {
    use StatusCode as Status;
    match error {
        ModelError::Busy { .. } => (Status::TOO_MANY_REQUESTS, "rate_limit_error", "model_busy"),
        ModelError::OverBudget { .. } => (Status::TOO_MANY_REQUESTS, "rate_limit_error", "budget_spent"),
        ModelError::TooLong { .. } => (Status::BAD_REQUEST, "invalid_request_error", "context_length_exceeded"),
        ModelError::Unavailable { .. } | ModelError::TimedOut { .. } | ModelError::Garbled { .. } => {
            (Status::BAD_GATEWAY, "unavailable_error", "model_unavailable")
        }
        ModelError::Refused { .. } => (Status::BAD_GATEWAY, "server_error", "model_refused"),
        ModelError::NoModel => (Status::SERVICE_UNAVAILABLE, "unavailable_error", "no_model"),
    }
}

fn away(cause: &StoreError) -> &'static str {
    match cause {
        StoreError::Full => "disk_full",
        StoreError::Damaged { .. } => "database_damaged",
        StoreError::Newer { .. } => "database_newer",
        _ => "database_away",
    }
}

/// What clients get when something goes wrong.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Problem {
    /// What went wrong.
    error: Trouble,
}

/// What went wrong.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Trouble {
    /// In a sentence.
    message: String,
    /// What kind of trouble it is.
    r#type: &'static str,
    /// Which trouble it is.
    code: &'static str,
    /// The field, parameter or header that is wrong, if one is.
    #[schema(required = true)]
    param: Option<String>,
    /// What is asked now, or what was said to it, where a decision comes too late.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    approval: Option<Box<ApprovalPage>>,
    /// What keeps an edited plan or call from being carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<Object>, required = false)]
    findings: Option<Vec<Finding>>,
}

impl ApiError {
    /// What a stream says where it cannot go on.
    pub(crate) fn in_a_stream(&self) -> Problem {
        let (_, kind, code) = self.kind();
        let (message, param) = (self.to_string(), self.param().map(str::to_owned));
        Problem { error: Trouble { message, r#type: kind, code, param, approval: None, findings: None } }
    }

    /// Which trouble it is, in a word.
    pub(crate) fn code(&self) -> &'static str {
        self.kind().2
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.log();
        let (status, kind, code) = self.kind();
        let param = self.param().map(str::to_owned);
        let (message, headers) = (self.to_string(), self.headers());
        let (approval, findings) = match self {
            ApiError::Undecidable { approval, .. } => (Some(approval), None),
            ApiError::Unsound { findings, .. } => (None, Some(findings)),
            _ => (None, None),
        };
        let error = Trouble { message: message.clone(), r#type: kind, code, param, approval, findings };
        let mut response = (status, axum::Json(Problem { error })).into_response();
        response.headers_mut().extend(headers);
        response.extensions_mut().insert(Sentence(message));
        response
    }
}
