//! Functions that clients carry out themselves, in the two ways in which they write them down.

use domain::chat::{AnswerSchema, Callable};
use serde_json::Value;

use crate::error::ApiError;
use crate::talk::messages::{Choice, callable};

/// Where a function stands: chat completions put it in a field of its own, responses do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Nested,
    Flat,
}

impl Style {
    /// What says about a function.
    fn within(self, value: &Value) -> &Value {
        match self {
            Style::Nested => &value["function"],
            Style::Flat => value,
        }
    }

    fn path(self, at: String) -> String {
        match self {
            Style::Nested => format!("{at}.function"),
            Style::Flat => at,
        }
    }
}

/// The functions of a request.
pub(crate) fn read(tools: &[Value], style: Style) -> Result<Vec<Callable>, ApiError> {
    tools.iter().enumerate().map(|(at, tool)| one(tool, at, style)).collect()
}

fn one(tool: &Value, at: usize, style: Style) -> Result<Callable, ApiError> {
    let at = format!("tools[{at}]");
    match tool["type"].as_str() {
        Some("function") => {}
        Some(other) => {
            let words = format!("`{at}` is of type `{other}`; only functions can be called");
            return Err(ApiError::invalid(&format!("{at}.type"), words));
        }
        None => return Err(ApiError::invalid(&format!("{at}.type"), format!("`{at}.type` must be `function`"))),
    }
    let (says, path) = (style.within(tool), style.path(at));
    let name = says["name"].as_str();
    let name = name.ok_or_else(|| ApiError::invalid(&format!("{path}.name"), format!("`{path}.name` is missing")))?;
    callable(name, says["description"].as_str(), says.get("parameters"), &path)
}

/// Which of them may be called.
pub(crate) fn choice(said: Option<&Value>, style: Style) -> Result<Choice, ApiError> {
    let wrong = || {
        let words = "`tool_choice` must be `auto`, `none`, `required`, or name a function";
        ApiError::invalid("tool_choice", words)
    };
    match said {
        None | Some(Value::Null) => Ok(Choice::Auto),
        Some(Value::String(word)) => match word.as_str() {
            "auto" => Ok(Choice::Auto),
            "none" => Ok(Choice::Nothing),
            "required" => Ok(Choice::Something),
            _ => Err(wrong()),
        },
        Some(named) if named["type"] == "function" => {
            let name = style.within(named)["name"].as_str().ok_or_else(wrong)?;
            Ok(Choice::This(name.to_owned()))
        }
        Some(_) => Err(wrong()),
    }
}

/// The form an answer must have, where one is asked for; `says` is what says about it.
pub(crate) fn form(says: Option<&Value>, param: &str, style: Style) -> Result<Option<AnswerSchema>, ApiError> {
    let Some(says) = says.filter(|says| !says.is_null()) else { return Ok(None) };
    match says["type"].as_str() {
        Some("text") => Ok(None),
        Some("json_object") => {
            Ok(Some(AnswerSchema { name: "answer".into(), schema: serde_json::json!({"type": "object"}) }))
        }
        Some("json_schema") => {
            let form = match style {
                Style::Nested => &says["json_schema"],
                Style::Flat => says,
            };
            let schema = form["schema"].as_object();
            let schema = schema.ok_or_else(|| ApiError::invalid(param, format!("`{param}` has no `schema`")))?;
            let name = form["name"].as_str().unwrap_or("answer").to_owned();
            Ok(Some(AnswerSchema { name, schema: Value::Object(schema.clone()) }))
        }
        _ => {
            let words = format!("`{param}.type` must be `text`, `json_object` or `json_schema`");
            Err(ApiError::invalid(&format!("{param}.type"), words))
        }
    }
}
