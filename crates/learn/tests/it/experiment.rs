//! Who gets what, what outcomes say, what is tried next, and what becomes of it.

use domain::guideline::{
    Arm, Direction, Experiment, ExperimentId, ExperimentStatus, Lesson, LessonStatus, Observation,
};
use domain::symbol::Symbol;
use learn::experiment::{
    EProcess, ExperimentPolicy, PlanPolicy, Verdict, assign, begin, effect, id_of, judge, next, prune, settle, stop,
    stop_orphans,
};
use proptest::prelude::*;

use crate::made_up::Dice;
use crate::taught::{day, lesson, measured, outcomes, seen, standing};

const POLICY: ExperimentPolicy =
    ExperimentPolicy { share: 0.5, alpha: 0.05, margin: 0.0, minimum: 0.02, harm: 0.1, futile: 0.1, most_runs: 20_000 };

fn named(name: &str) -> ExperimentId {
    ExperimentId(Symbol::of(name))
}

#[test]
fn a_unit_always_gets_the_same_and_the_share_is_kept() {
    let arms = |name: &str, share| -> Vec<Arm> {
        (0..10_000).map(|unit| assign(&named(name), &format!("run-{unit}"), share)).collect()
    };
    let candidates = |arms: &[Arm]| arms.iter().filter(|arm| **arm == Arm::Candidate).count();
    assert_eq!(arms("exp_a", 0.2), arms("exp_a", 0.2));
    assert!((1_850..2_150).contains(&candidates(&arms("exp_a", 0.2))));
    assert_eq!((candidates(&arms("exp_a", 0.0)), candidates(&arms("exp_a", 1.0))), (0, 10_000));
    // Whoever is a candidate at a small share still is at a larger one: a canary may grow.
    assert!(arms("exp_a", 0.2).iter().zip(arms("exp_a", 0.5)).all(|(small, large)| *small <= large));
}

#[test]
fn what_one_gets_in_an_experiment_says_nothing_about_another() {
    let both = (0..10_000)
        .map(|unit| format!("run-{unit}"))
        .filter(|unit| ["exp_a", "exp_b"].iter().all(|name| assign(&named(name), unit, 0.5) == Arm::Candidate))
        .count();
    assert!((2_350..2_650).contains(&both), "{both}");
}

#[test]
fn useless_changes_are_rarely_promoted_however_often_one_looks() {
    for (base, share) in [(0.1, 0.5), (0.5, 0.2), (0.9, 0.5)] {
        let promoted = (0..200)
            .filter(|world| {
                let mut process = EProcess::above(0.0, share);
                outcomes(500, share, (base, base), *world).iter().any(|seen| {
                    process.observe(seen.arm, seen.success);
                    process.evidence() >= 20.0
                })
            })
            .count();
        assert!(promoted <= 15, "{promoted} of 200 at {base} and {share}");
    }
}

#[test]
fn evidence_is_on_average_one_where_the_claim_is_true() {
    // All ways in which four runs can end, each as often as it comes.
    let rates = [(0.3, 0.3), (0.8, 0.8), (0.6, 0.5), (0.2, 0.2)];
    let share: f64 = 0.3;
    let mut mean = 0.0;
    for way in 0..(1u32 << (2 * rates.len())) {
        let (mut chance, mut process) = (1.0, EProcess::above(0.0, share));
        for (run, (control, candidate)) in rates.iter().enumerate() {
            let (tried, success) = (way >> (2 * run) & 1 == 1, way >> (2 * run + 1) & 1 == 1);
            let (arm, part, rate) =
                if tried { (Arm::Candidate, share, *candidate) } else { (Arm::Control, 1.0 - share, *control) };
            chance *= part * if success { rate } else { 1.0 - rate };
            process.observe(arm, success);
        }
        mean += chance * process.evidence();
    }
    assert!(mean < 1.0 && mean > 0.95, "{mean}");
}

#[test]
fn what_helps_is_promoted_and_what_harms_is_rolled_back() {
    let verdict = |rates| judge(&outcomes(10_000, 0.5, rates, 3), &POLICY).verdict;
    assert_eq!(verdict((0.6, 0.7)), Verdict::Promote);
    assert_eq!(verdict((0.6, 0.5)).status(), Some(ExperimentStatus::RolledBack));
    let strict = ExperimentPolicy { futile: 0.0, ..POLICY };
    let harmful = judge(&outcomes(10_000, 0.5, (0.6, 0.5), 3), &strict);
    assert_eq!(harmful.verdict, Verdict::Harmful);
    assert!(harmful.because.starts_with("it harms: "), "{}", harmful.because);
    assert!(harmful.effect.is_some_and(|effect| effect.high < 0.0));
}

#[test]
fn what_is_not_clear_in_time_is_given_up() {
    let short = ExperimentPolicy { most_runs: 300, ..POLICY };
    let said = judge(&outcomes(300, 0.5, (0.5, 0.51), 5), &short);
    assert_eq!((said.verdict, said.decided_after), (Verdict::Useless, Some(300)));
    assert!(said.because.starts_with("it is not clear after 300 runs that it helps"), "{}", said.because);
}

#[test]
fn arms_with_wrong_shares_say_nothing() {
    let one_arm: Vec<Observation> = (0..200).map(|n| seen(n, Arm::Candidate, true)).collect();
    let said = judge(&one_arm, &POLICY);
    assert_eq!((said.verdict, said.effect), (Verdict::Skewed, None));
    assert!(said.evidence_for < 5.0, "one arm alone proves nothing: {}", said.evidence_for);
}

#[test]
fn a_decision_stays_whatever_comes_later_unless_an_earlier_outcome_flips() {
    let mut seen = outcomes(4_000, 0.5, (0.5, 0.7), 9);
    let first = judge(&seen, &POLICY);
    let after = first.decided_after.expect("decided") as usize;
    seen.extend(outcomes(4_000, 0.5, (0.7, 0.5), 10));
    assert_eq!(judge(&seen, &POLICY).decided_after, Some(after as u64));
    for observation in seen.iter_mut().take(after).filter(|seen| seen.arm == Arm::Candidate) {
        observation.success = false;
    }
    assert_ne!(judge(&seen, &POLICY).verdict, Verdict::Promote);
}

#[test]
fn the_interval_holds_the_truth_and_says_what_the_evidence_says() {
    let held = (0..40).filter(|world| {
        let found = effect(&outcomes(400, 0.5, (0.6, 0.65), *world), 0.5, 0.05).expect("both arms");
        found.low <= 0.05 && 0.05 <= found.high
    });
    assert!(held.count() >= 36);
    for world in 0..10 {
        let seen = outcomes(500, 0.5, (0.5, 0.65), world);
        let mut process = EProcess::above(0.0, 0.5);
        seen.iter().for_each(|seen| process.observe(seen.arm, seen.success));
        let low = effect(&seen, 0.5, 0.05).expect("both arms").low;
        assert_eq!(process.evidence() >= 20.0, low > 1e-6, "{} and {low}", process.evidence());
    }
}

proptest! {
    #[test]
    fn any_outcomes_have_a_judgement_in_numbers(
        ends in prop::collection::vec((any::<bool>(), any::<bool>()), 0..300), share in -1.0..2.0f64, alpha in 0.0..1.0f64,
    ) {
        let arm = |tried| if tried { Arm::Candidate } else { Arm::Control };
        let seen: Vec<_> = ends.iter().enumerate().map(|(n, (tried, good))| seen(n, arm(*tried), *good)).collect();
        let said = judge(&seen, &ExperimentPolicy { share, alpha, ..POLICY });
        prop_assert!(said.evidence_for.is_finite() && said.evidence_for >= 0.0);
        prop_assert!(said.evidence_against.is_finite() && said.evidence_against >= 0.0);
        if let Some(effect) = said.effect {
            prop_assert!(-1.0 <= effect.low && effect.low <= effect.estimate);
            prop_assert!(effect.estimate <= effect.high && effect.high <= 1.0);
        }
    }
}

fn shadow(agent: &str, text: &str, low: f64) -> Lesson {
    standing(lesson(Some(agent), text, (low, low + 0.1), 400), LessonStatus::Shadow)
}

#[test]
fn the_most_valuable_are_tried_first_and_not_all_at_once() {
    let lessons = [shadow("a", "x", 0.01), shadow("a", "y", 0.2), shadow("a", "z", 0.1), shadow("b", "x", 0.01)];
    let begun = next(&lessons, &[], &PlanPolicy { at_once: 2, ..PlanPolicy::default() }, day(2));
    let tried: Vec<_> = begun.iter().map(|begun| begun.lesson.clone()).collect();
    assert_eq!(tried, [lessons[1].id.clone(), lessons[2].id.clone(), lessons[3].id.clone()]);
    assert!(begun.windows(2).all(|two| two[0].alpha > two[1].alpha), "each spends a part of what may be wrong");
    assert_eq!(begun[0].id, id_of(&lessons[1].id, Direction::Add, 0));
    assert_eq!(begin(&lessons[1], &begun[0], day(2)).status, LessonStatus::Canary);
    assert!(next(&lessons[..2], &begun[..2], &PlanPolicy { at_once: 2, ..PlanPolicy::default() }, day(3)).is_empty());
}

#[test]
fn two_lessons_about_one_tool_are_not_tried_at_once() {
    let lessons = [shadow("a", "x > y", 0.2), shadow("a", "y > z", 0.1)];
    let begun = next(&lessons, &[], &PlanPolicy::default(), day(2));
    assert_eq!(begun.len(), 1);
}

#[test]
fn what_does_not_fit_is_not_tried() {
    let lessons = [shadow("a", "x", 0.2)];
    assert!(next(&lessons, &[], &PlanPolicy { tokens: 5, ..PlanPolicy::default() }, day(2)).is_empty());
}

#[test]
fn active_lessons_are_left_out_by_way_of_trial_once() {
    let active = [standing(lesson(Some("a"), "x", (0.1, 0.2), 400), LessonStatus::Active)];
    let begun = next(&active, &[], &PlanPolicy::default(), day(2));
    assert_eq!(begun.iter().map(|begun| begun.direction).collect::<Vec<_>>(), [Direction::Remove]);
    let ended = Experiment { status: ExperimentStatus::RolledBack, ..begun[0].clone() };
    assert!(next(&active, &[ended], &PlanPolicy::default(), day(9)).is_empty());
}

#[test]
fn a_lesson_goes_where_its_experiment_sends_it() {
    let canary = standing(lesson(Some("a"), "x", (0.1, 0.2), 400), LessonStatus::Canary);
    let added = &next(&[standing(canary.clone(), LessonStatus::Shadow)], &[], &PlanPolicy::default(), day(2))[0];
    let ends = |lesson: &Lesson, experiment: &Experiment, rates| {
        let said = judge(&outcomes(9_000, 0.5, rates, 4), &ExperimentPolicy::of(experiment));
        settle(lesson, experiment, &said, day(5))
    };
    let (helped, promoted) = ends(&canary, added, (0.5, 0.7));
    assert_eq!((helped.status, promoted.status), (LessonStatus::Active, ExperimentStatus::Promoted));
    assert_eq!((promoted.ended_at, helped.changed_at), (Some(day(5)), day(5)));
    let (harmed, rolled_back) = ends(&canary, added, (0.7, 0.5));
    assert_eq!((harmed.status, rolled_back.status), (LessonStatus::Retired, ExperimentStatus::RolledBack));

    let left_out = &next(std::slice::from_ref(&helped), &[], &PlanPolicy::default(), day(6))[0];
    let glance = judge(&outcomes(20, 0.5, (0.6, 0.6), 4), &ExperimentPolicy::of(left_out));
    assert_eq!(settle(&helped, left_out, &glance, day(6)).0.effect, helped.effect);
    let (kept, _) = ends(&helped, left_out, (0.7, 0.5));
    assert_eq!(kept.status, LessonStatus::Active);
    assert!(kept.effect.is_some_and(|effect| effect.low > 0.1), "leaving it out costs, so telling it helps");
    let (harmful, _) = ends(&helped, left_out, (0.55, 0.6));
    assert_eq!(harmful.status, LessonStatus::Retired, "what is not missed is not told: {}", harmful.because);
}

#[test]
fn what_was_measured_to_harm_is_pruned() {
    let active = |range| measured(standing(lesson(Some("a"), "x", (0.1, 0.2), 400), LessonStatus::Active), range);
    let pruned = prune(&[active((-0.2, -0.1)), active((-0.1, 0.1)), active((0.1, 0.2))], day(3));
    assert_eq!(pruned.len(), 1);
    assert_eq!(pruned[0].because, "it harms: -15.0 points (-20.0 to -10.0) over 1000 runs");
}

#[test]
fn a_stopped_experiment_leaves_things_as_they_were_before() {
    let canary = standing(lesson(Some("a"), "x", (0.1, 0.2), 400), LessonStatus::Canary);
    let open = &next(&[standing(canary.clone(), LessonStatus::Shadow)], &[], &PlanPolicy::default(), day(2))[0];
    let (nobody, stopped) = stop(&canary, open, "it annoys people", day(3));
    assert_eq!((nobody.status, stopped.status), (LessonStatus::Retired, ExperimentStatus::Stopped));
    assert_eq!(stopped.because, "it annoys people");
    assert!(stop_orphans(std::slice::from_ref(&canary), std::slice::from_ref(open), day(4)).is_empty());
    let orphans = stop_orphans(&[nobody], std::slice::from_ref(open), day(4));
    assert_eq!(orphans.iter().map(|orphan| orphan.status).collect::<Vec<_>>(), [ExperimentStatus::Stopped]);
    let said = judge(&outcomes(9_000, 0.5, (0.5, 0.7), 4), &ExperimentPolicy::of(open));
    let retired = standing(canary, LessonStatus::Retired);
    assert_eq!(settle(&retired, open, &said, day(5)).0.status, LessonStatus::Retired);
}

#[test]
fn drifting_rates_are_not_taken_for_an_effect() {
    let promoted = (0..200)
        .filter(|world| {
            let (mut dice, mut process) = (Dice(*world), EProcess::above(0.0, 0.5));
            (0..600).any(|run| {
                let arm = if dice.falls(0.5) { Arm::Candidate } else { Arm::Control };
                process.observe(arm, dice.falls(0.9 - f64::from(run) / 1_000.0));
                process.evidence() >= 20.0
            })
        })
        .count();
    assert!(promoted <= 12, "{promoted} of 200");
}
