//! What is kept and used again, over HTTP.

use domain::library::{AgentBody, Body, Draft, Lineage};
use serde_json::{Value, json};

use crate::world::World;

fn agent(name: &str, description: &str, prompt: &str) -> Draft {
    Draft {
        name: name.parse().expect("a name"),
        description: description.into(),
        keywords: vec!["look".into()],
        body: Body::Agent(AgentBody {
            prompt: prompt.into(),
            tools: vec!["look.once".parse().expect("a tool")],
            max_iterations: None,
        }),
        lineage: Lineage { by: Some("ada".into()), ..Lineage::default() },
        offered_from: None,
    }
}

async fn kept(drafts: &[Draft]) -> World {
    let world = World::new().await;
    for draft in drafts {
        world.store.put(draft, jiff::Timestamp::now()).await.expect("kept");
    }
    world
}

fn names<'b>(body: &'b Value, list: &str) -> Vec<&'b str> {
    body[list].as_array().expect("a list").iter().map(|it| it["name"].as_str().expect("a name")).collect()
}

/// A plan with a hole for what is looked at, as three runs would leave it.
fn skill() -> Draft {
    let example = |said: &str| json!({"said": said});
    let hole = json!({"hole": [{"parameter": 0, "form": "as_said"}]});
    let fixed = |text: &str| json!({"fixed": text});
    let step = json!({"fields": [
        ["id", fixed("look")], ["goal", fixed("look")], ["tool", fixed("look.once")],
        ["arguments", {"fields": [["at", hole]]}],
    ]});
    let skill = json!({"kind": "skill", "name": "look-at", "description": "Looks at something.", "template": {
        "pieces": [{"words": "look at"}, {"hole": 0}],
        "parameters": [{"name": "at", "kind": "text", "examples": [example("sky"), example("sea")], "required": true}],
        "plan": {"fields": [["steps", {"list": [step]}]]},
        "requests": ["look at sky", "look at sea"],
    }, "pins": {}, "runs": [], "successes": 3, "failures": 0});
    Draft {
        name: "look-at".parse().expect("a name"),
        description: "look at sky / look at sea".into(),
        keywords: vec![],
        body: serde_json::from_value(skill).expect("a skill"),
        lineage: Lineage::default(),
        offered_from: None,
    }
}

#[tokio::test]
async fn agents_are_listed_paged_filtered_and_shown() {
    let drafts = [
        agent("sky-watcher", "Watches the sky.", "You watch."),
        agent("sea-watcher", "Watches the sea.", "You watch."),
        agent("poet", "Writes poems.", "You write."),
    ];
    let world = kept(&drafts).await;
    let all = world.get("/v1/agents").await;
    assert_eq!(all.status, 200, "{all:?}");
    assert_eq!(names(&all.body, "items").len(), 3);
    assert_eq!(all.body["items"][0]["body"], Value::Null);
    assert_eq!(names(&world.get("/v1/agents?q=POEMS").await.body, "items"), ["poet"]);

    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = world.get(&format!("/v1/agents?limit=1{cursor}")).await.body;
        seen.extend(names(&page, "items").into_iter().map(str::to_owned));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, names(&all.body, "items"));

    let one = world.get("/v1/agents/poet").await.body;
    assert_eq!((&one["version"], &one["current"], &one["active"]), (&json!(1), &json!(true), &json!(true)));
    assert_eq!((&one["body"]["prompt"], &one["lineage"]), (&json!("You write."), &json!({"by": "ada"})));
    assert_eq!(one["record"], json!({"uses": 0, "good": 0, "bad": 0}));
    assert_eq!(world.get("/v1/agents/poet/uses").await.body, json!({"uses": []}));
    assert_eq!(names(&world.get("/v1/agents/search?q=write+poems").await.body, "found")[0], "poet");
    assert_eq!(world.get("/v1/cohorts").await.body, json!({"items": []}));
}

#[tokio::test]
async fn an_agent_is_switched_off_and_rolled_back() {
    let drafts = [agent("poet", "Writes poems.", "You write."), agent("poet", "Writes poems.", "You rhyme.")];
    let world = kept(&drafts).await;
    let versions = world.get("/v1/agents/poet/versions").await.body;
    let numbers: Vec<(&Value, &Value)> =
        versions["versions"].as_array().expect("a list").iter().map(|it| (&it["version"], &it["current"])).collect();
    assert_eq!(numbers, [(&json!(2), &json!(true)), (&json!(1), &json!(false))]);
    assert_eq!(world.get("/v1/agents/poet?version=1").await.body["body"]["prompt"], "You write.");

    let back = world.post("/v1/agents/poet/rollback", json!({"version": 1})).await;
    assert_eq!((back.status, &back.body["version"], &back.body["versions"]), (200, &json!(1), &json!(2)));
    assert_eq!(world.get("/v1/agents/poet").await.body["body"]["prompt"], "You write.");

    let off = world.poke("/v1/agents/poet/deactivate").await;
    assert_eq!((off.status, &off.body["active"]), (200, &json!(false)));
    assert_eq!(names(&world.get("/v1/agents?active=true").await.body, "items"), Vec::<&str>::new());
    assert_eq!(names(&world.get("/v1/agents?active=false").await.body, "items"), ["poet"]);
    assert_eq!(world.get("/v1/agents/search?q=poems").await.body, json!({"found": []}));
    assert_eq!(world.poke("/v1/agents/poet/activate").await.body["active"], true);
    assert_eq!(names(&world.get("/v1/agents/search?q=poems").await.body, "found"), ["poet"]);
}

#[tokio::test]
async fn a_skill_is_exported_for_other_agents() {
    let world = kept(&[skill()]).await;
    let said = world.get("/v1/skills/look-at/export").await;
    assert_eq!(
        (said.status, &said.headers["content-type"]),
        (200, &"text/markdown; charset=utf-8".parse().expect("a value"))
    );
    let page = said.body.as_str().expect("a page");
    assert!(page.starts_with("---\nname: look-at\n") && page.contains("`look at {at}`"), "{page}");
    assert_eq!(world.get("/v1/skills/look-at").await.body["body"]["kind"], "skill");
    assert_eq!(world.get("/v1/skills/look/export").await.code(), "not_found");
}

#[tokio::test]
async fn a_run_is_rated_once_it_has_ended_and_the_last_word_counts() {
    let world = World::new().await;
    let path = world.start_gated(1).await;
    let rate = format!("{path}/rate");
    assert_eq!(world.get(&rate).await.code(), "not_found");
    let early = world.post(&rate, json!({"good": true})).await;
    assert_eq!((early.status, early.code()), (409, "not_ended"));
    world.gate.add_permits(1);
    world.until(&path, "completed").await;
    let said = world.post(&rate, json!({"good": true, "words": "just right"})).await;
    assert_eq!((said.status, &said.body["good"], &said.body["words"]), (200, &json!(true), &json!("just right")));
    assert_eq!(world.get(&rate).await.body, said.body);
    world.post(&rate, json!({"good": false})).await;
    let last = world.get(&rate).await.body;
    assert_eq!((&last["good"], &last["words"]), (&json!(false), &Value::Null));
    let nobody = world.post(&format!("/v1/runs/run_{}/rate", "0".repeat(32)), json!({"good": true})).await;
    assert_eq!(nobody.code(), "not_found");
}

#[tokio::test]
async fn what_is_not_in_the_library_or_not_a_question_is_refused_in_words() {
    let world = kept(&[agent("poet", "Writes poems.", "You write.")]).await;
    for (path, status, part) in [
        ("/v1/agents/nobody", 404, "there is no agent `nobody`"),
        ("/v1/skills/poet", 404, "there is no skill `poet`"),
        ("/v1/agents/nobody/uses", 404, "there is no agent `nobody`"),
        ("/v1/agents/nobody/versions", 404, "there is no agent `nobody`"),
        ("/v1/agents/poet?version=2", 404, "agent `poet` has no version 2; there are 1"),
        ("/v1/agents/poet?version=0", 400, "`version` is counted from 1"),
        ("/v1/agents/Not%20A%20Name", 400, "the path is wrong"),
        ("/v1/agents?limit=0", 400, "`limit` is 0; it can be 1 to 100"),
        ("/v1/agents?cursor=x", 400, "`x` is not a cursor"),
        ("/v1/agents?active=perhaps", 400, "the query is wrong"),
        ("/v1/agents/search", 400, "`q`"),
        ("/v1/cohorts?colour=red", 400, "`colour`"),
    ] {
        let said = world.get(path).await;
        assert_eq!(said.status, status, "{path}: {said:?}");
        assert!(said.message().contains(part), "{path}: {said:?}");
    }
    assert_eq!(world.poke("/v1/agents/nobody/deactivate").await.code(), "not_found");
    assert_eq!(world.post("/v1/agents/poet/rollback", json!({"version": 7})).await.code(), "not_found");
    assert_eq!(world.post("/v1/agents/poet/rollback", json!({"version": 0})).await.param(), "version");
    assert_eq!(world.post("/v1/agents/poet/rollback", json!({})).await.status, 400);
}
