//! Runs as listings show them.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::event::{Entry, Event, Origin, Outcome, Route};
use domain::id::RunId;
use domain::money::Usd;
use domain::plan::Strategy;
use domain::request::Request;
use domain::run::{Ending, FailureKind, Flags, RunStatus};
use domain::store::{Cursor, RunFilter, Store, StoreError, Totals};

use super::bodies::large;
use super::language::{
    accepted, at, claimed, commit, ended, entry, entry_at, finished, keys, ledger, received, request, resumed, shown,
    work,
};
use super::samples;

async fn found(store: &Arc<dyn Store>, filter: RunFilter) -> BTreeSet<RunId> {
    let page = store.runs(&filter, None, 100).await.expect("runs");
    assert_eq!(store.count(&filter).await.expect("counted"), page.runs.len() as u64);
    page.runs.into_iter().map(|shown| shown.run).collect()
}

fn routed(strategy: Strategy) -> Entry {
    entry("routed", Event::Routed { route: Route::Plan, strategy, why: "so".into(), judgement: None })
}

pub(super) async fn a_run_is_shown_as_its_events_say(store: Arc<dyn Store>) {
    let token = claimed(&store, "show me").await;
    commit(&store, token, vec![resumed("resumed"), routed(Strategy::TaskGraph)]).await;
    let called =
        |key: &str, reply| Event::ModelCalled { component: key.into(), model: "some:model".into(), reply, millis: 5 };
    let calls = vec![
        entry("call/1", called("planner", Outcome::Ok(samples::reply()))),
        entry("call/2", called("planner", Outcome::Err(domain::chat::ModelError::NoModel))),
        entry_at(3, "plan/2", samples::planned(2)),
    ];
    commit(&store, token, calls).await;
    let now = shown(&store, token.run).await;
    assert_eq!((now.status, now.strategy, now.events), (RunStatus::Running, Some(Strategy::TaskGraph), 6));
    assert_eq!(now.flags, Flags { replanned: true, in_doubt: false, resumed: true });
    let usage = samples::reply().usage;
    assert_eq!((now.spent.usage, now.spent.model_calls, now.spent.tool_calls), (usage, 2, 0));
    assert_eq!((now.spent.usage.cost, now.created_at, now.updated_at), (Usd::micros(1_234), at(0), at(3)));
    let ending = Ending::Failed { reason: FailureKind::Budget, error: "spent".into(), answer: Some("half".into()) };
    commit(&store, token, vec![finished(4, ending)]).await;
    let over = shown(&store, token.run).await;
    assert_eq!((over.status, over.failure), (RunStatus::Failed, Some(FailureKind::Budget)));
    assert_eq!((over.answer.as_deref(), over.error.as_deref()), (Some("half"), Some("spent")));
    // What has ended stays as it ended.
    commit(&store, token, vec![resumed("again")]).await;
    assert_eq!(shown(&store, token.run).await.status, RunStatus::Failed);
}

pub(super) async fn pages_show_every_run_once(store: Arc<dyn Store>) {
    let mut expected = Vec::new();
    for n in 0..10 {
        let run = RunId::fresh();
        // Three at a time are accepted at the same moment.
        let first = Entry { at: at(n / 3), ..received("paged") };
        store.accept(run, vec![first], None).await.expect("accepted");
        expected.push((at(n / 3), run));
    }
    expected.sort();
    expected.reverse();
    let (mut seen, mut cursor): (Vec<_>, Option<Cursor>) = (Vec::new(), None);
    loop {
        let page = store.runs(&RunFilter::default(), cursor.as_ref(), 4).await.expect("a page");
        seen.extend(page.runs.into_iter().map(|shown| (shown.created_at, shown.run)));
        // What arrives meanwhile is newer than everything that is still to be shown.
        let newer = Entry { at: at(100), ..received("newer") };
        store.accept(RunId::fresh(), vec![newer], None).await.expect("accepted");
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(seen, expected);
    let all = store.runs(&RunFilter::default(), None, 13).await.expect("a page");
    assert_eq!((all.runs.len(), all.next), (13, None));
    assert_eq!(store.runs(&RunFilter::default(), None, usize::MAX).await.expect("a page").runs.len(), 13);
}

pub(super) async fn a_cursor_that_is_not_ours_is_refused(store: Arc<dyn Store>) {
    let refused = store.runs(&RunFilter::default(), Some(&Cursor("'; --".into())), 10).await;
    assert!(matches!(refused, Err(StoreError::BadCursor { .. })), "{refused:?}");
}

pub(super) async fn filters_let_through_what_they_say(store: Arc<dyn Store>) {
    let session: domain::id::SessionId = "talk-1".parse().expect("a session");
    let plain = accepted(&store, "plain").await;
    let over = ended(&store, "over", "done").await;
    let fork = RunId::fresh();
    let request = domain::request::Request { session: Some(session.clone()), ..request("fork") };
    let begin = Event::Received { request: Box::new(request), parent: Some(Origin { run: plain, seq: 1 }) };
    let replanned = entry("plan/2", samples::planned(2));
    let begin = Entry { at: at(50), ..entry("received", begin) };
    store.accept(fork, vec![begin, routed(Strategy::Cohort), replanned], None).await.expect("accepted");
    assert_eq!(shown(&store, fork).await.session, Some(session.clone()));

    let all = BTreeSet::from([plain, over, fork]);
    let only = |runs: &[RunId]| runs.iter().copied().collect::<BTreeSet<_>>();
    let any = RunFilter::default;
    let cases = [
        (any(), all.clone()),
        (RunFilter { status: vec![RunStatus::Pending], ..any() }, only(&[plain])),
        (RunFilter { status: vec![RunStatus::Completed, RunStatus::Running], ..any() }, only(&[over, fork])),
        (RunFilter { strategy: Some(Strategy::Cohort), ..any() }, only(&[fork])),
        (RunFilter { role: Some("cook".into()), ..any() }, only(&[])),
        (RunFilter { session: Some(session), ..any() }, only(&[fork])),
        (RunFilter { parent: Some(plain), ..any() }, only(&[fork])),
        (RunFilter { parent: Some(over), ..any() }, only(&[])),
        (RunFilter { since: Some(at(50)), ..any() }, only(&[fork])),
        (RunFilter { until: Some(at(50)), ..any() }, only(&[plain, over])),
        (RunFilter { min_quality: Some(0.1), ..any() }, only(&[])),
        (RunFilter { max_quality: Some(0.9), ..any() }, only(&[])),
        (RunFilter { replanned: Some(true), ..any() }, only(&[fork])),
        (RunFilter { replanned: Some(false), ..any() }, only(&[plain, over])),
        (RunFilter { in_doubt: Some(false), ..any() }, all),
        (RunFilter { in_doubt: Some(true), ..any() }, only(&[])),
        (RunFilter { text: Some("DON".into()), status: vec![RunStatus::Completed], ..any() }, only(&[over])),
        (RunFilter { text: Some("don".into()), status: vec![RunStatus::Pending], ..any() }, only(&[])),
    ];
    for (filter, expected) in cases {
        assert_eq!(found(&store, filter.clone()).await, expected, "{filter:?}");
    }
}

pub(super) async fn text_is_found_whatever_its_case_and_characters(store: Arc<dyn Store>) {
    let percent = accepted(&store, "sales rose by 100% in May_June").await;
    let other = accepted(&store, "1000 sales in MayXJune").await;
    let umlaut = ended(&store, "wie geht es", "GRÜẞE aus Köln, it's \\fine").await;
    let nul = ended(&store, "what is it", "a\0b is left").await;
    let cases = [
        ("SALES", vec![percent, other]),
        ("100%", vec![percent]),
        ("may_june", vec![percent]),
        ("%", vec![percent]),
        ("grüße AUS kÖLN", vec![umlaut]),
        ("it's \\F", vec![umlaut]),
        ("A\0B IS LEFT", vec![nul]),
        ("' OR 1=1 --", vec![]),
    ];
    for (text, expected) in cases {
        let filter = RunFilter { text: Some(text.into()), ..RunFilter::default() };
        assert_eq!(found(&store, filter).await, expected.into_iter().collect(), "{text}");
    }
    let long = RunFilter { text: Some("x".repeat(100_000)), ..RunFilter::default() };
    assert!(found(&store, long).await.is_empty());
}

pub(super) async fn totals_are_counted_and_summed_up_per_person(store: Arc<dyn Store>) {
    assert_eq!(store.totals(&RunFilter::default()).await.expect("totals"), Totals::default());
    for user in [Some("ada"), Some("ada"), Some("bob"), None] {
        let run = RunId::fresh();
        let request = Request { user: user.map(str::to_owned), ..request("sum me up") };
        let received = entry("received", Event::Received { request: Box::new(request), parent: None });
        store.accept(run, vec![received], None).await.expect("accepted");
        assert_eq!(shown(&store, run).await.user.as_deref(), user);
        let token = store.claim(run, "me").await.expect("claimed").token;
        let reply = Outcome::Ok(samples::reply());
        let called = Event::ModelCalled { component: "agent".into(), model: "some:model".into(), reply, millis: 5 };
        commit(&store, token, vec![entry("call", called)]).await;
    }
    let of = async |user: &str| {
        let filter = RunFilter { user: Some(user.into()), ..RunFilter::default() };
        let totals = store.totals(&filter).await.expect("totals");
        (totals.runs, totals.spent.usage.cost, totals.spent.model_calls)
    };
    assert_eq!(of("ada").await, (2, Usd::micros(2 * 1_234), 2));
    assert_eq!(of("bob").await, (1, Usd::micros(1_234), 1));
    assert_eq!(of("eve").await, (0, Usd::ZERO, 0));
    assert_eq!(store.count(&RunFilter::default()).await.expect("counted"), 4);
}

pub(super) async fn clearing_deletes_what_has_ended_and_nothing_else(store: Arc<dyn Store>) {
    let open = claimed(&store, "open").await;
    commit(&store, open, vec![large("shared"), work("a")]).await;
    let mut gone = Vec::new();
    for n in 0..3 {
        let token = claimed(&store, &format!("gone {n}")).await;
        let unshared = entry("own", samples::message(&format!("{n}").repeat(20_000)));
        commit(&store, token, vec![large("shared"), unshared, entry("intent", samples::declared("i"))]).await;
        commit(&store, token, vec![finished(2, Ending::Completed { answer: "done".into() })]).await;
        gone.push(token.run);
    }
    let kept = ended(&store, "kept", "other").await;
    let filter = RunFilter { text: Some("gone".into()), ..RunFilter::default() };
    assert_eq!(store.clear(&filter).await.expect("cleared"), 3);
    for run in gone {
        assert_eq!(store.run(run).await.expect("read"), None);
        assert!(ledger(&store, run).await.is_empty());
        assert!(store.intents(Some(run), None, 10).await.expect("intents").is_empty());
    }
    assert_eq!(keys(&store, open.run).await, ["received", "shared", "a"]);
    assert_eq!(ledger(&store, open.run).await[1].entry, large("shared"));
    assert_eq!(store.clear(&RunFilter::default()).await.expect("cleared"), 1);
    assert_eq!(store.run(kept).await.expect("read"), None);
    assert_eq!(found(&store, RunFilter::default()).await, BTreeSet::from([open.run]));
    // What was cleared can be recorded again.
    commit(&store, open, vec![entry("own", samples::message(&"1".repeat(20_000)))]).await;
    assert_eq!(ledger(&store, open.run).await.len(), 4);
}
