//! Whether what went well before is told from what did not.

use domain::symbol::Symbol;
use domain::trace::Sketch;
use learn::predict::{FitPolicy, Predictor, fit};
use learn::sketch;

use crate::stories::story;

const LOOK: &str = r#"get_order {"order_id": "W1"} = open"#;
const CANCEL: &str = r#"cancel_order {"order_id": "W1"} = cancelled"#;

/// Two hundred attempts of two systems: whoever looks before it cancels succeeds, nine times in ten.
fn history() -> Vec<Sketch> {
    let attempt = |at: usize| {
        let careful = at.is_multiple_of(2);
        let lucky = !at.is_multiple_of(10);
        let lines: &[&str] = if careful { &[LOOK, CANCEL] } else { &[CANCEL] };
        let mut sketch = sketch(&story(careful == lucky, lines));
        sketch.system = Some(Symbol::of(if at < 100 { "one" } else { "two" }));
        sketch
    };
    (0..200).map(attempt).collect()
}

#[test]
fn what_goes_with_success_speaks_for_it() {
    let predictor = fit(&history(), &FitPolicy::default());
    let (careful, careless) = (sketch(&story(true, &[LOOK, CANCEL])), sketch(&story(true, &[CANCEL])));
    assert_eq!(predictor.traces(), 200);
    assert!(predictor.chance(&careful).get() > 0.6, "{}", predictor.chance(&careful).get());
    assert!(predictor.chance(&careless).get() < 0.4, "{}", predictor.chance(&careless).get());
    let reasons = predictor.reasons(&careful);
    assert!(reasons.windows(2).all(|pair| pair[0].1.abs() >= pair[1].1.abs()), "the weightiest comes first");
    assert!(reasons[0].1 > 0.0, "{reasons:?}");
}

#[test]
fn unknown_company_is_judged_by_what_it_did() {
    let predictor = fit(&history(), &FitPolicy::default());
    for lines in [&[LOOK, CANCEL][..], &[CANCEL]] {
        let mut known = sketch(&story(true, lines));
        known.system = Some(Symbol::of("one"));
        let mut stranger = known.clone();
        (stranger.agent, stranger.problem) = (Symbol::of("clerk"), Symbol::of("post"));
        stranger.system = Some(Symbol::of("three"));
        let (known, stranger) = (predictor.chance(&known).get(), predictor.chance(&stranger).get());
        assert!((known - stranger).abs() < 0.1, "{known} {stranger}");
    }
}

#[test]
fn nothing_and_one_outcome_teach_without_nonsense() {
    let nobody = fit(&[], &FitPolicy::default());
    let one = sketch(&story(true, &[LOOK]));
    assert_eq!(nobody.chance(&one).get(), 0.5);
    let always = fit(&vec![one.clone(); 20], &FitPolicy::default());
    assert!(always.chance(&one).get() > 0.9);
    let mut unknown = one.clone();
    unknown.success = None;
    assert_eq!(fit(&[unknown], &FitPolicy::default()).traces(), 0);
}

#[test]
fn the_same_traces_teach_the_same_and_it_can_be_kept() {
    let (predictor, again) = (fit(&history(), &FitPolicy::default()), fit(&history(), &FitPolicy::default()));
    assert_eq!(predictor, again);
    let kept = serde_json::to_string(&predictor).expect("written");
    let read: Predictor = serde_json::from_str(&kept).expect("read");
    let one = sketch(&story(true, &[LOOK, CANCEL]));
    assert!((read.chance(&one).get() - predictor.chance(&one).get()).abs() < 1e-9);
}
