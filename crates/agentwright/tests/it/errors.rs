//! What goes wrong, in the words and with the exit codes people get.

use serde_json::json;

use crate::program::Project;

/// Each command with what it says, one after the other.
fn transcript(project: &Project, commands: &[&[&str]]) -> String {
    let parts = commands
        .iter()
        .map(|arguments| format!("$ agentwright {}\n{}", arguments.join(" "), project.run(arguments).whole()));
    parts.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_was_typed_wrongly_is_refused_with_a_hint() {
    let project = Project::new()
        .tools()
        .file("agentwright.toml", "")
        .file("bad.json", "{\"steps\": [")
        .file("empty.txt", "# nothing\n");
    insta::assert_snapshot!(transcript(
        &project,
        &[
            &["rnu"],
            &["run"],
            &["run", " "],
            &["run", "ring the \u{7}bell"],
            &["run", "x", "--strategy", "cohrt"],
            &["run", "x", "--max-cost", "much"],
            &["run", "x", "--plan", "nowhere.json"],
            &["run", "x", "--plan", "bad.json"],
            &["runs", "show", "last"],
            &["runs", "show", "run_0123"],
            &["runs", "show", "run_01234567890123456789012345678901"],
            &["runs", "show", "nonsense"],
            &["runs", "list", "--status", "done"],
            &["runs", "list", "--since", "yesteryear"],
            &["runs", "list", "--cursor", "!"],
            &["runs", "clear"],
            &["runs", "replay", "last", "--set", "planning"],
            &["runs", "replay", "last", "--set", "planing.strategy=cohort"],
            &["plan", "check", "nowhere.json"],
            &["tools", "show", "text.cuont"],
            &["tools", "test", "text.count", "--args", "{}"],
            &["tools", "test", "text.count", "--args", "text"],
            &["tools", "test", "notification.send", "--args", "{\"text\": \"hi\"}"],
            &["compare", "nowhere.txt"],
            &["compare", "empty.txt"],
        ]
    ));
}

#[test]
fn what_is_configured_wrongly_is_refused_with_the_file_and_the_key() {
    let said = |text: &str| {
        let project = Project::new().file("agentwright.toml", text);
        format!("{text}\n{}", project.run(&["runs", "list"]).whole())
    };
    let texts = [
        "[planing]\nstrategy = \"cohort\"",
        "[providers.openai]\napi_key = \"sk-1\"",
        "[planning]\nmax_iterations = 51",
        "[planning",
        "[database]\nurl = \"sqlite:nowhere/x.db\"",
    ];
    insta::assert_snapshot!(texts.map(said).join("\n"));
}

#[test]
fn a_model_that_cannot_be_asked_is_refused_before_anything_happens() {
    let said = |text: &str| {
        let project = Project::new().file("agentwright.toml", text);
        let refused = project.run(&["run", "hello"]).whole();
        assert_eq!(project.run(&["runs", "count"]).fine().out, "0\n");
        format!("{text}\n{refused}")
    };
    let texts = [
        "[models]\ndefault = \"openai:x\"",
        "[models]\ndefault = \"mine:x\"",
        "[models]\ndefault = \"scripted:nowhere.json\"",
    ];
    insta::assert_snapshot!(texts.map(said).join("\n"));
}

#[test]
fn without_a_model_the_lines_to_add_are_shown() {
    let project = Project::new().file("agentwright.toml", "").variable("ANTHROPIC_API_KEY", "sk-1");
    insta::assert_snapshot!(project.run(&["run", "--quiet", "draft a contract with my landlord"]).whole());
}

#[test]
fn a_request_of_a_megabyte_is_refused_and_not_cut() {
    let project = Project::new();
    let said = project.run_with(&vec![b'x'; 1 << 20], &["run", "-"]);
    assert_eq!(said.code, 2, "{}", said.whole());
    assert!(said.err.contains("more than 32000 characters"), "{}", said.err);
    let said = project.run_with(&[0xff, 0xfe], &["run", "-"]);
    assert_eq!((said.code, said.err.as_str()), (2, "error: stdin is not UTF-8 text\n"));
}

#[test]
fn a_plan_is_checked_wherever_it_comes_from() {
    let project = Project::new().tools().file("agentwright.toml", "");
    let plan = json!({"steps": [{"id": "a", "tool": "text.count", "arguments": {"text": "x"}}]});
    let other = json!({"plan": [{"step_id": "a", "toolName": "text.count", "args": {"text": "x"}}]});
    let fenced = format!("Here it is {{for now}}:\n\n```json\n{plan}\n```\nGood luck!");
    let expected = project.run_with(plan.to_string().as_bytes(), &["plan", "check", "-"]).fine().out;
    for text in [other.to_string(), fenced, json!({ "plan": plan }).to_string()] {
        assert_eq!(project.run_with(text.as_bytes(), &["plan", "check", "-"]).fine().out, expected, "{text}");
    }
    project.write("plan.md", &format!("```\n{plan}\n```\n"));
    assert_eq!(project.run(&["plan", "check", "plan.md"]).fine().out, expected);
    let said = project.run_with(b"first look, then tell", &["plan", "check", "-"]);
    assert_eq!(said.code, 2, "{}", said.whole());
}

#[test]
fn what_was_proved_about_a_plan_as_json_has_every_field_it_is_documented_with() {
    let project = Project::new().tools().file("agentwright.toml", "");
    let said = |plan: serde_json::Value| {
        let said = project.run_with(plan.to_string().as_bytes(), &["plan", "check", "-", "-o", "json"]);
        (said.code, serde_json::from_str::<serde_json::Value>(&said.out).expect("json"))
    };
    let step = json!({"id": "a", "tool": "text.count", "arguments": {"text": "x"}});
    let bounds = json!({"tool_calls": {"least": 1, "most": 1}, "model_calls": {"least": 0, "most": 1},
        "critical_path": 1, "seconds": 30.0});
    assert_eq!(said(json!([step])), (0, json!({"valid": true, "findings": [], "bounds": bounds})));
    let finding =
        json!({"code": "AW-PLAN-005", "step": "a", "says": "it waits for unknown step `b`", "weight": "fatal"});
    let lost = json!([{"id": "a", "goal": "x", "depends_on": ["b"]}]);
    assert_eq!(said(lost), (6, json!({"valid": false, "findings": [finding], "bounds": null})));
}

#[test]
fn a_plan_that_cannot_be_carried_out_says_everything_that_is_wrong() {
    let project = Project::new().tools().file("agentwright.toml", "");
    let check = |name: &str, plan: serde_json::Value| {
        project.write(&format!("{name}.json"), &plan.to_string());
        format!("{name}\n{}", project.run(&["plan", "check", &format!("{name}.json")]).whole())
    };
    let many: Vec<_> =
        (0..500).map(|n| json!({"id": format!("s{n}"), "tool": "text.count", "arguments": {"text": "x"}})).collect();
    let checks = [
        check("fine", json!({"steps": [{"id": "a", "tool": "text.count", "arguments": {"text": "x"}}]})),
        check(
            "circle",
            json!({"steps": [{"id": "a", "goal": "x", "depends_on": ["b"]}, {"id": "b", "goal": "y", "depends_on": ["a"]}]}),
        ),
        check("tool", json!({"steps": [{"id": "a", "tool": "text.cuont", "arguments": {"text": "x"}}]})),
        check(
            "arguments",
            json!({"steps": [{"id": "a", "tool": "text.count"}, {"id": "b", "tool": "text.count", "arguments": {"text": "TODO"}}]}),
        ),
        check("reference", json!({"steps": [{"id": "a", "tool": "text.count", "arguments": {"text": "${z.x}"}}]})),
        check("many", json!({"steps": many})),
        check("prose", json!("first look, then tell")),
        check(
            "notices",
            json!({"steps": [
                {"id": "a", "tool": "text.count", "arguments": {"text": "x"}},
                {"id": "b", "tool": "text.count", "arguments": {"text": "x"}, "when": "2 > 1"},
                {"id": "c", "goal": "judge", "depends_on": ["a", "b"]},
            ]}),
        ),
    ];
    insta::assert_snapshot!(checks.join("\n"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let project = Project::new();
    let mut child = project.command(&["completion", "bash"]).spawn().expect("it runs");
    drop(child.stdout.take());
    assert!(child.wait().expect("it ends").success());
}
