//! What stages answered, within runs and alone.

use std::sync::Arc;

use domain::run::RunStatus;
use domain::stage::{Stage, StageAnswer, StageFilter, StageRecord};
use domain::store::{Cursor, RunFilter, Store, StoreError};
use futures::future::join_all;

use super::language::{at, claimed, commit, completed, is_conflict, is_fenced, ledger, received, shown, work};
use super::reasoning::{
    assessed, assessment, assessment_of, confidence, critique, critiqued, plan_answer, planned, record, score, scored,
    thought, thought_of, told,
};

async fn file(store: &Arc<dyn Store>, record: &StageRecord) -> u32 {
    store.file(record, &told(&record.request, 0, &["meta_agent"])).await.expect("filed")
}

async fn history(store: &Arc<dyn Store>, stage: Stage, filter: &StageFilter) -> Vec<StageRecord> {
    let (records, next) = store.stage_history(stage, filter, None, 1_000).await.expect("a history");
    assert_eq!(next, None);
    records
}

/// The requests whose answers a filter lets through, newest first.
async fn found(store: &Arc<dyn Store>, filter: StageFilter) -> Vec<String> {
    history(store, Stage::MetaAgent, &filter).await.into_iter().map(|record| record.request).collect()
}

pub(super) async fn an_answer_is_read_as_it_was_filed(store: Arc<dyn Store>) {
    let answers = [
        (Stage::Thinker, StageAnswer::Thought(thought())),
        (Stage::Planner, StageAnswer::Plan(plan_answer())),
        (Stage::Critic, StageAnswer::Critique(critique())),
        (Stage::Scorer, StageAnswer::Confidence(confidence(0.1, 1.0 / 3.0))),
        (Stage::MetaAgent, StageAnswer::Assessment(assessment(0.7, true, false))),
        (Stage::Replanner, StageAnswer::Plan(plan_answer())),
    ];
    for (stage, answer) in answers {
        let given = record("my request \u{1F408}", stage, 5, answer);
        for attempt in [1, 2] {
            assert_eq!(file(&store, &given).await, attempt);
            let expected = StageRecord { attempt, ..given.clone() };
            assert_eq!(store.filed(&given.request, stage).await.expect("read"), Some(expected));
        }
        assert_eq!(history(&store, stage, &StageFilter::default()).await.len(), 2);
    }
}

pub(super) async fn an_answer_belongs_to_one_request_and_one_stage(store: Arc<dyn Store>) {
    file(&store, &assessment_of("a", 1, 0.5)).await;
    assert!(store.filed("a", Stage::MetaAgent).await.expect("read").is_some());
    assert_eq!(store.filed("a", Stage::Critic).await.expect("read"), None);
    for other in ["A", "b", "a ", "", "' OR 1=1 --"] {
        assert_eq!(store.filed(other, Stage::MetaAgent).await.expect("read"), None, "{other}");
    }
    // What no database can keep is kept as well as it can be, and found by the same name.
    assert_eq!(file(&store, &assessment_of("a\0b", 1, 0.5)).await, 1);
    assert_eq!(file(&store, &assessment_of("a\0b", 2, 0.5)).await, 2);
    assert_eq!(store.filed("a\0b", Stage::MetaAgent).await.expect("read").map(|record| record.attempt), Some(2));
    let filter = StageFilter { request: Some("a\0b".into()), ..StageFilter::default() };
    assert_eq!(found(&store, filter).await.len(), 2);
    assert!(store.request("a\0b").await.expect("read").is_some());
}

pub(super) async fn of_many_answers_at_once_none_is_lost(store: Arc<dyn Store>) {
    let token = claimed(&store, "judge me").await;
    for request in ["nobody's".to_owned(), token.run.to_string()] {
        let filing = (0..20).map(|n| {
            let (store, record) = (&store, assessment_of(&request, n, 0.5));
            async move { file(store, &record).await }
        });
        let mut attempts = join_all(filing).await;
        attempts.sort_unstable();
        assert!(attempts.into_iter().eq(1..=20), "{request}");
        let filter = StageFilter { request: Some(request.clone()), ..StageFilter::default() };
        let kept = history(&store, Stage::MetaAgent, &filter).await;
        assert!(kept.iter().map(|record| record.at).eq((0..20).rev().map(at)));
        assert_eq!(store.filed(&request, Stage::MetaAgent).await.expect("read").map(|last| last.attempt), Some(20));
    }
    // The run goes on counting where the others stopped, even beside them.
    let run = token.run.to_string();
    let beside = assessment_of(&run, 2, 0.5);
    let (committed, filed) =
        tokio::join!(store.commit(token, vec![assessed(1, 1, assessment(0.5, false, false))]), file(&store, &beside),);
    committed.expect("committed");
    assert!([21, 22].contains(&filed));
    assert_eq!(store.filed(&run, Stage::MetaAgent).await.expect("read").map(|last| last.attempt), Some(22));
}

pub(super) async fn answers_are_found_by_what_a_filter_says(store: Arc<dyn Store>) {
    for (request, second, quality) in [("bad", 1, 0.0), ("poor", 2, 0.4), ("good", 3, 0.9), ("best", 4, 1.0)] {
        file(&store, &assessment_of(request, second, quality)).await;
    }
    file(&store, &record("bad", Stage::Thinker, 9, StageAnswer::Thought(thought()))).await;
    let any = StageFilter::default;
    let cases = [
        (any(), vec!["best", "good", "poor", "bad"]),
        (StageFilter { request: Some("good".into()), ..any() }, vec!["good"]),
        (StageFilter { request: Some("none".into()), ..any() }, vec![]),
        (StageFilter { max_quality: Some(0.0), ..any() }, vec!["bad"]),
        (StageFilter { min_quality: Some(0.0), ..any() }, vec!["best", "good", "poor", "bad"]),
        (StageFilter { min_quality: Some(0.4), max_quality: Some(0.9), ..any() }, vec!["good", "poor"]),
        (StageFilter { min_quality: Some(1.0), ..any() }, vec!["best"]),
        (StageFilter { min_quality: Some(0.9), max_quality: Some(0.4), ..any() }, vec![]),
        (StageFilter { min_quality: Some(f64::NAN), ..any() }, vec![]),
        (StageFilter { max_quality: Some(f64::NAN), ..any() }, vec![]),
        (StageFilter { max_quality: Some(f64::INFINITY), ..any() }, vec!["best", "good", "poor", "bad"]),
        (StageFilter { should_replan: Some(true), ..any() }, vec!["poor", "bad"]),
        (StageFilter { should_replan: Some(false), ..any() }, vec!["best", "good"]),
        (StageFilter { should_deepen: Some(true), ..any() }, vec!["bad"]),
        (StageFilter { should_deepen: Some(false), ..any() }, vec!["best", "good", "poor"]),
        (StageFilter { since: Some(at(3)), ..any() }, vec!["best", "good"]),
        (StageFilter { until: Some(at(3)), ..any() }, vec!["good", "poor", "bad"]),
        (StageFilter { since: Some(at(2)), until: Some(at(2)), ..any() }, vec!["poor"]),
        (StageFilter { since: Some(at(3)), until: Some(at(2)), ..any() }, vec![]),
        (StageFilter { request: Some("bad".into()), should_replan: Some(false), ..any() }, vec![]),
    ];
    for (filter, expected) in cases {
        assert_eq!(found(&store, filter.clone()).await, expected, "{filter:?}");
    }
    // A stage that says nothing about quality is let through by no bound.
    let plan = StageAnswer::Plan(plan_answer());
    file(&store, &record("good", Stage::Planner, 1, plan)).await;
    let unbounded = history(&store, Stage::Planner, &any()).await;
    let bounded = history(&store, Stage::Planner, &StageFilter { min_quality: Some(0.0), ..any() }).await;
    assert_eq!((unbounded.len(), bounded.len()), (1, 0));
}

pub(super) async fn pages_show_every_answer_once(store: Arc<dyn Store>) {
    // Seven at a time are filed at the same moment.
    let mut expected: Vec<(i64, u32)> = Vec::new();
    for n in 0..250 {
        expected.push((n / 7, file(&store, &assessment_of("paged", n / 7, 0.5)).await));
    }
    expected.reverse();
    let filter = StageFilter { request: Some("paged".into()), ..StageFilter::default() };
    for filter in [StageFilter::default(), filter] {
        let (mut seen, mut cursor): (Vec<_>, Option<Cursor>) = (Vec::new(), None);
        loop {
            let (records, next) =
                store.stage_history(Stage::MetaAgent, &filter, cursor.as_ref(), 9).await.expect("a page");
            assert!(records.len() == 9 || next.is_none());
            seen.extend(records.into_iter().map(|record| (record.at, record.attempt)));
            match next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(seen, expected.iter().map(|(second, attempt)| (at(*second), *attempt)).collect::<Vec<_>>());
    }
    let (all, next) =
        store.stage_history(Stage::MetaAgent, &StageFilter::default(), None, usize::MAX).await.expect("a page");
    assert_eq!((all.len(), next), (250, None));
}

pub(super) async fn a_cursor_of_another_listing_is_refused(store: Arc<dyn Store>) {
    for (n, second) in [(1, 1), (2, 2)] {
        store.accept(domain::id::RunId::fresh(), vec![received("paged")], None).await.expect("accepted");
        file(&store, &assessment_of(&format!("{n}"), second, 0.5)).await;
    }
    let filter = StageFilter::default();
    let of_runs = store.runs(&RunFilter::default(), None, 1).await.expect("runs").next.expect("more");
    let of_answers = store.stage_history(Stage::MetaAgent, &filter, None, 1).await.expect("answers").1.expect("more");
    let of_requests = store.requests(None, None, 1).await.expect("requests").1.expect("more");
    for wrong in [Cursor("'; --".into()), of_runs.clone(), of_requests] {
        let refused = store.stage_history(Stage::MetaAgent, &filter, Some(&wrong), 1).await;
        assert!(matches!(refused, Err(StoreError::BadCursor { .. })), "{refused:?}");
    }
    for wrong in [Cursor("'; --".into()), of_runs, of_answers] {
        let refused = store.requests(None, Some(&wrong), 1).await;
        assert!(matches!(refused, Err(StoreError::BadCursor { .. })), "{refused:?}");
    }
}

pub(super) async fn clearing_a_stage_keeps_the_others(store: Arc<dyn Store>) {
    let token = claimed(&store, "cleared").await;
    commit(&store, token, vec![thought_of(1), assessed(2, 1, assessment(0.9, false, false))]).await;
    for (request, quality) in [("a", 0.1), ("a", 0.9), ("b", 0.1)] {
        file(&store, &assessment_of(request, 3, quality)).await;
    }
    file(&store, &record("a", Stage::Critic, 3, StageAnswer::Critique(critique()))).await;
    let clear = async |stage, filter: StageFilter| store.clear_stage(stage, &filter).await.expect("cleared");
    let left = async |stage| history(&store, stage, &StageFilter::default()).await.len();
    let nothing = StageFilter { max_quality: Some(f64::NAN), ..StageFilter::default() };
    assert_eq!(clear(Stage::MetaAgent, nothing).await, 0);
    let poor = StageFilter { request: Some("a".into()), max_quality: Some(0.5), ..StageFilter::default() };
    assert_eq!((clear(Stage::MetaAgent, poor).await, left(Stage::MetaAgent).await), (1, 3));
    assert_eq!((clear(Stage::MetaAgent, StageFilter::default()).await, left(Stage::MetaAgent).await), (3, 0));
    assert_eq!((left(Stage::Critic).await, left(Stage::Thinker).await), (1, 1));
    // Ledgers, runs and requests stay as they are.
    assert_eq!(ledger(&store, token.run).await.len(), 3);
    assert_eq!(shown(&store, token.run).await.quality, Some(0.9));
    assert!(store.request("b").await.expect("read").is_some());
    assert_eq!(file(&store, &assessment_of("b", 4, 0.5)).await, 1);
}

pub(super) async fn a_run_files_what_its_stages_say(store: Arc<dyn Store>) {
    let token = claimed(&store, "think first").await;
    let (run, other) = (token.run.to_string(), claimed(&store, "other").await);
    commit(&store, token, vec![thought_of(1), thought_of(2), planned(3, 1), critiqued(4, 1)]).await;
    commit(&store, token, vec![scored(5, 1, confidence(0.9, 0.8)), assessed(6, 1, assessment(0.0, true, true))]).await;
    commit(&store, token, vec![planned(7, 2), assessed(8, 2, assessment(0.6, false, true))]).await;
    commit(&store, other, vec![assessed(9, 1, assessment(0.9, false, false))]).await;
    let filed = async |stage| {
        let record = store.filed(&run, stage).await.expect("read").expect("filed");
        (record.attempt, record.at, record.answer.quality())
    };
    assert_eq!(filed(Stage::Thinker).await, (2, at(2), Some(score(0.3))));
    assert_eq!(filed(Stage::Planner).await, (1, at(3), Some(score(0.9))));
    assert_eq!(filed(Stage::Critic).await, (1, at(4), Some(score(0.7))));
    assert_eq!(filed(Stage::Scorer).await, (1, at(5), Some(score(0.8))));
    assert_eq!(filed(Stage::Replanner).await, (1, at(7), Some(score(0.9))));
    assert_eq!(filed(Stage::MetaAgent).await, (2, at(8), Some(score(0.6))));
    // What is refused leaves nothing behind.
    is_conflict(store.commit(token, vec![thought_of(9), work("received")]).await, "received");
    let owner = store.claim(token.run, "you").await.expect("claimed").token;
    is_fenced(store.commit(token, vec![thought_of(9)]).await, token.run);
    assert_eq!(filed(Stage::Thinker).await.0, 2);
    // What is a run's goes with it, whoever filed it.
    file(&store, &assessment_of(&run, 10, 0.1)).await;
    commit(&store, owner, vec![completed(11, "done")]).await;
    assert_eq!(store.clear(&RunFilter::default()).await.expect("cleared"), 1);
    assert_eq!(store.filed(&run, Stage::Thinker).await.expect("read"), None);
    assert_eq!(found(&store, StageFilter::default()).await, [other.run.to_string()]);
    assert_eq!(shown(&store, other.run).await.status, RunStatus::Pending);
}
