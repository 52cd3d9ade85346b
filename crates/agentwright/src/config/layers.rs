//! Where values come from: the user's file, the project's, the environment, flags; each lies over the one before.

use std::path::{Path, PathBuf};

use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};

use super::Flags;
use super::error::ConfigError;
use super::surroundings::Surroundings;

/// What the project's file is called.
pub const PROJECT_FILE: &str = "agentwright.toml";

/// What our variables begin with.
pub const PREFIX: &str = "AGENTWRIGHT__";

/// The layers of a configuration, and the project it is the configuration of.
pub(super) struct Layers {
    pub(super) figment: Figment,
    pub(super) project_file: Option<PathBuf>,
}

/// Reads all layers there are.
pub(super) fn read(surroundings: &Surroundings, flags: &Flags) -> Result<Layers, ConfigError> {
    let mut figment = Figment::new();
    if let Some(file) = surroundings.user_file().filter(|file| file.exists()) {
        figment = figment.merge(file_layer(&file)?);
    }
    let project_file = match &flags.config {
        Some(file) => Some(surroundings.directory().join(file)),
        None => project_file(surroundings.directory()),
    };
    if let Some(file) = &project_file {
        figment = figment.merge(file_layer(file)?);
    }
    if let Some(named) = surroundings.variable("META_AGENT_CONFIG_FILE") {
        let keys = super::learning::keys_in(&surroundings.directory().join(named))?;
        let keys = Value::serialize(&keys).unwrap_or_else(|_| Value::from(Dict::new()));
        figment = figment.merge(Layer::of_key(format!("`{named}`"), "learning", keys));
    }
    if let Some(url) = surroundings.variable("DATABASE_URL") {
        figment = figment.merge(Layer::of_key("`DATABASE_URL`", "database.url", Value::from(url)));
    }
    for (variable, key, value) in super::telemetry::standard(surroundings) {
        figment = figment.merge(Layer::of_key(format!("`{variable}`"), key, value));
    }
    for (rest, text) in surroundings.variables_after(PREFIX) {
        let key = rest.to_ascii_lowercase().replace("__", ".");
        let origin = format!("`{PREFIX}{rest}`");
        // Numbers, truth values and lists are read as such; all else is text.
        let value = text.parse().unwrap_or_else(|never| match never {});
        figment = figment.merge(Layer::of_key(origin, &key, value));
    }
    if let Some(url) = &flags.database {
        figment = figment.merge(Layer::of_key("`--database`", "database.url", Value::from(url.as_str())));
    }
    for (key, text) in &flags.set {
        let value = text.parse().unwrap_or_else(|never| match never {});
        figment = figment.merge(Layer::of_key("`--set`", key, value));
    }
    Ok(Layers { figment, project_file })
}

/// The file or variable that a key's value comes from.
pub(super) fn origin_of(figment: &Figment, path: &[String]) -> String {
    let found = path.split_first().and_then(|(section, rest)| {
        let mut value = figment.find_value(section).ok()?;
        let mut origin = figment.get_metadata(value.tag());
        for key in rest {
            let Some(inner) = value.as_dict().and_then(|dict| dict.get(key)).cloned() else { break };
            value = inner;
            origin = figment.get_metadata(value.tag());
        }
        origin
    });
    found.map_or_else(|| "the defaults".to_owned(), |metadata| metadata.name.to_string())
}

/// Whether a layer says something about a key.
pub(super) fn is_set(figment: &Figment, path: &[&str]) -> bool {
    let Some((section, rest)) = path.split_first() else { return false };
    let Ok(value) = figment.find_value(section) else { return false };
    rest.iter().try_fold(&value, |value, key| value.as_dict()?.get(*key)).is_some()
}

/// The nearest `agentwright.toml`, upwards.
fn project_file(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().map(|directory| directory.join(PROJECT_FILE)).find(|file| file.is_file())
}

struct Layer {
    origin: String,
    dict: Dict,
}

impl Layer {
    fn of_key(origin: impl Into<String>, key: &str, value: Value) -> Self {
        let nested = figment::util::nest(key, value);
        Self { origin: origin.into(), dict: nested.into_dict().unwrap_or_default() }
    }
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.origin.clone())
    }

    fn data(&self) -> figment::error::Result<Map<Profile, Dict>> {
        Ok(Profile::Default.collect(self.dict.clone()))
    }
}

fn file_layer(file: &Path) -> Result<Layer, ConfigError> {
    let text =
        std::fs::read_to_string(file).map_err(|source| ConfigError::Unreadable { file: file.to_owned(), source })?;
    let mut table: toml::Table = toml::from_str(&text)
        .map_err(|source| ConfigError::NotToml { file: file.to_owned(), source: source.into() })?;
    anchor(&mut table, file.parent().unwrap_or(Path::new("/")));
    let dict = Value::serialize(&table).ok().and_then(Value::into_dict).unwrap_or_default();
    Ok(Layer { origin: format!("`{}`", file.display()), dict })
}

/// Paths in a file are relative to the file, not to wherever somebody happens to be.
fn anchor(table: &mut toml::Table, directory: &Path) {
    let absolute = |path: &str| directory.join(path).display().to_string();
    if let Some(toml::Value::String(url)) = table.get_mut("database").and_then(|section| section.get_mut("url"))
        && let Some(path) = super::database::sqlite_path(url)
    {
        *url = format!("sqlite:{}", absolute(path));
    }
    for key in ["tls_cert", "tls_key"] {
        if let Some(toml::Value::String(path)) = table.get_mut("server").and_then(|section| section.get_mut(key)) {
            *path = absolute(path);
        }
    }
    let paths = table.get_mut("tools").and_then(|section| section.get_mut("paths"));
    for path in paths.and_then(toml::Value::as_array_mut).into_iter().flatten() {
        if let toml::Value::String(path) = path {
            *path = absolute(path);
        }
    }
}
