//! Backups of whichever database is configured, where it is one in a file.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::config::{Database, Loaded};
use crate::exit::Refusal;

pub use ::store::{BackupError, Copied, Restored};

/// What is told while a copy is made: how many pages there are, and how many of them are done.
pub type Progress = Box<dyn FnMut(u64, u64) + Send>;

/// The file that the database is in; PostgreSQL has its own tools.
pub fn file_of(loaded: &Loaded) -> Result<&Path, Refusal> {
    match &loaded.database {
        Database::Sqlite(file) => Ok(file),
        Database::Postgres(_) => {
            Err(Refusal::usage("the database is on a PostgreSQL server, which has backups of its own")
                .hint("`pg_dump --format=custom` makes a backup, `pg_restore` brings it back"))
        }
    }
}

/// Where a backup goes that nobody named a place for.
pub fn usual_place(database: &Path, now: Timestamp) -> PathBuf {
    let stem = database.file_stem().unwrap_or_default().display();
    let name = format!("{stem}-{}.db", stamp(now));
    database.parent().unwrap_or(Path::new(".")).join("backups").join(name)
}

/// Copies the database into a file.
pub async fn back_up(from: PathBuf, to: PathBuf, replace: bool, mut progress: Progress) -> anyhow::Result<Copied> {
    let copying = move || ::store::back_up(&from, &to, replace, &mut progress);
    Ok(tokio::task::spawn_blocking(copying).await??)
}

/// Replaces the database by a backup.
pub async fn restore(
    backup: PathBuf,
    database: PathBuf,
    now: Timestamp,
    mut progress: Progress,
) -> anyhow::Result<Restored> {
    let copying = move || ::store::restore(&backup, &database, &stamp(now), &mut progress);
    Ok(tokio::task::spawn_blocking(copying).await??)
}

fn stamp(now: Timestamp) -> String {
    now.strftime("%Y%m%d-%H%M%S").to_string()
}
