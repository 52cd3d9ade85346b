//! A server as the user configured it, and why one cannot be used.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use domain::hash::Hash;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Client, Url};

use super::effect::{Belief, McpEffect};

/// A server that speaks MCP.
#[derive(Clone)]
pub struct McpServer {
    /// What stands before the dot in the names of its tools.
    pub name: String,
    /// How it is reached.
    pub way: McpWay,
    /// The address of its definition as it is written, before variables are filled in: this is what people accept.
    pub written: Hash,
    /// How long one call may take.
    pub timeout: Duration,
    /// How long it may take until it has said what tools it has.
    pub start_timeout: Duration,
    /// The most that one of its messages may hold, in bytes.
    pub max_bytes: usize,
    /// Whether what it says about the effects of its tools is believed once a person has accepted them.
    pub trust_hints: bool,
    /// What the user says about the effects of single tools, by the server's names for them.
    pub effects: BTreeMap<String, McpEffect>,
}

/// How a server is reached.
#[derive(Clone)]
pub enum McpWay {
    /// It is a program that we start, and talk to through its standard streams.
    Command {
        /// The program.
        program: String,
        /// Its arguments.
        args: Vec<String>,
        /// Everything it sees of an environment.
        env: Vec<(String, String)>,
        /// Where it is started.
        directory: PathBuf,
    },
    /// It is somewhere else, and speaks streamable HTTP.
    Http {
        /// Where.
        url: Url,
        /// What is sent along with every request.
        headers: Vec<(HeaderName, HeaderValue)>,
        /// What requests are made with; [ours](crate::client).
        client: Client,
    },
}

/// Why a server cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum McpError {
    /// Install the program, or correct its name.
    #[error("the program `{program}` was not found")]
    NoProgram {
        /// What was to be started.
        program: String,
    },
    /// Look at what it wrote, or give it more time.
    #[error("it did not answer within {after:?}{}", said(.detail))]
    TooSlow {
        /// How long it was given.
        after: Duration,
        /// What it did instead.
        detail: String,
    },
    /// Give it a key, or another one.
    #[error("it wants to know who asks{}", said(.detail))]
    Unauthorised {
        /// Its words.
        detail: String,
    },
    /// Look at what it says.
    #[error("{detail}")]
    Broken {
        /// What was seen.
        detail: String,
    },
}

impl McpServer {
    pub(crate) fn belief(&self, tool: &str) -> Belief {
        Belief {
            told: self.effects.get(tool).copied(),
            trust_hints: self.trust_hints,
            remote: matches!(self.way, McpWay::Http { .. }),
        }
    }
}

/// Values of variables and headers are left out: they may be secrets.
impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer").field("name", &self.name).field("way", &self.way).finish_non_exhaustive()
    }
}

impl fmt::Debug for McpWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            McpWay::Command { program, .. } => f.debug_tuple("Command").field(program).finish(),
            McpWay::Http { url, .. } => f.debug_tuple("Http").field(&url.host_str()).finish(),
        }
    }
}

fn said(detail: &str) -> String {
    if detail.is_empty() { String::new() } else { format!(": {detail}") }
}
