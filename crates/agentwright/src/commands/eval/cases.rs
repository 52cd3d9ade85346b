//! Requests whose outcome is known: a file with a JSON object on each line.

use std::collections::BTreeSet;
use std::path::Path;

use domain::event::Route;
use domain::id::ToolName;
use domain::request::Text;
use domain::run::RunStatus;
use serde::Deserialize;

use crate::exit::Refusal;

/// A request and how it should go.
#[derive(Debug, Clone)]
pub(super) struct Case {
    /// What it is called in results.
    pub(super) id: String,
    pub(super) request: Text,
    pub(super) expect: Expect,
}

/// How a request should go. What is not said may be anything.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Expect {
    /// Where it ends up.
    pub(super) status: Option<RunStatus>,
    /// All of these are called.
    pub(super) tools: Vec<ToolName>,
    /// None of these is.
    pub(super) not_tools: Vec<ToolName>,
    /// The answer has all of these words in it, whatever the case.
    pub(super) answer_contains: Vec<String>,
    /// Which way it goes.
    pub(super) route: Option<Route>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: Option<String>,
    request: Text,
    expect: Expect,
}

/// All of them, or the first line that cannot be used.
pub(super) fn read(file: &Path) -> anyhow::Result<Vec<Case>> {
    let wrong = |problem: String| {
        Refusal::usage(format!("`{}` cannot be used: {problem}", file.display()))
            .hint("each line is a JSON object with `request` and `expect`; `agentwright eval run --help` shows one")
    };
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let mut ids = BTreeSet::new();
    let mut cases = Vec::new();
    let meant = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    for (at, line) in text.lines().enumerate().filter(meant) {
        let place = at + 1;
        let line: Line = serde_json::from_str(line).map_err(|error| wrong(format!("line {place}: {error}")))?;
        let id = line.id.unwrap_or_else(|| format!("line {place}"));
        if !ids.insert(id.clone()) {
            return Err(wrong(format!("line {place}: `{id}` was there before")).into());
        }
        cases.push(Case { id, request: line.request, expect: line.expect });
    }
    match cases.is_empty() {
        true => Err(wrong("it holds no requests".to_owned()).into()),
        false => Ok(cases),
    }
}
