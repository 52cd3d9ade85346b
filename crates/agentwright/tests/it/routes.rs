//! Requests that need no model, from the outside: explained, tested, calibrated and carried out.

mod sky;

use serde_json::{Value, json};

use crate::program::{Project, Said};

const CLEAR: &str = "set a timer for ten minutes";

fn labelled() -> Project {
    let lines = [
        json!({"text": CLEAR, "role": "timer", "slots": {"duration": "PT10M"}}),
        json!({"id": "b", "text": "hello", "role": "conversation", "multi": false}),
        json!({"text": "book me a flight to Rome", "role": "other", "label": "oos"}),
        json!({"text": "turn off the kitchen light and set a timer for ten minutes", "role": "smart_home", "multi": true}),
    ];
    Project::new().file("requests.jsonl", &lines.map(|line| line.to_string()).join("\n"))
}

/// A run that waits, answered until it ends.
fn answered(project: &Project, request: &str, answers: &[&str]) -> Said {
    let mut said = project.run(&["run", "-q", request]);
    for answer in answers {
        assert_eq!(said.code, 4, "{}", said.whole());
        said = project.run(&["runs", "resume", "last", "--answer", answer, "-q"]);
    }
    said
}

#[test]
fn an_explanation_says_what_would_be_done_and_why() {
    let project = Project::new();
    let said = project.run(&["route", "explain", CLEAR]).fine().out;
    for part in [
        "fast: `timer`, confidence 1.000",
        "does: `timer.set` {\"kind\":\"timer\",\"duration\":\"PT10M\"} (action `set`",
        "promise: at most 1 % of the fast answers of `timer` from 0.9",
        "SIGNAL",
        "every word is accounted for",
        "1.00  timer  set a timer for ten minutes",
    ] {
        assert!(said.contains(part), "no {part:?} in\n{said}");
    }
    let asks = project.run(&["route", "explain", "set a timer"]).fine().out;
    assert!(asks.starts_with("ask: `timer`") && asks.contains("asks: For how long?"), "{asks}");
    let nothing = project.run(&["route", "explain", "book me a flight to Rome"]).fine().out;
    assert!(nothing.starts_with("plan: `other`") && nothing.contains("does: nothing that is known"), "{nothing}");
    assert_eq!(project.run(&["runs", "count"]).fine().out, "0\n", "nothing is carried out");
}

#[test]
fn an_explanation_as_json_has_everything() {
    let text = "turn off the kitchen light and set a timer for ten minutes";
    let said = Project::new().run(&["route", "explain", text, "-o", "json"]).fine().json();
    assert_eq!((&said["decision"], said["parts"].as_array().map(Vec::len)), (&json!("compose"), Some(2)));
    assert_eq!(said["parts"][1]["act"]["arguments"], json!({"kind": "timer", "duration": "PT10M"}));
    assert_eq!(said["nearest"].as_array().map(Vec::len), Some(5));
    let one = Project::new().run(&["route", "explain", CLEAR, "-o", "json"]).fine().json();
    assert!(one["certificate"]["threshold"].as_f64().is_some_and(|at| at > 0.5), "{one}");
    assert!(one["confidence"].as_f64().is_some_and(|sure| sure > 0.9 && sure <= 1.0), "{one}");
}

#[test]
fn labelled_requests_are_tested_line_by_line_and_summed_up() {
    let project = labelled();
    let said = project.run(&["route", "test", "requests.jsonl", "-o", "json"]).fine();
    let lines: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (summary, examples) = lines.split_last().expect("lines");
    let got: Vec<_> =
        examples.iter().map(|line| (&line["id"], line["role"].as_str(), line["decision"].as_str())).collect();
    assert_eq!(
        got,
        [
            (&json!(1), Some("timer"), Some("fast")),
            (&json!("b"), Some("conversation"), Some("fast")),
            (&json!(3), Some("other"), Some("plan")),
            (&json!(4), Some("smart_home"), Some("compose")),
        ]
    );
    assert!(examples.iter().all(|line| line["confidence"].is_f64() && line["parts"].is_array()));
    let summary = &summary["summary"];
    for (name, value) in [
        ("requests", json!(4)),
        ("accuracy", json!(1.0)),
        ("macro_f1", json!(1.0)),
        ("precision", json!(1.0)),
        ("fast", json!(2)),
        ("abstention", json!(1.0)),
        ("abstention_oos", json!(1.0)),
        ("multi_f1", json!(1.0)),
        ("split_wrongly", json!(0.0)),
        ("slots_found", json!(1.0)),
    ] {
        assert_eq!(summary[name], value, "{name}");
    }
    assert!(["calibration_error", "coverage", "p50_us", "p99_us"].iter().all(|name| summary[*name].is_f64()));
    let text = project.run(&["route", "test", "requests.jsonl"]).fine().out;
    assert!(text.contains("accuracy               1.0000") && text.contains("ROLE          REQUESTS"), "{text}");
}

#[test]
fn a_file_that_cannot_be_used_says_where() {
    let project = Project::new()
        .file("empty.jsonl", "\n \n")
        .file("broken.jsonl", "{\"text\": \"hello\", \"role\": \"timer\"}\n{\"text\": \n")
        .file("half.jsonl", "{\"text\": \"hello\"}\n");
    for command in ["test", "calibrate"] {
        for (file, words) in [
            ("nowhere.jsonl", "No such file"),
            ("empty.jsonl", "it holds no requests"),
            ("broken.jsonl", "line 2: "),
            ("half.jsonl", "line 1: nothing is known about it"),
        ] {
            let said = project.run(&["route", command, file]);
            assert_eq!(said.code, 2, "{}", said.whole());
            assert!(said.err.starts_with(&format!("error: `{file}` cannot be used: {words}")), "{}", said.err);
            assert!(
                said.err.contains("hint: each line is a JSON object with `text`, and `role` or `multi`"),
                "{}",
                said.err
            );
        }
    }
    assert_eq!(project.run(&["route", "calibrate", "half.jsonl", "--alpha", "2"]).code, 2);
    assert_eq!(project.run(&["route", "explain", " "]).code, 2);
}

#[test]
fn too_few_requests_promise_nothing_until_they_are_forgotten() {
    let project = labelled();
    let threshold = || {
        let said = project.run(&["route", "explain", CLEAR, "-o", "json"]).fine().json();
        said["certificate"]["threshold"].as_f64()
    };
    let shipped = threshold();
    assert!(shipped.is_some());
    let dry = project.run(&["route", "calibrate", "requests.jsonl", "--dry"]).fine().out;
    assert!(dry.contains("`timer` abstains: needs ") && dry.contains("Nothing was changed."), "{dry}");
    assert_eq!(threshold(), shipped);
    let kept = project.run(&["route", "calibrate", "requests.jsonl", "-o", "json"]).fine().json();
    assert_eq!((&kept["certificates"], &kept["kept"]), (&json!([]), &json!(true)));
    let refused = kept["refused"].as_array().expect("a list");
    assert!(refused.iter().any(|one| one["role"] == "timer") && refused.len() == 2, "{kept}");
    assert_eq!(threshold(), None, "nothing is promised about a role that abstains");
    let explained = project.run(&["route", "explain", CLEAR]).fine().out;
    assert!(explained.contains("promise: none; calibration found no confidence that is enough"), "{explained}");
    assert_eq!(project.run(&["route", "calibrate", "--forget"]).fine().out, "The shipped thresholds are used again.\n");
    assert_eq!(threshold(), shipped);
    assert_eq!(project.run(&["route", "calibrate", "--forget"]).fine().out, "There was no calibration of yours.\n");
}

#[test]
fn two_things_at_once_are_done_without_a_model() {
    let project = Project::new();
    let said = project.run(&["run", "-q", "turn off the kitchen light and set a timer for ten minutes"]).fine().out;
    assert!(said.contains("off: kitchen ceiling light and kitchen counter light."), "{said}");
    assert!(said.contains("Timer set for 10 minutes"), "{said}");
    let left = project.run(&["run", "-q", "how much time is left on my timer"]).fine().out;
    assert!(left.starts_with("The 10-minute timer: 9 minutes"), "{left}");
    let page = project.run(&["runs", "list", "-o", "json"]).fine().json();
    assert!(page["runs"].as_array().expect("a list").iter().all(|run| run["spent"]["model_calls"] == 0), "{page}");
}

#[test]
fn an_umbrella_is_thought_of_only_where_it_rains() {
    let request = "what's the weather in Oslo tomorrow, and if it rains remind me at eight to take an umbrella";
    let wet = Project::new().file("agentwright.toml", &sky::rains(true));
    let said = answered(&wet, request, &["8 am"]).fine().out;
    assert!(said.contains("In Oslo tomorrow: light rain, 2 to 6 °C"), "{said}");
    assert!(said.contains("take an umbrella") && !said.contains("Not done"), "{said}");
    let dry = Project::new().file("agentwright.toml", &sky::rains(false));
    let said = answered(&dry, request, &["8 am"]).fine().out;
    assert!(said.contains("Not done: remind me at eight to take an umbrella (only if it rains)."), "{said}");
}

#[test]
fn what_was_found_goes_into_the_calendar() {
    let request = "search for good pizza places, then add dinner there on Friday at seven to my calendar";
    let note = "# Luigi on the Corner\n\nGood pizza places are rare.\n";
    let project = Project::new().file("agentwright.toml", "").file("notes/pizza.md", note);
    let said = project.run(&["run", "-q", request]).fine().out;
    assert!(said.contains("Luigi on the Corner") && !said.contains("Not done"), "{said}");
    let friday = project.run(&["run", "-q", "what's on my calendar on Friday"]).fine().out;
    assert!(friday.contains("dinner") && friday.contains("19:00") && friday.contains("Luigi"), "{friday}");
    let empty = Project::new().run(&["run", "-q", request]).fine().out;
    assert!(empty.contains("Not done: add dinner there"), "{empty}");
}

#[test]
fn a_service_that_cannot_be_reached_is_said_to_be() {
    let project = Project::new().file("agentwright.toml", &sky::out_of_reach());
    let said = project.run(&["run", "-q", "what's the weather in Oslo tomorrow"]);
    assert_eq!(said.code, 1, "{}", said.whole());
    assert!(said.err.contains("the weather service cannot be reached"), "{}", said.err);
}

#[test]
fn what_is_missing_is_asked_for_and_can_be_taken_back() {
    let project = Project::new();
    assert!(answered(&project, "set a timer", &["five minutes"]).fine().out.starts_with("Timer set for 5 minutes"));
    let asked = project.run(&["run", "-q", "turn on the flux capacitor"]);
    assert!(asked.err.contains("There is nothing called “flux capacitor” here."), "{}", asked.err);
    let done = project.run(&["runs", "resume", "last", "--answer", "the kitchen light", "-q"]).fine().out;
    assert!(done.contains("now on"), "{done}");
    assert_eq!(answered(&project, "set a timer", &["never mind"]).fine().out, "All right, nothing was done.\n");
}

#[test]
fn what_needs_a_model_says_so_and_what_does_not() {
    let said = Project::new().run(&["run", "-q", "book me a flight to Rome"]);
    assert_eq!(said.code, 1, "{}", said.whole());
    assert!(said.err.contains("there is no model to plan it with; ask “what can you do”"), "{}", said.err);
    for words in ["what can you do", "help", "Help!"] {
        let help = Project::new().run(&["run", "-q", words]).fine().out;
        assert!(help.contains("“set a timer for ten minutes”"), "{words}: {help}");
    }
}

const GARDEN: &str = r#"
name = "garden"
when_to_use = "The garden."
tools = ["text.count"]
examples = ["water the tomatoes", "start the sprinklers", "how dry is the soil", "stop watering the lawn"]
[[action]]
name = "water"
tool = "text.count"
patterns = ["water [all] [of] [the] {text} please", "water [all] [of] [the] {text}"]
examples = ["water the tomatoes", "water the roses"]
[action.parameters]
text = { kind = "words", required = true, ask = "Which bed?" }
"#;

#[test]
fn a_role_in_a_file_is_used_and_one_can_be_retired() {
    let project = Project::new().tools().file("agentwright.toml", "").file("roles/garden.toml", GARDEN);
    let explained = project.run(&["route", "explain", "water all of the red tomatoes", "-o", "json"]).fine().json();
    assert_eq!((&explained["role"], &explained["parts"][0]["act"]["tool"]), (&json!("garden"), &json!("text.count")));
    assert_eq!(explained["parts"][0]["act"]["arguments"], json!({"text": "red tomatoes"}));
    assert_eq!(project.run(&["run", "-q", "water all of the red tomatoes"]).fine().out, "2\n");
    let timer =
        |project: &Project| project.run(&["route", "explain", CLEAR, "-o", "json"]).fine().json()["decision"].clone();
    assert_eq!(timer(&project), "fast");
    project.write("roles/timer.toml", "name = \"timer\"\nwhen_to_use = \"Never.\"\nenabled = false\n");
    assert_eq!(timer(&project), "plan");
}

#[test]
fn a_role_that_cannot_be_used_is_refused_with_its_file() {
    for (text, cause) in [
        ("name = ", "TOML parse error at line 1"),
        ("name = \"x\"\nwhen_to_use = \"x\"\ncolour = 3\n", "unknown field `colour`"),
        (&GARDEN.replace("text.count", "text.cuont"), "there is no tool `text.cuont`"),
        (&GARDEN.replace("{text}", "{bed}"), "there is no parameter `bed`"),
    ] {
        let project = Project::new().tools().file("agentwright.toml", "").file("roles/mine.toml", text);
        let said = project.run(&["run", "hello"]);
        assert_eq!(said.code, 3, "{}", said.whole());
        assert!(said.err.contains("roles/mine.toml"), "no file name: {}", said.err);
        assert!(said.err.contains(cause) && said.err.contains("hint: `docs/roles.md`"), "{}", said.err);
    }
}

#[test]
fn a_correction_lowers_trust_in_the_role_it_is_about() {
    let project = Project::new();
    let experience = || {
        let said = project.run(&["route", "explain", CLEAR, "-o", "json"]).fine().json();
        let signals = said["signals"].as_array().expect("a list").clone();
        let signal = signals.into_iter().find(|signal| signal["name"] == "experience");
        (said["certificate"]["withdrawn"] == true, signal.map(|signal| signal["says"].clone()))
    };
    project.run(&["run", "-q", "--session", "s", "set a timer for an hour"]).fine();
    project.run(&["run", "-q", "--session", "s", CLEAR]).fine();
    assert_eq!(experience(), (false, Some(json!("right, and 0 wrong"))));
    let sorry = project.run(&["run", "-q", "--session", "s", "that's wrong"]).fine().out;
    assert!(sorry.contains("my answer to “set a timer for ten minutes” was wrong"), "{sorry}");
    assert_eq!(experience(), (false, Some(json!("right, and 1 wrong"))));
    let other = project.run(&["route", "explain", "turn off the kitchen light"]).fine().out;
    assert!(!other.contains("experience"), "{other}");
    for request in ["cancel all timers", "what timers do I have"] {
        project.run(&["run", "-q", "--session", "s", request]).fine();
        project.run(&["run", "-q", "--session", "s", "that's wrong"]).fine();
    }
    assert!(experience().0, "three of four were wrong: the promise is withdrawn");
    let fixed = ["route", "explain", CLEAR, "-o", "json"];
    project.write("agentwright.toml", "[fast_path]\nadapt = false\n");
    assert_eq!(project.run(&fixed).fine().json()["certificate"].get("withdrawn"), None, "it can be switched off");
    project.write("agentwright.toml", "[fast_path]\nenabled = false\n");
    assert_eq!(project.run(&fixed).fine().json()["decision"], "plan");
}

#[test]
fn a_timer_rings_once_for_whoever_works() {
    let project = Project::new();
    assert!(project.run(&["run", "-q", "set a timer for 1 second"]).fine().out.starts_with("Timer set for a second"));
    // What is not due yet is not waited for: it rings for the first who works after that.
    let mut tries = (0..100).map(|_| project.run(&["work"]).fine().whole());
    let rung = tries.find(|said| said.contains("timer has ended")).expect("it rings");
    assert_eq!(rung.matches("Your 1-second timer has ended.").count(), 1, "{rung}");
    let again = project.run(&["work"]).fine();
    assert!(!again.whole().contains("timer has ended"), "{}", again.whole());
}
