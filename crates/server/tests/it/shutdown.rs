//! Going down in good order.

use serde_json::json;

use crate::world::{Setting, World};

#[tokio::test]
async fn streams_are_told_runs_are_let_go_and_the_next_server_goes_on() {
    let mut world = World::new().await;
    let path = world.start_gated(2).await;
    world.until(&path, "running").await;
    let mut events = world.follow(&path, None).await;
    let (first, _, _) = events.next().await.expect("an event");
    world.stopped().await;
    let (rest, last) = events.rest().await;
    assert_eq!(last, "the server is stopping; come back with Last-Event-ID");
    let seen = rest.last().map_or(first, |(id, _)| *id);
    assert!(tokio::net::TcpStream::connect(world.address).await.is_err(), "nobody listens any more");

    let next = World::with(Setting { database: Some(world.database.clone()), ..Setting::default() }).await;
    next.gate.add_permits(2);
    let (rest, _) = next.follow(&path, Some(seen)).await.rest().await;
    assert_eq!(rest.first().map(|(id, _)| *id), Some(seen + 1));
    assert_eq!(next.until(&path, "completed").await["run"]["answer"], "through");
}

#[tokio::test]
async fn a_request_under_way_is_answered_first() {
    let mut world = World::new().await;
    let plan = json!({"steps": [{"id": "s", "tool": "gate.pass"}], "answer": "through"});
    let asking = {
        let (client, url, key) = (world.client.clone(), world.url("/v1/runs"), world.key.clone());
        let body = json!({"text": "pass", "plan": plan, "wait": 30});
        async move { client.post(url).bearer_auth(key).json(&body).send().await }
    };
    let stopping = async {
        // The run is there, so the request is under way.
        while world.store.count(&Default::default()).await.expect("counted") == 0 {
            tokio::task::yield_now().await;
        }
        world.stopped().await;
    };
    let (answer, ()) = tokio::join!(asking, stopping);
    assert_eq!(answer.expect("an answer").status().as_u16(), 201);
}
