//! Servers that speak MCP: what files say about them, gathered by name.
//!
//! `.mcp.json` is shared with other programs, so what is unknown there is ignored with a note, and one definition that
//! makes no sense spoils no other. In our own files it is an error.

use std::collections::BTreeMap;
use std::path::PathBuf;

use domain::hash::Hash;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tools::mcp::McpEffect;

use super::error::ConfigError;
use super::values::{Period, Within};
use super::{Loaded, Surroundings};

/// What other programs call the file that names servers.
pub const MCP_FILE: &str = ".mcp.json";

/// How long the name of a server may be: it stands in the name of each of its tools.
const NAME: usize = 32;

/// `[mcp]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mcp {
    /// Servers, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub servers: BTreeMap<String, McpSection>,
}

/// `[mcp.servers.NAME]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct McpSection {
    /// `stdio` or `http`; told by the other keys when absent.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<McpKind>,
    /// The program that is the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Where it is started; the project's directory when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
    /// Where the server is, if it is not a program of ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whether it is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// How long one call may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Period>,
    /// How long it may take until the server has said what tools it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_timeout: Option<Period>,
    /// The most that one of its messages may hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<Within<1024, 1_073_741_824>>,
    /// Whether what it says about the effects of its tools is believed once they are accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust_hints: Option<bool>,
    /// What it sees of an environment, beside what every command sees.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// What is sent along with every request to it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// What single tools do, whatever the server says: `read`, `egress` or `write`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub effects: BTreeMap<String, McpEffect>,
}

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum McpKind {
    /// Through its standard streams.
    Stdio,
    /// Over streamable HTTP.
    Http,
}

/// A server, with where it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct McpDefinition {
    /// Its name.
    pub name: String,
    /// The file that says how it is reached.
    pub origin: String,
    /// Everything that is said about it.
    pub section: McpSection,
    /// What is wrong with it, if anything is.
    pub problem: Option<String>,
    /// What was ignored.
    pub notes: Vec<String>,
}

impl McpSection {
    /// The address of what a person accepts: how the server is reached, as it is written.
    pub fn written(&self) -> Hash {
        Hash::of_json(&json!({
            "command": self.command, "args": self.args, "env": self.env, "cwd": self.cwd,
            "url": self.url, "headers": self.headers,
        }))
    }

    /// What is wrong with it, in words.
    pub fn problem(&self) -> Option<String> {
        match (&self.command, &self.url, self.kind) {
            (Some(_), Some(_), _) => Some("give either `command` or `url`".to_owned()),
            (None, None, _) => Some("give a `command` or a `url`".to_owned()),
            (None, Some(_), Some(McpKind::Stdio)) => Some("`stdio` needs a `command`".to_owned()),
            (Some(_), None, Some(McpKind::Http)) => Some("`http` needs a `url`".to_owned()),
            (Some(command), None, _) if command.trim().is_empty() => Some("`command` is empty".to_owned()),
            (Some(_), None, _) if !self.headers.is_empty() => Some("`headers` are for servers with a `url`".to_owned()),
            (None, Some(_), _) if !self.env.is_empty() || !self.args.is_empty() => {
                Some("`args` and `env` are for servers with a `command`".to_owned())
            }
            _ => None,
        }
    }

    /// The same with everything that another one says.
    fn overlaid(mut self, over: &McpSection) -> Self {
        if over.command.is_some() || over.url.is_some() {
            let (kind, command, args) = (over.kind, over.command.clone(), over.args.clone());
            let (cwd, url) = (over.cwd.clone(), over.url.clone());
            let (env, headers) = (over.env.clone(), over.headers.clone());
            self = Self { kind, command, args, cwd, url, env, headers, ..self };
        } else {
            self.env.extend(over.env.clone());
            self.headers.extend(over.headers.clone());
            self.cwd = over.cwd.clone().or(self.cwd);
        }
        Self {
            enabled: over.enabled,
            timeout: over.timeout,
            start_timeout: over.start_timeout,
            max_bytes: over.max_bytes,
            trust_hints: over.trust_hints,
            effects: over.effects.clone(),
            ..self
        }
    }
}

/// Why a name cannot be a server's, if it cannot.
pub fn bad_server_name(name: &str) -> Option<String> {
    let is_word = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    (!is_word || name.len() > NAME)
        .then(|| format!("`{name}` cannot be a server's name: use 1 to {NAME} letters, digits, `_` or `-`"))
}

impl Loaded {
    /// The file beside the project's that names servers, whether it is there or not; none without a project.
    pub fn mcp_file(&self) -> Option<PathBuf> {
        self.project_file().map(|_| self.project_directory().join(MCP_FILE))
    }

    /// All servers that files name. Our own files have the last word.
    pub fn mcp_definitions(&self) -> Result<Vec<McpDefinition>, ConfigError> {
        let mut found = match self.mcp_file().filter(|file| file.exists()) {
            Some(file) => foreign(&file)?,
            None => BTreeMap::new(),
        };
        for (name, section) in &self.config.mcp.servers {
            let origin = self.origin(&["mcp", "servers", name]);
            match found.remove(name) {
                Some(mut shared) => {
                    if section.command.is_some() || section.url.is_some() {
                        shared.origin = origin;
                    }
                    shared.section = shared.section.overlaid(section);
                    found.insert(name.clone(), shared);
                }
                None => {
                    let section = section.clone();
                    let own = McpDefinition { name: name.clone(), origin, section, problem: None, notes: Vec::new() };
                    found.insert(name.clone(), own);
                }
            }
        }
        for definition in found.values_mut().filter(|definition| definition.problem.is_none()) {
            definition.problem = bad_server_name(&definition.name).or_else(|| definition.section.problem());
        }
        Ok(found.into_values().collect())
    }
}

/// What `.mcp.json` says, as others write it.
fn foreign(file: &std::path::Path) -> Result<BTreeMap<String, McpDefinition>, ConfigError> {
    let origin = format!("`{}`", file.display());
    let text =
        std::fs::read_to_string(file).map_err(|source| ConfigError::Unreadable { file: file.to_owned(), source })?;
    let wrong =
        |problem: String| ConfigError::BadValue { origin: origin.clone(), key: "mcpServers".to_owned(), problem };
    let whole: Value = serde_json::from_str(&text).map_err(|error| wrong(format!("the file is not JSON: {error}")))?;
    let servers = match &whole["mcpServers"] {
        Value::Object(servers) => servers.clone(),
        Value::Null => serde_json::Map::new(),
        _ => return Err(wrong("it is not an object of servers".to_owned())),
    };
    let one = |(name, value): (String, Value)| {
        let (section, problem, notes) = read(value);
        (name.clone(), McpDefinition { name, origin: origin.clone(), section, problem, notes })
    };
    Ok(servers.into_iter().map(one).collect())
}

fn read(value: Value) -> (McpSection, Option<String>, Vec<String>) {
    let Value::Object(mut fields) = value else {
        return (McpSection::default(), Some("it is not an object".to_owned()), Vec::new());
    };
    let known = ["type", "command", "args", "cwd", "env", "url", "headers"];
    let foreign: Vec<String> = fields.keys().filter(|key| !known.contains(&key.as_str())).cloned().collect();
    let notes = foreign.iter().map(|key| format!("`{key}` is not known here and was ignored")).collect();
    foreign.iter().for_each(|key| drop(fields.remove(key)));
    // Others write it in several ways.
    let kind = fields.get("type").and_then(Value::as_str).map(|kind| kind.to_ascii_lowercase().replace(['-', '_'], ""));
    match kind.as_deref() {
        Some("streamablehttp") => drop(fields.insert("type".to_owned(), "http".into())),
        Some("sse") => {
            let problem =
                "the old transport `sse` is not spoken; most such servers offer streamable HTTP at another URL";
            return (McpSection::default(), Some(problem.to_owned()), notes);
        }
        _ => {}
    }
    match serde_json::from_value(Value::Object(fields)) {
        Ok(section) => (section, None, notes),
        Err(error) => (McpSection::default(), Some(error.to_string()), notes),
    }
}

/// A text with `${VARIABLE}` and `${VARIABLE:-default}` filled in.
pub fn filled(text: &str, surroundings: &Surroundings) -> Result<String, String> {
    let mut parts = text.split("${");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (inside, rest) = part.split_once('}').ok_or_else(|| format!("`${{{part}` has no `}}`"))?;
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        let value = surroundings.variable(name).or(default);
        filled.push_str(value.ok_or_else(|| format!("the variable `{name}` is not set"))?);
        filled.push_str(rest);
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_filled_in_with_defaults() {
        let surroundings = Surroundings::new("/", [("HOME".to_owned(), "/ada".to_owned())]);
        let fill = |text: &str| filled(text, &surroundings);
        assert_eq!(fill("plain $HOME {x}").as_deref(), Ok("plain $HOME {x}"));
        assert_eq!(fill("${HOME}/a:${NOWHERE:-b}c").as_deref(), Ok("/ada/a:bc"));
        assert_eq!(fill("${NOWHERE:-}").as_deref(), Ok(""));
        assert_eq!(fill("a ${NOWHERE}").unwrap_err(), "the variable `NOWHERE` is not set");
        assert_eq!(fill("a ${HOME").unwrap_err(), "`${HOME` has no `}`");
    }

    #[test]
    fn what_others_write_is_understood_and_what_is_theirs_is_ignored() {
        let (section, problem, notes) = read(json!({"type": "streamable-http", "url": "https://x", "disabled": false}));
        assert_eq!((section.kind, problem), (Some(McpKind::Http), None));
        assert_eq!(notes, ["`disabled` is not known here and was ignored"]);
        assert!(read(json!({"type": "sse", "url": "https://x"})).1.is_some_and(|problem| problem.contains("sse")));
        assert!(read(json!({"command": 7})).1.is_some());
        assert!(read(json!(7)).1.is_some());
    }
}
