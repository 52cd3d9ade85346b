//! What people have accepted of servers, and what servers said last: two small files for each, in one folder.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use domain::hash::Hash;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::definition::Definition;

/// What somebody has accepted of one server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pins {
    /// The address of the server's definition as it was written.
    pub server: Hash,
    /// The version of the protocol it spoke.
    pub protocol: String,
    /// Its tools, by its own names for them.
    pub tools: BTreeMap<String, Pin>,
}

/// An accepted tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    /// The address of the definition.
    pub hash: Hash,
    /// What was accepted.
    pub definition: Definition,
}

/// What a server said last about its tools.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// The version of the protocol it spoke.
    pub protocol: String,
    /// All its tools.
    pub tools: Vec<Definition>,
}

/// How what a server says differs from what was accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Differences {
    /// Accepted tools that are others now, with what changed.
    pub changed: BTreeMap<String, Vec<String>>,
    /// Tools that nobody has accepted yet.
    pub new: Vec<String>,
    /// Accepted tools that the server has no more.
    pub gone: Vec<String>,
}

/// The folder they are kept in.
#[derive(Debug, Clone)]
pub struct PinFolder(PathBuf);

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("`{}` cannot be used", .file.display())]
pub struct PinError {
    /// Which.
    pub file: PathBuf,
    /// Why.
    #[source]
    pub source: io::Error,
}

impl From<Definition> for Pin {
    fn from(definition: Definition) -> Self {
        Self { hash: definition.hash(), definition }
    }
}

impl Pins {
    /// How what a server says now differs.
    pub fn differences(&self, now: &[Definition]) -> Differences {
        let mut found = Differences::default();
        for definition in now {
            match self.tools.get(&definition.name) {
                None => found.new.push(definition.name.clone()),
                Some(pin) if pin.hash != definition.hash() => {
                    found.changed.insert(definition.name.clone(), pin.definition.differences(definition));
                }
                Some(_) => {}
            }
        }
        let has = |name: &String| now.iter().any(|definition| definition.name == *name);
        found.gone = self.tools.keys().filter(|name| !has(name)).cloned().collect();
        found
    }
}

impl Differences {
    /// Whether everything is as it was accepted.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.new.is_empty() && self.gone.is_empty()
    }

    /// Why an accepted tool must not be called, if that is so.
    pub fn against(&self, tool: &str) -> Option<String> {
        match self.changed.get(tool) {
            Some(changes) => Some(format!("its definition has changed: {}", changes.join("; "))),
            None if self.gone.iter().any(|gone| gone == tool) => Some("its server does not have it any more".into()),
            None => None,
        }
    }
}

impl PinFolder {
    /// The folder `mcp` in the directory that holds what nobody configured a place for.
    pub fn in_state(directory: &Path) -> Self {
        Self(directory.join("mcp"))
    }

    /// What was accepted of a server. Pins that do not fit their hashes were not made by us, and count as none.
    pub fn accepted(&self, server: &str) -> Result<Option<Pins>, PinError> {
        let mut pins: Option<Pins> = read(&self.file(server, "pins"))?;
        if let Some(pins) = &mut pins {
            pins.tools.retain(|name, pin| pin.hash == pin.definition.hash() && *name == pin.definition.name);
        }
        Ok(pins)
    }

    /// Keeps what was accepted.
    pub fn accept(&self, server: &str, pins: &Pins) -> Result<(), PinError> {
        write(&self.file(server, "pins"), pins)
    }

    /// What a server said last.
    pub fn seen(&self, server: &str) -> Result<Option<Seen>, PinError> {
        read(&self.file(server, "seen"))
    }

    /// Keeps what a server said.
    pub fn see(&self, server: &str, seen: &Seen) -> Result<(), PinError> {
        write(&self.file(server, "seen"), seen)
    }

    /// Forgets all about a server.
    pub fn forget(&self, server: &str) -> Result<(), PinError> {
        for kind in ["pins", "seen"] {
            let file = self.file(server, kind);
            match std::fs::remove_file(&file) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => return Err(PinError { file, source }),
                _ => {}
            }
        }
        Ok(())
    }

    fn file(&self, server: &str, kind: &str) -> PathBuf {
        self.0.join(format!("{server}.{kind}.json"))
    }
}

fn read<T: DeserializeOwned>(file: &Path) -> Result<Option<T>, PinError> {
    let wrong = |source| PinError { file: file.to_owned(), source };
    match std::fs::read(file) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| wrong(io::Error::other(error))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(wrong(error)),
    }
}

/// Whoever reads meanwhile sees the old file or the new one.
fn write<T: Serialize>(file: &Path, value: &T) -> Result<(), PinError> {
    let written = || {
        let folder = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let draft = file.with_extension(format!("{}.draft", std::process::id()));
        std::fs::write(&draft, serde_json::to_vec_pretty(value)?)?;
        std::fs::rename(&draft, file)
    };
    written().map_err(|source| PinError { file: file.to_owned(), source })
}
