//! The words the tests are written in.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::id::RunId;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tools::Registry;

/// A tool that says what it was called with.
pub(crate) struct Echo(ToolSpec);

#[async_trait]
impl Tool for Echo {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        Ok(arguments.clone())
    }
}

pub(crate) fn spec(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.parse().expect("tool name"),
        description: format!("Does {name}."),
        parameters: json!({"type": "object"}),
        returns: None,
        effect: Effect::Read,
        timeout: None,
    }
}

pub(crate) fn echo(spec: ToolSpec) -> Arc<dyn Tool> {
    Arc::new(Echo(spec))
}

pub(crate) fn registry(names: &[&str]) -> Registry {
    Registry::new(names.iter().map(|name| echo(spec(name))).collect()).expect("no conflict")
}

pub(crate) fn env(name: &str) -> Option<String> {
    match name {
        "PATH" => Some("/usr/local/bin:/usr/bin:/bin".into()),
        "LANG" => Some("C.UTF-8".into()),
        "SECRET" => Some("s3cret".into()),
        _ => None,
    }
}

/// The tools that a file with this text describes, or the error without the file's name.
pub(crate) fn load(text: &str) -> Result<Vec<Arc<dyn Tool>>, String> {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("tools.toml");
    std::fs::write(&file, text).expect("written");
    let client = tools::client().expect("client");
    tools::load(&file, &client, &env).map_err(|error| error.to_string().replace(&format!("{}: ", file.display()), ""))
}

/// The only tool that a file with this text describes.
pub(crate) fn tool(text: &str) -> Arc<dyn Tool> {
    load(text).expect("a valid file").remove(0)
}

pub(crate) fn context(key: &str) -> CallContext {
    CallContext {
        run: RunId::from_bytes([7; 16]),
        step: None,
        key: key.to_owned(),
        now: "2025-03-01T12:30:00Z".parse().expect("time"),
    }
}

/// Calls a tool the way the runtime does, checks included.
pub(crate) async fn call(tool: &Arc<dyn Tool>, arguments: Value) -> Result<Value, ToolError> {
    let registry = Registry::new(vec![Arc::clone(tool)]).expect("one tool");
    registry.check(&tool.spec().name, &arguments)?;
    tool.call(&arguments, &context("k1")).await
}

/// What a server does with one connection, once it has read the request.
pub(crate) enum Reply {
    /// Sends a status line's end and a body.
    Text(&'static str, String),
    Json(Value),
    /// Sends exactly this and closes.
    Raw(String),
    /// Sends a body that never ends.
    Flood,
    /// Says nothing and keeps the connection.
    Silence,
}

/// A server on this machine; it answers while `work` runs and returns what it was asked.
pub(crate) async fn serving<T>(replies: Vec<Reply>, work: impl AsyncFnOnce(String) -> T) -> (T, Vec<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("bound");
    let base = format!("http://{}", listener.local_addr().expect("address"));
    let mut requests = Vec::new();
    let serve = async {
        let mut kept = Vec::new();
        for reply in replies {
            let (mut socket, _) = listener.accept().await.expect("accepted");
            requests.push(request(&mut socket).await);
            kept.push(answer(socket, reply).await);
        }
        std::future::pending::<()>().await;
    };
    let result = tokio::select! {
        result = work(base) => result,
        () = serve => unreachable!("the server never ends by itself"),
        () = tokio::time::sleep(Duration::from_secs(30)) => panic!("the test hangs"),
    };
    (result, requests)
}

pub(crate) async fn request(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        let mut chunk = [0; 4096];
        match socket.read(&mut chunk).await {
            Ok(0) | Err(_) => return text,
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
        }
    }
}

async fn answer(mut socket: TcpStream, reply: Reply) -> Option<TcpStream> {
    let whole = |status: &str, kind: &str, body: &str| {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
    };
    let text = match reply {
        Reply::Text(status, body) => whole(status, "text/plain", &body),
        Reply::Json(value) => whole("200 OK", "application/json; charset=utf-8", &value.to_string()),
        Reply::Raw(text) => text,
        Reply::Flood => {
            let _ = socket.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n").await;
            while socket.write_all(&[b'x'; 8192]).await.is_ok() {}
            return None;
        }
        Reply::Silence => return Some(socket),
    };
    let _ = socket.write_all(text.as_bytes()).await;
    let _ = socket.shutdown().await;
    None
}
