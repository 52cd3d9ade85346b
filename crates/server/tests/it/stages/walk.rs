//! From a thought to another plan: what one stage answers is given to the next as it is.

use serde_json::{Value, json};

use super::about;
use crate::world::{Setting, World};

async fn answer(world: &World, agent: &str, body: Value) -> Value {
    let said = world.post(&format!("/api/agents/{agent}"), body).await;
    assert_eq!(said.status, 200, "{agent}: {said:?}");
    assert_eq!(said.body["agentName"], agent);
    said.body
}

/// Every stage in turn, and what each answered.
async fn walk(world: &World) -> [Value; 6] {
    let asked = json!({"context": {}, "requestContext": {"userQuery": "Look at the garden, then open the door."}});
    let thoughts = answer(world, "thought-agent", asked).await;
    let next = |before: &Value, context: Value| json!({"context": context, "requestContext": before["requestContext"]});
    let plan = answer(world, "planner-agent", next(&thoughts, json!({"thoughts": thoughts}))).await;
    let context = json!({"thoughts": thoughts, "plan": plan});
    let critique = answer(world, "critic-agent", next(&plan, context)).await;
    let context = json!({"thoughts": thoughts, "plan": plan, "critique": critique});
    let confidence = answer(world, "confidence-scorer", next(&critique, context)).await;
    let context = json!({"thoughts": thoughts, "plan": plan, "critique": critique, "confidenceScore": confidence});
    let assessment = answer(world, "meta-agent", next(&confidence, context)).await;
    let context = json!({"thoughts": thoughts, "plan": plan, "critique": critique, "assessment": assessment});
    let again = answer(world, "replan-agent", next(&assessment, context)).await;
    [thoughts, plan, critique, confidence, assessment, again]
}

#[tokio::test]
async fn each_stage_reads_what_the_others_answered_without_a_model() {
    let world = World::new().await;
    let [thoughts, plan, critique, confidence, assessment, again] = walk(&world).await;
    for field in ["reasoning", "approaches", "constraints", "assumptions", "uncertainties", "recommendedTools"] {
        assert!(!thoughts[field].is_null(), "{field} in {thoughts}");
    }
    assert!(plan["plan"]["steps"].as_array().is_some_and(|steps| !steps.is_empty()), "{plan}");
    assert_eq!((&plan["version"], &again["version"]), (&json!(1), &json!(2)));
    assert_eq!(again["plan"], plan["plan"], "there is nobody to plan again");
    for field in ["correctness", "completeness", "feasibility", "efficiency", "safety"] {
        assert!(critique["scores"][field].is_number(), "{field} in {critique}");
    }
    assert_eq!(confidence["reported"], critique["overall"], "nobody else says how sure they are");
    assert!(assessment["breakdown"]["confidence"].is_number());
    let chain =
        json!(["thought-agent", "planner-agent", "critic-agent", "confidence-scorer", "meta-agent", "replan-agent"]);
    assert_eq!(again["requestContext"]["agentChain"], chain);
    assert_eq!(again["requestContext"]["status"], "running");
    let id = thoughts["requestId"].as_str().expect("an id");
    let page = world.get(&format!("/api/requests/{id}")).await.body;
    assert_eq!((&page["agentChain"], &page["status"]), (&chain, &json!("running")));
    let mut kept = page["stages"].as_array().expect("stages").clone();
    for (kept, said) in kept.iter_mut().zip([&thoughts, &plan, &critique, &confidence, &assessment, &again]) {
        kept["requestContext"] = said["requestContext"].clone();
        assert_eq!(kept, said);
    }
}

#[tokio::test]
async fn each_stage_reads_what_models_answered_to_the_others() {
    let step = json!({"id": "look", "goal": "look at the garden", "tool": "look.once", "arguments": {}});
    let door =
        json!({"id": "door", "goal": "open the door", "tool": "door.open", "arguments": {}, "dependsOn": ["look"]});
    let scores = json!({"correctness": 0.5, "completeness": 0.5, "feasibility": 0.5, "efficiency": 0.5, "safety": 0.5});
    let script = json!([
        {"text": json!({"reasoning": "First one, then the other.", "recommendedTools": ["look.once"],
            "confidence": 0.75}).to_string()},
        {"text": json!({"plan": {"goal": "both", "steps": [step]}, "confidence": 0.5, "rationale": "short"}).to_string()},
        {"text": json!({"scores": scores, "issues": [{"severity": "high", "description": "the door stays shut",
            "suggestion": "open it", "affectedSteps": ["look"]}], "followUpQuestions": ["Which door?"]}).to_string()},
        {"text": json!({"quality": 0.25, "assessment": "half of it is missing"}).to_string()},
        {"text": json!({"plan": {"goal": "both", "steps": [step, door]}, "confidence": 1}).to_string()},
    ]);
    let model = llm::Scripted::from_json("scripted:walk", &script.to_string()).expect("a script");
    let world = World::with(Setting { model: Some(model), ..Setting::default() }).await;
    let [thoughts, plan, critique, confidence, assessment, again] = walk(&world).await;
    assert_eq!((&thoughts["recommendedTools"], &thoughts["confidence"]), (&json!(["look.once"]), &json!(0.75)));
    assert_eq!((&plan["confidence"], &plan["plan"]["steps"][0]["id"]), (&json!(0.5), &json!("look")));
    assert_eq!((&critique["overall"], &critique["verdict"]), (&json!(0.5), &json!("reject")));
    assert_eq!(critique["followUpQuestions"], json!(["Which door?"]));
    assert_eq!(critique["issues"][0]["affectedSteps"], json!(["look"]));
    let names: Vec<_> = confidence["scores"].as_array().expect("scores").iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["thought", "plan", "critique"]);
    assert_eq!((&assessment["reasoningQuality"], &assessment["shouldReplan"]), (&json!(0.25), &json!(true)));
    assert_eq!((&again["version"], &again["plan"]["steps"][1]["id"]), (&json!(2), &json!("door")));
    assert_eq!(again["plan"]["steps"][1]["depends_on"], json!(["look"]), "it was read as it was written");
}

#[tokio::test]
async fn a_plan_whose_steps_are_all_wrong_is_rejected_by_what_is_proved() {
    let world = World::new().await;
    let steps = json!([{"id": "a", "tool": "no.such"}, {"id": "b", "tool": "look.once", "dependsOn": ["nowhere"]}, {}]);
    let critique = answer(&world, "critic-agent", about("r", json!({"plan": {"steps": steps}}))).await;
    assert_eq!(critique["verdict"], "reject");
    assert!(critique["issues"].as_array().is_some_and(|issues| !issues.is_empty()), "{critique}");
    for nonsense in [json!("do it"), json!(7), json!({"steps": "all"}), json!({"steps": [1, 2]}), json!([[]])] {
        let said = world.post("/api/agents/critic-agent", about("r", json!({"plan": nonsense}))).await;
        assert_eq!(said.status, 400, "{nonsense}: {said:?}");
        assert!(super::sentence(&said).contains("`plan`"), "{said:?}");
    }
}

#[tokio::test]
async fn stages_that_lack_what_they_work_on_say_what() {
    let world = World::new().await;
    for (agent, context, words) in [
        ("planner-agent", json!({}), "planner-agent needs the request: give `userQuery`"),
        ("critic-agent", json!({"thoughts": "x"}), "critic-agent needs a `plan` to criticise"),
        (
            "confidence-scorer",
            json!({"thoughts": "x"}),
            "confidence-scorer needs `thoughts`, `plan` or `critique` with a confidence to weigh",
        ),
        ("replan-agent", json!({"critique": "x"}), "replan-agent needs the `plan` that is to be replaced"),
        (
            "replan-agent",
            json!({"plan": {"steps": [{"goal": "x"}]}}),
            "replan-agent needs a `critique` or an `assessment` that says what is wrong",
        ),
    ] {
        let said = world.post(&format!("/api/agents/{agent}"), about("r", context)).await;
        assert_eq!((said.status, super::sentence(&said)), (400, words));
    }
}
