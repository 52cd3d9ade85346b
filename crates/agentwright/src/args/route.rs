//! `agentwright route …`

use std::path::PathBuf;

use clap::Subcommand;

/// `agentwright route …`
#[derive(Debug, Subcommand)]
pub enum RouteCommand {
    /// Show which way a request goes, and why
    #[command(
        after_help = "Examples:\n  agentwright route explain \"set a timer for ten minutes\"\n  agentwright route explain -o json \"turn it up\""
    )]
    Explain {
        /// The request
        text: String,
    },
    /// Show what each way of dealing with a request has been worth
    #[command(after_help = "Examples:\n  agentwright route pathways\n  agentwright route pathways -o json")]
    Pathways,
    /// Judge labelled requests and print how often that is right
    ///
    /// The file has a JSON object on each line: `text` and `role`, and where known `id`, `slots` and `multi`. With
    /// `-o json` each request is printed on a line of its own, then a summary.
    #[command(
        after_help = "Examples:\n  agentwright route test requests.jsonl\n  agentwright route test -o json requests.jsonl | tail -1"
    )]
    Test {
        /// The labelled requests
        file: PathBuf,
    },
    /// Choose thresholds from labelled requests so that the promise about fast answers holds for them
    #[command(
        after_help = "Examples:\n  agentwright route calibrate requests.jsonl --alpha 0.02\n  agentwright route calibrate requests.jsonl --dry\n  agentwright route calibrate --forget"
    )]
    Calibrate {
        /// The labelled requests: `text` and `role` on each line
        #[arg(required_unless_present = "forget")]
        file: Option<PathBuf>,
        /// The share of wrong fast answers that is tolerated; `fast_path.alpha` when left out
        #[arg(long, value_name = "SHARE")]
        alpha: Option<f64>,
        /// The chance that there are more of them; `fast_path.delta` when left out
        #[arg(long, value_name = "SHARE")]
        delta: Option<f64>,
        /// The share of requests in use that nobody can answer: those labelled `oos` count as if they were that many
        #[arg(long, value_name = "SHARE", default_value_t = 0.15)]
        strangers: f64,
        /// Print the thresholds, but keep the old ones
        #[arg(long)]
        dry: bool,
        /// Go back to the thresholds that are shipped
        #[arg(long, conflicts_with_all = ["file", "alpha", "delta", "strangers", "dry"])]
        forget: bool,
    },
}
