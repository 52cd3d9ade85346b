//! The effective configuration as people read it: TOML, secrets left out, and where each value comes from.

use serde_json::{Map, Value as Json, json};

use super::database::{redacted, redacted_path};
use super::{Loaded, layers};

/// An effective configuration without its secrets.
#[derive(Debug, Clone)]
pub struct Shown {
    table: toml::Table,
    figment: figment::Figment,
}

pub(super) fn shown(loaded: &Loaded) -> Shown {
    let mut config = loaded.config.clone();
    config.database.url = Some(loaded.database.to_string());
    config.tools.paths = Some(loaded.tool_paths());
    config.notifications.webhook = config.notifications.webhook.as_deref().map(redacted_path);
    for endpoint in [&mut config.telemetry.endpoint, &mut config.telemetry.traces_endpoint] {
        *endpoint = endpoint.as_deref().map(redacted);
    }
    for provider in config.providers.values_mut() {
        provider.base_url = provider.base_url.as_deref().map(redacted);
    }
    for section in config.mcp.servers.values_mut() {
        section.url = section.url.as_deref().map(redacted_path);
        section.env.values_mut().chain(section.headers.values_mut()).for_each(hide);
    }
    // Our own types always serialise.
    Shown { table: toml::Table::try_from(&config).unwrap_or_default(), figment: loaded.figment.clone() }
}

/// What is taken from a variable is no secret; anything else may be one.
fn hide(value: &mut String) {
    if !(value.contains("${") && value.ends_with('}')) {
        *value = "***".to_owned();
    }
}

impl Shown {
    /// As TOML.
    pub fn toml(&self) -> String {
        self.written(|_| String::new())
    }

    /// As TOML, with a comment at each value that says where it comes from.
    pub fn toml_with_origins(&self) -> String {
        self.written(|path| format!("  # {}", self.origin(path)))
    }

    /// As JSON: the values, and the origin of each by its key.
    pub fn json(&self) -> Json {
        let origins: Map<String, Json> =
            self.values().into_iter().map(|(key, _, origin)| (key, origin.into())).collect();
        json!({ "config": serde_json::to_value(&self.table).unwrap_or_default(), "origins": origins })
    }

    /// Each value by its key, with its origin.
    pub fn values(&self) -> Vec<(String, Json, String)> {
        let mut values = Vec::new();
        each_value(&self.table, &mut Vec::new(), &mut |path, value| {
            let origin = self.origin(path).trim_matches('`').to_owned();
            values.push((dotted(path), serde_json::to_value(value).unwrap_or_default(), origin));
        });
        values
    }

    fn origin(&self, path: &[String]) -> String {
        let is_set = layers::is_set(&self.figment, &path.iter().map(String::as_str).collect::<Vec<_>>());
        if is_set { layers::origin_of(&self.figment, path) } else { "default".to_owned() }
    }

    fn written(&self, comment: impl Fn(&[String]) -> String) -> String {
        let mut text = String::new();
        let mut open: Option<String> = None;
        each_value(&self.table, &mut Vec::new(), &mut |path, value| {
            let (key, section) = path.split_last().map_or(("", &[][..]), |(key, section)| (key.as_str(), section));
            let header = dotted(section);
            if let toml::Value::Array(items) = value
                && items.iter().any(toml::Value::is_table)
            {
                for item in items {
                    text.push_str(&format!(
                        "\n[[{header}.{key}]]{}\n{item_text}",
                        comment(path),
                        item_text = body(item)
                    ));
                }
                open = None;
                return;
            }
            if open.as_ref() != Some(&header) {
                text.push_str(&format!("{}[{header}]\n", if text.is_empty() { "" } else { "\n" }));
                open = Some(header);
            }
            text.push_str(&format!("{} = {value}{}\n", quoted(key), comment(path)));
        });
        text
    }
}

/// Visits each value: those of a section before those of the sections within it.
fn each_value(table: &toml::Table, path: &mut Vec<String>, visit: &mut impl FnMut(&[String], &toml::Value)) {
    for deep in [false, true] {
        for (key, value) in table {
            path.push(key.clone());
            match value {
                toml::Value::Table(inner) if deep => each_value(inner, path, visit),
                toml::Value::Table(_) => {}
                value if !deep => visit(path, value),
                _ => {}
            }
            path.pop();
        }
    }
}

fn body(item: &toml::Value) -> String {
    let fields = item.as_table().into_iter().flatten();
    fields.map(|(key, value)| format!("{} = {value}\n", quoted(key))).collect()
}

fn dotted(path: &[String]) -> String {
    path.iter().map(|key| quoted(key)).collect::<Vec<_>>().join(".")
}

fn quoted(key: &str) -> String {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { key.to_owned() } else { toml::Value::from(key).to_string() }
}
