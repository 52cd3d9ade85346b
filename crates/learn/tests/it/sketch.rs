//! What gets out of a trace, and what never does.

use domain::symbol::Symbol;
use domain::trace::{Cue, Deed, Means, Move, Sketch, Speaker, Step, Untrusted, Verdict};
use learn::{marks, sketch};
use proptest::prelude::*;
use serde_json::json;

use crate::stories::story;

fn cues(sketch: &Sketch, at: usize) -> &[Cue] {
    match &sketch.moves[at] {
        Move::Call { cues, .. } | Move::Said { cues, .. } | Move::Thought { cues, .. } => cues,
        Move::Model { .. } => &[],
    }
}

#[test]
fn arguments_are_given_found_or_made_up() {
    let sketch = sketch(&story(
        true,
        &[
            "user: Hello, I am user_17.",
            r#"get_user {"user_id": "user_17"} = {"orders": ["W22"]}"#,
            r#"get_order {"order_id": "W22"} = {"status": "pending"}"#,
            r#"cancel_order {"order_id": "W99"} ! order not found"#,
        ],
    ));
    assert_eq!(cues(&sketch, 1), [Cue::Given]);
    assert_eq!(cues(&sketch, 2), [Cue::Found]);
    assert_eq!(cues(&sketch, 3), [Cue::MadeUp]);
    let things = sketch.moves.iter().filter_map(|step| match step {
        Move::Call { things, .. } => Some(things.clone()),
        _ => None,
    });
    assert_eq!(things.collect::<Vec<_>>(), [[0], [1], [2]], "things are numbers");
}

#[test]
fn where_something_was_cut_nothing_is_called_made_up() {
    let mut trace = story(true, &["get_user {} = {\"orders\": [", r#"get_order {"order_id": "W22"} = {}"#]);
    if let Step::Call { length, .. } = &mut trace.steps[0] {
        *length = 500;
    }
    assert_eq!(cues(&sketch(&trace), 1), [Cue::Unseen, Cue::Empty]);
}

#[test]
fn a_call_knows_whether_the_user_agreed_and_how_it_pays() {
    let pay = r#"pay_order {"payment_id": "gift_card_12"} = done"#;
    let trace = story(true, &["user: Yes, go ahead.", pay, "user: No, wait.", pay]);
    let sketch = sketch(&trace);
    assert_eq!(cues(&sketch, 1), [Cue::MadeUp, Cue::Pays(Means::Gift), Cue::Confirmed]);
    assert_eq!(cues(&sketch, 3), [Cue::Pays(Means::Gift), Cue::Again]);
}

#[test]
fn wishes_are_noticed_in_what_people_say() {
    let sketch =
        sketch(&story(true, &["user: I’d like to exchange the lamp and return the chair, please.", "agent: Sorry?"]));
    assert_eq!(cues(&sketch, 0), [Cue::Wants(Deed::Return), Cue::Wants(Deed::Exchange)]);
    assert_eq!(cues(&sketch, 1), [Cue::Asks, Cue::Sorry]);
}

#[test]
fn the_longest_trace_is_sketched_move_by_move() {
    let mut trace = story(true, &[]);
    trace.steps = (0..domain::trace::MOST_STEPS)
        .map(|at| Step::Call {
            tool: Symbol::of("look"),
            by: None,
            arguments: Untrusted::new(json!({"id": format!("thing-{at}")})),
            response: Untrusted::text("nothing"),
            length: 7,
            ended: domain::trace::CallEnd::Done,
            at: None,
            millis: None,
        })
        .collect();
    let sketch = sketch(&trace);
    assert_eq!(sketch.moves.len(), domain::trace::MOST_STEPS);
    assert!(marks(&sketch).len() < 100, "marks are of the whole, not of each move");
}

fn said(canary: &str) -> impl Fn(Speaker) -> Step {
    let text = format!("please {canary}? yes, cancel `{canary}` and thanks, {canary}.");
    move |who| Step::Said { who, by: None, text: Untrusted::text(&text), length: 9, at: None }
}

proptest! {
    #[test]
    fn nothing_that_anybody_wrote_gets_into_a_sketch_or_a_mark(
        canary in "[a-z]{12}",
        spice in "\\PC{0,40}",
        number in 0u32..1_000_000,
    ) {
        let wild = format!("{spice} {canary} {spice}");
        let mut trace = story(false, &["look {} = nothing"]);
        trace.context = Untrusted::text(&wild);
        trace.ground_truth = Some(Untrusted::new(json!({ "right": canary })));
        trace.outcome = Some(Verdict { success: false, score: None, answer: Some(Untrusted::text(&wild)) });
        let arguments = json!({
            "order_id": format!("{canary}{number}"),
            "payment_id": format!("gift_card_{canary}"),
            "list": [canary, { "deep": wild, "id": canary }],
        });
        for (arguments, response) in [(arguments, wild.clone()), (json!(wild), canary.clone()), (json!([canary]), String::new())] {
            trace.steps.push(Step::Call {
                tool: Symbol::of("cancel_order"),
                by: None,
                arguments: Untrusted::new(arguments),
                length: response.chars().count() as u32,
                response: Untrusted::text(&response),
                ended: domain::trace::CallEnd::Failed(domain::trace::Trouble::of(&response)),
                at: None,
                millis: None,
            });
        }
        trace.steps.extend([Speaker::User, Speaker::Agent, Speaker::Other].map(said(&canary)));
        trace.steps.push(Step::Thought {
            what: Symbol::of("thought"), by: None, text: Untrusted::text(&wild), length: 3, confidence: None, at: None,
        });
        let sketch = sketch(&trace);
        let marks: Vec<_> = marks(&sketch).into_iter().collect();
        let written = format!("{}{}", serde_json::to_string(&sketch).unwrap(), serde_json::to_string(&marks).unwrap());
        prop_assert!(!written.contains(&canary), "{written}");
        prop_assert_eq!(&sketch, &learn::sketch(&trace), "the same trace, the same sketch");
    }
}
