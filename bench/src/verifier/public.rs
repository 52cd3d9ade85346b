//! Plans that others wrote for other tools: nested calls (NESTFUL), chains of tools (UltraTool) and single or parallel
//! calls (BFCL). What is well formed by the data's own declarations must not be refused.

mod well_formed;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use anyhow::Context;
use domain::finding::Weight;
use domain::tool::{Effect, ToolSpec};
use serde_json::{Map, Value, json};

use self::well_formed::{wrong_call, wrong_references, wrong_types};
use super::{Circumstances, found, toolset};

/// What became of the plans of one set.
pub struct Set {
    /// What it is called.
    pub name: &'static str,
    /// How many plans there are.
    pub plans: usize,
    /// How many of them nothing keeps from being carried out.
    pub pass: usize,
    /// Those that are not well formed, by reason, with an example.
    pub malformed: BTreeMap<String, (usize, String)>,
    /// Those that are well formed and were refused.
    pub wrongly: Vec<String>,
}

impl Set {
    /// Its figures as JSON.
    pub fn figures(&self) -> Value {
        let reasons: Map<String, Value> =
            self.malformed.iter().map(|(reason, (number, _))| (reason.clone(), json!(number))).collect();
        json!({"set": self.name, "plans": self.plans, "pass": self.pass, "malformed": reasons, "wrongly": self.wrongly.len()})
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let malformed: usize = self.malformed.values().map(|(number, _)| number).sum();
        write!(
            f,
            "{}: {} plans, {} pass, {malformed} not well formed, {} wrongly refused",
            self.name,
            self.plans,
            self.pass,
            self.wrongly.len()
        )?;
        for (reason, (number, example)) in &self.malformed {
            write!(f, "\n  {number} × {reason}, for example {example}")?;
        }
        for wrongly in self.wrongly.iter().take(3) {
            write!(f, "\n  wrongly: {wrongly}")?;
        }
        Ok(())
    }
}

/// One public plan: what is done, by whom declared, and what the data itself gets wrong.
struct Case {
    id: String,
    plan: Value,
    malformed: Option<String>,
}

/// All sets, or nothing where there is no data.
pub fn measure(data: &Path) -> anyhow::Result<Option<Vec<Set>>> {
    if !data.join("nestful").is_dir() {
        return Ok(None);
    }
    Ok(Some(vec![nestful(data)?, ultratool(data)?, bfcl(data)?]))
}

fn judge(name: &'static str, specs: &[ToolSpec], cases: Vec<Case>) -> anyhow::Result<Set> {
    let registry = toolset::declared(specs)?;
    let mut set = Set { name, plans: cases.len(), pass: 0, malformed: BTreeMap::new(), wrongly: Vec::new() };
    for case in cases {
        let findings = found(&case.plan, &registry, &Circumstances::default());
        let fatal: Vec<String> =
            findings.iter().filter(|finding| finding.weight == Weight::Fatal).map(ToString::to_string).collect();
        set.pass += usize::from(fatal.is_empty());
        match (case.malformed, fatal.first()) {
            (Some(reason), _) => {
                let entry = set.malformed.entry(reason).or_insert_with(|| {
                    (0, format!("{} ({})", case.id, fatal.first().map_or("not found", String::as_str)))
                });
                entry.0 += 1;
            }
            (None, Some(finding)) => set.wrongly.push(format!("{}: {finding}", case.id)),
            (None, None) => {}
        }
    }
    Ok(set)
}

fn rows(data: &Path, set: &str) -> anyhow::Result<Vec<Value>> {
    let mut rows = Vec::new();
    for part in ["train", "dev", "test"] {
        rows.extend(lines(&data.join(set).join(format!("{part}.jsonl")))?);
    }
    Ok(rows)
}

fn lines(path: &Path) -> anyhow::Result<Vec<Value>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    text.lines().map(|line| serde_json::from_str(line).with_context(|| format!("reading {}", path.display()))).collect()
}

/// A name of theirs as one of ours.
fn name(domain: &str, theirs: &str) -> String {
    let short: String =
        theirs.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' }).collect();
    let from = short.len().saturating_sub(62 - domain.len());
    format!("{domain}.{}", &short[from..])
}

fn declare(
    name: &str,
    parameters: Map<String, Value>,
    required: Vec<&str>,
    returns: Option<Value>,
) -> anyhow::Result<ToolSpec> {
    Ok(ToolSpec {
        name: name.parse()?,
        description: String::new(),
        parameters: json!({"type": "object", "additionalProperties": false, "required": required, "properties": parameters}),
        returns,
        effect: Effect::Read,
        timeout: None,
    })
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

fn list<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value[name].as_array().into_iter().flatten()
}

/// NESTFUL: `$var1.field$` takes a field of an earlier result; `var_result` is the answer.
fn nestful(data: &Path) -> anyhow::Result<Set> {
    let mut specs: BTreeMap<String, ToolSpec> = BTreeMap::new();
    for tool in lines(&data.join("nestful/tools.jsonl"))? {
        let mut parameters = Map::new();
        let mut required = Vec::new();
        for place in ["query_parameters", "path_parameters", "parameters", "arguments"] {
            for (name, declared) in tool[place].as_object().into_iter().flatten() {
                parameters.insert(name.clone(), schema(declared));
                required.extend((declared["required"] == true).then_some(name.as_str()));
            }
        }
        let returned: Map<String, Value> = tool["output_parameters"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, it)| (name.clone(), schema(it)))
            .collect();
        let returns = (!returned.is_empty()).then(|| json!({"type": ["object", "array"], "properties": returned}));
        let name = name("nestful", text(&tool, "name"));
        specs.entry(name.clone()).or_insert(declare(&name, parameters, required, returns)?);
    }
    let mut cases = Vec::new();
    for row in rows(data, "nestful")? {
        let (mut steps, mut answer, mut labels) = (Vec::new(), String::new(), BTreeSet::new());
        let mut malformed = None;
        for (at, call) in list(&row, "calls").enumerate() {
            let arguments = referring(&call["arguments"]);
            malformed = malformed.or_else(|| wrong_references(&specs, &steps, &labels, &arguments));
            if text(call, "name") == "var_result" {
                answer = arguments.as_object().into_iter().flatten().map(|(_, value)| format!("{value} ")).collect();
                continue;
            }
            let label = call["label"].as_str().map_or_else(|| format!("call{at}"), str::to_owned);
            let name = name("nestful", text(call, "name"));
            malformed = malformed.or_else(|| wrong_call(specs.get(&name), &arguments));
            malformed = malformed.or_else(|| wrong_types(&specs, &steps, specs.get(&name)?, &arguments));
            if !labels.insert(label.clone()) {
                malformed = malformed.or(Some("two calls with one label".into()));
            }
            steps.push(json!({"id": label, "tool": name, "arguments": arguments}));
        }
        let mut plan = json!({ "steps": steps });
        if !answer.is_empty() {
            plan["answer"] = json!(answer);
        }
        cases.push(Case { id: text(&row, "id").to_owned(), plan, malformed });
    }
    judge("nestful", &specs.into_values().collect::<Vec<_>>(), cases)
}

/// Their way to say what a value is, in JSON schema; what is no type there is left open.
fn schema(declared: &Value) -> Value {
    let kind = match text(declared, "type").to_lowercase().as_str() {
        "string" | "str" => "string",
        "integer" | "int" => "integer",
        "number" | "float" | "double" => "number",
        "boolean" | "bool" => "boolean",
        "array" | "list" => "array",
        "object" | "dict" => "object",
        _ => return json!({}),
    };
    let mut schema = json!({"type": kind});
    if let Some(options) = declared["enum"].as_array().filter(|options| !options.is_empty()) {
        schema["enum"] = json!(options);
    }
    if declared["items"].is_object() {
        schema["items"] = self::schema(&declared["items"]);
    }
    if let Some(fields) = declared["properties"].as_object() {
        schema["properties"] =
            fields.iter().map(|(name, field)| (name.clone(), self::schema(field))).collect::<Map<_, _>>().into();
    }
    schema
}

/// `$var1.field$` as `${var1.field}`.
fn referring(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            let inner = text.strip_prefix('$').and_then(|text| text.strip_suffix('$'));
            match inner.filter(|inner| inner.starts_with("var") && !inner.contains('$')) {
                Some(inner) => json!(format!("${{{inner}}}")),
                None => value.clone(),
            }
        }
        Value::Array(items) => items.iter().map(referring).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), referring(field))).collect())
        }
        other => other.clone(),
    }
}

/// UltraTool: a chain of tools, each step in words.
fn ultratool(data: &Path) -> anyhow::Result<Set> {
    let mut specs = Vec::new();
    for tool in lines(&data.join("ultratool/tools.jsonl"))? {
        specs.push(declare(&name("ultratool", text(&tool, "name")), Map::new(), Vec::new(), None)?);
    }
    let known: BTreeSet<String> = specs.iter().map(|spec| spec.name.to_string()).collect();
    let cases = rows(data, "ultratool")?.into_iter().map(|row| {
        let tools: Vec<&str> = list(&row, "tools").filter_map(Value::as_str).collect();
        let goals: Vec<&str> = list(&row, "steps").filter_map(Value::as_str).collect();
        let step = |(at, tool): (usize, &&str)| {
            // A link is between tools, not calls: where a tool comes twice, the chain is what is meant.
            let before: Vec<String> = list(&row, "links")
                .filter(|link| link[1] == **tool)
                .filter_map(|link| tools[..at].iter().rposition(|other| link[0] == **other))
                .map(|before| format!("s{before}"))
                .collect();
            json!({"id": format!("s{at}"), "tool": name("ultratool", tool), "goal": goals.get(at), "depends_on": before})
        };
        let steps: Vec<Value> = tools.iter().enumerate().map(step).collect();
        let malformed = (!tools.iter().all(|tool| known.contains(&name("ultratool", tool))))
            .then(|| "calls a tool that is not declared".to_owned());
        let mut plan = json!({ "steps": steps });
        for step in plan["steps"].as_array_mut().into_iter().flatten() {
            if step["goal"].is_null() {
                step["goal"] = json!("");
            }
        }
        Case { id: text(&row, "id").to_owned(), plan, malformed }
    });
    judge("ultratool", &specs, cases.collect())
}

/// BFCL: calls with lists of allowed values, of which the first is taken; an empty text means that it can be left out.
fn bfcl(data: &Path) -> anyhow::Result<Set> {
    let mut specs: BTreeMap<String, ToolSpec> = BTreeMap::new();
    for tool in lines(&data.join("bfcl/tools.jsonl"))? {
        let parameters = tool["params"].as_object().into_iter().flatten().map(|(name, _)| (name.clone(), json!({})));
        let required = list(&tool, "required").filter_map(Value::as_str).collect();
        let name = name("bfcl", text(&tool, "key"));
        specs.insert(name.clone(), declare(&name, parameters.collect(), required, None)?);
    }
    let mut cases = Vec::new();
    for row in
        rows(data, "bfcl")?.into_iter().filter(|row| row["calls"].as_array().is_some_and(|calls| !calls.is_empty()))
    {
        let keys: Vec<&str> = list(&row, "candidates").chain(list(&row, "tools")).filter_map(Value::as_str).collect();
        let mut malformed = None;
        let mut steps = Vec::new();
        for (at, call) in list(&row, "calls").enumerate() {
            let theirs = text(call, "name");
            let key = keys.iter().find(|key| key.rsplit_once('@').is_some_and(|(name, _)| name == theirs));
            let name = name("bfcl", key.copied().unwrap_or(theirs));
            let given = call["args"].as_object().into_iter().flatten().filter_map(|(name, allowed)| {
                let first =
                    allowed.as_array().map_or(Some(allowed), |allowed| allowed.iter().find(|value| *value != ""))?;
                Some((name.clone(), first.clone()))
            });
            let arguments = Value::Object(given.collect());
            malformed = malformed.or_else(|| wrong_call(specs.get(&name), &arguments));
            steps.push(json!({"id": format!("c{at}"), "tool": name, "arguments": arguments}));
        }
        cases.push(Case { id: text(&row, "id").to_owned(), plan: json!({ "steps": steps }), malformed });
    }
    judge("bfcl", &specs.into_values().collect::<Vec<_>>(), cases)
}
