//! False discoveries over time.

use domain::guideline::ExperimentStatus::{self, Promoted, RolledBack, Stopped};
use learn::spend::allot;
use proptest::prelude::*;

use crate::made_up::Dice;

#[test]
fn what_is_allotted_without_a_discovery_never_adds_up_to_more_than_the_whole() {
    let mut past = Vec::new();
    let mut total = 0.0;
    for _ in 0..3_000 {
        total += allot(&past, 0.05);
        past.push(RolledBack);
    }
    assert!(total < 0.05 && total > 0.03, "{total}");
}

#[test]
fn discoveries_pay_for_more() {
    assert!(allot(&[Promoted, Stopped], 0.05) > 1.9 * allot(&[RolledBack, Stopped], 0.05));
}

/// The greediest evidence there is for something useless: all or nothing, right at the bar.
#[test]
fn few_of_those_promoted_are_useless_even_if_evidence_is_as_greedy_as_may_be() {
    let (total, mut share, worlds) = (0.1, 0.0, 2_000);
    for world in 0..worlds {
        let mut dice = Dice(world);
        let mut past: Vec<ExperimentStatus> = Vec::new();
        let (mut wrong, mut right) = (0.0, 0.0);
        for _ in 0..100 {
            let alpha = allot(&past, total);
            let useless = dice.falls(0.8);
            let promoted = dice.falls(if useless { alpha } else { 0.7 });
            past.push(if promoted { Promoted } else { RolledBack });
            if promoted {
                *(if useless { &mut wrong } else { &mut right }) += 1.0;
            }
        }
        share += wrong / f64::max(wrong + right, 1.0);
    }
    assert!(share / worlds as f64 <= total, "{}", share / worlds as f64);
}

proptest! {
    #[test]
    fn a_share_is_always_a_chance(past in prop::collection::vec(prop::sample::select(&ExperimentStatus::ALL[..]), 0..200), total in -1.0..2.0f64) {
        prop_assert!((0.0..=1.0).contains(&allot(&past, total)));
    }
}
