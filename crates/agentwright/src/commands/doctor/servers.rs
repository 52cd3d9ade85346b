//! Checks of the servers that speak MCP: whether they answer, and whether they have what was accepted of them.

use futures::future::join_all;

use super::Check;
use crate::compose::mcp::{self, KnownServer};
use crate::config::Loaded;
use crate::print::text::count;

const NAME: &str = "mcp";

pub(super) async fn checks(loaded: &Loaded) -> Vec<Check> {
    match mcp::servers(loaded) {
        Ok(servers) => join_all(servers.iter().map(|known| check(loaded, known))).await,
        Err(error) => vec![Check::failed(NAME, &error)],
    }
}

async fn check(loaded: &Loaded, known: &KnownServer) -> Check {
    let name = &known.definition.name;
    let accept = format!("`agentwright tools pin '{name}.*'` accepts it as it is");
    if let Err(problem) = &known.server {
        return Check::fail(NAME, format!("{name}: {problem}")).hint(format!("correct {}", known.definition.origin));
    }
    if let Some(command) = known.definition.section.command.as_deref().filter(|command| !is_there(loaded, command)) {
        return Check::fail(NAME, format!("{name}: there is no program `{command}`"))
            .hint(format!("install it, or correct {}", known.definition.origin));
    }
    // Nothing runs that nobody has accepted.
    let Some(pins) = known.pins.as_ref().filter(|_| known.is_accepted()) else {
        let words = format!("{name}: nobody has accepted it as it is defined now ({})", known.transport());
        return Check::warn(NAME, words).hint(accept);
    };
    match mcp::inspect(known).await {
        Err(error) => Check::failed(NAME, &crate::commands::mcp::refusal(known, error).into()),
        Ok(seen) => {
            let differences = pins.differences(&seen.tools);
            let words = format!("{name}: {}, version {}", count(seen.tools.len(), "tool"), seen.protocol);
            match differences.is_empty() {
                true => Check::ok(NAME, words),
                false => Check::warn(NAME, format!("{words}; not everything is as it was accepted"))
                    .hint("`agentwright tools pin` shows what has changed"),
            }
        }
    }
}

/// Whether a program can be found where programs are looked for. What is filled in from variables is not looked for.
fn is_there(loaded: &Loaded, command: &str) -> bool {
    let here = loaded.project_directory();
    if command.contains("${") {
        return true;
    }
    if command.contains('/') {
        return here.join(command).is_file();
    }
    let path = loaded.surroundings().variable("PATH").unwrap_or_default();
    path.split(':').any(|folder| here.join(folder).join(command).is_file())
}
