//! `agentwright backup` and `agentwright restore`

use std::path::PathBuf;

use clap::Args;

/// `agentwright backup`
#[derive(Debug, Args)]
#[command(after_help = "\
Nobody has to stop: what was on record when the backup began is in it.

Examples:
  agentwright backup                        into the folder `backups` beside the database
  agentwright backup /media/usb/agentwright.db")]
pub struct Backup {
    /// The file to write; one named after the time when left out
    pub file: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, requires = "file")]
    pub force: bool,
}

/// `agentwright restore`
#[derive(Debug, Args)]
#[command(after_help = "\
Stop the server first. What the database holds now is kept beside it.

Examples:
  agentwright restore .agentwright/backups/agentwright-20261115-220500.db")]
pub struct Restore {
    /// The backup
    pub file: PathBuf,
}
