//! Traces of others, which arrive in pieces.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::store::{Cursor, Store, StoreError};
use domain::symbol::Symbol;
use domain::trace::{CallEnd, MOST_STEPS, Part, Source, Standing, TraceFilter, assemble};
use futures::future::join_all;

use super::language::at;
use super::pieces::{about, became, call, changed, end, failed, id, key, label, listed, send, summary, thought, whole};

/// A trace with all that makes it difficult: nested spans, an end that was said twice, and words that came later.
fn tangled(name: &str) -> Vec<Part> {
    vec![
        about(name, 3, "inner", 2, "feeder", Some("pets")),
        about(name, 2, "outer", 0, "keeper", None),
        thought(name, 1, "first"),
        call(name, 5, "x", failed()),
        call(name, 6, "y", CallEnd::Unknown),
        end(name, 0, "early", Some(false)),
        end(name, 9, "late", None),
        label(name, 11, "said", false),
        label(name, 12, "said again", true),
    ]
}

pub(super) async fn pieces_make_one_trace_in_whatever_order_they_arrive(store: Arc<dyn Store>) {
    let parts = tangled("t");
    let expected = assemble(&id("t"), &key("k"), parts.clone()).expect("a trace");
    // Every rotation, forwards and backwards, one by one and in twos.
    let orders = (0..parts.len()).flat_map(|by| {
        let mut turned = parts.clone();
        turned.rotate_left(by);
        let backwards: Vec<Part> = turned.iter().rev().cloned().collect();
        [(turned.clone(), 1), (turned, 2), (backwards, 1), (parts.clone(), 100)]
    });
    for (n, (order, size)) in orders.enumerate() {
        let name = format!("t-{n}");
        let renamed: Vec<Part> = order.into_iter().map(|part| Part { trace: id(&name), ..part }).collect();
        for some in renamed.chunks(size) {
            send(&store, &key("k"), some.to_vec()).await;
        }
        let trace = store.trace(&id(&name)).await.expect("read").expect("there");
        assert_eq!(trace.steps, expected.steps);
        let shown = summary(&store, &name).await;
        assert_eq!((shown.agent.as_str(), shown.problem.as_str()), ("keeper", "pets"));
        assert_eq!((shown.started_at, shown.ended_at, shown.success), (at(0), expected.ended_at, Some(true)));
        assert_eq!((shown.calls, shown.failures, shown.standing), (2, 1, Standing::Evidence));
    }
    assert_eq!(store.trace(&id("other")).await.expect("read"), None);
}

pub(super) async fn the_same_pieces_again_change_nothing(store: Arc<dyn Store>) {
    let parts = whole("t", 1, "keeper", true);
    assert_eq!(send(&store, &key("k"), parts.clone()).await, became(4, 0, 0, 0));
    let (before, mut mark) = (summary(&store, "t").await, 0);
    assert_eq!(changed(&store, &mut mark).await, std::slice::from_ref(&before));
    assert_eq!(send(&store, &key("k"), parts.clone()).await, became(0, 0, 4, 0));
    assert!(changed(&store, &mut mark).await.is_empty());
    assert_eq!(send(&store, &key("k"), Vec::new()).await, became(0, 0, 0, 0));
    // Twice in one batch is as good as twice.
    let twice = [whole("u", 1, "keeper", true), whole("u", 1, "keeper", true)].concat();
    assert_eq!(send(&store, &key("k"), twice).await, became(4, 0, 4, 0));
    assert_eq!(summary(&store, "t").await, before);
}

pub(super) async fn a_piece_that_says_something_else_replaces_the_one_before(store: Arc<dyn Store>) {
    let mut mark = 0;
    send(&store, &key("k"), whole("t", 10, "keeper", true)).await;
    let shown = changed(&store, &mut mark).await.remove(0);
    assert_eq!((shown.calls, shown.failures, shown.success), (2, 1, Some(true)));
    let steps: [(Part, Option<bool>, u64, i64); 7] = [
        (label("t", 20, "person", false), Some(false), 1, 10),
        (label("t", 20, "person", true), Some(true), 1, 10),
        (call("t", 11, "a", failed()), Some(true), 2, 10),
        (thought("t", 11, "a"), Some(true), 1, 10),
        (thought("t", 5, "a"), Some(true), 1, 5),
        // What it began with moves away, and something else is the first.
        (thought("t", 11, "a"), Some(true), 1, 10),
        (about("t", 12, "root", 0, "keeper", None), Some(true), 1, 11),
    ];
    for (part, success, failures, started) in steps {
        let sent = send(&store, &key("k"), vec![part.clone()]).await;
        assert_eq!(sent.added + sent.changed, 1, "{part:?}");
        let shown = summary(&store, "t").await;
        assert_eq!(changed(&store, &mut mark).await, std::slice::from_ref(&shown), "it is reported again");
        assert_eq!((shown.success, shown.failures, shown.started_at), (success, failures, at(started)), "{part:?}");
    }
    assert_eq!(summary(&store, "t").await.problem.as_str(), "unknown");
    // Of one key in one batch, the last counts.
    let both = vec![label("t", 20, "person", false), label("t", 20, "person", true), label("t", 21, "other", false)];
    assert_eq!(send(&store, &key("k"), both).await, became(1, 2, 0, 0));
    assert_eq!(summary(&store, "t").await.success, Some(false));
}

pub(super) async fn a_trace_belongs_to_whoever_named_it_first(store: Arc<dyn Store>) {
    send(&store, &key("one"), whole("t", 1, "keeper", true)).await;
    let (before, mut mark) = (summary(&store, "t").await, 0);
    changed(&store, &mut mark).await;
    let parts = vec![label("t", 99, "evil", false), label("u", 99, "good", true)];
    assert_eq!(send(&store, &key("other"), parts).await, became(1, 0, 0, 1));
    assert_eq!(summary(&store, "t").await, before);
    assert_eq!(summary(&store, "u").await.source, key("other"));
    assert_eq!(changed(&store, &mut mark).await.len(), 1);
}

pub(super) async fn nobody_sends_pieces_of_our_runs(store: Arc<dyn Store>) {
    let run = domain::id::RunId::fresh().to_string();
    let parts = vec![label(&run, 1, "a", true), label("run_x", 1, "a", true)];
    assert_eq!(send(&store, &key("k"), parts).await, became(0, 0, 0, 2));
    assert_eq!(send(&store, &Source::own(), whole("t", 1, "keeper", true)).await, became(0, 0, 0, 4));
    assert!(listed(&store, &TraceFilter::default()).await.is_empty());
    assert_eq!(store.trace(&id(&run)).await.expect("read"), None);
}

pub(super) async fn what_is_only_watched_never_becomes_evidence(store: Arc<dyn Store>) {
    let receive = async |standing, parts| store.receive(&key("k"), standing, parts, at(0)).await.expect("received");
    receive(Standing::Watched, vec![thought("watched", 1, "a")]).await;
    receive(Standing::Evidence, vec![thought("watched", 1, "b"), thought("evidence", 1, "a")]).await;
    assert_eq!(summary(&store, "watched").await.standing, Standing::Watched);
    assert_eq!(summary(&store, "evidence").await.standing, Standing::Evidence);
    receive(Standing::Watched, vec![thought("evidence", 1, "b")]).await;
    receive(Standing::Evidence, vec![thought("evidence", 1, "c")]).await;
    assert_eq!(summary(&store, "evidence").await.standing, Standing::Watched);
}

pub(super) async fn a_source_that_was_revoked_is_only_watched(store: Arc<dyn Store>) {
    let mut mark = 0;
    for name in ["a", "b", "c"] {
        send(&store, &key("bad"), whole(name, 1, "keeper", true)).await;
    }
    send(&store, &key("good"), whole("d", 1, "keeper", true)).await;
    assert_eq!(changed(&store, &mut mark).await.len(), 4);
    assert_eq!(store.revoke_source(&key("bad"), at(5)).await.expect("revoked"), 3);
    // They can be read in parts, each once.
    for name in ["a", "b", "c"] {
        let (told, next) = store.changed_traces(mark, 1).await.expect("changed");
        assert_eq!((told[0].id.as_str(), told[0].standing), (name, Standing::Watched));
        mark = next;
    }
    assert!(changed(&store, &mut mark).await.is_empty());
    send(&store, &key("bad"), [whole("a", 9, "keeper", true), whole("e", 9, "keeper", true)].concat()).await;
    let standing = async |name| summary(&store, name).await.standing;
    assert_eq!((standing("a").await, standing("e").await), (Standing::Watched, Standing::Watched));
    assert_eq!(standing("d").await, Standing::Evidence);
    assert_eq!(store.revoke_source(&key("bad"), at(6)).await.expect("revoked"), 4);
    assert_eq!(store.revoke_source(&key("nobody"), at(6)).await.expect("revoked"), 0);
}

pub(super) async fn traces_are_found_by_what_a_filter_says(store: Arc<dyn Store>) {
    send(&store, &key("one"), whole("a", 10, "keeper", true)).await;
    send(&store, &key("one"), whole("b", 20, "feeder", false)).await;
    send(&store, &Source::import("file"), vec![about("c", 30, "root", 0, "keeper", None)]).await;
    let found = async |filter: TraceFilter| {
        let traces = listed(&store, &filter).await;
        traces.iter().map(|trace| trace.id.as_str().to_owned()).collect::<Vec<_>>().concat()
    };
    let any = TraceFilter::default();
    assert_eq!(found(any.clone()).await, "cba");
    assert_eq!(found(TraceFilter { agent: Some(Symbol::of("keeper")), ..any.clone() }).await, "ca");
    assert_eq!(found(TraceFilter { problem: Some(Symbol::of("pets")), ..any.clone() }).await, "ba");
    assert_eq!(found(TraceFilter { source: Some(key("one")), ..any.clone() }).await, "ba");
    let both = TraceFilter { agent: Some(Symbol::of("keeper")), source: Some(key("one")), ..any.clone() };
    assert_eq!(found(both).await, "a");
    assert_eq!(found(TraceFilter { success: Some(true), ..any.clone() }).await, "a");
    assert_eq!(found(TraceFilter { success: Some(false), ..any.clone() }).await, "b");
    assert_eq!(found(TraceFilter { ended: Some(false), ..any.clone() }).await, "c");
    assert_eq!(found(TraceFilter { ended: Some(true), ..any.clone() }).await, "ba");
    assert_eq!(found(TraceFilter { since: Some(at(20)), ..any.clone() }).await, "cb");
    assert_eq!(found(TraceFilter { until: Some(at(20)), ..any.clone() }).await, "a");
}

pub(super) async fn pages_show_every_trace_once(store: Arc<dyn Store>) {
    for n in 0..25 {
        send(&store, &key("k"), whole(&format!("t-{n}"), n / 3, "keeper", true)).await;
    }
    let (mut seen, mut cursor) = (Vec::new(), None::<Cursor>);
    loop {
        let (page, next) = store.traces(&TraceFilter::default(), cursor.as_ref(), 4).await.expect("traces");
        assert!(page.len() <= 4);
        seen.extend(page);
        match next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(seen, listed(&store, &TraceFilter::default()).await);
    assert_eq!(seen.len(), 25);
    assert!(seen.is_sorted_by(|one, other| one.started_at >= other.started_at));
    for wrong in ["", "x", "trace_", "0000000000000000trace_1"] {
        let refused = store.traces(&TraceFilter::default(), Some(&Cursor(wrong.into())), 4).await;
        assert!(matches!(refused, Err(StoreError::BadCursor { .. })), "{refused:?}");
    }
}

pub(super) async fn a_trace_about_which_much_is_said_is_listed_all_the_same(store: Arc<dyn Store>) {
    let many = (0..600).map(|n| about("t", n, &format!("span {n}"), 1, "inner", None));
    send(&store, &key("k"), many.collect()).await;
    assert_eq!(summary(&store, "t").await.agent.as_str(), "inner");
    let mut mark = 0;
    assert_eq!(changed(&store, &mut mark).await.len(), 1);
    send(&store, &key("k"), vec![about("t", 900, "root", 0, "keeper", None), thought("t", 901, "last")]).await;
    let (told, _) = store.changed_traces(mark, 10).await.expect("changed");
    assert_eq!((told.len(), told[0].agent.as_str()), (1, "keeper"));
    assert_eq!(summary(&store, "t").await.agent.as_str(), "keeper");
    // However long a piece's name is.
    let long = "x".repeat(10_000);
    assert_eq!(send(&store, &key("k"), vec![thought("t", 1, &long)]).await, became(1, 0, 0, 0));
    assert_eq!(send(&store, &key("k"), vec![thought("t", 1, &long)]).await, became(0, 0, 1, 0));
    assert_eq!(send(&store, &key("k"), vec![thought("t", 1, "with \u{0} zero")]).await, became(1, 0, 0, 0));
}

pub(super) async fn however_pieces_change_listings_say_what_the_trace_says(store: Arc<dyn Store>) {
    // Always the same numbers, as if there were no order in them.
    let mut seed = 1_u64;
    let mut any = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for _ in 0..60 {
        let parts = (0..=any(5)).map(|_| {
            let (second, key, truth) = (any(20) as i64, format!("key {}", any(8)), any(2) == 0);
            match any(6) {
                0 => about("t", second, &key, any(3) as u32, &format!("agent-{}", any(3)), truth.then_some("pets")),
                1 => call("t", second, &key, CallEnd::Done),
                2 => call("t", second, &key, failed()),
                3 => thought("t", second, &key),
                4 => end("t", second, &key, truth.then_some(any(2) == 0)),
                _ => label("t", second, &key, truth),
            }
        });
        send(&store, &key("k"), parts.collect()).await;
        summary(&store, "t").await;
    }
}

pub(super) async fn of_a_very_long_trace_the_first_and_the_last_steps_are_read(store: Arc<dyn Store>) {
    const STEPS: i64 = MOST_STEPS as i64 + 50;
    // Backwards, so that the order in which they are kept is not the order in which they happened.
    let mut parts: Vec<Part> = (0..STEPS).rev().map(|n| thought("t", n, &n.to_string())).collect();
    parts.push(about("t", 3, "root", 0, "keeper", None));
    let expected = assemble(&id("t"), &key("k"), parts.clone()).expect("a trace");
    assert_eq!(send(&store, &key("k"), parts).await.added, STEPS as u64 + 1);
    let trace = store.trace(&id("t")).await.expect("read").expect("there");
    assert_eq!((trace.steps.len(), trace.left_out), (MOST_STEPS, 50));
    assert!(trace == expected);
}

pub(super) async fn nothing_that_changed_is_missed_while_many_write(store: Arc<dyn Store>) {
    const WRITERS: usize = 8;
    const ROUNDS: i64 = 8;
    let writing = join_all((0..WRITERS).map(|writer| {
        let store = &store;
        async move {
            for round in 0..ROUNDS {
                // Two traces of its own, and one that all send.
                let own = format!("own-{writer}-{}", round % 2);
                let parts = vec![
                    label(&own, round, "said", round >= ROUNDS - 2),
                    call("shared", round, &format!("{writer}/{round}"), CallEnd::Done),
                ];
                send(store, &key("k"), parts).await;
            }
        }
    }));
    let (done, mut over) = tokio::sync::watch::channel(false);
    let listening = async {
        let (mut heard, mut mark) = (BTreeMap::new(), 0);
        loop {
            // Asked before looking: what is there once all is over is seen.
            let last = *over.borrow_and_update();
            let (part, next) = store.changed_traces(mark, 3).await.expect("changed");
            if part.is_empty() && last {
                return heard;
            }
            mark = next;
            heard.extend(part.into_iter().map(|trace| (trace.id.clone(), trace)));
        }
    };
    let writing = async {
        writing.await;
        done.send_replace(true);
    };
    let ((), heard) = tokio::join!(writing, listening);
    let all = listed(&store, &TraceFilter::default()).await;
    assert_eq!(heard.len(), WRITERS * 2 + 1);
    assert_eq!(heard, all.into_iter().map(|trace| (trace.id.clone(), trace)).collect());
    assert_eq!(heard[&id("shared")].calls, WRITERS as u64 * ROUNDS as u64);
    assert!(heard.values().all(|trace| trace.id == id("shared") || trace.success == Some(true)));
}
