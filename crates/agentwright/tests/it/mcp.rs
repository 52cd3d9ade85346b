//! Tools of MCP servers from the outside: added, listed, called, refused, accepted, removed.

use serde_json::{Value, json};

use crate::mcp_servers::{Listening, from_pypi};
use crate::program::{Project, Said};

/// A server of our own that can change its mind about itself.
const ODD: &str = include_str!("../../../tools/tests/it/mcp_odd.py");

fn project() -> Project {
    Project::new().file("agentwright.toml", "# a project\n").file("odd.py", ODD)
}

/// A project that uses the odd server, accepted as it is.
fn with_odd(what: &str) -> Project {
    let project = project();
    project.run(&["mcp", "add", "odd", "--", "python3", "odd.py", what]).fine();
    project
}

fn act(project: &Project) -> Said {
    project.run(&["tools", "test", "odd.act", "--yes"])
}

fn noted(project: &Project, file: &str) -> usize {
    std::fs::read_to_string(project.path().join(file)).map_or(0, |text| text.lines().count())
}

#[test]
fn a_server_is_added_used_by_a_run_and_removed() {
    let project = project();
    let program = from_pypi("mcp-server-time");
    let added = project.run(&["mcp", "add", "time", "-o", "json", "--", &program]).fine().json();
    let tools: Vec<&Value> = added["tools"].as_array().expect("tools").iter().map(|tool| &tool["tool"]).collect();
    assert_eq!(tools, ["time.get_current_time", "time.convert_time"]);
    let file = std::fs::read_to_string(project.path().join(".mcp.json")).expect("a file");
    let file: Value = serde_json::from_str(&file).expect("JSON");
    assert_eq!(file, json!({"mcpServers": {"time": {"command": program}}}));

    let plan = json!({"goal": "tell the time", "answer": "It is ${now.datetime}.", "steps": [
        {"id": "now", "tool": "time.get_current_time", "arguments": {"timezone": "Asia/Tokyo"}},
    ]});
    project.write("plan.json", &plan.to_string());
    let run =
        project.run(&["run", "-q", "--yes", "--plan", "plan.json", "-o", "json", "what time is it?"]).fine().json();
    assert_eq!((&run["status"], &run["tools_used"]), (&json!("completed"), &json!(["time.get_current_time"])));
    assert!(run["answer"].as_str().is_some_and(|answer| answer.ends_with("+09:00.")), "{run}");

    let list = project.run(&["mcp", "list", "--check", "-o", "json"]).fine().json();
    let row = &list["servers"][0];
    assert_eq!((&row["name"], &row["state"], &row["tools"]), (&json!("time"), &json!("ready"), &json!(2)));
    let show = project.run(&["tools", "show", "time.get_current_time", "-o", "json"]).fine().json();
    assert_eq!((&show["source"], show.get("quarantine")), (&json!("mcp:time"), None));

    project.run(&["mcp", "remove", "time"]).fine();
    assert_eq!(project.run(&["mcp", "list"]).fine().out, "no servers\n");
    assert_eq!(project.run(&["tools", "show", "time.get_current_time"]).code, 2);
    assert_eq!(project.run(&["mcp", "remove", "time"]).code, 2);
}

#[test]
fn a_server_behind_a_url_is_added_and_called() {
    let (project, server) = (project(), Listening::start());
    let added = project.run(&["mcp", "add", "all", "--url", &server.url, "--header", "X-Who=${HOME}"]).fine();
    assert!(added.out.contains("all.get-sum (new)\n    egress: changes nothing, but data leaves"), "{}", added.out);
    let sum = project.run(&["tools", "test", "all.get-sum", "--args", "{\"a\": 40, \"b\": 2}"]).fine();
    assert_eq!(sum.json(), "The sum of 40 and 2 is 42.");
    drop(server);
    let gone = project.run(&["tools", "test", "all.get-sum", "--args", "{\"a\": 40, \"b\": 2}"]);
    assert!(gone.code == 1 && gone.err.contains("is not available: no connection"), "{}", gone.whole());
}

#[test]
fn a_tool_that_has_changed_is_refused_shown_and_accepted() {
    let project = with_odd("reads");
    assert_eq!(act(&project).fine().json(), json!({"got": {}}));
    project.write("description", "Acts, and sends your keys home.");
    let refused = act(&project);
    assert_eq!(refused.code, 1, "{}", refused.whole());
    assert!(refused.err.contains("is now \"Acts, and sends your keys home.\""), "{}", refused.err);
    assert!(refused.err.contains("`agentwright tools pin odd.act` accepts it"), "{}", refused.err);
    assert_eq!(noted(&project, "calls"), 1, "it was not called again");

    let listed = project.run(&["tools", "list", "odd"]).fine().out;
    assert!(listed.contains("[quarantined] Acts."), "{listed}");
    let show = project.run(&["tools", "show", "odd.act", "-o", "json"]).fine().json();
    assert!(show["quarantine"].as_str().is_some_and(|words| words.contains("has changed")), "{show}");
    let list = project.run(&["mcp", "list", "-o", "json"]).fine().json();
    assert_eq!((&list["servers"][0]["state"], &list["servers"][0]["changed"]), (&json!("differs"), &json!(["act"])));

    // Looking accepts nothing.
    let looked = project.run(&["tools", "pin"]).fine().out;
    assert!(looked.contains("odd: 1 tool to look at") && looked.contains("sends your keys home"), "{looked}");
    assert_eq!(act(&project).code, 1);
    let pinned = project.run(&["tools", "pin", "odd.act", "-o", "json"]).fine().json();
    let tool = &pinned["servers"][0]["tools"][0];
    assert_eq!((&tool["tool"], &tool["change"]), (&json!("odd.act"), &json!("changed")));
    act(&project).fine();
    assert_eq!(project.run(&["tools", "pin"]).fine().out, "odd: everything is as it was accepted\n");
}

#[test]
fn what_a_repository_brings_along_runs_only_once_somebody_accepts_it() {
    let file = json!({"mcpServers": {"odd": {"command": "python3", "args": ["odd.py", "fine"], "color": "red"}}});
    let project = project().file(".mcp.json", &file.to_string());
    let listed = project.run(&["mcp", "list", "--check"]).fine().out;
    assert!(listed.contains("not accepted") && listed.contains("`color` is not known here"), "{listed}");
    assert_eq!(project.run(&["tools", "test", "odd.act", "--yes"]).code, 2);
    assert!(project.run(&["doctor"]).fine().out.contains("warn  mcp"));
    let one = project.run(&["tools", "pin", "odd.act"]);
    assert!(one.code == 2 && one.err.contains("`agentwright tools pin 'odd.*'` starts"), "{}", one.whole());
    assert_eq!(noted(&project, "starts"), 0, "nothing was started");
    project.run(&["tools", "pin", "odd.*"]).fine();
    act(&project).fine();

    // Another command under the same name is another server.
    let file = json!({"mcpServers": {"odd": {"command": "python3", "args": ["odd.py", "fine", "--more"]}}});
    project.write(".mcp.json", &file.to_string());
    let starts = noted(&project, "starts");
    let refused = act(&project);
    assert!(refused.err.contains("the definition of the server `odd` has changed"), "{}", refused.whole());
    assert!(project.run(&["mcp", "list", "--check"]).fine().out.contains("not accepted"));
    assert_eq!(noted(&project, "starts"), starts, "nothing was started");
}

#[test]
fn the_users_own_file_keeps_what_stands_in_it() {
    let project = Project::new().file("odd.py", ODD);
    let mine = "# mine\n[planning]\nmax_replans = 1 # few\n";
    project.write("../.config/agentwright/config.toml", mine);
    let add = [
        "mcp",
        "add",
        "odd",
        "--env",
        "KEY=${SECRET:-none}",
        "--effect",
        "act=read",
        "--",
        "python3",
        "odd.py",
        "environment",
    ];
    project.run(&add).fine();
    let text = || std::fs::read_to_string(project.path().join("../.config/agentwright/config.toml")).expect("a file");
    assert!(text().starts_with(mine) && text().contains("[mcp.servers.odd]"), "{}", text());
    // It only reads because its owner says so.
    let names = project.run(&["tools", "test", "odd.act"]).fine().json()["names"].clone();
    let names: Vec<&str> = names.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(names.contains(&"KEY") && !names.contains(&"XDG_DATA_HOME"), "{names:?}");
    project.run(&["mcp", "remove", "odd"]).fine();
    assert_eq!(text().trim_end(), mine.trim_end());
}

#[test]
fn what_cannot_be_used_says_why_and_nothing_is_written_down() {
    let project = project().file("secret.toml", "[mcp.servers.x]\ncommand = \"x\"\nenv = { KEY = \"sesame\" }\n");
    let said = |arguments: &[&str]| {
        let said = project.run(arguments);
        format!("$ agentwright {}\n{}", arguments.join(" "), said.whole())
    };
    let transcript = [
        said(&["mcp", "add", "a b", "--", "x"]),
        said(&["mcp", "add", "x"]),
        said(&["mcp", "add", "x", "--", "no-such-program-here"]),
        said(&["mcp", "add", "x", "--", "python3", "odd.py", "dies"]),
        said(&["mcp", "add", "x", "--url", "ftp://x"]),
        said(&["mcp", "add", "x", "--url", "https://${NOBODY_SET_THIS}/mcp"]),
        said(&["mcp", "add", "x", "--effect", "act=harmless", "--", "x"]),
        said(&["mcp", "remove", "x"]),
        said(&["tools", "pin", "x.*"]),
        said(&["--config", "secret.toml", "config", "show"]).lines().filter(|line| line.contains("KEY")).collect(),
    ];
    insta::assert_snapshot!(transcript.join("\n"));
    assert!(!project.path().join(".mcp.json").exists());
}

#[test]
fn files_that_make_no_sense_are_refused_or_spoil_only_what_they_are_about() {
    let wrong = |toml: &str, json: &str| {
        let project = project().file("agentwright.toml", toml).file(".mcp.json", json);
        let said = project.run(&["mcp", "list"]);
        assert!(said.err.is_empty() || said.code == 3, "{}", said.whole());
        format!("{toml}{json}\n{}", said.whole())
    };
    let transcript = [
        wrong("[mcp.servers.x]\ncomand = \"x\"\n", "{}"),
        wrong("[mcp.servers.x]\ncommand = \"x\"\nurl = \"https://x\"\n", "{}"),
        wrong("[mcp.servers.x]\ncommand = \"x\"\nmax_bytes = 1\n", "{}"),
        wrong("[mcp.servers.x]\ntimeout = \"5s\"\n", "{}"),
        wrong("", "{"),
        wrong("", "{\"mcpServers\": []}"),
        wrong(
            "",
            "{\"mcpServers\": {\"a\": {\"type\": \"sse\", \"url\": \"https://x\"}, \"b c\": {\"command\": \"x\"}, \"d\": {}}}",
        ),
    ];
    insta::assert_snapshot!(transcript.join("\n"));
}

#[test]
fn nothing_that_a_server_started_outlives_the_program() {
    let project = with_odd("forks");
    act(&project).fine();
    let plan = json!({"goal": "act", "steps": [{"id": "a", "tool": "odd.act", "arguments": {}}]});
    project.write("plan.json", &plan.to_string());
    project.run(&["run", "-q", "--yes", "--plan", "plan.json", "act"]).fine();
    let children = std::fs::read_to_string(project.path().join("children")).expect("children");
    assert!(children.lines().count() >= 3, "{children}");
    let lives = |pid: &&str| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.contains("(sleep)") && !stat.contains("(sleep) Z")
    };
    assert_eq!(children.lines().filter(lives).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn doctor_asks_the_servers_that_were_accepted() {
    let project = with_odd("reads");
    let said = project.run(&["doctor"]).fine().out;
    assert!(said.contains("ok    mcp            odd: 1 tool, version 2025-11-25"), "{said}");
    std::fs::remove_file(project.path().join("odd.py")).expect("removed");
    let said = project.run(&["doctor"]);
    assert!(
        said.code == 3 && said.out.contains("FAIL  mcp            the server `odd` cannot be used"),
        "{}",
        said.whole()
    );
    assert_eq!(project.run(&["mcp", "list", "--check"]).code, 1);
}
