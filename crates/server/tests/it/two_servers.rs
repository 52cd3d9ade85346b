//! Two servers on one database are one server.

use serde_json::json;

use crate::world::{Setting, World};

#[tokio::test]
async fn what_one_server_does_the_other_shows_streams_and_answers() {
    let one = World::new().await;
    let two = World::with(Setting { database: Some(one.database.clone()), ..Setting::default() }).await;
    let plan = json!({"steps": [{"id": "open", "tool": "door.open"}], "answer": "open"});
    let path = one.start(json!({"text": "open", "plan": plan})).await;
    let here = one.follow(&path, None).await;
    let there = two.follow(&path, None).await;
    let page = two.until(&path, "waiting").await;
    let name = page["waits"][0]["name"].clone();
    let answer = format!("{path}/answer");
    let (yes, no) = (json!({"name": name, "answer": "yes"}), json!({"name": name, "answer": "no"}));
    let (yes, no) = tokio::join!(one.post(&answer, yes), two.post(&answer, no));
    let mut statuses = [yes.status, no.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [202, 409], "the first answer counts");
    let ((here, _), (there, _)) = tokio::join!(here.rest(), there.rest());
    assert_eq!(here, there);
    assert_eq!(here.last().map(|(_, kind)| kind.as_str()), Some("finished"));
}

#[tokio::test]
async fn a_key_that_one_server_revokes_is_of_no_use_at_the_other() {
    let one = World::new().await;
    let two = World::with(Setting { database: Some(one.database.clone()), ..Setting::default() }).await;
    let id = two.key.split('_').nth(1).expect("an id");
    assert_eq!(two.get("/v1/runs").await.status, 200);
    server::keys::revoke(one.store.as_ref(), id).await.expect("revoked").expect("there");
    assert_eq!(two.get("/v1/runs").await.status, 401);
}
