//! The seam to the world: what a tool says about itself, and what calling it can bring.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::{RunId, StepId, ToolName};
use crate::library::AgentBody;
use crate::name::Name;

/// Something that can be called with arguments.
#[async_trait]
pub trait Tool: Send + Sync {
    /// What it is, needs and does; never changes while the tool lives.
    fn spec(&self) -> &ToolSpec;

    /// Does it. Arguments have been checked against the schema; dropping the future abandons the call.
    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError>;

    /// What people call the things it deals with, as far as that is known here and now: nothing is waited for.
    async fn names(&self) -> Vec<Name> {
        Vec::new()
    }

    /// Where it comes from, and why it may not be called for now, if that is so: nothing is waited for.
    fn standing(&self) -> Standing {
        Standing::default()
    }

    /// For tools that declare [`Repeat::ReadBack`]: what became of the call with this key, if it reached the receiver.
    async fn read_back(&self, _key: &str) -> Result<Option<Value>, ToolError> {
        Ok(None)
    }
}

/// All the tools there are, each once.
pub trait Toolbox: Send + Sync {
    /// What every tool says about itself, by name.
    fn specs(&self) -> Vec<&ToolSpec>;

    /// One tool.
    fn tool(&self, name: &ToolName) -> Option<Arc<dyn Tool>>;

    /// The tool that a name as models write it means: dotted, with `__`, or short where that is clear `among` some.
    fn resolve(&self, name: &str, among: Option<&[ToolName]>) -> Result<Arc<dyn Tool>, ToolError>;

    /// Whether arguments fit: present, of the right type, and no placeholders.
    fn check(&self, tool: &ToolName, arguments: &Value) -> Result<(), ToolError>;

    /// The same for arguments in a plan, in which a `${reference}` may still become anything.
    fn check_draft(&self, tool: &ToolName, arguments: &Value) -> Result<(), ToolError>;

    /// What a planner reads: names, parameters, effects and one line about each tool, `among` some or all.
    fn listing(&self, among: Option<&[ToolName]>) -> String;

    /// The agent that a tool is, where it is one: whoever plans with it must name its tools as well.
    fn agent(&self, _tool: &ToolName) -> Option<&AgentBody> {
        None
    }
}

/// Who calls, and under which key.
#[derive(Debug, Clone, PartialEq)]
pub struct CallContext {
    /// The run.
    pub run: RunId,
    /// The step, where the call belongs to one.
    pub step: Option<StepId>,
    /// The same for every repetition of the same call: receivers can recognise it.
    pub key: String,
    /// The moment the request was received, or later: tools take the time from here.
    pub now: Timestamp,
}

/// A tool's declaration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolSpec {
    /// Its name in plans.
    pub name: ToolName,
    /// What it does and when to use it, in a sentence or two.
    pub description: String,
    /// JSON schema of its arguments, an object.
    pub parameters: Value,
    /// JSON schema of its results, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Value>,
    /// What calling it does to the world.
    pub effect: Effect,
    /// How long one call may take; the caller's default when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
}

/// Where a tool comes from, and whether it may be called.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Who brought it.
    pub source: Source,
    /// What a person has to look at before it may be called again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarantine: Option<String>,
}

/// Who brought a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Source {
    /// The program.
    #[default]
    BuiltIn,
    /// A file that describes it.
    File,
    /// A server that speaks MCP, by its name here.
    Mcp(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::BuiltIn => f.write_str("built in"),
            Source::File => f.write_str("file"),
            Source::Mcp(server) => write!(f, "mcp:{server}"),
        }
    }
}

impl Serialize for Source {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What a call does to the world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// Nothing: may be called directly and again.
    Read,
    /// Nothing is changed, but data leaves the process.
    Egress,
    /// Something: becomes an intent, carried out exactly once.
    Write {
        /// Whether it can be taken back.
        #[serde(default)]
        reversible: bool,
        /// What a repetition would do.
        #[serde(default)]
        repeat: Repeat,
        /// Whether it reaches beyond this machine.
        #[serde(default)]
        external: bool,
        /// The arguments that say whom or what it reaches.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        targets: Vec<String>,
    },
}

impl Effect {
    /// Whether calls must be declared, recorded and settled.
    pub fn is_write(&self) -> bool {
        matches!(self, Effect::Write { .. })
    }

    /// The word for it in listings.
    pub fn word(&self) -> &'static str {
        match self {
            Effect::Read => "read",
            Effect::Egress => "egress",
            Effect::Write { .. } => "write",
        }
    }
}

/// What may be done about a write when a crash leaves in doubt whether it happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repeat {
    /// It must not be sent again: a person decides.
    #[default]
    Never,
    /// The receiver recognises the key: it can be sent again.
    SameKey,
    /// The receiver can be asked whether it happened.
    ReadBack,
}

/// Why a call brought nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "error", rename_all = "snake_case")]
pub enum ToolError {
    /// Correct the name.
    #[error("there is no tool `{name}`{}", nearest_words(.nearest))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Real names that look like it.
        nearest: Vec<String>,
    },
    /// Correct the arguments.
    #[error("arguments of `{tool}`: {}", .problems.join("; "))]
    BadArguments {
        /// The tool that was called.
        tool: ToolName,
        /// One sentence per problem.
        problems: Vec<String>,
    },
    /// Try again later, or another way: the call did not take effect.
    #[error("`{tool}` is not available: {detail}")]
    Unavailable {
        /// The tool that was called.
        tool: ToolName,
        /// What was seen.
        detail: String,
    },
    /// Try another way: the tool says no.
    #[error("`{tool}`: {detail}")]
    Failed {
        /// The tool that was called.
        tool: ToolName,
        /// Its words.
        detail: String,
    },
    /// For reads, try again. A write may have happened.
    #[error("`{tool}` did not finish within {after:?}")]
    TimedOut {
        /// The tool that was called.
        tool: ToolName,
        /// How long it was given.
        after: Duration,
    },
    /// A write that may or may not have happened: look before anything else is done.
    #[error("it is unknown whether `{tool}` took effect: {detail}")]
    InDoubt {
        /// The tool that was called.
        tool: ToolName,
        /// What was seen.
        detail: String,
    },
    /// Do without it, or ask a person.
    #[error("`{tool}` may not be used here: {detail}")]
    Denied {
        /// The tool that was asked for.
        tool: ToolName,
        /// Which rule says so.
        detail: String,
    },
    /// Stop, or ask a person for more.
    #[error("the budget does not allow another tool call: {detail}")]
    OverBudget {
        /// Which limit, and how far it is used.
        detail: String,
    },
}

fn nearest_words(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        names => format!("; the nearest are `{}`", names.join("`, `")),
    }
}
