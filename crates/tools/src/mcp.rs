//! Tools of servers that speak MCP, over standard streams or streamable HTTP.
//!
//! Nothing of a server is used that a person has not accepted: [`tools`] makes tools from what was [pinned](Pins), without
//! starting anything. A server is started by the first call, says what its tools are, and those that are not what was
//! accepted are refused until somebody has looked at them. [`inspect`] is how they look.

mod answer;
mod connection;
mod definition;
mod effect;
mod link;
mod meter;
mod pins;
mod process;
mod server;
mod tool;
mod trouble;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::id::ToolName;
use domain::tool::{Tool, ToolSpec};

pub use definition::{Definition, Hints};
pub use effect::McpEffect;
pub use pins::{Differences, Pin, PinError, PinFolder, Pins, Seen};
pub use server::{McpError, McpServer, McpWay};

use link::Link;
use tool::McpTool;

/// What commands and servers see of the environment beside what they are given.
pub const INHERITED: [&str; 4] = crate::command::INHERITED;

/// The tools that can be offered, and what stands in the way of others.
#[derive(Default)]
pub struct McpTools {
    /// Those whose definitions were accepted.
    pub tools: Vec<Arc<dyn Tool>>,
    /// A sentence for each thing that is left out.
    pub notes: Vec<String>,
}

/// Makes the tools of servers from what was accepted of them. Starts nothing.
pub fn tools(servers: Vec<McpServer>, folder: &PinFolder) -> McpTools {
    let mut made = McpTools::default();
    for server in servers {
        let name = server.name.clone();
        match folder.accepted(&name) {
            Ok(Some(pins)) => made.add(server, folder, pins),
            Ok(None) => made.notes.push(format!(
                "nothing of the server `{name}` has been accepted; `agentwright tools pin '{name}.*'` does that"
            )),
            Err(error) => made.notes.push(format!("the pins of the server `{name}`: {error}")),
        }
    }
    made
}

/// Connects to a server, asks what tools it has, and says good-bye. `spoke` is the version of the protocol it spoke last.
pub async fn inspect(server: &McpServer, spoke: Option<&str>) -> Result<Seen, McpError> {
    link::inspect(server, spoke).await
}

/// How a server's tool would be declared here, or why it cannot be.
pub fn declared(server: &McpServer, definition: &Definition) -> Result<ToolSpec, String> {
    tool::spec(server, definition)
}

/// What a server's tool is called here.
pub fn name(server: &str, tool: &str) -> Result<ToolName, String> {
    tool::name(server, tool)
}

impl McpTools {
    fn add(&mut self, server: McpServer, folder: &PinFolder, pins: Pins) {
        let mut taken: BTreeMap<ToolName, String> = BTreeMap::new();
        let mut specs = Vec::new();
        for (tool, pin) in &pins.tools {
            match tool::spec(&server, &pin.definition) {
                Ok(spec) => match taken.insert(spec.name.clone(), tool.clone()) {
                    None => specs.push((spec, tool.clone())),
                    Some(other) => {
                        self.notes.push(format!("`{tool}` and `{other}` would both be called `{}`", spec.name));
                    }
                },
                Err(problem) => self.notes.push(format!("`{tool}` of the server `{}`: {problem}", server.name)),
            }
        }
        let link = Arc::new(Link::new(server, folder.clone(), pins));
        let tools = specs.into_iter().map(|(spec, name)| {
            let tool: Arc<dyn Tool> = Arc::new(McpTool::new(spec, name, Arc::clone(&link)));
            tool
        });
        self.tools.extend(tools);
    }
}
