//! What must be so before a filled skill is carried out. The verifier proves the plan itself; this is what it cannot know:
//! that the tools are those the skill was made with, and that the values were taken with confidence.

use domain::id::ToolName;
use domain::plan::{Action, Call, Plan};
use domain::reference::is_template;
use domain::skill::{Guard, Guarded, Skill};
use domain::tool::ToolSpec;
use domain::{confidence::EXECUTE_FROM, hash::Hash};
use serde_json::Value;

use super::fill::Filled;

/// Every guard of a skill for one request, held or not, each in words. It is carried out only if all held.
pub fn guards(skill: &Skill, specs: &[&ToolSpec], filled: &Filled) -> Vec<Guard> {
    let mut guards = Vec::new();
    let mut add = |on, held, words: String| guards.push(Guard { on, held, words });
    let known = |tool: &ToolName| specs.iter().copied().find(|spec| spec.name == *tool);
    for (tool, pin) in &skill.pins {
        match known(tool) {
            None => add(Guarded::Tool, false, format!("`{tool}` is not there any more")),
            Some(spec) if Hash::of_json(spec) != *pin => {
                add(Guarded::Declaration, false, format!("`{tool}` has changed since the skill was made"));
            }
            Some(_) => add(Guarded::Declaration, true, format!("`{tool}` is there and has not changed")),
        }
    }
    for value in &filled.values {
        let said = format!("`{}` is `{}`, sure to {}", value.parameter, value.value.said, value.confidence);
        add(Guarded::Value, value.confidence.get() >= EXECUTE_FROM, said);
    }
    match Plan::try_from(filled.plan.clone()) {
        Err(why) => add(Guarded::Arguments, false, format!("it is no plan: {why}")),
        Ok(plan) => {
            for tool in plan.tools().iter().filter(|tool| !skill.pins.contains_key(*tool)) {
                add(Guarded::Declaration, false, format!("`{tool}` was not there when the skill was made"));
            }
            for call in calls(&plan) {
                let Some(spec) = known(&call.tool) else { continue };
                match misfit(&spec.parameters, &call.arguments, "the arguments") {
                    None => add(Guarded::Arguments, true, format!("`{}` gets what it takes", call.tool)),
                    Some(why) => add(Guarded::Arguments, false, format!("`{}`: {why}", call.tool)),
                }
            }
        }
    }
    if skill.failures > 0 && skill.failures >= skill.successes {
        let (failures, successes) = (skill.failures, skill.successes);
        add(Guarded::Record, false, format!("it failed {failures} times and worked {successes} times"));
    }
    guards
}

fn calls(plan: &Plan) -> Vec<Call> {
    let of_action = |action: &Action| match action {
        Action::Call(call) => Some(call.clone()),
        Action::Agent(_) => None,
    };
    let mut calls: Vec<Call> = Vec::new();
    for step in plan.steps() {
        calls.extend(std::iter::once(&step.action).chain(&step.alternatives).filter_map(of_action));
        calls.extend(step.undo.clone());
    }
    calls.extend(plan.intents().iter().map(|it| Call { tool: it.tool.clone(), arguments: it.arguments.clone() }));
    calls
}

/// How a value is unlike its schema: types, choices, what must be there and what may not. What is taken from results can
/// still become anything.
fn misfit(schema: &Value, value: &Value, what: &str) -> Option<String> {
    if value.as_str().is_some_and(is_template) {
        return None;
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|kind| is_a(value, kind)) {
        return Some(format!("{what} must be {}, not `{value}`", types.join(" or ")));
    }
    if let Some(choices) = schema["enum"].as_array().filter(|choices| !choices.contains(value)) {
        let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
        return Some(format!("{what} must be one of {}, not `{value}`", choices.join(", ")));
    }
    match value {
        Value::Object(fields) => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            if let Some(missing) = required.into_iter().find(|name| !fields.contains_key(*name)) {
                return Some(format!("`{missing}` is missing"));
            }
            let properties = schema["properties"].as_object();
            fields.iter().find_map(|(name, field)| match properties.and_then(|known| known.get(name)) {
                Some(schema) => misfit(schema, field, &format!("`{name}`")),
                None if schema["additionalProperties"] == Value::Bool(false) => Some(format!("there is no `{name}`")),
                None => None,
            })
        }
        Value::Array(items) if schema["items"].is_object() => {
            items.iter().find_map(|item| misfit(&schema["items"], item, &format!("an item of {what}")))
        }
        _ => None,
    }
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}
