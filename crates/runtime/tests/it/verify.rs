//! What is proved about plans, on the tools of the examples in `docs/verifier.md`.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use domain::budget::Budget;
use domain::finding::{Bounds, Extent, Finding, Weight};
use domain::hash::Hash;
use domain::id::{StepId, ToolName};
use domain::money::{Price, Usd};
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec, Toolbox};
use proptest::prelude::*;
use runtime::policy::{Action, Rule};
use runtime::verify::{self, Given, Verified};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::verify_docs;

/// What a plan is measured by, as the examples write it.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Circumstances {
    rules: Vec<RuleForm>,
    budget: Budget,
    frozen: Option<Vec<ToolName>>,
    pins: Option<BTreeMap<ToolName, Hash>>,
}

#[derive(Deserialize)]
struct RuleForm {
    tool: String,
    action: String,
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

fn specs() -> Vec<ToolSpec> {
    let mut specs: Vec<ToolSpec> = serde_json::from_value(verify_docs::tools()).expect("tools");
    let now = ToolSpec { name: "time.now".parse().expect("name"), returns: None, ..specs[0].clone() };
    specs.push(ToolSpec { parameters: json!({"type": "object"}), ..now });
    specs
}

fn registry(specs: Vec<ToolSpec>) -> tools::Registry {
    let declared = specs.into_iter().map(|spec| Arc::new(Declared(spec)) as Arc<dyn Tool>);
    tools::Registry::new(declared.collect()).expect("a registry")
}

fn verified(plan: &Value, circumstances: &Circumstances, tools: &dyn Toolbox) -> Result<Verified, Vec<Finding>> {
    let rules = circumstances.rules.iter().map(|rule| Rule {
        tool: rule.tool.clone(),
        when: None,
        action: match rule.action.as_str() {
            "allow" => Action::Allow,
            "ask" => Action::Ask,
            _ => Action::Deny,
        },
    });
    let rules: Vec<Rule> = rules.collect();
    let given = Given {
        tools,
        rules: &rules,
        budget: &circumstances.budget,
        max_iterations: 10,
        price: Some(Price { input: 1.0, output: 10.0 }),
        configuration: None,
        frozen: circumstances.frozen.as_deref(),
        pins: circumstances.pins.as_ref(),
    };
    verify::read(plan).map(|plan| verify::verify(&plan, &given))
}

/// Everything that is found in a plan.
pub(crate) fn checked(plan: &Value, circumstances: &Circumstances) -> Vec<Finding> {
    let verified = verified(plan, circumstances, &registry(specs()));
    let found = verified.map_or_else(|findings| findings, |verified| verified.findings);
    found.into_iter().chain(runtime::verify::unread(plan)).collect()
}

fn said(steps: Value) -> Vec<String> {
    checked(&json!({ "steps": steps }), &Circumstances::default()).iter().map(ToString::to_string).collect()
}

/// The codes of what is found, without `AW-PLAN-`.
pub(crate) fn codes(steps: Value) -> Vec<String> {
    let findings = checked(&json!({ "steps": steps }), &Circumstances::default());
    findings.iter().map(|finding| finding.code.trim_start_matches("AW-PLAN-").to_owned()).collect()
}

pub(crate) fn look() -> Value {
    json!({"id": "look", "tool": "weather.current", "arguments": {"city": "Oslo"}})
}

#[test]
fn all_problems_are_told_at_once_and_none_makes_its_neighbours_look_wrong() {
    let steps = json!([
        {"id": "one", "tool": "weather.current", "arguments": ["Oslo"], "when": "${"},
        {"id": "two", "tool": "weather", "depends_on": ["one", "my step"]},
        {"id": "my step", "goal": "x"},
        {"id": "four", "goal": 4},
        {"id": "five", "goal": "x", "depends_on": ["four", "six"], "max_iterations": -1},
        {"id": "seven", "tool": "mail.send", "arguments": {"text": "${two.x} and ${four}"}},
    ]);
    let found: Vec<String> = checked(&json!({"steps": steps, "answer": "${one.x} ${nine}"}), &Circumstances::default())
        .iter()
        .map(|finding| format!("{} {}", finding.code, finding.step.as_deref().unwrap_or("-")))
        .collect();
    let expected = [
        "AW-PLAN-001 four",
        "AW-PLAN-012 five",
        "AW-PLAN-009 one",
        "AW-PLAN-011 one",
        "AW-PLAN-008 two",
        "AW-PLAN-008 my step",
        "AW-PLAN-005 five",
        "AW-PLAN-005 -",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_plan_is_read_whatever_it_is_wrapped_in_and_however_it_is_spelt() {
    let plan = |value: Value| verify::read(&value).map(|plan| serde_json::to_value(plan).expect("json"));
    let expected = plan(json!({"steps": [look(), {"id": "think", "goal": "x", "depends_on": ["look"]}]}));
    assert!(expected.is_ok());
    let camel = json!({"stepId": "think", "description": "x", "dependsOn": ["look"]});
    let other = json!({"step_id": "look", "toolName": "weather.current", "args": {"city": "Oslo"}});
    for same in [
        json!([look(), camel]),
        json!({"plan": {"steps": [other, camel]}}),
        json!({"plan": [other, camel], "agent_system_prompt": "x"}),
        json!({"run": "run_1", "version": 1, "plan": {"steps": [look(), camel]}}),
    ] {
        assert_eq!(plan(same.clone()), expected, "{same}");
    }
    let words = json!({"plan": "1. look 2. tell", "selectedTools": ["weather.current"], "systemPrompt": "x"});
    let words = verify::read(&words).expect("a plan");
    assert_eq!(words.tools().iter().map(ToolName::as_str).collect::<Vec<_>>(), ["weather.current"]);
}

#[test]
fn a_reference_alone_has_the_type_of_what_it_brings() {
    let again = |days: &str| {
        codes(json!([look(), {"id": "again", "tool": "weather.current",
        "arguments": {"city": "Rome", "days": days}}]))
    };
    // A number may turn out whole; a text with words around the reference is a text.
    assert_eq!(again("${look.high}"), Vec::<String>::new());
    assert_eq!(again("${look.days[3].high}"), Vec::<String>::new());
    assert_eq!(again("${look.rain}"), ["035"]);
    assert_eq!(again("${look.high} days"), ["035"]);
    assert_eq!(again("${look.days[0]}"), ["035"]);
    let city =
        |city: &str| codes(json!([look(), {"id": "again", "tool": "weather.current", "arguments": {"city": city}}]));
    assert_eq!(city("${look.high} degrees"), Vec::<String>::new());
    assert_eq!(city("${look.high}"), ["035"]);
    let units = json!({"city": "Rome", "units": "${look.sky}"});
    assert_eq!(codes(json!([look(), {"id": "again", "tool": "weather.current", "arguments": units}])), ["035"]);
}

#[test]
fn only_what_is_certain_is_said_about_a_path() {
    let text = |text: &str| {
        let who = json!({"id": "who", "tool": "contacts.find", "arguments": {"name": "Ada"}});
        let arguments = json!({"to": "ada@example.org", "text": text});
        codes(json!([look(), who, {"id": "tell", "tool": "mail.send", "arguments": arguments, "undo":
            {"tool": "mail.send", "arguments": {"to": "ada@example.org", "text": "forget ${tell.id}"}}}]))
    };
    for fine in ["${look.sky}", "${look.days[9].high} degrees", "${who.anything[0].at.all}", "all: ${look}"] {
        assert_eq!(text(fine), Vec::<String>::new(), "{fine}");
    }
    for (wrong, code) in [
        ("x ${look.wind}", "040"),
        ("x ${look.days[0].low}", "040"),
        ("x ${look.sky.colour}", "041"),
        ("x ${look[0]}", "041"),
        ("x ${look.days.high}", "041"),
    ] {
        assert_eq!(text(wrong), [code], "{wrong}");
    }
}

#[test]
fn pins_hold_until_a_declaration_changes() {
    let plan = json!({"steps": [look()]});
    let before = registry(specs());
    let pins = verify::pins(&before, &verify::read(&plan).expect("a plan"));
    assert_eq!(pins.keys().map(ToolName::as_str).collect::<Vec<_>>(), ["weather.current"]);
    let circumstances = Circumstances { pins: Some(pins), ..Circumstances::default() };
    assert_eq!(verified(&plan, &circumstances, &before).expect("a plan").findings, []);
    let mut changed = specs();
    changed[0].description.push_str(" And sends it to somebody.");
    let after = verified(&plan, &circumstances, &registry(changed)).expect("a plan");
    assert_eq!(after.findings.iter().map(|finding| finding.code.as_str()).collect::<Vec<_>>(), ["AW-PLAN-021"]);
    assert!(!after.holds());
}

#[test]
fn what_tools_bring_is_untrusted_however_many_agents_it_goes_through() {
    let tainted = |steps: Value, step: &str| {
        let plan = verify::read(&steps).expect("a plan");
        let step: StepId = step.parse().expect("id");
        verify::tainted(&plan, &registry(specs()), &step)
    };
    let send = |to: &str| json!({"id": "tell", "tool": "mail.send", "arguments": {"to": to, "text": "${look.sky}"}});
    let now = json!({"id": "now", "tool": "time.now"});
    let agent =
        |id: &str, tools: Value, after: &str| json!({"id": id, "goal": "x", "tools": tools, "depends_on": [after]});
    assert_eq!(tainted(json!([look(), send("ada@example.org")]), "tell"), Vec::<String>::new());
    assert_eq!(tainted(json!([look(), send("${look.sky}")]), "tell"), ["to"]);
    assert_eq!(tainted(json!([look(), send("${look.sky}@example.org")]), "tell"), ["to"]);
    assert_eq!(tainted(json!([look(), send("${look.sky}")]), "look"), Vec::<String>::new());
    assert_eq!(tainted(json!([look(), now, send("${now.day}@example.org")]), "tell"), Vec::<String>::new());
    let passed_on =
        json!([look(), agent("a", json!(["time.now"]), "look"), agent("b", json!(["time.now"]), "a"), send("${b}")]);
    assert_eq!(tainted(passed_on, "tell"), ["to"]);
    let clean = json!([look(), now, agent("a", json!(["time.now"]), "now"), send("${a}")]);
    assert_eq!(tainted(clean, "tell"), Vec::<String>::new());
    let intent =
        json!({"steps": [look()], "intents": [{"tool": "mail.send", "arguments": {"to": "${look.sky}", "text": "x"}}]});
    let findings = checked(&intent, &Circumstances::default());
    assert_eq!(findings.iter().map(|finding| finding.weight).collect::<Vec<_>>(), [Weight::Approval]);
}

#[test]
fn bounds_are_those_of_the_documentation() {
    let steps = json!([
        {"id": "look", "tool": "weather.current", "arguments": {"city": "Oslo"}, "check": "exists ${look.sky}",
         "undo": {"tool": "contacts.find", "arguments": {"name": "Ada"}}},
        {"id": "think", "goal": "x", "max_iterations": 3, "depends_on": ["look"], "when": "${look.rain}"},
        {"id": "other", "tool": "contacts.find", "arguments": {"name": "Ada"},
         "alternatives": [{"prompt": "guess", "max_iterations": 2}]},
    ]);
    let intents = json!([{"tool": "mail.send", "arguments": {"to": "a", "text": "b"}, "then":
        [{"tool": "mail.send", "arguments": {"to": "b", "text": "b"}}]}]);
    let verified =
        verified(&json!({"steps": steps, "intents": intents}), &Circumstances::default(), &registry(specs()));
    let expected = Bounds {
        // A call that is checked, 3 turns, a call or 2 turns, 2 intents.
        tool_calls: Extent { least: 1 + 1, most: 6 + 12 + (1 + 8) + 2 },
        model_calls: Extent { least: 0, most: 2 + 3 + 2 + 1 },
        usd: Some(Extent { least: Usd::ZERO, most: Usd::micros(8 * (12_000 + 10_000)) }),
        critical_path: 2,
        seconds: 180.0 + 600.0 + 60.0,
    };
    assert_eq!(verified.expect("a plan").bounds, expected);
}

#[test]
fn findings_come_gravest_first_and_tell_a_planner_what_would_be_right() {
    let steps = json!([look(), {"id": "again", "tool": "weather.current", "arguments": {"city": "Oslo"}},
        {"id": "bad", "tool": "weather.current", "arguments": {"units": "<units>"}}]);
    assert_eq!(
        said(steps),
        [
            "AW-PLAN-033: step `bad`: argument `units` of `weather.current` is a placeholder: `<units>`; it must be one of \
         `\"metric\"`, `\"imperial\"`",
            "AW-PLAN-034: step `bad`: argument `units` of `weather.current` must be one of \"metric\", \"imperial\", got \
         \"<units>\"",
            "AW-PLAN-030: step `bad`: argument `city` of `weather.current` is missing; it must be a string",
            "AW-PLAN-081: step `again`: it makes the same call as `look`; refer to that result instead",
        ]
    );
}

#[test]
fn an_effect_is_what_decides_what_a_later_plan_can_add() {
    let circumstances = || Circumstances { frozen: Some(Vec::new()), ..Circumstances::default() };
    for spec in specs() {
        let steps = json!([{"id": "a", "goal": "x", "tools": [spec.name.as_str()]}]);
        let refused = checked(&steps, &circumstances()).iter().any(|finding| finding.code == "AW-PLAN-064");
        assert_eq!(refused, spec.effect != Effect::Read, "{}", spec.name);
    }
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..200).prop_map(Value::from),
        "(\\$\\{)?[a-c.\\[\\]0}]{0,8}".prop_map(Value::from),
        prop_oneof![
            Just("weather.current"),
            Just("mail.send"),
            Just("${a.sky}"),
            Just("${b.days[0]}"),
            Just("${a} > 3")
        ]
        .prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("steps"),
        Just("id"),
        Just("goal"),
        Just("tool"),
        Just("arguments"),
        Just("city"),
        Just("to"),
        Just("when"),
        Just("check"),
        Just("undo"),
        Just("alternatives"),
        Just("depends_on"),
        Just("plan"),
        Just("intents"),
        Just("answer"),
        Just("tools"),
        Just("max_iterations"),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map(key.clone().prop_map(str::to_owned), inner, 0..8)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_is_given_is_a_plan_or_has_a_fatal_finding(given in anything()) {
        match verified(&given, &Circumstances::default(), &registry(specs())) {
            Ok(verified) => prop_assert!(verified.bounds.tool_calls.least <= verified.bounds.tool_calls.most),
            Err(findings) => prop_assert!(findings.iter().any(|finding| finding.weight == Weight::Fatal)),
        }
    }
}
