//! `agentwright approvals …`

use std::path::PathBuf;

use clap::Subcommand;
use domain::approval::ApprovalStatus;
use domain::hash::Hash;

/// How many are listed at once unless somebody says.
const USUAL: u16 = 20;

/// `agentwright approvals`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Without a command: goes through what is pending, one by one, where a person is at the terminal; lists it elsewhere.

Examples:
  agentwright approvals
  agentwright approvals show apr_3f9a
  agentwright approvals approve apr_3f9a
  agentwright approvals edit apr_3f9a                     in $VISUAL or $EDITOR
  agentwright approvals reject apr_3f9a --reason \"not this week\"
  agentwright approvals respond apr_3f9a \"use the other calendar\"")]
pub struct Approvals {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<ApprovalsCommand>,
}

/// `agentwright approvals …`
#[derive(Debug, Clone, Subcommand)]
pub enum ApprovalsCommand {
    /// List what people are asked, those with the most at stake first
    List(ListApprovals),
    /// Show everything about one question
    Show {
        /// The approval: an id, the beginning of one, or `last`
        approval: String,
    },
    /// Have it carried out as it is
    Approve(Decide),
    /// Have something else carried out
    Edit {
        /// What holds for every decision.
        #[command(flatten)]
        decide: Decide,
        /// Take the plan, or a call's arguments, from this file (TOML or JSON; `-` for stdin) instead of opening an editor
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Have it not carried out
    Reject(Decide),
    /// Say something that is taken into account before it is proposed again
    Respond {
        /// What holds for every decision.
        #[command(flatten)]
        decide: Decide,
        /// What to say
        words: String,
    },
    /// Go through what is pending, one by one
    Review {
        /// Only this one: an id, the beginning of one, or `last`
        approval: Option<String>,
        /// Leave the runs to whoever carries them on
        #[arg(long)]
        no_wait: bool,
        /// Show no progress
        #[arg(long, short)]
        quiet: bool,
    },
}

/// Which questions.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  agentwright approvals list
  agentwright approvals list --run last --status decided
  agentwright approvals list --all -o json")]
pub struct ListApprovals {
    /// Only those that stand so; those that are pending unless said
    #[arg(long, value_parser = status, conflicts_with = "all")]
    pub status: Option<ApprovalStatus>,
    /// However they stand
    #[arg(long)]
    pub all: bool,
    /// Only of this run: an id, the beginning of one, or `last`
    #[arg(long)]
    pub run: Option<String>,
    /// How many at once
    #[arg(long, value_name = "N", default_value_t = USUAL, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: u16,
    /// Where an earlier listing stopped
    #[arg(long)]
    pub cursor: Option<String>,
}

/// What holds for every decision.
#[derive(Debug, Clone, clap::Args)]
pub struct Decide {
    /// The approval: an id, the beginning of one, or `last`
    pub approval: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Only if this is still what would be carried out, as `show` said
    #[arg(long, value_name = "HASH")]
    pub hash: Option<Hash>,
    /// Leave the run to whoever carries it on, for example a server
    #[arg(long)]
    pub no_wait: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

impl Default for ListApprovals {
    fn default() -> Self {
        Self { status: None, all: false, run: None, limit: USUAL, cursor: None }
    }
}

fn status(word: &str) -> Result<ApprovalStatus, String> {
    let known = ApprovalStatus::ALL.map(ApprovalStatus::word);
    ApprovalStatus::from_word(word).ok_or_else(|| format!("the states are `{}`", known.join("`, `")))
}
