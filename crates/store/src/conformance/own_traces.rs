//! Traces of our own runs, which are views of their ledgers.

use std::sync::Arc;

use domain::event::{Entry, Event, Origin, Outcome, Route};
use domain::id::{RunId, TraceId};
use domain::plan::Strategy;
use domain::run::Ending;
use domain::store::{RunFilter, Store, Token};
use domain::trace::{Source, Standing, TraceFilter, of_run};

use super::items::said;
use super::language::{at, claimed, commit, completed, entry_at, finished, ledger, received, request};
use super::pieces::{changed, listed, summary};

/// A tool was called, with or without success.
fn called(second: i64, key: &str, good: bool) -> Entry {
    let tool: domain::id::ToolName = "cat.feed".parse().expect("a tool");
    let result = match good {
        true => Outcome::Ok(serde_json::json!("fed")),
        false => Outcome::Err(domain::tool::ToolError::Failed { tool: tool.clone(), detail: "no food".into() }),
    };
    entry_at(second, key, Event::ToolCalled { tool, arguments: serde_json::json!({}), result, millis: 12 })
}

/// Which way it went.
fn routed(second: i64, route: Route, strategy: Strategy) -> Entry {
    entry_at(second, "routed", Event::Routed { route, strategy, why: "because".into(), judgement: None })
}

async fn traced(store: &Arc<dyn Store>, text: &str) -> Token {
    let token = claimed(store, text).await;
    commit(store, token, vec![routed(1, Route::Plan, Strategy::TaskGraph), called(2, "a", true)]).await;
    commit(store, token, vec![called(3, "b", false)]).await;
    token
}

pub(super) async fn a_run_that_has_ended_is_a_trace(store: Arc<dyn Store>) {
    let (token, mut mark) = (traced(&store, "feed the cat").await, 0);
    let name = token.run.to_string();
    assert_eq!(store.trace(&TraceId::of_run(token.run)).await.expect("read"), None, "it goes on");
    assert!(listed(&store, &TraceFilter::default()).await.is_empty());
    assert!(changed(&store, &mut mark).await.is_empty());
    commit(&store, token, vec![completed(9, "fed")]).await;
    let trace = store.trace(&TraceId::of_run(token.run)).await.expect("read").expect("there");
    assert_eq!(Some(trace), of_run(token.run, &ledger(&store, token.run).await, None));
    let shown = summary(&store, &name).await;
    assert_eq!(
        (shown.source.clone(), shown.agent.as_str(), shown.standing),
        (Source::own(), "planner", Standing::Evidence)
    );
    assert_eq!((shown.started_at, shown.ended_at, shown.success), (at(0), Some(at(9)), Some(true)));
    assert_eq!((shown.calls, shown.failures), (2, 1));
    assert_eq!(changed(&store, &mut mark).await, [shown]);
    assert!(changed(&store, &mut mark).await.is_empty());
}

pub(super) async fn what_a_person_says_about_a_run_counts_for_its_trace(store: Arc<dyn Store>) {
    let (token, mut mark) = (traced(&store, "feed the cat").await, 0);
    commit(&store, token, vec![finished(9, Ending::Cancelled { reason: None })]).await;
    assert_eq!(changed(&store, &mut mark).await[0].success, None);
    for good in [true, false, true] {
        store.rate(token.run, &said(10, good)).await.expect("rated");
        let told = changed(&store, &mut mark).await;
        assert_eq!((told.len(), told[0].success), (1, Some(good)));
        assert_eq!(summary(&store, &token.run.to_string()).await, told[0]);
    }
}

pub(super) async fn what_nothing_comes_of_has_no_trace(store: Arc<dyn Store>) {
    for (dry, plan_only) in [(true, false), (false, true)] {
        let mut asked = request("try it");
        (asked.wishes.dry, asked.wishes.plan_only) = (dry, plan_only);
        let run = RunId::fresh();
        let first = entry_at(0, "received", Event::Received { request: Box::new(asked), parent: None });
        store.accept(run, vec![first], None).await.expect("accepted");
        let token = store.claim(run, "me").await.expect("claimed").token;
        commit(&store, token, vec![routed(1, Route::Plan, Strategy::Cohort), completed(2, "tried")]).await;
        store.rate(run, &said(3, true)).await.expect("rated");
        assert_eq!(store.trace(&TraceId::of_run(run)).await.expect("read"), None);
    }
    assert!(listed(&store, &TraceFilter::default()).await.is_empty());
    assert!(changed(&store, &mut 0).await.is_empty());
    assert!(store.pathways().await.expect("pathways").is_empty());
}

pub(super) async fn deleting_runs_deletes_their_traces(store: Arc<dyn Store>) {
    let gone = traced(&store, "feed the cat").await;
    commit(&store, gone, vec![completed(9, "fed")]).await;
    super::pieces::send(&store, &super::pieces::key("k"), super::pieces::whole("t", 1, "keeper", true)).await;
    assert_eq!(listed(&store, &TraceFilter::default()).await.len(), 2);
    let records = store.tool_records().await.expect("records");
    assert_eq!(store.clear(&RunFilter::default()).await.expect("cleared"), 1);
    let left = listed(&store, &TraceFilter::default()).await;
    assert_eq!((left.len(), left[0].id.as_str()), (1, "t"));
    assert_eq!(store.trace(&TraceId::of_run(gone.run)).await.expect("read"), None);
    assert_eq!(changed(&store, &mut 0).await.len(), 1);
    assert_eq!(store.tool_records().await.expect("records"), records, "what was counted stays");
}

pub(super) async fn calls_of_tools_are_counted_and_timed(store: Arc<dyn Store>) {
    let token = claimed(&store, "feed the cat").await;
    let tool: domain::id::ToolName = "cat.look".parse().expect("a tool");
    let look = |n: u64, millis| {
        let result = Outcome::Ok(serde_json::json!(n));
        let event = Event::ToolCalled { tool: tool.clone(), arguments: serde_json::json!({}), result, millis };
        entry_at(1, &format!("look/{n}"), event)
    };
    commit(&store, token, (0..90).map(|n| look(n, 100)).collect()).await;
    for n in 90..100 {
        commit(&store, token, vec![look(n, 5_000)]).await;
    }
    commit(&store, token, vec![called(2, "a", true), called(2, "b", false)]).await;
    let denied = domain::tool::ToolError::Denied { tool: tool.clone(), detail: "never".into() };
    let refused = Event::ToolCalled {
        tool: tool.clone(),
        arguments: serde_json::json!({}),
        result: Outcome::Err(denied),
        millis: 0,
    };
    commit(&store, token, vec![entry_at(2, "refused", refused)]).await;
    let records = store.tool_records().await.expect("records");
    let names: Vec<_> = records.iter().map(|record| (record.tool.as_str(), record.calls, record.failures)).collect();
    assert_eq!(names, [("cat.feed", 2, 1), ("cat.look", 100, 0)]);
    let near = |found: u64, exact: u64| found.abs_diff(exact) * 10 <= exact;
    assert!(near(records[0].p50_ms, 12) && near(records[0].p95_ms, 12), "{records:?}");
    assert!(near(records[1].p50_ms, 100) && near(records[1].p95_ms, 5_000), "{records:?}");
}

pub(super) async fn writes_are_counted_when_they_are_settled(store: Arc<dyn Store>) {
    let token = claimed(&store, "write").await;
    let sent = |key: &str| Event::IntentSent { intent: key.into(), attempt: 1 };
    let settled = |key: &str, settlement| Event::IntentSettled { intent: key.into(), settlement };
    for key in ["done", "failed", "doubt", "withheld"] {
        commit(&store, token, vec![entry_at(1, &format!("declare/{key}"), super::samples::declared(key))]).await;
    }
    for key in ["done", "failed", "doubt"] {
        commit(&store, token, vec![entry_at(2, &format!("send/{key}"), sent(key))]).await;
    }
    assert!(store.tool_records().await.expect("records").is_empty());
    use domain::intent::Settlement;
    let tool = super::samples::intent("done").tool;
    let error = domain::tool::ToolError::Failed { tool, detail: "full".into() };
    let settlements = [
        ("done", Settlement::Done { result: serde_json::json!("sent") }),
        ("failed", Settlement::Failed { error }),
        ("doubt", Settlement::Unknown { detail: "no word".into() }),
        ("withheld", Settlement::Withheld { detail: "not now".into() }),
    ];
    for (key, settlement) in settlements {
        commit(&store, token, vec![entry_at(4, &format!("settle/{key}"), settled(key, settlement))]).await;
    }
    // What was in doubt is counted once, however it comes out.
    let late = settled("doubt", Settlement::Done { result: serde_json::json!(1) });
    commit(&store, token, vec![entry_at(5, "settle/late", late)]).await;
    let records = store.tool_records().await.expect("records");
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].tool.as_str(), records[0].calls, records[0].failures), ("mail.send", 3, 1));
    assert!(records[0].p50_ms.abs_diff(2_000) <= 200 && records[0].p95_ms.abs_diff(2_000) <= 200, "{records:?}");
}

pub(super) async fn a_fork_has_a_trace_of_its_own_and_counts_what_it_did_itself(store: Arc<dyn Store>) {
    let parent = traced(&store, "feed the cat").await;
    commit(&store, parent, vec![completed(9, "fed")]).await;
    let copied = ledger(&store, parent.run).await.into_iter().map(|recorded| recorded.entry);
    let mut entries: Vec<Entry> = copied.filter(|entry| entry.key != "finished").collect();
    let origin = Some(Origin { run: parent.run, seq: 4 });
    entries[0] = Entry {
        event: Event::Received { request: Box::new(request("feed the cat")), parent: origin },
        ..received("feed the cat")
    };
    let fork = RunId::fresh();
    store.accept(fork, entries, None).await.expect("accepted");
    let token = store.claim(fork, "me").await.expect("claimed").token;
    commit(&store, token, vec![called(5, "c", true), completed(10, "fed")]).await;
    assert_eq!(summary(&store, &fork.to_string()).await.calls, 3);
    let records = store.tool_records().await.expect("records");
    assert_eq!((records[0].calls, records[0].failures), (3, 1));
}

pub(super) async fn runs_are_summed_up_by_the_way_they_went(store: Arc<dyn Store>) {
    use Route::{Fast, Plan};
    use Strategy::{SingleAgent, TaskGraph};
    let run = async |route, strategy, ending: Option<Ending>, rating: Option<bool>| {
        let token = claimed(&store, "feed the cat").await;
        let reply = Outcome::Ok(super::samples::reply());
        let asked = Event::ModelCalled { component: "agent".into(), model: "m".into(), reply, millis: 5 };
        commit(&store, token, vec![routed(1, route, strategy), entry_at(2, "model", asked)]).await;
        if let Some(ending) = ending {
            let event = Event::Finished { ending, spent: Default::default(), worked_ms: Some(1_500) };
            commit(&store, token, vec![entry_at(3, "finished", event)]).await;
        }
        if let Some(good) = rating {
            store.rate(token.run, &said(4, good)).await.expect("rated");
        }
    };
    let done = || Some(Ending::Completed { answer: "fed".into() });
    let stopped = || Some(Ending::Cancelled { reason: None });
    run(Plan, TaskGraph, done(), None).await;
    run(Plan, TaskGraph, done(), Some(false)).await;
    run(Plan, TaskGraph, stopped(), None).await;
    run(Plan, TaskGraph, stopped(), Some(true)).await;
    run(Plan, TaskGraph, None, None).await;
    run(Fast, SingleAgent, done(), None).await;
    let found: Vec<_> = store.pathways().await.expect("pathways");
    let ways: Vec<_> = found.iter().map(|way| (way.route, way.strategy, way.runs, way.good)).collect();
    assert_eq!(ways, [(Fast, SingleAgent, 1, 1), (Plan, TaskGraph, 3, 2)]);
    assert!((found[1].usd - 3.0 * 0.001_234).abs() < 1e-9 && (found[1].seconds - 4.5).abs() < 1e-9, "{found:?}");
}
