//! `agentwright mcp …`: servers whose tools are used, and ourselves as one.

mod serve;

use futures::future::join_all;
use serde_json::json;

use super::Here;
use crate::args::{AddServer, McpCommand};
use crate::compose::mcp::{self, KnownServer, McpError, Which};
use crate::config::{McpDefinition, McpPlace, McpSection, bad_server_name, remove_server};
use crate::exit::{Exit, Refusal};
use crate::print;
use crate::print::mcp::Row;

pub(super) async fn mcp(here: &Here, command: McpCommand) -> anyhow::Result<Exit> {
    match command {
        McpCommand::Add(args) => add(here, args).await,
        McpCommand::List { check } => list(here, check).await,
        McpCommand::Remove { name } => remove(here, &name),
        McpCommand::Serve => serve::serve(here).await,
    }
}

async fn add(here: &Here, args: AddServer) -> anyhow::Result<Exit> {
    let loaded = &here.loaded;
    if let Some(problem) = bad_server_name(&args.name) {
        return Err(Refusal::usage(problem).into());
    }
    if let Some(there) = loaded.mcp_definitions()?.iter().find(|definition| definition.name == args.name) {
        let words = format!("there is a server `{}` already, in {}", args.name, there.origin);
        return Err(Refusal::usage(words).hint(format!("`agentwright mcp remove {}` removes it", args.name)).into());
    }
    let place = place(here, args.project, args.user)?;
    let section = section(&args)?;
    let definition = McpDefinition {
        origin: format!("`{}`", place.file().display()),
        problem: section.problem(),
        notes: Vec::new(),
        name: args.name.clone(),
        section,
    };
    let known = mcp::candidate(loaded, definition)?;
    if let Err(problem) = &known.server {
        return Err(Refusal::usage(format!("the server `{}` cannot be used: {problem}", args.name)).into());
    }
    let seen = mcp::inspect(&known).await.map_err(|error| refusal(&known, error))?;
    let accepted = mcp::review(&known, &seen, &Which::All);
    write(here, &place, &known)?;
    mcp::accept(loaded, &known, &seen, &Which::All)?;
    let json = json!({
        "server": args.name, "file": place.file(), "protocol": seen.protocol,
        "tools": accepted.iter().map(print::mcp::acceptance).collect::<Vec<_>>(),
    });
    here.screen.show(&json, |ink| print::mcp::added(&args.name, place.file(), &accepted, ink))?;
    Ok(Exit::Done)
}

fn write(here: &Here, place: &McpPlace, known: &KnownServer) -> anyhow::Result<()> {
    let McpDefinition { name, section, .. } = &known.definition;
    // A file that is shared with other programs has no place for what is ours alone.
    if let (McpPlace::Shared(_), Some(own)) = (place, here.loaded.project_file())
        && !section.effects.is_empty()
    {
        let ours = McpSection { effects: section.effects.clone(), ..McpSection::default() };
        McpPlace::Own(own.to_owned()).add(name, &ours)?;
        return Ok(place.add(name, &McpSection { effects: Default::default(), ..section.clone() })?);
    }
    Ok(place.add(name, section)?)
}

fn place(here: &Here, project: bool, user: bool) -> anyhow::Result<McpPlace> {
    match here.loaded.mcp_file() {
        Some(file) if !user => return Ok(McpPlace::Shared(file)),
        None if project => {
            return Err(Refusal::usage("there is no project here").hint("`agentwright init` makes one").into());
        }
        _ => {}
    }
    let none = || Refusal::configuration("there is no place for your configuration: `HOME` is not set");
    Ok(McpPlace::Own(here.loaded.surroundings().user_file().ok_or_else(none)?))
}

fn section(args: &AddServer) -> anyhow::Result<McpSection> {
    let effects = args.effects.iter().map(|(tool, effect)| Ok((tool.clone(), serde_json::from_value(json!(effect))?)));
    let (command, rest) = match args.command.split_first() {
        Some((command, rest)) => (Some(command.clone()), rest.to_vec()),
        None => (None, Vec::new()),
    };
    Ok(McpSection {
        kind: args.url.as_ref().map(|_| crate::config::McpKind::Http),
        command,
        args: rest,
        url: args.url.clone(),
        env: args.env.iter().cloned().collect(),
        headers: args.headers.iter().cloned().collect(),
        effects: effects.collect::<anyhow::Result<_>>()?,
        ..McpSection::default()
    })
}

async fn list(here: &Here, check: bool) -> anyhow::Result<Exit> {
    let servers = mcp::servers(&here.loaded)?;
    // Nothing runs that nobody has accepted.
    let asked = servers.iter().map(|known| async move {
        match check && known.is_accepted() && known.server.is_ok() {
            true => Some(mcp::inspect(known).await),
            false => None,
        }
    });
    let asked = join_all(asked).await;
    let rows: Vec<Row> = servers.iter().zip(asked).map(|(known, answer)| Row::of(known, answer)).collect();
    let broken = rows.iter().any(Row::is_broken);
    here.screen.show(&json!({ "servers": rows }), |ink| print::mcp::listing(&rows, ink))?;
    Ok(if check && broken { Exit::Failed } else { Exit::Done })
}

fn remove(here: &Here, name: &str) -> anyhow::Result<Exit> {
    let mut files = Vec::new();
    for file in here.loaded.mcp_files() {
        if remove_server(&file, name)? {
            files.push(file);
        }
    }
    mcp::forget(&here.loaded, name)?;
    if files.is_empty() {
        let refusal = Refusal::usage(format!("there is no server `{name}`"));
        return Err(refusal.hint("`agentwright mcp list` shows the servers there are").into());
    }
    let named: Vec<String> = files.iter().map(|file| format!("`{}`", file.display())).collect();
    let words = format!("`{name}` was removed from {}\n", named.join(" and "));
    here.screen.show(&json!({ "server": name, "removed_from": files }), |_| words)?;
    Ok(Exit::Done)
}

/// Why a server is of no use, with what to do about it.
pub(super) fn refusal(known: &KnownServer, error: McpError) -> Refusal {
    let name = &known.definition.name;
    let hint = match &error {
        McpError::NoProgram { .. } => "install it, or correct the command".to_owned(),
        McpError::TooSlow { .. } => {
            format!("run the command by hand, or give it more time with `start_timeout` under `[mcp.servers.{name}]`")
        }
        McpError::Unauthorised { .. } => "give it a key: `--header 'Authorization=Bearer ${VARIABLE}'`".to_owned(),
        McpError::Broken { .. } => "check the command or the URL".to_owned(),
    };
    Refusal::failed(format!("the server `{name}` cannot be used ({})", known.transport())).because(error).hint(hint)
}
