//! Spans as they come over HTTP: protobuf or JSON, packed or not, and the answer in the same language.

use std::io::Read;

use axum::Json;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use flate2::read::MultiGzDecoder;
use prost::Message;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::json;
use super::wire::{Answer, Batch};
use crate::app::Limits;
use crate::error::ApiError;
use crate::extract;

const PROTOBUF: &str = "application/x-protobuf";

/// A batch, and the language it came in.
pub(super) struct Spans {
    pub(super) batch: Batch,
    pub(super) written: Written,
}

/// How spans are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Protobuf,
    Json,
}

/// What became of a batch, in the language it came in.
pub(crate) struct Answered {
    pub(super) answer: Answer,
    pub(super) written: Written,
}

/// Spans as OTLP writes them in JSON; what is not named here is passed over.
#[derive(ToSchema)]
#[schema(as = Spans)]
#[expect(dead_code, reason = "it says what the document says about a body that `json` reads")]
pub(super) struct SpansInJson {
    /// Spans by the program they come from, as `ExportTraceServiceRequest` has them.
    #[schema(rename = "resourceSpans", value_type = Option<Vec<Object>>)]
    resource_spans: Vec<Value>,
}

/// A message of OTLP in protobuf.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "it says what the document says about a body that `wire` reads")]
pub(super) struct SpansInProtobuf(Vec<u8>);

/// What became of spans.
#[derive(Serialize, ToSchema)]
#[schema(as = SpansTaken)]
#[serde(rename_all = "camelCase")]
pub(super) struct AnswerInJson {
    /// Absent where all were taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    partial_success: Option<PartialSuccessInJson>,
}

/// Spans that were not taken.
#[derive(Serialize, ToSchema)]
#[schema(as = SpansRejected)]
#[serde(rename_all = "camelCase")]
struct PartialSuccessInJson {
    /// How many, as text.
    rejected_spans: String,
    /// Why.
    error_message: String,
}

/// Reads a batch. What it unpacks to is never more than what a batch may have.
pub(super) async fn spans(request: Request, limits: &Limits) -> Result<Spans, ApiError> {
    let kind = extract::content_type(request.headers());
    let written = if kind.eq_ignore_ascii_case(PROTOBUF) {
        Written::Protobuf
    } else if kind.eq_ignore_ascii_case("application/json") {
        Written::Json
    } else {
        let message = format!("the header `Content-Type` must be `{PROTOBUF}` or `application/json`");
        return Err(ApiError::NotSpans { message });
    };
    let packed = packed(request.headers())?;
    let (most, depth) = (limits.spans, limits.depth);
    let bytes = extract::read(request, most, limits).await?;
    let reading = move || -> Result<Batch, ApiError> {
        let bytes = if packed { unpacked(&bytes, most)? } else { bytes };
        match written {
            Written::Protobuf => Batch::decode(bytes.as_slice()).map_err(|error| not_protobuf(&error)),
            Written::Json => {
                let json: Value = extract::parse(&bytes, depth)?;
                json::batch(&json).map_err(|(message, param)| ApiError::invalid(param, message))
            }
        }
    };
    // A large batch takes a while to read, and others are not to wait for it.
    let batch = tokio::task::spawn_blocking(reading).await.map_err(|error| ApiError::Broken(error.into()))??;
    Ok(Spans { batch, written })
}

fn packed(headers: &HeaderMap) -> Result<bool, ApiError> {
    let coding = headers.get(CONTENT_ENCODING).map_or(Ok("identity"), |coding| coding.to_str());
    match coding.unwrap_or_default().trim() {
        coding if coding.eq_ignore_ascii_case("gzip") => Ok(true),
        coding if coding.eq_ignore_ascii_case("identity") => Ok(false),
        _ => Err(ApiError::NotSpans { message: "the header `Content-Encoding` must be `gzip` or absent".into() }),
    }
}

/// What bytes unpack to; nothing is unpacked beyond what is read.
fn unpacked(bytes: &[u8], most: usize) -> Result<Vec<u8>, ApiError> {
    let mut unpacked = Vec::new();
    let mut reader = MultiGzDecoder::new(bytes).take(most as u64 + 1);
    reader.read_to_end(&mut unpacked).map_err(|error| {
        let message = format!("the body is not whole gzip: {error}");
        ApiError::Invalid { message, param: Some("Content-Encoding".into()) }
    })?;
    if unpacked.len() > most { Err(ApiError::TooLarge { limit: most }) } else { Ok(unpacked) }
}

fn not_protobuf(error: &prost::DecodeError) -> ApiError {
    let message = format!("the body is not a whole `ExportTraceServiceRequest` in protobuf: {error}");
    ApiError::Invalid { message, param: None }
}

impl IntoResponse for Answered {
    fn into_response(self) -> Response {
        match self.written {
            Written::Protobuf => ([(CONTENT_TYPE, PROTOBUF)], self.answer.encode_to_vec()).into_response(),
            Written::Json => {
                let partial_success = self.answer.partial_success.map(|it| PartialSuccessInJson {
                    rejected_spans: it.rejected_spans.to_string(),
                    error_message: it.error_message,
                });
                Json(AnswerInJson { partial_success }).into_response()
            }
        }
    }
}
