//! Plans that hang together and still cannot be carried out, or not without a person.

use domain::finding::Code;
use domain::tool::Effect;
use runtime::policy::{Action, Rule};
use serde_json::{Value, json};

use super::{Defect, argument, at, call, step, steps};

pub(super) const DEFECTS: &[Defect] = &[
    Defect {
        name: "missing argument",
        plant: |set, dice, plan, _| {
            let (step, spec) = call(set, dice, plan, |spec| spec.parameters["required"][0].is_string())?;
            let name = spec.parameters["required"][0].as_str()?;
            step["arguments"].as_object_mut()?.remove(name)?;
            Some(Code::MissingArgument)
        },
    },
    Defect {
        name: "argument of the wrong type",
        plant: |set, dice, plan, _| {
            let texts = dice.below(2) == 0;
            let fits = |_: &str, schema: &Value| match schema["type"].as_str() {
                Some("string") => texts && !schema["enum"].is_array(),
                Some("integer" | "number" | "boolean" | "array") => !texts,
                _ => false,
            };
            let (arguments, name) = argument(set, dice, plan, fits)?;
            arguments[&name] = if texts { json!(5) } else { json!("five") };
            Some(Code::WrongType)
        },
    },
    Defect {
        name: "unknown argument",
        plant: |set, dice, plan, _| {
            let (step, _) = call(set, dice, plan, |spec| spec.parameters["additionalProperties"] == false)?;
            step["arguments"]["surprise"] = json!("x");
            Some(Code::UnknownArgument)
        },
    },
    Defect {
        name: "placeholder",
        plant: |set, dice, plan, _| {
            let text = |_: &str, schema: &Value| schema["type"] == "string" && !schema["enum"].is_array();
            let (arguments, name) = argument(set, dice, plan, text)?;
            let words = ["TODO", "<value>", "{{value}}", "YOUR_VALUE_HERE", "..."];
            arguments[&name] = json!(words[at(dice, words.len())]);
            Some(Code::Placeholder)
        },
    },
    Defect {
        name: "value that is not allowed",
        plant: |set, dice, plan, _| {
            let numbers = dice.below(2) == 0;
            let fits = |_: &str, schema: &Value| match numbers {
                true => schema["maximum"].is_number(),
                false => schema["enum"].is_array(),
            };
            let (arguments, name) = argument(set, dice, plan, fits)?;
            arguments[&name] = if numbers { json!(1_000_000_000_000_u64) } else { json!("never heard of") };
            Some(Code::OutOfRange)
        },
    },
    Defect {
        name: "reference of the wrong type",
        plant: |set, dice, plan, _| {
            let (step, _) =
                call(set, dice, plan, |spec| spec.name.as_str() == "shop.find" || spec.name.as_str() == "letter.send")?;
            let name = if step["tool"] == "shop.find" { "limit" } else { "copies" };
            step["arguments"][name] = json!("${planted.name}");
            steps(plan).push(json!({"id": "planted", "tool": "shop.item", "arguments": {"id": "x"}}));
            Some(Code::ReferenceType)
        },
    },
    Defect {
        name: "words around a number",
        plant: |set, dice, plan, _| {
            let (arguments, name) = argument(set, dice, plan, |_, schema| {
                matches!(schema["type"].as_str(), Some("integer" | "number" | "boolean"))
            })?;
            arguments[&name] = json!("about ${planted.price}");
            steps(plan).push(json!({"id": "planted", "tool": "shop.item", "arguments": {"id": "x"}}));
            Some(Code::ReferenceType)
        },
    },
    Defect {
        name: "field that is not there",
        plant: |set, dice, plan, _| {
            let (arguments, name) = argument(set, dice, plan, |_, schema| schema["type"] == "string")?;
            let paths = ["colour", "best.colour", "items[0].colour"];
            arguments[&name] = json!(format!("about ${{planted.{}}}", paths[at(dice, paths.len())]));
            steps(plan).push(json!({"id": "planted", "tool": "shop.find", "arguments": {"query": "x"}}));
            Some(Code::NoSuchField)
        },
    },
    Defect {
        name: "part of a value without parts",
        plant: |set, dice, plan, _| {
            let (arguments, name) = argument(set, dice, plan, |_, schema| schema["type"] == "string")?;
            let paths = [".items.name", "[0]", ".best.name.first", ".total[1]", ".items[0][1]"];
            arguments[&name] = json!(format!("about ${{planted{}}}", paths[at(dice, paths.len())]));
            steps(plan).push(json!({"id": "planted", "tool": "shop.find", "arguments": {"query": "x"}}));
            Some(Code::NoWayIn)
        },
    },
    Defect {
        name: "field of no alternative",
        plant: |_, dice, plan, _| {
            step(dice, plan)["when"] = json!("${planted.colour} == 'red'");
            let instead = json!([{"tool": "contact.find", "arguments": {"name": "Ada"}}]);
            steps(plan)
                .push(json!({"id": "planted", "tool": "shop.item", "arguments": {"id": "x"}, "alternatives": instead}));
            Some(Code::NoSuchField)
        },
    },
    Defect {
        name: "condition on types that differ",
        plant: |_, dice, plan, _| {
            let odd = ["price} > 'ten'", "name} < 5", "open} >= 1", "tags} == 3", "price} contains 'x'", "price}"];
            step(dice, plan)["when"] = json!(format!("${{planted.{}", odd[at(dice, odd.len())]));
            steps(plan).push(json!({"id": "planted", "tool": "shop.item", "arguments": {"id": "x"}}));
            Some(Code::Incomparable)
        },
    },
    Defect {
        name: "condition that contradicts itself",
        plant: |_, dice, plan, _| {
            let never = [
                "${planted.price} > 5 && ${planted.price} < 3",
                "${planted.name} == 'a' && ${planted.name} == 'b'",
                "${planted.open} && !${planted.open}",
                "${planted.kind} == 'boat'",
                "${planted.price} >= 7 && 7 > ${planted.price}",
            ];
            step(dice, plan)["when"] = json!(never[at(dice, never.len())]);
            steps(plan).push(json!({"id": "planted", "tool": "shop.item", "arguments": {"id": "x"}}));
            Some(Code::Unreachable)
        },
    },
    Defect {
        name: "condition that is never true",
        plant: |_, dice, plan, _| {
            let never = ["false", "1 > 2", "'a' == 'b'", "!true", "1 == 1 && 2 < 1"];
            step(dice, plan)["when"] = json!(never[at(dice, never.len())]);
            Some(Code::Unreachable)
        },
    },
    Defect {
        name: "check that never holds",
        plant: |set, dice, plan, _| {
            let (step, _) = call(set, dice, plan, |spec| spec.name.as_str() != "unit.convert")?;
            let id = step["id"].as_str()?.to_owned();
            step["check"] = json!(format!("exists ${{{id}}} && !exists ${{{id}}}"));
            Some(Code::NeverPasses)
        },
    },
    Defect {
        name: "forbidden tool",
        plant: |set, dice, plan, circumstances| {
            let (_, spec) = call(set, dice, plan, |_| true)?;
            circumstances.rules.push(Rule {
                tool: format!("{}.*", spec.name.domain()),
                when: None,
                action: Action::Deny,
            });
            Some(Code::Denied)
        },
    },
    Defect {
        name: "tool that needs a person",
        plant: |set, dice, plan, circumstances| {
            let (_, spec) = call(set, dice, plan, |_| true)?;
            circumstances.rules.push(Rule { tool: spec.name.to_string(), when: None, action: Action::Ask });
            Some(Code::Asks)
        },
    },
    Defect {
        name: "target from a result",
        plant: |_, _, plan, _| {
            let found = json!({"id": "planted", "tool": "contact.find", "arguments": {"name": "Ada"}});
            let sent =
                json!({"id": "sent", "tool": "letter.send", "arguments": {"to": "${planted.address}", "text": "x"}});
            steps(plan).extend([found, sent]);
            Some(Code::UntrustedTarget)
        },
    },
    Defect {
        name: "target from an agent's words",
        plant: |_, _, plan, _| {
            let found = json!({"id": "planted", "tool": "contact.find", "arguments": {"name": "Ada"}});
            let judged = json!({"id": "judged", "goal": "choose an address", "depends_on": ["planted"]});
            let sent = json!({"id": "sent", "tool": "letter.send", "arguments": {"to": "${judged}", "text": "x"}});
            steps(plan).extend([found, judged, sent]);
            Some(Code::UntrustedTarget)
        },
    },
    Defect {
        name: "a later plan that does more",
        plant: |set, dice, plan, circumstances| {
            call(set, dice, plan, |spec| spec.effect != Effect::Read)?;
            circumstances.frozen = Some(Vec::new());
            Some(Code::NewEffect)
        },
    },
    Defect {
        name: "intent that changes nothing",
        plant: |_, _, plan, _| {
            plan["intents"] = json!([{"tool": "shop.find", "arguments": {"query": "x"}}]);
            Some(Code::IdleIntent)
        },
    },
    Defect {
        name: "more calls than the budget",
        plant: |set, dice, plan, circumstances| {
            let (step, _) = call(set, dice, plan, |_| true)?;
            let certain = step.get("when").is_none() && step.get("alternatives").is_none();
            circumstances.budget.tool_calls = Some(0);
            let certain = certain && step.get("depends_on").is_none() && !step["arguments"].to_string().contains("${");
            certain.then_some(Code::OverBudget)
        },
    },
    Defect {
        name: "unused result",
        plant: |_, _, plan, _| {
            plan["answer"] = json!("It is done.");
            steps(plan).push(json!({"id": "planted", "tool": "shop.item", "arguments": {"id": "x"}}));
            Some(Code::Unused)
        },
    },
    Defect {
        name: "the same call twice",
        plant: |set, dice, plan, _| {
            let (step, _) = call(set, dice, plan, |_| true)?;
            let mut twin = step.clone();
            twin["id"] = json!("planted");
            twin.as_object_mut()?.retain(|name, _| ["id", "tool", "arguments", "when"].contains(&name.as_str()));
            steps(plan).push(twin);
            Some(Code::SameCall)
        },
    },
];
