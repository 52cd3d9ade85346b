//! The only place that reads the environment: once, at the start.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::error::ConfigError;

/// The environment variables and the directory that a process finds itself in.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    variables: BTreeMap<String, String>,
    directory: PathBuf,
}

impl Surroundings {
    /// Those of this process.
    #[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
    pub fn of_process() -> Result<Self, ConfigError> {
        let directory = std::env::current_dir().map_err(ConfigError::NoDirectory)?;
        // A variable that is not text cannot be one of ours.
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Ok(Self { variables, directory })
    }

    /// Made-up ones.
    pub fn new(directory: impl Into<PathBuf>, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { variables: variables.into_iter().collect(), directory: directory.into() }
    }

    /// The value of a variable; an empty one is as good as none.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The variables whose names begin with something, with what follows it.
    pub fn variables_after<'s>(&'s self, prefix: &'s str) -> impl Iterator<Item = (&'s str, &'s str)> {
        self.variables.iter().filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value.as_str())))
    }

    /// Where the process was started.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The user's own configuration file, whether it is there or not.
    pub fn user_file(&self) -> Option<PathBuf> {
        self.base("XDG_CONFIG_HOME", ".config").map(|base| base.join("agentwright/config.toml"))
    }

    /// Where the user's data is kept.
    pub fn data_directory(&self) -> Option<PathBuf> {
        self.base("XDG_DATA_HOME", ".local/share").map(|base| base.join("agentwright"))
    }

    /// Whether terminals may be written to in colour.
    pub fn colour_is_welcome(&self) -> bool {
        self.variable("NO_COLOR").is_none() && self.variable("TERM") != Some("dumb")
    }

    fn base(&self, variable: &str, under_home: &str) -> Option<PathBuf> {
        // The specification of these directories says that relative ones are to be ignored.
        let named = self.variable(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        named.or_else(|| self.variable("HOME").map(|home| Path::new(home).join(under_home)))
    }
}
