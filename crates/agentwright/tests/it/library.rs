//! What is kept and used again, as people meet it on the command line.

use std::sync::Arc;

use domain::library::{AgentBody, Body, Draft, Lineage};
use domain::store::Store;
use serde_json::{Value, json};

use crate::program::Project;

const QUICK: &str = "[models]\ndefault = \"scripted:script.json\"\n[fast_path]\nenabled = false\n\
     [components.prompt_creator]\nenabled = false\n";

/// Each command with what it says, one after the other. How well something fits is a matter of the index, and how wide a
/// column of moments is depends on how long ago they were.
fn transcript(project: &Project, commands: &[&[&str]]) -> String {
    let parts = commands
        .iter()
        .map(|arguments| format!("$ agentwright {}\n{}", arguments.join(" "), project.run(arguments).whole()));
    let text = parts.collect::<Vec<_>>().join("\n");
    let told = |line: &str| match line.contains("TIME ago") || line.contains("WHEN") {
        true => line.split_whitespace().collect::<Vec<_>>().join(" "),
        false => line.to_owned(),
    };
    without_scores(&text.lines().map(told).collect::<Vec<_>>().join("\n"))
}

fn without_scores(text: &str) -> String {
    let mut pieces = text.split("0.");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_digit());
        plain.push_str(if rest.len() == piece.len() { "0." } else { "SCORE" });
        plain.push_str(rest);
    }
    plain
}

fn names(listing: &Value) -> Vec<String> {
    let items = listing["items"].as_array().expect("a list").iter();
    items.map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
}

/// A project whose planner always wants the same team of two.
fn team() -> Project {
    let plan = json!({"plan": {"goal": "compare apples and pears", "steps": [
        {"id": "apples", "goal": "Count the apples of the shop", "tools": ["text.count"]},
        {"id": "pears", "goal": "Describe the pears in a sentence", "tools": ["text.count"], "depends_on": ["apples"]},
    ]}, "system_prompt": "You compare.", "tool_names": ["text.count"]});
    Project::new().tools().file("agentwright.toml", QUICK).file(
        "script.json",
        &json!([
            {"when": {"anywhere": "You plan how"}, "text": plan.to_string()},
            {"when": {"anywhere": "Describe the pears"}, "text": "Two pears, both green."},
            {"when": {"anywhere": "Count the apples"}, "text": "Three apples."},
            {"when": {"anywhere": "apples"}, "text": "Three apples, two pears."},
        ])
        .to_string(),
    )
}

fn compare(project: &Project) -> Value {
    let words = [
        "run",
        "--yes",
        "--strategy",
        "cohort",
        "--orchestration",
        "simple",
        "-q",
        "-o",
        "json",
        "Compare apples and pears",
    ];
    project.run(&words).fine().json()
}

/// A project that counts the words of whatever is asked.
fn counting() -> Project {
    let rule = |text: &str| {
        let plan = json!({"plan": {"goal": "count words", "answer": "There are ${count} words.", "steps": [
            {"id": "count", "goal": "count the words", "tool": "text.count", "arguments": {"text": text}},
        ]}, "system_prompt": "You count.", "tool_names": ["text.count"]});
        json!({"when": {"anywhere": "You plan how", "contains": text}, "text": plan.to_string()})
    };
    // What was asked before stands in a later prompt as an example, so the last comes first.
    let rules: Vec<Value> = ["blue sky", "green grass", "red roses"].into_iter().map(rule).collect();
    Project::new().tools().file("agentwright.toml", QUICK).file("script.json", &json!(rules).to_string())
}

fn count(project: &Project, what: &str) -> Value {
    let request = format!("count the words of \"{what}\" please");
    let words = ["run", "--strategy", "task_graph", "--orchestration", "simple", "-q", "-o", "json", &request];
    project.run(&words).fine().json()
}

/// Keeps two versions of an agent as a person would.
fn two_versions(project: &Project) {
    let draft = |prompt: &str, tools: &[&str]| Draft {
        name: "word-counter".parse().expect("a name"),
        description: "Counts the words of a text.".into(),
        keywords: vec!["count".into(), "words".into()],
        body: Body::Agent(AgentBody {
            prompt: prompt.into(),
            tools: tools.iter().map(|tool| tool.parse().expect("a tool")).collect(),
            max_iterations: Some(3),
        }),
        lineage: Lineage { by: Some("ada".into()), ..Lineage::default() },
        offered_from: None,
    };
    project.run(&["runs", "list"]).fine();
    let database = format!("sqlite:{}", project.path().join(".agentwright/agentwright.db").display());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store: Arc<dyn Store> = store::open(&database).await.expect("a store");
        let first = draft("You count words.\nUse `text.count`.\nAnswer with a number.", &["text.count"]);
        let second = draft(
            "You count words.\nUse `text.count`, or \u{1b}[31mguess.\nAnswer with a number.",
            &["text.count", "text.guess"],
        );
        for draft in [first, second] {
            store.put(&draft, jiff::Timestamp::now()).await.expect("kept");
        }
    });
}

#[test]
fn an_agent_is_shown_compared_rolled_back_and_switched_off() {
    let project = Project::new().tools().file("agentwright.toml", "");
    two_versions(&project);
    insta::assert_snapshot!(transcript(
        &project,
        &[
            &["agents", "list"],
            &["agents", "show", "word-counter"],
            &["agents", "diff", "word-counter"],
            &["agents", "rollback", "word-counter"],
            &["agents", "rollback", "word-counter"],
            &["agents", "show", "word-counter", "--version", "2"],
            &["agents", "rollback", "word-counter", "--to", "2"],
            &["agents", "deactivate", "word-counter"],
            &["agents", "list"],
            &["agents", "list", "--inactive", "COUNTS"],
            &["agents", "search", "count words"],
            &["agents", "activate", "word-counter"],
            &["agents", "show", "word"],
            &["agents", "show", "Word-Cuonter"],
            &["agents", "show", "word-counter", "--version", "9"],
            &["agents", "diff", "word-counter", "1", "7"],
            &["cohorts", "show", "word-counter"],
        ]
    ));
    let found = project.run(&["agents", "search", "how many words are there", "-o", "json"]).fine().json();
    assert_eq!(found["found"][0]["name"], "word-counter");
    assert!(found["found"][0]["score"].as_f64().is_some_and(|score| score > 0.0), "{found}");
    let page = project.run(&["agents", "show", "word-counter", "-o", "json"]).fine().json();
    assert_eq!((&page["name"], &page["version"], &page["current"]), (&json!("word-counter"), &json!(2), &json!(true)));
    assert_eq!(page["tools"][1], json!({"tool": "text.guess", "state": "gone"}));
    let diff = project.run(&["agents", "diff", "word-counter", "2", "1", "-o", "json"]).fine().json();
    let fields: Vec<&Value> = diff["changes"].as_array().expect("changes").iter().map(|it| &it["field"]).collect();
    assert_eq!(fields, ["prompt", "tools"]);
}

#[test]
fn a_team_that_was_good_is_offered_and_used_again() {
    let project = team();
    assert_eq!(compare(&project)["status"], "completed");
    let agents = project.run(&["agents", "list", "-o", "json"]).fine().json();
    assert_eq!(names(&agents).len(), 2, "{agents}");
    let kept = project.run(&["cohorts", "list", "-o", "json"]).fine().json();
    let [team] = &names(&kept)[..] else { panic!("{kept}") };
    assert!(kept["items"][0]["offered_from"].is_string(), "nobody had time to complain: {kept}");
    let search = ["cohorts", "search", "compare apples and pears", "-o", "json"];
    assert_eq!(project.run(&search).fine().json()["found"], json!([]));

    project.run(&["runs", "rate", "last", "good", "--words", "just right"]).fine();
    let said = project.run(&["runs", "rate", "last"]).fine();
    assert_eq!(said.out, "run_1 was good: just right\n");
    assert_eq!(project.run(&search).fine().json()["found"][0]["name"], team.as_str());
    assert_eq!(compare(&project)["status"], "completed");
    let used = project.run(&["cohorts", "show", team, "-o", "json"]).fine().json();
    assert!(used["uses"].as_array().expect("uses").iter().any(|it| it["decision"] == "reuse"), "{used}");
    let member = used["body"]["members"][0]["agent"].as_str().expect("a member");
    let agent = project.run(&["agents", "show", member, "-o", "json"]).fine().json();
    assert_eq!((&agent["record"]["uses"], &agent["record"]["good"]), (&json!(2), &json!(2)), "{agent}");
    assert!(agent["lineage"]["run"].is_string(), "{agent}");
    insta::assert_snapshot!(transcript(&project, &[&["cohorts", "show", team], &["agents", "show", member]]));
}

#[test]
fn a_team_that_was_bad_is_offered_no_longer() {
    let project = team();
    compare(&project);
    project.run(&["runs", "rate", "last", "bad"]).fine();
    assert_eq!(names(&project.run(&["cohorts", "list", "-o", "json"]).fine().json()), Vec::<String>::new());
    let off = project.run(&["cohorts", "list", "--inactive", "-o", "json"]).fine().json();
    assert_eq!(names(&off).len(), 1, "{off}");
    let changed = project.run(&["runs", "rate", "last", "good"]).fine();
    assert_eq!(changed.out, "run_1 was good: what it made is offered from now on\n");
    assert_eq!(names(&project.run(&["cohorts", "list", "-o", "json"]).fine().json()).len(), 1);
}

#[test]
fn a_plan_that_worked_three_times_is_a_skill() {
    let project = counting();
    for what in ["red roses", "green grass", "blue sky"] {
        assert_eq!(count(&project, what)["answer"], "There are 2 words.");
    }
    let plans = project.run(&["skills", "plans", "list", "-o", "json"]).fine().json();
    assert_eq!(names(&plans).len(), 1, "{plans}");
    let skills = project.run(&["skills", "list", "-o", "json"]).fine().json();
    let [skill] = &names(&skills)[..] else { panic!("{skills}\n{plans}") };
    let fits = "count the words of \"one more time\" please";
    let other = "count the lines of \"one more time\" please";
    insta::assert_snapshot!(transcript(
        &project,
        &[
            &["skills", "show", skill],
            &["skills", "explain", fits],
            &["skills", "explain", other],
            &["skills", "explain", "write a poem"],
            &["skills", "export", skill],
            &["skills", "export", skill, "--to", "out"],
            &["skills", "export", skill, "--to", "out"],
        ]
    ));
    let file = project.path().join("out").join(skill).join("SKILL.md");
    assert!(std::fs::read_to_string(&file).expect("a file").starts_with("---\nname: "));
    std::fs::write(&file, "mine").expect("a file");
    let refused = project.run(&["skills", "export", skill, "--to", "out"]);
    assert_eq!((refused.code, std::fs::read_to_string(&file).expect("a file").as_str()), (2, "mine"));
    project.run(&["skills", "export", skill, "--to", "out", "--overwrite"]).fine();
    assert_ne!(std::fs::read_to_string(&file).expect("a file"), "mine");

    // No planner knows these words: only the skill can do it.
    let result = count(&project, "one more time");
    assert_eq!((&result["answer"], &result["spent"]["model_calls"]), (&json!("There are 3 words."), &json!(0)));
    project.run(&["skills", "deactivate", skill]).fine();
    let plan = &names(&plans)[0];
    project.run(&["skills", "plans", "deactivate", plan]).fine();
    let without = project.run(&["skills", "explain", fits, "-o", "json"]).fine().json();
    assert_eq!(without, json!({"choice": null, "looked_at": []}));

    project.run(&["skills", "activate", skill]).fine();
    let tools = std::fs::read_to_string(project.path().join("tools/test.toml")).expect("a file");
    project.write("tools/test.toml", &tools.replace("Counts words.", "Counts words of a text."));
    let changed = project.run(&["skills", "explain", fits, "-o", "json"]).fine().json();
    assert_ne!(changed["choice"]["decision"], "reuse");
    assert_eq!(changed["looked_at"][0]["against"], "its tool `text.count` has changed");
    assert!(project.run(&["skills", "show", skill]).fine().out.contains("(changed)"));
}

#[test]
fn a_run_that_goes_on_cannot_be_rated() {
    let plan = json!({"steps": [{"id": "note", "tool": "audit.note", "arguments": {"text": "x"}}]});
    let ask = "[[approval.rule]]\ntool = \"audit.*\"\naction = \"ask\"";
    let project = Project::new().file("agentwright.toml", ask).file("plan.json", &plan.to_string());
    assert_eq!(project.run(&["run", "--plan", "plan.json", "-q", "note it"]).code, 4);
    insta::assert_snapshot!(project.run(&["runs", "rate", "last", "good"]).whole());
}

#[test]
fn the_tools_that_a_planner_sees_are_told_with_what_that_saved() {
    let mut tools = String::new();
    for at in 0..40 {
        tools.push_str(&format!(
            "[[tool]]\nname = \"odd.job{at}\"\ndescription = \"Does odd job number {at} in the garden.\"\neffect = \"read\"\n\
             [tool.command]\nprogram = \"true\"\n"
        ));
    }
    let short = format!("{QUICK}[planning]\nshortlist = 5\n");
    let project = counting().file("tools/many.toml", &tools).file("agentwright.toml", &short);
    let seen = project.run(&["tools", "shortlist", "count the words of a text", "-o", "json"]).fine().json();
    assert_eq!((&seen["tools"][0]["name"], &seen["shortlist"]), (&json!("text.count"), &json!(5)), "{seen}");
    assert_eq!(seen["tools"].as_array().map(Vec::len), Some(5));
    let before = project.run(&["tools", "shortlist"]).fine().out;
    assert!(before.starts_with("no planner saw a shortlist in the last 0 runs"), "{before}");
    count(&project, "red roses");
    let after = project.run(&["tools", "shortlist", "-o", "json"]).fine().json();
    assert_eq!((&after["runs"], &after["wanted"], &after["on_list"]), (&json!(1), &json!(1), &json!(1)), "{after}");
    assert!(after["tokens_saved"].as_u64().is_some_and(|saved| saved > 100), "{after}");
    let words = project.run(&["tools", "shortlist"]).fine().out;
    assert!(words.contains("1 of 1 tool in their plans were on the list: 100.0 %"), "{words}");
}
