//! `agentwright serve`, and who may come in: `agentwright keys …`, `people …` and `audit …`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use domain::hash::Hash;
use server::{Area, Role};

/// `agentwright serve`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  agentwright serve\n  agentwright serve --port 0            any port that is free\n  agentwright serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem\n  curl -H \"Authorization: Bearer $(cat .agentwright/server.key)\" http://127.0.0.1:7878/v1/runs"
)]
pub struct Serve {
    /// The address to listen on; `server.host` when left out. Where others can reach it there must be keys, and TLS or a proxy
    #[arg(long)]
    pub host: Option<String>,
    /// The port, 0 for any that is free; `server.port` when left out
    #[arg(long)]
    pub port: Option<u16>,
    /// A certificate in PEM, with those that vouch for it; `server.tls_cert` when left out
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The key of the certificate, in PEM; `server.tls_key` when left out
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// All requests come through a proxy that speaks TLS: believe its headers `X-Forwarded-Proto`, `-Host` and `-For`
    #[arg(long)]
    pub behind_proxy: bool,
}

/// `agentwright keys …`
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Make a key, and show it this once
    #[command(
        after_help = "Examples:\n  agentwright keys create --name laptop\n  agentwright keys create --name crm-agent --scope traces --evidence\n  agentwright keys create --name ci --role viewer --expires 30d"
    )]
    Create {
        /// What to call it
        #[arg(long)]
        name: Option<String>,
        /// What it may do: viewer, runner, approver, editor or admin
        #[arg(long, value_name = "ROLE", default_value = "runner")]
        role: Role,
        /// Where it may do it: runs, approvals, stages, tools, routes, library, traces, learning, memories or admin; several times for several, everywhere when left out
        #[arg(long, value_name = "AREA")]
        scope: Vec<Area>,
        /// When it ends by itself, as `30d`; never when left out
        #[arg(long, value_name = "PERIOD")]
        expires: Option<String>,
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

/// `agentwright people …`
#[derive(Debug, Subcommand)]
pub enum PeopleCommand {
    /// Let somebody sign in, and show their link this once
    #[command(after_help = "Examples:\n  agentwright people add ada --role approver")]
    Add {
        /// What they are called, in ledgers too
        name: String,
        /// What they may do: viewer, runner, approver, editor or admin
        #[arg(long, value_name = "ROLE")]
        role: Role,
    },
    /// Show who can sign in
    List,
    /// Let somebody sign in no more, and sign them out everywhere
    Remove {
        /// Who
        name: String,
    },
    /// Make another link for somebody, for example because they forgot their password
    Invite {
        /// Who
        name: String,
    },
}

/// `agentwright audit …`
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Show who decided, who changed what, and who came in, newest first
    List {
        /// At most so many
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
        limit: u16,
        /// Only what was before this entry
        #[arg(long, value_name = "SEQ")]
        before: Option<u64>,
    },
    /// Check that nothing in it was changed afterwards
    #[command(
        after_help = "Examples:\n  agentwright audit verify\n  agentwright audit verify --contains sha256:…     and that it goes on from what was noted elsewhere"
    )]
    Verify {
        /// A hash that was noted elsewhere must be in the chain: then nothing up to it was taken away either
        #[arg(long, value_name = "HASH")]
        contains: Option<Hash>,
    },
}
