//! `search.web`: the web, through the search engine that the operator chose.

use std::time::Duration;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use reqwest::header::{ACCEPT, HeaderValue};
use reqwest::{Client, RequestBuilder, Url};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::markup;
use crate::words::capped;
use crate::{declare, errors};

/// Where Brave answers unless the operator says otherwise.
pub const BRAVE_URL: &str = "https://api.search.brave.com/res/v1/web/search";

/// How long an engine may take.
const PATIENCE: Duration = Duration::from_secs(15);
/// The longest question, in characters, that engines take.
const QUERY: usize = 400;
const MOST: usize = 20;
const SAID: usize = 3;

/// A search engine.
#[derive(Clone)]
pub enum Web {
    /// An instance of SearXNG that allows the format `json`.
    Searxng {
        /// Its address, without `search`.
        url: Url,
    },
    /// Brave's API.
    Brave {
        /// Its endpoint, usually [`BRAVE_URL`].
        url: Url,
        /// The subscription's token, which is sent there and nowhere else.
        token: String,
    },
}

pub(super) struct WebSearch {
    spec: ToolSpec,
    web: Web,
    client: Client,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What to look for.
    #[schemars(length(min = 1))]
    query: String,
    /// How many results to bring, 5 when left out, at most 20.
    #[schemars(range(min = 1))]
    limit: Option<usize>,
}

/// The parts of an answer that are used, whichever engine gave it.
#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    results: Vec<Found>,
    web: Option<Results>,
}

#[derive(Deserialize)]
struct Results {
    #[serde(default)]
    results: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    title: String,
    url: String,
    #[serde(alias = "content")]
    description: Option<String>,
}

impl WebSearch {
    pub(super) fn new(web: Web, client: Client) -> Self {
        let mut spec = declare::spec::<Arguments>(
            "search.web",
            "Searches the web and brings titles, addresses and snippets.",
            Effect::Egress,
        );
        spec.timeout = Some(PATIENCE + Duration::from_secs(5));
        let result = json!({"title": "string", "url": "string", "snippet": "string"});
        let results = declare::list(declare::fields(result, json!({})));
        let returns = declare::fields(json!({"said": "string", "found": "integer", "results": results}), json!({}));
        Self { spec: declare::returning(spec, returns), web, client }
    }

    fn request(&self, query: &str, limit: usize) -> Result<RequestBuilder, ToolError> {
        match &self.web {
            Web::Searxng { url } => {
                let mut url = url.clone();
                let path = format!("{}/search", url.path().trim_end_matches('/'));
                url.set_path(&path);
                url.query_pairs_mut().extend_pairs([("q", query), ("format", "json")]);
                Ok(self.client.get(url))
            }
            Web::Brave { url, token } => {
                let mut url = url.clone();
                let count = limit.to_string();
                url.query_pairs_mut().extend_pairs([("q", query), ("count", &count)]);
                let mut token = HeaderValue::from_str(token)
                    .map_err(|_| errors::failed(&self.spec, "the token of Brave cannot stand in a header"))?;
                token.set_sensitive(true);
                let request = self.client.get(url).header("X-Subscription-Token", token);
                Ok(request.header(ACCEPT, HeaderValue::from_static("application/json")))
            }
        }
    }

    fn explained(&self, error: ToolError) -> ToolError {
        match (&self.web, error) {
            (Web::Searxng { .. }, ToolError::Failed { tool, detail }) if detail.contains("403") => {
                let hint = "; SearXNG answers only where `json` is among its `search.formats`";
                ToolError::Failed { tool, detail: format!("{detail}{hint}") }
            }
            (_, ToolError::Unavailable { tool, detail }) => {
                ToolError::Unavailable { tool, detail: format!("the search engine cannot be reached ({detail})") }
            }
            (_, other) => other,
        }
    }
}

#[async_trait]
impl Tool for WebSearch {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let Arguments { query, limit } = declare::parse(&self.spec, arguments)?;
        let query = query.split_whitespace().collect::<Vec<_>>().join(" ");
        let length = query.chars().count();
        if length == 0 || length > QUERY {
            let problem = format!("`query` must hold between 1 and {QUERY} characters, got {length}");
            return Err(errors::bad_argument(&self.spec, problem));
        }
        let limit = limit.unwrap_or(5).clamp(1, MOST);
        let answer = crate::http::json(&self.spec, self.request(&query, limit)?, PATIENCE).await;
        let answer = Answer::deserialize(answer.map_err(|error| self.explained(error))?)
            .map_err(|error| errors::failed(&self.spec, format!("the search engine answered oddly: {error}")))?;
        let found = answer.web.map_or(answer.results, |web| web.results);
        let results: Vec<(String, String, String)> = found.into_iter().take(limit).map(cleaned).collect();
        let query = capped(&query, 60);
        let said = match results.as_slice() {
            [] => format!("Nothing was found on the web for “{query}”."),
            results => {
                let lines = results.iter().take(SAID).enumerate().map(|(at, (title, url, snippet))| {
                    format!("{}. {title} ({url}): {}", at + 1, capped(snippet, 160))
                });
                let first = format!("The web has for “{query}”:");
                std::iter::once(first).chain(lines).collect::<Vec<_>>().join("\n")
            }
        };
        let results: Vec<Value> = results
            .into_iter()
            .map(|(title, url, snippet)| json!({"title": title, "url": url, "snippet": snippet}))
            .collect();
        Ok(json!({"said": said, "found": results.len(), "results": results}))
    }
}

/// A result without markup, in lines of a length that can be read.
fn cleaned(found: Found) -> (String, String, String) {
    let plain = |text: &str, most| {
        let text = markup::stripped(text);
        capped(&text.split_whitespace().collect::<Vec<_>>().join(" "), most)
    };
    let title = match plain(&found.title, 120) {
        title if title.is_empty() => capped(&found.url, 120),
        title => title,
    };
    let snippet = plain(found.description.as_deref().unwrap_or_default(), 400);
    (title, capped(&found.url, 2000), snippet)
}
