//! `agentwright mcp …`

use clap::{Args, Subcommand};
use domain::tool::Effect;

/// `agentwright mcp …`
#[derive(Debug, Subcommand)]
pub enum McpCommand {
    /// Connect to a server, show its tools, accept them, and remember it
    Add(AddServer),
    /// Show the servers there are, and how they stand
    List {
        /// Start or reach each server that was accepted, and compare its tools with what was accepted
        #[arg(long)]
        check: bool,
    },
    /// Forget a server, its tools and what was accepted of it
    Remove {
        /// Its name
        name: String,
    },
    /// Be a server: speak MCP on stdin and stdout, for the program that started this
    #[command(
        after_help = "Examples:\n  {\"mcpServers\": {\"agentwright\": {\"command\": \"agentwright\", \"args\": [\"mcp\", \"serve\"]}}}"
    )]
    Serve,
}

/// `agentwright mcp add`
#[derive(Debug, Args)]
#[command(after_help = "\
Values may hold ${VARIABLE} and ${VARIABLE:-default}, which are filled in when the server is
used: so no secret needs to stand in a file.

Examples:
  agentwright mcp add time -- uvx mcp-server-time
  agentwright mcp add files --user -- npx -y @modelcontextprotocol/server-filesystem ~/Documents
  agentwright mcp add notes --url https://example.org/mcp --header 'Authorization=Bearer ${TOKEN}'
  agentwright mcp add time --effect get_current_time=read -- uvx mcp-server-time")]
pub struct AddServer {
    /// What stands before the dot in the names of its tools
    pub name: String,
    /// Where it is, if it is not a program to be started
    #[arg(long, conflicts_with = "command")]
    pub url: Option<String>,
    /// Sent along with every request to it
    #[arg(long = "header", value_name = "NAME=VALUE", value_parser = pair, requires = "url")]
    pub headers: Vec<(String, String)>,
    /// A variable that the program sees
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = pair, conflicts_with = "url")]
    pub env: Vec<(String, String)>,
    /// What one of its tools does, whatever the server says: read, egress or write
    #[arg(long = "effect", value_name = "TOOL=EFFECT", value_parser = effect)]
    pub effects: Vec<(String, String)>,
    /// Write it into the project's `.mcp.json`; the default where there is a project
    #[arg(long, conflicts_with = "user")]
    pub project: bool,
    /// Write it into your own configuration
    #[arg(long)]
    pub user: bool,
    /// The program and its arguments
    #[arg(last = true, required_unless_present = "url", value_name = "COMMAND")]
    pub command: Vec<String>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write `NAME=VALUE`".to_owned()),
    }
}

fn effect(text: &str) -> Result<(String, String), String> {
    let (tool, effect) = pair(text).map_err(|_| "write `TOOL=EFFECT`".to_owned())?;
    let words = [Effect::Read.word(), Effect::Egress.word(), "write"];
    match words.contains(&effect.as_str()) {
        true => Ok((tool, effect)),
        false => Err(format!("there are `{}`", words.join("`, `"))),
    }
}
