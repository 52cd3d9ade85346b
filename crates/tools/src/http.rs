//! Tools that are one HTTP request, and the client that all of them share.
//!
//! The guard: a tool reaches the host its file names and no other. Arguments are encoded into the path, the query and
//! the body; redirects that lead elsewhere are answers, not ways.

mod address;
mod answer;

use std::time::Duration;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Repeat, Source, Standing, Tool, ToolError, ToolSpec};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Method, StatusCode};
use serde_json::Value;

use self::address::Address;
use self::answer::Answer;
pub(crate) use self::answer::{accepted, cause, unsent};
use crate::described::{About, HttpForm, Json, ReadBackForm, Scope, Text, Values, bytes};
use crate::errors;

/// The most of an answer that is read, unless a tool says otherwise.
const ANSWER: usize = 1 << 20;
/// The most redirects that are followed.
const REDIRECTS: usize = 5;

/// The guarded client: no redirect to another place, no proxy from the environment, ten seconds to connect.
pub fn client() -> Result<Client, reqwest::Error> {
    guarded().build()
}

/// The same before it is built, for those who need something else besides.
pub(crate) fn guarded() -> reqwest::ClientBuilder {
    // Fails only where the process has chosen a provider already, which is just as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(concat!("agentwright/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_secs(10))
        .redirect(Policy::custom(follow))
        .no_proxy()
}

/// The JSON that a request is answered with, for tools that read.
pub(crate) async fn json(
    spec: &ToolSpec,
    request: reqwest::RequestBuilder,
    patience: Duration,
) -> Result<Value, ToolError> {
    let response = request.timeout(patience).send().await.map_err(|error| unsent(spec, patience, &error))?;
    // The pointer to the whole makes anything but JSON an error.
    answer::read(spec, patience, response, ANSWER).await?.into_result(spec, Some(""), ANSWER)
}

fn follow(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let stays = attempt.previous().last().is_some_and(|from| address::same_place(from, attempt.url()));
    if stays && attempt.previous().len() <= REDIRECTS { attempt.follow() } else { attempt.stop() }
}

/// A request with holes in it.
pub(crate) struct HttpTool {
    about: About,
    client: Client,
    method: Method,
    address: Address,
    headers: Vec<(HeaderName, Text)>,
    body: Option<Json>,
    result: Option<String>,
    cap: usize,
    idempotency_header: HeaderName,
    read_back: Option<ReadBack>,
}

struct ReadBack {
    address: Address,
    headers: Vec<(HeaderName, Text)>,
    result: Option<String>,
}

impl HttpTool {
    pub(crate) fn new(
        about: &About,
        form: &HttpForm,
        read_back: Option<&ReadBackForm>,
        client: Client,
        scope: &Scope<'_>,
    ) -> Result<Self, String> {
        let default = if form.body.is_some() { "POST" } else { "GET" };
        let method = form.method.as_deref().unwrap_or(default).to_uppercase();
        let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
        let method = match known.contains(&method.as_str()) {
            true => Method::from_bytes(method.as_bytes()).map_err(|error| error.to_string())?,
            false => return Err(format!("`{method}` is not a method; use one of {}", crate::words::ticked(known))),
        };
        let header = form.idempotency_header.as_deref().unwrap_or("Idempotency-Key");
        Ok(Self {
            about: about.clone(),
            client,
            method,
            address: Address::new(about, &form.url, &form.query, scope)?,
            headers: headers(&form.headers, scope)?,
            body: form.body.as_ref().map(|body| Json::parse(body, scope)).transpose()?,
            result: form.result.as_deref().map(pointer).transpose()?,
            cap: bytes(form.max_output.as_deref(), ANSWER)?,
            idempotency_header: header_name(header)?,
            read_back: ReadBack::new(about, form, read_back, scope)?,
        })
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<Answer, ToolError> {
        let (spec, patience) = (&self.about.spec, self.about.timeout());
        let response = request.timeout(patience).send().await;
        let response = response.map_err(|error| unsent(spec, patience, &error))?;
        answer::read(spec, patience, response, self.cap).await
    }

    fn filled(&self, headers: &[(HeaderName, Text)], values: &Values<'_>) -> Result<HeaderMap, ToolError> {
        let mut map = HeaderMap::new();
        for (name, text) in headers {
            let Some(text) = text.fill(values) else { continue };
            let value = HeaderValue::from_str(&text).map_err(|_| {
                errors::bad_argument(&self.about.spec, format!("the header `{name}` may hold no line breaks"))
            })?;
            map.insert(name.clone(), value);
        }
        Ok(map)
    }
}

#[async_trait]
impl Tool for HttpTool {
    fn spec(&self) -> &ToolSpec {
        &self.about.spec
    }

    fn standing(&self) -> Standing {
        Standing { source: Source::File, quarantine: None }
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let spec = &self.about.spec;
        let values = self.about.values(arguments, &call.key);
        let url = self.address.fill(&values).map_err(|problem| errors::bad_argument(spec, problem))?;
        let mut headers = self.filled(&self.headers, &values)?;
        if spec.effect.is_write() {
            let key = HeaderValue::from_str(&call.key)
                .map_err(|_| errors::failed(spec, "the key of the call cannot stand in a header"))?;
            headers.insert(self.idempotency_header.clone(), key);
        }
        let mut request = self.client.request(self.method.clone(), url).headers(headers);
        if let Some(body) = self.body.as_ref().and_then(|body| body.fill(&values)) {
            request = request.json(&body);
        }
        let answer = self.send(request).await?;
        answer.into_result(spec, self.result.as_deref(), self.cap)
    }

    async fn read_back(&self, key: &str) -> Result<Option<Value>, ToolError> {
        let Some(read_back) = &self.read_back else { return Ok(None) };
        let spec = &self.about.spec;
        let values = self.about.values(&Value::Null, key);
        let url = read_back.address.fill(&values).map_err(|problem| errors::unavailable(spec, problem))?;
        let headers = self.filled(&read_back.headers, &values)?;
        let answer = self.send(self.client.get(url).headers(headers)).await?;
        match answer.status {
            StatusCode::NOT_FOUND => Ok(None),
            StatusCode::OK => answer.into_result(spec, read_back.result.as_deref(), self.cap).map(Some),
            _ => Err(errors::unavailable(spec, format!("reading back: {}", answer.words()))),
        }
    }
}

impl ReadBack {
    fn new(
        about: &About,
        http: &HttpForm,
        form: Option<&ReadBackForm>,
        scope: &Scope<'_>,
    ) -> Result<Option<Self>, String> {
        let wanted = matches!(about.spec.effect, Effect::Write { repeat: Repeat::ReadBack, .. });
        let form = match (wanted, form) {
            (true, Some(form)) => form,
            (false, None) => return Ok(None),
            (true, None) => return Err("`repeat = \"read_back\"` needs `[tool.read_back]`".into()),
            (false, Some(_)) => return Err("`[tool.read_back]` needs `repeat = \"read_back\"`".into()),
        };
        // When a key is read back its arguments are no longer at hand.
        let none = std::collections::BTreeSet::new();
        let keyed = Scope { parameters: &none, env: scope.env };
        let address = Address::new(about, &form.url, &Default::default(), &keyed)?;
        if !address.has_key() {
            return Err("the url of `read_back` must contain `{key}`".into());
        }
        let headers = match &form.headers {
            Some(own) => headers(own, &keyed)?,
            None => {
                let mut inherited = headers(&http.headers, scope)?;
                inherited.retain(|(_, text)| text.parameters().next().is_none());
                inherited
            }
        };
        Ok(Some(Self { address, headers, result: form.result.as_deref().map(pointer).transpose()? }))
    }
}

fn headers(
    form: &std::collections::BTreeMap<String, String>,
    scope: &Scope<'_>,
) -> Result<Vec<(HeaderName, Text)>, String> {
    form.iter().map(|(name, text)| Ok((header_name(name)?, Text::parse(text, scope)?))).collect()
}

fn header_name(name: &str) -> Result<HeaderName, String> {
    HeaderName::from_bytes(name.as_bytes()).map_err(|_| format!("`{name}` is not the name of a header"))
}

fn pointer(text: &str) -> Result<String, String> {
    match text.is_empty() || text.starts_with('/') {
        true => Ok(text.to_owned()),
        false => Err(format!("`result = \"{text}\"` is not a JSON pointer; write `/{text}`")),
    }
}
