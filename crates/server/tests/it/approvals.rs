//! What people are asked, and what they say to it, over HTTP.

use domain::approval::{ApprovalId, Proposal};
use domain::chat::{Reply, Stop, ToolCall, Usage};
use domain::event::{Entry, Event, Need, Wait};
use domain::id::RunId;
use domain::request::Request;
use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{Said, Setting, World};

/// Opens a door, which a rule wants a person for.
fn door(which: &str) -> Value {
    json!({"goal": "let them in", "steps": [{"id": "open", "tool": "door.open", "arguments": {"which": which}}],
        "answer": "opened ${open.which}"})
}

/// A run that waits for a person, and what it asks them.
async fn asking(world: &World) -> (String, Value) {
    let path = world.start(json!({"text": "open the door", "plan": door("front")})).await;
    let page = world.until(&path, "waiting").await;
    let id = page["approvals"][0].as_str().unwrap_or_else(|| panic!("nothing is asked: {page}"));
    let asked = world.get(&format!("/v1/approvals/{id}")).await;
    assert_eq!(asked.status, 200, "{asked:?}");
    (path, asked.body)
}

fn decision(asked: &Value, word: &str) -> Value {
    json!({"decision": word, "hash": asked["hash"]})
}

async fn decide(world: &World, asked: &Value, body: Value) -> Said {
    world.post(&format!("/v1/approvals/{}/decide", asked["id"].as_str().expect("an id")), body).await
}

fn code(said: &Said) -> (u16, &str) {
    (said.status, said.body["error"]["code"].as_str().unwrap_or_else(|| panic!("no error: {said:?}")))
}

#[tokio::test]
async fn what_is_asked_is_listed_looked_at_and_approved_by_name() {
    let world = World::new().await;
    let (path, asked) = asking(&world).await;
    let fields: Vec<&str> = asked.as_object().expect("an object").keys().map(String::as_str).collect();
    let documented = "id kind status risk run_id plan_version hash question summary why rule agents plan diff effects \
        findings asked_at";
    for field in documented.split_whitespace() {
        assert!(fields.contains(&field), "{field} is missing: {asked}");
    }
    assert_eq!(
        (&asked["kind"], &asked["plan_version"], &asked["status"]),
        (&json!("plan"), &json!(1), &json!("pending"))
    );
    assert_eq!(asked["plan"]["steps"][0]["arguments"], json!({"which": "front"}));
    assert_eq!(asked["effects"][0]["tool"], "door.open");
    let run = path.rsplit('/').next().expect("an id");
    let listed = world.get(&format!("/v1/approvals?status=pending&run={run}&limit=1")).await;
    assert_eq!(listed.body, json!({"approvals": [asked]}));
    assert_eq!(world.get("/v1/approvals?status=decided").await.body, json!({"approvals": []}));

    let body = json!({"decision": "approve", "hash": asked["hash"], "reason": "they rang"});
    let said = decide(&world, &asked, body).await;
    assert_eq!((said.status, &said.body["status"]), (200, &json!("decided")), "{said:?}");
    assert_eq!(said.body["decided"]["by"], "tests");
    assert_eq!(said.body["decided"]["answer"]["reason"], "they rang");
    let page = world.until(&path, "completed").await;
    assert_eq!((&page["run"]["answer"], &page["approvals"]), (&json!("opened front"), &json!([])));
}

#[tokio::test]
async fn a_stream_names_what_a_person_has_to_decide() {
    let world = World::new().await;
    let (path, asked) = asking(&world).await;
    let mut events = world.follow(&path, None).await;
    loop {
        let (_, kind, data) = events.next().await.expect("an event");
        assert_eq!(data.get("approval"), (kind == "waiting").then_some(&asked["id"]), "{data}");
        if kind == "waiting" {
            break;
        }
    }
}

#[tokio::test]
async fn something_else_is_carried_out_when_a_person_says_so() {
    let world = World::new().await;
    let (path, asked) = asking(&world).await;
    let mut body = decision(&asked, "edit");
    body["plan"] = door("back");
    let said = decide(&world, &asked, body).await;
    assert_eq!(said.status, 200, "{said:?}");
    assert_eq!(world.until(&path, "completed").await["run"]["answer"], "opened back");

    let (path, asked) = asking(&world).await;
    let put = |body: Value| world.request(Method::PUT, &format!("{path}/plan")).json(&body).send();
    let stale = json!({"plan": door("side"), "hash": format!("sha256:{}", "0".repeat(64))});
    let stale = Said::of(put(stale).await.expect("an answer")).await;
    assert_eq!(code(&stale), (409, "stale"));
    let said = Said::of(put(json!({"plan": door("side"), "hash": asked["hash"]})).await.expect("an answer")).await;
    assert_eq!(said.status, 200, "{said:?}");
    assert_eq!(world.until(&path, "completed").await["run"]["answer"], "opened side");
    let late = Said::of(put(json!({"plan": door("side"), "hash": asked["hash"]})).await.expect("an answer")).await;
    assert_eq!(code(&late), (409, "not_asked"));
}

#[tokio::test]
async fn an_edit_that_cannot_be_carried_out_says_why_and_changes_nothing() {
    let world = World::new().await;
    let (path, asked) = asking(&world).await;
    let wrong = [
        (json!({"steps": []}), "AW-PLAN-002"),
        (json!({"steps": [{"id": "a", "tool": "roof.open"}]}), "AW-PLAN-020"),
        (json!({"steps": [{"id": "a", "tool": "look.once", "depends_on": ["b"]}]}), "AW-PLAN-005"),
    ];
    for (plan, finding) in wrong {
        let said = decide(&world, &asked, json!({"decision": "edit", "hash": asked["hash"], "plan": plan})).await;
        assert_eq!(code(&said), (400, "invalid_plan"), "{said:?}");
        assert_eq!(said.param(), &json!("plan"));
        assert_eq!(said.body["error"]["findings"][0]["code"], finding, "{said:?}");
    }
    assert_eq!(decide(&world, &asked, decision(&asked, "approve")).await.status, 200);
    world.until(&path, "completed").await;
}

#[tokio::test]
async fn a_decision_about_something_else_is_told_what_is_asked() {
    let world = World::new().await;
    let (path, asked) = asking(&world).await;
    let (_, other) = asking(&world).await;
    let zeros = format!("sha256:{}", "0".repeat(64));
    let stale = decide(&world, &asked, json!({"decision": "approve", "hash": zeros})).await;
    assert_eq!(code(&stale), (409, "stale"));
    assert_eq!(stale.body["error"]["approval"], asked);
    let foreign = format!("/v1/approvals/apr_{}/decide", "0".repeat(32));
    assert_eq!(world.post(&foreign, decision(&asked, "approve")).await.code(), "not_found");
    assert_eq!(world.get(&format!("/v1/approvals/apr_{}", "0".repeat(32))).await.code(), "not_found");

    assert_eq!(decide(&world, &asked, decision(&asked, "reject")).await.status, 200);
    let second = decide(&world, &asked, decision(&asked, "approve")).await;
    assert_eq!(code(&second), (409, "decided"));
    assert_eq!(second.body["error"]["approval"]["decided"]["answer"]["decision"], "reject");
    let run = path.rsplit('/').next().expect("an id").parse().expect("an id");
    while !world.store.run(run).await.expect("read").expect("a run").status.is_final() {
        let events = world.store.run(run).await.expect("read").expect("a run").events;
        world.store.grown(run, events).await.expect("grown");
    }
    assert_eq!(world.get(&path).await.body["run"]["failure"], "rejected");

    let run = other["run_id"].as_str().expect("an id");
    assert_eq!(world.poke(&format!("/v1/runs/{run}/cancel")).await.status, 202);
    world.until(&format!("/v1/runs/{run}"), "cancelled").await;
    assert_eq!(code(&decide(&world, &other, decision(&other, "approve")).await), (409, "withdrawn"));
}

#[tokio::test]
async fn of_two_who_decide_at_once_one_is_heard() {
    let world = World::new().await;
    for _ in 0..10 {
        let (_, asked) = asking(&world).await;
        let (yes, no) = tokio::join!(
            decide(&world, &asked, decision(&asked, "approve")),
            decide(&world, &asked, decision(&asked, "reject"))
        );
        let (won, lost) = if yes.status == 200 { (yes, no) } else { (no, yes) };
        assert_eq!((won.status, code(&lost)), (200, (409, "decided")));
        assert_eq!(lost.body["error"]["approval"]["decided"], won.body["decided"]);
    }
}

#[tokio::test]
async fn what_is_no_decision_is_refused() {
    let world = World::new().await;
    let (_, asked) = asking(&world).await;
    let hash = &asked["hash"];
    let wrong = [
        (json!({"decision": "approve"}), Value::Null),
        (json!({"decision": "approve", "hash": "sha256:12"}), json!("hash")),
        (json!({"decision": "perhaps", "hash": hash}), json!("decision")),
        (json!({"decision": "edit", "hash": hash}), json!("plan")),
        (json!({"decision": "edit", "hash": hash, "arguments": {}}), json!("plan")),
        (json!({"decision": "edit", "hash": hash, "plan": []}), json!("plan")),
        (json!({"decision": "edit", "hash": hash, "plan": {}, "arguments": {}}), json!("arguments")),
        (json!({"decision": "approve", "hash": hash, "plan": {}}), json!("plan")),
        (json!({"decision": "respond", "hash": hash}), json!("message")),
        (json!({"decision": "respond", "hash": hash, "message": " "}), json!("message")),
        (json!({"decision": "approve", "hash": hash, "by": "ada"}), json!("by")),
    ];
    for (body, param) in wrong {
        let said = decide(&world, &asked, body.clone()).await;
        assert_eq!((code(&said), said.param()), ((400, "invalid_request"), &param), "{body}: {said:?}");
    }
    assert_eq!(world.get("/v1/approvals/apr_12").await.status, 400);
    assert_eq!(world.get("/v1/approvals?status=open").await.param(), &json!("status"));
    assert_eq!(world.get("/v1/approvals?cursor=zz").await.param(), &json!("cursor"));
    let unheard = decide(&world, &asked, json!({"decision": "respond", "hash": hash, "message": "the back one"})).await;
    assert_eq!(code(&unheard), (409, "no_model"));
}

#[tokio::test]
async fn who_says_it_again_because_they_heard_nothing_is_told_what_they_said() {
    let world = World::new().await;
    let (_, asked) = asking(&world).await;
    let path = format!("/v1/approvals/{}/decide", asked["id"].as_str().expect("an id"));
    let say = async |key: &str, word: &str| {
        let request = world.request(Method::POST, &path).header("Idempotency-Key", key).json(&decision(&asked, word));
        Said::of(request.send().await.expect("an answer")).await
    };
    let first = say("k-1", "approve").await;
    let again = say("k-1", "approve").await;
    assert_eq!((first.status, again.status), (200, 200), "{again:?}");
    assert_eq!(again.body["decided"], first.body["decided"]);
    assert_eq!(code(&say("k-1", "reject").await), (409, "idempotency_key_reused"));
    assert_eq!(code(&say("k-2", "approve").await), (409, "decided"));
}

#[tokio::test]
async fn a_call_is_made_with_the_arguments_that_a_person_wants() {
    let plan = r#"{"plan": "open", "system_prompt": "You open.", "tool_names": ["door.open"], "guidance": "", "max_iterations": 5}"#;
    let says = |text: &str| Reply { text: text.into(), calls: vec![], stop: Stop::End, usage: Usage::default() };
    let call = ToolCall { id: "1".into(), name: "door.open".into(), arguments: json!({"which": "front"}) };
    let calls = Reply { calls: vec![call], stop: Stop::Tools, ..says("") };
    let world = World::replying([says(plan), calls, says("it is open")]).await;
    let path = world.start(json!({"text": "Let them in", "orchestration": "simple", "strategy": "single_agent"})).await;
    let page = world.until(&path, "waiting").await;
    let asked = world.get(&format!("/v1/approvals/{}", page["approvals"][0].as_str().expect("an id"))).await.body;
    assert_eq!((&asked["kind"], &asked["tool"]), (&json!("call"), &json!("door.open")), "{asked}");
    assert_eq!((&asked["arguments"], asked.get("plan")), (&json!({"which": "front"}), None));
    let mut body = decision(&asked, "edit");
    body["plan"] = json!({});
    assert_eq!(decide(&world, &asked, body.clone()).await.param(), &json!("arguments"));
    body.as_object_mut().expect("an object").remove("plan");
    body["arguments"] = json!({"which": "back"});
    assert_eq!(decide(&world, &asked, body).await.status, 200);
    let page = world.until(&path, "completed").await;
    assert_eq!(page["intents"][0]["arguments"], json!({"which": "back"}), "{page}");
}

#[tokio::test]
async fn what_was_asked_too_long_ago_is_gone() {
    let world = World::with(Setting { idle: true, ..Setting::default() }).await;
    let run = RunId::fresh();
    let then = Timestamp::now() - SignedDuration::from_hours(2);
    let request: Request = serde_json::from_value(json!({"text": "open the door", "at": then})).expect("a request");
    let entry = |key: &str, event| Entry { key: key.into(), input: None, at: then, event };
    let received = Event::Received { request: Box::new(request), parent: None };
    let claim = world.store.begin(run, vec![entry("received", received)], "w").await.expect("begun");
    let proposal: Proposal = serde_json::from_value(json!({"subject": {"kind": "call", "call": {"tool": "door.open"}},
        "summary": "opens a door", "why": "a rule asks", "risk": "high"}))
    .expect("a proposal");
    let hash = proposal.hash();
    let need = Need::Approval { question: "May I?".into(), hash, proposal: Some(Box::new(proposal)) };
    let wait = Wait { name: "call/1/approval".into(), need, until: Some(then + SignedDuration::from_hours(1)) };
    let waiting = entry("call/1/approval/waiting", Event::Waiting { wait });
    world.store.commit(claim.token, vec![waiting]).await.expect("committed");
    let path = format!("/v1/approvals/{}", ApprovalId::of(run, "call/1/approval"));
    let asked = world.get(&path).await.body;
    assert_eq!(asked["status"], "expired", "{asked}");
    let said = decide(&world, &asked, decision(&asked, "approve")).await;
    assert_eq!(code(&said), (410, "expired"));
    assert_eq!(said.body["error"]["approval"], asked);
}

#[tokio::test]
async fn however_somebody_decides_the_audit_trail_says_so_once() {
    let world = World::new().await;
    let (path, asked) = asking(&world).await;
    assert_eq!(decide(&world, &asked, json!({"decision": "approve", "hash": "sha256:0"})).await.status, 400);
    assert_eq!(decide(&world, &asked, decision(&asked, "approve")).await.status, 200);
    world.until(&path, "completed").await;
    let (path, other) = asking(&world).await;
    assert_eq!(world.post(&format!("{path}/answer"), json!({"answer": "no"})).await.status, 202);
    let trail = world.get("/v1/audit").await.body;
    let said: Vec<(&Value, &Value, &Value)> = trail["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|it| (&it["on"]["approval"], &it["on"]["decision"], &it["outcome"]))
        .collect();
    assert_eq!(
        said,
        [
            (&other["id"], &json!("answer"), &json!("done")),
            (&asked["id"], &json!("approve"), &json!("done")),
            (&asked["id"], &Value::Null, &json!("refused")),
        ]
    );
}
