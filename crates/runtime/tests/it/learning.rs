//! Learning from traces: proposed, tried, promoted, rolled back and revoked, and nothing by itself where it is not wanted.

use domain::guideline::{Arm, ExperimentStatus, Lesson, LessonStatus, Report, Trial};
use domain::id::TraceId;
use domain::store::Store;
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Part, Piece, Source, Standing, Step, Verdict};
use jiff::Timestamp;
use runtime::learning::{self, ByHandError, LearnError, LearnPolicy, Yes};

use crate::brittle::Brittle;
use crate::world::World;

const KEY: &str = "k1";

fn by_itself() -> LearnPolicy {
    LearnPolicy { auto_update: true, ..LearnPolicy::default() }
}

/// A trace of somebody's agent that calls some tools.
pub(crate) struct Told {
    id: TraceId,
    tools: Vec<&'static str>,
    success: bool,
    trials: Vec<Trial>,
}

fn told(number: usize, tools: &[&'static str], success: bool) -> Told {
    let id = format!("t{number:06}").parse().expect("a trace's id");
    Told { id, tools: tools.to_vec(), success, trials: Vec::new() }
}

impl Told {
    fn parts(&self) -> Vec<Part> {
        let number: i64 = self.id.as_str()[1..].parse().expect("a number");
        let at = |second: i64| Timestamp::from_second(1_700_000_000 + number * 100 + second).expect("a time");
        let part = |second: i64, key: String, piece: Piece| Part { trace: self.id.clone(), key, at: at(second), piece };
        let about = Piece::About {
            depth: 0,
            agent: Some(Symbol::of("keeper")),
            problem: Some(Symbol::of("feeding")),
            task: None,
            system: None,
            user: None,
            context: None,
            lessons: Vec::new(),
            trials: self.trials.clone(),
        };
        let outcome = Some(Verdict { success: self.success, score: None, answer: None });
        let end = Piece::End { depth: 0, outcome, ground_truth: None, metrics: Default::default() };
        let calls = self.tools.iter().enumerate().map(|(at, tool)| {
            let step = Step::Call {
                tool: Symbol::of(tool),
                by: None,
                arguments: Default::default(),
                response: Default::default(),
                length: 10,
                ended: CallEnd::Done,
                at: None,
                millis: None,
            };
            part(at as i64 + 1, format!("c{at}"), Piece::Did { step })
        });
        let calls: Vec<Part> = calls.collect();
        [vec![part(0, "a".into(), about)], calls, vec![part(90, "e".into(), end)]].concat()
    }
}

pub(crate) async fn send(store: &dyn Store, traces: &[Told]) {
    let parts = traces.iter().flat_map(Told::parts).collect();
    store.receive(&Source::key(KEY), Standing::Evidence, parts, Timestamp::now()).await.expect("received");
}

/// Those who look before they feed succeed nine times in ten, those who do not once in ten.
pub(crate) fn lookers(from: usize, count: usize) -> Vec<Told> {
    (from..from + count)
        .map(|number| match number % 2 {
            0 => told(number, &["pet.look", "pet.feed"], number % 20 != 0),
            _ => told(number, &["pet.feed"], number % 20 == 1),
        })
        .collect()
}

async fn learn(store: &dyn Store, policy: &LearnPolicy) -> Report {
    learning::learn(store, policy, "learner", None).await.expect("a cycle")
}

async fn lessons(store: &dyn Store, status: LessonStatus) -> Vec<Lesson> {
    let lessons = store.lessons().await.expect("lessons");
    lessons.into_iter().filter(|lesson| lesson.status == status).collect()
}

/// A store in which something was learnt and is being tried, with the lesson that is.
async fn trying() -> (World, Lesson) {
    let world = World::new().await;
    let store = world.store.as_ref();
    send(store, &lookers(0, 200)).await;
    learn(store, &by_itself()).await;
    learn(store, &by_itself()).await;
    let lesson = lessons(store, LessonStatus::Canary).await.into_iter().next().expect("something is tried");
    (world, lesson)
}

/// Outcomes of the trial of a lesson: so many in a hundred succeed in each arm.
async fn outcomes(store: &dyn Store, from: usize, count: usize, control: usize, candidate: usize) {
    let experiment = store.experiments(true).await.expect("experiments").remove(0);
    let traces = (from..from + count).map(|number| {
        let arm = if number % 2 == 0 { Arm::Candidate } else { Arm::Control };
        let rate = if arm == Arm::Candidate { candidate } else { control };
        // Spread evenly, and not in step with the arms.
        let success = (number / 2 * 37) % 100 < rate;
        let trials = vec![Trial { experiment: experiment.id.clone(), arm }];
        Told { trials, ..told(number, &["pet.look", "pet.feed"], success) }
    });
    send(store, &traces.collect::<Vec<_>>()).await;
}

#[tokio::test]
async fn what_separates_success_from_failure_is_proposed_and_nothing_more() {
    let world = World::new().await;
    let store = world.store.as_ref();
    send(store, &lookers(0, 200)).await;
    let report = learn(store, &LearnPolicy::default()).await;
    assert_eq!((report.seen["new"], report.traces), (200, 200));
    assert!(!report.found.is_empty() && !report.not_changed.is_empty(), "{report:?}");
    let proposed = lessons(store, LessonStatus::Proposed).await;
    assert!(proposed.iter().any(|lesson| lesson.text.as_str().contains("pet.look")), "{proposed:?}");
    for _ in 0..3 {
        learn(store, &LearnPolicy::default()).await;
    }
    assert_eq!(lessons(store, LessonStatus::Proposed).await.len(), proposed.len(), "without a yes it stays proposed");
    assert!(store.guidelines().await.expect("guidelines").is_empty());
    assert!(store.experiments(false).await.expect("experiments").is_empty());
}

#[tokio::test]
async fn only_what_is_new_is_taken_in() {
    let world = World::new().await;
    let store = world.store.as_ref();
    send(store, &lookers(0, 50)).await;
    learn(store, &LearnPolicy::default()).await;
    assert!(learn(store, &LearnPolicy::default()).await.seen.is_empty());
    send(store, &lookers(0, 51)).await;
    let report = learn(store, &LearnPolicy::default()).await;
    assert_eq!((report.seen.get("new"), report.traces, report.cycle), (Some(&1), 51, 3));
}

#[tokio::test]
async fn too_few_and_nothing_to_compare_is_said() {
    let world = World::new().await;
    let store = world.store.as_ref();
    send(store, &[told(0, &["pet.feed"], true)]).await;
    let report = learn(store, &LearnPolicy::default()).await;
    assert!(report.not_changed[0].contains("too few"), "{report:?}");
    let all_good: Vec<Told> = (1..50).map(|number| told(number, &["pet.feed"], true)).collect();
    send(store, &all_good).await;
    let report = learn(store, &LearnPolicy::default()).await;
    assert!(report.not_changed[0].contains("nothing to compare"), "{report:?}");
}

#[tokio::test]
async fn a_lesson_goes_through_shadow_and_canary_before_all_are_told() {
    let world = World::new().await;
    let store = world.store.as_ref();
    send(store, &lookers(0, 200)).await;
    learn(store, &by_itself()).await;
    assert!(!lessons(store, LessonStatus::Shadow).await.is_empty());
    assert!(store.experiments(false).await.expect("experiments").is_empty());
    learn(store, &by_itself()).await;
    assert_eq!(store.experiments(true).await.expect("experiments")[0].status, ExperimentStatus::Canary);
    assert!(store.guidelines().await.expect("guidelines").is_empty());
    outcomes(store, 1_000, 400, 50, 90).await;
    let report = learn(store, &by_itself()).await;
    let told = store.guidelines().await.expect("guidelines");
    assert_eq!((told.len(), told[0].version.to_string().as_str()), (1, "1.0.0"), "{report:?}");
    let lesson = told[0].points[0].lesson.clone().expect("a lesson");
    let lesson = store.lesson(&lesson).await.expect("store").expect("the lesson");
    assert_eq!(lesson.status, LessonStatus::Active);
    assert!(lesson.effect.is_some_and(|effect| effect.low > 0.0), "{lesson:?}");
}

#[tokio::test]
async fn what_harms_is_rolled_back_by_itself_also_where_nothing_else_is() {
    let (world, lesson) = trying().await;
    let store = world.store.as_ref();
    outcomes(store, 1_000, 400, 90, 50).await;
    learn(store, &LearnPolicy::default()).await;
    let lesson = store.lesson(&lesson.id).await.expect("store").expect("the lesson");
    assert_eq!(lesson.status, LessonStatus::Retired, "{}", lesson.because);
    assert!(store.guidelines().await.expect("guidelines").is_empty());
}

#[tokio::test]
async fn a_promotion_waits_for_a_yes_where_nothing_changes_by_itself() {
    let (world, lesson) = trying().await;
    let store = world.store.as_ref();
    outcomes(store, 1_000, 400, 50, 90).await;
    learn(store, &LearnPolicy::default()).await;
    assert!(store.guidelines().await.expect("guidelines").is_empty());
    let accepted = learning::accept(store, &lesson.id, Yes::Try, Some("ann")).await.expect("accepted");
    assert_eq!(accepted.status, LessonStatus::Active);
    assert_eq!(store.guidelines().await.expect("guidelines")[0].points[0].lesson, Some(lesson.id));
}

#[tokio::test]
async fn a_person_goes_back_and_stops() {
    let (world, lesson) = trying().await;
    let store = world.store.as_ref();
    let experiment = store.experiments(true).await.expect("experiments").remove(0);
    learning::stop(store, &experiment.id, None).await.expect("stopped");
    let again = learning::stop(store, &experiment.id, None).await;
    assert!(matches!(again, Err(ByHandError::Pointless(_))));
    let one = learning::accept(store, &lesson.id, Yes::AtOnce, None).await.expect("accepted");
    assert_eq!(one.status, LessonStatus::Active);
    let agent = Symbol::of("keeper");
    let first = learning::roll_back(store, &agent, None, None).await;
    assert!(matches!(first, Err(ByHandError::Pointless(_))), "there was nothing before");
    learning::dismiss(store, &lesson.id, None).await.expect("dismissed");
    let versions = store.guideline_versions(&agent).await.expect("versions");
    assert_eq!(versions.len(), 2);
    assert!(versions[0].1 && versions[0].0.points.is_empty());
    let back = learning::roll_back(store, &agent, None, Some("ann")).await.expect("rolled back");
    assert_eq!((back.version.to_string().as_str(), back.points.len()), ("1.0.0", 1));
    assert_eq!(lessons(store, LessonStatus::Active).await.len(), 1);
    let unknown = learning::roll_back(store, &Symbol::of("nobody"), None, None).await;
    assert!(matches!(unknown, Err(ByHandError::Unknown { .. })));
}

#[tokio::test]
async fn what_is_told_stays_told_without_a_yes_though_its_pattern_is_gone() {
    let (world, lesson) = trying().await;
    let store = world.store.as_ref();
    learning::accept(store, &lesson.id, Yes::AtOnce, None).await.expect("accepted");
    // From now on those who do not look succeed as often.
    let others: Vec<Told> = (1_000..1_600).map(|number| told(number, &["pet.feed"], number % 10 != 0)).collect();
    send(store, &others).await;
    let report = learn(store, &LearnPolicy::default()).await;
    assert_eq!(lessons(store, LessonStatus::Active).await.len(), 1, "{report:?}");
    assert!(report.not_changed.iter().any(|sentence| sentence.contains("nothing changes by itself")), "{report:?}");
    let said = format!("“{}” is retired", lesson.text);
    assert!(report.changed.iter().all(|sentence| !sentence.starts_with(&said)), "{report:?}");
    learn(store, &by_itself()).await;
    assert!(lessons(store, LessonStatus::Active).await.is_empty());
    assert!(store.guidelines().await.expect("guidelines")[0].points.is_empty());
}

#[tokio::test]
async fn revoking_a_source_withdraws_what_rests_on_it() {
    let (world, lesson) = trying().await;
    let store = world.store.as_ref();
    learning::accept(store, &lesson.id, Yes::AtOnce, None).await.expect("accepted");
    let revoked = learning::revoke(store, &Source::key(KEY)).await.expect("revoked");
    assert_eq!(revoked.traces, 200);
    assert!(revoked.lessons.contains(&lesson.id));
    assert!(store.guidelines().await.expect("guidelines").iter().all(|version| version.points.is_empty()));
    let report = learn(store, &by_itself()).await;
    assert_eq!((report.traces, report.seen["withdrawn"]), (0, 200));
    send(store, &lookers(500, 100)).await;
    let report = learn(store, &by_itself()).await;
    assert_eq!((report.traces, report.seen["only watched"]), (0, 100), "nor is what it sends from now on");
}

#[tokio::test]
async fn a_label_that_flips_later_is_counted_as_it_is_now() {
    let world = World::new().await;
    let store = world.store.as_ref();
    send(store, &lookers(0, 50)).await;
    let before = learn(store, &LearnPolicy::default()).await;
    let flipped = told(0, &[], false);
    let outcome = Verdict { success: true, score: None, answer: None };
    let label = Part { trace: flipped.id, key: "l".into(), at: Timestamp::now(), piece: Piece::Label { outcome } };
    store.receive(&Source::key(KEY), Standing::Evidence, vec![label], Timestamp::now()).await.expect("received");
    let after = learn(store, &LearnPolicy::default()).await;
    assert_eq!((after.traces, after.successes), (before.traces, before.successes + 1));
    assert_eq!(after.seen["changed"], 1);
}

#[tokio::test]
async fn of_two_learners_one_has_to_wait() {
    let world = World::new().await;
    let store = world.store.as_ref();
    let now = Timestamp::now();
    let until = now + std::time::Duration::from_secs(60);
    assert!(store.take_up_learning("other", now, until).await.expect("taken up"));
    let busy = learning::learn(store, &LearnPolicy::default(), "learner", None).await;
    assert!(matches!(busy, Err(LearnError::Busy { learner, .. }) if learner == "other"));
    store.lay_down_learning("other").await.expect("laid down");
    learn(store, &LearnPolicy::default()).await;
}

#[tokio::test]
async fn a_cycle_that_dies_half_way_is_made_up_for() {
    let world = World::new().await;
    send(world.store.as_ref(), &lookers(0, 200)).await;
    for writes in 0..3 {
        let dying = Brittle::over(&world.store, writes);
        let learnt = learning::learn(dying.as_ref(), &by_itself(), "dies", None).await;
        assert_eq!(learnt.is_err(), writes < 2, "after {writes} writes");
    }
    let untouched = World::new().await;
    send(untouched.store.as_ref(), &lookers(0, 200)).await;
    learn(untouched.store.as_ref(), &by_itself()).await;
    let said = |lessons: Vec<Lesson>| -> Vec<_> {
        lessons.into_iter().map(|lesson| (lesson.id, lesson.status, lesson.pattern.evidence)).collect()
    };
    let once = said(untouched.store.lessons().await.expect("lessons"));
    let mut twice = said(world.store.lessons().await.expect("lessons"));
    twice.sort_by(|one, other| one.0.cmp(&other.0));
    let mut once = once;
    once.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(twice, once, "nothing is counted twice");
}
