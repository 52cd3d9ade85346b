//! What is so of a trace.

use std::collections::BTreeSet;

use domain::pattern::{Family, Mark};
use domain::score::Score;
use domain::symbol::Symbol;
use domain::trace::Step;
use learn::{marks, sketch};

use crate::stories::story;

fn traits(trace: &domain::trace::Trace) -> BTreeSet<String> {
    let named = marks(&sketch(trace)).into_iter().filter_map(|mark| match mark {
        Mark::Trait { name, tool: Some(tool), .. } => Some(format!("{name} {tool}")),
        Mark::Trait { name, tool: None, .. } => Some(name.to_string()),
        _ => None,
    });
    named.collect()
}

#[test]
fn what_was_asked_for_and_not_done_is_a_failure() {
    let trace = story(
        false,
        &["user: cancel order W1 and return W2", r#"cancel_order {"order_id": "W1"} = cancelled"#, "agent: All done."],
    );
    let traits = traits(&trace);
    for name in
        ["granted_cancel", "undone_return", "changes_1_or_more", "unconfirmed cancel_order", "changes_something"]
    {
        assert!(traits.contains(name), "{name} is missing: {traits:?}");
    }
    assert!(!traits.contains("undone_cancel"));
    let undone = Mark::Trait { family: Family::Failure, name: Symbol::of("undone_return"), tool: None };
    assert!(marks(&sketch(&trace)).contains(&undone));
}

#[test]
fn calls_are_counted_in_powers_of_two_and_repeats_are_noticed() {
    let look = r#"get_order {"order_id": "W1"} = {"status": "open"}"#;
    let traits = traits(&story(true, &[look, look, look, "get_user {} = {}"]));
    for name in ["calls_4_or_more", "repeated_calls_2_or_more", "repeats get_order", "calls_2_or_more get_order"] {
        assert!(traits.contains(name), "{name} is missing: {traits:?}");
    }
    assert!(traits.contains("changes_nothing") && !traits.contains("calls_8_or_more"), "{traits:?}");
}

#[test]
fn a_change_that_failed_recovers_or_stays_broken() {
    let (bad, good) = ("book_trip {} ! seat not found", "book_trip {} = booked");
    assert!(traits(&story(true, &[bad, good])).contains("recovers book_trip"));
    assert!(traits(&story(true, &[good, bad])).contains("stays_broken book_trip"));
}

#[test]
fn how_it_was_thought_is_marked() {
    let mut trace = story(true, &["think: first things first", "get_user {} = {}", "think: hm"]);
    if let Step::Thought { what, confidence, .. } = &mut trace.steps[2] {
        (*what, *confidence) = (Symbol::of("critique"), Some(Score::nearest(0.2)));
    }
    let traits = traits(&trace);
    for name in ["thinks_first", "critique_low", "thoughts_2_or_more"] {
        assert!(traits.contains(name), "{name} is missing: {traits:?}");
    }
}

#[test]
fn the_end_and_the_order_of_calls_are_marked() {
    let trace = story(true, &["a_one {} = 1", "a_one {} = 1", "b_two {} = 2", "c_three {} = 3"]);
    let marks = marks(&sketch(&trace));
    let tools = |names: &[&str]| names.iter().map(|name| Symbol::of(name)).collect::<Vec<_>>();
    assert!(marks.contains(&Mark::Sequence { tools: tools(&["a_one", "b_two", "c_three"]) }));
    assert!(marks.contains(&Mark::Ends { tools: tools(&["c_three"]) }));
    assert!(!marks.contains(&Mark::Sequence { tools: tools(&["a_one", "a_one"]) }));
}

#[test]
fn traits_of_what_was_done_and_said_are_told_in_sentences() {
    let trace = story(
        false,
        &[
            "user: I want to exchange W1 and cancel W2",
            r#"get_order {"order_id": "W1"} = {}"#,
            r#"exchange_order {"order_id": "W1", "payment_id": "card_5"} ! not found"#,
            "user: yes, go ahead",
            r#"exchange_order {"order_id": "W7"} = done"#,
            "agent: It has been done, sorry.",
            "user: No! That is wrong, and I still want more. Thanks anyway. ###STOP###",
            "transfer_to_person {} = ok",
        ],
    );
    for mark in marks(&sketch(&trace)) {
        let Mark::Trait { family, name, tool } = mark else { continue };
        let told = learn::marks::so(&name, tool.as_ref());
        let elsewhere = name.as_str().contains("calls_") && tool.is_none();
        assert!(elsewhere || told.is_some(), "{family:?} {name} {tool:?} is not told");
    }
    let undone = learn::marks::advice(&Symbol::of("undone_cancel"), None, false);
    assert_eq!(undone.as_deref(), Some("Where the user wants a cancellation, see it done or say why not."));
}
