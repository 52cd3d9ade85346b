//! What was learnt, and changing it.

use std::sync::Arc;

use domain::guideline::{
    Arm, Author, Direction, Experiment, ExperimentId, ExperimentStatus, Learned, Lesson, LessonId, LessonStatus,
    Observation, Point, Report, Revision, Semver, Version, Wording,
};
use domain::id::TraceId;
use domain::store::Store;
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Move, Sketch, Source};
use futures::future::join_all;

use super::language::at;
use super::pieces::id;

fn sketch(trace: &str, success: bool) -> Sketch {
    let call = Move::Call {
        tool: Symbol::of("cat.feed"),
        by: None,
        keys: vec![Symbol::of("bowl")],
        cues: Vec::new(),
        things: Vec::new(),
        ended: CallEnd::Done,
        length: 3,
        millis: Some(7),
    };
    Sketch {
        trace: id(trace),
        source: Source::key("k"),
        agent: Symbol::of("keeper"),
        problem: Symbol::of("pets"),
        task: None,
        system: None,
        user: None,
        success: Some(success),
        moves: vec![call],
        seconds: Some(0.1),
        usd: Some(1e-7),
        lessons: Vec::new(),
        trials: Vec::new(),
    }
}

fn lesson(text: &str, second: i64) -> Lesson {
    let text = Wording::try_from(text.to_owned()).expect("a sentence");
    let agent = Symbol::of("keeper");
    let pattern = serde_json::json!({
        "id": "pat_1", "mark": {"mark": "calls", "tool": "cat.feed"}, "words": "w", "advice": "a",
        "evidence": {
            "with_success": 9, "with_failure": 1, "without_success": 2, "without_failure": 8, "effect": 0.7,
            "interval": [0.1, 0.9], "confidence": 0.3, "p": 1e-9, "q": 1e-8, "users": 1,
            "sources": {"key:k": 10}, "examples": [["t-1"], []],
        },
    });
    Lesson {
        id: LessonId::of(&agent, None, &text),
        agent,
        problem: None,
        text,
        pattern: serde_json::from_value(pattern).expect("a pattern"),
        status: LessonStatus::Proposed,
        because: "it was seen".into(),
        made_at: at(second),
        changed_at: at(second),
        effect: None,
    }
}

fn experiment(name: &str, second: i64, status: ExperimentStatus) -> Experiment {
    Experiment {
        id: ExperimentId(Symbol::of(name)),
        agent: Symbol::of("keeper"),
        problem: None,
        lesson: lesson("Look before you feed.", 1).id,
        direction: Direction::Add,
        share: 0.1,
        alpha: 0.05,
        minimum: 0.0,
        status,
        because: "it is new".into(),
        tally: Default::default(),
        evidence_for: 1.0,
        evidence_against: 1.0,
        effect: None,
        started_at: at(second),
        ended_at: None,
    }
}

fn seen(experiment: &str, trace: &str, success: bool) -> Observation {
    Observation { experiment: ExperimentId(Symbol::of(experiment)), trace: id(trace), arm: Arm::Candidate, success }
}

fn report(cycle: u64) -> Report {
    Report {
        cycle,
        started_at: at(cycle as i64),
        ended_at: at(cycle as i64 + 1),
        seen: [("new".to_owned(), 3)].into(),
        traces: 3,
        successes: 2,
        found: Default::default(),
        changed: vec!["something".into()],
        not_changed: Vec::new(),
        alerts: Vec::new(),
        figures: serde_json::json!({"keeper": 0.5}),
    }
}

fn version(agent: &str, points: &[&str]) -> Version {
    let points = points.iter().map(|text| Point::said("file", *text)).collect();
    Version::first(Symbol::of(agent), points, "it helps", Author::Cycle(1), at(1))
}

async fn learned(store: &Arc<dyn Store>) -> Learned {
    store.learned().await.expect("learned")
}

/// Revises what must be revised.
async fn revise(store: &Arc<dyn Store>, change: Revision) {
    let revision = learned(store).await.revision;
    assert!(store.revise(revision, change).await.expect("revised"));
    assert_eq!(learned(store).await.revision, revision + 1);
}

pub(super) async fn one_learns_at_a_time(store: Arc<dyn Store>) {
    let take = async |worker, now, until| store.take_up_learning(worker, at(now), at(until)).await.expect("asked");
    assert!(take("a", 0, 10).await);
    assert!(!take("b", 5, 15).await);
    assert!(take("a", 5, 20).await, "it goes on");
    assert!(!take("b", 19, 30).await);
    assert!(take("b", 20, 30).await, "its time is over");
    assert!(!take("a", 21, 40).await);
    store.lay_down_learning("a").await.expect("no longer its");
    assert_eq!(learned(&store).await.learner, Some(("b".into(), at(30))));
    store.lay_down_learning("b").await.expect("laid down");
    assert_eq!(learned(&store).await, Learned::default());
    let names: Vec<String> = (0..8).map(|n| format!("w-{n}")).collect();
    let asked = join_all(names.iter().map(|name| store.take_up_learning(name, at(50), at(60)))).await;
    assert_eq!(asked.into_iter().filter(|taken| *taken.as_ref().expect("asked")).count(), 1);
}

pub(super) async fn what_is_learnt_is_read_as_it_was_written(store: Arc<dyn Store>) {
    assert_eq!(learned(&store).await, Learned::default());
    let (one, two) = (lesson("Look before you feed.", 1), lesson("Feed before you leave.", 2));
    let (open, over) =
        (experiment("e-1", 1, ExperimentStatus::Canary), experiment("e-2", 2, ExperimentStatus::RolledBack));
    let change = Revision {
        state: Some((17, vec![0, 255, 7])),
        evidence: vec![(id("t-1"), Some(sketch("t-1", true))), (id("t-2"), Some(sketch("t-2", false)))],
        lessons: vec![one.clone(), two.clone()],
        experiments: vec![open.clone(), over.clone()],
        report: Some(report(1)),
        ..Revision::default()
    };
    revise(&store, change).await;
    let state = Some(vec![0, 255, 7]);
    assert_eq!(learned(&store).await, Learned { revision: 1, cycles: 1, mark: 17, state, learner: None });
    assert_eq!(store.lessons().await.expect("lessons"), [two.clone(), one.clone()]);
    assert_eq!(store.lesson(&one.id).await.expect("read"), Some(one.clone()));
    assert_eq!(store.experiments(false).await.expect("read"), [over, open.clone()]);
    assert_eq!(store.experiments(true).await.expect("read"), std::slice::from_ref(&open));
    assert_eq!(store.reports(5).await.expect("reports"), [report(1)]);
    // What is absent stays, what changes is replaced.
    let moved = Lesson { status: LessonStatus::Active, changed_at: at(9), ..one };
    let closed = Experiment { status: ExperimentStatus::Promoted, evidence_for: f64::INFINITY, ..open };
    let change = Revision {
        evidence: vec![(id("t-1"), None), (id("t-2"), Some(sketch("t-2", true)))],
        lessons: vec![moved.clone()],
        experiments: vec![closed],
        report: Some(report(2)),
        ..Revision::default()
    };
    revise(&store, change).await;
    let now = learned(&store).await;
    assert_eq!((now.cycles, now.mark, now.state), (2, 17, Some(vec![0, 255, 7])));
    assert_eq!(store.lessons().await.expect("lessons"), [moved, two]);
    assert!(store.experiments(true).await.expect("read").is_empty());
    assert_eq!(store.experiments(false).await.expect("read")[1].evidence_for, f64::MAX, "JSON has no infinity");
    assert_eq!(store.reports(1).await.expect("reports"), [report(2)]);
    assert_eq!(store.lesson(&LessonId(Symbol::of("lsn_0"))).await.expect("read"), None);
}

pub(super) async fn evidence_is_found_by_trace(store: Arc<dyn Store>) {
    let names = ["Z", "a", "a.b", "a_b", "b"];
    let evidence = names.iter().map(|name| (id(name), Some(sketch(name, true)))).collect();
    revise(&store, Revision { evidence, ..Revision::default() }).await;
    let of = |sketches: Vec<Sketch>| sketches.into_iter().map(|sketch| sketch.trace).collect::<Vec<TraceId>>();
    let (mut all, mut after) = (Vec::new(), None::<TraceId>);
    loop {
        let some = of(store.evidence(after.as_ref(), 2).await.expect("evidence"));
        let Some(last) = some.last() else { break };
        after = Some(last.clone());
        all.extend(some);
    }
    assert_eq!(all, names.map(id));
    let taken = of(store.taken(&[id("b"), id("none"), id("a")]).await.expect("taken"));
    assert_eq!(taken, [id("a"), id("b")]);
    assert!(store.taken(&[]).await.expect("taken").is_empty());
}

pub(super) async fn an_outcome_that_turns_out_otherwise_keeps_its_place(store: Arc<dyn Store>) {
    let first = vec![seen("e", "c", true), seen("e", "a", true), seen("other", "a", false)];
    revise(&store, Revision { observations: first, ..Revision::default() }).await;
    let second = vec![seen("e", "b", false), seen("e", "c", false)];
    revise(&store, Revision { observations: second, ..Revision::default() }).await;
    let of = async |name| store.observations(&ExperimentId(Symbol::of(name))).await.expect("observations");
    assert_eq!(of("e").await, [seen("e", "c", false), seen("e", "a", true), seen("e", "b", false)]);
    assert_eq!(of("other").await, [seen("other", "a", false)]);
    assert!(of("none").await.is_empty());
}

pub(super) async fn agents_are_told_the_version_that_was_turned_to(store: Arc<dyn Store>) {
    let first = version("keeper", &["Look."]);
    let second = first.next(first.version, vec![Point::said("file", "Feed.")], "shorter", Author::Person(None), at(2));
    let tenth = Version { version: Semver { major: 10, minor: 0, patch: 0 }, ..second.clone() };
    let other = version("feeder", &["Wash."]);
    let versions = vec![first.clone(), second.clone(), tenth.clone(), other.clone()];
    let turned = vec![(first.agent.clone(), second.version), (other.agent.clone(), other.version)];
    revise(&store, Revision { versions, turned, ..Revision::default() }).await;
    let all = store.guideline_versions(&first.agent).await.expect("versions");
    assert_eq!(all, [(tenth, false), (second.clone(), true), (first.clone(), false)]);
    assert_eq!(store.guidelines().await.expect("guidelines"), [other.clone(), second]);
    let back = vec![(first.agent.clone(), first.version)];
    revise(&store, Revision { versions: vec![first.clone()], turned: back, ..Revision::default() }).await;
    assert_eq!(store.guidelines().await.expect("guidelines"), [other, first]);
    assert!(store.guideline_versions(&Symbol::of("nobody")).await.expect("versions").is_empty());
}

pub(super) async fn of_many_who_revise_at_once_one_does(store: Arc<dyn Store>) {
    for round in 0..5 {
        let at_once = (0..8).map(|n| {
            let change = Revision {
                evidence: vec![(id(&format!("t-{round}-{n}")), Some(sketch("t", true)))],
                observations: vec![seen("e", &format!("t-{round}"), true)],
                ..Revision::default()
            };
            store.revise(round, change)
        });
        let revised = join_all(at_once).await.into_iter().filter(|revised| *revised.as_ref().expect("asked"));
        assert_eq!(revised.count(), 1);
    }
    assert_eq!(learned(&store).await.revision, 5);
    assert_eq!(store.evidence(None, 100).await.expect("evidence").len(), 5, "who was late changed nothing");
}

pub(super) async fn a_revision_that_cannot_be_leaves_all_as_before(store: Arc<dyn Store>) {
    let made = version("keeper", &["Look."]);
    let good = Revision { versions: vec![made.clone()], report: Some(report(1)), ..Revision::default() };
    revise(&store, good).await;
    let before = learned(&store).await;
    let change = || Revision {
        state: Some((99, vec![1])),
        evidence: vec![(id("t"), Some(sketch("t", true)))],
        lessons: vec![lesson("Look before you feed.", 1)],
        observations: vec![seen("e", "t", true)],
        ..Revision::default()
    };
    let forged = Version { hash: domain::hash::Hash::of(b"other"), ..made.clone() };
    let nowhere = Semver { major: 9, minor: 9, patch: 9 };
    let mut odd = lesson("Feed before you leave.", 1);
    odd.pattern.evidence.p = f64::NAN;
    let wrong = [
        Revision { lessons: vec![lesson("Look before you feed.", 1), odd], ..change() },
        Revision { versions: vec![forged], ..change() },
        Revision { turned: vec![(made.agent.clone(), nowhere)], ..change() },
        Revision { report: Some(report(1)), ..change() },
    ];
    for wrong in wrong {
        let refused = store.revise(before.revision, wrong).await;
        assert!(refused.is_err(), "{refused:?}");
        assert_eq!(learned(&store).await, before);
        assert!(store.evidence(None, 10).await.expect("evidence").is_empty());
        assert!(store.lessons().await.expect("lessons").is_empty());
    }
    assert!(!store.revise(before.revision + 1, change()).await.expect("asked"));
    assert_eq!(store.guideline_versions(&made.agent).await.expect("versions"), [(made, false)]);
    assert!(store.revise(before.revision, change()).await.expect("revised"));
}
