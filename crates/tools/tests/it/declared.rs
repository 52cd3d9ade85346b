//! What tools declare about their results, held against every result that any test gets.

use std::sync::Arc;

use domain::shelf::Shelf;
use domain::tool::{Tool, ToolError, ToolSpec};
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use tools::{Builtins, Calendar, Notify, SmartHome, Summarization, Timers};

use crate::notebook::Notebook;
use crate::search::Desk;
use crate::timer_world::Waiting;

/// Hands a result on once it turned out to be what its tool declares. Who lists fields lists all of them, as plans are
/// checked against them: an answer with another is as wrong as one without what it must have.
#[track_caller]
pub(crate) fn as_declared(spec: &ToolSpec, result: Result<Value, ToolError>) -> Result<Value, ToolError> {
    if let (Some(returns), Ok(answer)) = (&spec.returns, &result) {
        let problems = problems(returns, answer);
        assert!(problems.is_empty(), "`{}` answers what it does not declare: {problems:#?} in {answer:#}", spec.name);
    }
    result
}

fn problems(returns: &Value, answer: &Value) -> Vec<String> {
    let closed = jsonschema::validator_for(&closed(returns)).expect("a schema");
    closed.iter_errors(answer).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// The schema, where no object has a field that is not listed unless it says that it may.
fn closed(schema: &Value) -> Value {
    match schema {
        Value::Object(parts) => {
            let mut parts: serde_json::Map<String, Value> =
                parts.iter().map(|(name, part)| (name.clone(), closed(part))).collect();
            if parts.get("properties").is_some_and(Value::is_object) && parts.contains_key("type") {
                parts.entry("additionalProperties").or_insert(json!(false));
            }
            parts.into()
        }
        Value::Array(parts) => parts.iter().map(closed).collect(),
        other => other.clone(),
    }
}

/// Every tool that is built in.
fn all() -> Vec<Arc<dyn Tool>> {
    let notebook = Arc::<Notebook>::default();
    let shelf = || -> Arc<dyn Shelf> { notebook.clone() };
    let mut desk = Desk::new();
    desk.web = Some(tools::Web::Searxng { url: "http://127.0.0.1:1/".parse().expect("url") });
    let zone = TimeZone::UTC;
    let builtins = Builtins {
        notify: Notify::Log,
        audit: "audit.jsonl".into(),
        errors: "errors.jsonl".into(),
        store: notebook.clone(),
        starter: Arc::<Waiting>::default(),
        zone: zone.clone(),
    };
    let timers = Timers { shelf: shelf(), starter: Arc::<Waiting>::default(), zone: zone.clone() };
    [
        tools::builtin(builtins),
        tools::timer(timers),
        tools::calendar(Calendar { shelf: shelf(), zone, caldav: None, files: None }),
        tools::weather(crate::weather::weather("http://127.0.0.1:1", &notebook)),
        desk.tools(),
        tools::summarization(Summarization { folders: Vec::new(), ignore: Vec::new() }),
        tools::smart_home(SmartHome::Virtual { shelf: shelf() }),
    ]
    .concat()
}

#[test]
fn every_tool_that_is_built_in_says_what_it_answers() {
    let tools = all();
    assert!(tools.len() > 35, "only {} tools", tools.len());
    for tool in &tools {
        let spec = tool.spec();
        let returns = spec.returns.as_ref().unwrap_or_else(|| panic!("`{}` declares no results", spec.name));
        let listed = returns["properties"].as_object().is_some_and(|fields| !fields.is_empty());
        assert!(returns["type"] == "object" && listed, "`{}` lists no fields: {returns}", spec.name);
        let required = returns["required"].as_array().expect("a list").iter().filter_map(Value::as_str);
        for name in required {
            assert!(returns["properties"][name].is_object(), "`{}` requires an unknown `{name}`", spec.name);
        }
    }
}

#[test]
fn an_answer_that_is_not_as_declared_is_found_out() {
    let inner = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let fields = json!({"said": {"type": "string"}, "inner": inner});
    let returns = &json!({"type": "object", "properties": fields, "required": ["said"]});
    assert_eq!(problems(returns, &json!({"said": "yes", "inner": {"n": 1}})), Vec::<String>::new());
    for wrong in [json!({}), json!({"said": 1}), json!({"said": "", "more": 1}), json!({"said": "", "inner": {"m": 1}})]
    {
        assert_eq!(problems(returns, &wrong).len(), 1, "{wrong}");
    }
}
