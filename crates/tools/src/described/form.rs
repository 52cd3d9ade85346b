//! How a described tool is written down. Unknown keys are errors everywhere.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::id::ToolName;
use domain::tool::{Effect, Repeat};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::words::nearest;

/// One file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    #[serde(default)]
    pub(crate) tool: Vec<ToolForm>,
}

/// One `[[tool]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolForm {
    pub(crate) name: ToolName,
    pub(crate) description: String,
    effect: EffectWord,
    reversible: Option<bool>,
    repeat: Option<Repeat>,
    external: Option<bool>,
    targets: Option<Vec<String>>,
    timeout: Option<String>,
    parameters: Option<BTreeMap<String, Map<String, Value>>>,
    schema: Option<Value>,
    pub(crate) returns: Option<Value>,
    pub(crate) http: Option<HttpForm>,
    pub(crate) command: Option<CommandForm>,
    pub(crate) read_back: Option<ReadBackForm>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EffectWord {
    Read,
    Egress,
    Write,
}

/// `[tool.http]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HttpForm {
    pub(crate) method: Option<String>,
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) query: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Option<Value>,
    pub(crate) result: Option<String>,
    pub(crate) max_output: Option<String>,
    pub(crate) idempotency_header: Option<String>,
}

/// `[tool.read_back]`: where an HTTP tool's receiver can be asked about a key.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadBackForm {
    pub(crate) url: String,
    pub(crate) headers: Option<BTreeMap<String, String>>,
    pub(crate) result: Option<String>,
}

/// `[tool.command]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommandForm {
    pub(crate) program: String,
    #[serde(default)]
    pub(crate) args: Vec<Value>,
    pub(crate) stdin: Option<String>,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) cwd: Option<String>,
    #[serde(default)]
    pub(crate) output: Output,
    pub(crate) max_output: Option<String>,
}

/// What a command's standard output is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Output {
    /// One text.
    #[default]
    Text,
    /// A JSON value.
    Json,
    /// A list of lines.
    Lines,
}

/// The keywords a parameter may use; `required` is ours, the others are JSON schema.
const KEYWORDS: &[&str] = &[
    "type",
    "description",
    "required",
    "default",
    "enum",
    "const",
    "title",
    "examples",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "items",
    "properties",
    "additionalProperties",
    "anyOf",
    "oneOf",
];

impl ToolForm {
    /// The JSON schema of the parameters.
    pub(crate) fn schema(&self) -> Result<Value, String> {
        match (&self.parameters, &self.schema) {
            (Some(_), Some(_)) => Err("`parameters` and `schema` exclude each other".into()),
            (None, Some(schema)) => Ok(schema.clone()),
            (None, None) => Ok(json!({"type": "object", "properties": {}, "additionalProperties": false})),
            (Some(parameters), None) => {
                let mut properties = Map::new();
                let mut required = Vec::new();
                for (name, form) in parameters {
                    let mut form = form.clone();
                    if let Some(unknown) = form.keys().find(|key| !KEYWORDS.contains(&key.as_str())) {
                        let near = nearest(unknown, KEYWORDS.iter().copied());
                        return Err(unknown_key(unknown, near, &format!("parameters.{name}")));
                    }
                    let is_required = match form.get("required").and_then(Value::as_bool) {
                        Some(said) => form.remove("required").is_some() && said,
                        None => !form.contains_key("default"),
                    };
                    if is_required {
                        required.push(name.clone());
                    }
                    properties.insert(name.clone(), form.into());
                }
                Ok(json!({
                    "type": "object", "properties": properties, "required": required, "additionalProperties": false,
                }))
            }
        }
    }

    /// What calling it does, as declared.
    pub(crate) fn effect(&self, parameters: &Value) -> Result<Effect, String> {
        let said = [
            ("reversible", self.reversible.is_some()),
            ("repeat", self.repeat.is_some()),
            ("external", self.external.is_some()),
            ("targets", self.targets.is_some()),
        ];
        let stray = said.iter().find(|(_, said)| *said).filter(|_| self.effect != EffectWord::Write);
        if let Some((key, _)) = stray {
            return Err(format!("`{key}` is for tools with `effect = \"write\"`"));
        }
        let targets = self.targets.clone().unwrap_or_default();
        if let Some(unknown) = targets.iter().find(|target| parameters["properties"].get(target.as_str()).is_none()) {
            return Err(format!("the target `{unknown}` is not a parameter"));
        }
        Ok(match self.effect {
            EffectWord::Read => Effect::Read,
            EffectWord::Egress => Effect::Egress,
            EffectWord::Write => Effect::Write {
                reversible: self.reversible.unwrap_or(false),
                repeat: self.repeat.unwrap_or_default(),
                external: self.external.unwrap_or(self.http.is_some()),
                targets,
            },
        })
    }

    /// How long one call may take.
    pub(crate) fn timeout(&self) -> Result<Duration, String> {
        let text = self.timeout.as_deref().unwrap_or("30s");
        let wrong = || format!("`timeout = \"{text}\"` is not a duration; write `10s` or `500ms`");
        let duration: jiff::SignedDuration = text.parse().map_err(|_| wrong())?;
        Duration::try_from(duration).ok().filter(|duration| !duration.is_zero()).ok_or_else(wrong)
    }
}

/// A number of bytes written as `64KB`.
pub(crate) fn bytes(text: Option<&str>, default: usize) -> Result<usize, String> {
    let Some(text) = text else { return Ok(default) };
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let unit = match text[digits..].trim() {
        "" | "B" => Some(1),
        "KB" | "KiB" => Some(1 << 10),
        "MB" | "MiB" => Some(1 << 20),
        _ => None,
    };
    text[..digits]
        .parse::<usize>()
        .ok()
        .zip(unit)
        .and_then(|(count, unit)| count.checked_mul(unit))
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| format!("`max_output = \"{text}\"` is not a size; write `64KB` or `1MB`"))
}

/// Reads a file's text. Errors name the line, and for an unknown key the nearest known one.
pub(crate) fn parse(text: &str) -> Result<File, String> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        let at = line.map_or(String::new(), |line| format!("line {line}: "));
        let message = with_nearest(error.message());
        format!("{at}{}", if message.is_empty() { "this is not TOML" } else { &message })
    })
}

fn unknown_key(key: &str, near: Option<&str>, place: &str) -> String {
    let near = near.map_or(String::new(), |near| format!("; the nearest is `{near}`"));
    format!("`{key}` is not a key of `{place}`{near}")
}

/// The parser names all keys there could be; the nearest is what helps.
fn with_nearest(message: &str) -> String {
    let Some(rest) = message.strip_prefix("unknown field `") else { return message.trim().to_owned() };
    let mut words = rest.split('`').step_by(2);
    let unknown = words.next().unwrap_or_default();
    match nearest(unknown, words) {
        Some(near) => format!("`{unknown}` is not a known key; the nearest is `{near}`"),
        None => message.trim().to_owned(),
    }
}
