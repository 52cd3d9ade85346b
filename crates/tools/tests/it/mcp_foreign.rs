//! Against servers that others wrote.

use domain::tool::{Effect, Repeat, ToolError};
use serde_json::json;

use crate::mcp_servers::{Listening, from_npm, from_pypi};
use crate::mcp_world::{Tools, World};

async fn program(name: fn(&str) -> String, program: &'static str) -> String {
    tokio::task::spawn_blocking(move || name(program)).await.expect("it is installed")
}

/// What the reference server can be held to over any transport.
async fn is_everything(tools: &Tools) {
    let echoed = tools.call("all.echo", json!({"message": "grüße"})).await;
    assert_eq!(echoed, Ok(json!("Echo: grüße")));
    let sum = tools.call("all.get-sum", json!({"a": 2, "b": 40})).await.expect("a sum");
    assert_eq!(sum, json!("The sum of 2 and 40 is 42."));
    let image = tools.call("all.get-tiny-image", json!({})).await.expect("an image").to_string();
    assert!(image.contains("[an image, image/png, about "), "{image}");
    assert!(image.len() < 1_000, "{image}");
    let structured = tools.call("all.get-structured-content", json!({"location": "Chicago"})).await.expect("weather");
    assert!(structured["temperature"].is_number(), "{structured}");
    let refused = tools.call("all.echo", json!({})).await.expect_err("a message is missing");
    assert!(matches!(refused, ToolError::BadArguments { .. }), "{refused:?}");
}

#[tokio::test]
async fn the_reference_server_is_used_over_standard_streams() {
    let everything = program(from_npm, "mcp-server-everything").await;
    let world = World::new();
    let tools = world.accepted(&world.program("all", &everything, &["stdio"])).await;
    is_everything(&tools).await;
}

#[tokio::test]
async fn the_reference_server_is_used_over_streamable_http() {
    let listening = tokio::task::spawn_blocking(Listening::start).await.expect("it listens");
    let world = World::new();
    let tools = world.accepted(&world.at("all", &listening.url)).await;
    is_everything(&tools).await;
    assert!(
        tools.names().into_iter().all(|name| tools.get(name).spec().effect != Effect::Read),
        "what goes over a network leaves the machine"
    );
}

#[tokio::test]
async fn files_are_read_and_written_through_a_server_within_its_folder() {
    let filesystem = program(from_npm, "mcp-server-filesystem").await;
    let world = World::new();
    let folder = world.path().canonicalize().expect("a folder");
    std::fs::write(folder.join("a.txt"), "one\ntwo\n").expect("written");
    let tools = world.accepted(&world.program("files", &filesystem, &[folder.to_str().expect("a name")])).await;
    let read = |path: &str| json!({"path": folder.join(path)});
    let text = tools.call("files.read_text_file", read("a.txt")).await.expect("a text");
    assert_eq!(text["content"], "one\ntwo\n", "{text}");
    let outside = tools.call("files.read_text_file", json!({"path": "/etc/passwd"})).await.expect_err("it is outside");
    assert!(matches!(outside, ToolError::Failed { .. }), "{outside:?}");

    let written = json!({"path": folder.join("b.txt"), "content": "three"});
    tools.call("files.write_file", written).await.expect("written");
    assert_eq!(std::fs::read_to_string(folder.join("b.txt")).expect("a file"), "three");

    let effect = |name: &str| tools.get(name).spec().effect.clone();
    assert!(!effect("files.read_text_file").is_write());
    assert!(
        matches!(effect("files.write_file"), Effect::Write { reversible: false, repeat: Repeat::SameKey, .. }),
        "{:?}",
        effect("files.write_file")
    );
}

#[tokio::test]
async fn the_time_is_told_by_a_server_from_elsewhere() {
    let time = program(from_pypi, "mcp-server-time").await;
    let world = World::new();
    let tools = world.accepted(&world.program("time", &time, &["--local-timezone", "Europe/Oslo"])).await;
    let now = tools.call("time.get_current_time", json!({"timezone": "Asia/Tokyo"})).await.expect("the time");
    assert!(now["datetime"].as_str().is_some_and(|text| text.ends_with("+09:00")), "{now}");
    let nowhere = tools.call("time.get_current_time", json!({"timezone": "Mars/Olympus"})).await.expect_err("nowhere");
    assert!(matches!(nowhere, ToolError::Failed { .. }), "{nowhere:?}");
}

#[tokio::test]
async fn a_repository_is_looked_at_through_a_server() {
    let git = program(from_pypi, "mcp-server-git").await;
    let world = World::new();
    let done = std::process::Command::new("git").args(["init", "--quiet"]).current_dir(world.path()).status();
    assert!(done.expect("git").success());
    let tools = world.accepted(&world.program("git", &git, &[])).await;
    let status = tools.call("git.git_status", json!({"repo_path": world.path()})).await.expect("a status");
    assert!(status.to_string().contains("odd.py"), "{status}");
}
