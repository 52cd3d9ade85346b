//! Reports are brought to what they turned out to be worth, and no farther than the evidence goes.

use domain::forecast::Hindsight;
use domain::score::Score;
use learn::{calibrate, calibration_error};
use proptest::prelude::*;

use crate::made_up::{Dice, any_history, reported, run, shuffled};

/// Runs that reported what `says` says and succeeded as often as `worth` makes of it.
fn history(runs: usize, seed: u64, says: impl Fn(&mut Dice) -> f64, worth: impl Fn(f64) -> f64) -> Vec<Hindsight> {
    let mut dice = Dice(seed);
    let one = |n| {
        let score = says(&mut dice);
        reported(run(n, dice.falls(worth(score))), "overall", score)
    };
    (0..runs).map(one).collect()
}

fn worth(history: &[Hindsight], score: f64) -> f64 {
    calibrate(history, "overall").apply(Score::nearest(score)).get()
}

#[test]
fn who_says_nine_in_ten_and_is_right_six_times_is_believed_six_times() {
    for seed in 0..20 {
        let before = history(300, seed, |_| 0.9, |_| 0.6);
        let share = before.iter().filter(|run| run.succeeded).count() as f64 / 300.0;
        let curve = calibrate(&before, "overall");
        let worth = curve.apply(Score::nearest(0.9)).get();
        assert!((worth - share).abs() < 0.02, "seed {seed}: {worth} for {share}");
        assert!((worth - 0.6).abs() < 0.1, "seed {seed}: {worth}");
        let after = history(2_000, seed + 1_000, |_| 0.9, |_| 0.6);
        let said = calibration_error(&after, "overall", None).expect("reports");
        let now = calibration_error(&after, "overall", Some(&curve)).expect("reports");
        assert!(said > 0.25 && now < 0.1, "seed {seed}: {said} then {now}");
    }
    let before = history(300, 7, |_| 0.9, |_| 0.6);
    assert!((worth(&before, 0.9) - 0.6).abs() < 0.05, "{}", worth(&before, 0.9));
    assert!(
        calibrate(&before, "overall")
            .explanation()
            .starts_with("over 300 finished runs `overall` was reported as 0.90")
    );
}

#[test]
fn who_exaggerates_over_the_whole_range_is_taken_back_everywhere() {
    let exaggerates = |dice: &mut Dice| dice.unit();
    let before = history(1_000, 3, exaggerates, |score| score * score);
    let curve = calibrate(&before, "overall");
    for score in [0.1, 0.3, 0.5, 0.7, 0.9] {
        let worth = curve.apply(Score::nearest(score)).get();
        assert!((worth - score * score).abs() < 0.1, "{score} is worth {worth}");
    }
    let after = history(1_000, 4, exaggerates, |score| score * score);
    let said = calibration_error(&after, "overall", None).expect("reports");
    let now = calibration_error(&after, "overall", Some(&curve)).expect("reports");
    assert!(now < said / 2.0, "{said} then {now}");
}

#[test]
fn nothing_changes_before_there_is_evidence() {
    let few = history(19, 1, |dice| dice.unit(), |_| 0.5);
    let unanimous = history(300, 1, |dice| dice.unit(), |_| 1.0);
    for (runs, says) in [
        (&few, "`overall` is taken as reported: 19 of 20 finished runs that it takes are known"),
        (&unanimous, "`overall` is taken as reported: all 300 finished runs succeeded, so they cannot be told apart"),
    ] {
        let curve = calibrate(runs, "overall");
        assert_eq!((curve.evidence(), curve.explanation().as_str()), (0, says));
        assert_eq!(curve.apply(Score::nearest(0.37)), Score::nearest(0.37));
    }
    assert_eq!(calibrate(&unanimous, "plan").explanation(), calibrate(&[], "plan").explanation());
    assert_eq!(calibration_error(&unanimous, "plan", None), None);
}

#[test]
fn twenty_runs_move_a_report_two_thirds_of_the_way() {
    let runs: Vec<Hindsight> = (0..20).map(|n| reported(run(n, n % 2 == 0), "overall", 0.8)).collect();
    assert!((worth(&runs, 0.8) - 0.6).abs() < 1e-9, "{}", worth(&runs, 0.8));
    assert_eq!(calibrate(&runs, "overall").evidence(), 20);
}

#[test]
fn beyond_what_was_seen_a_point_is_worth_a_point_at_most() {
    let runs: Vec<Hindsight> = (0..20).map(|n| reported(run(n, n % 2 == 0), "overall", 0.8)).collect();
    let at = |score| (worth(&runs, score) * 100.0).round() / 100.0;
    assert_eq!([at(0.0), at(0.4), at(0.8), at(0.9), at(1.0)], [0.0, 0.3, 0.6, 0.7, 0.8]);
}

#[test]
fn zero_is_a_report_like_any_other() {
    let runs: Vec<Hindsight> = (0..100).map(|n| reported(run(n, n % 2 == 0), "overall", 0.0)).collect();
    let curve = calibrate(&runs, "overall");
    assert_eq!(curve.evidence(), 100);
    assert!((curve.apply(Score::ZERO).get() - 50.0 / 110.0).abs() < 1e-9);
}

#[test]
fn what_is_older_than_the_newest_thousand_is_forgotten() {
    let old = (0..1_000).map(|n| reported(run(n, n % 10 == 0), "overall", 0.9));
    let new = (1_000..2_000).map(|n| reported(run(n, n % 10 != 0), "overall", 0.9));
    let all: Vec<Hindsight> = new.clone().chain(old).collect();
    let newest: Vec<Hindsight> = new.collect();
    assert_eq!(calibrate(&all, "overall"), calibrate(&newest, "overall"));
}

proptest! {
    #[test]
    fn a_curve_never_falls_and_stays_between_0_and_1(history in any_history()) {
        let curve = calibrate(&history, "overall");
        let worth: Vec<f64> = (0..=200).map(|n| curve.apply(Score::nearest(f64::from(n) / 200.0)).get()).collect();
        prop_assert!(worth.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12), "{worth:?}");
        prop_assert!(worth.iter().all(|worth| (0.0..=1.0).contains(worth)));
    }

    #[test]
    fn the_order_in_which_runs_come_does_not_matter(history in any_history(), seed in any::<u64>()) {
        let mixed = shuffled(&history, seed);
        let curve = calibrate(&history, "overall");
        prop_assert_eq!(&curve, &calibrate(&mixed, "overall"));
        let error = calibration_error(&history, "overall", Some(&curve));
        prop_assert_eq!(error, calibration_error(&mixed, "overall", Some(&curve)));
        prop_assert!(error.is_none_or(|error| (0.0..=1.0).contains(&error)));
    }

    #[test]
    fn without_evidence_every_report_stays_as_it_is(history in any_history(), score in 0.0..=1.0_f64) {
        let few: Vec<Hindsight> = history.into_iter().take(19).collect();
        prop_assert_eq!(calibrate(&few, "overall").apply(Score::nearest(score)), Score::nearest(score));
    }
}
