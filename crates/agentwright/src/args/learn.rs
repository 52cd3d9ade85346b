//! `agentwright learn …`: what runs have taught, and what is done about it.

use std::path::PathBuf;

use clap::Subcommand;

/// What can be done about what was learnt.
#[derive(Debug, Subcommand)]
pub enum LearnCommand {
    /// Take in what is new and say what it teaches
    #[command(after_help = "Nobody is told anything new without a person's yes unless `learning.auto_update` is on.")]
    Run,
    /// Do so again and again
    Watch {
        /// How long to wait in between; as configured when absent
        #[arg(long, value_name = "TIME")]
        interval: Option<String>,
        /// Stop after so many
        #[arg(long, value_name = "N")]
        cycles: Option<u64>,
    },
    /// Say how far it has come
    Status,
    /// Show what separates success from failure
    Patterns {
        /// Only of this kind of agent
        #[arg(long)]
        agent: Option<String>,
        /// Only of this family
        #[arg(long, value_name = "FAMILY")]
        family: Option<String>,
        /// How many at most
        #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=1000))]
        limit: u16,
    },
    /// List what was learnt, and how far each point has come
    Lessons {
        /// Only those that stand here: proposed, shadow, canary, active or retired
        #[arg(long, value_name = "STATUS")]
        status: Option<String>,
    },
    /// Show a lesson with what it rests on, and what it would have changed about the runs on record
    Show {
        /// Which
        lesson: String,
    },
    /// Say how a trace probably ends, or why it ended as it did, going by all others
    Predict {
        /// Which trace: a run's id for our own
        trace: String,
    },
    /// Say yes to a lesson: it is tried out, or told to all if its trial speaks for it
    #[command(
        after_help = "Examples:\n  agentwright learn accept lsn_5d1c0f2a9b3e4d57\n  agentwright learn accept lsn_5d1c0f2a9b3e4d57 --now"
    )]
    Accept {
        /// Which
        lesson: String,
        /// Tell all at once, without trying it out
        #[arg(long)]
        now: bool,
    },
    /// Say no to a lesson: nobody is told any more
    Dismiss {
        /// Which
        lesson: String,
    },
    /// Show what agents are told, or the history of one
    Guidelines {
        /// Whose history
        agent: Option<String>,
    },
    /// Show what differs between two versions of what an agent is told
    Diff {
        /// Who
        agent: String,
        /// The older version; the one the newer was made from when absent
        #[arg(value_name = "A")]
        from: Option<String>,
        /// The newer version; the one that is told when absent
        #[arg(value_name = "B")]
        to: Option<String>,
    },
    /// Go back to an earlier version of what an agent is told
    Rollback {
        /// Who
        agent: String,
        /// Which version; the one before when absent
        #[arg(long, value_name = "VERSION")]
        to: Option<String>,
    },
    /// Show what is being tried, and what became of what was
    Experiments {
        /// Only those under way
        #[arg(long)]
        open: bool,
    },
    /// Stop an experiment: everybody gets again what all got before
    Stop {
        /// Which
        experiment: String,
    },
    /// Show what became of earlier cycles
    History {
        /// How many at most
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
        limit: u16,
    },
    /// Write all versions and the state of learning to a folder
    Export {
        /// The folder
        #[arg(long, value_name = "FOLDER")]
        to: PathBuf,
    },
    /// Have an agent told what a YAML file says, beside what was learnt
    #[command(
        after_help = "Examples:\n  agentwright learn import guidelines/planner_v1.2.0.yaml\n  agentwright learn import prompts.yaml --agent planner"
    )]
    Import {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Who is told; as the file says, or by its name, when absent
        #[arg(long)]
        agent: Option<String>,
    },
}
