//! What people accepted, and what servers make of it.

use domain::hash::Hash;
use domain::tool::{Source, ToolError};
use serde_json::json;
use tools::mcp::{self, Definition};

use crate::mcp_world::World;

fn denied(error: ToolError) -> String {
    match error {
        ToolError::Denied { detail, .. } => detail,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn tools_are_there_without_their_server_being_started() {
    let world = World::new();
    let (server, _) = world.unasked("fine");
    let tools = world.tools(&server);
    assert_eq!(tools.names(), ["odd.act"]);
    let standing = tools.get("odd.act").standing();
    assert_eq!((standing.source, standing.quarantine), (Source::Mcp("odd".into()), None));
    assert!(world.noted("starts").is_empty());
    tools.call("odd.act", json!({})).await.expect("an answer");
    assert_eq!(world.noted("starts").len(), 1);
}

#[tokio::test]
async fn nothing_is_offered_that_nobody_accepted() {
    let world = World::new();
    let made = mcp::tools(vec![world.odd("fine")], &world.pins());
    assert!(made.tools.is_empty());
    assert_eq!(
        made.notes,
        ["nothing of the server `odd` has been accepted; `agentwright tools pin 'odd.*'` does that"]
    );
}

#[tokio::test]
async fn a_tool_that_describes_itself_otherwise_is_refused_until_it_is_accepted() {
    let world = World::new();
    let server = world.odd("fine");
    let tools = world.accepted(&server).await;
    std::fs::write(world.file("description"), "Acts, and sends your keys home.").expect("written");
    let detail = denied(tools.call("odd.act", json!({})).await.expect_err("it has changed"));
    assert_eq!(
        detail,
        "its definition has changed: its description was \"Acts.\" and is now \"Acts, and sends your keys home.\"; \
         after a look at it, `agentwright tools pin odd.act` accepts it"
    );
    assert!(world.noted("calls").is_empty(), "it was not called");
    // The next process knows before it asks.
    assert_eq!(world.tools(&server).get("odd.act").standing().quarantine, Some(detail));
    let accepted = world.accepted(&server).await;
    accepted.call("odd.act", json!({})).await.expect("an answer");
    assert_eq!(accepted.get("odd.act").standing().quarantine, None);
}

#[tokio::test]
async fn new_tools_wait_and_old_ones_say_that_they_are_gone() {
    let world = World::new();
    let server = world.odd("fine");
    let tools = world.accepted(&server).await;
    std::fs::write(world.file("more"), "").expect("written");
    tools.call("odd.act", json!({})).await.expect("what was accepted goes on");
    assert_eq!(world.tools(&server).names(), ["odd.act"]);
    let seen = world.pins().seen("odd").expect("readable").expect("something");
    let accepted = world.pins().accepted("odd").expect("readable").expect("something");
    assert_eq!(accepted.differences(&seen.tools).new, ["more"]);
    std::fs::write(world.file("none"), "").expect("written");
    let detail = denied(world.tools(&server).call("odd.act", json!({})).await.expect_err("it is gone"));
    assert!(detail.starts_with("its server does not have it any more"), "{detail}");
}

#[tokio::test]
async fn a_server_that_announces_other_tools_is_believed_at_once() {
    let world = World::new();
    let tools = world.accepted(&world.odd("restless")).await;
    tools.call("odd.act", json!({})).await.expect("an answer");
    crate::command::soon("it has told us", || world.noted("description").len() == 1).await;
    let mut last = tools.call("odd.act", json!({})).await;
    // The word may arrive a moment after the answer.
    while last.is_ok() {
        last = tools.call("odd.act", json!({})).await;
    }
    assert!(denied(last.expect_err("it has changed")).contains("Acts otherwise."));
}

#[tokio::test]
async fn a_server_that_is_defined_otherwise_is_not_even_started() {
    let world = World::new();
    let (server, _) = world.unasked("fine");
    let mut other = server;
    other.written = Hash::of(b"another command");
    let detail = denied(world.tools(&other).call("odd.act", json!({})).await.expect_err("it is another server"));
    assert!(detail.starts_with("the definition of the server `odd` has changed since it was accepted"), "{detail}");
    assert!(world.noted("starts").is_empty());
}

#[tokio::test]
async fn pins_that_somebody_edited_count_for_nothing() {
    let world = World::new();
    let (server, _) = world.unasked("fine");
    let file = world.file("mcp/odd.pins.json");
    let text = std::fs::read_to_string(&file).expect("pins");
    std::fs::write(&file, text.replace("Acts.", "Acts kindly.")).expect("written");
    assert!(world.tools(&server).names().is_empty());
    std::fs::write(&file, "{").expect("written");
    let made = mcp::tools(vec![server], &world.pins());
    assert!(made.tools.is_empty() && made.notes[0].starts_with("the pins of the server `odd`: "), "{:?}", made.notes);
}

#[tokio::test]
async fn names_that_fall_together_and_schemas_that_are_none_are_told() {
    let world = World::new();
    let (server, mut seen) = world.unasked("fine");
    let named = |name: &str, schema| Definition { name: name.into(), input_schema: schema, ..seen.tools[0].clone() };
    seen.tools = vec![
        named("a.b", json!({"type": "object"})),
        named("a_b", json!({"type": "object"})),
        named("wrong", json!({"type": "object", "properties": 7})),
    ];
    world.accept_as_seen(&server, &seen);
    let made = mcp::tools(vec![server], &world.pins());
    assert_eq!(made.tools.len(), 1);
    assert_eq!(made.notes[0], "`a_b` and `a.b` would both be called `odd.a_b`");
    assert!(made.notes[1].starts_with("`wrong` of the server `odd`: the schema of the parameters"), "{:?}", made.notes);
}
