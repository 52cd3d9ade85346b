//! Tools as people read about them.

use domain::tool::{Effect, Repeat, ToolSpec};
use serde_json::Value;

use super::Ink;
use super::table::{Cell, lines, table};
use super::text::{line, tame};

/// One line a tool.
pub fn listing(tools: &[&ToolSpec], ink: Ink) -> String {
    if tools.is_empty() {
        return "no tools\n".to_owned();
    }
    let rows = tools.iter().map(|spec| {
        let effect = match spec.effect {
            Effect::Read => Cell::from("read"),
            Effect::Egress => Cell::marked("egress", Ink::odd),
            Effect::Write { .. } => Cell::marked("write", Ink::odd),
        };
        vec![spec.name.to_string().into(), effect, line(&spec.description, 100).into()]
    });
    table(ink, &["TOOL", "EFFECT", "WHAT IT DOES"], rows.collect())
}

/// Everything about one tool.
pub fn page(spec: &ToolSpec, ink: Ink) -> String {
    let effect = match &spec.effect {
        Effect::Read => "read: changes nothing".to_owned(),
        Effect::Egress => "egress: changes nothing, but data leaves this machine".to_owned(),
        Effect::Write { reversible, repeat, external, .. } => {
            let repeat = match repeat {
                Repeat::Never => "never repeated",
                Repeat::SameKey => "may be repeated with the same key",
                Repeat::ReadBack => "can be asked whether it happened",
            };
            let reversible = if *reversible { "reversible" } else { "not reversible" };
            let external = if *external { "reaches beyond this machine" } else { "stays on this machine" };
            format!("write: {reversible}, {external}, {repeat}")
        }
    };
    let mut rows: Vec<Vec<Cell>> = vec![
        vec![Cell::marked("tool", Ink::faint), spec.name.to_string().into()],
        vec![Cell::marked("effect", Ink::faint), effect.into()],
    ];
    if let Some(timeout) = spec.timeout {
        rows.push(vec![Cell::marked("timeout", Ink::faint), super::text::duration(timeout).into()]);
    }
    format!("{}\n{}\n{}", lines(ink, &rows), tame(&spec.description), parameters(&spec.parameters, ink))
}

fn parameters(schema: &Value, ink: Ink) -> String {
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    let Some(properties) = schema["properties"].as_object().filter(|properties| !properties.is_empty()) else {
        return String::new();
    };
    let rows = properties.iter().map(|(name, about)| {
        let kind = match &about["type"] {
            Value::String(kind) => kind.clone(),
            Value::Null => "any".to_owned(),
            other => other.to_string(),
        };
        let must = if required(name) { "required" } else { "optional" };
        let words = about["description"].as_str().unwrap_or_default();
        vec![line(name, 60).into(), line(&kind, 30).into(), must.into(), line(words, 120).into()]
    });
    format!("\n{}", table(ink, &["ARGUMENT", "TYPE", "", "WHAT IT IS"], rows.collect()))
}
