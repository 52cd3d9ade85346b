//! The same requests, several strategies, side by side.

use domain::plan::Strategy;
use domain::view::IntentCounts;
use serde::Serialize;

use super::Ink;
use super::events::waiting;
use super::result::RunResult;
use super::runs::mark;
use super::table::{Cell, table};
use super::text::{duration, indented, line};

/// What became of requests under several strategies.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// One entry a request.
    pub requests: Vec<Compared>,
}

/// What became of one request.
#[derive(Debug, Clone, Serialize)]
pub struct Compared {
    /// What was asked.
    pub text: String,
    /// One result a strategy, in the order in which the strategies were given.
    pub results: Vec<Attempt>,
}

/// What became of one request under one strategy.
#[derive(Debug, Clone, Serialize)]
pub struct Attempt {
    /// The strategy that was asked for; the one that was used stands in the result.
    pub wanted: Strategy,
    /// What came of it.
    #[serde(flatten)]
    pub result: RunResult,
}

/// A table a request, then the answers.
pub fn words(comparison: &Comparison, ink: Ink) -> String {
    let parts = comparison.requests.iter().map(|request| {
        let rows = request.results.iter().map(row).collect();
        let headings =
            ["STRATEGY", "STATUS", "TIME", "TURNS", "TOKENS", "COST", "INTENTS", "TOOLS SELECTED", "TOOLS USED"];
        let answers = request.results.iter().map(|attempt| {
            let result = &attempt.result;
            let said = result.answer.clone().or_else(|| result.error.clone());
            let said = said.or_else(|| result.waits.first().map(waiting)).unwrap_or_else(|| "-".to_owned());
            format!("{}: {}\n", attempt.wanted.word(), line(&said, 300))
        });
        let body = format!("{}\n{}", table(ink, &headings, rows), answers.collect::<String>());
        format!("{}\n{}\n", ink.strong(&line(&request.text, 200)), indented(&body, 2))
    });
    parts.collect::<Vec<_>>().join("\n")
}

fn row(attempt: &Attempt) -> Vec<Cell> {
    let result = &attempt.result;
    let strategy = match result.strategy {
        Some(used) if used != attempt.wanted => format!("{} (fell back to {})", attempt.wanted.word(), used.word()),
        _ => attempt.wanted.word().to_owned(),
    };
    let tools = |tools: &[domain::id::ToolName]| match tools.len() {
        0 => "-".to_owned(),
        _ => tools.iter().map(|tool| tool.as_str()).collect::<Vec<_>>().join(" "),
    };
    vec![
        strategy.into(),
        Cell::marked(result.status.word(), mark(result.status)),
        duration(std::time::Duration::from_secs_f64(result.seconds.max(0.0))).into(),
        result.iterations.to_string().into(),
        result.spent.usage.tokens().to_string().into(),
        result.spent.usage.cost.to_string().into(),
        intents_words(&result.intents).into(),
        tools(&result.tools_selected).into(),
        tools(&result.tools_used).into(),
    ]
}

/// How many there were, and those that did not simply happen.
fn intents_words(intents: &IntentCounts) -> String {
    let kinds = [(intents.withheld, "withheld"), (intents.failed, "failed"), (intents.unknown, "UNKNOWN")];
    let odd = kinds.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!(", {number} {word}"));
    format!("{}{}", intents.declared, odd.collect::<String>())
}
