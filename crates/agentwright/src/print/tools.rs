//! Tools as people read about them.

use domain::id::ToolName;
use domain::money::Usd;
use domain::tool::{Effect, Repeat, Source, Standing, ToolSpec, Toolbox};
use domain::trace::ToolRecord;
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
    /// How calls of it went, where that was looked up and it was ever called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
}

/// How calls of a tool went, and what they cost.
#[derive(Debug, Clone, Serialize)]
pub struct Record {
    /// How they went.
    #[serde(flatten)]
    pub calls: ToolRecord,
    /// What a call costs, in dollars, where `tools.prices` says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd_per_call: Option<f64>,
    /// What all of them cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
}

impl Record {
    /// A record with what its calls cost.
    pub fn of(calls: ToolRecord, price: impl FnOnce(&ToolName) -> Option<f64>) -> Self {
        let usd_per_call = price(&calls.tool);
        let usd = usd_per_call.map(|price| price * calls.calls as f64);
        Self { calls, usd_per_call, usd }
    }
}

impl<'t> Known<'t> {
    /// One of the tools there are.
    pub fn of(tools: &dyn Toolbox, spec: &'t ToolSpec) -> Self {
        Self { spec, standing: tools.tool(&spec.name).map(|tool| tool.standing()).unwrap_or_default(), record: None }
    }
}

/// One line a tool.
pub fn listing(tools: &[Known<'_>], ink: Ink) -> String {
    if tools.is_empty() {
        return "no tools\n".to_owned();
    }
    let rows = tools.iter().map(|Known { spec, standing, .. }| {
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
    let Known { spec, standing, record } = tool;
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
    if let Some(record) = record {
        rows.push(vec![Cell::marked("calls", Ink::faint), record_words(record).into()]);
    }
    format!("{}\n{}\n{}", lines(ink, &rows), tame(&spec.description), parameters(&spec.parameters, ink))
}

/// How calls went, a line a tool.
pub fn records(records: &[Record], ink: Ink) -> String {
    if records.is_empty() {
        return "no calls yet\n".to_owned();
    }
    let money = |usd: Option<f64>| usd.map_or("-".to_owned(), |usd| Usd::dollars(usd).to_string());
    let rows = records.iter().map(|Record { calls: record, usd_per_call, usd }| {
        let failures = match record.failures {
            0 => Cell::from("0"),
            failures => Cell::marked(format!("{failures} ({:.0} %)", share(record) * 100.0), Ink::odd),
        };
        vec![
            record.tool.to_string().into(),
            record.calls.to_string().into(),
            failures,
            millis(record.p50_ms).into(),
            millis(record.p95_ms).into(),
            money(*usd_per_call).into(),
            money(*usd).into(),
        ]
    });
    table(ink, &["TOOL", "CALLS", "FAILED", "HALF WITHIN", "95 % WITHIN", "A CALL", "COST"], rows.collect())
}

fn record_words(record: &Record) -> String {
    let Record { calls: record, usd, .. } = record;
    let cost = usd.map_or(String::new(), |usd| format!(", {}", Usd::dollars(usd)));
    let (half, most) = (millis(record.p50_ms), millis(record.p95_ms));
    format!("{}, {} failed, half within {half}, 95 % within {most}{cost}", record.calls, record.failures)
}

fn share(record: &ToolRecord) -> f64 {
    record.failures as f64 / record.calls.max(1) as f64
}

fn millis(millis: u64) -> String {
    super::text::duration(std::time::Duration::from_millis(millis))
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
