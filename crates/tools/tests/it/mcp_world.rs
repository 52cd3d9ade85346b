//! The words the tests about MCP are written in: a server, what is accepted of it, and calls of its tools.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use domain::hash::Hash;
use domain::tool::{Tool, ToolError};
use serde_json::{Value, json};
use tools::mcp::{self, McpError, McpServer, McpWay, Pin, PinFolder, Pins, Seen};

use crate::language::call;

/// A server of our own that does whatever odd thing its first argument says.
const ODD: &str = include_str!("mcp_odd.py");

/// A folder with pins in it, and whatever servers leave there.
pub(crate) struct World {
    folder: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("odd.py"), ODD).expect("written");
        Self { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn pins(&self) -> PinFolder {
        PinFolder::in_state(self.folder.path())
    }

    /// A program that is to be started.
    pub(crate) fn program(&self, name: &str, program: &str, args: &[&str]) -> McpServer {
        let way = McpWay::Command {
            program: program.to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: vec![("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned())],
            directory: self.folder.path().to_owned(),
        };
        server(name, way, Hash::of_json(&json!([program, args])))
    }

    /// Our own odd one.
    pub(crate) fn odd(&self, what: &str) -> McpServer {
        self.program("odd", "python3", &["odd.py", what])
    }

    /// A server that is reached over HTTP.
    pub(crate) fn at(&self, name: &str, url: &str) -> McpServer {
        let client = tools::client().expect("a client");
        let way = McpWay::Http { url: url.parse().expect("an address"), headers: Vec::new(), client };
        server(name, way, Hash::of(url.as_bytes()))
    }

    /// Accepts everything a server has, as `mcp add` does.
    pub(crate) async fn accept(&self, server: &McpServer) -> Seen {
        let seen = mcp::inspect(server, None).await.unwrap_or_else(|error| panic!("{}: {error}", server.name));
        self.accept_as_seen(server, &seen);
        seen
    }

    pub(crate) fn accept_as_seen(&self, server: &McpServer, seen: &Seen) {
        let tools = seen.tools.iter().map(|definition| (definition.name.clone(), Pin::from(definition.clone())));
        let pins = Pins { server: server.written, protocol: seen.protocol.clone(), tools: tools.collect() };
        self.pins().accept(&server.name, &pins).expect("kept");
    }

    /// The accepted tools of a server.
    pub(crate) fn tools(&self, server: &McpServer) -> Tools {
        let made = mcp::tools(vec![server.clone()], &self.pins());
        Tools(made.tools.into_iter().map(|tool| (tool.spec().name.to_string(), tool)).collect())
    }

    /// The same, after everything was accepted.
    pub(crate) async fn accepted(&self, server: &McpServer) -> Tools {
        self.accept(server).await;
        self.tools(server)
    }

    /// One tool `odd.act` of the odd server, accepted without asking it.
    pub(crate) fn unasked(&self, what: &str) -> (McpServer, Seen) {
        let server = self.odd(what);
        let definition = json!({"name": "act", "description": "Acts.", "input_schema": {"type": "object"}});
        let seen =
            Seen { protocol: "2025-06-18".into(), tools: vec![serde_json::from_value(definition).expect("one")] };
        self.accept_as_seen(&server, &seen);
        (server, seen)
    }

    /// Numbers that a server left in a file, a line each.
    pub(crate) fn noted(&self, file: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.file(file)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Tools by name.
pub(crate) struct Tools(BTreeMap<String, Arc<dyn Tool>>);

impl Tools {
    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    pub(crate) fn get(&self, name: &str) -> &Arc<dyn Tool> {
        self.0.get(name).unwrap_or_else(|| panic!("`{name}` is not among {:?}", self.names()))
    }

    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Result<Value, ToolError> {
        call(self.get(name), arguments).await
    }
}

fn server(name: &str, way: McpWay, written: Hash) -> McpServer {
    McpServer {
        name: name.to_owned(),
        way,
        written,
        timeout: Duration::from_secs(20),
        start_timeout: Duration::from_secs(20),
        max_bytes: 1 << 20,
        trust_hints: true,
        effects: BTreeMap::new(),
    }
}

/// Why a server cannot be used.
pub(crate) async fn unusable(server: &McpServer) -> McpError {
    mcp::inspect(server, None).await.expect_err("it is of no use")
}
