//! Streamable HTTP over the client that everything here uses, with a bound on every message.

use std::collections::HashMap;
use std::sync::Arc;

use futures::StreamExt;
use futures::stream::BoxStream;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, JsonRpcRequest, ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

use super::meter::{Ends, Meter, TooLong};
use super::trouble::Trouble;
use crate::http::cause;
use crate::words::capped;

const SESSION: &str = "mcp-session-id";
const LAST_EVENT: &str = "last-event-id";
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
/// The most of a refusal that is read, in bytes.
const REFUSAL: usize = 16 << 10;

/// What requests are made with.
#[derive(Clone)]
pub(super) struct Wire {
    pub(super) client: Client,
    pub(super) cap: usize,
    pub(super) trouble: Trouble,
}

/// Why a message brought no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum WireError {
    /// It never left.
    #[error("no connection: {0}")]
    Unsent(String),
    /// Nobody can tell what became of it.
    #[error("no answer: {0}")]
    Lost(String),
    /// The answer is not read to its end.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// A key is missing or wrong.
    #[error("it answered {status}{words}")]
    Unauthorised { status: StatusCode, words: String },
    /// It does not want the message.
    #[error("it answered {status}{words}")]
    Refused { status: StatusCode, words: String },
}

type Failure = StreamableHttpError<WireError>;

impl Wire {
    async fn send(
        &self,
        request: RequestBuilder,
        session: Option<&str>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Response, WireError> {
        let mut request = request.header(ACCEPT, format!("{EVENTS}, {JSON}"));
        if let Some(session) = session {
            request = request.header(SESSION, session);
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let response = request.send().await.map_err(|error| match error.is_connect() || error.is_builder() {
            true => WireError::Unsent(cause(&error)),
            false => WireError::Lost(cause(&error)),
        })?;
        match response.status() {
            status @ (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => {
                let wants = response.headers().get(WWW_AUTHENTICATE).and_then(|value| value.to_str().ok());
                let words = wants.map(|wants| format!(" and wants {}", capped(wants, 200))).unwrap_or_default();
                Err(WireError::Unauthorised { status, words })
            }
            _ => Ok(response),
        }
    }

    fn events(&self, response: Response) -> BoxStream<'static, Result<Sse, SseError>> {
        let mut meter = Meter::new(self.cap, Ends::EmptyLine);
        let trouble = self.trouble.clone();
        let bytes = response.bytes_stream().map(move |chunk| {
            let chunk = chunk.map_err(std::io::Error::other)?;
            meter.count(&chunk).map_err(|error| {
                trouble.raise(error.to_string());
                std::io::Error::other(error)
            })?;
            Ok::<_, std::io::Error>(chunk)
        });
        SseStream::from_bytes_stream(bytes).boxed()
    }
}

impl StreamableHttpClient for Wire {
    type Error = WireError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let request = self.client.post(uri.as_ref()).json(&message);
        let response = self.send(request, session_id.as_deref(), custom_headers).await.map_err(Failure::Client)?;
        let status = response.status();
        if status == StatusCode::NOT_FOUND && session_id.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        let session = header(&response, SESSION);
        let kind = header(&response, CONTENT_TYPE.as_str()).unwrap_or_default();
        if !status.is_success() {
            let body = whole(response, REFUSAL).await.unwrap_or_default();
            return refusal(&message, status, &body, session);
        }
        // Only a request is owed an answer; whatever else is said about other messages does not matter.
        let JsonRpcMessage::Request(_) = &message else { return Ok(StreamableHttpPostResponse::Accepted) };
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if kind.starts_with(EVENTS) {
            return Ok(StreamableHttpPostResponse::Sse(self.events(response), session));
        }
        if !kind.starts_with(JSON) {
            return Err(StreamableHttpError::UnexpectedContentType(Some(capped(&kind, 100))));
        }
        let body = whole(response, self.cap).await.map_err(Failure::Client)?;
        match serde_json::from_slice(&body) {
            Ok(answer) => Ok(StreamableHttpPostResponse::Json(answer, session)),
            Err(error) => {
                let start = capped(&String::from_utf8_lossy(&body), 200);
                let words = format!("it answered something that is no message ({error}): {start}");
                Err(StreamableHttpError::UnexpectedServerResponse(words.into()))
            }
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        let request = self.client.delete(uri.as_ref());
        self.send(request, Some(&session_id), custom_headers).await.map_err(Failure::Client)?;
        Ok(())
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let mut request = self.client.get(uri.as_ref());
        if let Some(last) = last_event_id {
            request = request.header(LAST_EVENT, last);
        }
        let response = self.send(request, session_id.as_deref(), custom_headers).await.map_err(Failure::Client)?;
        let is_stream = header(&response, CONTENT_TYPE.as_str()).is_some_and(|kind| kind.starts_with(EVENTS));
        if !response.status().is_success() || !is_stream {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        Ok(self.events(response))
    }
}

/// What a refusal means: a server that does not know how we begin is an older one, and is told apart by its answer.
fn refusal(
    message: &ClientJsonRpcMessage,
    status: StatusCode,
    body: &[u8],
    session: Option<String>,
) -> Result<StreamableHttpPostResponse, Failure> {
    let said = match serde_json::from_slice::<ServerJsonRpcMessage>(body) {
        Ok(JsonRpcMessage::Error(error)) => Some(error),
        _ => None,
    };
    let words = capped(String::from_utf8_lossy(body).trim(), 300);
    if let JsonRpcMessage::Request(JsonRpcRequest { id, request, .. }) = message {
        let probed = matches!(request, ClientRequest::DiscoverRequest(_)) && status.is_client_error();
        let error =
            said.map(|said| said.error).or_else(|| probed.then(|| ErrorData::invalid_request(words.clone(), None)));
        // Refusals made before a message was read cannot name it.
        if let Some(error) = error {
            let answer = ServerJsonRpcMessage::error(error, Some(id.clone()));
            return Ok(StreamableHttpPostResponse::Json(answer, session));
        }
    }
    let words = if words.is_empty() { words } else { format!(": {words}") };
    Err(Failure::Client(WireError::Refused { status, words }))
}

async fn whole(mut response: Response, cap: usize) -> Result<Vec<u8>, WireError> {
    let mut meter = Meter::new(cap, Ends::Never);
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| WireError::Lost(cause(&error)))? {
        meter.count(&chunk)?;
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn header(response: &Response, name: &str) -> Option<String> {
    response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}
