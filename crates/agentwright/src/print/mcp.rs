//! Servers and what is to be accepted of them, as people read it.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use super::Ink;
use super::table::{Cell, table};
use super::text::{count, indented, line, tame};
use super::tools::effect_words;
use crate::compose::mcp::{Acceptance, Change, KnownServer, McpError, Seen};

/// How a server stands.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    name: String,
    transport: String,
    origin: String,
    state: State,
    /// How many of its tools were accepted.
    tools: usize,
    /// Names of tools that are not what was accepted.
    changed: Vec<String>,
    new: Vec<String>,
    gone: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// In one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// Everything is as it was accepted.
    Ready,
    /// Tools are not what was accepted.
    Differs,
    /// Nobody has accepted the server as it is defined.
    NotAccepted,
    /// It cannot be used.
    Broken,
}

/// What somebody looks at or has accepted of a server.
#[derive(Debug, Clone)]
pub struct Reviewed {
    /// Its name.
    pub server: String,
    /// Whether it is accepted now.
    pub accepted: bool,
    /// Why there is nothing to look at.
    pub problem: Option<String>,
    /// Its tools.
    pub tools: Vec<Acceptance>,
}

impl Row {
    /// How a server stands, and what it answered if it was asked.
    pub fn of(known: &KnownServer, answer: Option<Result<Seen, McpError>>) -> Self {
        let mut differences = known.differences();
        let mut problem = known.server.as_ref().err().cloned();
        let mut protocol = known.pins.as_ref().map(|pins| pins.protocol.clone());
        match (answer, &known.pins) {
            (Some(Ok(seen)), Some(pins)) => {
                differences = pins.differences(&seen.tools);
                protocol = Some(seen.protocol);
            }
            (Some(Err(error)), _) => problem = Some(error.to_string()),
            _ => {}
        }
        let state = match (&problem, known.is_accepted(), differences.is_empty()) {
            (Some(_), _, _) => State::Broken,
            (None, false, _) => State::NotAccepted,
            (None, true, false) => State::Differs,
            (None, true, true) => State::Ready,
        };
        Self {
            name: known.definition.name.clone(),
            transport: known.transport(),
            origin: known.definition.origin.trim_matches('`').to_owned(),
            state,
            tools: known.pins.as_ref().map_or(0, |pins| pins.tools.len()),
            changed: differences.changed.into_keys().collect(),
            new: differences.new,
            gone: differences.gone,
            protocol,
            problem,
            notes: known.definition.notes.clone(),
        }
    }

    /// Whether it cannot be used.
    pub fn is_broken(&self) -> bool {
        self.state == State::Broken
    }
}

/// One line a server, and what there is to say about some.
pub fn listing(rows: &[Row], ink: Ink) -> String {
    if rows.is_empty() {
        return "no servers\n".to_owned();
    }
    let cells = rows.iter().map(|row| {
        let state = match row.state {
            State::Ready => Cell::marked("ready", Ink::good),
            State::Differs => Cell::marked("differs", Ink::odd),
            State::NotAccepted => Cell::marked("not accepted", Ink::odd),
            State::Broken => Cell::marked("broken", Ink::bad),
        };
        let origin = line(&row.origin, 80);
        vec![
            line(&row.name, 40).into(),
            state,
            row.tools.to_string().into(),
            line(&row.transport, 80).into(),
            origin.into(),
        ]
    });
    let mut text = table(ink, &["SERVER", "STATE", "TOOLS", "HOW", "WHERE"], cells.collect());
    for row in rows {
        let mut about: Vec<String> = row.problem.iter().cloned().collect();
        let differing = [("changed", &row.changed), ("not accepted yet", &row.new), ("gone", &row.gone)];
        let differing = differing.into_iter().filter(|(_, names)| !names.is_empty());
        about.extend(differing.map(|(word, names)| format!("{word}: {}", names.join(", "))));
        about.extend(row.notes.iter().cloned());
        for words in about {
            text.push_str(&format!("{}: {}\n", row.name, tame(&words)));
        }
        if matches!(row.state, State::Differs | State::NotAccepted) {
            let name = &row.name;
            text.push_str(&format!("{} `agentwright tools pin '{name}.*'` accepts it as it is\n", ink.strong("hint:")));
        }
    }
    text
}

/// What was added.
pub fn added(server: &str, file: &Path, tools: &[Acceptance], ink: Ink) -> String {
    let usable = tools.iter().filter(|tool| tool.spec.is_some()).count();
    let mut text = format!(
        "`{server}` was added to `{}` with {}, which are accepted as they are:\n",
        file.display(),
        count(usable, "tool")
    );
    tools.iter().for_each(|tool| text.push_str(&tool_lines(tool, ink)));
    text
}

/// What was looked at or accepted, with every difference.
pub fn reviewed(servers: &[Reviewed], ink: Ink) -> String {
    if servers.is_empty() {
        return "no servers\n".to_owned();
    }
    let mut text = String::new();
    for it in servers {
        let name = &it.server;
        let pending = it.tools.iter().filter(|tool| tool.change != Change::Same).count();
        let words = match (&it.problem, it.accepted, pending) {
            (Some(problem), _, _) => problem.clone(),
            (None, true, _) => format!("{} accepted", count(it.tools.len(), "tool")),
            (None, false, 0) => "everything is as it was accepted".to_owned(),
            (None, false, pending) => format!("{} to look at", count(pending, "tool")),
        };
        text.push_str(&format!("{}: {}\n", ink.strong(name), tame(&words)));
        it.tools.iter().for_each(|tool| text.push_str(&tool_lines(tool, ink)));
        if !it.accepted && (pending > 0 || it.problem.is_some()) {
            text.push_str(&format!("{} `agentwright tools pin '{name}.*'` accepts all of it\n", ink.strong("hint:")));
        }
    }
    text
}

fn tool_lines(tool: &Acceptance, ink: Ink) -> String {
    let change = match &tool.change {
        Change::Same => String::new(),
        Change::New => format!(" ({})", ink.odd("new")),
        Change::Changed(_) => format!(" ({})", ink.odd("changed")),
        Change::Gone => format!(" ({})", ink.bad("gone")),
        Change::Unusable(_) => format!(" ({})", ink.bad("cannot be used")),
    };
    let mut text = format!("  {}{change}\n", line(&tool.name, 80));
    if let Some(spec) = &tool.spec {
        text.push_str(&format!("    {}\n", effect_words(&spec.effect)));
        text.push_str(&format!("    {}\n", line(&spec.description, 200)));
    }
    let details = match &tool.change {
        Change::Changed(differences) => differences.clone(),
        Change::Unusable(problem) => vec![problem.clone()],
        Change::Same | Change::New | Change::Gone => Vec::new(),
    };
    details.iter().for_each(|detail| text.push_str(&format!("{}\n", indented(&tame(detail), 4))));
    text
}

/// A tool that was looked at or accepted, as JSON.
pub fn acceptance(tool: &Acceptance) -> Value {
    let (change, details) = match &tool.change {
        Change::Same => ("same", Vec::new()),
        Change::New => ("new", Vec::new()),
        Change::Changed(differences) => ("changed", differences.clone()),
        Change::Gone => ("gone", Vec::new()),
        Change::Unusable(problem) => ("unusable", vec![problem.clone()]),
    };
    let effect = tool.spec.as_ref().map(|spec| &spec.effect);
    json!({ "tool": tool.name, "effect": effect, "change": change, "differences": details })
}

/// The same for a server.
pub fn reviewed_json(it: &Reviewed) -> Value {
    let tools: Vec<Value> = it.tools.iter().map(acceptance).collect();
    json!({ "server": it.server, "accepted": it.accepted, "problem": it.problem, "tools": tools })
}
