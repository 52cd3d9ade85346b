//! Requests whose outcome is known, rehearsed.

use std::sync::Arc;

use domain::guideline::{Author, Point, Revision, Version};
use domain::store::Store;
use domain::symbol::Symbol;
use serde_json::json;

use crate::program::Project;

const EVERYDAY: &str = include_str!("../../../../evals/everyday.jsonl");

#[test]
fn everyday_requests_go_as_they_should_without_a_model() {
    let nowhere = "[weather]\nforecast_url = \"http://127.0.0.1:1\"\ngeocoding_url = \"http://127.0.0.1:1\"\n";
    let project = Project::new().file("agentwright.toml", nowhere).file("everyday.jsonl", EVERYDAY);
    let said = project.run(&["eval", "run", "everyday.jsonl", "-o", "json"]);
    let report = said.json();
    let failed: Vec<_> = report["requests"]
        .as_array()
        .expect("requests")
        .iter()
        .filter(|it| it["rehearsals"][0]["passed"] != true)
        .collect();
    assert!(failed.is_empty() && said.code == 0, "{failed:#?}");
    assert_eq!(report["arms"][0]["passed"], 26);
    assert!(report["arms"][0]["pass_rate"]["interval"][0].as_f64().is_some_and(|low| (0.8..0.9).contains(&low)));
    assert_eq!(project.run(&["runs", "count", "--status", "waiting"]).fine().out, "0\n", "nobody is asked afterwards");
    assert_eq!(project.run(&["run", "-q", "list my timers"]).fine().out, "No timers are set.\n", "nothing was done");
    assert_eq!(project.run(&["route", "pathways", "-o", "json"]).fine().json()["pathways"][0]["runs"], 1);
}

#[test]
fn what_fails_is_told_with_what_was_wrong() {
    let lines = [
        json!({"id": "timer", "request": "set a timer for ten minutes", "expect": {"tools": ["calendar.add"], "route": "plan"}}),
        json!({"request": "what is 12 times 7?", "expect": {"answer_contains": ["84"], "status": "completed"}}),
    ];
    let project = Project::new()
        .file("agentwright.toml", "")
        .file("cases.jsonl", &format!("# two\n\n{}\n{}\n", lines[0], lines[1]))
        .file("odd.jsonl", "{\"request\": \"hello\", \"expect\": {\"tool\": []}}\n")
        .file("twice.jsonl", &format!("{}\n{}\n", lines[0], lines[0]))
        .file("empty.jsonl", "# nothing\n");
    let commands: &[&[&str]] = &[
        &["eval", "run", "cases.jsonl"],
        &["eval", "run", "odd.jsonl"],
        &["eval", "run", "twice.jsonl"],
        &["eval", "run", "empty.jsonl"],
        &["eval", "run", "cases.jsonl", "--against", "planner@1.0.0"],
        &["eval", "run", "cases.jsonl", "--against", "planner"],
    ];
    let said = commands.iter().map(|it| format!("$ agentwright {}\n{}", it.join(" "), project.run(it).whole()));
    insta::assert_snapshot!(said.collect::<Vec<_>>().join("\n"));
}

/// Has planners told something, in two versions; the first is told now.
fn two_versions(project: &Project) {
    project.run(&["runs", "list"]).fine();
    let database = format!("sqlite:{}", project.path().join(".agentwright/agentwright.db").display());
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let store: Arc<dyn Store> = store::open(&database).await.expect("a store");
        let version = |text: &str| {
            let agent = Symbol::of("planner");
            Version::first(
                agent,
                vec![Point::said("test", text)],
                "to see",
                Author::Person(None),
                jiff::Timestamp::now(),
            )
        };
        let first = version("Say wet.");
        let second = Version { version: "1.1.0".parse().expect("a version"), ..version("Say dry.") };
        let turned = vec![(first.agent.clone(), first.version)];
        let change = Revision { versions: vec![first, second], turned, ..Revision::default() };
        let revision = store.learned().await.expect("read").revision;
        assert!(store.revise(revision, change).await.expect("revised"));
    });
}

#[test]
fn another_version_of_what_is_told_is_rehearsed_side_by_side() {
    let plan = |answer: &str| {
        json!({"plan": {"goal": "x", "answer": answer, "steps": [
        {"id": "count", "goal": "count", "tool": "text.count", "arguments": {"text": "a b"}},
    ]}, "system_prompt": "You count.", "tool_names": ["text.count"]})
        .to_string()
    };
    let quick = "[models]\ndefault = \"scripted:script.json\"\n[fast_path]\nenabled = false\n\
         [planning]\nstrategy = \"task_graph\"\norchestration = \"simple\"\n";
    let rules = json!([
        {"when": {"anywhere": "Say dry."}, "text": plan("dry")},
        {"when": {"anywhere": "Say wet."}, "text": plan("wet")},
    ]);
    let case = |at: usize| json!({"id": format!("c{at}"), "request": format!("look at the sky {at}"), "expect": {"answer_contains": ["dry"]}});
    let cases: String = (0..6).map(|at| format!("{}\n", case(at))).collect();
    let project = Project::new()
        .tools()
        .file("agentwright.toml", quick)
        .file("script.json", &rules.to_string())
        .file("cases.jsonl", &cases);
    two_versions(&project);
    let said = project.run(&["eval", "run", "cases.jsonl", "--against", "planner@1.1.0", "-o", "json"]);
    let report = said.json();
    let arms = report["arms"].as_array().expect("arms");
    let passed: Vec<_> = arms.iter().map(|arm| (arm["name"].clone(), arm["passed"].clone())).collect();
    assert_eq!(passed, [(json!("now"), json!(0)), (json!("planner@1.1.0"), json!(6))], "{report:#}");
    assert_eq!(arms[1]["guidelines"], json!(["planner@1.1.0"]));
    let low = report["difference"]["interval"][0].as_f64().expect("a number");
    assert!(report["difference"]["value"] == 1.0 && low > 0.0, "{}", report["difference"]);
    assert_eq!(said.code, 1, "with what is told now it fails");
    let words = project.run(&["eval", "run", "cases.jsonl", "--against", "planner@1.1.0"]).out;
    assert!(words.contains("`planner@1.1.0` is better"), "{words}");
}
