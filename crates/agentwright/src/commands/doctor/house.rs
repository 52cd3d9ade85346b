//! Checks that open what runs need: the database, the disk it is on, and the tools.

use std::path::Path;

use domain::id::RunId;
use domain::run::RunStatus;
use domain::store::{Parting, RunFilter, Store, StoreError, Worker};
use jiff::Timestamp;

use super::Check;
use crate::compose;
use crate::config::{Database, Loaded};
use crate::print::text::count;

/// Below this much free space the disk is as good as full.
const LITTLE: u64 = 100 << 20;

/// Below this much somebody should know.
const SOME: u64 = 1 << 30;

pub(super) async fn checks(loaded: &Loaded) -> Vec<Check> {
    let mut checks = Vec::new();
    let store = match compose::store(loaded).await {
        Ok(store) => store,
        Err(error) => {
            checks.push(unreachable(loaded, &error));
            checks.extend(disk(&loaded.database));
            return checks;
        }
    };
    checks.push(database(loaded, store.as_ref()).await);
    checks.extend(disk(&loaded.database));
    checks.extend(attention(store.as_ref()).await);
    checks.extend(super::around::told_by(loaded, store.as_ref()).await);
    checks.push(match compose::tools(loaded, store) {
        Ok(tools) => Check::ok("tools", count(tools.specs().len(), "tool")),
        Err(error) => Check::failed("tools", &error),
    });
    checks
}

/// Reads and really writes: a worker that says it is alive and leaves at once leaves nothing behind.
async fn database(loaded: &Loaded, store: &dyn Store) -> Check {
    let tried = async {
        let now = Timestamp::now();
        let worker = Worker { id: format!("doctor-{}", RunId::fresh()), host: String::new(), pid: 0, started: 0 };
        store.beat(&worker, now).await?;
        store.part(&worker.id, Parting::InOrder, now).await?;
        store.count(&RunFilter::default()).await
    };
    match tried.await {
        Ok(runs) => Check::ok(
            "database",
            format!("{} can be written to and has {}", loaded.database, count(runs as usize, "run")),
        ),
        Err(error) => unreachable(loaded, &error.into()),
    }
}

fn unreachable(loaded: &Loaded, error: &anyhow::Error) -> Check {
    let newer = error.chain().any(|cause| matches!(cause.downcast_ref(), Some(StoreError::Newer { .. })));
    let hint = match &loaded.database {
        _ if newer => "install the newer version, or name another database with `--database`",
        Database::Sqlite(_) => "check the path and its permissions, or name another with `--database sqlite:PATH`",
        Database::Postgres(_) => "check the address and that the server is running, or name another with `--database`",
    };
    let failed = Check::failed("database", error);
    Check::fail("database", format!("{}: {}", loaded.database, failed.detail)).hint(hint)
}

/// What a person should look at.
async fn attention(store: &dyn Store) -> Option<Check> {
    let in_doubt = RunFilter { in_doubt: Some(true), ..RunFilter::default() };
    let waiting = RunFilter { status: vec![RunStatus::Waiting], ..RunFilter::default() };
    let (in_doubt, waiting) = (store.count(&in_doubt).await.ok()?, store.count(&waiting).await.ok()?);
    if in_doubt > 0 {
        let detail =
            format!("{} with an intent of which nobody can tell whether it happened", count(in_doubt as usize, "run"));
        return Some(Check::warn("runs", detail).hint("`agentwright runs list --in-doubt`"));
    }
    if waiting > 0 {
        let detail = format!("{} waiting for somebody", count(waiting as usize, "run"));
        return Some(Check::warn("runs", detail).hint("`agentwright runs list --status waiting`"));
    }
    None
}

fn disk(database: &Database) -> Option<Check> {
    let Database::Sqlite(file) = database else { return None };
    let directory = file.ancestors().skip(1).find(|directory| directory.is_dir()).unwrap_or(Path::new("/"));
    let space = rustix::fs::statvfs(directory).ok()?;
    let free = space.f_bavail.saturating_mul(space.f_frsize);
    let words = format!("{} MB free in `{}`", free >> 20, directory.display());
    Some(match free {
        0..LITTLE => Check::fail("disk", words).hint("free some space: runs stop when nothing can be recorded"),
        LITTLE..SOME => Check::warn("disk", words).hint("free some space before runs stop"),
        _ => Check::ok("disk", words),
    })
}
