//! `search.note`: a file of Markdown in the folder of notes, which is found like any other file. The key of the call is
//! in its name, so it is written once.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use domain::hash::Hash;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::words::capped;
use crate::{declare, errors};

/// The longest note, in bytes: no more than what is searched.
const LARGEST: usize = 1 << 20;

pub(super) struct Note {
    spec: ToolSpec,
    folder: PathBuf,
    zone: TimeZone,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What to write down, as Markdown.
    #[schemars(length(min = 1))]
    text: String,
    /// A few words above it; the beginning of the text when left out.
    title: Option<String>,
}

impl Note {
    pub(super) fn new(folder: PathBuf, zone: TimeZone) -> Self {
        let effect = Effect::Write { reversible: true, repeat: Repeat::SameKey, external: false, targets: Vec::new() };
        let spec = declare::spec::<Arguments>(
            "search.note",
            "Writes a note into the user's notes, where it can be found again.",
            effect,
        );
        let returns = declare::fields(json!({"said": "string", "title": "string", "path": "string"}), json!({}));
        Self { spec: declare::returning(spec, returns), folder, zone }
    }
}

#[async_trait]
impl Tool for Note {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { text, title } = declare::parse(&self.spec, arguments)?;
        let text = text.trim();
        if text.is_empty() || text.len() > LARGEST {
            let problem = format!("`text` must hold between 1 and {LARGEST} bytes, got {}", text.len());
            return Err(errors::bad_argument(&self.spec, problem));
        }
        let title = title.map(|title| one_line(&title)).filter(|title| !title.is_empty());
        let content = match &title {
            Some(title) => format!("# {title}\n\n{text}\n"),
            None => format!("{text}\n"),
        };
        let title = title.unwrap_or_else(|| one_line(text.trim_start_matches(['#', ' '])));
        let date = call.now.to_zoned(self.zone.clone()).date();
        let ending = format!("-{}.md", mark(&call.key));
        let name = format!("{date}-{}{ending}", slug(&title));
        let folder = self.folder.clone();
        let written = tokio::task::spawn_blocking(move || write(&folder, &name, &ending, &content)).await;
        let path = match written {
            Ok(Ok(path)) => path,
            Ok(Err(WriteError::Unwritten(error))) => {
                let place = self.folder.display();
                return Err(errors::unavailable(&self.spec, format!("`{place}` cannot be written: {error}")));
            }
            Ok(Err(WriteError::Unsynced(error))) => {
                return Err(errors::lost(&self.spec, format!("the note was written but perhaps not kept: {error}")));
            }
            Err(error) => return Err(errors::lost(&self.spec, error.to_string())),
        };
        Ok(json!({"said": format!("Noted: {title}"), "title": title, "path": path}))
    }
}

/// Why a note is not, or perhaps not, there.
enum WriteError {
    /// It is not.
    Unwritten(io::Error),
    /// The system does not say whether it reached the disk.
    Unsynced(io::Error),
}

/// Writes a note whole or not at all. One that ends like it is the same note.
fn write(folder: &Path, name: &str, ending: &str, content: &str) -> Result<PathBuf, WriteError> {
    use WriteError::{Unsynced, Unwritten};
    fs::create_dir_all(folder).map_err(Unwritten)?;
    for entry in fs::read_dir(folder).map_err(Unwritten)? {
        let entry = entry.map_err(Unwritten)?;
        let known = entry.file_name().to_string_lossy().into_owned();
        if known.ends_with(ending) && !known.starts_with('.') {
            return sync(folder).map(|()| entry.path()).map_err(Unsynced);
        }
    }
    // Hidden, so that nobody finds half a note.
    let (draft, path) = (folder.join(format!(".{name}.draft")), folder.join(name));
    let drafted = File::create(&draft).and_then(|mut file| {
        file.write_all(content.as_bytes())?;
        file.sync_all()
    });
    if let Err(error) = drafted.and_then(|()| fs::rename(&draft, &path)) {
        let _ = fs::remove_file(&draft);
        return Err(Unwritten(error));
    }
    sync(folder).map(|()| path).map_err(Unsynced)
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Twelve digits that stand for a key.
fn mark(key: &str) -> String {
    Hash::of(key.as_bytes()).digits(6)
}

fn one_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let line: String = line.chars().filter(|c| !c.is_control()).collect();
    capped(line.trim(), 60)
}

/// A title as a file name: letters and digits, whatever their script, and nothing that leads elsewhere.
fn slug(title: &str) -> String {
    let words: Vec<String> = title
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let mut slug = words.join("-");
    slug.truncate(slug.floor_char_boundary(60));
    match slug.trim_matches('-') {
        "" => "note".into(),
        slug => slug.to_owned(),
    }
}
