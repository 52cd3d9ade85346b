//! `backup` and `restore` as people use them, beside a server that goes on.

use crate::program::Project;
use crate::serve::{ask, serve};

const PLAN: &str = r#"{"steps": [{"id": "c", "tool": "text.count", "arguments": {"text": "a b"}}], "answer": "${c}"}"#;

fn project() -> Project {
    Project::new().tools().file("agentwright.toml", "").file("plan.json", PLAN)
}

fn runs(project: &Project) -> u64 {
    project.run(&["runs", "count", "-o", "json"]).fine().json()["count"].as_u64().expect("a number")
}

#[test]
fn a_backup_beside_a_server_holds_what_it_acknowledged_and_comes_back_once_it_has_stopped() {
    let project = project();
    let server = serve(&project);
    let key = std::fs::read_to_string(project.path().join(".agentwright/server.key")).expect("a key").trim().to_owned();
    let run = || {
        ask(&server.address, &key, "POST", "/v1/runs", &format!(r#"{{"text": "count", "plan": {PLAN}, "wait": 30}}"#)).0
    };
    assert_eq!((run(), run()), (201, 201));
    let made = project.run(&["backup", "kept.db"]).fine();
    assert!(made.out.starts_with("~/work/kept.db with 2 runs, "), "{}", made.out);
    let again = project.run(&["backup", "kept.db"]);
    assert_eq!(
        (again.code, again.err.contains("hint: choose another name, or say `--force`")),
        (2, true),
        "{}",
        again.err
    );
    assert_eq!(run(), 201);
    let used = project.run(&["restore", "kept.db"]);
    assert_eq!(used.code, 1, "{}", used.whole());
    assert!(
        used.err.contains("is being used by another process") && used.err.contains("hint: stop the server"),
        "{}",
        used.err
    );
    assert_eq!(run(), 201, "nobody was disturbed");
    drop(server);
    let restored = project.run(&["restore", "kept.db", "-o", "json"]).fine().json();
    assert_eq!((&restored["runs"], runs(&project)), (&serde_json::json!(2), 2));
    let before = restored["before"].as_str().expect("what was there").to_owned();
    let before = before.rsplit('/').next().expect("a name");
    assert_eq!(
        project.run(&["runs", "count", "--database", &format!("sqlite:.agentwright/{before}")]).fine().out.trim(),
        "4"
    );
}

#[test]
fn a_backup_without_a_name_lies_beside_the_database_where_only_its_owner_reads_it() {
    use std::os::unix::fs::PermissionsExt;
    let project = project();
    let nothing = project.run(&["backup"]);
    assert_eq!(nothing.code, 2, "{}", nothing.whole());
    project.run(&["run", "--quiet", "--plan", "plan.json", "count"]).fine();
    project.run(&["backup"]).fine();
    let folder = project.path().join(".agentwright/backups");
    let files = std::fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path());
    let databases: Vec<_> = files.filter(|file| file.extension().is_some_and(|it| it == "db")).collect();
    assert_eq!(databases.len(), 1, "{databases:?}");
    let mode = |path: &std::path::Path| std::fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    assert_eq!((mode(&databases[0]), mode(&folder), mode(&project.path().join(".agentwright"))), (0o600, 0o700, 0o700));
}

#[test]
fn what_is_no_backup_is_refused_in_words() {
    let project = project().file("letter.txt", "dear sir");
    project.run(&["run", "--quiet", "--plan", "plan.json", "count"]).fine();
    let said = project.run(&["restore", "letter.txt"]);
    assert_eq!(said.code, 2, "{}", said.whole());
    assert!(
        said.err.contains("cannot be used as a database") && said.err.contains("hint: nothing was changed"),
        "{}",
        said.err
    );
    assert_eq!(project.run(&["restore", "none.db"]).code, 2);
    assert_eq!(runs(&project), 1);
}

#[test]
fn a_database_on_a_server_has_backups_of_its_own() {
    let project = Project::new().file("agentwright.toml", "[database]\nurl = \"postgres://localhost/x\"\n");
    for command in [["backup", "x.db"], ["restore", "x.db"]] {
        let said = project.run(&command);
        assert_eq!(said.code, 2, "{}", said.whole());
        assert!(said.err.contains("hint: `pg_dump"), "{}", said.err);
    }
}
