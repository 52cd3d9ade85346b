//! What patterns and tools say.

use domain::guideline::Wording;
use domain::symbol::Symbol;
use learn::MinePolicy;

use super::{hasty, mined, patterns, trace};
use crate::made_up::Dice;

#[test]
fn a_pattern_says_what_is_so_in_a_sentence_with_its_numbers() {
    let found = patterns(hasty());
    assert_eq!(
        found[0].words,
        "Traces of `clerk` about `refund` in which the agent calls `look`, then `pay` succeed 35 points less often than \
         others of their kind, between 25 and 44 points: 49 of 120 against 364 of 480."
    );
    assert_eq!(found[0].advice, "Do not call `look`, then `pay`.");
}

#[test]
fn what_follows_from_a_pattern_can_be_a_guideline() {
    let mut dice = Dice(2);
    let ways = ["a b", "b a", "a! b", "c", ""];
    let traces = (0..400).map(|n| trace(n, ways[n % 5], Some(dice.falls([0.9, 0.6, 0.1, 0.5, 0.3][n % 5]))));
    let policy = MinePolicy { false_discoveries: 1.0, confidence: 0.0, ..MinePolicy::default() };
    let found = mined(traces).patterns(&policy);
    assert!(found.len() > 1, "{found:?}");
    for pattern in found {
        let advice = pattern.advice.clone();
        assert!(advice.is_empty() || Wording::try_from(advice).is_ok(), "{}", pattern.advice);
        assert!(!pattern.words.contains("NaN"), "{}", pattern.words);
    }
}

#[test]
fn a_tool_that_was_hardly_called_is_taken_to_be_like_the_others() {
    let calls = (0..100).map(|n| trace(n, if n % 10 == 0 { "steady! other" } else { "steady other" }, Some(true)));
    let worth = mined(calls.chain([trace(1_000, "new!", Some(true))])).tools();
    let of = |name: &str| worth.iter().find(|worth| worth.tool == Symbol::of(name)).expect("the tool");
    assert_eq!((of("steady").calls, of("steady").failures, of("new").failures), (100, 10, 1));
    assert!(of("new").fails < 0.7 && of("new").fails > of("steady").fails, "{:?}", of("new"));
    assert!((of("steady").fails - 0.1).abs() < 0.02 && of("steady").effect.is_none());
    let using = mined(hasty()).tools();
    assert!(using.iter().any(|worth| worth.effect.is_some()));
}
