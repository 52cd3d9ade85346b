//! What the user wants, read once: files, environment and flags become values that are in range because they exist.
//!
//! Later layers win: defaults, the user's file (`$XDG_CONFIG_HOME/agentwright/config.toml`), the project's
//! (`agentwright.toml` here or in the nearest parent), `DATABASE_URL`, `AGENTWRIGHT__SECTION__KEY`, flags.

mod access;
mod approval;
mod database;
mod domains;
mod error;
mod layers;
mod learning;
mod log;
mod mcp;
mod mcp_edit;
mod models;
mod notes;
mod sections;
mod server;
mod show;
mod surroundings;
mod telemetry;
mod values;

use std::path::{Path, PathBuf};

use figment::Figment;

pub use access::{Access, STANDARD_KEYS};
pub use approval::{Approval, Rule, ToolPattern, Verdict};
pub use database::{Database, redacted, redacted_path};
pub use domains::{CalDav, Calendar, FastPath, HomeAssistant, Mqtt, Prefer, Roles, Search, SmartHome, Units, Weather};
pub use error::ConfigError;
pub(crate) use error::nearest;
pub use layers::{PREFIX, PROJECT_FILE};
pub use learning::Learning;
pub use log::{Log, LogFormat, LogLevel};
pub use mcp::{MCP_FILE, Mcp, McpDefinition, McpKind, McpSection, bad_server_name, filled};
pub use mcp_edit::{McpPlace, remove_server};
pub use models::{COMPONENTS, Component, Limits, ModelPrice, Models, Provider};
pub use sections::{
    Budgets, Config, DatabaseSection, Features, Gate, Library, Notifications, Planning, RunBudget, Tools,
};
pub use server::Server;
pub use show::Shown;
pub use surroundings::Surroundings;
pub use telemetry::{Otlp, Telemetry};
pub use values::{Count, Dollars, Fraction, ModelName, Period, Secret, Temperature, Within};

/// What flags say about the configuration.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flags {
    /// The file to be read instead of the project's.
    pub config: Option<PathBuf>,
    /// The database to be used.
    pub database: Option<String>,
    /// Single values, by their keys: `planning.max_replans`.
    pub set: Vec<(String, String)>,
}

/// A configuration with everything that is known about where it came from.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The values.
    pub config: Config,
    /// Where ledgers are kept.
    pub database: Database,
    surroundings: Surroundings,
    project_file: Option<PathBuf>,
    state_directory: PathBuf,
    figment: Figment,
}

/// Reads everything there is to read.
pub fn load(surroundings: Surroundings, flags: &Flags) -> Result<Loaded, ConfigError> {
    let layers::Layers { figment, project_file } = layers::read(&surroundings, flags)?;
    let config: Config = figment.extract().map_err(|error| error::explain(&figment, error))?;
    if let Some((key, problem)) = contradiction(&config) {
        let path: Vec<String> = key.iter().map(|part| (*part).to_owned()).collect();
        return Err(ConfigError::BadValue { origin: layers::origin_of(&figment, &path), key: path.join("."), problem });
    }
    let state_directory = match project_file.as_deref().and_then(Path::parent) {
        Some(project) => Some(project.join(".agentwright")),
        None => surroundings.data_directory(),
    };
    let database = match &config.database.url {
        Some(url) => Database::parse(url, surroundings.directory()).map_err(|problem| ConfigError::BadValue {
            origin: layers::origin_of(&figment, &["database".to_owned(), "url".to_owned()]),
            key: "database.url".to_owned(),
            problem,
        })?,
        None => Database::Sqlite(state_directory.clone().ok_or(ConfigError::NoHome)?.join("agentwright.db")),
    };
    let state_directory = state_directory.unwrap_or_else(|| surroundings.directory().join(".agentwright"));
    Ok(Loaded { config, database, surroundings, project_file, state_directory, figment })
}

impl Loaded {
    /// The project's configuration file, if there is one.
    pub fn project_file(&self) -> Option<&Path> {
        self.project_file.as_deref()
    }

    /// The directory of the project, or where the process was started.
    pub fn project_directory(&self) -> &Path {
        self.project_file.as_deref().and_then(Path::parent).unwrap_or(self.surroundings.directory())
    }

    /// Where files are kept that nobody configured a place for: `.agentwright` in a project, else with the user's data.
    pub fn state_directory(&self) -> &Path {
        &self.state_directory
    }

    /// The environment it was read in.
    pub fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    /// Under whose name runs are filed.
    pub fn person(&self) -> Option<&str> {
        let login = || self.surroundings.variable("USER").or_else(|| self.surroundings.variable("LOGNAME"));
        self.config.person.name.as_deref().or_else(login)
    }

    /// The file or variable that a key's value comes from.
    pub fn origin(&self, key: &[&str]) -> String {
        layers::origin_of(&self.figment, &key.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>())
    }

    /// Whether a file, a variable or a flag says something about a key.
    pub fn is_set(&self, key: &[&str]) -> bool {
        layers::is_set(&self.figment, key)
    }

    /// The files and folders that describe tools. What nobody asked for by name may be missing.
    pub fn tool_paths(&self) -> Vec<PathBuf> {
        match (&self.config.tools.paths, &self.project_file) {
            (Some(paths), _) => paths.iter().map(|path| self.surroundings.directory().join(path)).collect(),
            (None, Some(_)) => {
                let usual = self.project_directory().join("tools");
                if usual.is_dir() { vec![usual] } else { Vec::new() }
            }
            (None, None) => Vec::new(),
        }
    }

    /// The folders of role files, the user's before the project's. What nobody asked for by name may be missing.
    pub fn role_folders(&self) -> Vec<PathBuf> {
        if let Some(paths) = &self.config.roles.paths {
            return paths.iter().map(|path| self.surroundings.directory().join(path)).collect();
        }
        let of_user = self.surroundings.user_file().and_then(|file| Some(file.parent()?.join("roles")));
        of_user.into_iter().chain(self.project_file.as_ref().map(|_| self.project_directory().join("roles"))).collect()
    }

    /// The folders whose files can be searched; the first takes notes.
    pub fn search_folders(&self) -> Vec<PathBuf> {
        match &self.config.search.folders {
            Some(folders) => folders.iter().map(|path| self.surroundings.directory().join(path)).collect(),
            None if self.project_file.is_some() => vec![self.project_directory().join("notes")],
            None => vec![self.state_directory.join("notes")],
        }
    }

    /// What the project's `AGENTS.md` says, a paragraph or list item each; nothing where there is no project.
    pub fn project_notes(&self) -> Vec<String> {
        let Some(project) = self.project_file.as_ref().map(|_| self.project_directory()) else { return Vec::new() };
        notes::read(&std::fs::read_to_string(project.join("AGENTS.md")).unwrap_or_default())
    }

    /// The effective configuration, as it is shown to people.
    pub fn shown(&self) -> Shown {
        show::shown(self)
    }
}

/// What no single value can say: values that do not go together.
fn contradiction(config: &Config) -> Option<(Vec<&str>, String)> {
    for (name, component) in &config.components {
        if !COMPONENTS.contains(&name.as_str()) {
            let nearest = nearest(name, &COMPONENTS).unwrap_or_default();
            let problem = format!("there is no such component; the nearest is `{nearest}`");
            return Some((vec!["components", name], problem));
        }
        if component.tier.is_some() && component.model.is_some() {
            return Some((vec!["components", name, "model"], "choose either `tier` or `model`".to_owned()));
        }
    }
    if let Some(name) = config.gate.weights.keys().find(|name| !runtime::SCORES.contains(&name.as_str())) {
        let problem = format!("there is no such score; there are `{}`", runtime::SCORES.join("`, `"));
        return Some((vec!["gate", "weights", name], problem));
    }
    if config.gate.replan_below > config.gate.deepen_below {
        let problem = format!("it is above `gate.deepen_below`, which is {}", config.gate.deepen_below.get());
        return Some((vec!["gate", "replan_below"], problem));
    }
    if config.library.adapt_from > config.library.reuse_from {
        let problem = format!("it is above `library.reuse_from`, which is {}", config.library.reuse_from.get());
        return Some((vec!["library", "adapt_from"], problem));
    }
    if config.fast_path.plan_below > config.fast_path.accept {
        let problem = format!("it is above `fast_path.accept`, which is {}", config.fast_path.accept.get());
        return Some((vec!["fast_path", "plan_below"], problem));
    }
    for (name, section) in &config.mcp.servers {
        // One without `command` and `url` adds to what `.mcp.json` says.
        let adds = section.command.is_none() && section.url.is_none();
        if let Some(problem) = section.problem().filter(|_| !adds) {
            return Some((vec!["mcp", "servers", name], problem));
        }
    }
    let urls = [
        ("notifications", "webhook", config.notifications.webhook.as_deref()),
        ("telemetry", "endpoint", config.telemetry.endpoint.as_deref()),
        ("telemetry", "traces_endpoint", config.telemetry.traces_endpoint.as_deref()),
    ];
    let urls = urls.into_iter().filter_map(|(section, key, url)| Some((vec![section, key], url?)));
    let bases = config.providers.iter().filter_map(|(name, provider)| {
        Some((vec!["providers", name.as_str(), "base_url"], provider.base_url.as_deref()?))
    });
    let not_http = |url: &str| !(url.starts_with("http://") || url.starts_with("https://"));
    let (key, _) = urls.chain(bases).find(|(_, url)| not_http(url))?;
    Some((key, "it is not a URL that begins with `http://` or `https://`".to_owned()))
}
