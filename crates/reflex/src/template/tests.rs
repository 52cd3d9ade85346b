//! What lifting, joining and filling promise, on small plans and on any text.

use domain::plan::PlanDraft;
use domain::skill::{Skill, Template};
use jiff::Zoned;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{fill, guards, lift, to_skill_md, unify};
use crate::slots::Surroundings;

fn at(moment: &str) -> Surroundings<'static> {
    let now: Zoned = moment.parse().expect("a moment");
    Surroundings { now, names: &[] }
}

fn sunday() -> Surroundings<'static> {
    at("2026-11-15T15:30:00+01:00[Europe/Oslo]")
}

/// A plan of one call.
fn call(tool: &str, arguments: Value) -> PlanDraft {
    plan(json!({"goal": "", "steps": [{"id": "s1", "goal": "do it", "tool": tool, "arguments": arguments}]}))
}

fn plan(json: Value) -> PlanDraft {
    serde_json::from_value(json).expect("a draft")
}

fn learned(request: &str, plan: &PlanDraft) -> Template {
    lift(request, &sunday(), plan).expect("lifted")
}

/// The template of several requests of one shape.
fn joined(of: &[(&str, PlanDraft)]) -> Template {
    let mut templates = of.iter().map(|(request, plan)| learned(request, plan));
    let first = templates.next().expect("one");
    templates.fold(first, |known, next| unify(&known, &next).expect("the same shape"))
}

/// The arguments of the first step, or why there is no plan.
fn filled(template: &Template, request: &str) -> Result<Value, String> {
    filled_at(template, request, &sunday())
}

fn filled_at(template: &Template, request: &str, surroundings: &Surroundings<'_>) -> Result<Value, String> {
    let filled = fill(template, request, surroundings).map_err(|why| why.to_string())?;
    Ok(filled.plan.steps[0].how.arguments.clone())
}

fn weather(place: &str) -> PlanDraft {
    call("weather.now", json!({"place": place, "units": "metric"}))
}

fn reminder(text: &str, when: &str) -> PlanDraft {
    call("timer.remind", json!({"text": text, "at": when}))
}

fn items(items: &[&'static str]) -> Template {
    let of: Vec<(String, PlanDraft)> =
        items.iter().map(|item| (format!("add {item} to the list"), call("list.add", json!({"item": item})))).collect();
    joined(&of.iter().map(|(request, plan)| (request.as_str(), plan.clone())).collect::<Vec<_>>())
}

#[test]
fn a_value_is_lifted_wherever_it_stands_in_the_plan() {
    let draft = plan(json!({
        "goal": "Weather for Oslo, mailed to Ann",
        "steps": [
            {"id": "s1", "goal": "look up OSLO", "tool": "weather.now", "arguments": {"place": "Oslo", "deep": [{"q": "in Oslo now"}]}},
            {"id": "s2", "goal": "tell Ann", "prompt": "Write to Ann about ${s1.Oslo} in Oslo", "tools": []}
        ],
        "answer": "Ann knows about Oslo",
        "intents": [{"tool": "mail.send", "arguments": {"to": "Ann", "text": "${s2}"}}]
    }));
    let template = learned("send the weather in Oslo to Ann", &draft);
    assert_eq!(template.phrase(), "send the weather in {place} to {to}");
    let sketch = template.plan().sketch(&|at| format!("<{at}>")).to_string();
    assert!(!sketch.replace("${s1.Oslo}", "").contains("Oslo") && !sketch.contains("Ann"), "{sketch}");
    assert!(sketch.contains("Write to <1> about ${s1.Oslo} in <0>"), "{sketch}");
}

#[test]
fn numbers_lengths_and_moments_are_lifted_as_the_reader_proves_them() {
    let timer =
        learned("set a timer for five minutes", &call("timer.start", json!({"seconds": 300, "label": "five minutes"})));
    assert_eq!(filled(&timer, "Set a timer for 2 hours, please"), Ok(json!({"seconds": 7200, "label": "2 hours"})));
    let iso = learned("set a timer for five minutes", &call("timer.start", json!({"length": "PT5M"})));
    assert_eq!(filled(&iso, "could you set a timer for 90 seconds"), Ok(json!({"length": "PT90S"})));
    let remind = learned("remind me to pay rent tomorrow at 8 pm", &reminder("pay rent", "2026-11-16T20:00:00+01:00"));
    let tuesday = at("2026-11-17T09:00:00+01:00[Europe/Oslo]");
    assert_eq!(
        filled_at(&remind, "remind me to pay rent on friday at 19:30", &tuesday),
        Err("the request does not say `remind me to {text} {at}`".into()),
        "`on` was not said before"
    );
    assert_eq!(
        filled_at(&remind, "remind me to pay rent tomorrow at 7 am", &tuesday),
        Ok(json!({"text": "pay rent", "at": "2026-11-18T07:00:00+01:00"}))
    );
}

#[test]
fn what_is_true_only_today_is_not_lifted() {
    let dated = lift("what is on my calendar", &sunday(), &call("calendar.list", json!({"day": "2026-11-15"})));
    assert_eq!(
        dated.map_err(|why| why.to_string()),
        Err("the plan says `2026-11-15`, and the request does not tell where that comes from".into())
    );
}

#[test]
fn what_says_the_same_in_two_places_must_agree_until_it_is_told_apart() {
    let call_of = |who: &str, whom: &str| call("task.add", json!({"owner": who, "subject": whom}));
    let once = learned("ask Ann to phone Ann", &call_of("Ann", "Ann"));
    let twice = unify(&once, &learned("ask Bob to phone Cleo", &call_of("Bob", "Cleo"))).expect("the same shape");
    assert_eq!(filled(&twice, "ask Dora to phone Emil"), Ok(json!({"owner": "Dora", "subject": "Emil"})));
    let still = unify(&once, &learned("ask Bob to phone Bob", &call_of("Bob", "Bob"))).expect("the same shape");
    assert_eq!(
        filled(&still, "ask Dora to phone Emil"),
        Err("the plan could take `Dora` or `Emil`; not enough such requests were seen to tell".into())
    );
    assert_eq!(filled(&still, "ask Dora to phone Dora"), Ok(json!({"owner": "Dora", "subject": "Dora"})));
}

#[test]
fn a_coincidence_is_found_out_by_the_next_request() {
    let start = |minutes: u32| call("timer.start", json!({"minutes": minutes, "retries": 5}));
    let timer = joined(&[("set a timer for 5 minutes", start(5)), ("set a timer for 10 minutes", start(10))]);
    assert_eq!(filled(&timer, "set a timer for 20 minutes"), Ok(json!({"minutes": 20, "retries": 5})));
}

#[test]
fn words_that_were_seen_once_are_a_choice_and_open_up_with_more() {
    let one = learned("add milk to the list", &call("list.add", json!({"item": "milk"})));
    assert_eq!(filled(&one, "Add milk to the list!"), Ok(json!({"item": "milk"})));
    assert_eq!(
        filled(&one, "add eggs to the list"),
        Err("`eggs` is not taken for `item`: until now it was only ever `milk`".into())
    );
    let open = items(&["milk", "eggs", "bread", "butter"]);
    assert_eq!(filled(&open, "add honey to the list"), Ok(json!({"item": "honey"})));
}

#[test]
fn what_could_mean_another_plan_is_refused() {
    let open = items(&["milk", "eggs", "bread", "butter"]);
    for other in [
        "add milk to the list and call Ann",
        "add honey and jam to the list",
        "add honey, jam to the list",
        "add everything except honey to the list",
        "add honey tomorrow to the list",
        "add 3 honey to the list",
        "do not add honey to the list",
        "add honey to the other list",
        "add it to the list",
        "remove honey from the list",
        "add honey to the list if there is none",
        "add a very long jar of honey from the farm to the list",
    ] {
        assert!(filled(&open, other).is_err(), "{other}");
    }
}

#[test]
fn a_difference_that_no_word_explains_is_another_shape() {
    let oslo = learned("weather in Oslo", &weather("Oslo"));
    let imperial = call("weather.now", json!({"place": "Paris", "units": "imperial"}));
    assert_eq!(unify(&oslo, &learned("weather in Paris", &imperial)), None);
    assert_eq!(unify(&oslo, &learned("time in Paris", &weather("Paris"))), None, "`weather` and `time` change nothing");
    assert!(unify(&oslo, &learned("Weather in Paris?", &weather("Paris"))).is_some());
}

#[test]
fn goals_in_the_planner_s_own_words_are_told_by_the_request() {
    let of = |item: &str, goal: &str| {
        plan(
            json!({"goal": goal, "steps": [{"id": "s", "goal": goal, "tool": "list.add", "arguments": {"item": item}}]}),
        )
    };
    let buy = learned("put Gouda cheese on the list", &of("Gouda cheese", "Cheesy things are wanted"));
    let both =
        unify(&buy, &learned("put Old paper on the list", &of("Old paper", "Stationery"))).expect("the same shape");
    let filled = fill(&both, "put Red wine on the list", &sunday()).expect("filled");
    assert_eq!(filled.plan.steps[0].goal, "put Red wine on the list");
}

#[test]
fn shapes_are_equal_for_the_same_with_other_values() {
    let oslo = learned("weather in Oslo", &weather("Oslo"));
    assert_eq!(oslo.shape(), learned("Please, weather in Paris", &weather("Paris")).shape());
    assert_ne!(oslo.shape(), learned("weather at Paris", &weather("Paris")).shape());
}

fn skill() -> (Skill, Template) {
    let template = joined(&[("weather in Oslo", weather("Oslo")), ("weather in Paris", weather("Paris"))]);
    let pins = [("weather.now".parse().expect("a tool"), domain::hash::Hash::of_json(&spec("string")))].into();
    let skill = Skill {
        name: "weather-in-place".parse().expect("a name"),
        description: "Says what the weather is: \"now\".\nUse it for one place.".into(),
        template: template.clone(),
        pins,
        guards: vec!["The place is on the map.".into()],
        runs: vec![domain::id::RunId::of_intent("a run")],
        successes: 3,
        failures: 0,
    };
    (skill, template)
}

fn spec(kind: &str) -> domain::tool::ToolSpec {
    serde_json::from_value(json!({
        "name": "weather.now",
        "description": "The weather.",
        "parameters": {
            "type": "object",
            "properties": {"place": {"type": kind}, "units": {"enum": ["metric", "imperial"]}},
            "required": ["place"]
        },
        "effect": {"kind": "read"}
    }))
    .expect("a declaration")
}

#[test]
fn guards_hold_while_the_tools_are_what_they_were() {
    let (skill, template) = skill();
    let filled = fill(&template, "weather in Bergen", &sunday()).expect("filled");
    let broken = |specs: &[&domain::tool::ToolSpec]| -> Vec<String> {
        guards(&skill, specs, &filled).into_iter().filter(|guard| !guard.held).map(|guard| guard.words).collect()
    };
    assert_eq!(broken(&[&spec("string")]), Vec::<String>::new());
    assert_eq!(
        broken(&[&spec("integer")]),
        [
            "`weather.now` has changed since the skill was made",
            "`weather.now`: `place` must be integer, not `\"Bergen\"`"
        ]
    );
    assert_eq!(broken(&[]), ["`weather.now` is not there any more"]);
}

#[test]
fn a_skill_is_told_as_a_page() {
    insta::assert_snapshot!(to_skill_md(&skill().0));
}

/// Requests and plans of which the values are known.
fn made_up() -> impl Strategy<Value = (String, PlanDraft, [String; 3])> {
    let word = "[a-z]{3,9}";
    (word, "[A-Z][a-z]{3,9}", 1u32..5000, word, word).prop_map(|(item, name, number, verb, last)| {
        let request = format!("{verb} {item} with {name} {number} times {last}");
        let plan = call(
            "made.up",
            json!({"item": item, "who": [{"name": name}], "times": number, "note": format!("for {name}"), "on": true}),
        );
        (request, plan, [item, name, number.to_string()])
    })
}

proptest! {
    #[test]
    fn the_same_request_gets_the_same_plan((request, plan, _) in made_up()) {
        let template = learned(&request, &plan);
        prop_assert_eq!(fill(&template, &request, &sunday()).expect("filled").plan, plan);
    }

    #[test]
    fn other_values_change_exactly_the_holes((request, plan, values) in made_up(), (other, other_plan, others) in made_up()) {
        prop_assume!(values.iter().zip(&others).all(|(one, other)| one != other));
        let _ = (other, other_plan);
        let first = learned(&request, &plan);
        let swap = |text: &str| {
            values.iter().zip(&others).fold(format!(" {text} "), |text, (one, other)| {
                text.replace(&format!(" {one} "), &format!(" {other} "))
            }).trim().to_owned()
        };
        let written = serde_json::to_string(&plan).expect("JSON");
        let mut wanted = written.clone();
        for (one, other) in values.iter().zip(&others) {
            wanted = wanted.replace(&format!("\"{one}\""), &format!("\"{other}\""))
                .replace(&format!("for {one}\""), &format!("for {other}\""))
                .replace(&format!(":{one},"), &format!(":{other},"));
        }
        let wanted: PlanDraft = serde_json::from_str(&wanted).expect("a draft");
        let request = swap(&request);
        let both = unify(&first, &learned(&request, &wanted));
        prop_assume!(both.is_some());
        let both = both.expect("checked");
        prop_assert_eq!(fill(&both, &request, &sunday()).expect("filled").plan, wanted);
    }

    #[test]
    fn a_fixed_word_changed_refuses((request, plan, _) in made_up()) {
        let template = learned(&request, &plan);
        let other = request.replace(" with ", " without ");
        prop_assert!(fill(&template, &other, &sunday()).is_err());
        let extra = format!("{request} again");
        prop_assert!(fill(&template, &extra, &sunday()).is_err());
    }

    #[test]
    fn any_text_can_be_lifted_joined_and_filled(one in "\\PC{0,60}", other in "\\PC{0,60}", value in "\\PC{0,20}") {
        let plan = call("made.up", json!({"text": value, "all": one, "list": [other, 1, null]}));
        let (first, second) = (lift(&one, &sunday(), &plan), lift(&other, &sunday(), &plan));
        for template in first.iter().chain(&second) {
            let _ = fill(template, &one, &sunday());
            let _ = fill(template, &other, &sunday());
        }
        if let (Ok(first), Ok(second)) = (first, second) {
            let _ = unify(&first, &second).map(|both| fill(&both, &one, &sunday()));
        }
    }
}
