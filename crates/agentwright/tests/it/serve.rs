//! `serve` and `keys`: the program as a server, in a process of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, ChildStderr};

use rustix::process::{Pid, Signal, kill_process};

use crate::program::Project;

/// A server that has begun to listen, and what it said.
pub(crate) struct Serving {
    child: Child,
    pub(crate) stderr: BufReader<ChildStderr>,
    pub(crate) address: String,
    about_key: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        // Where a test failed, nobody has stopped it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn serve(project: &Project) -> Serving {
    let mut child = project.command(&["serve", "--port", "0"]).spawn().expect("it runs");
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = || {
        let mut line = String::new();
        stderr.read_line(&mut line).expect("a line");
        line.trim_end().to_owned()
    };
    let (first, about_key) = (line(), line());
    let address =
        first.strip_prefix("Listening on http://").unwrap_or_else(|| panic!("{first} {about_key}")).to_owned();
    Serving { child, stderr, address, about_key }
}

/// The status and the body of an answer.
pub(crate) fn ask(address: &str, key: &str, method: &str, path: &str, body: &str) -> (u16, String) {
    let mut socket = TcpStream::connect(address).expect("a connection");
    write!(
        socket,
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("asked");
    let mut text = String::new();
    socket.read_to_string(&mut text).expect("an answer");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    (head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status"), body.to_owned())
}

#[test]
fn a_server_makes_its_first_key_carries_runs_on_and_stops_in_good_order() {
    let project = Project::new().tools().file("agentwright.toml", "");
    let mut server = serve(&project);
    let file = project.path().join(".agentwright/server.key");
    assert_eq!(server.about_key, format!("The key is in {}", file.display()));
    assert_eq!(std::fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
    let key = std::fs::read_to_string(&file).expect("a key").trim().to_owned();

    assert_eq!(ask(&server.address, "none", "GET", "/v1/runs", "").0, 401);
    let plan = r#"{"steps": [{"id": "c", "tool": "text.count", "arguments": {"text": "a b"}}], "answer": "${c}"}"#;
    let body = format!(r#"{{"text": "count", "plan": {plan}, "wait": 30}}"#);
    let (status, run) = ask(&server.address, &key, "POST", "/v1/runs", &body);
    assert_eq!(status, 201, "{run}");
    assert!(run.contains(r#""status":"completed""#) && run.contains(r#""answer":"2""#), "{run}");
    let listed = project.run(&["runs", "list", "-o", "json"]).fine().json();
    assert_eq!(listed["runs"][0]["answer"], "2", "the ledger is the same one");

    kill_process(Pid::from_child(&server.child), Signal::TERM).expect("a signal");
    assert_eq!(server.child.wait().expect("it ends").code(), Some(0));
    let mut rest = String::new();
    server.stderr.read_to_string(&mut rest).expect("the rest");
    assert!(rest.contains("Stopping"), "{rest}");

    let again = serve(&project);
    assert_eq!(again.about_key, format!("The key is in {}", file.display()));
    assert_eq!(ask(&again.address, &key, "GET", "/v1/runs", "").0, 200);
    let id = key.split('_').nth(1).expect("an id");
    project.run(&["keys", "revoke", id]).fine();
    assert_eq!(ask(&again.address, &key, "GET", "/v1/runs", "").0, 401, "revoked while it runs");
    let made = project.run(&["keys", "create", "--name", "other", "-o", "json"]).fine().json();
    assert_eq!(ask(&again.address, made["key"].as_str().expect("a key"), "GET", "/v1/runs", "").0, 200);
}

#[test]
fn clients_of_openai_are_answered_without_a_model_as_far_as_that_goes() {
    let project = Project::new().file("agentwright.toml", "");
    let server = serve(&project);
    let file = project.path().join(".agentwright/server.key");
    let key = std::fs::read_to_string(file).expect("a key").trim().to_owned();
    let chat = |more: &str| {
        let asked = r#"{"role": "user", "content": "What is 15 percent of 80?"}"#;
        let body = format!(r#"{{"model": "agentwright-fast", "messages": [{asked}]{more}}}"#);
        ask(&server.address, &key, "POST", "/v1/chat/completions", &body)
    };
    let (status, said) = chat("");
    assert_eq!(status, 200, "{said}");
    assert!(
        said.contains("12") && said.contains(r#""route":"reflex""#) && said.contains(r#""total_tokens":0"#),
        "{said}"
    );
    let tools = r#", "tools": [{"type": "function", "function": {"name": "percent"}}]"#;
    let (status, said) = chat(tools);
    assert!(status == 200 && said.contains(r#""route":"reflex""#), "{said}");
    let (status, said) = chat(&format!(r#"{tools}, "tool_choice": "required""#));
    assert!(status == 503 && said.contains(r#""code":"no_model""#), "{said}");
}

#[test]
fn what_others_can_reach_is_not_listened_on() {
    let project = Project::new().file("agentwright.toml", "");
    let said = project.run(&["serve", "--host", "0.0.0.0"]);
    assert_eq!(said.code, 2);
    assert_eq!(
        said.err,
        "error: `0.0.0.0` can be reached by others, and there is no TLS\n\
         hint: name a certificate with `--tls-cert` and `--tls-key`, or say `--behind-proxy` where a proxy speaks TLS\n"
    );
    let said = project.run(&["serve", "--host", "0.0.0.0", "--behind-proxy"]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.starts_with("error: `0.0.0.0` can be reached by others, and there is no key yet\n"),
        "{}",
        said.err
    );
    assert_eq!(project.run(&["serve", "--host", "example.org"]).code, 2);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let said = project.run(&["serve", "--port", &port]);
    assert_eq!(said.code, 1, "{}", said.whole());
    assert!(said.err.contains("something listens there already; choose another port with `--port`"), "{}", said.err);
}

#[test]
fn keys_are_made_listed_and_revoked() {
    let project = Project::new().file("agentwright.toml", "");
    assert_eq!(project.run(&["keys", "list"]).fine().out, "no keys\n");
    let key = project.run(&["keys", "create", "--name", "laptop"]).fine().out;
    let parts: Vec<&str> = key.trim().split('_').collect();
    assert_eq!((parts[0], parts.len(), parts[2].len()), ("aw", 3, 64), "{key}");
    let listed = project.run(&["keys", "list", "-o", "json"]).fine();
    assert!(!listed.out.contains(parts[2]), "secrets are not kept");
    assert_eq!(listed.json()["keys"][0]["name"], "laptop");
    // The whole key names itself as well as its id does.
    project.run(&["keys", "revoke", key.trim()]).fine();
    assert!(project.run(&["keys", "list"]).fine().out.contains("revoked"));
    let unknown = project.run(&["keys", "revoke", "nobody"]);
    assert_eq!((unknown.code, unknown.err.contains("`agentwright keys list`")), (2, true), "{}", unknown.err);
}
