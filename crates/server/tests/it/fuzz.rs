//! What a stranger with a document and much imagination can send: Schemathesis, in a Python environment that is made
//! once and kept with what was built.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use server::Role;
use server::keys::{self, Wanted};

use crate::world::World;

/// The version that `.ci/prepare` installs too.
const VERSION: &str = "4.32.5";
/// What must hold of every answer.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_headers_conformance,response_schema_conformance,negative_data_rejection,missing_required_header,\
    unsupported_method,allow_header_conformance,ignored_auth";

/// What keys and people are seen to with: whoever may try all of it at random ends their own key.
const ACCESS: &str = "^/v1/(keys|people|session)";

#[tokio::test]
async fn whatever_is_sent_is_answered_as_the_document_says() {
    // Agents are switched off elsewhere: here they are to answer.
    let which = ["--exclude-method", "PATCH", "--exclude-path-regex", "able$"];
    tried(&which, Role::Admin, 20).await;
}

#[tokio::test]
async fn whatever_a_viewer_sends_is_answered_as_the_document_says() {
    tried(&[], Role::Viewer, 2).await;
}

#[tokio::test]
async fn whatever_a_runner_sends_is_answered_as_the_document_says() {
    tried(&["--exclude-path-regex", ACCESS], Role::Runner, 2).await;
}

#[tokio::test]
async fn whatever_an_approver_sends_is_answered_as_the_document_says() {
    tried(&["--exclude-path-regex", ACCESS], Role::Approver, 2).await;
}

#[tokio::test]
async fn whatever_an_editor_sends_is_answered_as_the_document_says() {
    tried(&["--exclude-path-regex", "^/v1/(keys|people|session)|able$"], Role::Editor, 2).await;
}

#[tokio::test]
async fn however_agents_are_configured_is_answered_as_the_document_says() {
    let which = ["--include-method", "PATCH", "--include-path-regex", "able$"];
    tried(&which, Role::Admin, 30).await;
}

/// Sends up to so many made-up requests to each operation, besides those at the edges of what is allowed.
async fn tried(which: &[&str], role: Role, cases: u32) {
    let schemathesis = tokio::task::spawn_blocking(schemathesis).await.expect("Schemathesis is installed");
    // Whoever tries wrong keys all the time is not to be slowed down here.
    let world = World::limited(|limits| limits.failures_per_minute = 0).await;
    let (key, _) = keys::create(world.store.as_ref(), Wanted::new(role)).await.expect("a key");
    let mut command = Command::new(schemathesis);
    command
        .args(["run", &world.url("/openapi.json"), "--no-color", "--checks", CHECKS])
        .args(["--header", &format!("Authorization: Bearer {}", key)])
        .args(["--phases", "examples,coverage,fuzzing", "--max-examples", &cases.to_string(), "--seed", "1"])
        .args(["--generation-database", "none", "--no-shrink", "--warnings", "off", "--request-timeout", "20"])
        .args(["--suppress-health-check", "all"])
        .args(which)
        // What it leaves behind belongs nowhere else.
        .current_dir(world.folder())
        .env_remove("HTTP_PROXY")
        .env_remove("http_proxy")
        .env("NO_PROXY", "*");
    let output = tokio::task::spawn_blocking(move || command.output()).await.expect("ended").expect("started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("No issues found"), "nothing was tried:\n{said}");
}

/// The program. The first who asks installs it; who asks meanwhile waits.
fn schemathesis() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    fs::create_dir_all(target).expect("the target folder");
    let home = target.join("schemathesis-venv");
    let mark = home.join(format!("has-schemathesis-{VERSION}"));
    let lock = File::create(target.join("schemathesis-venv.lock")).expect("a lock");
    lock.lock().expect("locked");
    if !mark.exists() {
        done(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home));
        let pip = ["-m", "pip", "install", "--quiet", &format!("schemathesis=={VERSION}")];
        done(Command::new(home.join("bin/python")).args(pip));
        fs::write(&mark, "").expect("marked");
    }
    home.join("bin/schemathesis")
}

fn done(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} does not work:\n{said}\nhint: .ci/prepare installs Schemathesis");
}
