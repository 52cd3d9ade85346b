//! `agentwright traces import`: files of several formats become traces, one by one, and one that is wrong stops no other.

mod items;

use std::path::{Path, PathBuf};

use domain::id::TraceId;
use domain::store::Store;
use domain::trace::{Part, Source, Standing};
use futures::StreamExt;
use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;
use serde::Serialize;

use super::super::Here;
use super::format;
use crate::args::{Format, ImportTraces};
use crate::exit::{Exit, Refusal};
use crate::print;
use items::{Item, items};

/// How many traces are on their way to the database at once.
const AT_ONCE: usize = 32;
/// How many refusals are told.
const TOLD: usize = 5;

/// What became of an import.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Imported {
    /// New traces, and ones that say something else than before.
    pub(crate) imported: u64,
    /// Traces that were there already.
    pub(crate) known: u64,
    /// What could not be taken in.
    pub(crate) refused: u64,
    /// The first of these.
    pub(crate) refusals: Vec<Refused>,
    /// Where the traces are filed.
    pub(crate) sources: Vec<Source>,
}

/// Something that could not be taken in.
#[derive(Debug, Serialize)]
pub(crate) struct Refused {
    /// Which file, and where in it.
    pub(crate) place: String,
    /// Why.
    pub(crate) because: String,
}

/// What the traces of one file have in common.
struct Lot {
    format: Format,
    source: Source,
    standing: Standing,
    at: Timestamp,
}

/// What becomes of one trace.
enum Fate {
    Imported,
    Known,
    Refused(Refused),
}

pub(super) async fn import(here: &Here, store: &dyn Store, args: ImportTraces) -> anyhow::Result<Exit> {
    let bar = here.bars.add(ProgressBar::new_spinner());
    bar.set_style(ProgressStyle::with_template("{spinner} {human_pos} traces  {wide_msg}")?);
    let mut imported = Imported::default();
    let standing = if args.watch_only { Standing::Watched } else { Standing::Evidence };
    for file in files(&args.paths)? {
        bar.set_message(file.display().to_string());
        let Some(format) = args.format.or(items::first(&file)?.as_ref().and_then(format::guess)) else {
            let because = format!("it is in none of the formats {}", format::known());
            imported.count(Fate::Refused(Refused { place: file.display().to_string(), because }));
            continue;
        };
        let lot = Lot { format, source: source(&args, format), standing, at: written(&file) };
        let fates = futures::stream::iter(items(&file)?).map(|item| taken(store, item, &lot)).buffered(AT_ONCE);
        let mut fates = std::pin::pin!(fates);
        while let Some(fates) = fates.next().await {
            for fate in fates? {
                imported.count(fate);
                bar.inc(1);
            }
        }
        if !imported.sources.contains(&lot.source) {
            imported.sources.push(lot.source.clone());
        }
    }
    bar.finish_and_clear();
    if imported.sources.is_empty() {
        let first = imported.refusals.first();
        let words =
            first.map_or("there are no files to import".to_owned(), |it| format!("`{}`: {}", it.place, it.because));
        return Err(Refusal::usage(words).hint("say what it is with `--format`").into());
    }
    here.screen.show(&imported, |ink| print::traces::imported(&imported, ink))?;
    Ok(if imported.refused == 0 { Exit::Done } else { Exit::Failed })
}

impl Imported {
    fn count(&mut self, fate: Fate) {
        match fate {
            Fate::Imported => self.imported += 1,
            Fate::Known => self.known += 1,
            Fate::Refused(refused) => {
                self.refused += 1;
                if self.refusals.len() < TOLD {
                    self.refusals.push(refused);
                }
            }
        }
    }
}

fn source(args: &ImportTraces, format: Format) -> Source {
    match (&args.source, format) {
        (Some(name), _) => Source::import(name.as_str()),
        (None, Format::Agentwright) => Source::import("agentwright"),
        (None, Format::Tau) => Source::import("tau"),
        (None, Format::Livemcp) => Source::import("livemcp"),
        (None, Format::WhoWhen) => Source::import("who_when"),
        (None, Format::Trail) => Source::import("trail"),
        (None, Format::Otlp) => Source::import("otlp"),
    }
}

/// Takes in what an item holds, which may be pieces of several traces.
async fn taken(store: &dyn Store, Item { place, value }: Item, lot: &Lot) -> anyhow::Result<Vec<Fate>> {
    let refused = |because: String| Fate::Refused(Refused { place: place.clone(), because });
    let read = value.and_then(|value| format::read(lot.format, &value, lot.at).map(|traces| (value, traces)));
    let (value, traces) = match read {
        Ok(read) => read,
        Err(because) => return Ok(vec![refused(because)]),
    };
    let mut fates = Vec::new();
    for (id, parts) in traces {
        let parts = match store.trace(&id).await? {
            None => parts,
            Some(_) if id.run().is_some() => {
                fates.push(Fate::Known);
                continue;
            }
            // A file that was copied is younger than it was; what it holds is not.
            Some(known) => {
                let as_before = format::read(lot.format, &value, known.started_at);
                as_before.ok().and_then(|mut traces| traces.remove(&id)).unwrap_or(parts)
            }
        };
        let received = store.receive(&lot.source, lot.standing, renamed(&id, parts), Timestamp::now()).await?;
        fates.push(match received.added + received.changed {
            0 if received.refused > 0 => refused(format!("there is a trace `{id}` from another source")),
            0 => Fate::Known,
            _ => Fate::Imported,
        });
    }
    Ok(fates)
}

/// When a file was written: what it holds is at least as old.
fn written(file: &Path) -> Timestamp {
    let modified = std::fs::metadata(file).and_then(|about| about.modified());
    modified.ok().and_then(|at| Timestamp::try_from(at).ok()).unwrap_or_else(Timestamp::now)
}

/// Runs of another installation are not runs of ours.
fn renamed(id: &TraceId, parts: Vec<Part>) -> Vec<Part> {
    match id.run().and_then(|run| format!("elsewhere.{run}").parse::<TraceId>().ok()) {
        Some(id) => parts.into_iter().map(|part| Part { trace: id.clone(), ..part }).collect(),
        None => parts,
    }
}

/// The files that paths name; of folders everything that is called like JSON, in the order of their names.
fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut folders = vec![path.clone()];
        let before = files.len();
        while let Some(folder) = folders.pop() {
            let entries = std::fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))?;
            for entry in entries {
                let path = entry.map_err(|error| unreadable(&folder, &error))?.path();
                match path.extension().and_then(|extension| extension.to_str()) {
                    _ if path.is_dir() => folders.push(path),
                    Some("json" | "jsonl") => files.push(path),
                    _ => {}
                }
            }
        }
        files[before..].sort();
    }
    Ok(files)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Refusal {
    Refusal::usage(format!("`{}` cannot be read: {error}", path.display()))
}
