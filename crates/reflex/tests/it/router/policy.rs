//! What is set, and what came of earlier answers, changes what is sure enough.

use std::collections::BTreeMap;

use domain::role::Role;
use domain::route::Decision;
use reflex::{Experience, Policy, Preference, Record, Router};

use super::{ROUTER, judge, judge_with, roles};

const TIMER: &str = "set a timer for ten minutes";

/// What a request becomes when the policy is another.
fn under(change: impl FnOnce(&mut Policy), text: &str) -> Decision {
    let mut policy = Policy::default();
    change(&mut policy);
    judge_with(&ROUTER.with(policy, Experience::default()), text).decision
}

/// What a request becomes after so many right and then so many wrong answers of a role.
fn after(role: &str, right: usize, wrong: usize, text: &str) -> domain::route::Judgement {
    let mut outcomes = vec![false; right];
    outcomes.extend(vec![true; wrong]);
    let count = |many: usize| u32::try_from(many).expect("few");
    let record = Record { right: count(right), wrong: count(wrong), habit: count(right), outcomes };
    let experience = Experience::of(BTreeMap::from([(role.to_owned(), record)]));
    judge_with(&ROUTER.with(Policy::default(), experience), text)
}

fn changed(change: impl Fn(&mut Role)) -> Router {
    let mut roles = roles();
    roles.iter_mut().for_each(change);
    Router::new(roles, Policy::default(), Experience::default()).expect("roles")
}

#[test]
fn everything_is_planned_where_fast_answers_are_off() {
    let off = |policy: &mut Policy| policy.enabled = false;
    assert_eq!(under(off, TIMER), Decision::Plan);
    assert_eq!(under(off, "turn off the kitchen light and set a timer for ten minutes"), Decision::Plan);
}

#[test]
fn the_bands_move_with_their_borders() {
    // Neither a pattern nor a grammar knows words that are misspelt: the bands alone decide.
    let text = "set a tmier for ten minuts";
    let confidence = judge(text).confidence;
    assert_eq!(under(|_| {}, text), Decision::Unsure);
    assert_eq!(under(|policy| policy.plan_below = confidence + 0.001, text), Decision::Plan);
    assert_eq!(under(|policy| policy.plan_below = 1.1, TIMER), Decision::Unsure, "what fits is asked about even then");
    let certified = |policy: &mut Policy| {
        policy.accept = confidence - 0.01;
        policy.thresholds = BTreeMap::from([("timer".to_owned(), Some(confidence - 0.01))]);
    };
    assert_eq!(under(certified, text), Decision::Fast, "sure enough, and promised");
    let refused = |policy: &mut Policy| {
        policy.accept = confidence - 0.01;
        policy.thresholds = BTreeMap::from([("timer".to_owned(), None)]);
    };
    assert_eq!(under(refused, text), Decision::Unsure, "sure enough, but nothing is promised");
}

#[test]
fn a_person_can_have_a_role_planned_always() {
    let plan = |policy: &mut Policy| policy.preferences.extend([("timer".to_owned(), Preference::Plan)]);
    assert_eq!(under(plan, TIMER), Decision::Plan);
    assert_eq!(under(plan, "turn off the kitchen light"), Decision::Fast, "others stay as they are");
}

#[test]
fn a_preference_for_speed_lowers_what_is_enough_but_not_what_is_promised() {
    let text = "set a tmier for ten minuts";
    let confidence = judge(text).confidence;
    let prefer = |threshold: f64| {
        move |policy: &mut Policy| {
            policy.accept = 0.999;
            policy.thresholds = BTreeMap::from([("timer".to_owned(), Some(threshold))]);
            policy.preferences.insert("timer".into(), Preference::Fast);
        }
    };
    assert_eq!(under(prefer(confidence - 0.01), text), Decision::Fast);
    assert_eq!(under(prefer(confidence + 0.01), text), Decision::Unsure);
}

#[test]
fn wrong_answers_withdraw_the_promise() {
    let before = judge(TIMER).certificate.expect("a certificate");
    assert!(before.threshold.is_some() && !before.withdrawn, "{before:?}");
    let judgement = after("timer", 20, 12, "set a tmier for ten minuts");
    let certificate = judgement.certificate.clone().expect("a certificate");
    assert!(certificate.withdrawn && certificate.threshold.is_none(), "{certificate:?}");
    assert_eq!(certificate.why_not.as_deref(), Some("withdrawn: 12 of the last 32 fast answers were wrong"));
    assert_ne!(judgement.decision, Decision::Fast);
    assert_ne!(after("timer", 20, 12, TIMER).decision, Decision::Fast, "even where every word is accounted for");
    let elsewhere = after("weather", 20, 12, TIMER);
    assert!(!elsewhere.certificate.expect("a certificate").withdrawn, "one role's mistakes are not another's");
    assert_eq!(elsewhere.decision, Decision::Fast);
}

#[test]
fn experience_counts_only_where_it_may() {
    let record = Record { right: 0, wrong: 30, habit: 0, outcomes: vec![true; 30] };
    let experience = Experience::of(BTreeMap::from([("timer".to_owned(), record)]));
    let fixed = ROUTER.with(Policy { adapt: false, ..Policy::default() }, experience.clone());
    assert_eq!(judge_with(&fixed, TIMER).decision, Decision::Fast);
    let adapting = ROUTER.with(Policy::default(), experience);
    assert_ne!(judge_with(&adapting, TIMER).decision, Decision::Fast);
}

#[test]
fn right_answers_keep_the_promise() {
    let judgement = after("timer", 200, 1, TIMER);
    assert!(!judgement.certificate.expect("a certificate").withdrawn);
    assert_eq!(judgement.decision, Decision::Fast);
    assert!(judgement.signals.iter().any(|signal| signal.name == "experience"), "{:?}", judgement.signals);
}

#[test]
fn a_role_that_never_answers_without_a_plan_does_not() {
    let router = changed(|role| role.fast_reply = role.name != "timer");
    let judgement = judge_with(&router, TIMER);
    assert_eq!((judgement.decision, judgement.role.as_str()), (Decision::Plan, "timer"));
    let both = "turn off the kitchen light and set a timer for ten minutes";
    assert_eq!(judge_with(&router, both).decision, Decision::Plan);
    assert_eq!(judge_with(&router, "turn off the kitchen light").decision, Decision::Fast);
}

#[test]
fn what_a_retired_role_would_answer_is_planned() {
    let router = changed(|role| role.enabled = role.name != "weather");
    assert!(router.role("weather").is_none());
    assert_eq!(judge_with(&router, "what's the weather in Oslo tomorrow").decision, Decision::Plan);
    assert_eq!(judge_with(&router, TIMER).decision, Decision::Fast);
    // The grammar of the house still understands it, and there is nobody it could speak for.
    let router = changed(|role| role.enabled = role.name != "smart_home");
    let light = judge_with(&router, "turn off the kitchen light");
    assert_ne!(light.role, "smart_home");
    assert_eq!(light.decision, Decision::Plan);
}

const GARDEN: &str = r#"
name = "garden"
when_to_use = "The garden: water, soil, plants."
examples = [
    "water the tomatoes", "start the sprinklers on the lawn", "how dry is the soil in the greenhouse",
    "when did the roses last get water", "stop watering the vegetable patch", "put fertiliser on the strawberries",
]
[[action]]
name = "water"
tool = "garden.water"
patterns = ["water [the] {bed} [for]"]
examples = ["water the tomatoes", "start the sprinklers on the lawn"]
[action.parameters]
bed = { kind = "words", required = true, ask = "Which bed?" }
duration = { kind = "duration" }
"#;

fn with_own(changes: &[(&str, &str)]) -> Router {
    let own = changes.iter().fold(GARDEN.to_owned(), |text, (from, to)| text.replace(from, to));
    let mut roles = roles();
    roles.push(toml::from_str(&own).expect("a role"));
    Router::new(roles, Policy::default(), Experience::default()).expect("roles")
}

#[test]
fn a_role_of_ones_own_is_learned_from_a_few_examples() {
    let router = with_own(&[]);
    for text in ["water the roses please", "is the soil in the greenhouse dry", "start watering the lawn"] {
        assert_eq!(judge_with(&router, text).role, "garden", "{text}");
    }
    let judgement = judge_with(&router, "water the tomatoes for ten minutes");
    let act = judgement.parts[0].act.as_ref().expect("an act");
    assert_eq!((act.tool.as_str(), &act.arguments["bed"]), ("garden.water", &"tomatoes".into()));
    assert_eq!(act.arguments["duration"], "PT10M");
    for (text, role) in [
        (TIMER, "timer"),
        ("what's the weather in Oslo tomorrow", "weather"),
        ("turn off the kitchen light", "smart_home"),
        ("what's on my calendar tomorrow", "calendar"),
        ("hello", "conversation"),
    ] {
        let judgement = judge_with(&router, text);
        assert_eq!((judgement.role.as_str(), judgement.decision), (role, Decision::Fast), "{text}");
    }
}

#[test]
fn priority_breaks_ties() {
    let twins = |first: i32, second: i32| {
        let mut roles = roles();
        for (name, priority) in [("garden_one", first), ("garden_two", second)] {
            let mut role: Role = toml::from_str(&GARDEN.replace("\"garden\"", &format!("{name:?}"))).expect("a role");
            role.priority = priority;
            roles.push(role);
        }
        let router = Router::new(roles, Policy::default(), Experience::default()).expect("roles");
        judge_with(&router, "water the roses").role
    };
    assert_eq!(twins(1, 2), "garden_two");
    assert_eq!(twins(2, 1), "garden_one");
}

#[test]
fn a_role_that_cannot_be_used_says_why() {
    let refused = |changes: &[(&str, &str)]| {
        let own = changes.iter().fold(GARDEN.to_owned(), |text, (from, to)| text.replace(from, to));
        let error = Router::new(vec![toml::from_str(&own).expect("a role")], Policy::default(), Experience::default());
        error.err().expect("refused").to_string()
    };
    assert_eq!(refused(&[("{bed}", "{plant}")]), "action `water` of role `garden`: there is no parameter `plant`");
    assert_eq!(
        refused(&[("tool = \"garden.water\"", "")]),
        "action `water` of role `garden` has neither a tool nor an answer"
    );
    assert_eq!(refused(&[("water [the] {bed} [for]", "water (the {bed}")]), "action `water` of role `garden`");
}
