//! Public sets of tools and requests, read as their baselines read them.

use std::path::Path;

use anyhow::Context;
use domain::library::Kind;
use retrieve::Entry;
use serde_json::Value;

/// The sets that are measured, in the order of the tables.
pub const SETS: [&str; 5] = ["metatool", "stabletoolbench", "ultratool", "livemcpbench", "bfcl"];

/// A set: its registry, and its requests with the tools they need.
pub struct Set {
    /// Its folder.
    pub name: &'static str,
    /// Its tools.
    pub tools: Vec<Entry>,
    /// Requests to learn from; there may be none.
    pub train: Vec<Row>,
    /// Requests to measure with.
    pub test: Vec<Row>,
}

/// A request and the names of all tools it needs.
pub struct Row {
    /// The request.
    pub text: String,
    /// The tools, each once.
    pub needs: Vec<String>,
}

/// Reads a set. Requests that need no tool of the registry are left out.
pub fn read(folder: &Path, name: &'static str) -> anyhow::Result<Set> {
    let folder = folder.join(name);
    let tools = lines(&folder.join("tools.jsonl"))?.iter().map(|tool| entry(name, tool)).collect();
    let rows = |part: &str| -> anyhow::Result<Vec<Row>> {
        let path = folder.join(format!("{part}.jsonl"));
        // One set has no train part.
        let rows = if part == "train" && !path.exists() { Vec::new() } else { lines(&path)? };
        Ok(rows.iter().map(|line| row(name, line)).filter(|row| !row.needs.is_empty()).collect())
    };
    Ok(Set { name, tools, train: rows("train")?, test: rows("test")? })
}

/// What a found tool is called in the rows of its set.
pub fn called<'a>(set: &str, name: &'a str) -> &'a str {
    if set == "livemcpbench" { name.split_once('/').map_or(name, |(_, tool)| tool) } else { name }
}

fn lines(path: &Path) -> anyhow::Result<Vec<Value>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    text.lines().map(|line| serde_json::from_str(line).with_context(|| format!("reading {}", path.display()))).collect()
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Name, description and names of parameters, as for the baselines; and the family where the set names one.
fn entry(set: &str, tool: &Value) -> Entry {
    let name = match set {
        "bfcl" => word(&tool["key"]),
        // Several servers have tools of the same name.
        "livemcpbench" => format!("{}/{}", word(&tool["server"]), word(&tool["name"])),
        _ => word(&tool["name"]),
    };
    let mut entry = Entry::new(Kind::Tool, name, word(&tool["description"]));
    entry.parameters = match &tool["params"] {
        Value::Array(all) => all.iter().map(|it| if it.is_string() { word(it) } else { word(&it["name"]) }).collect(),
        Value::Object(all) => all.keys().cloned().collect(),
        _ => Vec::new(),
    };
    entry.family = match set {
        "livemcpbench" => Some(format!("{} {}", word(&tool["server"]), word(&tool["server_desc"]))),
        "stabletoolbench" => Some(word(&tool["tool"])),
        _ => None,
    };
    entry
}

fn row(set: &str, line: &Value) -> Row {
    let needs = if set == "livemcpbench" { &line["tools_in_registry"] } else { &line["tools"] };
    let mut needs: Vec<String> = needs.as_array().into_iter().flatten().map(word).collect();
    needs.sort_unstable();
    needs.dedup();
    Row { text: word(&line["text"]), needs }
}
