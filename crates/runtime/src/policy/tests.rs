//! Calls and what is decided about them.

use domain::plan::Strategy;
use domain::tool::Repeat;
use serde_json::{Value, json};

use super::*;

fn tool(name: &str, effect: Effect) -> ToolSpec {
    ToolSpec {
        name: name.parse().expect("name"),
        description: String::new(),
        parameters: json!({"type": "object"}),
        returns: None,
        effect,
        timeout: None,
    }
}

fn write() -> Effect {
    Effect::Write { reversible: true, repeat: Repeat::Never, external: false, targets: vec![] }
}

fn rule(tool: &str, when: &str, action: Action) -> Rule {
    let when = (!when.is_empty()).then(|| when.parse().expect("a condition"));
    Rule { tool: tool.into(), when, action }
}

/// What is decided about a call that its plan allows.
fn about(rules: &[Rule], tool: &ToolSpec, arguments: &Value, known: &Known) -> Decision {
    let case = Case { tool, arguments: Arguments::Given(arguments), tainted: &[], known, agreed: false };
    decide(rules, std::slice::from_ref(&tool.name), &case)
}

fn plainly(rules: &[Rule], tool: &ToolSpec) -> Decision {
    about(rules, tool, &json!({}), &Known::default())
}

#[test]
fn reads_are_called_and_writes_become_intents() {
    assert_eq!(plainly(&[], &tool("calendar.list", Effect::Read)), Decision::Allow);
    assert_eq!(plainly(&[], &tool("calendar.add", write())), Decision::Intent);
}

#[test]
fn nothing_outside_the_plan_is_reachable() {
    let (add, known) = (tool("calendar.add", write()), Known::default());
    let case = Case { tool: &add, arguments: Arguments::Open, tainted: &[], known: &known, agreed: true };
    assert!(matches!(decide(&[], &[], &case), Decision::Deny { .. }));
    assert!(matches!(decide(&[rule("*", "", Action::Allow)], &[], &case), Decision::Deny { .. }));
}

#[test]
fn the_first_rule_that_fits_decides() {
    let rules = [rule("calendar.*", "effect == 'write'", Action::Ask), rule("*", "", Action::Deny)];
    assert!(matches!(plainly(&rules, &tool("calendar.add", write())), Decision::Ask { .. }));
    assert!(matches!(plainly(&rules, &tool("calendar.list", Effect::Read)), Decision::Deny { .. }));
}

#[test]
fn a_rule_can_be_about_everything_that_is_known() {
    let mail = tool(
        "mail.send",
        Effect::Write { reversible: false, repeat: Repeat::Never, external: true, targets: vec!["to".into()] },
    );
    let arguments = json!({"to": "kari@example.org", "count": 4});
    let known = Known {
        role: Some("office".into()),
        confidence: Some(0.5),
        cost: Some(0.2),
        strategy: Some(Strategy::Cohort),
        agents: Some(5),
        new_agents: Some(2),
    };
    for (when, asks) in [
        ("tool == 'mail.send' && domain == 'mail'", true),
        ("effect == 'write' && external && !reversible", true),
        ("reversible || !external", false),
        ("arguments.to contains '@example.org'", true),
        ("arguments.to == 'me' || arguments.count < 4", false),
        ("role == 'office' && confidence < 0.6", true),
        ("cost > 0.1 && strategy == 'cohort'", true),
        ("agents > 5 || new_agents > 2", false),
    ] {
        let decided = about(&[rule("*", when, Action::Ask)], &mail, &arguments, &known);
        assert_eq!(matches!(decided, Decision::Ask { .. }), asks, "{when}: {decided:?}");
        let unknown = about(&[rule("*", when, Action::Ask)], &mail, &arguments, &Known::default());
        let of_run = ["role", "confidence", "cost", "agents"].iter().any(|subject| when.contains(subject));
        assert!(!of_run || unknown == Decision::Intent, "what is not known does not fit: {when}");
    }
}

#[test]
fn what_is_not_known_yet_is_not_foreseen() {
    let (add, known) = (tool("calendar.add", write()), Known::default());
    let planned = json!({"title": "${find.title}"});
    let allowed = [add.name.clone()];
    let case = Case { tool: &add, arguments: Arguments::Planned(&planned), tainted: &[], known: &known, agreed: false };
    let private = rule("*", "arguments.title == 'private'", Action::Allow);
    assert_eq!(foresee(&[private.clone(), rule("*", "", Action::Deny)], &allowed, &case), None);
    assert!(matches!(foresee(&[rule("*", "", Action::Deny), private], &allowed, &case), Some(Decision::Deny { .. })));
    assert_eq!(foresee(&[], &allowed, &case), Some(Decision::Intent));
}

#[test]
fn who_agreed_to_the_plan_is_not_asked_about_it_at_each_call() {
    let (add, known) = (tool("calendar.add", write()), Known { confidence: Some(0.2), ..Known::default() });
    let arguments = json!({});
    let rules = [rule("*", "confidence < 0.5", Action::Ask)];
    assert_eq!(rule_for_plan(&rules, &known), Some(&rules[0]));
    assert_eq!(rule_for_plan(&rules, &Known::default()), None);
    let allowed = [add.name.clone()];
    for (agreed, decision) in [(true, true), (false, false)] {
        let case = Case { tool: &add, arguments: Arguments::Given(&arguments), tainted: &[], known: &known, agreed };
        assert_eq!(decide(&rules, &allowed, &case) == Decision::Intent, decision);
    }
}

#[test]
fn a_target_that_tools_decide_asks_a_person_unless_a_rule_names_the_tool() {
    let (add, known) = (tool("calendar.add", write()), Known::default());
    let (allowed, tainted, arguments) = ([add.name.clone()], ["to".to_owned()], json!({}));
    let case =
        Case { tool: &add, arguments: Arguments::Given(&arguments), tainted: &tainted, known: &known, agreed: true };
    assert!(matches!(decide(&[], &allowed, &case), Decision::Ask { rule: None, .. }));
    assert!(matches!(decide(&[rule("*", "", Action::Allow)], &allowed, &case), Decision::Ask { .. }));
    assert_eq!(decide(&[rule("calendar.*", "", Action::Allow)], &allowed, &case), Decision::Intent);
}

#[test]
fn stars_stand_for_anything() {
    for (pattern, name, fits) in [
        ("calendar.*", "calendar.add", true),
        ("*.add", "calendar.add", true),
        ("*", "a.b", true),
        ("c*r.*d", "calendar.add", true),
        ("calendar", "calendar.add", false),
        ("calendar.*x", "calendar.add", false),
    ] {
        assert_eq!(glob(pattern, name), fits, "{pattern} {name}");
    }
}
