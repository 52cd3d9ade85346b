//! The whole life of a run, over HTTP.

use domain::chat::{Reply, Stop, ToolCall, Usage};
use serde_json::{Value, json};

use crate::world::World;

fn look() -> Value {
    json!({"goal": "see", "steps": [{"id": "look", "tool": "look.once", "arguments": {"at": "sky"}}],
        "answer": "saw ${look.at}"})
}

fn door() -> Value {
    json!({"steps": [{"id": "open", "tool": "door.open", "arguments": {"which": "front"}}], "answer": "open"})
}

fn says(text: &str) -> Reply {
    Reply { text: text.to_owned(), calls: vec![], stop: Stop::End, usage: Usage::default() }
}

#[tokio::test]
async fn a_run_is_asked_for_carried_out_looked_at_listed_and_replayed() {
    let world = World::new().await;
    let body = json!({"text": "look up", "plan": look(), "session": "s-1", "user": "ada", "wait": 30});
    let said = world.post("/v1/runs", body).await;
    assert_eq!(said.status, 201);
    assert_eq!((&said.body["status"], &said.body["answer"]), (&json!("completed"), &json!("saw sky")));
    let path = said.location.expect("a location");
    assert_eq!(path, format!("/v1/runs/{}", said.body["run"].as_str().expect("an id")));

    let page = world.get(&path).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.body["run"], said.body);
    assert_eq!(page.body["view"]["tools_used"], json!(["look.once"]));
    assert_eq!(page.body["waits"], json!([]));

    let plan = world.get(&format!("{path}/plan")).await;
    assert_eq!((&plan.body["version"], &plan.body["versions"]), (&json!(1), &json!(1)));
    assert_eq!(plan.body["plan"]["goal"], "see");
    assert_eq!(world.get(&format!("{path}/plan?version=2")).await.code(), "not_found");
    assert_eq!(world.get(&format!("{path}/plan/diff")).await.code(), "not_found");

    let replayed = world.poke(&format!("{path}/replay")).await;
    assert_eq!(replayed.body["same"], true, "{replayed:?}");

    let list = world.get("/v1/runs?session=s-1&user=ada&status=completed,failed&text=LOOK").await;
    assert_eq!((list.body["total"].as_u64(), &list.body["runs"][0]), (Some(1), &said.body));
    assert_eq!(world.get("/v1/runs?session=other").await.body, json!({"runs": [], "total": 0}));
}

#[tokio::test]
async fn runs_are_listed_newest_first_a_page_at_a_time() {
    let world = World::new().await;
    for text in ["one", "two", "three"] {
        let path = world.start(json!({"text": text, "plan": look()})).await;
        world.until(&path, "completed").await;
    }
    let (mut seen, mut next) = (Vec::new(), String::new());
    loop {
        let page = world.get(&format!("/v1/runs?limit=2{next}")).await.body;
        assert_eq!(page["total"], 3);
        seen.extend(page["runs"].as_array().expect("runs").iter().map(|run| run["text"].clone()));
        match page["next"].as_str() {
            Some(cursor) => next = format!("&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(seen, ["three", "two", "one"]);
}

#[tokio::test]
async fn what_a_run_waits_for_is_answered_once() {
    let world = World::new().await;
    let path = world.start(json!({"text": "open the door", "plan": door()})).await;
    let page = world.until(&path, "waiting").await;
    let name = page["waits"][0]["name"].as_str().expect("a name").to_owned();

    let wrong = world.post(&format!("{path}/answer"), json!({"name": "nothing", "answer": "yes"})).await;
    assert_eq!(wrong.code(), "not_asked");
    assert!(wrong.message().contains(&name), "{wrong:?}");
    let resumed = world.poke(&format!("{path}/resume")).await;
    assert_eq!((resumed.status, resumed.code()), (409, "waiting"));

    let answered = world.post(&format!("{path}/answer"), json!({"name": name, "answer": "yes"})).await;
    assert_eq!(answered.status, 202, "{answered:?}");
    let page = world.until(&path, "completed").await;
    assert_eq!(page["intents"][0]["status"], "done");
    let late = world.post(&format!("{path}/answer"), json!({"name": name, "answer": "no"})).await;
    assert_eq!((late.status, late.code()), (409, "ended"));
}

#[tokio::test]
async fn a_question_of_an_agent_is_answered_in_words() {
    let plan =
        says(r#"{"plan": "ask", "system_prompt": "You ask.", "tool_names": [], "guidance": "", "max_iterations": 5}"#);
    let arguments = json!({"question": "Which city?"});
    let ask = ToolCall { id: "1".into(), name: "ask_user".into(), arguments };
    let asks = Reply { calls: vec![ask], stop: Stop::Tools, ..says("") };
    let world = World::replying([plan, asks, says("Oslo it is")]).await;
    let path = world.start(json!({"text": "Weather?", "orchestration": "simple", "strategy": "single_agent"})).await;
    let page = world.until(&path, "waiting").await;
    assert_eq!(page["waits"][0]["need"]["question"], "Which city?");
    let name = &page["waits"][0]["name"];
    assert_eq!(world.post(&format!("{path}/answer"), json!({"name": name, "answer": "Oslo"})).await.status, 202);
    assert_eq!(world.until(&path, "completed").await["run"]["answer"], "Oslo it is");
}

#[tokio::test]
async fn a_run_under_way_is_cancelled_and_an_ended_one_cannot_be() {
    let world = World::new().await;
    let path = world.start_gated(1).await;
    world.until(&path, "running").await;
    let said = world.post(&format!("{path}/cancel"), json!({"reason": "never mind"})).await;
    assert_eq!(said.status, 202);
    let page = world.until(&path, "cancelled").await;
    assert_eq!(page["run"]["error"], "never mind");
    let again = world.poke(&format!("{path}/cancel")).await;
    assert_eq!((again.status, again.code()), (409, "ended"));
    assert!(again.message().ends_with("is cancelled already"), "{again:?}");
    assert_eq!(world.poke(&format!("{path}/resume")).await.code(), "ended");
}

#[tokio::test]
async fn a_waiting_run_is_cancelled_too() {
    let world = World::new().await;
    let path = world.start(json!({"text": "open the door", "plan": door()})).await;
    world.until(&path, "waiting").await;
    assert_eq!(world.poke(&format!("{path}/cancel")).await.status, 202);
    world.until(&path, "cancelled").await;
}

#[tokio::test]
async fn a_fork_goes_its_own_way_from_one_of_its_parents_events() {
    let world = World::new().await;
    let path = world.start(json!({"text": "look up", "plan": look()})).await;
    let parent = world.until(&path, "completed").await;
    let forked = world.post(&format!("{path}/fork"), json!({"at": 2})).await;
    assert_eq!(forked.status, 201, "{forked:?}");
    assert_eq!(forked.body["parent"], json!({"run": parent["run"]["run"], "seq": 2}));
    world.until(&forked.location.expect("a location"), "completed").await;
    let never = world.post(&format!("{path}/fork"), json!({"at": 9_999})).await;
    assert_eq!((never.status, never.code()), (409, "no_such_event"));
    let listed = world.get(&format!("/v1/runs?parent={}", parent["run"]["run"].as_str().expect("an id"))).await;
    assert_eq!(listed.body["total"], 1);
}

#[tokio::test]
async fn a_plan_alone_and_a_dry_run_change_nothing() {
    let world = World::new().await;
    let planned = world.post("/v1/runs", json!({"text": "x", "plan": door(), "plan_only": true, "wait": 30})).await;
    assert_eq!((&planned.body["status"], &planned.body["spent"]["tool_calls"]), (&json!("completed"), &json!(0)));
    let note = json!({"steps": [{"id": "note", "tool": "note.add"}], "answer": "noted"});
    let dry = world.start(json!({"text": "x", "plan": note, "dry": true})).await;
    assert_eq!(world.until(&dry, "completed").await["intents"][0]["status"], "withheld");
}
