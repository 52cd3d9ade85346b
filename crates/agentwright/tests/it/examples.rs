//! What stands in `examples/` works as it is, without a key.

use std::path::Path;

use crate::program::Project;

fn example(name: &str) -> Project {
    let project = Project::new();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name), &project.path());
    project
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    for entry in std::fs::read_dir(from).expect("the example") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        match entry.file_type().expect("a type").is_dir() {
            // Somebody may have tried it in place.
            true if entry.file_name() == ".agentwright" => {}
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).expect("a copy")),
        }
    }
}

#[test]
fn two_cities_are_compared_by_every_strategy() {
    let project = example("two-cities");
    let request = "Compare Oslo and Bergen, and put the figures on record.";
    for strategy in ["single_agent", "task_graph", "cohort"] {
        let said = project.run(&["run", "-q", "--yes", "--strategy", strategy, request]).fine();
        assert!(said.out.contains("two and a half times as large"), "{strategy}: {}", said.out);
    }
    let compared = project.run(&["compare", "requests.txt", "-o", "json"]).fine().json();
    assert_eq!(compared.to_string().matches("\"completed\"").count(), 3, "{compared}");
    let replayed = project.run(&["runs", "replay", "last"]).fine();
    assert!(replayed.out.contains("came out the same"), "{}", replayed.out);
}

#[test]
fn a_run_that_a_run_started_is_carried_on() {
    let project = example("two-cities");
    let request = "Compare Oslo and Bergen, and put the figures on record.";
    let plan =
        serde_json::json!({"steps": [{"id": "start", "tool": "workflow.start", "arguments": {"text": request}}]});
    project.write("plan.json", &plan.to_string());
    let said = project.run(&["run", "--plan", "plan.json", "start it"]).fine();
    assert!(said.err.contains("which it started, completed: Oslo has about"), "{}", said.err);
    let listed = project.run(&["runs", "list", "--status", "completed", "-o", "json"]).fine().json();
    assert_eq!(listed["runs"].as_array().map(Vec::len), Some(2), "{listed}");
}
