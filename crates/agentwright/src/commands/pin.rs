//! `agentwright tools pin`: a person looks at what servers say about their tools, and accepts it.

use domain::id::ToolName;
use serde_json::json;

use super::Here;
use super::mcp::refusal;
use crate::compose::mcp::{self, Change, KnownServer, Which};
use crate::exit::{Exit, Refusal};
use crate::print;
use crate::print::mcp::Reviewed;

pub(super) async fn pin(here: &Here, name: Option<&str>) -> anyhow::Result<Exit> {
    let servers = mcp::servers(&here.loaded)?;
    match name {
        Some(name) => accept(here, &servers, name).await,
        None => look(here, &servers).await,
    }
}

/// Accepts one tool, or everything a server has.
async fn accept(here: &Here, servers: &[KnownServer], name: &str) -> anyhow::Result<Exit> {
    let domain = name.split('.').next().unwrap_or_default();
    let which = match name.strip_prefix(domain) {
        Some("" | ".*") => Which::All,
        _ => Which::One(name.parse::<ToolName>()?),
    };
    let Some(known) = servers.iter().find(|known| known.definition.name == domain) else {
        let refusal = Refusal::usage(format!("there is no server `{domain}`"));
        return Err(refusal.hint("`agentwright mcp list` shows the servers there are").into());
    };
    if which != Which::All && !known.is_accepted() {
        let words = format!("the server `{domain}` itself has not been accepted as it is defined now");
        let hint = format!("`agentwright tools pin '{domain}.*'` starts `{}` and accepts it", known.transport());
        return Err(Refusal::usage(words).hint(hint).into());
    }
    let seen = mcp::inspect(known).await.map_err(|error| refusal(known, error))?;
    let tools = mcp::review(known, &seen, &which);
    if tools.is_empty() && which != Which::All {
        let refusal = Refusal::usage(format!("the server `{domain}` has no tool `{name}`"));
        return Err(refusal.hint("`agentwright tools pin` shows what servers have").into());
    }
    mcp::accept(&here.loaded, known, &seen, &which)?;
    let reviewed = [Reviewed { server: domain.to_owned(), accepted: true, problem: None, tools }];
    show(here, &reviewed)
}

/// Shows what is not accepted yet, and accepts nothing.
async fn look(here: &Here, servers: &[KnownServer]) -> anyhow::Result<Exit> {
    let mut reviewed = Vec::new();
    for known in servers {
        let server = known.definition.name.clone();
        // Nothing runs that nobody has accepted.
        if !known.is_accepted() {
            let problem = format!("it is not accepted as it is defined now ({})", known.transport());
            reviewed.push(Reviewed { server, accepted: false, problem: Some(problem), tools: Vec::new() });
            continue;
        }
        match mcp::inspect(known).await {
            Ok(seen) => {
                let mut tools = mcp::review(known, &seen, &Which::All);
                tools.retain(|tool| tool.change != Change::Same);
                reviewed.push(Reviewed { server, accepted: false, problem: None, tools });
            }
            Err(error) => {
                let problem = Some(error.to_string());
                reviewed.push(Reviewed { server, accepted: false, problem, tools: Vec::new() });
            }
        }
    }
    show(here, &reviewed)
}

fn show(here: &Here, reviewed: &[Reviewed]) -> anyhow::Result<Exit> {
    let json: Vec<_> = reviewed.iter().map(print::mcp::reviewed_json).collect();
    here.screen.show(&json!({ "servers": json }), |ink| print::mcp::reviewed(reviewed, ink))?;
    Ok(Exit::Done)
}
