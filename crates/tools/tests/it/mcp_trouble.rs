//! Servers that misbehave: each is told from the others, and nothing else suffers.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use domain::tool::ToolError;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tools::mcp::{self, McpEffect, McpError, McpServer};

use crate::command::{lives, soon};
use crate::mcp_world::{Tools, World, unusable};

const SHORT: Duration = Duration::from_millis(500);

/// The odd server behind a port. It ends with the test.
async fn at_a_port(world: &World, what: &str) -> (Child, McpServer) {
    let mut child = Command::new("python3")
        .args(["odd.py", what, "0"])
        .current_dir(world.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("started");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let port = lines.next_line().await.expect("readable").expect("a port");
    (child, world.at("odd", &format!("http://127.0.0.1:{port}/mcp")))
}

/// The same server, one of whose tools only reads.
fn reading(mut server: McpServer) -> McpServer {
    server.effects.insert("act".into(), McpEffect::Read);
    server
}

fn within(mut server: McpServer, limit: Duration) -> McpServer {
    server.timeout = limit;
    server
}

async fn act(tools: &Tools) -> Result<serde_json::Value, ToolError> {
    tools.call("odd.act", json!({})).await
}

/// The most memory this process has ever had, in megabytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("a peak");
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<u64>().ok()).expect("a number") >> 10
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up() {
    let world = World::new();
    let mut silent = world.odd("silent");
    silent.start_timeout = SHORT;
    assert!(matches!(unusable(&silent).await, McpError::TooSlow { .. }));
    let (_child, mut silent) = at_a_port(&world, "silent").await;
    silent.start_timeout = SHORT;
    assert!(matches!(unusable(&silent).await, McpError::TooSlow { .. }));
}

#[tokio::test]
async fn a_server_that_chatters_is_told_by_what_it_wrote() {
    let world = World::new();
    let mut chatter = world.odd("chatter");
    chatter.start_timeout = Duration::from_secs(3);
    let error = unusable(&chatter).await.to_string();
    assert!(error.contains("it wrote `Welcome to the best server there is!`, which is no message"), "{error}");
}

#[tokio::test]
async fn a_server_that_dies_in_the_handshake_leaves_its_last_words() {
    let world = World::new();
    let error = unusable(&world.odd("dies")).await.to_string();
    assert_eq!(error, "it ended with exit status: 3: no licence was found");
    let missing = world.program("x", "no-such-program-here", &[]);
    assert_eq!(unusable(&missing).await.to_string(), "the program `no-such-program-here` was not found");
    let (child, gone) = at_a_port(&world, "fine").await;
    drop(child);
    let error = unusable(&gone).await.to_string();
    assert!(error.contains("no connection") || error.contains("no answer"), "{error}");
}

#[tokio::test]
async fn one_broken_server_does_not_keep_another_from_working() {
    let world = World::new();
    let (broken, _) = world.unasked("dies");
    let mut fine = world.odd("fine");
    fine.name = "fine".into();
    world.accept(&fine).await;
    let made = mcp::tools(vec![broken, fine], &world.pins());
    assert_eq!((made.tools.len(), made.notes.len()), (2, 0), "{:?}", made.notes);
    let error = crate::language::call(&made.tools[0], json!({})).await.expect_err("it is broken");
    assert!(matches!(&error, ToolError::Unavailable { detail, .. } if detail.contains("no licence")), "{error:?}");
    assert_eq!(crate::language::call(&made.tools[1], json!({"a": 1})).await, Ok(json!({"got": {"a": 1}})));
}

#[tokio::test]
async fn a_server_that_dies_at_work_leaves_a_write_in_doubt_and_is_started_again() {
    let world = World::new();
    let server = world.odd("dies_at_work");
    let tools = world.accepted(&server).await;
    let before = world.noted("starts").len();
    let error = act(&tools).await.expect_err("it died");
    assert!(matches!(&error, ToolError::InDoubt { detail, .. } if detail.contains("hung up")), "{error:?}");
    let reads = world.tools(&reading(server));
    let error = act(&reads).await.expect_err("it died");
    assert!(matches!(error, ToolError::Unavailable { .. }), "{error:?}");
    act(&reads).await.expect_err("it died again");
    assert_eq!(world.noted("starts").len() - before, 3);
    assert_eq!(world.noted("calls").len(), 3, "no write is repeated");
}

#[tokio::test]
async fn a_server_that_always_dies_is_left_alone_after_a_while() {
    let world = World::new();
    let (server, _) = world.unasked("dies");
    let tools = world.tools(&server);
    let mut last = String::new();
    for _ in 0..10 {
        last = act(&tools).await.expect_err("it dies").to_string();
    }
    assert!(last.contains("times in a row and is left alone for"), "{last}");
    assert!(last.contains("no licence was found"), "{last}");
    let starts = world.noted("starts").len();
    assert!((4..=12).contains(&starts), "it was started {starts} times");
}

#[tokio::test]
async fn a_hundred_megabytes_are_refused_without_being_kept() {
    let world = World::new();
    let server = world.odd("huge");
    let tools = world.accepted(&server).await;
    let (_child, json) = at_a_port(&world, "huge").await;
    let (_other, stream) = at_a_port(&world, "huge_stream").await;
    let before = peak();
    let error = act(&tools).await.expect_err("it is too much");
    assert!(matches!(&error, ToolError::InDoubt { detail, .. } if detail.contains("more than 1 MB")), "{error:?}");
    for server in [reading(server), reading(json), reading(stream)] {
        let error = act(&world.accepted(&server).await).await.expect_err("it is too much");
        assert!(matches!(&error, ToolError::Unavailable { detail, .. } if detail.contains("1 MB")), "{error:?}");
    }
    let grown = peak() - before;
    assert!(grown < 40, "{grown} MB more than before");
}

#[tokio::test]
async fn a_result_that_is_too_long_for_a_ledger_is_cut() {
    let world = World::new();
    let mut server = world.odd("cut");
    server.max_bytes = 8 << 20;
    let text = act(&world.accepted(&server).await).await.expect("a text");
    let text = text.as_str().expect("a text");
    assert!(text.len() < (1 << 20) + 100 && text.ends_with("(cut off; it was 2097152 bytes long)"));
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled() {
    let world = World::new();
    let server = within(world.odd("slow"), SHORT);
    let tools = world.accepted(&server).await;
    let error = act(&tools).await.expect_err("it is slow");
    assert!(matches!(error, ToolError::InDoubt { .. }), "{error:?}");
    soon("it is told", || world.noted("heard").iter().any(|method| method == "notifications/cancelled")).await;
    let error = act(&world.tools(&reading(server))).await.expect_err("it is slow");
    assert!(matches!(error, ToolError::TimedOut { after: SHORT, .. }), "{error:?}");
    let (_child, server) = at_a_port(&world, "slow").await;
    let server = reading(within(server, SHORT));
    let error = act(&world.accepted(&server).await).await.expect_err("it is slow");
    assert!(matches!(error, ToolError::TimedOut { .. }), "{error:?}");
}

#[tokio::test]
async fn what_is_no_message_is_skipped_on_a_stream_and_no_answer_over_http() {
    let world = World::new();
    assert_eq!(act(&world.accepted(&world.odd("garbled")).await).await, Ok(json!({"got": {}})));
    let (_child, server) = at_a_port(&world, "garbled").await;
    let error = act(&world.accepted(&server).await).await.expect_err("nonsense");
    assert!(matches!(&error, ToolError::InDoubt { detail, .. } if detail.contains("no message")), "{error:?}");
}

#[tokio::test]
async fn a_server_that_breaks_or_is_locked_says_so() {
    let world = World::new();
    let (_child, server) = at_a_port(&world, "breaks").await;
    let error = act(&world.accepted(&server).await).await.expect_err("it broke");
    assert!(matches!(&error, ToolError::InDoubt { detail, .. } if detail.contains("500")), "{error:?}");
    assert_eq!(world.noted("calls").len(), 1, "no write is repeated");
    let (_child, locked) = at_a_port(&world, "locked").await;
    assert!(matches!(unusable(&locked).await, McpError::Unauthorised { .. }));
}

#[tokio::test]
async fn a_server_and_everything_it_started_end_with_its_tools() {
    let world = World::new();
    let tools = world.accepted(&world.odd("forks")).await;
    act(&tools).await.expect("an answer");
    let (servers, children) = (world.noted("starts"), world.noted("children"));
    assert!(lives(servers.last().expect("one")) && lives(children.last().expect("one")));
    drop(tools);
    let gone = |pids: &[String]| pids.iter().all(|pid| !lives(pid));
    soon("all are dead", || gone(&servers) && gone(&children)).await;
    soon("nobody is left to be taken away", || servers.iter().all(|pid| !Path::new("/proc").join(pid).exists())).await;
}

#[tokio::test]
async fn older_servers_are_spoken_to_as_they_are_used_to() {
    let world = World::new();
    assert_eq!(mcp::inspect(&world.odd("old"), None).await.expect("tools").protocol, "2024-11-05");
    // One that leaves at the first word it does not know is asked again in the old way, and that is remembered.
    let seen = world.accept(&world.odd("picky")).await;
    assert_eq!((seen.protocol.as_str(), world.noted("starts").len()), ("2025-11-25", 3));
    act(&world.tools(&world.odd("picky"))).await.expect("an answer");
    assert_eq!(world.noted("starts").len(), 4);
}

#[tokio::test]
async fn a_server_sees_what_it_is_given_and_nothing_else() {
    let world = World::new();
    let seen = act(&world.accepted(&world.odd("environment")).await).await.expect("names");
    let names: Vec<&str> = seen["names"].as_array().expect("a list").iter().filter_map(|name| name.as_str()).collect();
    // Python adds one of its own.
    assert_eq!(names.into_iter().filter(|name| *name != "LC_CTYPE").collect::<Vec<_>>(), ["PATH"]);
}

#[tokio::test]
async fn results_are_short_and_refusals_are_failures() {
    let world = World::new();
    let picture = act(&world.accepted(&world.odd("picture")).await).await;
    assert_eq!(picture, Ok(json!("look\n[an image, image/png, about 3000 bytes]")));
    let error = act(&world.accepted(&world.odd("fails")).await).await.expect_err("it says no");
    assert_eq!(error.to_string(), "`odd.act`: the stove is cold");
    let fine = world.accepted(&world.odd("fine")).await;
    let given = fine.call("odd.act", json!({"a": null, "b": [null]})).await;
    assert_eq!(given, Ok(json!({"got": {"b": [null]}})), "what was left out is left out");
}
