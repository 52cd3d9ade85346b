//! What callers of a stage send, read once and refused in words.

use domain::run::RunStatus;
use domain::stage::Stage;
use jiff::Timestamp;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use utoipa::ToSchema;

use super::shape;
use crate::error::ApiError;
use crate::schema::{Line, Words};

/// The most agents that a chain can name.
pub(super) const LONGEST_CHAIN: usize = 100;
/// The years whose moments a database can keep.
const YEARS: std::ops::RangeInclusive<i16> = 1970..=2261;

/// A stage and what it is to work on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Call {
    pub(super) context: Context,
    /// The request that it belongs to. Only `thought-agent`, where a request begins, does without.
    #[serde(default)]
    #[schema(schema_with = shape::request_context, required = false)]
    pub(super) request_context: Option<Said>,
    /// The agent again, by any of its names. Another agent's name is refused.
    #[serde(default)]
    #[schema(schema_with = shape::line_or_null, required = false)]
    pub(super) agent_id: Option<Line>,
}

/// What was reasoned so far: words, what another stage answered as it is, or what somebody else's stage said.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Context {
    /// What was thought.
    #[schema(value_type = Value, required = false)]
    pub(super) thoughts: Option<Value>,
    /// The plan.
    #[schema(value_type = Value, required = false)]
    pub(super) plan: Option<Value>,
    /// The critique.
    #[schema(value_type = Value, required = false)]
    pub(super) critique: Option<Value>,
    /// The confidence: a number from 0 to 1, or an object with it as `overall`.
    #[schema(value_type = Value, required = false)]
    pub(super) confidence_score: Option<Value>,
    /// What the meta-agent said.
    #[schema(value_type = Value, required = false)]
    pub(super) assessment: Option<Value>,
}

/// What a caller says about a request. What else stands there is the caller's own and not read.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Said {
    pub(super) request_id: Option<Line>,
    #[serde(default, deserialize_with = "in_reach")]
    pub(super) created_at: Option<Timestamp>,
    #[serde(default, deserialize_with = "not_too_long")]
    pub(super) agent_chain: Option<Vec<Line>>,
    pub(super) status: Option<RunStatus>,
    pub(super) user_query: Option<Words>,
}

/// Reads the body of a call.
pub(super) fn read(stage: Stage, body: Value) -> Result<Call, ApiError> {
    if !body.get("context").is_some_and(Value::is_object) {
        return Err(ApiError::invalid("context", "context (object) is required"));
    }
    let said = body.get("requestContext").and_then(|it| it.get("requestId")).and_then(Value::as_str);
    if stage != Stage::Thinker && said.is_none_or(|id| id.trim().is_empty()) {
        return Err(ApiError::invalid("requestContext", "requestContext with requestId is required"));
    }
    if body.get("requestContext").is_some_and(|it| !it.is_object() && !it.is_null()) {
        return Err(ApiError::invalid("requestContext", "requestContext must be an object"));
    }
    let call: Call = serde_path_to_error::deserialize(body).map_err(|error| {
        let (path, why) = (error.path().to_string(), error.inner().to_string());
        ApiError::invalid(&path, format!("the body is wrong at `{path}`: {why}"))
    })?;
    if let Some(id) = &call.agent_id
        && !names(stage, id.as_str())
    {
        let name = stage.name();
        let message = format!("`agentId` is `{}`, but this is `{name}`: send that, or nothing", id.as_str());
        return Err(ApiError::invalid("agentId", message));
    }
    Ok(call)
}

/// Whether a stage goes by a name: as in the URL or as in the configuration, however it is spelt.
fn names(stage: Stage, name: &str) -> bool {
    let bare = |name: &str| name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    [stage.name(), stage.component()].map(bare).contains(&bare(name))
}

fn in_reach<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let at: Option<Timestamp> = Deserialize::deserialize(deserializer)?;
    let year = |at: Timestamp| at.to_zoned(jiff::tz::TimeZone::UTC).year();
    match at {
        Some(at) if !YEARS.contains(&year(at)) => {
            let (first, last) = (YEARS.start(), YEARS.end());
            Err(serde::de::Error::custom(format!("it must lie between the years {first} and {last}")))
        }
        at => Ok(at),
    }
}

fn not_too_long<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Line>>, D::Error> {
    let chain: Option<Vec<Line>> = Deserialize::deserialize(deserializer)?;
    match chain.as_ref().map_or(0, Vec::len) {
        0..=LONGEST_CHAIN => Ok(chain),
        count => Err(serde::de::Error::custom(format!("it has {count} agents; at most {LONGEST_CHAIN} are read"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(stage: Stage, body: Value) -> String {
        read(stage, body).expect_err("refused").to_string()
    }

    #[test]
    fn what_is_missing_is_said_in_the_words_that_clients_know() {
        for body in [json!({}), json!([]), json!(null), json!({"context": "x"}), json!({"context": []})] {
            assert_eq!(refused(Stage::MetaAgent, body), "context (object) is required");
        }
        for said in [json!(null), json!({}), json!("r"), json!({"requestId": ""}), json!({"requestId": 7})] {
            let body = json!({"context": {}, "requestContext": said});
            assert_eq!(refused(Stage::Replanner, body), "requestContext with requestId is required");
        }
        assert!(read(Stage::Thinker, json!({"context": {}})).is_ok());
        let listed = json!({"context": {}, "requestContext": ["r"]});
        assert_eq!(refused(Stage::Thinker, listed), "requestContext must be an object");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let of = |said: Value| refused(Stage::Critic, json!({"context": {}, "requestContext": said}));
        let status = of(json!({"requestId": "r", "status": "done"}));
        assert!(status.contains("requestContext.status") && status.contains("`cancelled`"), "{status}");
        assert!(of(json!({"requestId": "r", "createdAt": "soon"})).contains("createdAt"));
        assert!(of(json!({"requestId": "r", "createdAt": "9999-01-01T00:00:00Z"})).contains("2261"));
        assert!(of(json!({"requestId": "x".repeat(201)})).contains("201 characters"));
        assert!(of(json!({"requestId": "a\u{7}b"})).contains("control"));
        assert!(of(json!({"requestId": "r", "agentChain": vec!["a"; 101]})).contains("101 agents"));
        let unknown = refused(Stage::Critic, json!({"context": {"plans": 1}, "requestContext": {"requestId": "r"}}));
        assert!(unknown.contains("`plans`"), "{unknown}");
    }

    #[test]
    fn an_agent_goes_by_its_own_names_only() {
        let of = |id: &str| {
            let body = json!({"context": {}, "requestContext": {"requestId": "r"}, "agentId": id});
            read(Stage::MetaAgent, body).map(|_| ()).map_err(|error| error.to_string())
        };
        for own in ["meta-agent", "meta_agent", "MetaAgent", "Meta Agent"] {
            assert_eq!(of(own), Ok(()), "{own}");
        }
        assert_eq!(
            of("critic-agent"),
            Err("`agentId` is `critic-agent`, but this is `meta-agent`: send that, or nothing".into())
        );
    }
}
