//! Tools as people read about them.

use domain::tool::{Effect, Repeat, Source, Standing, ToolSpec, Toolbox};
use serde::Serialize;
use serde_json::Value;

use super::Ink;
use super::table::{Cell, lines, table};
use super::text::{line, tame};

/// A tool with how it stands.
#[derive(Debug, Clone, Serialize)]
pub struct Known<'t> {
    /// Its declaration.
    #[serde(flatten)]
    pub spec: &'t ToolSpec,
    /// Where it comes from, and whether it may be called.
    #[serde(flatten)]
    pub standing: Standing,
}

impl<'t> Known<'t> {
    /// One of the tools there are.
    pub fn of(tools: &dyn Toolbox, spec: &'t ToolSpec) -> Self {
        Self { spec, standing: tools.tool(&spec.name).map(|tool| tool.standing()).unwrap_or_default() }
    }
}

/// One line a tool.
pub fn listing(tools: &[Known<'_>], ink: Ink) -> String {
    if tools.is_empty() {
        return "no tools\n".to_owned();
    }
    let rows = tools.iter().map(|Known { spec, standing }| {
        let effect = match spec.effect {
            Effect::Read => Cell::from("read"),
            Effect::Egress => Cell::marked("egress", Ink::odd),
            Effect::Write { .. } => Cell::marked("write", Ink::odd),
        };
        let words = match (&standing.quarantine, &standing.source) {
            (Some(_), _) => format!("[quarantined] {}", spec.description),
            (None, Source::Mcp(_)) => format!("[{}] {}", standing.source, spec.description),
            (None, Source::BuiltIn | Source::File) => spec.description.clone(),
        };
        vec![spec.name.to_string().into(), effect, line(&words, 100).into()]
    });
    table(ink, &["TOOL", "EFFECT", "WHAT IT DOES"], rows.collect())
}

/// Everything about one tool.
pub fn page(tool: &Known<'_>, ink: Ink) -> String {
    let Known { spec, standing } = tool;
    let mut rows: Vec<Vec<Cell>> = vec![
        vec![Cell::marked("tool", Ink::faint), spec.name.to_string().into()],
        vec![Cell::marked("effect", Ink::faint), effect_words(&spec.effect).into()],
    ];
    if standing.source != Source::BuiltIn {
        rows.push(vec![Cell::marked("source", Ink::faint), standing.source.to_string().into()]);
    }
    if let Some(reason) = &standing.quarantine {
        rows.push(vec![Cell::marked("quarantined", Ink::bad), tame(reason).into_owned().into()]);
    }
    if let Some(timeout) = spec.timeout {
        rows.push(vec![Cell::marked("timeout", Ink::faint), super::text::duration(timeout).into()]);
    }
    format!("{}\n{}\n{}", lines(ink, &rows), tame(&spec.description), parameters(&spec.parameters, ink))
}

/// What calling a tool does, in words.
pub(super) fn effect_words(effect: &Effect) -> String {
    match effect {
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
    }
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
