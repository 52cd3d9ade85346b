//! The tools that plans are thrown over: the declarations of all that ship, and some that declare what they return.

use std::collections::BTreeMap;
use std::sync::Arc;

use agentwright::compose;
use agentwright::config::{self, Flags, Surroundings};
use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use serde_json::{Value, json};
use tools::Registry;

/// Tools, and what can be taken from their results.
pub struct Toolset {
    /// All of them.
    pub registry: Registry,
    /// Their declarations.
    pub specs: Vec<ToolSpec>,
    /// The places in declared results, by tool.
    pub leaves: BTreeMap<String, Vec<Leaf>>,
}

/// A place in a declared result.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf {
    /// The way to it, as it stands behind the step: `.items[0].price`.
    pub path: String,
    /// Its JSON type.
    pub kind: String,
    /// What it can be, where that is listed.
    pub choices: Vec<Value>,
}

/// A tool that is declared and never called.
struct Declared(ToolSpec);

#[async_trait]
impl Tool for Declared {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    async fn call(&self, _: &Value, _: &CallContext) -> Result<Value, ToolError> {
        Ok(Value::Null)
    }
}

/// A registry of tools that are only declared.
pub fn declared(specs: &[ToolSpec]) -> anyhow::Result<Registry> {
    let tools = specs.iter().map(|spec| Arc::new(Declared(spec.clone())) as Arc<dyn Tool>);
    Ok(Registry::new(tools.collect())?)
}

/// What ships, as it is declared without any configuration, and the described ones.
pub async fn everything() -> anyhow::Result<Toolset> {
    let folder = tempfile::tempdir()?;
    let home = folder.path().display().to_string();
    let variables = ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"].map(|name| (name.to_owned(), home.clone()));
    let loaded = config::load(Surroundings::new(folder.path(), variables), &Flags::default())?;
    let shipped = compose::tools(&loaded, compose::store(&loaded).await?)?;
    let mut specs: Vec<ToolSpec> = shipped.specs().into_iter().cloned().collect();
    specs.extend(described());
    let leaves = specs.iter().filter_map(|spec| {
        let mut leaves = Vec::new();
        leaves_of(spec.returns.as_ref()?, String::new(), &mut leaves);
        Some((spec.name.to_string(), leaves))
    });
    Ok(Toolset { registry: declared(&specs)?, leaves: leaves.collect(), specs })
}

fn leaves_of(schema: &Value, path: String, leaves: &mut Vec<Leaf>) {
    let kind = kind_of(&schema["type"]);
    let choices = schema["enum"].as_array().cloned().unwrap_or_default();
    leaves.push(Leaf { path: path.clone(), kind, choices });
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        leaves_of(field, format!("{path}.{name}"), leaves);
    }
    if schema["items"].is_object() {
        leaves_of(&schema["items"], format!("{path}[0]"), leaves);
    }
}

/// The one type that something has, whether or not it may be missing; `any` where there is no such type.
fn kind_of(declared: &Value) -> String {
    let kinds: Vec<&str> = match declared {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect(),
        _ => Vec::new(),
    };
    match kinds.as_slice() {
        [only] => (*only).to_owned(),
        _ => "any".to_owned(),
    }
}

fn tool(name: &str, effect: Effect, required: &[&str], properties: Value, returns: Value) -> ToolSpec {
    ToolSpec {
        name: name.parse().expect("a name"),
        description: format!("Does {name}."),
        parameters: json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties}),
        returns: Some(returns),
        effect,
        timeout: None,
    }
}

fn write(targets: &[&str]) -> Effect {
    let targets = targets.iter().map(|target| (*target).to_owned()).collect();
    Effect::Write { reversible: true, repeat: Default::default(), external: true, targets }
}

fn described() -> Vec<ToolSpec> {
    let text = || json!({"type": "string"});
    let whole = || json!({"type": "integer", "minimum": 1, "maximum": 50});
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    let list = |items: Value| json!({"type": "array", "items": items});
    let number = || json!({"type": "number"});
    let item = || object(json!({"id": text(), "name": text(), "price": number(), "stock": {"type": "integer"}}));
    let units = || json!({"enum": ["kilometres", "miles", "metres"]});
    vec![
        tool(
            "shop.find",
            Effect::Read,
            &["query"],
            json!({"query": text(), "limit": whole(), "cheap": {"type": "boolean"}}),
            object(json!({"items": list(item()), "total": {"type": "integer"}, "best": item()})),
        ),
        tool(
            "shop.item",
            Effect::Read,
            &["id"],
            json!({"id": text()}),
            object(json!({"name": text(), "price": number(), "tags": list(text()), "open": {"type": "boolean"},
                "kind": {"type": "string", "enum": ["book", "tool", "toy"]}})),
        ),
        tool(
            "shop.reckon",
            Effect::Read,
            &["id", "amount"],
            json!({"id": text(), "amount": whole(), "currency": {"type": "string", "enum": ["EUR", "NOK", "USD"]}}),
            object(json!({"total": number(), "currency": {"type": "string", "enum": ["EUR", "NOK", "USD"]}})),
        ),
        tool(
            "contact.find",
            Effect::Read,
            &["name"],
            json!({"name": text()}),
            object(
                json!({"address": text(), "phone": text(), "age": {"type": "integer"}, "friend": {"type": "boolean"}}),
            ),
        ),
        tool("contact.list", Effect::Read, &[], json!({}), list(object(json!({"name": text(), "address": text()})))),
        tool(
            "route.plan",
            Effect::Egress,
            &["from", "to"],
            json!({"from": text(), "to": text(), "stops": list(text())}),
            object(json!({"minutes": number(), "legs": list(object(json!({"to": text(), "minutes": number()})))})),
        ),
        tool(
            "unit.convert",
            Effect::Read,
            &["value", "from", "to"],
            json!({"value": number(), "from": units(), "to": units()}),
            object(json!({"value": number(), "exact": {"type": "boolean"}})),
        ),
        tool(
            "report.make",
            Effect::Read,
            &["data"],
            json!({"data": {"type": "object", "required": ["title"], "additionalProperties": false,
                "properties": {"title": text(), "rows": list(number()), "final": {"type": "boolean"}}}}),
            object(json!({"text": text(), "pages": {"type": "integer"}})),
        ),
        tool(
            "letter.send",
            write(&["to"]),
            &["to", "text"],
            json!({"to": text(), "text": text(), "copies": whole()}),
            object(json!({"id": text(), "sent": {"type": "boolean"}})),
        ),
        tool("letter.recall", write(&[]), &["id"], json!({"id": text()}), object(json!({"done": {"type": "boolean"}}))),
        tool(
            "order.place",
            write(&["address"]),
            &["item", "amount", "address"],
            json!({"item": text(), "amount": whole(), "address": text()}),
            object(json!({"id": text(), "days": {"type": "integer"}, "total": number()})),
        ),
        tool("order.cancel", write(&[]), &["id"], json!({"id": text()}), object(json!({"done": {"type": "boolean"}}))),
    ]
}
