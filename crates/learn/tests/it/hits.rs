//! Hits are counted as they fell, and a share is called off only where chance does not explain it.

use domain::forecast::Hindsight;
use learn::hits;
use learn::hits::Fit;

use crate::made_up::{foreseen, range, run, took};

/// So many runs of which the first `within` cost and took what was foreseen.
fn history(runs: usize, within: usize) -> Vec<Hindsight> {
    let one = |n| {
        let factor = if n < within { 1.0 } else { 5.0 };
        let ended = took(run(n, n % 2 == 0), factor, 10.0 * factor);
        foreseen(ended, range(0.5, 1.0, 2.0), range(5.0, 10.0, 20.0), range(0.6, 0.8, 0.9))
    };
    (0..runs).map(one).collect()
}

#[test]
fn runs_that_ended_as_foreseen_are_counted() {
    let told = hits(&history(10, 8));
    assert_eq!((told.runs, told.usd.within, told.usd.of, told.usd.share), (10, 8, 10, Some(0.8)));
    assert_eq!(told.usd, told.seconds);
    assert_eq!(told.usd.fit, Fit::Fits);
    assert!(told.usd.level.is_some_and(|level| (level - 0.8).abs() < 1e-9), "{:?}", told.usd);
    assert!(told.usd.low < 0.5 && told.usd.high > 0.94, "{:?}", told.usd);
}

#[test]
fn ranges_are_called_off_only_beyond_chance() {
    let fit = |runs, within| hits(&history(runs, within)).usd.fit;
    assert_eq!([fit(10, 6), fit(10, 10), fit(200, 165)], [Fit::Fits; 3]);
    assert_eq!([fit(200, 120), fit(200, 198)], [Fit::TooNarrow, Fit::TooWide]);
}

#[test]
fn chances_are_set_against_how_many_succeeded() {
    let told = hits(&history(10, 8)).success;
    assert_eq!((told.of, told.succeeded, told.brier_of_share), (10, Some(0.5), Some(0.25)));
    let (foreseen, brier) = (told.foreseen.expect("foreseen"), told.brier.expect("brier"));
    assert!((foreseen - 0.8).abs() < 1e-9);
    // Half are 0.2 off and half 0.8.
    assert!((brier - (0.04 + 0.64) / 2.0).abs() < 1e-9, "{brier}");
}

#[test]
fn what_was_free_as_foreseen_and_what_has_no_time_prove_nothing() {
    let free = |n| {
        let mut ended = foreseen(run(n, true), range(0.0, 0.0, 0.0), range(1.0, 2.0, 3.0), range(0.6, 0.8, 0.9));
        ended.seconds = None;
        ended
    };
    let mut runs: Vec<Hindsight> = (0..20).map(free).collect();
    let told = hits(&runs);
    assert_eq!((told.runs, told.usd.of, told.seconds.of), (20, 0, 0));
    assert_eq!((told.usd.share, told.usd.fit), (None, Fit::Unknown));
    runs.push(took(free(20), 0.5, 2.0));
    let told = hits(&runs);
    assert_eq!((told.usd.within, told.usd.of, told.seconds.within), (0, 1, 1));
}

#[test]
fn runs_of_which_nothing_was_foreseen_do_not_count() {
    assert_eq!(hits(&[run(1, true)]), hits(&[]));
    assert_eq!(hits(&[]).success.brier, None);
}
