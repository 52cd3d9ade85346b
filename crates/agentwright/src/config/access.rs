//! How a provider is reached: what files say about it, and the variables everybody knows.

use super::values::{ModelName, Secret};
use super::{Loaded, redacted};

/// The variables in which providers' keys are usually kept, by provider.
pub const STANDARD_KEYS: [(&str, &str); 4] = [
    ("openai", "OPENAI_API_KEY"),
    ("anthropic", "ANTHROPIC_API_KEY"),
    ("gemini", "GEMINI_API_KEY"),
    ("ollama", "OLLAMA_HOST"),
];

/// Everything needed to reach a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Where it is, if not where everybody knows it to be.
    pub base_url: Option<String>,
    /// The variable that holds the key, whether it is set or not; absent for providers that need none.
    pub key_variable: Option<String>,
    /// The key.
    pub key: Option<Secret>,
}

impl Loaded {
    /// How a provider is reached.
    pub fn access(&self, provider: &str) -> Access {
        let section = self.config.providers.get(provider);
        let usual_url = match provider {
            "openai" => self.surroundings.variable("OPENAI_BASE_URL").map(str::to_owned),
            "ollama" => self.surroundings.variable("OLLAMA_HOST").map(ollama_url),
            _ => None,
        };
        let usual_key = STANDARD_KEYS.iter().find(|(name, _)| *name == provider && *name != "ollama");
        let key_variable = section
            .and_then(|section| section.api_key_env.clone())
            .or_else(|| usual_key.map(|(_, variable)| (*variable).to_owned()));
        let key = key_variable.as_deref().and_then(|name| self.surroundings.variable(name)).map(Secret::new);
        Access { base_url: section.and_then(|section| section.base_url.clone()).or(usual_url), key_variable, key }
    }

    /// What to add to the configuration so that there is a model: exact lines where a key is there already.
    pub fn lines_for_a_model(&self) -> Vec<String> {
        let file =
            self.project_file().map_or_else(|| super::PROJECT_FILE.to_owned(), |file| file.display().to_string());
        let found: Vec<_> =
            STANDARD_KEYS.iter().filter(|(_, variable)| self.surroundings.variable(variable).is_some()).collect();
        let line = |provider: &str| format!("    [models]\n    default = \"{provider}:NAME-OF-A-MODEL\"");
        match found.as_slice() {
            [] => vec![format!(
                "set a provider's key, for example `OPENAI_API_KEY`, and add these lines to `{file}`:\n{}",
                line("openai")
            )],
            found => found
                .iter()
                .map(|(provider, variable)| {
                    format!("`{variable}` is set; add these lines to `{file}`:\n{}", line(provider))
                })
                .collect(),
        }
    }

    /// What is missing before a model can be asked, in words.
    pub fn trouble_with(&self, model: &ModelName) -> Option<String> {
        let access = self.access(model.provider());
        match (&access.key_variable, &access.key, &access.base_url) {
            (Some(variable), None, None) => Some(format!("`{variable}` is not set")),
            (Some(variable), None, Some(url)) if self.names_key(model.provider()) => {
                Some(format!("`{variable}` is not set, and `{}` may want it", redacted(url)))
            }
            _ => None,
        }
    }

    /// A server of one's own often needs no key, unless the configuration names one.
    fn names_key(&self, provider: &str) -> bool {
        self.config.providers.get(provider).is_some_and(|section| section.api_key_env.is_some())
    }
}

/// `OLLAMA_HOST` is what the server listens on: scheme and port may be missing, and the address may mean "all". The
/// protocol we speak to it begins at `/v1`.
fn ollama_url(host: &str) -> String {
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = rest.trim_end_matches('/').replacen("0.0.0.0", "127.0.0.1", 1);
    let has_port = rest.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
    let port = if has_port || host.contains("://") { "" } else { ":11434" };
    let path = if rest.contains('/') { "" } else { "/v1" };
    format!("{scheme}://{rest}{port}{path}")
}

#[cfg(test)]
mod tests {
    use super::ollama_url;

    #[test]
    fn where_a_server_listens_becomes_where_it_is_reached() {
        assert_eq!(ollama_url("0.0.0.0"), "http://127.0.0.1:11434/v1");
        assert_eq!(ollama_url("box:1234"), "http://box:1234/v1");
        assert_eq!(ollama_url("https://llm.example.org/"), "https://llm.example.org/v1");
    }
}
