//! What handlers are given of a request: paths, queries and bodies, each refused in our words when it is wrong.

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use futures::StreamExt;
use serde::de::DeserializeOwned;

use crate::app::{App, Limits};
use crate::error::ApiError;

/// How much of a body that is too large is read and thrown away, so that its sender can read why.
const THROWN_AWAY: usize = 16 * 1024 * 1024;

/// A body that is JSON. `Option<Json<T>>` is none where there is no body.
#[derive(Debug)]
pub(crate) struct Json<T>(pub(crate) T);

/// What stands after the `?`, without anything that nobody asked for.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

/// What stands in the path.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            return Err(ApiError::NotJson);
        }
        let bytes = read(request, app.limits.body, &app.limits).await?;
        parse(&bytes, app.limits.depth).map(Self)
    }
}

impl<T: DeserializeOwned> OptionalFromRequest<App> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Option<Self>, ApiError> {
        let (named, json) = (request.headers().contains_key(CONTENT_TYPE), is_json(request.headers()));
        let bytes = read(request, app.limits.body, &app.limits).await?;
        match (bytes.is_empty(), json) {
            (true, _) if !named || json => Ok(None),
            (_, false) => Err(ApiError::NotJson),
            _ => parse::<Option<T>>(&bytes, app.limits.depth).map(|it| it.map(Self)),
        }
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        axum::extract::Query::try_from_uri(&parts.uri).map(|axum::extract::Query(query)| Self(query)).map_err(|why| {
            let why = why.body_text();
            let why = why.strip_prefix("Failed to deserialize query string: ").unwrap_or(&why);
            // Serde says what is wrong as `name: what`, or names it in backticks.
            let named = why.split_once(": ").map(|(name, _)| name).or_else(|| why.split('`').nth(1));
            let param = named.filter(|name| !name.contains(' ')).map(str::to_owned);
            ApiError::Invalid { message: format!("the query is wrong: {why}"), param }
        })
    }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(path)| Self(path)).map_err(|why| {
            let why = why.body_text();
            let why = why.strip_prefix("Invalid URL: ").unwrap_or(&why);
            ApiError::Invalid { message: format!("the path is wrong: {why}"), param: None }
        })
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    content_type(headers).eq_ignore_ascii_case("application/json")
}

/// What a body is said to be, without what is said about that.
pub(crate) fn content_type(headers: &HeaderMap) -> &str {
    let said = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    said.split(';').next().unwrap_or_default().trim()
}

/// The whole body, if it has no more than so many bytes and comes in time.
pub(crate) async fn read(request: Request, most: usize, limits: &Limits) -> Result<Vec<u8>, ApiError> {
    let said = request.headers().get(CONTENT_LENGTH).map(HeaderValue::to_str);
    let length = said.and_then(Result::ok).and_then(|length| length.parse::<u64>().ok());
    let mut body = request.into_body();
    let reading = async {
        if length.is_some_and(|length| length > most as u64) {
            throw_away(body).await;
            return Err(ApiError::TooLarge { limit: most });
        }
        let mut bytes = Vec::new();
        let mut frames = std::mem::take(&mut body).into_data_stream();
        while let Some(frame) = frames.next().await {
            let frame = frame.map_err(|_| ApiError::Invalid { message: "the body broke off".into(), param: None })?;
            if bytes.len() + frame.len() > most {
                throw_away(Body::from_stream(frames)).await;
                return Err(ApiError::TooLarge { limit: most });
            }
            bytes.extend_from_slice(&frame);
        }
        Ok(bytes)
    };
    tokio::time::timeout(limits.upload, reading).await.unwrap_or(Err(ApiError::SlowBody))
}

async fn throw_away(body: Body) {
    let mut frames = body.into_data_stream();
    let mut thrown = 0;
    while let Some(Ok(frame)) = frames.next().await {
        thrown += frame.len();
        if thrown > THROWN_AWAY {
            return;
        }
    }
}

/// What JSON says, if it is what is wanted and does not nest too deep.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8], depth: usize) -> Result<T, ApiError> {
    if let Some(at) = too_deep(bytes, depth) {
        let message = format!("the body nests deeper than {depth} levels, at byte {at}");
        return Err(ApiError::Invalid { message, param: None });
    }
    // Serde would take a list for an object whose fields have lost their names.
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(ApiError::Invalid { message: "the body must be a JSON object".into(), param: None });
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let wrong = |why: String, param: Option<String>| ApiError::Invalid {
        message: match &param {
            Some(param) => format!("the body is wrong at `{param}`: {why}"),
            None => format!("the body is wrong: {why}"),
        },
        param,
    };
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        wrong(error.inner().to_string(), (path != ".").then_some(path))
    })?;
    reader.end().map_err(|error| wrong(error.to_string(), None))?;
    Ok(value)
}

/// Where JSON nests deeper than it may; strings are passed over.
fn too_deep(bytes: &[u8], limit: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => {
                depth += 1;
                if depth > limit {
                    return Some(at);
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_counted_outside_of_strings() {
        assert_eq!(too_deep(b"[[]]", 2), None);
        assert_eq!(too_deep(b"[[[]]]", 2), Some(2));
        assert_eq!(too_deep(br#"{"a": "[[[\"[["}"#, 1), None);
        assert_eq!(too_deep(b"[],[],[]", 1), None);
    }

    #[test]
    fn what_is_not_the_json_that_is_wanted_says_where() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Wanted {
            #[serde(rename = "inner")]
            _inner: Vec<u32>,
        }
        let say = |text: &str| match parse::<Wanted>(text.as_bytes(), 64) {
            Err(ApiError::Invalid { message, param }) => (message, param),
            other => panic!("{other:?}"),
        };
        assert_eq!(say(r#"{"inner": [1, "x"]}"#).1.as_deref(), Some("inner[1]"));
        assert!(say("{").0.contains("line 1 column 1"));
        assert!(say(r#"{"inner": []} x"#).0.contains("trailing"));
        assert!(say(r#"{"outer": 1}"#).0.contains("unknown field `outer`"));
    }
}
