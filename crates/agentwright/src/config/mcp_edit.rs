//! Adds servers to files and takes them out again; everything else in them stays as it is.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, Table};

use super::mcp::McpSection;
use super::{ConfigError, Loaded};

/// Where a server is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpPlace {
    /// A `.mcp.json`, which other programs read too.
    Shared(PathBuf),
    /// A configuration of ours.
    Own(PathBuf),
}

impl McpPlace {
    /// The file.
    pub fn file(&self) -> &Path {
        match self {
            McpPlace::Shared(file) | McpPlace::Own(file) => file,
        }
    }

    /// Writes a server down.
    pub fn add(&self, name: &str, section: &McpSection) -> Result<(), ConfigError> {
        match self {
            McpPlace::Shared(file) => {
                let mut whole = json(file)?;
                let servers = servers_of(&mut whole);
                servers.insert(name.to_owned(), serde_json::to_value(section).unwrap_or_default());
                write_json(file, &whole)
            }
            McpPlace::Own(file) => {
                let mut document = toml(file)?;
                // Our own types always serialise.
                let written = toml_edit::ser::to_document(section).unwrap_or_default();
                let mut table = written.as_table().clone();
                table.set_position(usize::MAX);
                let quiet = || {
                    let mut table = Table::new();
                    table.set_implicit(true);
                    Item::Table(table)
                };
                let mcp = document.entry("mcp").or_insert_with(quiet);
                let servers = mcp.as_table_mut().map(|mcp| mcp.entry("servers").or_insert_with(quiet));
                match servers.and_then(Item::as_table_mut) {
                    Some(servers) => servers.insert(name, Item::Table(table)),
                    None => return Err(not_tables(file)),
                };
                write(file, &document.to_string())
            }
        }
    }
}

impl Loaded {
    /// The files that may name a server, and are there.
    pub fn mcp_files(&self) -> Vec<PathBuf> {
        let all = [self.mcp_file(), self.project_file().map(Path::to_owned), self.surroundings().user_file()];
        all.into_iter().flatten().filter(|file| file.exists()).collect()
    }
}

/// Takes a server out of a file, and says whether it was there.
pub fn remove_server(file: &Path, name: &str) -> Result<bool, ConfigError> {
    if file.extension().is_some_and(|extension| extension == "json") {
        let mut whole = json(file)?;
        let gone = servers_of(&mut whole).shift_remove(name).is_some();
        if gone {
            write_json(file, &whole)?;
        }
        return Ok(gone);
    }
    let mut document = toml(file)?;
    let servers = document.get_mut("mcp").and_then(|mcp| mcp.get_mut("servers")).and_then(Item::as_table_like_mut);
    let gone = servers.and_then(|servers| servers.remove(name)).is_some();
    if gone {
        write(file, &document.to_string())?;
    }
    Ok(gone)
}

fn servers_of(whole: &mut Value) -> &mut Map<String, Value> {
    if !whole["mcpServers"].is_object() {
        whole["mcpServers"] = Value::Object(Map::new());
    }
    whole["mcpServers"].as_object_mut().expect("it was made one")
}

fn json(file: &Path) -> Result<Value, ConfigError> {
    let Some(text) = text(file)? else { return Ok(Value::Object(Map::new())) };
    match serde_json::from_str(&text) {
        Ok(whole @ Value::Object(_)) => Ok(whole),
        Ok(_) => Err(bad(file, "the file is not a JSON object".to_owned())),
        Err(error) => Err(bad(file, format!("the file is not JSON: {error}"))),
    }
}

fn toml(file: &Path) -> Result<DocumentMut, ConfigError> {
    let text = text(file)?.unwrap_or_default();
    text.parse().map_err(|error: toml_edit::TomlError| bad(file, format!("the file is not TOML: {error}")))
}

fn text(file: &Path) -> Result<Option<String>, ConfigError> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ConfigError::Unreadable { file: file.to_owned(), source }),
    }
}

fn write_json(file: &Path, whole: &Value) -> Result<(), ConfigError> {
    write(file, &format!("{whole:#}\n"))
}

fn write(file: &Path, text: &str) -> Result<(), ConfigError> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(file, text));
    written.map_err(|source| ConfigError::Unwritable { file: file.to_owned(), source })
}

fn bad(file: &Path, problem: String) -> ConfigError {
    ConfigError::BadValue { origin: format!("`{}`", file.display()), key: "mcpServers".to_owned(), problem }
}

fn not_tables(file: &Path) -> ConfigError {
    ConfigError::BadValue {
        origin: format!("`{}`", file.display()),
        key: "mcp.servers".to_owned(),
        problem: "it is not written as tables; add the server by hand".to_owned(),
    }
}
