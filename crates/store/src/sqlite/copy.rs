//! Whole databases, copied page by page while others go on writing.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use domain::store::StoreError;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::connect::{self, KNOWN};
use super::fault::fault;
use crate::backup::BackupError;

/// How many pages are copied between two words about the progress.
const PAGES: i32 = 2_000;

/// What is told while pages are copied: how many there are, and how many of them are there.
pub(crate) type Progress<'p> = &'p mut dyn FnMut(u64, u64);

/// Opens a database to look at it, and leaves it as it is.
pub(crate) fn look(file: &Path) -> Result<Connection, StoreError> {
    let alone = !beside(file, "-wal").exists();
    // Without a log of writes nothing has to be read besides the file, which may lie where nothing can be written.
    let name = format!("file:{}?{}", escaped(file), if alone { "immutable=1" } else { "mode=ro" });
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(name, flags).map_err(fault)?;
    let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    Ok(connection)
}

/// Whether this program knows a database's schema.
pub(crate) fn check_version(connection: &Connection) -> Result<i64, StoreError> {
    let found = connect::version(connection)?;
    if found > KNOWN { Err(StoreError::Newer { found, known: KNOWN }) } else { Ok(found) }
}

/// Whether a database is whole, and one of ours that this program can use.
pub(crate) fn check(connection: &Connection) -> Result<(), StoreError> {
    let found = check_version(connection)?;
    let damaged = |detail: String| StoreError::Damaged { detail };
    if found < 1 || !has_runs(connection)? {
        return Err(damaged("it holds no runs of ours".to_owned()));
    }
    let said: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(fault)?;
    if said == "ok" { Ok(()) } else { Err(damaged(said)) }
}

/// How many runs a database holds.
pub(crate) fn runs(connection: &Connection) -> Result<u64, StoreError> {
    connection
        .query_row("SELECT count(*) FROM run", [], |row| row.get::<_, i64>(0))
        .map(|runs| runs as u64)
        .map_err(fault)
}

fn has_runs(connection: &Connection) -> Result<bool, StoreError> {
    let named = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('run', 'event')";
    connection.query_row(named, [], |row| row.get::<_, i64>(0)).map(|tables| tables == 2).map_err(fault)
}

/// Writes a database into a new file as it stands now, whatever is written meanwhile; on return it is on disk and whole.
pub(crate) fn into_file(from: &Connection, file: &Path, progress: Progress<'_>) -> Result<(), BackupError> {
    let io = |source: io::Error| BackupError::Unwritable { file: file.to_owned(), source };
    let partial = beside(file, ".partial");
    let made = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&partial).map_err(io)?;
    let written = (|| {
        let mut to = Connection::open(&partial).map_err(fault)?;
        pages(from, &mut to, progress)?;
        // One file that needs nothing beside it.
        to.pragma_update(None, "journal_mode", "DELETE").map_err(fault)?;
        check(&to)?;
        made.sync_all().map_err(io)?;
        std::fs::rename(&partial, file).map_err(io)?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(io)
    })();
    if written.is_err() {
        // What is half done helps nobody.
        let _ = std::fs::remove_file(&partial);
    }
    written
}

/// Copies all pages of one database over another, in one transaction of either.
#[expect(clippy::disallowed_methods, reason = "databases are copied on a thread where blocking is allowed")]
pub(crate) fn pages(from: &Connection, to: &mut Connection, progress: Progress<'_>) -> Result<(), BackupError> {
    // Held open, so that all pages are of one moment and nobody who writes makes us begin again.
    from.execute_batch("BEGIN").map_err(fault)?;
    let copied = (|| {
        connect::version(from)?;
        let backup = Backup::new(from, to).map_err(fault)?;
        loop {
            let step = backup.step(PAGES).map_err(fault)?;
            let done = backup.progress();
            progress(done.pagecount.max(0) as u64, (done.pagecount - done.remaining).max(0) as u64);
            match step {
                StepResult::Done => return Ok(()),
                StepResult::More => {}
                _ => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    })();
    from.execute_batch("COMMIT").map_err(fault)?;
    copied
}

/// Whether a file says that it is used with a log of writes, and there is none.
pub(super) fn is_without_log(file: &Path) -> bool {
    // The two bytes that say which version of SQLite can write and read it: 2 for those that know such logs.
    let mut head = [0u8; 20];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head[18..20] == [2, 2] && !beside(file, "-wal").exists()
}

/// The file of the same name with something added.
pub(crate) fn beside(file: &Path, more: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(more);
    name.into()
}

/// A path as it is written in a URI.
fn escaped(file: &Path) -> String {
    let escape = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => char::from(*byte).to_string(),
        byte => format!("%{byte:02x}"),
    };
    file.as_os_str().as_encoded_bytes().iter().map(escape).collect()
}
