//! What a user teaches: new roles, roles taken away, actions of a role.

use reflex::classify::Classifier;
use reflex::embed::Encoder;
use reflex::learn::{Chooser, Learned, Lesson, learn};

const SHIPPED: [&str; 6] = ["timer", "weather", "calendar", "smart_home", "search", "conversation"];

fn lesson(role: &str, examples: &[&str]) -> Lesson {
    let shipped = SHIPPED.contains(&role);
    Lesson { role: role.to_owned(), examples: examples.iter().map(|text| (*text).to_owned()).collect(), shipped }
}

fn with(own: &[Lesson]) -> Learned<'static> {
    let all: Vec<Lesson> = SHIPPED.iter().map(|role| lesson(role, &[])).chain(own.iter().cloned()).collect();
    learn(Classifier::shipped(), &all)
}

const GARDEN: [&str; 6] = [
    "water the tomatoes",
    "start the sprinklers on the lawn",
    "how dry is the soil in the greenhouse",
    "when did the roses last get water",
    "stop watering the vegetable patch",
    "put fertiliser on the strawberries",
];

#[test]
fn a_new_role_takes_what_is_like_its_examples() {
    let learned = with(&[lesson("garden", &GARDEN)]);
    assert_eq!(learned.judge("water the roses please").role(), "garden");
    assert_eq!(learned.judge("is the soil of the tomatoes dry").role(), "garden");
}

#[test]
fn a_new_role_leaves_the_shipped_ones_alone() {
    let learned = with(&[lesson("garden", &GARDEN)]);
    assert_eq!(learned.judge("set a timer for ten minutes").role(), "timer");
    assert_eq!(learned.judge("what's the weather in Oslo").role(), "weather");
}

#[test]
fn what_a_retired_role_would_get_is_not_ours() {
    let learned = learn(Classifier::shipped(), &[lesson("timer", &[])]);
    assert_eq!(learned.judge("what's the weather in Oslo tomorrow").role(), "other");
    assert_eq!(learned.judge("set a timer for ten minutes").role(), "timer");
}

#[test]
fn actions_are_chosen_by_their_examples() {
    let lessons = [
        ("set", ["set a timer for ten minutes", "start a five minute timer", "time twenty seconds"]),
        ("cancel", ["cancel the timer", "stop my pasta timer", "delete all timers"]),
        ("list", ["which timers are running", "show my timers", "how long is left on the timer"]),
    ]
    .map(|(name, texts)| (name.to_owned(), texts.map(str::to_owned).to_vec()));
    let chooser = Chooser::learn(Encoder::shipped(), &lessons);
    assert_eq!(chooser.choose("please cancel my timer")[0].0, "cancel");
    assert_eq!(chooser.choose("timer for 3 minutes")[0].0, "set");
    assert_eq!(chooser.choose("what timers do i have")[0].0, "list");
    let sum: f32 = chooser.choose("anything").iter().map(|(_, probability)| probability).sum();
    assert!((sum - 1.0).abs() < 1e-3);
}

#[test]
fn the_nearest_example_of_an_example_is_itself() {
    let learned = with(&[lesson("garden", &GARDEN)]);
    let (text, role, alike) = learned.nearest("water the tomatoes", 1)[0];
    assert_eq!((text, role), ("water the tomatoes", "garden"));
    assert!(alike > 0.99);
}

#[test]
fn nothing_taught_is_no_reason_to_fail() {
    assert_eq!(with(&[]).judge("turn on the light").role(), "smart_home");
    assert!(Chooser::learn(Encoder::shipped(), &[]).choose("turn on the light").is_empty());
    assert!(Chooser::learn(Encoder::shipped(), &[("a".to_owned(), vec![])]).nearest("b", 3).is_empty());
}
