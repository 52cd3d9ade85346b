//! A file of JSON lines that is only ever appended to, each line under a key that occurs once.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use domain::tool::{ToolError, ToolSpec};
use serde_json::Value;

use crate::errors;

/// The file. It is made when the first line is written.
#[derive(Debug, Clone)]
pub(super) struct Journal {
    path: PathBuf,
}

/// Why a line is not, or perhaps not, in the file.
enum AppendError {
    /// It is not.
    Unwritten(io::Error),
    /// The system does not say whether it reached the disk.
    Unsynced(io::Error),
}

impl Journal {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Appends a line that holds its key under `key` and returns once it is on disk. A key that is there already
    /// changes nothing.
    pub(super) async fn append(&self, spec: &ToolSpec, key: &str, line: Value) -> Result<(), ToolError> {
        let (path, owned) = (self.path.clone(), key.to_owned());
        let place = self.path.display();
        match blocking(move || append(&path, &owned, &line)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(AppendError::Unwritten(error))) => {
                Err(errors::unavailable(spec, format!("`{place}` cannot be written: {error}")))
            }
            Ok(Err(AppendError::Unsynced(error))) => {
                Err(errors::lost(spec, format!("`{place}` was written but perhaps not kept: {error}")))
            }
            Err(error) => Err(errors::lost(spec, error.to_string())),
        }
    }

    /// The line with this key.
    pub(super) async fn find(&self, spec: &ToolSpec, key: &str) -> Result<Option<Value>, ToolError> {
        let (path, key) = (self.path.clone(), key.to_owned());
        let found = blocking(move || match File::open(&path) {
            Ok(file) => find(&file, &key),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        });
        found
            .await
            .and_then(|found| found)
            .map_err(|error| errors::unavailable(spec, format!("`{}` cannot be read: {error}", self.path.display())))
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)
}

fn append(path: &Path, key: &str, line: &Value) -> Result<(), AppendError> {
    use AppendError::{Unsynced, Unwritten};
    let is_new = !path.exists();
    // The folder of a project's own state may not be there yet; what is above it is not ours to make.
    if let Some(folder) = path.parent().filter(|folder| !folder.exists()) {
        std::fs::create_dir(folder).map_err(Unwritten)?;
    }
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(Unwritten)?;
    // Other processes may share the file; the lock goes with the handle.
    file.lock().map_err(Unwritten)?;
    if find(&file, key).map_err(Unwritten)?.is_some() {
        // It may have been written by an attempt that never came to syncing it.
        return file.sync_all().map_err(Unsynced);
    }
    let before = file.metadata().map_err(Unwritten)?.len();
    let mut text = if ends_open(&mut file).map_err(Unwritten)? { "\n".to_owned() } else { String::new() };
    text.push_str(&line.to_string());
    text.push('\n');
    if let Err(error) = file.write_all(text.as_bytes()) {
        // Half a line is no line even if this fails: lines count only with their end.
        let _ = file.set_len(before);
        return Err(Unwritten(error));
    }
    file.sync_all().map_err(Unsynced)?;
    match path.parent().filter(|folder| is_new && !folder.as_os_str().is_empty()) {
        Some(folder) => File::open(folder).and_then(|folder| folder.sync_all()).map_err(Unsynced),
        None => Ok(()),
    }
}

/// Whether a crash left half a line at the end.
fn ends_open(file: &mut File) -> io::Result<bool> {
    if !file.metadata()?.is_file() || file.metadata()?.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

fn find(mut file: &File, key: &str) -> io::Result<Option<Value>> {
    if !file.metadata()?.is_file() {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        if line.ends_with(b"\n")
            && let Ok(value) = serde_json::from_slice::<Value>(&line)
            && value["key"] == key
        {
            return Ok(Some(value));
        }
        line.clear();
    }
    Ok(None)
}
