//! What was said about runs before they acted, beside what became of them.

use std::sync::Arc;

use domain::event::{Entry, Event};
use domain::forecast::Hindsight;
use domain::id::RunId;
use domain::run::{Ending, FailureKind};
use domain::score::Score;
use domain::store::{RunFilter, Store, Token};

use super::items::said;
use super::language::{at, commit, entry, entry_at, finished, received, shown};
use super::reasoning::{assessed, assessment, confidence, forecast, foreseen, score, scored, thought_of};
use super::samples;

async fn begun(store: &Arc<dyn Store>, second: i64) -> Token {
    let run = RunId::fresh();
    store.accept(run, vec![Entry { at: at(second), ..received("foresee me") }], None).await.expect("accepted");
    store.claim(run, "me").await.expect("claimed").token
}

fn completed(worked_ms: Option<u64>) -> Entry {
    let ending = Ending::Completed { answer: "done".into() };
    entry_at(99, "finished", Event::Finished { ending, spent: Default::default(), worked_ms })
}

fn failed() -> Entry {
    let ending = Ending::Failed { reason: FailureKind::Step, error: "no".into(), answer: None };
    entry_at(99, "finished", Event::Finished { ending, spent: Default::default(), worked_ms: Some(7) })
}

async fn hindsight(store: &Arc<dyn Store>, limit: usize) -> Vec<Hindsight> {
    store.hindsight(limit).await.expect("hindsight")
}

pub(super) async fn hindsight_sets_what_was_said_beside_what_became_of_it(store: Arc<dyn Store>) {
    let run = begun(&store, 1).await;
    commit(&store, run, vec![scored(2, 1, confidence(0.9, 0.8))]).await;
    commit(&store, run, vec![assessed(3, 1, assessment(0.0, true, false))]).await;
    assert!(hindsight(&store, 10).await.is_empty(), "it has not ended");
    commit(&store, run, vec![scored(4, 2, confidence(0.7, 0.6)), assessed(5, 2, assessment(0.5, false, false))]).await;
    let reply = domain::event::Outcome::Ok(samples::reply());
    let called = Event::ModelCalled { component: "agent".into(), model: "m".into(), reply, millis: 5 };
    commit(&store, run, vec![foreseen(6), entry("call", called)]).await;
    commit(&store, run, vec![completed(Some(1_234))]).await;
    let spent = shown(&store, run.run).await.spent;
    assert_eq!(spent.model_calls, 1);
    let scores = [("plan", 0.7), ("overall", 0.6), ("first", 0.8), ("quality", 0.5)];
    let expected = Hindsight {
        run: run.run,
        at: at(1),
        succeeded: true,
        reported: scores.into_iter().map(|(name, number)| (name.to_owned(), score(number))).collect(),
        forecast: Some(forecast()),
        spent,
        seconds: Some(1.234),
    };
    assert_eq!(hindsight(&store, 10).await, [expected]);
}

pub(super) async fn hindsight_knows_planned_runs_that_ended_by_themselves(store: Arc<dyn Store>) {
    // The order in which they were accepted is not that of their moments.
    let (late, early) = (begun(&store, 30).await, begun(&store, 10).await);
    commit(&store, late, vec![scored(31, 1, confidence(0.9, 0.0)), failed()]).await;
    commit(&store, early, vec![foreseen(11)]).await;
    commit(&store, early, vec![completed(Some(5))]).await;
    let only_planned = begun(&store, 20).await;
    commit(&store, only_planned, vec![foreseen(21), completed(None)]).await;
    let unsaid = begun(&store, 40).await;
    commit(&store, unsaid, vec![thought_of(41), completed(Some(5))]).await;
    let stopped = begun(&store, 50).await;
    commit(&store, stopped, vec![foreseen(51), finished(52, Ending::Cancelled { reason: None })]).await;
    let open = begun(&store, 60).await;
    commit(&store, open, vec![foreseen(61)]).await;

    let all = hindsight(&store, usize::MAX).await;
    let seen: Vec<_> = all.iter().map(|seen| (seen.run, seen.at, seen.succeeded, seen.seconds)).collect();
    assert_eq!(seen, [(late.run, at(30), false, Some(0.007)), (early.run, at(10), true, Some(0.005))]);
    assert_eq!((all[0].reported["overall"], all[0].forecast.as_ref()), (Score::ZERO, None));
    assert!(all[1].reported.is_empty() && all[1].forecast.is_some());
    assert_eq!(hindsight(&store, 1).await, all[..1]);
    assert!(hindsight(&store, 0).await.is_empty());
    assert_eq!(store.clear(&RunFilter::default()).await.expect("cleared"), 5);
    assert!(hindsight(&store, 10).await.is_empty());
}

pub(super) async fn what_a_person_said_counts_in_hindsight(store: Arc<dyn Store>) {
    let (good, bad) = (begun(&store, 20).await, begun(&store, 10).await);
    commit(&store, good, vec![foreseen(21), completed(Some(5))]).await;
    commit(&store, bad, vec![foreseen(11), failed()]).await;
    let succeeded = async || hindsight(&store, 9).await.iter().map(|seen| seen.succeeded).collect::<Vec<_>>();
    assert_eq!(succeeded().await, [true, false]);
    store.rate(good.run, &said(100, false)).await.expect("rated");
    store.rate(bad.run, &said(100, true)).await.expect("rated");
    assert_eq!(succeeded().await, [false, true]);
    store.rate(good.run, &said(101, true)).await.expect("rated");
    assert_eq!(succeeded().await, [true, true]);
}

pub(super) async fn runs_are_found_by_their_quality(store: Arc<dyn Store>) {
    let mut runs = Vec::new();
    for quality in [0.0, 0.5, 1.0] {
        let run = begun(&store, 1).await;
        commit(&store, run, vec![assessed(2, 1, assessment(0.7, true, false))]).await;
        commit(&store, run, vec![assessed(3, 2, assessment(quality, false, false))]).await;
        assert_eq!(shown(&store, run.run).await.quality, Some(quality));
        runs.push(run.run);
    }
    let unjudged = begun(&store, 1).await;
    assert_eq!(shown(&store, unjudged.run).await.quality, None);
    let found = async |min_quality, max_quality| {
        let filter = RunFilter { min_quality, max_quality, ..RunFilter::default() };
        let page = store.runs(&filter, None, 10).await.expect("runs");
        assert_eq!(store.count(&filter).await.expect("counted"), page.runs.len() as u64);
        let found: Vec<RunId> = page.runs.into_iter().map(|shown| shown.run).collect();
        runs.iter().map(|run| found.contains(run)).chain([found.contains(&unjudged.run)]).collect::<Vec<_>>()
    };
    assert_eq!(found(None, None).await, [true, true, true, true]);
    assert_eq!(found(None, Some(0.0)).await, [true, false, false, false]);
    assert_eq!(found(Some(0.0), None).await, [true, true, true, false]);
    assert_eq!(found(Some(0.5), Some(0.9)).await, [false, true, false, false]);
    assert_eq!(found(Some(0.9), Some(0.5)).await, [false; 4]);
    assert_eq!(found(Some(f64::NAN), None).await, [false; 4]);
    assert_eq!(found(None, Some(f64::NAN)).await, [false; 4]);
}
