//! `agentwright traces …`

use std::path::PathBuf;

use clap::Subcommand;
use domain::symbol::Symbol;
use domain::trace::{Source, TraceFilter};
use jiff::Timestamp;

use super::runs::moment;

/// `agentwright traces …`
#[derive(Debug, Subcommand)]
pub enum TracesCommand {
    /// List what agents did, ours and others', those that began last first
    List(ListTraces),
    /// Show one trace, step by step
    #[command(after_help = "Examples:\n  agentwright traces show last\n  agentwright traces show last -o json")]
    Show {
        /// The trace: an id, the beginning of one, or `last`
        trace: String,
    },
    /// Take in traces from files
    Import(ImportTraces),
    /// Write traces to files, one each, that `traces import` reads again
    Export(ExportTraces),
    /// Learn from a source no longer, and withdraw what rests on it
    #[command(
        after_help = "Examples:\n  agentwright traces list --source import:tau\n  agentwright traces revoke import:tau"
    )]
    Revoke {
        /// The source as listings show it: `key:ID` or `import:NAME`
        source: String,
    },
}

/// Which traces.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Which traces")]
pub struct WhichTraces {
    /// Only of this kind of agent
    #[arg(long, value_name = "NAME", value_parser = symbol)]
    pub agent: Option<Symbol>,
    /// Only of this kind of problem
    #[arg(long, value_name = "NAME", value_parser = symbol)]
    pub problem: Option<Symbol>,
    /// Only from here: `own`, `key:ID` or `import:NAME`
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<String>,
    /// Only successes, or only failures
    #[arg(long, value_name = "true|false")]
    pub success: Option<bool>,
    /// Only those that have not ended
    #[arg(long, conflicts_with = "ended")]
    pub open: bool,
    /// Only those that have ended
    #[arg(long)]
    pub ended: bool,
    /// Only begun at or after this moment: `2026-05-01`, `2026-05-01T12:00Z`, or `2h` for two hours ago
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    pub since: Option<Timestamp>,
    /// Only begun before this moment
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    pub until: Option<Timestamp>,
}

impl From<WhichTraces> for TraceFilter {
    fn from(which: WhichTraces) -> Self {
        Self {
            agent: which.agent,
            problem: which.problem,
            source: which.source.map(Source::from),
            success: which.success,
            ended: match (which.open, which.ended) {
                (true, _) => Some(false),
                (_, true) => Some(true),
                (false, false) => None,
            },
            since: which.since,
            until: which.until,
        }
    }
}

/// `agentwright traces list`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  agentwright traces list --success false --since 1d
  agentwright traces list --agent planner --problem calendar -o json")]
pub struct ListTraces {
    /// Which traces
    #[command(flatten)]
    pub which: WhichTraces,
    /// How many at once
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: u16,
    /// Where an earlier listing stopped
    #[arg(long)]
    pub cursor: Option<String>,
}

/// `agentwright traces import`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
A file holds one trace as JSON, a list of them, or one a line. What is there already is left alone, so that importing
twice changes nothing. A line that cannot be read is counted and told, and does not stop the rest.

Examples:
  agentwright traces import exported/
  agentwright traces import train.jsonl --format tau --source airline
  agentwright traces import suspicious.jsonl --watch-only")]
pub struct ImportTraces {
    /// Files, or folders whose `.json` and `.jsonl` files are read
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// What the files look like; told from what they hold when absent
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Under which name they are filed, as `import:NAME`; the format's when absent
    #[arg(long, value_name = "NAME", value_parser = symbol)]
    pub source: Option<Symbol>,
    /// Have them looked at only: nothing is learnt from them
    #[arg(long)]
    pub watch_only: bool,
}

/// What files of traces look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Format {
    /// As `traces export` writes them.
    Agentwright,
    /// Conversations with tools in shops and airlines, with a reward.
    Tau,
    /// Agents with many MCP tools, judged by people.
    Livemcp,
    /// Conversations of several agents that failed.
    WhoWhen,
    /// Spans of agents, with the errors people found in them.
    Trail,
    /// Batches of spans, as OpenTelemetry collectors write them to files.
    Otlp,
}

/// `agentwright traces export`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Each trace becomes a file AGENT_PROBLEM_YYYYMMDD_HHMMSS_TRACE.json.

Examples:
  agentwright traces export --to exported
  agentwright traces export --success false --since 7d --to failures")]
pub struct ExportTraces {
    /// Which traces
    #[command(flatten)]
    pub which: WhichTraces,
    /// The folder to write to; it is made where it is not there
    #[arg(long, value_name = "DIR")]
    pub to: PathBuf,
}

fn symbol(name: &str) -> Result<Symbol, String> {
    let symbol = Symbol::of(name);
    match symbol.as_str() == name {
        true => Ok(symbol),
        false => Err(format!("names are up to {} letters, digits, `_`, `.`, `-` and `/`", Symbol::CHARS)),
    }
}
