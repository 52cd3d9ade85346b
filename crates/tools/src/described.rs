//! Tools that need no Rust: an HTTP request or a command, described in a TOML file. `docs/tools.md` is the reference.

mod form;
mod template;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::id::ToolName;
use domain::tool::{Tool, ToolSpec};
use serde_json::{Map, Value};

pub(crate) use form::{CommandForm, HttpForm, Output, ReadBackForm, bytes};
pub(crate) use template::{Json, Scope, Text, Values};

use crate::command::CommandTool;
use crate::http::HttpTool;

/// Why described tools cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Check the path and its permissions.
    #[error("{} cannot be read", .path.display())]
    Unreadable {
        /// Which file or directory.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// Correct the file.
    #[error("{}: {detail}", .path.display())]
    BadFile {
        /// Which file.
        path: PathBuf,
        /// What is wrong, and on which line.
        detail: String,
    },
    /// Correct the tool's description.
    #[error("{}: `{tool}`: {detail}", .path.display())]
    BadTool {
        /// Which file.
        path: PathBuf,
        /// Which tool in it.
        tool: ToolName,
        /// What is wrong.
        detail: String,
    },
}

/// Reads the tools that a file, or each `*.toml` in a directory, describes. HTTP tools use `client`, which should be
/// [ours](crate::client); `env` gives the variables that files mention and the four that every command sees.
pub fn load(
    path: &Path,
    client: &reqwest::Client,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Arc<dyn Tool>>, LoadError> {
    let unreadable = |path: &Path, source| LoadError::Unreadable { path: path.to_owned(), source };
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        files = std::fs::read_dir(path)
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
            .map_err(|source| unreadable(path, source))?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
        files.sort();
    }
    let mut tools = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|source| unreadable(&file, source))?;
        let parsed = form::parse(&text).map_err(|detail| LoadError::BadFile { path: file.clone(), detail })?;
        let folder = file.parent().unwrap_or(Path::new("."));
        for form in parsed.tool {
            let name = form.name.clone();
            let tool = build(form, folder, client, env);
            tools.push(tool.map_err(|detail| LoadError::BadTool { path: file.clone(), tool: name, detail })?);
        }
    }
    Ok(tools)
}

fn build(
    form: form::ToolForm,
    folder: &Path,
    client: &reqwest::Client,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<Arc<dyn Tool>, String> {
    let parameters = form.schema()?;
    let spec = ToolSpec {
        name: form.name.clone(),
        description: form.description.trim().to_owned(),
        effect: form.effect(&parameters)?,
        timeout: Some(form.timeout()?),
        returns: form.returns.clone(),
        parameters,
    };
    let about = About::of(spec)?;
    let scope = Scope { parameters: &about.names, env };
    match (form.http, form.command) {
        (Some(http), None) => {
            let tool = HttpTool::new(&about, &http, form.read_back.as_ref(), client.clone(), &scope)?;
            Ok(Arc::new(tool))
        }
        (None, Some(_)) if form.read_back.is_some() => Err("`read_back` is for HTTP tools".into()),
        (None, Some(command)) => Ok(Arc::new(CommandTool::new(&about, &command, folder, &scope)?)),
        _ => Err("give either `[tool.http]` or `[tool.command]`".into()),
    }
}

/// What both kinds of described tools need to know about themselves.
#[derive(Debug, Clone)]
pub(crate) struct About {
    /// The declaration.
    pub(crate) spec: ToolSpec,
    /// Every parameter.
    names: BTreeSet<String>,
    /// Those that a call may leave out and that have no default.
    optional: BTreeSet<String>,
    /// What stands in for those that a call leaves out.
    pub(crate) defaults: Map<String, Value>,
}

impl About {
    fn of(spec: ToolSpec) -> Result<Self, String> {
        // Everything after this reads the schema's parts by name; a wrong one should say so here.
        crate::check::Checks::of(&spec)?;
        let properties: Vec<_> = spec.parameters["properties"].as_object().into_iter().flatten().collect();
        let names: BTreeSet<String> = properties.iter().map(|(name, _)| (*name).clone()).collect();
        let defaults: Map<String, Value> = properties
            .iter()
            .filter_map(|(name, schema)| Some(((*name).clone(), schema.get("default")?.clone())))
            .collect();
        let required = spec.parameters["required"].as_array().cloned().unwrap_or_default();
        let given = |name: &String| defaults.contains_key(name) || required.contains(&Value::String(name.clone()));
        let optional = names.iter().filter(|name| !given(name)).cloned().collect();
        Ok(Self { spec, names, optional, defaults })
    }

    /// Refuses a template that some calls could not fill.
    pub(crate) fn always_filled(&self, text: &Text, place: &str) -> Result<(), String> {
        match text.parameters().find(|name| self.optional.contains(*name)) {
            Some(name) => {
                Err(format!("`{name}` is optional and cannot stand in `{place}`; require it or give a default"))
            }
            None => Ok(()),
        }
    }

    /// How long one call may take.
    pub(crate) fn timeout(&self) -> std::time::Duration {
        self.spec.timeout.unwrap_or(std::time::Duration::from_secs(30))
    }

    /// What the holes of a call are filled with.
    pub(crate) fn values<'a>(&'a self, arguments: &'a Value, key: &'a str) -> Values<'a> {
        Values { arguments, defaults: &self.defaults, key }
    }
}
