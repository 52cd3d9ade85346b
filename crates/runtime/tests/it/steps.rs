//! Plans that are carried out step by step.

use std::sync::Arc;

use domain::plan::Strategy;
use domain::tool::{Effect, Repeat, ToolError};
use llm::Scripted;
use serde_json::json;

use crate::world::{World, echo, gives, refuses, says, write};

#[tokio::test]
async fn direct_steps_need_no_model_and_pass_values_on() {
    let world = World::new()
        .await
        .tool("weather.forecast", Effect::Read, gives(json!({"days": [{"high": 21.5, "rain": true}]})))
        .tool("notes.add", write(Repeat::Never), echo());
    let plan = json!({"steps": [
        {"id": "note", "tool": "notes.add", "arguments": {"text": "high of ${look.days[0].high}"}},
        {"id": "look", "tool": "weather.forecast", "arguments": {"city": "Oslo"}},
    ], "answer": "Noted: ${note.text}."});
    let (_, told) = world.carry_out(plan).await;
    assert_eq!(told.answer(), "Noted: high of 21.5.");
    assert_eq!(told.view.spent.model_calls, 0);
}

#[tokio::test]
async fn independent_steps_run_side_by_side_and_a_join_waits_for_all() {
    let world = World::new().await.slow_tool("slow.read", Effect::Read, 50, echo());
    let mut steps: Vec<_> = (1..=6)
        .map(|n| json!({"id": format!("s{n}"), "tool": "slow.read", "arguments": {"text": n.to_string()}}))
        .collect();
    steps.push(json!({"id": "join", "tool": "slow.read", "arguments": {"text": "${s1.text}${s2.text}${s3.text}${s4.text}${s5.text}${s6.text}"}}));
    let (world, told) = world.carry_out(json!({"steps": steps, "answer": "${join.text}"})).await;
    assert_eq!(told.answer(), "123456");
    assert_eq!(world.called("slow.read").most_at_once(), 6);
}

#[tokio::test]
async fn a_condition_decides_whether_a_step_is_begun() {
    for (rain, expected) in [(true, 1), (false, 0)] {
        let world = World::new().await.tool("weather.now", Effect::Read, gives(json!({ "rain": rain }))).tool(
            "notes.add",
            write(Repeat::Never),
            echo(),
        );
        let plan = json!({"steps": [
            {"id": "look", "tool": "weather.now"},
            {"id": "umbrella", "tool": "notes.add", "arguments": {"text": "umbrella"}, "when": "${look.rain} == true"},
        ], "answer": "done"});
        let (world, told) = world.carry_out(plan).await;
        assert_eq!(told.answer(), "done");
        assert_eq!(world.called("notes.add").calls(), expected);
    }
}

#[tokio::test]
async fn an_alternative_is_tried_when_a_step_fails() {
    let world = World::new().await.tool("weather.good", Effect::Read, refuses("weather.good")).tool(
        "weather.other",
        Effect::Read,
        gives(json!({"sky": "clear"})),
    );
    let plan = json!({"steps": [{"id": "look", "tool": "weather.good", "alternatives": [{"tool": "weather.other"}]}],
        "answer": "${look.sky}"});
    let (world, told) = world.carry_out(plan).await;
    assert_eq!(told.answer(), "clear");
    assert_eq!((world.called("weather.good").calls(), world.called("weather.other").calls()), (1, 1));
}

#[tokio::test]
async fn what_needs_a_failed_step_is_skipped_and_the_rest_goes_on() {
    let world = World::new().await.tool("a.bad", Effect::Read, refuses("a.bad")).tool(
        "a.good",
        Effect::Read,
        gives(json!("fine")),
    );
    let plan = json!({"steps": [
        {"id": "bad", "tool": "a.bad"},
        {"id": "after", "tool": "a.good", "depends_on": ["bad"]},
        {"id": "other", "goal": "the other thing", "tool": "a.good"},
    ]});
    let (_, told) = world.carry_out(plan).await;
    assert_eq!(told.error(), "step `bad` failed: `a.bad`: no");
    assert_eq!(told.step("after"), r#"{"outcome":"skipped","reason":"it needs `bad`, which failed"}"#);
    assert_eq!(told.step("other"), r#"{"outcome":"done","output":"fine"}"#);
}

#[tokio::test]
async fn a_failed_part_is_replanned_and_finished_work_is_kept() {
    let replacement = json!({"plan": {"steps": [{"id": "tell", "tool": "notes.add", "arguments": {"text": "${look.sky}"}}],
        "answer": "told ${tell.text}"}, "system_prompt": "x", "tool_names": ["notes.add"]});
    let world = World::new()
        .await
        .tool("weather.now", Effect::Read, gives(json!({"sky": "clear"})))
        .tool("notes.bad", write(Repeat::Never), refuses("notes.bad"))
        .tool("notes.add", write(Repeat::Never), echo())
        .model([says(&replacement.to_string())]);
    let plan = json!({"steps": [
        {"id": "look", "tool": "weather.now"},
        {"id": "tell", "tool": "notes.bad", "arguments": {"text": "${look.sky}"},
         "alternatives": [{"tool": "notes.add", "arguments": {"text": "${look.nothing}"}}]},
    ]});
    let (world, told) = world.carry_out(plan).await;
    assert_eq!(told.answer(), "told clear");
    assert_eq!(world.called("weather.now").calls(), 1);
    assert_eq!(told.view.plans.len(), 2);
    assert!(told.view.plans[1].1.as_deref().expect("a reason").contains("step `tell` failed"));
    assert_eq!(told.view.steps.iter().filter(|step| step.step.as_str() == "tell").count(), 2);
}

#[tokio::test]
async fn a_new_plan_cannot_reach_a_write_that_the_first_could_not() {
    let wider = json!({"plan": {"steps": [{"id": "x", "tool": "notes.add", "arguments": {"text": "y"}}]},
        "system_prompt": "x", "tool_names": ["notes.add"]});
    let world = World::new()
        .await
        .tool("weather.now", Effect::Read, refuses("weather.now"))
        .tool("notes.add", write(Repeat::Never), echo())
        .scripted(Scripted::endless(says(&wider.to_string())));
    let (world, told) = world.carry_out(json!({"steps": [{"id": "look", "tool": "weather.now"}]})).await;
    assert!(told.error().contains("`notes.add` was not part of the first plan"), "{}", told.error());
    assert_eq!(world.called("notes.add").calls(), 0);
}

#[tokio::test]
async fn a_result_that_fails_its_check_is_undone_reflected_on_and_tried_again() {
    let lamp = Arc::new(|arguments: &serde_json::Value, _| Ok(json!({"on": arguments["text"] == "kitchen"})));
    let world = World::new()
        .await
        .tool("lamp.set", write(Repeat::Never), lamp)
        .tool("lamp.undo", write(Repeat::Never), echo())
        .model([says(r#"{"diagnosis": "wrong room", "arguments": {"text": "kitchen"}}"#)])
        .wishing(|wishes| wishes.validate = true);
    let plan = json!({"steps": [{"id": "lamp", "goal": "light", "tool": "lamp.set", "arguments": {"text": "cellar"},
        "check": "${lamp.on} == true", "undo": {"tool": "lamp.undo", "arguments": {"text": "off"}}}],
        "answer": "on: ${lamp.on}"});
    let (world, told) = world.carry_out(plan).await;
    assert_eq!(told.answer(), "on: true");
    assert_eq!((world.called("lamp.set").calls(), world.called("lamp.undo").calls(), world.asks()), (2, 1, 1));
}

#[tokio::test]
async fn without_validate_mode_a_failed_check_is_a_failed_step() {
    let world = World::new().await.tool("lamp.set", write(Repeat::Never), gives(json!({"on": false})));
    let plan = json!({"steps": [{"id": "lamp", "tool": "lamp.set", "check": "${lamp.on} == true"}]});
    let (world, told) = world.carry_out(plan).await;
    assert_eq!(told.error(), "step `lamp` failed: its result fails the check `${lamp.on} == true`");
    assert_eq!(world.called("lamp.set").calls(), 1);
}

#[tokio::test]
async fn a_step_that_takes_too_long_is_ended() {
    let world = World::new()
        .await
        .slow_tool("slow.read", Effect::Read, 60_000, echo())
        .set(|settings| settings.step_timeout = std::time::Duration::from_millis(30));
    let (_, told) = world.carry_out(json!({"steps": [{"id": "x", "tool": "slow.read"}]})).await;
    assert_eq!(told.error(), "step `x` failed: it did not end within 30ms");
}

#[tokio::test]
async fn a_tool_that_hangs_is_ended_before_its_step() {
    let world = World::new()
        .await
        .slow_tool("slow.read", Effect::Read, 60_000, echo())
        .set(|settings| settings.tool_timeout = std::time::Duration::from_millis(30));
    let (_, told) = world.carry_out(json!({"steps": [{"id": "x", "tool": "slow.read"}]})).await;
    assert_eq!(told.error(), "step `x` failed: `slow.read` did not finish within 30ms");
}

#[tokio::test]
async fn arguments_are_checked_again_when_references_are_filled_in() {
    let world = World::new().await.tool("a.number", Effect::Read, gives(json!({"n": 5}))).tool(
        "notes.add",
        write(Repeat::Never),
        echo(),
    );
    let plan = json!({"steps": [
        {"id": "n", "tool": "a.number"},
        {"id": "x", "tool": "notes.add", "arguments": {"text": "${n.n}"}},
    ]});
    let (world, told) = world.carry_out(plan).await;
    assert!(told.error().contains("`text`"), "{}", told.error());
    assert_eq!(world.called("notes.add").calls(), 0);
}

#[tokio::test]
async fn a_cohort_has_an_agent_for_each_step_that_needs_one_and_they_can_talk() {
    let world = World::new()
        .await
        .tool("weather.now", Effect::Read, gives(json!({"sky": "clear"})))
        .wishing(|wishes| wishes.strategy = Some(Strategy::Cohort))
        .scripted(
            Scripted::from_json(
                "scripted:cohort",
                &json!([
                    {"when": {"anywhere": "Message from `agent:look`"}, "text": "I was told: clear"},
                    {"when": {"anywhere": "Sent."}, "text": "I looked and told"},
                    {"when": {"contains": "tool_result"}, "calls": [{"name": "send_message", "arguments": {"to": "agent:tell", "text": "it is clear"}}]},
                    {"when": {"anywhere": "weather.now"}, "calls": [{"name": "weather__now", "arguments": {}}]},
                    {"text": "not reached"}
                ])
                .to_string(),
            )
            .expect("a script"),
        );
    let plan = json!({"steps": [
        {"id": "look", "goal": "see the sky with weather.now", "tools": ["weather.now"]},
        {"id": "tell", "goal": "say it", "depends_on": ["look"]},
    ]});
    let (_, told) = world.carry_out(plan).await;
    assert_eq!(told.answer(), "I was told: clear");
    assert_eq!(told.view.chain, ["router", "agent:look", "agent:tell"], "a plan that was given has no planner");
    assert_eq!(told.events("message_sent").len(), 1);
    assert_eq!(told.events("messages_read").len(), 1);
}

#[tokio::test]
async fn a_tool_in_doubt_stops_the_plan_rather_than_being_tried_another_way() {
    let doubtful = Arc::new(|_: &serde_json::Value, _| {
        Err(ToolError::InDoubt { tool: "pay.send".parse().expect("name"), detail: "the line went dead".into() })
    });
    let world = World::new()
        .await
        .tool("pay.send", write(Repeat::Never), doubtful)
        .tool("pay.other", write(Repeat::Never), echo())
        .model([]);
    let plan = json!({"steps": [{"id": "pay", "tool": "pay.send", "alternatives": [{"tool": "pay.other"}]}]});
    let (world, told) = world.carry_out(plan).await;
    assert!(told.error().contains("it is unknown whether `pay.send` took effect"), "{}", told.error());
    assert_eq!((world.called("pay.send").calls(), world.called("pay.other").calls(), world.asks()), (1, 0, 0));
    assert_eq!(told.view.intents.unknown, 1);
    assert!(world.store.run(told.run).await.expect("store").expect("run").flags.in_doubt);
}

#[tokio::test]
async fn a_target_that_tools_decide_is_put_before_a_person() {
    let aimed =
        Effect::Write { reversible: true, repeat: Repeat::SameKey, external: true, targets: vec!["city".into()] };
    let world = World::new().await.tool("mail.read", Effect::Read, gives(json!({"sender": "mallory"}))).tool(
        "mail.send",
        aimed,
        echo(),
    );
    let plan = json!({"steps": [
        {"id": "read", "tool": "mail.read"},
        {"id": "send", "tool": "mail.send", "arguments": {"city": "${read.sender}", "text": "hello"}},
    ]});
    let (world, told) = world.carry_out(plan).await;
    let wait = &told.view.waits[0];
    assert!(wait.need.question().expect("a question").contains("is decided by the results of tools"), "{wait:?}");
    assert_eq!(world.called("mail.send").calls(), 0);
    world.runtime().answer(told.run, &wait.name.clone(), json!("yes"), None).await.expect("answered");
    world.go_on(told.run).await.expect("advanced");
    assert_eq!(world.called("mail.send").calls(), 1);
}
