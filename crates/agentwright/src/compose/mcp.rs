//! Servers that speak MCP: from what files say about them to tools, and what people have accepted of them.

use std::sync::Arc;
use std::time::Duration;

use domain::id::ToolName;
use domain::tool::{Tool, ToolSpec};
use tools::mcp::{self, Differences, McpServer, McpTools, McpWay, Pin, PinFolder, Pins};

use crate::config::{Loaded, McpDefinition, filled, redacted_path};
use crate::exit::Refusal;

pub use tools::mcp::{McpError, Seen};

/// How long a call may take, and a start, unless something else is configured.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The most that one message may hold, unless something else is configured.
const MAX_BYTES: usize = 4 << 20;

/// A server with how it stands.
#[derive(Debug, Clone)]
pub struct KnownServer {
    /// What files say about it.
    pub definition: McpDefinition,
    /// The server itself, or what is wrong with its definition.
    pub server: Result<McpServer, String>,
    /// What was accepted of it.
    pub pins: Option<Pins>,
    /// What it said last.
    pub seen: Option<Seen>,
}

/// Which tools of a server are accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// All it has, and the server as it is defined now.
    All,
    /// One.
    One(ToolName),
}

/// What became of a tool when it was accepted.
#[derive(Debug, Clone)]
pub struct Acceptance {
    /// Its name here.
    pub name: String,
    /// How it is declared, unless it is gone or cannot be.
    pub spec: Option<ToolSpec>,
    /// What is different.
    pub change: Change,
}

/// How a tool stands against what was accepted before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// As it was.
    Same,
    /// Not accepted before.
    New,
    /// Something else was accepted.
    Changed(Vec<String>),
    /// The server does not have it any more.
    Gone,
    /// It cannot be used here.
    Unusable(String),
}

/// The servers that files name.
pub fn servers(loaded: &Loaded) -> anyhow::Result<Vec<KnownServer>> {
    let client = tools::client()?;
    let folder = folder(loaded);
    let known = |definition: McpDefinition| {
        let name = &definition.name;
        // What cannot be read was not accepted.
        let (pins, seen) = (folder.accepted(name).ok().flatten(), folder.seen(name).ok().flatten());
        KnownServer { server: resolved(loaded, &definition, &client), definition, pins, seen }
    };
    let definitions = loaded.mcp_definitions()?.into_iter();
    Ok(definitions.filter(|definition| definition.section.enabled != Some(false)).map(known).collect())
}

/// A server that no file names yet.
pub fn candidate(loaded: &Loaded, definition: McpDefinition) -> anyhow::Result<KnownServer> {
    let server = resolved(loaded, &definition, &tools::client()?);
    Ok(KnownServer { server, definition, pins: None, seen: None })
}

/// Asks a server what tools it has.
pub async fn inspect(known: &KnownServer) -> Result<Seen, McpError> {
    let server = known.server.clone().map_err(|detail| McpError::Broken { detail })?;
    mcp::inspect(&server, known.pins.as_ref().map(|pins| pins.protocol.as_str())).await
}

/// What accepting would change.
pub fn review(known: &KnownServer, seen: &Seen, which: &Which) -> Vec<Acceptance> {
    let (Ok(server), none) = (&known.server, Default::default()) else { return Vec::new() };
    let pinned = known.pins.as_ref().map_or(&none, |pins| &pins.tools);
    let wanted = |name: &str| match which {
        Which::All => true,
        Which::One(one) => mcp::name(&server.name, name).is_ok_and(|name| name == *one),
    };
    let now = seen.tools.iter().filter(|definition| wanted(&definition.name)).map(|definition| {
        let name = mcp::name(&server.name, &definition.name).map_or(definition.name.clone(), String::from);
        let change = match pinned.get(&definition.name) {
            None => Change::New,
            Some(pin) if pin.hash != definition.hash() => Change::Changed(pin.definition.differences(definition)),
            Some(_) => Change::Same,
        };
        match mcp::declared(server, definition) {
            Ok(spec) => Acceptance { name, spec: Some(spec), change },
            Err(problem) => Acceptance { name, spec: None, change: Change::Unusable(problem) },
        }
    });
    let has = |name: &String| seen.tools.iter().any(|definition| definition.name == *name);
    let gone = pinned.keys().filter(|name| !has(name) && wanted(name)).map(|name| Acceptance {
        name: mcp::name(&server.name, name).map_or(name.clone(), String::from),
        spec: None,
        change: Change::Gone,
    });
    now.chain(gone).collect()
}

/// Keeps what a server says as what was accepted.
pub fn accept(loaded: &Loaded, known: &KnownServer, seen: &Seen, which: &Which) -> anyhow::Result<()> {
    let name = &known.definition.name;
    let mut pins = Pins {
        server: known.definition.section.written(),
        protocol: seen.protocol.clone(),
        tools: seen.tools.iter().map(|tool| (tool.name.clone(), Pin::from(tool.clone()))).collect(),
    };
    if let Which::One(one) = which {
        let is_one = |tool: &str| mcp::name(name, tool).is_ok_and(|name| name == *one);
        let before = known.pins.iter().flat_map(|pins| &pins.tools).filter(|(tool, _)| !is_one(tool));
        let chosen = pins.tools.into_iter().filter(|(tool, _)| is_one(tool));
        pins.tools = before.map(|(tool, pin)| (tool.clone(), pin.clone())).chain(chosen).collect();
    }
    super::prepare(loaded.state_directory())?;
    let folder = folder(loaded);
    let kept = folder.accept(name, &pins).and_then(|()| folder.see(name, seen));
    Ok(kept.map_err(|error| Refusal::failed("the pins cannot be kept").because(error))?)
}

/// Forgets what was accepted of a server.
pub fn forget(loaded: &Loaded, name: &str) -> anyhow::Result<()> {
    Ok(folder(loaded).forget(name).map_err(|error| Refusal::failed("the pins cannot be removed").because(error))?)
}

/// The tools of all servers that go together with those there are already. Nothing is started.
pub(super) fn tools(loaded: &Loaded, there: &[Arc<dyn Tool>]) -> anyhow::Result<McpTools> {
    let usable = servers(loaded)?.into_iter().filter_map(|known| known.server.ok()).collect();
    let mut made = mcp::tools(usable, &folder(loaded));
    let taken = |tool: &Arc<dyn Tool>| there.iter().any(|other| other.spec().name.wire() == tool.spec().name.wire());
    let (twice, fine): (Vec<_>, Vec<_>) = made.tools.into_iter().partition(taken);
    made.tools = fine;
    made.notes.extend(twice.iter().map(|tool| format!("there is another tool called `{}`", tool.spec().name)));
    Ok(made)
}

impl KnownServer {
    /// How it is reached, as it is written, without secrets.
    pub fn transport(&self) -> String {
        let section = &self.definition.section;
        match (&section.command, &section.url) {
            (Some(command), _) => {
                format!("stdio: {}", [std::slice::from_ref(command), &section.args].concat().join(" "))
            }
            (None, Some(url)) => format!("http: {}", redacted_path(url)),
            (None, None) => "nothing".to_owned(),
        }
    }

    /// Whether somebody has accepted the server as it is defined now.
    pub fn is_accepted(&self) -> bool {
        self.pins.as_ref().is_some_and(|pins| pins.server == self.definition.section.written())
    }

    /// How what it said last differs from what was accepted.
    pub fn differences(&self) -> Differences {
        match (&self.pins, &self.seen) {
            (Some(pins), Some(seen)) => pins.differences(&seen.tools),
            _ => Differences::default(),
        }
    }
}

fn folder(loaded: &Loaded) -> PinFolder {
    PinFolder::in_state(loaded.state_directory())
}

fn resolved(loaded: &Loaded, definition: &McpDefinition, client: &tools::Client) -> Result<McpServer, String> {
    if let Some(problem) = &definition.problem {
        return Err(problem.clone());
    }
    let section = &definition.section;
    let surroundings = loaded.surroundings();
    let fill = |text: &str| filled(text, surroundings);
    let way = match (&section.command, &section.url) {
        (Some(command), _) => {
            let inherited = mcp::INHERITED.iter();
            let mut env: Vec<(String, String)> = inherited
                .filter_map(|name| Some(((*name).to_owned(), surroundings.variable(name)?.to_owned())))
                .collect();
            for (name, text) in &section.env {
                if name.is_empty() || name.contains(['=', '\0']) {
                    return Err(format!("`{name}` is not the name of a variable"));
                }
                env.push((name.clone(), fill(text)?));
            }
            let args = section.args.iter().map(|arg| fill(arg)).collect::<Result<_, _>>()?;
            let directory = loaded.project_directory();
            let directory = match &section.cwd {
                Some(cwd) => directory.join(fill(&cwd.display().to_string())?),
                None => directory.to_owned(),
            };
            McpWay::Command { program: fill(command)?, args, env, directory }
        }
        (None, url) => {
            let url: tools::Url = fill(url.as_deref().unwrap_or_default())?
                .parse()
                .map_err(|error| format!("`url` is not a URL: {error}"))?;
            if !matches!(url.scheme(), "http" | "https") {
                return Err("`url` does not begin with `http://` or `https://`".to_owned());
            }
            let headers = section.headers.iter().map(|(name, text)| {
                let wrong = || format!("the header `{name}` cannot be sent");
                let value = fill(text)?;
                Ok((name.parse().map_err(|_| wrong())?, value.parse().map_err(|_| wrong())?))
            });
            McpWay::Http { url, headers: headers.collect::<Result<_, String>>()?, client: client.clone() }
        }
    };
    Ok(McpServer {
        name: definition.name.clone(),
        way,
        written: section.written(),
        timeout: section.timeout.map_or(TIMEOUT, |period| period.get()),
        start_timeout: section.start_timeout.map_or(TIMEOUT, |period| period.get()),
        max_bytes: section.max_bytes.map_or(MAX_BYTES, |bytes| bytes.get() as usize),
        trust_hints: section.trust_hints.unwrap_or(true),
        effects: section.effects.clone(),
    })
}
