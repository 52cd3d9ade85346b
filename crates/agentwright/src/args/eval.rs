//! `agentwright eval …`

use std::path::PathBuf;

use clap::Subcommand;
use domain::guideline::Semver;
use domain::plan::Strategy;
use domain::symbol::Symbol;

use super::strategy;

/// `agentwright eval …`
#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// Rehearse requests whose outcome is known and say which go as they should
    Run(EvalRun),
}

/// `agentwright eval run`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
FILE has a JSON object on each line (empty lines and lines that begin with `#` are skipped):
  {\"request\": \"Set a timer for ten minutes\", \"expect\": {\"status\": \"completed\", \"tools\": [\"timer.set\"]}}
`expect` may have `status`, `tools`, `not_tools`, `answer_contains` and `route` (reflex, fast, plan). `id` names a request.
Nothing is written to the world. The exit code is 0 if all pass, 1 otherwise.

Examples:
  agentwright eval run evals/everyday.jsonl
  agentwright eval run requests.jsonl --repeat 5 -o json
  agentwright eval run requests.jsonl --against planner@1.2.0")]
pub struct EvalRun {
    /// The requests
    pub file: PathBuf,
    /// With which strategy; the configured one when absent
    #[arg(long, value_parser = strategy)]
    pub strategy: Option<Strategy>,
    /// Also with another version of what an agent is told, side by side
    #[arg(long, value_name = "AGENT@VERSION", value_parser = version)]
    pub against: Option<(Symbol, Semver)>,
    /// How often each request is rehearsed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub repeat: u16,
}

fn version(text: &str) -> Result<(Symbol, Semver), String> {
    let (agent, version) = text.split_once('@').ok_or("write `agent@version`, for example `planner@1.2.0`")?;
    Ok((Symbol::of(agent), version.parse().map_err(|error: domain::id::BadName| error.to_string())?))
}
