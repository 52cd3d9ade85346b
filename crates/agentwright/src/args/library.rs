//! `agentwright agents …`, `cohorts …` and `skills …`: what is kept and used again. One set of commands for all of them.

use std::path::PathBuf;

use clap::Subcommand;
use domain::plan::Strategy;

use super::strategy;

/// What can be done with everything that is kept.
#[derive(Debug, Subcommand)]
pub enum LibraryCommand {
    /// List what is offered, used most recently first
    List(ListItems),
    /// Show everything about one
    Show {
        /// Its name
        name: String,
        /// Which version; the one that is used when absent
        #[arg(long, value_name = "N")]
        version: Option<u32>,
    },
    /// Find what fits some words, with scores and why
    Search {
        /// The words
        text: String,
        /// How many at most
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=100))]
        limit: u16,
    },
    /// Show what differs between two versions, by field and line
    Diff {
        /// Its name
        name: String,
        /// The older version; the one before the newer one when absent
        #[arg(value_name = "A")]
        from: Option<u32>,
        /// The newer version; the one that is used when absent
        #[arg(value_name = "B")]
        to: Option<u32>,
    },
    /// Use an earlier version again
    Rollback {
        /// Its name
        name: String,
        /// Which version; the one before the one that is used when absent
        #[arg(long, value_name = "N")]
        to: Option<u32>,
    },
    /// Offer it again
    Activate {
        /// Its name
        name: String,
    },
    /// Offer it no longer; nothing is deleted
    Deactivate {
        /// Its name
        name: String,
    },
}

/// `list`
#[derive(Debug, Clone, clap::Args)]
pub struct ListItems {
    /// Only where name, description or keywords contain this, whatever the case
    pub text: Option<String>,
    /// Also what is switched off
    #[arg(long, conflicts_with = "inactive")]
    pub all: bool,
    /// Only what is switched off
    #[arg(long)]
    pub inactive: bool,
    /// How many at once
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: u16,
    /// Where an earlier listing stopped
    #[arg(long)]
    pub cursor: Option<String>,
}

/// `agentwright skills …`
#[derive(Debug, Subcommand)]
pub enum SkillsCommand {
    /// What can be done with everything that is kept
    #[command(flatten)]
    Library(LibraryCommand),
    /// Say what would be used again for a request, and why or why not; carries nothing out
    #[command(after_help = "Examples:\n  agentwright skills explain \"count the words of one two three\"")]
    Explain {
        /// The request
        text: String,
        /// As if it were asked for with this strategy; teams are used with `cohort` only
        #[arg(long, value_parser = strategy)]
        strategy: Option<Strategy>,
    },
    /// Write a skill as `SKILL.md`, for other agents to use
    #[command(
        after_help = "Examples:\n  agentwright skills export count-words-1a2b3c4d\n  agentwright skills export count-words-1a2b3c4d --to skills"
    )]
    Export {
        /// Its name
        name: String,
        /// Write `FOLDER/NAME/SKILL.md` rather than to stdout
        #[arg(long, value_name = "FOLDER")]
        to: Option<PathBuf>,
        /// Replace a file that says something else
        #[arg(long, requires = "to")]
        overwrite: bool,
    },
    /// Look at stored plans: what worked, but not often enough to be a skill
    #[command(subcommand)]
    Plans(LibraryCommand),
}

/// Whether a run was good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Verdict {
    /// It was what the person wanted.
    Good,
    /// It was not.
    Bad,
}
