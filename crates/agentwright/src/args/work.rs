//! The commands that have something carried out, and those about plans and tools.

use std::path::PathBuf;

use clap::Subcommand;
use domain::id::SessionId;
use domain::plan::Strategy;
use domain::thought::Orchestration;

use super::{orchestration, strategy};
use crate::config::Dollars;

/// `agentwright run`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  agentwright run \"Find three flights to Lisbon and note the cheapest\"
  cat letter.txt | agentwright run -
  agentwright run --plan-only \"Tidy my inbox\"           only the plan
  agentwright run --plan plan.json \"Tidy my inbox\"      this plan, no planner
  agentwright run --max-cost 0.10 --yes \"…\"             at most ten cents, approve what no rule asks for
  agentwright run -o stream-json \"…\" | jq .kind          every event as it happens")]
pub struct Run {
    /// The request; `-` reads it from stdin
    pub text: String,
    /// Stop after planning and print the plan
    #[arg(long, conflicts_with = "plan")]
    pub plan_only: bool,
    /// Say yes to what no rule wants a person for
    #[arg(long, short)]
    pub yes: bool,
    /// How agents are made from the plan: task_graph, single_agent or cohort
    #[arg(long, value_name = "STRATEGY", value_parser = strategy)]
    pub strategy: Option<Strategy>,
    /// How much thought comes before the plan is carried out: simple, standard or adaptive
    #[arg(long, value_name = "HOW", value_parser = orchestration)]
    pub orchestration: Option<Orchestration>,
    /// The most that models may cost, in dollars
    #[arg(long, value_name = "USD")]
    pub max_cost: Option<Dollars>,
    /// The conversation the request belongs to
    #[arg(long, value_name = "ID")]
    pub session: Option<SessionId>,
    /// Carry out the plan in this JSON file instead of asking a planner
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Undo and repair steps whose result fails their check
    #[arg(long)]
    pub validate: bool,
    /// Record what would be written to the world, but write nothing
    #[arg(long)]
    pub dry: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// `agentwright chat`
#[derive(Debug, Clone, Default, clap::Args)]
#[command(after_help = "\
Keys:
  Ctrl-C  cancels the run in progress; twice in a row it quits
  Ctrl-D  quits

Type /help for the commands within.")]
pub struct Chat {
    /// Go on with this conversation
    #[arg(long, value_name = "ID")]
    pub session: Option<SessionId>,
    /// Say yes to what no rule wants a person for
    #[arg(long, short)]
    pub yes: bool,
}

/// `agentwright plan …`
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// Show a run's plan
    #[command(
        after_help = "Examples:\n  agentwright plan show last\n  agentwright plan show last --version 1 -o json > plan.json"
    )]
    Show {
        /// The run: an id, the beginning of one, or `last`
        run: String,
        /// Which version; the newest when absent
        #[arg(long, value_name = "N")]
        version: Option<u32>,
    },
    /// Check a plan without carrying it out
    #[command(
        after_help = "Examples:\n  agentwright plan check plan.json\n  agentwright plan check last\n  agentwright plan check - < plan.md"
    )]
    Check {
        /// A file with a plan as JSON, `-` for stdin, or a run
        #[arg(value_name = "FILE|RUN|-")]
        plan: String,
    },
    /// Show what changed between two versions of a run's plan
    #[command(after_help = "Examples:\n  agentwright plan diff last\n  agentwright plan diff last 1 3")]
    Diff {
        /// The run: an id, the beginning of one, or `last`
        run: String,
        /// The older version; the last but one when absent
        #[arg(value_name = "A")]
        from: Option<u32>,
        /// The newer version; the newest when absent
        #[arg(value_name = "B")]
        to: Option<u32>,
    },
}

/// `agentwright tools …`
#[derive(Debug, Subcommand)]
pub enum ToolsCommand {
    /// List the tools there are
    List {
        /// Only those of one domain
        #[arg(value_name = "DOMAIN")]
        domain: Option<String>,
    },
    /// Show everything about one tool
    Show {
        /// Its name, as `domain.tool`
        name: String,
    },
    /// Show how calls of tools went: how often, how many failed, how long they took, what they cost
    #[command(after_help = "Examples:\n  agentwright tools stats\n  agentwright tools stats weather.forecast -o json")]
    Stats {
        /// Only this one, as `domain.tool`
        #[arg(value_name = "TOOL")]
        name: Option<String>,
    },
    /// Show which tools a planner gets to see for a request, or how good that choice was in the last runs
    #[command(
        after_help = "Examples:\n  agentwright tools shortlist \"remind me to water the plants\"\n  agentwright tools shortlist"
    )]
    Shortlist {
        /// The request; without it the last runs are looked at
        text: Option<String>,
        /// How many runs are looked at
        #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=10_000))]
        last: u16,
    },
    /// Call a tool; one that writes really writes
    #[command(after_help = "Examples:\n  agentwright tools test time.now --args '{\"zone\": \"Europe/Oslo\"}'")]
    Test {
        /// Its name, as `domain.tool`
        name: String,
        /// Its arguments, as a JSON object
        #[arg(long, value_name = "JSON", default_value = "{}")]
        args: String,
        /// Call it although it changes something
        #[arg(long, short)]
        yes: bool,
    },
    /// Accept what MCP servers say about their tools; without a name, only show what is not accepted
    #[command(
        after_help = "Examples:\n  agentwright tools pin                  what has changed since it was accepted\n  agentwright tools pin files.read_file   accept this tool as it is now\n  agentwright tools pin 'files.*'         accept the server and all its tools"
    )]
    Pin {
        /// A tool as `server.tool`, or `server.*`
        name: Option<String>,
    },
}

/// `agentwright compare`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
FILE has one request a line (empty lines and lines that begin with `#` are skipped), or is a JSON list of texts.
Nothing is written to the world unless --live is given.

Examples:
  agentwright compare requests.txt
  agentwright compare requests.txt --strategies task_graph,cohort -o json")]
pub struct Compare {
    /// The requests
    pub file: PathBuf,
    /// Which strategies; all when absent
    #[arg(long, value_name = "STRATEGY", value_delimiter = ',', value_parser = strategy)]
    pub strategies: Vec<Strategy>,
    /// Really carry out what the runs want written
    #[arg(long)]
    pub live: bool,
}
