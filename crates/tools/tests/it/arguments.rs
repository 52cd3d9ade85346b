use domain::tool::{Effect, ToolError};
use serde_json::{Value, json};
use tools::Registry;

use crate::language::{echo, spec};

fn weather() -> Registry {
    let mut spec = spec("weather.forecast");
    spec.parameters = json!({
        "type": "object",
        "required": ["city", "days"],
        "additionalProperties": false,
        "properties": {
            "city": {"type": "string", "minLength": 2},
            "days": {"type": "integer", "minimum": 1, "maximum": 14},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            "note": {"type": "string"},
            "state": {"enum": ["TODO", "DONE"]},
            "places": {"type": "array", "items": {"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string"}, "height": {"type": ["number", "string"]},
            }}},
        },
    });
    spec.returns = Some(json!({"type": "object", "required": ["high"], "properties": {"high": {"type": "number"}}}));
    Registry::new(vec![echo(spec)]).expect("valid")
}

fn problems(arguments: Value) -> Vec<String> {
    match weather().check(&"weather.forecast".parse().expect("name"), &arguments) {
        Ok(()) => vec![],
        Err(ToolError::BadArguments { problems, .. }) => problems,
        Err(other) => panic!("{other}"),
    }
}

fn draft_problems(arguments: Value) -> Vec<String> {
    match weather().check_draft(&"weather.forecast".parse().expect("name"), &arguments) {
        Ok(()) => vec![],
        Err(ToolError::BadArguments { problems, .. }) => problems,
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn what_is_wrong_with_arguments_is_said_in_sentences() {
    let cases = [
        json!({}),
        json!(null),
        json!("Oslo"),
        json!({"city": null, "days": 3}),
        json!({"city": "Oslo", "days": "three"}),
        json!({"city": "Oslo", "days": 0}),
        json!({"city": "O", "days": 2.5}),
        json!({"city": "<city>", "days": 3}),
        json!({"city": "Oslo", "days": 3, "unit": "kelvin"}),
        json!({"city": "Oslo", "days": 3, "ctiy": "x", "zzz": 1}),
        json!({"city": "Oslo", "days": 3, "places": [{"name": "TODO", "height": true}, {}]}),
        json!({"city": "TBD", "days": "x".repeat(500)}),
    ];
    let said: Vec<String> =
        cases.into_iter().map(|case| problems(case).iter().map(|line| format!("- {line}\n")).collect()).collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn what_is_right_passes() {
    for fine in [
        json!({"city": "Oslo", "days": 3}),
        json!({"city": "Oslo", "days": 3.0, "unit": null, "note": "TODO list"}),
        json!({"city": "Oslo", "days": 3, "state": "TODO"}),
        json!({"city": "Oslo", "days": 3, "places": [{"name": "here", "height": "high"}]}),
    ] {
        assert_eq!(problems(fine.clone()), Vec::<String>::new(), "{fine}");
    }
}

#[test]
fn a_reference_is_of_any_type_until_it_is_resolved() {
    let draft = json!({"city": "${where.city}", "days": "${ask.days}", "unit": "${ask.unit}", "state": "${x}",
                       "places": "${where.places}"});
    assert_eq!(draft_problems(draft.clone()), Vec::<String>::new());
    assert_eq!(
        draft_problems(json!({"city": "in ${a.b}", "days": 1, "places": [{"name": "${a}"}]})),
        Vec::<String>::new()
    );
    assert_eq!(problems(draft).len(), 4);
    assert_eq!(draft_problems(json!({"days": "${a}", "wrong": "${a}"})), ["`city` is missing", "`wrong` is not known"]);
    assert_eq!(draft_problems(json!({"city": "TODO", "days": 1})), ["`city` is a placeholder: `TODO`"]);
}

#[test]
fn null_is_no_value_even_where_any_type_will_do() {
    let mut spec = spec("a.b");
    spec.parameters =
        json!({"type": "object", "required": ["x", "y"], "properties": {"x": {}, "y": {"type": ["string", "null"]}}});
    let registry = Registry::new(vec![echo(spec)]).expect("valid");
    let error = registry.check(&"a.b".parse().expect("name"), &json!({"x": null, "y": null})).expect_err("null");
    assert_eq!(error.to_string(), "arguments of `a.b`: `x` must not be null");
}

#[test]
fn many_problems_are_counted_rather_than_listed() {
    let places: Vec<Value> = (0..50).map(|_| json!({})).collect();
    let problems = problems(json!({"city": "Oslo", "days": 1, "places": places}));
    assert_eq!((problems.len(), problems[8].as_str()), (9, "and 42 more problems"));
}

#[test]
fn a_result_that_is_not_what_was_declared_is_a_failure() {
    let name = "weather.forecast".parse().expect("name");
    assert_eq!(weather().check_result(&name, &json!({"high": 21.5})), Ok(()));
    let error = weather().check_result(&name, &json!({"high": "warm"})).expect_err("wrong");
    assert!(matches!(error, ToolError::Failed { .. }));
    assert_eq!(
        error.to_string(),
        "`weather.forecast`: the result is not what the tool declares: `high` must be a number, got \"warm\""
    );
}

#[test]
fn a_write_with_an_odd_result_is_in_doubt_because_it_may_have_happened() {
    let mut spec = spec("mail.send");
    spec.returns = Some(json!({"type": "object"}));
    spec.effect = Effect::Write { reversible: false, repeat: Default::default(), external: true, targets: vec![] };
    let name = spec.name.clone();
    let registry = Registry::new(vec![echo(spec)]).expect("valid");
    assert!(matches!(registry.check_result(&name, &json!("ok")), Err(ToolError::InDoubt { .. })));
}

#[test]
fn unknown_tools_have_no_arguments_to_check() {
    let error = weather().check(&"weather.forcast".parse().expect("name"), &json!({})).expect_err("unknown");
    assert_eq!(error.to_string(), "there is no tool `weather.forcast`; the nearest are `weather.forecast`");
}
