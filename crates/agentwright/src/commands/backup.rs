//! `agentwright backup` and `agentwright restore`

use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;
use serde_json::json;

use super::{Here, keep_out_of_git};
use crate::args::{Backup, Restore};
use crate::compose::backup::{self, BackupError, Progress};
use crate::exit::{Exit, Refusal};
use crate::print::text::count;

pub(super) async fn backup(here: &Here, args: Backup) -> anyhow::Result<Exit> {
    let database = backup::file_of(&here.loaded)?;
    let to = match args.file {
        Some(file) => here.loaded.surroundings().directory().join(file),
        None => {
            let file = backup::usual_place(database, Timestamp::now());
            // A folder of our own, which keeps itself out of repositories.
            if database.exists() {
                file.parent().map(keep_out_of_git).transpose()?;
            }
            file
        }
    };
    let copied = backup::back_up(database.to_owned(), to, args.force, progress(here)).await.map_err(explained)?;
    let json = json!({"file": copied.file, "bytes": copied.bytes, "runs": copied.runs});
    let words = |_| {
        let runs = count(copied.runs as usize, "run");
        format!("{} with {runs}, {}\n", copied.file.display(), size(copied.bytes))
    };
    here.screen.show(&json, words)?;
    Ok(Exit::Done)
}

pub(super) async fn restore(here: &Here, args: Restore) -> anyhow::Result<Exit> {
    let database = backup::file_of(&here.loaded)?;
    let from = here.loaded.surroundings().directory().join(args.file);
    if let Some(folder) = database.parent().filter(|folder| *folder == here.loaded.state_directory()) {
        keep_out_of_git(folder)?;
    }
    let restoring = backup::restore(from, database.to_owned(), Timestamp::now(), progress(here));
    let restored = restoring.await.map_err(explained)?;
    let copied = &restored.copied;
    let json = json!({
        "file": copied.file, "bytes": copied.bytes, "runs": copied.runs, "before": restored.before
    });
    let words = |_| {
        let runs = count(copied.runs as usize, "run");
        let mut words = format!("{} now holds {runs}, {}\n", copied.file.display(), size(copied.bytes));
        if let Some(before) = &restored.before {
            words.push_str(&format!("What it held before is in {}\n", before.display()));
        }
        words
    };
    here.screen.show(&json, words)?;
    Ok(Exit::Done)
}

/// A bar for somebody who watches.
fn progress(here: &Here) -> Progress {
    if !here.screen.stderr_is_terminal {
        return Box::new(|_, _| {});
    }
    let style = ProgressStyle::with_template("{bar:40} {percent}% of {len} pages").ok();
    let bar = here.bars.add(ProgressBar::new(0));
    if let Some(style) = style {
        bar.set_style(style);
    }
    Box::new(move |all, done| {
        bar.set_length(all);
        bar.set_position(done);
        if done == all {
            bar.finish_and_clear();
        }
    })
}

/// What to do about it.
fn explained(error: anyhow::Error) -> anyhow::Error {
    let Some(why) = error.downcast_ref::<BackupError>() else { return error };
    let words = why.to_string();
    let refusal = match why {
        BackupError::Exists { .. } => Refusal::usage(words).hint("choose another name, or say `--force`"),
        BackupError::Missing { .. } => Refusal::usage(words).hint("check the name"),
        BackupError::Unusable { .. } => Refusal::usage(words).hint("nothing was changed; choose another backup"),
        BackupError::InUse { .. } => Refusal::failed(words).hint("stop the server and whatever else uses it first"),
        BackupError::Unwritable { .. } => Refusal::failed(words).hint("check the folder, and the room on its disk"),
        BackupError::Store(_) => return error,
    };
    match std::error::Error::source(why) {
        Some(cause) => refusal.because(cause.to_string()).into(),
        None => refusal.into(),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
