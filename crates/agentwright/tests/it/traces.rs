//! What agents did, on the command line: listed, shown, taken in from files, written to files, revoked.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::program::Project;

/// A trace of an agent that feeds cats, as files of ours hold it.
fn fed(id: &str, success: bool) -> Value {
    // Those that began together are listed in whatever order they were taken in.
    let began = if id.ends_with('2') { "2026-03-04T05:06:08Z" } else { "2026-03-04T05:06:07Z" };
    let ended = if success { json!("done") } else { json!({"failed": "not_found"}) };
    json!({
        "id": id, "source": "own", "agent": "keeper", "problem": "feeding", "task": "t/1", "system": "gpt-4o", "user": "ada",
        "context": "feed the cat\u{1b}[2J", "started_at": began, "ended_at": "2026-03-04T05:06:09.5Z",
        "steps": [
            {"kind": "said", "who": "user", "text": "feed the cat", "length": 12, "at": began},
            {"kind": "thought", "what": "plan", "text": "look first", "length": 10, "confidence": 0.75},
            {"kind": "model", "model": "gpt-4o", "tokens_in": 900, "tokens_out": 12, "ended": "done", "millis": 800},
            {"kind": "call", "tool": "cat.feed", "by": "feeder", "arguments": {"grams": 40}, "response": "no such\ncat",
             "length": 11, "ended": ended, "at": "2026-03-04T05:06:09Z", "millis": 120},
        ],
        "outcome": {"success": success, "score": 0.5, "answer": "fed"},
        "ground_truth": {"fed": true},
        "metrics": {"usd": 0.25},
    })
}

fn json_lines(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Each command with what it says, one after the other.
fn transcript(project: &Project, commands: &[&[&str]]) -> String {
    let parts = commands
        .iter()
        .map(|arguments| format!("$ agentwright {}\n{}", arguments.join(" "), project.run(arguments).whole()));
    let text = parts.collect::<Vec<_>>().join("\n");
    // How long ago something was, and how wide that makes its column, depends on today.
    let told = |line: &str| match line.find("d ago") {
        Some(at) => {
            let start = line[..at].trim_end_matches(|c: char| c.is_ascii_digit());
            format!("{start}DAYS {}", &line[at + "d ago".len()..]).split_whitespace().collect::<Vec<_>>().join(" ")
        }
        None if line.contains("BEGAN") => line.split_whitespace().collect::<Vec<_>>().join(" "),
        None => line.to_owned(),
    };
    text.lines().map(told).collect::<Vec<_>>().join("\n")
}

#[test]
fn traces_are_taken_in_listed_shown_and_revoked() {
    let project = Project::new().file("agentwright.toml", "");
    project.write("traces.jsonl", &json_lines(&[fed("cat-1", true), fed("cat-2", false)]));
    insta::assert_snapshot!(transcript(
        &project,
        &[
            &["traces", "list"],
            &["traces", "show", "last"],
            &["traces", "import", "traces.jsonl", "--source", "cats"],
            &["traces", "import", "traces.jsonl", "--source", "cats"],
            &["traces", "list"],
            &["traces", "list", "--success", "false", "--agent", "keeper"],
            &["traces", "list", "--open"],
            &["traces", "show", "cat-2"],
            &["traces", "show", "cat"],
            &["traces", "show", "dog"],
            &["traces", "list", "--agent", "two words"],
            &["traces", "revoke", "import:cats"],
            &["traces", "list", "--source", "import:cats"],
            &["traces", "revoke", "own"],
        ]
    ));
}

#[test]
fn what_cannot_be_read_is_told_and_stops_nothing() {
    let project = Project::new().file("agentwright.toml", "");
    let bad_id =
        json!({"id": "two words", "agent": "a", "problem": "b", "started_at": "2026-01-01T00:00:00Z", "steps": []});
    let lines =
        [fed("cat-1", true).to_string(), "{\"id\": ".to_owned(), bad_id.to_string(), fed("cat-2", true).to_string()];
    project.write("mixed/traces.jsonl", &lines.join("\n"));
    project.write("mixed/one.json", &serde_json::to_string_pretty(&fed("cat-3", true)).expect("JSON"));
    project.write("mixed/list.json", &json!([fed("cat-4", true), fed("cat-5", false)]).to_string());
    project.write("mixed/other.json", "{\"cats\": 3}");
    project.write("mixed/notes.txt", "not read");
    let said = project.run(&["traces", "import", "mixed", "-o", "json"]);
    assert_eq!(said.code, 1, "{}", said.whole());
    let told = said.json();
    assert_eq!((&told["imported"], &told["known"], &told["refused"]), (&json!(5), &json!(0), &json!(3)), "{told}");
    let places: Vec<&str> =
        told["refusals"].as_array().expect("refusals").iter().filter_map(|it| it["place"].as_str()).collect();
    assert_eq!(places, ["mixed/other.json", "mixed/traces.jsonl, line 2", "mixed/traces.jsonl, line 3"]);

    let nothing = project.run(&["traces", "import", "mixed/other.json"]);
    assert_eq!(nothing.code, 2, "{}", nothing.whole());
    assert!(nothing.err.contains("`agentwright`, `tau`, `livemcp`, `who_when`, `trail`, `otlp`"), "{}", nothing.err);
    assert!(nothing.err.contains("hint: say what it is with `--format`"), "{}", nothing.err);
    assert_eq!(project.run(&["traces", "import", "nowhere"]).code, 2);

    let taken = project.run(&["traces", "import", "mixed/one.json", "--source", "thief"]);
    assert!(taken.code == 1 && taken.out.contains("there is a trace `cat-3` from another source"), "{}", taken.whole());
}

#[test]
fn public_formats_are_told_by_what_they_hold() {
    let steps = json!([{"role": "user", "len": 5, "content": "hello"},
        {"role": "assistant", "len": 0, "calls": [{"name": "find", "args": {"id": 1}}]},
        {"role": "tool", "len": 2, "content": "ok", "tool": "find", "error": false}]);
    let spans = json!([{"span_id": "a", "parent": null, "depth": 0, "name": "main", "kind": null, "status": "Ok"},
        {"span_id": "b", "parent": "a", "depth": 1, "name": "search", "kind": "TOOL", "tool": "search", "status": "Ok"}]);
    let said = json!([{"i": 0, "agent": "Expert", "role": "assistant", "len": 5, "content": "Hello"}]);
    let project = Project::new()
        .file("agentwright.toml", "")
        .file(
            "a.jsonl",
            &json!({"id": "tau-1", "bench": "tau1", "domain": "airline", "model": "m", "task_id": "t1", "trial": 0,
            "reward": 1.0, "success": true, "steps": steps})
            .to_string(),
        )
        .file(
            "b.jsonl",
            &json!({"id": "live-1", "task_id": "x", "question": "hello", "category": "work", "success": false,
            "human_label": "failure", "steps": steps})
            .to_string(),
        )
        .file(
            "c.jsonl",
            &json!({"id": "ww-1", "kind": "Hand-Crafted", "question": "hello", "ground_truth": "3", "steps": said,
            "mistake_agent": "Expert", "mistake_step": 0})
            .to_string(),
        )
        .file("d.jsonl", &json!({"id": "trail-1", "trace_id": "1", "dataset": "gaia", "steps": spans}).to_string());
    for times in ["first", "second"] {
        let told =
            project.run(&["traces", "import", "a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl", "-o", "json"]).fine().json();
        let whole = (&told["imported"], &told["known"]);
        let wanted = if times == "first" { (4, 0) } else { (0, 4) };
        assert_eq!(whole, (&json!(wanted.0), &json!(wanted.1)), "the {times} time: {told}");
        assert_eq!(told["sources"], json!(["import:tau", "import:livemcp", "import:who_when", "import:trail"]));
        // A copy is younger than what it was made from.
        let copy = std::fs::read(project.path().join("a.jsonl")).expect("read");
        std::fs::write(project.path().join("a.jsonl"), copy).expect("written");
    }
    let watched = project.run(&["traces", "import", "a.jsonl", "--format", "who_when"]);
    assert!(watched.code == 1 && watched.out.contains("field `kind` is missing"), "{}", watched.whole());
}

#[test]
fn spans_in_files_become_traces() {
    let span = |id: &str, parent: &str, name: &str, second: u64, attributes: Value| {
        let pairs: Vec<Value> = attributes
            .as_object()
            .expect("attributes")
            .iter()
            .map(|(key, value)| json!({"key": key, "value": {"stringValue": value}}))
            .collect();
        json!({"traceId": "5b8efff798038103d269b633813fc60c", "spanId": id, "parentSpanId": parent, "name": name,
            "startTimeUnixNano": format!("{second}000000000"), "endTimeUnixNano": format!("{}000000000", second + 1),
            "attributes": pairs})
    };
    let batch = |span: Value| json!({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]});
    let agent = json!({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "keeper"});
    let tool = json!({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "cat.feed"});
    let lines = [
        batch(span("eee19b7ec3c1b175", "eee19b7ec3c1b174", "execute_tool cat.feed", 1_772_600_001, tool)),
        batch(span("eee19b7ec3c1b174", "", "invoke_agent keeper", 1_772_600_000, agent)),
        batch(span("eee19b7ec3c1b176", "", "GET /", 1_772_600_000, json!({"http.method": "GET"}))),
    ];
    let project = Project::new().file("agentwright.toml", "").file("spans.jsonl", &json_lines(&lines));
    let told = project.run(&["traces", "import", "spans.jsonl", "-o", "json"]);
    assert_eq!(
        (told.json()["imported"].as_u64(), told.json()["refused"].as_u64()),
        (Some(2), Some(1)),
        "{}",
        told.whole()
    );
    assert_eq!(told.json()["refusals"][0]["because"], "none of its spans has to do with agents");
    let trace = project.run(&["traces", "show", "last", "-o", "json"]).fine().json();
    assert_eq!((&trace["agent"], &trace["steps"][0]["tool"]), (&json!("keeper"), &json!("cat.feed")), "{trace}");
}

/// Every file in a folder, by its name, as the JSON it holds.
fn files(project: &Project, folder: &str) -> BTreeMap<String, Value> {
    let entries = std::fs::read_dir(project.path().join(folder)).expect("a folder");
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("read");
        (path.file_name().expect("a name").to_string_lossy().into_owned(), serde_json::from_str(&text).expect("JSON"))
    };
    entries.map(file).collect()
}

#[test]
fn what_is_exported_comes_back_without_loss() {
    let project = Project::new().file("agentwright.toml", "");
    let open = json!({"id": "a:b", "source": "own", "agent": "x/y", "problem": "p", "started_at": "2026-03-04T05:06:07Z",
        "steps": [{"kind": "call", "tool": "look", "ended": "unknown"}]});
    project.write("traces.json", &json!([fed("cat-1", true), fed("cat-2", false), open]).to_string());
    project.run(&["traces", "import", "traces.json"]).fine();
    project.run(&["run", "-q", "set a timer for ten minutes"]).fine();
    let told = project.run(&["traces", "export", "--to", "out", "-o", "json"]).fine().json();
    assert_eq!(told["exported"], 4);
    let exported = files(&project, "out");
    assert!(exported.contains_key("keeper_feeding_20260304_050607_cat-1.json"), "{:?}", exported.keys());
    assert!(exported.contains_key("x-y_p_20260304_050607_a~b.json"), "{:?}", exported.keys());

    let again = project.run(&["traces", "import", "out", "-o", "json"]).fine().json();
    assert_eq!((&again["imported"], &again["known"]), (&json!(0), &json!(4)), "{again}");

    let elsewhere = Project::new().file("agentwright.toml", "");
    for (name, trace) in &exported {
        elsewhere.write(&format!("in/{name}"), &trace.to_string());
    }
    elsewhere.run(&["traces", "import", "in"]).fine();
    elsewhere.run(&["traces", "export", "--to", "out"]).fine();
    let renamed = |mut trace: Value| {
        let id = trace["id"].as_str().expect("an id").replace("elsewhere.run_", "run_");
        trace["id"] = json!(id);
        trace["source"] = json!("import:agentwright");
        trace
    };
    let by_id = |traces: BTreeMap<String, Value>| -> BTreeMap<String, Value> {
        traces.into_values().map(renamed).map(|trace| (trace["id"].to_string(), trace)).collect()
    };
    assert_eq!(by_id(files(&elsewhere, "out")), by_id(exported));
}

#[test]
fn tools_say_how_their_calls_went_and_ways_what_they_were_worth() {
    let project = Project::new().file("agentwright.toml", "[tools.prices]\n\"timer.set\" = 0.25\n");
    assert_eq!(project.run(&["tools", "stats"]).fine().out, "no calls yet\n");
    assert_eq!(project.run(&["route", "pathways"]).fine().out, "no run has ended yet\n");
    for request in ["set a timer for ten minutes", "set a timer for two hours", "list my timers"] {
        project.run(&["run", "-q", request]).fine();
    }
    let stats = project.run(&["tools", "stats", "-o", "json"]).fine().json();
    let set = &stats["tools"][0];
    assert_eq!((&set["tool"], &set["calls"], &set["failures"]), (&json!("timer.set"), &json!(2), &json!(0)), "{stats}");
    assert_eq!((&set["usd_per_call"], &set["usd"]), (&json!(0.25), &json!(0.5)));
    let one = project.run(&["tools", "stats", "timer.list"]).fine().out;
    assert!(one.starts_with("TOOL") && one.lines().count() == 2 && one.contains("timer.list"), "{one}");
    assert!(project.run(&["tools", "show", "timer.set"]).fine().out.contains("calls   2, 0 failed, half within "));
    assert_eq!(project.run(&["tools", "show", "timer.set", "-o", "json"]).fine().json()["record"]["calls"], 2);
    assert_eq!(project.run(&["tools", "stats", "two words"]).code, 2);

    let ways = project.run(&["route", "pathways", "-o", "json"]).fine().json();
    let way = &ways["pathways"][0];
    assert_eq!((&way["route"], &way["runs"], &way["success"]), (&json!("reflex"), &json!(3), &json!(1.0)), "{ways}");
    let words = project.run(&["route", "pathways"]).fine().out;
    assert!(words.contains("The score is the success that can be counted on"), "{words}");
}
