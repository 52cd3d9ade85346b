//! Another pass is worth what passes before it were worth, as far as confidence means anything.

use domain::forecast::Hindsight;
use domain::score::Score;
use learn::gain;
use proptest::prelude::*;

use crate::made_up::{Dice, any_history, reported, run, shuffled};

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn before_anything_went_back_three_tenths_of_the_gap_are_expected() {
    let told = gain(&[], Score::nearest(0.5));
    assert!(near(told.expected, 0.15), "{}", told.expected);
    let says = "no finished run went back; 0.30 of the gap is taken to close, \
                and a point of confidence is worth 1.00 points of success";
    assert_eq!((told.evidence, told.explanation.as_str()), (0, says));
    assert_eq!(gain(&[], Score::ONE).expected, 0.0);
}

#[test]
fn passes_that_closed_the_gap_make_the_next_one_worth_more() {
    let went_back = |n, last| reported(reported(run(n, true), "first", 0.5), "overall", last);
    let told = |last: f64| gain(&(0..10).map(|n| went_back(n, last)).collect::<Vec<_>>(), Score::nearest(0.5));
    // Ten runs that closed eight tenths weigh as much as the three tenths that are taken for granted.
    assert!(near(told(0.9).expected, 0.5 * 0.55), "{}", told(0.9).expected);
    assert_eq!(told(0.9).evidence, 10);
    assert!(near(told(0.5).expected, 0.5 * 0.15));
    assert_eq!(told(0.0).expected, 0.0, "a pass that makes it worse is worth nothing");
}

#[test]
fn confidence_that_says_nothing_about_success_is_not_worth_raising() {
    let history = |worth: fn(f64) -> f64| -> Vec<Hindsight> {
        let mut dice = Dice(11);
        let one = |n| {
            let score = dice.unit();
            reported(run(n, dice.falls(worth(score))), "overall", score)
        };
        (0..1_000).map(one).collect()
    };
    let honest = gain(&history(|score| score), Score::nearest(0.5)).expected;
    let empty = gain(&history(|_| 0.5), Score::nearest(0.5)).expected;
    assert!(honest > 0.13, "{honest}");
    assert!(empty < 0.02, "{empty}");
}

proptest! {
    #[test]
    fn a_gain_is_never_more_than_what_is_missing(history in any_history(), now in 0.0..=1.0_f64, seed in any::<u64>()) {
        let told = gain(&history, Score::nearest(now));
        prop_assert!((0.0..=1.0 - now).contains(&told.expected), "{told:?}");
        prop_assert_eq!(told, gain(&shuffled(&history, seed), Score::nearest(now)));
    }
}
