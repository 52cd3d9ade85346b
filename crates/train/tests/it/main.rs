//! The shipped artefact is held to the figures that are written beside it.

use domain::thought::Orchestration;
use reflex::certificate::{certify_together, shipped_samples};
use reflex::classify::Classifier;
use reflex::complexity::weigh;
use reflex::split::split;
use train::{complexity, data, figures};

#[test]
fn the_shipped_router_keeps_what_was_measured() {
    let Some(folder) = data::folder() else {
        eprintln!("SKIPPED: the public sets are not in ../shared/data, so nothing was measured");
        return;
    };
    let answers = figures::ask(Classifier::shipped(), &data::read(&folder, "router6/test").expect("a readable set"));
    assert!(figures::accuracy(&answers) >= 0.92, "{}", figures::accuracy(&answers));
    assert!(figures::calibration_error(&answers) <= 0.02, "{}", figures::calibration_error(&answers));
    assert!(figures::coverage(&answers, 0.98) >= 0.82, "{}", figures::coverage(&answers, 0.98));
    let promise = certify_together(&shipped_samples(), 0.02, 0.1).expect("enough samples are shipped");
    let fast = figures::fast(&answers, &[], Some(&promise));
    assert!(fast.error <= 0.02 && fast.strangers <= 0.10, "{fast:?}");
    assert!(fast.coverage > 0.4, "{fast:?}");
}

#[test]
fn what_needs_a_planner_is_told_without_a_model() {
    let Some(folder) = data::folder() else {
        eprintln!("SKIPPED: the public sets are not in ../shared/data, so nothing was measured");
        return;
    };
    let (mut right, mut said, mut so) = (0, 0, 0);
    for row in complexity::taskbench(&folder, "test").expect("a readable set") {
        let told = weigh(&row.text, split(&row.text).parts.len()).complexity;
        let several = told.orchestration != Orchestration::Simple;
        right += u32::from(several && row.several);
        said += u32::from(several);
        so += u32::from(row.several);
    }
    let f1 = 2.0 * f64::from(right) / f64::from(said + so);
    assert!(f1 >= 0.96, "{f1}");
}

#[test]
fn figures_are_counted_as_the_baselines_were() {
    let answer = |role: &str, wanted: &str, confidence| figures::Answer {
        role: role.into(),
        wanted: wanted.into(),
        confidence,
        stranger: false,
        ambiguous: false,
    };
    let answers = [
        answer("timer", "timer", 0.9),
        answer("timer", "other", 0.8),
        answer("weather", "weather", 0.7),
        answer("other", "weather", 0.9),
    ];
    assert_eq!(figures::accuracy(&answers), 0.5);
    assert_eq!(figures::coverage(&answers, 1.0), 1.0 / 3.0);
    assert_eq!(figures::coverage(&answers, 0.6), 2.0 / 3.0);
}
