//! Plans that can be carried out, thrown with dice: calls and agents, references of fitting types, conditions that can
//! hold and fail, alternatives, checks, undoing, answers and intents.

use domain::tool::{Effect, ToolSpec};
use serde_json::{Map, Value, json};

use super::toolset::{Leaf, Toolset};
use crate::dice::Dice;

const WORDS: [&str; 8] = ["Oslo", "a red kettle", "Ada", "two lamps", "rain boots", "the garden", "Rome", "green tea"];

/// Steps that were thrown so far, with the tool each calls, if it calls one and nothing else can.
struct Earlier {
    id: String,
    tool: Option<String>,
}

/// A plan of so many steps, or of 1 to 20.
pub fn plan(toolset: &Toolset, dice: &mut Dice, steps: Option<usize>) -> Value {
    let number = steps.unwrap_or_else(|| 1 + dice.below(20) as usize);
    let mut earlier: Vec<Earlier> = Vec::new();
    let mut thrown = Vec::new();
    for n in 0..number {
        let id = format!("s{}", n + 1);
        let (step, tool) =
            if chance(dice, 20) { (agent(toolset, dice, &earlier), None) } else { call(toolset, dice, &earlier, &id) };
        let mut step = step;
        step["id"] = json!(id);
        if let Some(before) = some(dice, &earlier).filter(|_| n > 0).map(|before| before.id.clone())
            && chance(dice, 25)
        {
            step["depends_on"] = json!([before]);
        }
        if let Some(when) = condition(toolset, dice, &earlier).filter(|_| n > 0)
            && chance(dice, 20)
        {
            step["when"] = json!(when);
        }
        earlier.push(Earlier { id, tool });
        thrown.push(step);
    }
    if chance(dice, 30) {
        for at in (1..thrown.len()).rev() {
            thrown.swap(at, dice.below(at as u64 + 1) as usize);
        }
    }
    let mut plan = json!({"goal": "what was asked for", "steps": thrown});
    if chance(dice, 50) {
        let last = earlier.last().map(|step| step.id.clone()).unwrap_or_default();
        plan["answer"] = json!(format!("It is done: ${{{last}}}"));
    }
    if chance(dice, 30) {
        let mut intent = write(toolset, dice, &earlier);
        if chance(dice, 30) {
            intent["then"] = json!([write(toolset, dice, &earlier)]);
        }
        plan["intents"] = json!([intent]);
    }
    plan
}

fn chance(dice: &mut Dice, percent: u64) -> bool {
    dice.below(100) < percent
}

fn some<'s, T>(dice: &mut Dice, among: &'s [T]) -> Option<&'s T> {
    among.get(dice.below(among.len() as u64) as usize)
}

fn word(dice: &mut Dice) -> &'static str {
    some(dice, &WORDS).copied().unwrap_or_default()
}

fn agent(toolset: &Toolset, dice: &mut Dice, earlier: &[Earlier]) -> Value {
    let mut step = json!({"goal": "judge what was found", "max_iterations": 1 + dice.below(50)});
    if chance(dice, 60) {
        let tools: Vec<String> =
            (0..2).filter_map(|_| some(dice, &toolset.specs)).map(|spec| spec.name.to_string()).collect();
        step["tools"] = json!(tools);
    }
    if let Some(before) = some(dice, earlier) {
        step["prompt"] = json!(format!("Heed this: ${{{}}}", before.id));
    }
    step
}

/// A direct call, and the tool whose declaration its result fits for certain.
fn call(toolset: &Toolset, dice: &mut Dice, earlier: &[Earlier], id: &str) -> (Value, Option<String>) {
    let spec = tool(toolset, dice, |_| true);
    let mut step = json!({"tool": spec.name, "arguments": arguments(toolset, dice, spec, earlier)});
    let mut certain = Some(spec.name.to_string());
    let leaves = toolset.leaves.get(spec.name.as_str());
    if chance(dice, 15) {
        step["alternatives"] = match chance(dice, 50) {
            true => json!([{"tool": spec.name, "arguments": arguments(toolset, dice, spec, &[])}]),
            false => {
                certain = None;
                json!([agent(toolset, dice, earlier)])
            }
        };
    }
    if let Some(check) = leaves.and_then(|leaves| question(dice, id, leaves))
        && chance(dice, 20)
    {
        step["check"] = json!(check);
    }
    for (made, undone) in [("letter.send", "letter.recall"), ("order.place", "order.cancel")] {
        if spec.name.as_str() == made && chance(dice, 50) {
            step["undo"] = json!({"tool": undone, "arguments": {"id": format!("${{{id}.id}}")}});
        }
    }
    (step, certain)
}

fn write(toolset: &Toolset, dice: &mut Dice, earlier: &[Earlier]) -> Value {
    let spec = tool(toolset, dice, |spec| matches!(spec.effect, Effect::Write { .. }));
    json!({"tool": spec.name, "arguments": arguments(toolset, dice, spec, earlier)})
}

/// A tool, and half of the time one that declares what it returns.
fn tool<'t>(toolset: &'t Toolset, dice: &mut Dice, fits: impl Fn(&ToolSpec) -> bool) -> &'t ToolSpec {
    loop {
        let spec = &toolset.specs[dice.below(toolset.specs.len() as u64) as usize];
        let usable = spec.returns.is_some() || chance(dice, 50);
        if usable && fits(spec) && literal(dice, spec).is_some() {
            return spec;
        }
    }
}

/// Arguments without references that the tool takes, where such can be thrown.
fn literal(dice: &mut Dice, spec: &ToolSpec) -> Option<Value> {
    value(dice, &spec.parameters)
}

/// Arguments, some of them taken from earlier results.
fn arguments(toolset: &Toolset, dice: &mut Dice, spec: &ToolSpec, earlier: &[Earlier]) -> Value {
    let mut arguments = loop {
        // What a schema wants beyond its types, only the registry knows.
        if let Some(thrown) = literal(dice, spec)
            && toolset.registry.check(&spec.name, &thrown).is_ok()
        {
            break thrown;
        }
    };
    let schema = spec.parameters["properties"].clone();
    for (name, given) in arguments.as_object_mut().into_iter().flatten() {
        refer(toolset, dice, &schema[name], given, earlier);
    }
    arguments
}

/// Puts references of fitting types in the place of values.
fn refer(toolset: &Toolset, dice: &mut Dice, schema: &Value, given: &mut Value, earlier: &[Earlier]) {
    match given {
        Value::Object(fields) => {
            for (name, field) in fields {
                refer(toolset, dice, &schema["properties"][name], field, earlier);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| refer(toolset, dice, &schema["items"], item, earlier)),
        Value::String(_) if schema["enum"].is_array() => {}
        Value::String(_) | Value::Number(_) | Value::Bool(_) if chance(dice, 40) => {
            let Some(before) = some(dice, earlier) else { return };
            let leaves = before.tool.as_ref().and_then(|tool| toolset.leaves.get(tool));
            let text = given.is_string();
            let fits = |leaf: &&Leaf| match given {
                Value::String(_) => leaf.kind == "string",
                Value::Number(_) => matches!(leaf.kind.as_str(), "integer" | "number"),
                _ => leaf.kind == "boolean",
            };
            let fitting: Vec<&Leaf> = leaves.into_iter().flatten().filter(fits).collect();
            let any = leaves.and_then(|leaves| some(dice, leaves));
            *given = match (some(dice, &fitting), any) {
                (_, Some(any)) if text && chance(dice, 30) => json!(format!("about ${{{}{}}}", before.id, any.path)),
                (Some(leaf), _) => json!(format!("${{{}{}}}", before.id, leaf.path)),
                // Nobody knows what it brings: it may be anything.
                (None, None) => json!(format!("${{{}}}", before.id)),
                (None, Some(_)) => return,
            };
        }
        _ => {}
    }
}

/// A condition on an earlier result that can hold and fail.
fn condition(toolset: &Toolset, dice: &mut Dice, earlier: &[Earlier]) -> Option<String> {
    let before = some(dice, earlier)?;
    let Some(tool) = &before.tool else { return Some(format!("exists ${{{}}}", before.id)) };
    match toolset.leaves.get(tool) {
        Some(leaves) => question(dice, &before.id, leaves),
        None => Some(format!("${{{}.ready}} == true || ${{{}.count}} > 3", before.id, before.id)),
    }
}

fn question(dice: &mut Dice, id: &str, leaves: &[Leaf]) -> Option<String> {
    let leaf = some(dice, leaves)?;
    let reference = format!("${{{id}{}}}", leaf.path);
    let low = dice.below(20);
    Some(match leaf.kind.as_str() {
        _ if !leaf.choices.is_empty() => format!("{reference} == {}", some(dice, &leaf.choices)?),
        "boolean" if chance(dice, 50) => reference,
        "boolean" => format!("!{reference} || {reference} == null"),
        "integer" | "number" if chance(dice, 50) => format!("{reference} > {low} && {reference} < {}", low + 5),
        "integer" | "number" => format!("{low} <= {reference} or {reference} == 0"),
        "string" if chance(dice, 50) => format!("{reference} contains 'a' && {reference} != 'b'"),
        "string" => format!("{reference} == '{}'", word(dice)),
        _ => format!("exists {reference}"),
    })
}

/// A value of a schema's type, where it is one that is thrown here.
fn value(dice: &mut Dice, schema: &Value) -> Option<Value> {
    if let Some(options) = schema["enum"].as_array() {
        let options: Vec<&Value> = options.iter().filter(|option| !option.is_null()).collect();
        return some(dice, &options).map(|option| (*option).clone());
    }
    if let Some(constant) = schema.get("const") {
        return Some(constant.clone());
    }
    if let Some(ways) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
        return ways.iter().filter(|way| way["type"] != "null").find_map(|way| value(dice, way));
    }
    let kind = match &schema["type"] {
        Value::String(kind) => kind.as_str(),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null")?,
        _ => return Some(json!(word(dice))),
    };
    let least = schema["minimum"].as_f64().unwrap_or(1.0);
    let most = schema["maximum"].as_f64().unwrap_or(least + 20.0);
    Some(match kind {
        "string" => json!(word(dice)),
        "boolean" => json!(chance(dice, 50)),
        "integer" => json!(least as i64 + dice.below((most - least) as u64 + 1) as i64),
        "number" => json!(least + dice.below(1_000) as f64 / 1_000.0 * (most - least)),
        "array" => {
            let number = 1 + dice.below(2);
            (0..number).map(|_| value(dice, &schema["items"])).collect::<Option<Vec<_>>>()?.into()
        }
        "object" => {
            let mut fields = Map::new();
            let required =
                |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                if required(name) || chance(dice, 30) {
                    fields.insert(name.clone(), value(dice, field)?);
                }
            }
            Value::Object(fields)
        }
        _ => return None,
    })
}
