//! The loop of an agent, with models that behave and models that don't.

use std::sync::Arc;

use domain::chat::{Message, Reply, Stop};
use domain::event::Event;
use domain::tool::{Effect, Repeat};
use llm::Scripted;
use serde_json::json;

use crate::world::{World, calls, echo, gives, plans, says, write};

#[tokio::test]
async fn the_agent_is_given_its_plan_and_exactly_its_tools() {
    let plan = json!({"plan": {"goal": "know the sky", "steps": [
        {"id": "look", "goal": "see the sky", "tool": "weather.now", "arguments": {"city": "Oslo"}},
        {"id": "judge", "goal": "say if it is nice", "depends_on": ["look"]}]},
        "system_prompt": "You look.", "tool_names": ["weather.now"], "max_iterations": 4});
    let world = World::new()
        .await
        .tool("weather.now", Effect::Read, gives(json!("clear")))
        .tool("secret.read", Effect::Read, gives(json!("secret")))
        .model([says(&plan.to_string()), says("nice")]);
    let told = world.ask("Is it nice?").await;
    assert_eq!(told.answer(), "nice");
    let asks = world.model.as_ref().expect("a model").asks();
    let Message::System { text } = &asks[1].messages[0] else { panic!("no system prompt") };
    for part in [
        "`look` (to do): see the sky — `weather.now` with {\"city\":\"Oslo\"}",
        "`judge` (to do)",
        "after `look`",
        "4 turns",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    let offered: Vec<&str> = asks[1].tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(offered, ["weather__now", "ask_user", "replan"]);
}

#[tokio::test]
async fn a_tool_that_was_not_given_cannot_be_reached() {
    let world = World::new()
        .await
        .tool("weather.now", Effect::Read, gives(json!("clear")))
        .tool("secret.write", write(Repeat::Never), echo())
        .model([plans(&["weather.now"]), calls(&[("secret__write", json!({}))]), says("I could not")]);
    let told = world.ask("x").await;
    assert_eq!(told.answer(), "I could not");
    assert_eq!(world.called("secret.write").calls(), 0);
}

#[tokio::test]
async fn the_number_of_turns_is_kept_whatever_the_model_does() {
    // The arguments differ each time, so that only the limit can end it.
    let endless = (0..100).map(|n| calls(&[("weather__now", json!({"city": n.to_string()}))]));
    let world = World::new()
        .await
        .tool("weather.now", Effect::Read, gives(json!("clear")))
        .model([plans(&["weather.now"])].into_iter().chain(endless));
    let told = world.ask("x").await;
    assert_eq!(told.error(), "agent did not finish within 5 turns");
    assert_eq!((world.called("weather.now").calls(), world.asks()), (5, 6));
}

#[tokio::test]
async fn the_same_call_for_ever_is_broken_off() {
    let world = World::new()
        .await
        .tool("weather.now", Effect::Read, gives(json!("clear")))
        .scripted(Scripted::endless(calls(&[("weather__now", json!({"city": "Oslo"}))])))
        .set(|settings| settings.max_iterations = 40)
        .wishing(|wishes| {
            wishes.plan = Some(json!({"steps": [{"id": "x", "goal": "look", "tools": ["weather.now"]}]}))
        });
    let told = world.ask("x").await;
    assert!(told.error().contains("went in circles"), "{}", told.error());
    assert_eq!(world.called("weather.now").calls(), 3);
}

#[tokio::test]
async fn calls_of_one_turn_run_side_by_side_and_answers_keep_their_order() {
    let two = calls(&[("slow__read", json!({"text": "a"})), ("slow__read", json!({"text": "b"}))]);
    let world = World::new().await.slow_tool("slow.read", Effect::Read, 30, echo()).model([
        plans(&["slow.read"]),
        two,
        says("done"),
    ]);
    world.ask("x").await;
    assert_eq!(world.called("slow.read").most_at_once(), 2);
    let asks = world.model.as_ref().expect("a model").asks();
    let texts: Vec<&str> = asks[2]
        .messages
        .iter()
        .filter_map(|message| match message {
            Message::Tool { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert!(texts[0].contains("\"a\"") && texts[1].contains("\"b\""), "{texts:?}");
}

#[tokio::test]
async fn writes_of_one_turn_happen_in_the_order_the_model_gave_them() {
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = Arc::clone(&order);
    let note = Arc::new(move |arguments: &serde_json::Value, _| {
        seen.lock().expect("lock").push(arguments["text"].clone());
        Ok(json!({}))
    });
    let three = calls(&[
        ("notes__add", json!({"text": "1"})),
        ("notes__add", json!({"text": "2"})),
        ("notes__add", json!({"text": "3"})),
    ]);
    let world = World::new().await.tool("notes.add", write(Repeat::Never), note).model([
        plans(&["notes.add"]),
        three,
        says("done"),
    ]);
    assert_eq!(world.ask("x").await.answer(), "done");
    assert_eq!(*order.lock().expect("lock"), ["1", "2", "3"]);
}

#[tokio::test]
async fn bad_names_and_arguments_go_back_to_the_model_with_what_is_right() {
    let world = World::new().await.tool("weather.now", Effect::Read, gives(json!("clear"))).model([
        plans(&["weather.now"]),
        calls(&[("wether__now", json!({})), ("weather__now", json!({"city": 5})), ("weather__now", json!("{half"))]),
        says("sorry"),
    ]);
    let told = world.ask("x").await;
    assert_eq!(told.answer(), "sorry");
    assert_eq!(world.called("weather.now").calls(), 0);
    let last = world.model.as_ref().expect("a model").asks().pop().expect("asks");
    let texts = format!("{:?}", last.messages);
    assert!(texts.contains("weather.now") && texts.contains("`city` must be"), "{texts}");
}

#[tokio::test]
async fn an_answer_that_was_cut_goes_on_in_the_next_turn() {
    let cut = Reply { stop: Stop::Length, ..says("The answer is lo") };
    let world = World::new().await.model([plans(&[]), cut, says("ng.")]);
    assert_eq!(world.ask("x").await.answer(), "The answer is long.");
}

#[tokio::test]
async fn an_agent_can_have_the_rest_of_its_plan_replaced() {
    let replaced = json!({"plan": {"steps": [{"id": "other", "goal": "the other way", "tool": "weather.now"}]},
        "system_prompt": "x", "tool_names": ["weather.now"]});
    let world = World::new().await.tool("weather.now", Effect::Read, gives(json!("clear"))).model([
        plans(&["weather.now"]),
        calls(&[("replan", json!({"reason": "the sky is shut"}))]),
        says(&replaced.to_string()),
        says("went the other way"),
    ]);
    let told = world.ask("x").await;
    assert_eq!(told.answer(), "went the other way");
    assert_eq!(told.view.plans.len(), 2);
    assert_eq!(told.view.plans[1].1.as_deref(), Some("the sky is shut"));
    let asks = world.model.as_ref().expect("a model").asks();
    assert!(format!("{:?}", asks[3].messages).contains("the other way"));
}

#[tokio::test]
async fn the_plan_cannot_be_replaced_for_ever() {
    let replaced = json!({"plan": {"steps": [{"id": "other", "goal": "again"}]}, "system_prompt": "x"});
    let world = World::new()
        .await
        .scripted(
            Scripted::from_json(
                "scripted:replanner",
                &json!([
                    {"when": {"contains": "Replace the part"}, "text": replaced.to_string()},
                    {"when": {"contains": "There is no new plan"}, "text": "I give up"},
                    {"when": {"anywhere": "You plan how a request"}, "text": replaced.to_string()},
                    {"when": {"contains": ""}, "calls": [{"name": "replan", "arguments": {"reason": "no"}}]}
                ])
                .to_string(),
            )
            .expect("a script"),
        )
        .set(|settings| settings.max_iterations = 30);
    let told = world.ask("x").await;
    assert_eq!(told.view.plans.len(), 4, "the first and three replacements");
    assert_eq!(told.view.status, Some(domain::run::RunStatus::Failed));
}

#[tokio::test]
async fn a_model_that_fails_in_the_middle_fails_the_run_in_words() {
    let world = World::new().await.model([plans(&[])]);
    let told = world.ask("x").await;
    assert!(told.error().contains("script ran out"), "{}", told.error());
}

#[tokio::test]
async fn when_the_agent_fails_before_acting_its_plan_is_carried_out_as_a_graph() {
    let plan = json!({"plan": {"steps": [{"id": "look", "tool": "weather.now"}], "answer": "the sky is ${look}"},
        "system_prompt": "x", "tool_names": ["weather.now"]});
    let world =
        World::new().await.tool("weather.now", Effect::Read, gives(json!("clear"))).model([says(&plan.to_string())]);
    let told = world.ask("x").await;
    assert_eq!(told.answer(), "the sky is clear");
}

#[tokio::test]
async fn an_agent_that_has_acted_is_not_started_over_another_way() {
    let plan = json!({"plan": {"steps": [{"id": "note", "tool": "notes.add", "arguments": {"text": "x"}}]},
        "system_prompt": "x", "tool_names": ["notes.add"]});
    let world = World::new()
        .await
        .tool("notes.add", write(Repeat::Never), echo())
        .model([says(&plan.to_string()), calls(&[("notes__add", json!({"text": "x"}))])]);
    let told = world.ask("x").await;
    assert!(told.error().contains("script ran out"));
    assert_eq!(world.called("notes.add").calls(), 1);
    assert!(told.ledger.iter().any(|recorded| matches!(recorded.entry.event, Event::IntentSettled { .. })));
}

#[tokio::test]
async fn old_results_make_room_in_a_long_conversation() {
    let turns = (0..12).map(|n| calls(&[("big__read", json!({"text": n.to_string()}))]));
    let world = World::new()
        .await
        .tool("big.read", Effect::Read, gives(json!("x".repeat(9_000))))
        .model(turns.chain([says("done")]))
        .set(|settings| {
            settings.context_chars = 40_000;
            settings.max_iterations = 20;
        })
        .wishing(|wishes| wishes.plan = Some(json!({"steps": [{"id": "x", "goal": "look", "tools": ["big.read"]}]})));
    assert_eq!(world.ask("x").await.answer(), "done");
    let last = world.model.as_ref().expect("a model").asks().pop().expect("asks");
    assert!(last.messages.iter().map(Message::chars).sum::<usize>() <= 40_000 + 9_500);
}
