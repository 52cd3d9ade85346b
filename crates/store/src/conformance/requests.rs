//! Requests as callers of stages know them.

use std::sync::Arc;

use domain::event::{Entry, Event, Origin};
use domain::id::RunId;
use domain::run::RunStatus;
use domain::stage::RequestRow;
use domain::store::{Cursor, Store};

use super::language::{accepted, at, claimed, commit, completed, entry, received, request, resumed, shown};
use super::reasoning::{assessment_of, critiqued, forged, planned, thought_of, told};

async fn tell(store: &Arc<dyn Store>, row: &RequestRow) {
    store.file(&assessment_of(&row.request, 0, 0.5), row).await.expect("filed");
}

async fn known(store: &Arc<dyn Store>, request: &str) -> RequestRow {
    store.request(request).await.expect("read").expect("known")
}

async fn listed(store: &Arc<dyn Store>, status: Option<RunStatus>, limit: usize) -> Vec<RequestRow> {
    let (mut seen, mut cursor): (Vec<RequestRow>, Option<Cursor>) = (Vec::new(), None);
    loop {
        let (rows, next) = store.requests(status, cursor.as_ref(), limit).await.expect("a page");
        seen.extend(rows);
        match next {
            Some(next) => cursor = Some(next),
            None => return seen,
        }
    }
}

pub(super) async fn what_is_told_about_a_request_adds_up(store: Arc<dyn Store>) {
    assert_eq!(store.request("mine").await.expect("read"), None);
    let first =
        RequestRow { query: Some("feed\0 the cat".into()), ..told("mine", 5, &["thinker", "planner", "thinker"]) };
    tell(&store, &first).await;
    let expected = RequestRow {
        chain: vec!["thinker".into(), "planner".into()],
        query: Some("feed\u{FFFD} the cat".into()),
        ..first.clone()
    };
    assert_eq!(known(&store, "mine").await, expected);
    let second = RequestRow {
        updated_at: at(9),
        status: RunStatus::Completed,
        ..told("mine", 7, &["critic", "planner", "meta\"agent, 2"])
    };
    tell(&store, &second).await;
    let earlier = RequestRow { status: RunStatus::Failed, ..told("mine", 3, &["thinker"]) };
    tell(&store, &earlier).await;
    let expected = RequestRow {
        created_at: at(3),
        updated_at: at(9),
        status: RunStatus::Failed,
        chain: ["thinker", "planner", "critic", "meta\"agent, 2"].map(str::to_owned).into(),
        ..expected
    };
    assert_eq!(known(&store, "mine").await, expected);
    assert_eq!(listed(&store, None, 10).await, [expected]);
}

pub(super) async fn an_answer_for_a_run_leaves_its_row_alone(store: Arc<dyn Store>) {
    let token = claimed(&store, "my own words").await;
    commit(&store, token, vec![thought_of(2)]).await;
    let (run, before) = (token.run.to_string(), shown(&store, token.run).await);
    let expected = RequestRow {
        updated_at: at(2),
        status: RunStatus::Pending,
        query: Some("my own words".into()),
        ..told(&run, 0, &["thinker"])
    };
    assert_eq!(known(&store, &run).await, expected);
    let other = RequestRow { status: RunStatus::Failed, query: Some("no".into()), ..told(&run, 9, &["liar"]) };
    tell(&store, &other).await;
    assert_eq!(known(&store, &run).await, expected);
    assert_eq!(listed(&store, None, 10).await, [expected]);
    assert_eq!(shown(&store, token.run).await, before);
    // Another spelling of its id is a name like any other.
    let spelled = run.to_uppercase();
    tell(&store, &told(&spelled, 1, &["critic"])).await;
    assert_eq!(known(&store, &spelled).await.chain, ["critic"]);
}

pub(super) async fn what_was_told_about_a_run_gives_way_to_the_run(store: Arc<dyn Store>) {
    let run = RunId::fresh();
    tell(&store, &told(&run.to_string(), 1, &["critic"])).await;
    assert_eq!(known(&store, &run.to_string()).await.chain, ["critic"]);
    store.accept(run, vec![received("it is me")], None).await.expect("accepted");
    let expected =
        RequestRow { status: RunStatus::Pending, query: Some("it is me".into()), ..told(&run.to_string(), 0, &[]) };
    assert_eq!(known(&store, &run.to_string()).await, expected);
    assert_eq!(listed(&store, None, 10).await, [expected]);
}

pub(super) async fn requests_of_both_kinds_are_listed_newest_first(store: Arc<dyn Store>) {
    let (mut runs, mut others) = (Vec::new(), Vec::new());
    for n in 0..25 {
        // Four of each kind share a moment.
        let run = RunId::fresh();
        let first = Entry { at: at(n / 4), ..received("paged") };
        store.accept(run, vec![first], None).await.expect("accepted");
        runs.push((at(n / 4), run));
        let told = told(&format!("{}/{n}", n % 5), n / 4, &[]);
        tell(&store, &told).await;
        others.push((told.created_at, n, told.request));
    }
    runs.sort();
    others.sort();
    let runs = runs.iter().map(|(at, run)| (*at, 1, run.to_string()));
    let others = others.iter().map(|(at, _, request)| (*at, 0, request.clone()));
    let mut expected: Vec<_> = others.chain(runs).collect();
    expected.sort_by_key(|(at, kind, _)| (*at, *kind));
    expected.reverse();
    for limit in [1, 3, 7, 50, usize::MAX] {
        let seen = listed(&store, None, limit).await.into_iter().map(|row| (row.created_at, row.request));
        assert!(seen.eq(expected.iter().map(|(at, _, request)| (*at, request.clone()))), "{limit} at a time");
    }
    let pending = listed(&store, Some(RunStatus::Pending), 6).await;
    assert!(pending.len() == 25 && pending.iter().all(|row| row.request.starts_with("run_")));
    let running = listed(&store, Some(RunStatus::Running), 6).await;
    assert!(running.len() == 25 && running.iter().all(|row| !row.request.starts_with("run_")));
    assert!(listed(&store, Some(RunStatus::Failed), 6).await.is_empty());
}

pub(super) async fn a_chain_names_everyone_once_in_order(store: Arc<dyn Store>) {
    let token = claimed(&store, "chained").await;
    let chain = async |run: RunId| known(&store, &run.to_string()).await.chain;
    assert!(chain(token.run).await.is_empty());
    commit(&store, token, vec![thought_of(1), thought_of(2), planned(3, 1)]).await;
    assert_eq!(chain(token.run).await, ["thinker", "planner"]);
    commit(&store, token, vec![planned(4, 2)]).await;
    commit(&store, token, vec![critiqued(5, 1), thought_of(6), forged(7, "fe\"ed\0er"), forged(8, "critic")]).await;
    let expected = ["thinker", "planner", "critic", "fe\"ed\u{FFFD}er"];
    assert_eq!(chain(token.run).await, expected);
    let again = store.claim(token.run, "you").await.expect("claimed").token;
    commit(&store, again, vec![resumed("resumed"), forged(9, "fe\"ed\0er"), forged(10, "waiter")]).await;
    commit(&store, again, vec![completed(11, "done")]).await;
    let expected: Vec<&str> = expected.into_iter().chain(["waiter"]).collect();
    assert_eq!(chain(token.run).await, expected);
    // A fork begins with the chain of its events.
    let fork = RunId::fresh();
    let begin = Event::Received { request: Box::new(request("fork")), parent: Some(Origin { run: token.run, seq: 3 }) };
    store.accept(fork, vec![entry("received", begin), thought_of(1), planned(3, 1)], None).await.expect("accepted");
    assert_eq!(chain(fork).await, ["thinker", "planner"]);
    let token = store.claim(fork, "me").await.expect("claimed").token;
    commit(&store, token, vec![planned(4, 2), critiqued(5, 2)]).await;
    assert_eq!(chain(fork).await, ["thinker", "planner", "critic"]);
    assert!(chain(accepted(&store, "unchained").await).await.is_empty());
}
