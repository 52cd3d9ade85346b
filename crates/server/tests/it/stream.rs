//! Live events: resumed, shared, ended in time.

use reqwest::Method;
use serde_json::json;

use crate::world::{Said, World};

#[tokio::test]
async fn a_stream_tells_what_happened_then_what_happens_and_ends_with_the_run() {
    let world = World::new().await;
    let path = world.start_gated(1).await;
    let mut events = world.follow(&path, None).await;
    let (id, kind, data) = events.next().await.expect("an event");
    assert_eq!((id, kind.as_str(), &data["kind"], &data["seq"]), (1, "received", &json!("received"), &json!(1)));
    world.gate.add_permits(1);
    let (rest, last) = events.rest().await;
    let page = world.until(&path, "completed").await;
    let ids: Vec<u64> = rest.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, (2..=page["run"]["events"].as_u64().expect("a number")).collect::<Vec<_>>());
    assert_eq!(rest.last().map(|(_, kind)| kind.as_str()), Some("finished"));
    assert_eq!(last, "the run has ended");
}

#[tokio::test]
async fn a_client_that_comes_back_misses_nothing_and_kills_nothing() {
    let world = World::new().await;
    let path = world.start_gated(20).await;
    let (mut seen, mut visits): (Vec<u64>, usize) = (Vec::new(), 0);
    'visits: loop {
        let mut events = world.follow(&path, seen.last().copied()).await;
        visits += 1;
        // Each visit sees three events, then the client goes away in the middle of everything.
        for _ in 0..3 {
            world.gate.add_permits(1);
            let Some((id, kind, _)) = events.next().await else { break 'visits };
            seen.push(id);
            if kind == "finished" {
                break 'visits;
            }
        }
    }
    assert!(visits > 10, "{visits} visits");
    let page = world.until(&path, "completed").await;
    assert_eq!(seen, (1..=page["run"]["events"].as_u64().expect("a number")).collect::<Vec<_>>());
}

#[tokio::test]
async fn many_followers_see_everything_once_and_in_order() {
    let world = World::new().await;
    let path = world.start_gated(10).await;
    let mut followers = Vec::new();
    for _ in 0..50 {
        followers.push(world.follow(&path, None).await);
    }
    world.gate.add_permits(10);
    let page = world.until(&path, "completed").await;
    let wanted: Vec<u64> = (1..=page["run"]["events"].as_u64().expect("a number")).collect();
    for follower in followers {
        let (events, _) = follower.rest().await;
        assert_eq!(events.iter().map(|(id, _)| *id).collect::<Vec<_>>(), wanted);
    }
}

#[tokio::test]
async fn coming_back_to_the_end_of_an_ended_run_is_told_to_stop() {
    let world = World::new().await;
    world.gate.add_permits(1);
    let path = world.start_gated(1).await;
    let events = world.until(&path, "completed").await["run"]["events"].as_u64().expect("a number");
    let end = world.request(Method::GET, &format!("{path}/events")).header("Last-Event-ID", events.to_string());
    assert_eq!(Said::of(end.send().await.expect("an answer")).await.status, 204);
    let after = |after: u64| world.request(Method::GET, &format!("{path}/events?after={after}"));
    assert_eq!(Said::of(after(events).send().await.expect("an answer")).await.status, 204);
    // What a browser sends when it comes back: the address it had, and what it saw since.
    let both = after(0).header("Last-Event-ID", (events - 1).to_string()).send().await.expect("an answer");
    assert!(both.text().await.expect("text").contains(&format!("id: {events}\nevent: finished\n")));
}

#[tokio::test]
async fn cursors_that_are_none_are_refused() {
    let world = World::new().await;
    let path = world.start_gated(1).await;
    for (query, header, param) in [
        ("?after=-1", None, "after"),
        ("?after=x", None, "after"),
        ("?after=1000000", None, "after"),
        ("?after=18446744073709551616", None, "after"),
        ("?from=1", None, "from"),
        ("", Some("x"), "Last-Event-ID"),
        ("", Some("+1"), "Last-Event-ID"),
        ("", Some("99999999999999999999"), "Last-Event-ID"),
        ("", Some("1000"), "Last-Event-ID"),
    ] {
        let mut request = world.request(Method::GET, &format!("{path}/events{query}"));
        if let Some(header) = header {
            request = request.header("Last-Event-ID", header);
        }
        let said = Said::of(request.send().await.expect("an answer")).await;
        assert_eq!((said.status, said.code()), (400, "invalid_request"), "{query} {header:?}");
        assert_eq!(said.param(), param, "{said:?}");
    }
}

#[tokio::test]
async fn a_quiet_stream_says_that_it_is_alive() {
    let world = World::limited(|limits| limits.heartbeat = std::time::Duration::from_millis(20)).await;
    let path = world.start_gated(1).await;
    let mut events = world.follow(&path, None).await;
    assert_eq!(events.comment().await.as_deref(), Some("alive"));
    assert_eq!(events.comment().await.as_deref(), Some("alive"));
}

#[tokio::test]
async fn a_stream_ends_when_its_key_is_revoked() {
    let world = World::limited(|limits| limits.heartbeat = std::time::Duration::from_millis(20)).await;
    let path = world.start_gated(1).await;
    let mut events = world.follow(&path, None).await;
    events.comment().await.expect("alive");
    let id = world.key.split('_').nth(1).expect("an id");
    server::keys::revoke(world.store.as_ref(), id).await.expect("revoked").expect("there");
    let (_, last) = events.rest().await;
    assert_eq!(last, "the key or the session is not valid any more");
}
