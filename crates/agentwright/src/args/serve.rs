//! `agentwright serve` and `agentwright keys …`

use clap::{Args, Subcommand};

/// `agentwright serve`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  agentwright serve\n  agentwright serve --port 0            any port that is free\n  curl -H \"Authorization: Bearer $(cat .agentwright/server.key)\" http://127.0.0.1:7878/v1/runs"
)]
pub struct Serve {
    /// The address to listen on: one of this machine's own; `server.host` when left out
    #[arg(long)]
    pub host: Option<String>,
    /// The port, 0 for any that is free; `server.port` when left out
    #[arg(long)]
    pub port: Option<u16>,
}

/// `agentwright keys …`
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Make a key, and show it this once
    #[command(
        after_help = "Examples:\n  agentwright keys create --name laptop\n  agentwright keys create --name crm-agent --evidence"
    )]
    Create {
        /// What to call it
        #[arg(long)]
        name: Option<String>,
        /// Learn from the traces that are sent with it; without this they can only be looked at
        #[arg(long)]
        evidence: bool,
    },
    /// Show the keys there are, without their secrets
    List,
    /// End the validity of a key, at once and everywhere
    #[command(after_help = "Examples:\n  agentwright keys revoke 3f9c0a71b2d4")]
    Revoke {
        /// What stands between `aw_` and the secret, or the whole key
        id: String,
    },
}
