//! `agentwright runs …`

use std::path::PathBuf;

use clap::Subcommand;
use domain::event::Seq;
use domain::id::SessionId;
use domain::plan::Strategy;
use domain::run::RunStatus;
use domain::score::Score;
use jiff::Timestamp;
use serde_json::Value;

use super::{Verdict, strategy};

/// `agentwright runs …`
#[derive(Debug, Subcommand)]
pub enum RunsCommand {
    /// List runs, newest first
    List(ListRuns),
    /// Show one run
    Show(ShowRun),
    /// Stop a run
    Cancel {
        /// The run: an id, the beginning of one, or `last`
        run: String,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Go on with a run: give it the answer it waits for, or take it up after a crash
    Resume(Resume),
    /// Start a new run from an event of another
    Fork(Fork),
    /// Go through a finished run again, without models and tools, perhaps with something changed
    Replay(Replay),
    /// Write a run's whole ledger as JSON lines
    Export(ExportRun),
    /// Delete runs that have ended
    #[command(after_help = "Examples:\n  agentwright runs clear --status completed --until 2026-01-01 --yes")]
    Clear {
        /// Which runs
        #[command(flatten)]
        matching: Matching,
        /// Delete without asking
        #[arg(long, short)]
        yes: bool,
    },
    /// Say whether a run was good: what it made is offered from then on, or no longer
    #[command(
        after_help = "Examples:\n  agentwright runs rate last good\n  agentwright runs rate last bad --words \"too long\""
    )]
    Rate {
        /// The run: an id, the beginning of one, or `last`
        run: String,
        /// How it was; without it, what was said before is shown
        verdict: Option<Verdict>,
        /// What there is to say besides
        #[arg(long, value_name = "TEXT", requires = "verdict")]
        words: Option<String>,
    },
    /// Count runs
    Count(Matching),
    /// Sum up what runs used
    Spent(Matching),
    /// Show how often runs ended as was foreseen, and what reported confidences turned out to be worth
    Forecasts,
}

/// Which runs.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Which runs")]
pub struct Matching {
    /// Only in this state; may be given several times
    #[arg(long, value_parser = status)]
    pub status: Vec<RunStatus>,
    /// Only with this strategy
    #[arg(long, value_parser = strategy)]
    pub strategy: Option<Strategy>,
    /// Only accepted at or after this moment: `2026-05-01`, `2026-05-01T12:00Z`, or `2h` for two hours ago
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    pub since: Option<Timestamp>,
    /// Only accepted before this moment
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    pub until: Option<Timestamp>,
    /// Only where request or answer contain this, whatever the case
    #[arg(long, value_name = "TEXT")]
    pub search: Option<String>,
    /// Only of this conversation
    #[arg(long, value_name = "ID")]
    pub session: Option<SessionId>,
    /// Only asked for by this person
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// Only answered by this role
    #[arg(long, value_name = "ROLE")]
    pub role: Option<String>,
    /// Only with reasoning of at least this quality, 0 to 1
    #[arg(long, value_name = "SCORE", value_parser = score)]
    pub min_quality: Option<Score>,
    /// Only with reasoning of at most this quality, 0 to 1
    #[arg(long, value_name = "SCORE", value_parser = score)]
    pub max_quality: Option<Score>,
    /// Only with more than one version of the plan
    #[arg(long)]
    pub replanned: bool,
    /// Only with an intent of which nobody can tell whether it happened
    #[arg(long)]
    pub in_doubt: bool,
}

impl From<Matching> for domain::store::RunFilter {
    fn from(matching: Matching) -> Self {
        Self {
            status: matching.status,
            strategy: matching.strategy,
            session: matching.session,
            user: matching.user,
            role: matching.role,
            min_quality: matching.min_quality.map(Score::get),
            max_quality: matching.max_quality.map(Score::get),
            since: matching.since,
            until: matching.until,
            replanned: matching.replanned.then_some(true),
            in_doubt: matching.in_doubt.then_some(true),
            text: matching.search,
            ..Self::default()
        }
    }
}

/// `agentwright runs list`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  agentwright runs list --status waiting
  agentwright runs list --since 1d --search invoice
  agentwright runs list --in-doubt -o json")]
pub struct ListRuns {
    /// Which runs
    #[command(flatten)]
    pub matching: Matching,
    /// How many at once
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: u16,
    /// Where an earlier listing stopped
    #[arg(long)]
    pub cursor: Option<String>,
}

/// `agentwright runs show`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:\n  agentwright runs show last\n  agentwright runs show run_019a84f0 --events")]
pub struct ShowRun {
    /// The run: an id, the beginning of one, or `last`
    pub run: String,
    /// List its events
    #[arg(long)]
    pub events: bool,
}

/// `agentwright runs resume`
#[derive(Debug, Clone, clap::Args)]
#[command(
    after_help = "Examples:\n  agentwright runs resume last --answer yes\n  agentwright runs resume last --answer \"the blue one\""
)]
pub struct Resume {
    /// The run: an id, the beginning of one, or `last`
    pub run: String,
    /// What to answer it
    #[arg(long, value_name = "TEXT")]
    pub answer: Option<String>,
    /// Which question is answered, if it asks several
    #[arg(long, value_name = "NAME", requires = "answer")]
    pub to: Option<String>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// `agentwright runs fork`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:\n  agentwright runs show last --events\n  agentwright runs fork last --at 7")]
pub struct Fork {
    /// The run: an id, the beginning of one, or `last`
    pub run: String,
    /// The last event that both runs share, by its number
    #[arg(long, value_name = "SEQ")]
    pub at: Seq,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// `agentwright runs replay`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Without changes the replay must bring exactly the same; if it does not, the exit code is 6.

Examples:
  agentwright runs replay last
  agentwright runs replay last --set planning.max_replans=0
  agentwright runs replay last --result 'step/look/1={\"sky\": \"clear\"}' --live")]
pub struct Replay {
    /// The run: an id, the beginning of one, or `last`
    pub run: String,
    /// Change a setting
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    pub set: Vec<(String, String)>,
    /// Change a recorded result, by the key of its event
    #[arg(long, value_name = "KEY=JSON", value_parser = result)]
    pub result: Vec<(String, Value)>,
    /// Change a prompt
    #[arg(long, value_name = "NAME=FILE", value_parser = file)]
    pub prompt: Vec<(String, PathBuf)>,
    /// Ask models and call reading tools where nothing is on record
    #[arg(long)]
    pub live: bool,
}

/// `agentwright runs export`
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:\n  agentwright runs export last > run.jsonl")]
pub struct ExportRun {
    /// The run: an id, the beginning of one, or `last`
    pub run: String,
}

fn score(text: &str) -> Result<Score, String> {
    let number: f64 = text.parse().map_err(|_| "it is not a number from 0 to 1".to_owned())?;
    Score::try_from(number).map_err(|error| error.to_string())
}

fn status(word: &str) -> Result<RunStatus, String> {
    let known = RunStatus::ALL.map(RunStatus::word);
    RunStatus::from_word(word).ok_or_else(|| format!("the states are `{}`", known.join("`, `")))
}

/// A moment, or how long ago it was.
pub(super) fn moment(text: &str) -> Result<Timestamp, String> {
    let words = || "write `2026-05-01`, `2026-05-01T12:00Z`, or `2h` for two hours ago".to_owned();
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    if let Ok(date) = text.parse::<jiff::civil::DateTime>() {
        let zoned = date.to_zoned(jiff::tz::TimeZone::system()).map_err(|_| words())?;
        return Ok(zoned.timestamp());
    }
    let span: jiff::Span = text.parse().map_err(|_| words())?;
    let zoned = Timestamp::now().to_zoned(jiff::tz::TimeZone::system());
    zoned.checked_sub(span).map(|moment| moment.timestamp()).map_err(|_| words())
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("write `key=value`".to_owned()),
    }
}

fn result(text: &str) -> Result<(String, Value), String> {
    let (key, json) = pair(text)?;
    let value = serde_json::from_str(&json).map_err(|error| format!("what follows `=` is not JSON: {error}"))?;
    Ok((key, value))
}

fn file(text: &str) -> Result<(String, PathBuf), String> {
    pair(text).map(|(name, file)| (name, PathBuf::from(file)))
}
