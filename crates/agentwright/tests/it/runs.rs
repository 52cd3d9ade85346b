//! Runs from the outside: carried out, looked at, answered, stopped, repeated.

use serde_json::{Value, json};

use crate::program::Project;

/// Counts, then makes a note of it: one tool that reads and one that writes.
fn count_and_note() -> Value {
    json!({"goal": "count and note", "answer": "There are ${count} words.", "steps": [
        {"id": "count", "goal": "count the words", "tool": "text.count", "arguments": {"text": "one two three"}},
        {"id": "note", "tool": "audit.note", "arguments": {"text": "${count} words"}},
    ]})
}

fn project() -> Project {
    Project::new().tools().file("agentwright.toml", "").file("plan.json", &count_and_note().to_string())
}

#[test]
fn a_given_plan_is_carried_out_and_can_be_looked_at() {
    let project = project();
    let steps: [&[&str]; 6] = [
        &["run", "--plan", "plan.json", "count the words"],
        &["runs", "show", "last"],
        &["runs", "show", "last", "--events"],
        &["plan", "show", "last"],
        &["runs", "replay", "last"],
        &["plan", "diff", "last"],
    ];
    let said =
        steps.map(|arguments| format!("$ agentwright {}\n{}", arguments.join(" "), project.run(arguments).whole()));
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn the_result_as_json_has_every_field_it_is_documented_with() {
    let project = project();
    let result = project.run(&["run", "--plan", "plan.json", "--dry", "-q", "-o", "json", "count"]).fine().json();
    let fields: Vec<&str> = result.as_object().expect("an object").keys().map(String::as_str).collect();
    insta::assert_snapshot!(fields.join(" "));
    assert_eq!((&result["status"], &result["answer"]), (&json!("completed"), &json!("There are 3 words.")));
    assert_eq!(result["intents"], json!({"declared": 1, "done": 0, "failed": 0, "unknown": 0, "withheld": 1}));
    let list = project.run(&["runs", "list", "-o", "json"]).fine().json();
    assert_eq!((&list["runs"][0]["status"], &list["runs"][0]["text"]), (&json!("completed"), &json!("count")));
    let page = project.run(&["runs", "show", "last", "-o", "json"]).fine().json();
    assert_eq!((&page["run"]["status"], &page["intents"][0]["status"]), (&json!("completed"), &json!("withheld")));
}

#[test]
fn a_stream_is_the_ledger_and_then_the_result() {
    let project = project();
    let said = project.run(&["run", "--plan", "plan.json", "-q", "-o", "stream-json", "count"]).fine();
    let lines: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (result, events) = lines.split_last().expect("lines");
    assert_eq!((&result["kind"], &result["data"]["answer"]), (&json!("result"), &json!("There are 3 words.")));
    let numbers: Vec<u64> = events.iter().filter_map(|event| event["seq"].as_u64()).collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
    let exported = project.run(&["runs", "export", "last"]).fine();
    assert_eq!(exported.out.lines().count(), events.len());
}

#[test]
fn only_the_plan_is_made_where_only_the_plan_is_wanted() {
    let plan =
        json!({"plan": count_and_note(), "system_prompt": "You count.", "tool_names": ["text.count", "audit.note"]});
    let project = project().script(&json!([{"text": plan.to_string()}]));
    insta::assert_snapshot!(project.run(&["run", "--plan-only", "-q", "count"]).whole());
    assert_eq!(project.run(&["runs", "show", "last", "-o", "json"]).json()["view"]["tools_used"], json!([]));
}

#[test]
fn a_planned_run_is_replayed_without_its_model() {
    let plan =
        json!({"plan": count_and_note(), "system_prompt": "You count.", "tool_names": ["text.count", "audit.note"]});
    let project = project().script(&json!([{"text": plan.to_string()}]));
    project.run(&["run", "--strategy", "task_graph", "-q", "count"]).fine();
    std::fs::remove_file(project.path().join("script.json")).expect("a file");
    let same = project.run(&["runs", "replay", "last", "-o", "json"]).fine().json();
    assert_eq!(same["same"], json!(true));
    let changed = ["runs", "replay", "last", "--result", "step/count/1/way/1/call=\"many\"", "-o", "json"];
    let other = project.run(&changed).json();
    assert_eq!(other["ending"]["answer"], json!("There are many words."));
    let elsewhere = project.run(&["runs", "replay", "last", "--set", "planning.max_tools=3"]);
    assert_eq!(elsewhere.code, 1, "{}", elsewhere.whole());
    assert!(elsewhere.out.contains("made anew: plan/1/model"), "{}", elsewhere.out);
}

#[test]
fn a_run_that_needs_a_person_waits_and_goes_on() {
    let project = project().file("agentwright.toml", "[[approval.rule]]\ntool = \"audit.*\"\naction = \"ask\"");
    let waiting = project.run(&["run", "--plan", "plan.json", "-q", "count"]);
    insta::assert_snapshot!("waiting", waiting.whole());
    insta::assert_snapshot!("waiting_shown", project.run(&["runs", "show", "last"]).whole());
    assert_eq!(project.run(&["runs", "count", "--status", "waiting"]).fine().out, "1\n");
    let resumed = project.run(&["runs", "resume", "last", "--answer", "yes", "-q"]).fine();
    assert_eq!(resumed.out, "There are 3 words.\n");
    let again = project.run(&["runs", "resume", "last", "--answer", "yes", "-q"]);
    assert_eq!((again.code, again.err.lines().next()), (2, Some("error: the run asks nothing")));
}

#[test]
fn a_limit_that_is_reached_has_its_own_exit_code() {
    // What the plan needs for certain is within the limit.
    let count = |id: &str| json!({"id": id, "tool": "text.count", "arguments": {"text": id}});
    let mut second = count("b");
    second["when"] = json!("exists ${a}");
    let plan = json!({"steps": [count("a"), second]});
    let limit = "[budget.run]\ntool_calls = 1";
    let project = project().file("agentwright.toml", limit).file("long.json", &plan.to_string());
    let said = project.run(&["run", "--plan", "long.json", "-q", "count"]);
    assert_eq!(said.code, 5, "{}", said.whole());
    assert!(said.err.contains("hint: `--max-cost` and `[budget.run]`"), "{}", said.err);
}

#[test]
fn a_run_can_be_stopped_from_another_terminal() {
    let plan = json!({"steps": [{"id": "rest", "tool": "rest.for", "arguments": {"seconds": "60"}}]});
    let project = project().file("long.json", &plan.to_string());
    let running =
        project.command(&["run", "--plan", "long.json", "-o", "stream-json", "-q", "rest"]).spawn().expect("it runs");
    let mut asked = project.run(&["runs", "cancel", "last", "--reason", "enough"]);
    for _ in 0..1000 {
        if asked.code == 0 {
            break;
        }
        asked = project.run(&["runs", "cancel", "last", "--reason", "enough"]);
    }
    // Whether it had been begun when we asked is a matter of luck.
    assert!(["run_1 was asked to stop\n", "run_1 is cancelled\n"].contains(&asked.fine().out.as_str()));
    let ended = running.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(1));
    let last = String::from_utf8_lossy(&ended.stdout).lines().last().map(str::to_owned).expect("a line");
    let result: Value = serde_json::from_str(&last).expect("JSON");
    assert_eq!((&result["data"]["status"], &result["data"]["error"]), (&json!("cancelled"), &json!("enough")));
    let late = project.run(&["runs", "cancel", "last"]);
    assert_eq!((late.code, late.err.as_str()), (1, "error: run_1 is cancelled already\n"));
}

#[test]
fn a_run_that_waits_is_stopped_at_once() {
    let project = project().file("agentwright.toml", "[[approval.rule]]\ntool = \"audit.*\"\naction = \"ask\"");
    assert_eq!(project.run(&["run", "--plan", "plan.json", "-q", "count"]).code, 4);
    assert_eq!(project.run(&["runs", "cancel", "last"]).fine().out, "run_1 is cancelled\n");
    assert_eq!(project.run(&["runs", "count", "--status", "cancelled"]).fine().out, "1\n");
}

#[test]
fn a_fork_goes_its_own_way_from_an_event_on() {
    let project = project();
    project.run(&["run", "--plan", "plan.json", "-q", "count"]).fine();
    let forked = project.run(&["runs", "fork", "last", "--at", "5", "-q"]).fine();
    assert_eq!(forked.out, "There are 3 words.\n");
    assert!(project.run(&["runs", "show", "last"]).fine().out.contains("forked      from run_2 at 5"));
    let beyond = project.run(&["runs", "fork", "last", "--at", "99", "-q"]);
    assert_ne!(beyond.code, 0);
    assert!(beyond.err.contains("it cannot be forked at 99"), "{}", beyond.err);
}

#[test]
fn runs_are_found_counted_paged_and_cleared() {
    let project = project();
    for text in ["buy milk", "buy bread", "call home"] {
        project.run(&["run", "--plan", "plan.json", "-q", text]).fine();
    }
    let count = |arguments: &[&str]| project.run(&[&["runs", "count"], arguments].concat()).fine().out;
    assert_eq!(
        [count(&[]), count(&["--search", "BUY"]), count(&["--status", "failed"]), count(&["--since", "1h"])],
        ["3\n", "2\n", "0\n", "3\n"]
    );
    let first = project.run(&["runs", "list", "--limit", "2", "-o", "json"]).fine().json();
    let cursor = first["next"].as_str().expect("a cursor");
    let second = project.run(&["runs", "list", "--limit", "2", "--cursor", cursor, "-o", "json"]).fine().json();
    let texts = |page: &Value| {
        page["runs"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|run| run["text"].as_str().expect("text").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (texts(&first), texts(&second)),
        (vec!["call home".into(), "buy bread".into()], vec!["buy milk".to_owned()])
    );
    assert_eq!(project.run(&["runs", "clear", "--search", "buy", "--yes"]).fine().out, "2 runs deleted\n");
    assert_eq!(count(&[]), "1\n");
}

#[test]
fn strategies_are_compared_without_touching_the_world() {
    let plan =
        json!({"plan": count_and_note(), "system_prompt": "You count.", "tool_names": ["text.count", "audit.note"]});
    let project = project().script(&json!([
        {"when": {"anywhere": "You plan how"}, "text": plan.to_string()},
        {"when": {"contains": "count"}, "text": "Three."},
        {"when": {"anywhere": "count"}, "text": "Three."},
    ]));
    project.write("requests.txt", "# a comment\n\ncount the words\n");
    let said = project.run(&["compare", "requests.txt", "-o", "json"]).fine().json();
    let results = said["requests"][0]["results"].as_array().expect("a list");
    let wanted: Vec<&str> = results.iter().filter_map(|result| result["wanted"].as_str()).collect();
    assert_eq!(wanted, ["task_graph", "single_agent", "cohort"]);
    assert!(results.iter().all(|result| result["intents"]["done"] == 0 && result["status"] == "completed"), "{said}");
    let table = project.run(&["compare", "requests.txt", "--strategies", "task_graph"]).fine();
    assert!(table.out.contains("STRATEGY    STATUS") && table.out.contains("task_graph: "), "{}", table.out);
}

#[test]
fn whatever_is_due_is_carried_on_by_whoever_works() {
    let plan =
        json!({"answer": "rested", "steps": [{"id": "rest", "tool": "rest.for", "arguments": {"seconds": "1"}}]});
    let project = project().file("rest.json", &plan.to_string());
    let mut killed = project.command(&["run", "--plan", "rest.json", "-q", "rest"]).spawn().expect("it runs");
    while project.run(&["runs", "count", "--status", "running"]).fine().out != "1\n" {}
    killed.kill().expect("killed");
    killed.wait().expect("gone");
    project.run(&["work"]).fine();
    assert_eq!(project.run(&["runs", "count", "--status", "completed"]).fine().out, "1\n");
}
