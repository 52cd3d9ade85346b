//! Runs that have brought processes down are advanced in processes of their own.

use std::process::Stdio;
use std::sync::Arc;

use domain::id::RunId;
use futures::FutureExt;
use runtime::Isolate;
use tokio::process::Command;

use crate::config::{Loaded, PREFIX};

/// Advances a run with `agentwright advance RUN` in a child of this process. For the program itself: a library does not
/// know what its process is called.
pub fn in_child(loaded: &Loaded) -> Option<Isolate> {
    let program = std::env::current_exe().ok()?;
    let file = loaded.project_file().map(ToOwned::to_owned);
    let directory = loaded.surroundings().directory().to_owned();
    let database = loaded.database.url();
    Some(Arc::new(move |run: RunId| {
        let mut child = Command::new(&program);
        if let Some(file) = &file {
            child.arg("--config").arg(file);
        }
        // Arguments can be read by everybody on the machine, and a URL may hold a password.
        child.env(format!("{PREFIX}DATABASE__URL"), &database);
        child.args(["advance", &run.to_string()]).current_dir(&directory);
        child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        async move {
            match child.status().await {
                Ok(status) => tracing::info!(%run, %status, "advanced a run in a process of its own"),
                Err(error) => tracing::warn!(%run, %error, "could not start a process for a run"),
            }
        }
        .boxed()
    }))
}
