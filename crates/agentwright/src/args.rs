//! What can be typed: every command, flag and example in one place.

mod approvals;
mod backup;
mod eval;
mod learn;
mod library;
mod mcp;
mod route;
mod runs;
mod serve;
mod traces;
mod work;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use domain::plan::Strategy;
use domain::thought::Orchestration;

pub use approvals::{Approvals, ApprovalsCommand, Decide, ListApprovals};
pub use backup::{Backup, Restore};
pub use eval::{EvalCommand, EvalRun};
pub use learn::LearnCommand;
pub use library::{LibraryCommand, ListItems, SkillsCommand, Verdict};
pub use mcp::{AddServer, McpCommand};
pub use route::RouteCommand;
pub use runs::{ExportRun, Fork, ListRuns, Matching, Replay, Resume, RunsCommand, ShowRun};
pub use serve::{AuditCommand, KeysCommand, PeopleCommand, Serve};
pub use traces::{ExportTraces, Format, ImportTraces, ListTraces, TracesCommand, WhichTraces};
pub use work::{Chat, Compare, PlanCommand, Run, ToolsCommand};

/// A self-hosted runtime for AI agents: it plans, makes the agents that carry the plan out, acts once, and records
/// everything.
#[derive(Debug, Parser)]
#[command(name = "agentwright", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Cli {
    /// What holds for every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  agentwright init                                 write a configuration to start from
  agentwright doctor                               see what is missing
  agentwright run \"Will it rain in Oslo tomorrow?\"
  agentwright chat                                 several requests, one conversation
  agentwright runs list --status failed
  agentwright runs show last
  agentwright serve                                let others in over HTTP

Exit codes:
  0 done                  4 waiting for a person
  1 run failed            5 budget exceeded
  2 usage                 6 verification failed
  3 configuration";

/// What holds for every command.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Global {
    /// Read this file instead of the nearest `agentwright.toml`
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Use this database: `sqlite:PATH` or `postgres://…`
    #[arg(long, global = true, value_name = "URL")]
    pub database: Option<String>,
    /// How the result is written
    #[arg(short, long, global = true, value_enum, default_value_t)]
    pub output: Output,
    /// Log more to stderr; twice for even more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Write without colours
    #[arg(long, global = true)]
    pub no_color: bool,
}

/// How results are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// For people.
    #[default]
    Text,
    /// One JSON value.
    Json,
    /// One JSON value a line, as things happen.
    StreamJson,
}

/// Everything there is to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Carry out one request
    Run(Run),
    /// Make requests one after the other, in one conversation
    Chat(Chat),
    /// Write a configuration to start from
    Init,
    /// Look for what is missing or wrong
    Doctor,
    /// Show what is configured
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print a script that completes commands in a shell
    #[command(
        after_help = "Examples:\n  agentwright completion bash > ~/.local/share/bash-completion/completions/agentwright"
    )]
    Completion {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Look at runs and act on them
    #[command(subcommand)]
    Runs(RunsCommand),
    /// Look at plans
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Decide about what runs want to do
    Approvals(Approvals),
    /// See how requests are understood, and measure it
    #[command(subcommand)]
    Route(RouteCommand),
    /// Look at tools and try them
    #[command(subcommand)]
    Tools(ToolsCommand),
    /// Use the tools of servers that speak MCP
    #[command(subcommand)]
    Mcp(McpCommand),
    /// Look at agents that were made and are used again
    #[command(subcommand)]
    Agents(LibraryCommand),
    /// Look at teams of agents that are used again
    #[command(subcommand)]
    Cohorts(LibraryCommand),
    /// Look at what is done without a planner, and at stored plans
    #[command(subcommand)]
    Skills(SkillsCommand),
    /// Learn from runs, and look at what was learnt
    #[command(subcommand)]
    Learn(LearnCommand),
    /// Look at what agents did, ours and others'
    #[command(subcommand)]
    Traces(TracesCommand),
    /// Carry out the same requests with several strategies and show the differences
    Compare(Compare),
    /// Judge how requests are carried out whose outcome is known
    #[command(subcommand)]
    Eval(EvalCommand),
    /// Let others in over HTTP, and carry on whatever is due
    Serve(Serve),
    /// Make and revoke the keys that others come in with
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Say who can sign in to the dashboard
    #[command(subcommand)]
    People(PeopleCommand),
    /// Look at who changed what
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Copy the database into a file, whole, while it is used
    Backup(Backup),
    /// Replace the database by a backup
    Restore(Restore),
    /// Advance one run as far as it goes; used to isolate runs that bring processes down
    #[command(hide = true)]
    Advance {
        /// Which run
        run: String,
    },
    /// Carry on whatever is due, for example runs that were interrupted and timers
    #[command(
        after_help = "Examples:\n  agentwright work --watch     ring timers and reminders while no conversation is open"
    )]
    Work {
        /// Stay, and carry on what becomes due later
        #[arg(long)]
        watch: bool,
    },
}

/// `agentwright config …`
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Show the effective configuration, without secrets
    #[command(after_help = "Examples:\n  agentwright config show --origin\n  agentwright config show -o json")]
    Show {
        /// Say where each value comes from
        #[arg(long)]
        origin: bool,
    },
}

fn strategy(word: &str) -> Result<Strategy, String> {
    let known = Strategy::ALL.map(Strategy::word);
    Strategy::from_word(word).ok_or_else(|| match crate::config::nearest(word, &known) {
        Some(nearest) => format!("there are `{}`; the nearest is `{nearest}`", known.join("`, `")),
        None => "there is no such strategy".to_owned(),
    })
}

fn orchestration(word: &str) -> Result<Orchestration, String> {
    Orchestration::from_word(word)
        .ok_or_else(|| format!("there are `{}`", Orchestration::ALL.map(Orchestration::word).join("`, `")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_hangs_together() {
        Cli::command().debug_assert();
    }
}
