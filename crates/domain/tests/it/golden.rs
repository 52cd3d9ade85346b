//! Ledgers outlive programs: `tests/golden` holds events as every released version wrote them, and this program reads
//! them all. A file is never changed; what a version adds gets a file in the folder of that version.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use domain::event::{Event, Recorded};
use serde_json::{Value, json};

/// An event as some version wrote it.
struct Golden {
    path: PathBuf,
    written: Value,
}

/// Every kind of event, with its fields. A new kind or field does not compile before it stands here, and what stands
/// here must stand in a file.
macro_rules! kinds {
    ($($variant:ident { $($field:ident),+ } => $word:literal,)+) => {
        const KINDS: &[(&str, &[&str])] = &[$(($word, &[$(stringify!($field)),+])),+];

        fn word(event: &Event) -> &'static str {
            match event {
                $(Event::$variant { $($field: _),+ } => $word,)+
            }
        }
    };
}

kinds! {
    Received { request, parent } => "received",
    Resumed { epoch } => "resumed",
    Routed { route, strategy, why, judgement } => "routed",
    Recalled { memories, recent, guidelines, shortlist, experience } => "recalled",
    Chosen { step, choice, item } => "chosen",
    Weighed { complexity } => "weighed",
    Thought { round, pass, thought } => "thought",
    Verified { attempt, findings, bounds } => "verified",
    PlanRefused { version, findings } => "plan_refused",
    Planned { version, plan, configuration, because, notes } => "planned",
    Critiqued { version, critique } => "critiqued",
    Scored { version, confidence } => "scored",
    Assessed { version, assessment } => "assessed",
    Gated { version, next, why } => "gated",
    Foreseen { version, forecast } => "foreseen",
    Staffed { version, members } => "staffed",
    Forged { agent, step, tools, prompt, max_iterations, offered } => "forged",
    StepStarted { step, attempt } => "step_started",
    ModelCalled { component, model, reply, millis } => "model_called",
    ToolCalled { tool, arguments, result, millis } => "tool_called",
    MessageSent { from, to, text, purpose, refused } => "message_sent",
    MessagesRead { agent, count } => "messages_read",
    IntentDeclared { intent } => "intent_declared",
    IntentSent { intent, attempt } => "intent_sent",
    IntentSettled { intent, settlement } => "intent_settled",
    StepFinished { step, attempt, outcome } => "step_finished",
    Kept { items } => "kept",
    Waiting { wait } => "waiting",
    Answered { name, answer, by } => "answered",
    CancelAsked { reason } => "cancel_asked",
    Finished { ending, spent, worked_ms } => "finished",
}

/// Every file of every version.
fn golden() -> Vec<Golden> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let golden: Vec<Golden> = entries(&root).iter().flat_map(|version| entries(version)).map(read).collect();
    assert!(!golden.is_empty(), "there are no golden files in {}", root.display());
    golden
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn read(path: PathBuf) -> Golden {
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let written = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Golden { path, written }
}

/// Reads an event as a store has it: as text.
fn recorded(written: &Value) -> Result<Recorded, serde_json::Error> {
    serde_json::from_str(&written.to_string())
}

/// An event read, and written again.
fn again(written: &Value) -> Result<Value, serde_json::Error> {
    serde_json::to_value(recorded(written)?)
}

#[test]
fn what_every_released_version_wrote_is_read_and_written_again_the_same() {
    for Golden { path, written } in golden() {
        let again = again(&written).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(again, written, "{}", path.display());
    }
}

#[test]
fn every_kind_of_event_and_every_field_of_it_has_a_golden_file() {
    let golden = golden();
    for (kind, fields) in KINDS {
        let of_kind: Vec<&Golden> = golden.iter().filter(|file| file.written["kind"] == *kind).collect();
        assert!(!of_kind.is_empty(), "no golden file has an event of kind `{kind}`");
        for field in *fields {
            let has_it = |file: &&Golden| file.written["data"].get(field).is_some();
            assert!(of_kind.iter().any(has_it), "no golden file of kind `{kind}` has its field `{field}`");
        }
    }
}

#[test]
fn a_golden_file_is_called_after_its_kind() {
    for Golden { path, written } in golden() {
        let stem = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.split('.').next());
        let recorded = recorded(&written).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let event = recorded.entry.event;
        assert_eq!(stem, Some(word(&event)), "{}", path.display());
        assert_eq!(word(&event), event.kind());
    }
}

#[test]
fn what_a_newer_version_adds_is_passed_over() {
    let mut added = 0;
    for Golden { path, written } in golden() {
        for place in open_places(&written) {
            let mut newer = written.clone();
            let object = newer.pointer_mut(&place).and_then(Value::as_object_mut).expect("an object");
            object.insert("from_a_newer_version".into(), json!({"with": ["something", 1, null]}));
            let again = again(&newer).unwrap_or_else(|error| panic!("{} at `{place}`: {error}", path.display()));
            // What is anybody's value is kept as it is.
            assert!(again == written || again == newer, "{} at `{place}`: {again}", path.display());
            added += 1;
        }
    }
    assert!(added > KINDS.len(), "something was added in {added} places only");
}

#[test]
fn what_was_optional_when_it_was_written_may_be_absent() {
    for (kind, fields) in [
        ("received", vec!["/data/parent", "/data/request/zone", "/data/request/wishes", "/input"]),
        ("planned", vec!["/data/configuration", "/data/because", "/data/plan/answer", "/data/plan/intents"]),
        ("forged", vec!["/data/step"]),
        ("intent_declared", vec!["/data/intent/step", "/data/intent/priority"]),
        ("waiting", vec!["/data/wait/until"]),
        ("answered", vec!["/data/by"]),
        ("cancel_asked", vec!["/data/reason"]),
    ] {
        for Golden { path, written } in golden().into_iter().filter(|file| file.written["kind"] == kind) {
            for field in &fields {
                let mut sparse = written.clone();
                let (place, name) = field.rsplit_once('/').expect("a pointer");
                sparse.pointer_mut(place).and_then(Value::as_object_mut).expect("an object").remove(name);
                again(&sparse).unwrap_or_else(|error| panic!("{} without `{field}`: {error}", path.display()));
            }
        }
    }
}

/// Where a newer version may add something: all objects but those whose form is not ours to extend.
fn open_places(written: &Value) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    collect(written, String::new(), &mut places);
    places
}

fn collect(value: &Value, place: String, places: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if !is_closed(value, &place) {
                places.insert(place.clone());
            }
            for (name, field) in fields {
                collect(field, format!("{place}/{}", name.replace('~', "~0").replace('/', "~1")), places);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| collect(item, format!("{place}/{at}"), places));
        }
        _ => {}
    }
}

/// Results are one thing or the other, maps by name hold values of one kind, and durations belong to Rust.
fn is_closed(value: &Value, place: &str) -> bool {
    let is_result = ["/data/reply", "/data/result"].contains(&place);
    let is_duration = value.get("secs").is_some() && value.get("nanos").is_some();
    let is_map = ["/breakdown", "/pins"].iter().any(|map| place.ends_with(map));
    is_result || is_duration || is_map
}
