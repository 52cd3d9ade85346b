//! `people`, `keys` and `audit` at the terminal, and how somebody comes in for the first time.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

use serde_json::Value;

use crate::program::Project;

fn project() -> Project {
    Project::new().file("agentwright.toml", "").variable("USER", "ada")
}

/// Ends a server that nobody else ends.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server, and the three lines it begins with.
fn serve(project: &Project) -> (Ended, [String; 3]) {
    let mut child = project.command(&["serve", "--port", "0"]).spawn().expect("it runs");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map(|line| line.expect("a line"));
    let said = std::array::from_fn(|_| lines.next().unwrap_or_default());
    (Ended(child), said)
}

fn post(address: &str, path: &str, headers: &str, body: &str) -> String {
    let mut socket = TcpStream::connect(address).expect("a connection");
    let length = body.len();
    write!(
        socket,
        "POST {path} HTTP/1.1\r\nHost: {address}\r\n{headers}Content-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .expect("asked");
    let mut text = String::new();
    socket.read_to_string(&mut text).expect("an answer");
    text
}

#[test]
fn the_first_start_prints_a_link_that_signs_an_admin_in_once() {
    let project = project();
    let (_server, [listening, _, open]) = serve(&project);
    let address = listening.strip_prefix("Listening on http://").expect("an address");
    let link = open.strip_prefix("Open http://").unwrap_or_else(|| panic!("{open}"));
    let (page, token) = link.split_once('#').expect("a token");
    assert_eq!(page, format!("{address}/welcome"));
    let body = format!("{{\"token\": \"{token}\"}}");
    let said = post(address, "/v1/session", "", &body);
    assert!(said.starts_with("HTTP/1.1 201") && said.contains(r#""name":"ada","role":"admin""#), "{said}");
    assert!(post(address, "/v1/session", "", &body).starts_with("HTTP/1.1 401"));
    let trail = project.run(&["audit", "list", "-o", "json"]).fine().json();
    let what: Vec<&Value> = trail["entries"].as_array().expect("entries").iter().map(|it| &it["what"]).collect();
    assert_eq!(what, ["POST /v1/session", "POST /v1/session", "serve"]);
    project.run(&["audit", "verify"]).fine();
}

#[test]
fn people_are_added_invited_listed_and_removed() {
    let project = project();
    assert_eq!(project.run(&["people", "list"]).fine().out, "nobody\n");
    let link = project.run(&["people", "add", "bo", "--role", "admin"]).fine().out;
    let token = link.trim().strip_prefix("http://127.0.0.1:7878/welcome#").unwrap_or_else(|| panic!("{link}"));
    assert_eq!(token.len(), 64);
    assert_ne!(project.run(&["people", "invite", "bo"]).fine().out, link, "another link");
    let listed = project.run(&["people", "list", "-o", "json"]).fine();
    assert_eq!(listed.json()["people"][0]["role"], "admin");
    assert!(!listed.out.contains(token));
    for (arguments, words) in [
        (&["people", "add", "Bo", "--role", "viewer"][..], "there is somebody called `Bo` already"),
        (&["people", "add", "b o", "--role", "viewer"], "is not a name"),
        (&["people", "add", "cy", "--role", "king"], "there is no role `king`"),
        (&["people", "invite", "cy"], "there is nobody called `cy`"),
        (&["people", "remove", "bo"], "`bo` is the last admin"),
    ] {
        let said = project.run(arguments);
        assert_eq!((said.code, said.err.contains(words)), (2, true), "{arguments:?}: {}", said.err);
    }
    project.run(&["people", "add", "cy", "--role", "admin"]).fine();
    assert_eq!(project.run(&["people", "remove", "BO"]).fine().out, "`bo` cannot sign in any more\n");
    let trail = project.run(&["audit", "list", "-o", "json"]).fine().json();
    let said: Vec<String> = trail["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|it| format!("{} {} {}", it["who"].as_str().expect("who"), it["via"].as_str().expect("via"), it["what"]))
        .collect();
    let done = ["remove", "add", "invite", "add"].map(|what| format!("ada cli \"people {what}\""));
    assert_eq!(said, done);
}

#[test]
fn a_key_has_a_role_areas_and_an_end() {
    let project = project();
    let create = |more: &[&str]| project.run(&[&["keys", "create", "-o", "json"], more].concat()).fine().json();
    assert_eq!(create(&[])["role"], "runner");
    let key = create(&["--role", "viewer", "--scope", "runs", "--scope", "traces", "--expires", "30d"]);
    assert_eq!((&key["role"], key["scopes"].to_string()), (&Value::from("viewer"), r#"["runs","traces"]"#.to_owned()));
    assert!(key["expires_at"].is_string(), "{key}");
    let listed = project.run(&["keys", "list"]).fine().out;
    assert!(listed.contains("viewer  runs traces") && listed.contains("valid for "), "{listed}");
    for (flag, wrong) in [("--role", "king"), ("--scope", "moon"), ("--expires", "soon")] {
        assert_eq!(project.run(&["keys", "create", flag, wrong]).code, 2, "{flag}");
    }
}

#[test]
fn a_trail_that_was_changed_or_cut_is_found() {
    let project = project();
    for name in ["one", "two", "three"] {
        project.run(&["keys", "create", "--name", name]).fine();
    }
    // As it is: what other tests read has no hashes in it.
    let verified = project.command(&["audit", "verify", "-o", "json"]).output().expect("it runs").stdout;
    let verified: Value = serde_json::from_slice(&verified).expect("JSON");
    let last = verified["last"].as_str().expect("a hash").to_owned();
    assert_eq!(verified["entries"], 3);
    project.run(&["audit", "verify", "--contains", &last]).fine();
    let missing = project.run(&["audit", "verify", "--contains", &format!("sha256:{}", "0".repeat(64))]);
    assert_eq!(missing.code, 6, "{}", missing.whole());
    let database = project.path().join(".agentwright/agentwright.db");
    let script = "import sqlite3, sys\n\
        db = sqlite3.connect(sys.argv[1])\n\
        db.executescript(\"DROP TRIGGER audit_is_not_changed; UPDATE audit SET entry = replace(entry, 'ada', 'eve') WHERE seq = 2\")\n";
    let changed = std::process::Command::new("python3").args(["-c", script]).arg(database).status().expect("python3");
    assert!(changed.success());
    let said = project.run(&["audit", "verify"]);
    assert_eq!(said.code, 6, "{}", said.whole());
    assert!(said.err.starts_with("error: entry 2 is not what it was when it was noted\n"), "{}", said.err);
}

#[test]
fn files_for_tls_that_cannot_be_used_are_named() {
    let project = project().file("cert.pem", "hello").file("key.pem", "hello");
    let said = project.run(&["serve", "--port", "0", "--tls-cert", "cert.pem", "--tls-key", "key.pem"]);
    assert_eq!(said.code, 3, "{}", said.whole());
    assert!(
        said.err.contains("cert.pem` cannot be used for TLS") && said.err.contains("no certificate"),
        "{}",
        said.err
    );
    let said = project.run(&["serve", "--port", "0", "--tls-cert", "none.pem", "--tls-key", "key.pem"]);
    assert_eq!((said.code, said.err.contains("none.pem` cannot be read")), (3, true), "{}", said.err);
    assert_eq!(project.run(&["serve", "--tls-cert", "cert.pem"]).code, 2, "one without the other");
}
