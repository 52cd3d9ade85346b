//! Arguments and results against what a tool declares. Schemas are compiled once; problems are sentences that whoever
//! wrote the arguments can act on.

mod placeholder;
mod problem;

use std::collections::BTreeSet;

use domain::id::ToolName;
use domain::tool::{ToolError, ToolSpec};
use jsonschema::Validator;
use serde_json::{Map, Value};

use crate::errors;

/// The most problems one error names.
const PROBLEMS: usize = 8;

/// A tool's schemas, ready for use.
pub(crate) struct Checks {
    schema: Value,
    arguments: Validator,
    returns: Option<Validator>,
    required: BTreeSet<String>,
}

/// How far a call is from happening.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It is being planned: references stand for values of any type.
    Draft,
    /// It is about to be made.
    Call,
}

impl Checks {
    /// Compiles a tool's schemas, or says what is wrong with them.
    pub(crate) fn of(spec: &ToolSpec) -> Result<Self, String> {
        let schema = &spec.parameters;
        if schema["type"] != "object" {
            return Err("the schema of the parameters must be an object with `type = \"object\"`".into());
        }
        let compile = |schema: &Value, of: &str| {
            jsonschema::validator_for(schema).map_err(|error| {
                format!(
                    "the schema of the {of} is not a JSON schema: {}",
                    crate::words::capped(&error.to_string(), 300)
                )
            })
        };
        let arguments = compile(schema, "parameters")?;
        let returns = spec.returns.as_ref().map(|schema| compile(schema, "results")).transpose()?;
        let required = schema["required"].as_array().into_iter().flatten();
        let required = required.filter_map(Value::as_str).map(str::to_owned).collect();
        Ok(Self { schema: schema.clone(), arguments, returns, required })
    }

    pub(crate) fn arguments(&self, tool: &ToolName, arguments: &Value, stage: Stage) -> Result<(), ToolError> {
        let arguments = self.without_idle_nulls(arguments);
        let mut problems = Vec::new();
        // A schema that does not say what a value is lets null through.
        for name in &self.required {
            let says_nothing = self.schema["properties"][name].as_object().is_none_or(|schema| {
                !["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"]
                    .iter()
                    .any(|word| schema.contains_key(*word))
            });
            if says_nothing && arguments.get(name).is_some_and(Value::is_null) {
                problems.push(format!("`{name}` must not be null"));
            }
        }
        placeholder::find(&self.schema, &arguments, stage, &mut problems);
        for error in self.arguments.iter_errors(&arguments) {
            if stage == Stage::Call || !problem::hangs_on_a_reference(&error) {
                problem::describe(&error, &self.schema, "the arguments", &mut problems);
            }
        }
        refuse(problems, |problems| ToolError::BadArguments { tool: tool.clone(), problems })
    }

    pub(crate) fn result(&self, spec: &ToolSpec, result: &Value) -> Result<(), ToolError> {
        let Some(returns) = &self.returns else { return Ok(()) };
        let mut problems = Vec::new();
        for error in returns.iter_errors(result) {
            problem::describe(&error, &Value::Null, "the result", &mut problems);
        }
        refuse(problems, |problems| {
            let detail = format!("the result is not what the tool declares: {}", problems.join("; "));
            if spec.effect.is_write() { errors::lost(spec, detail) } else { errors::failed(spec, detail) }
        })
    }

    /// Models like to write null for what they do not need, and nothing at all for no arguments.
    fn without_idle_nulls(&self, arguments: &Value) -> Value {
        match arguments {
            Value::Null => Value::Object(Map::new()),
            Value::Object(fields) => fields
                .iter()
                .filter(|(name, value)| !value.is_null() || self.required.contains(*name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect::<Map<_, _>>()
                .into(),
            other => other.clone(),
        }
    }
}

fn refuse(mut problems: Vec<String>, error: impl FnOnce(Vec<String>) -> ToolError) -> Result<(), ToolError> {
    if problems.is_empty() {
        return Ok(());
    }
    let more = problems.len().saturating_sub(PROBLEMS);
    problems.truncate(PROBLEMS);
    if more > 0 {
        problems.push(format!("and {more} more problems"));
    }
    Err(error(problems))
}
