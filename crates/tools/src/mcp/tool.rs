//! One tool of one server, as everything else here sees it.

use std::sync::Arc;

use async_trait::async_trait;
use domain::hash::Hash;
use domain::id::ToolName;
use domain::tool::{CallContext, Source, Standing, Tool, ToolError, ToolSpec};
use serde_json::{Map, Value};

use super::answer;
use super::connection::CallFailure;
use super::definition::Definition;
use super::effect::effect;
use super::link::{Link, PATIENCE};
use super::server::McpServer;
use crate::errors;
use crate::words::capped;

/// The most of a description that is shown to anybody, in characters.
const DESCRIPTION: usize = 4_000;
/// The longest name there may be: model providers allow 64 characters, and the dot becomes two.
const NAME: usize = 63;

/// A tool that a server carries out.
pub(super) struct McpTool {
    spec: ToolSpec,
    /// What the server calls it.
    name: String,
    link: Arc<Link>,
}

impl McpTool {
    pub(super) fn new(spec: ToolSpec, name: String, link: Arc<Link>) -> Self {
        Self { spec, name, link }
    }

    /// Why it must not be called, and what to do about it.
    fn refusal(&self) -> Option<String> {
        let reason = self.link.quarantine(&self.name)?;
        let what = match self.link.server_changed() {
            true => format!("'{}.*'", self.link.server.name),
            false => self.spec.name.to_string(),
        };
        Some(format!("{reason}; after a look at it, `agentwright tools pin {what}` accepts it"))
    }

    fn permitted(&self) -> Result<(), ToolError> {
        match self.refusal() {
            Some(detail) => Err(ToolError::Denied { tool: self.spec.name.clone(), detail }),
            None => Ok(()),
        }
    }
}

#[async_trait]
impl Tool for McpTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn standing(&self) -> Standing {
        Standing { source: Source::Mcp(self.link.server.name.clone()), quarantine: self.refusal() }
    }

    async fn call(&self, arguments: &Value, _call: &CallContext) -> Result<Value, ToolError> {
        let spec = &self.spec;
        // Nothing is started for a definition that nobody has accepted.
        if self.link.server_changed() {
            self.permitted()?;
        }
        let arguments = given(spec, arguments);
        let mut again = true;
        loop {
            let connection =
                self.link.connection().await.map_err(|error| errors::unavailable(spec, error.to_string()))?;
            self.permitted()?;
            let limit = self.link.server.timeout;
            match connection.call(&self.name, arguments.clone(), limit).await {
                Ok(result) => {
                    self.link.is_well();
                    return answer::value(spec, result);
                }
                // What never arrived can be sent again.
                Err(CallFailure::Unsent(_)) if again => {
                    again = false;
                    self.link.hang_up(&connection);
                }
                Err(CallFailure::Unsent(detail)) => return Err(errors::unavailable(spec, detail)),
                Err(CallFailure::Refused(detail)) => {
                    self.link.is_well();
                    return Err(errors::failed(spec, detail));
                }
                Err(CallFailure::TimedOut) => return Err(errors::timed_out(spec, limit)),
                Err(CallFailure::Lost(detail)) => return Err(errors::lost(spec, detail)),
            }
        }
    }
}

/// How a server's tool is declared here.
pub(super) fn spec(server: &McpServer, definition: &Definition) -> Result<ToolSpec, String> {
    let mut parameters = definition.input_schema.clone();
    if let Value::Object(schema) = &mut parameters {
        schema.entry("type").or_insert_with(|| "object".into());
    }
    let spec = ToolSpec {
        name: name(&server.name, &definition.name)?,
        description: capped(definition.description.trim(), DESCRIPTION),
        parameters,
        returns: definition.output_schema.clone(),
        effect: effect(&definition.hints, server.belief(&definition.name)),
        timeout: Some(server.timeout + server.start_timeout + PATIENCE),
    };
    crate::check::Checks::of(&spec)?;
    Ok(spec)
}

/// What a server's tool is called here: characters that names may not have become `_`, and what is too long is cut.
pub(super) fn name(server: &str, tool: &str) -> Result<ToolName, String> {
    let word = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let mut short: String = tool.chars().map(word).collect();
    let room = NAME.saturating_sub(server.len() + 1);
    if short.len() > room {
        let digest = Hash::of(tool.as_bytes()).digits(3);
        short.truncate(room.saturating_sub(digest.len() + 1));
        short = format!("{short}_{digest}");
    }
    format!("{server}.{short}").parse().map_err(|error: domain::id::BadName| error.to_string())
}

/// The arguments without the nulls that stand for what was left out: servers take them for values.
fn given(spec: &ToolSpec, arguments: &Value) -> Map<String, Value> {
    let required = spec.parameters["required"].as_array().cloned().unwrap_or_default();
    let wanted = |name: &String| required.contains(&Value::String(name.clone()));
    let fields = arguments.as_object().cloned().unwrap_or_default();
    fields.into_iter().filter(|(name, value)| !value.is_null() || wanted(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_to_fit() {
        let made = |tool: &str| name("files", tool).expect("a name").to_string();
        assert_eq!(made("read_file"), "files.read_file");
        assert_eq!(made("read/file v2.0"), "files.read_file_v2_0");
        let long = "x".repeat(100);
        assert_eq!(made(&long).len(), NAME);
        assert_ne!(made(&long), made(&format!("{long}y")));
        assert!(name("files", "").is_err());
    }

    proptest::proptest! {
        #[test]
        fn every_name_that_is_made_fits_providers(server in "[a-z]{1,32}", tool in ".{1,100}") {
            let name = name(&server, &tool).expect("a name");
            proptest::prop_assert!(name.wire().len() <= 64 && name.domain() == server);
        }
    }
}
