//! The tools of one run: those of the process, and the agents of the library that its plans name. This is the one place
//! that says which tools a run has.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use domain::id::{ItemName, ToolName};
use domain::library::AgentBody;
use domain::reference;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec, Toolbox};
use serde_json::{Value, json};

/// What stands before the dot in the names of agents that are tools.
const DOMAIN: &str = "agent";

/// An agent of the library that others can call.
pub(crate) struct AgentTool {
    spec: ToolSpec,
    pub(crate) body: AgentBody,
}

/// The tools of the process with the agents that this run has met so far. Agents are only ever added.
pub(crate) struct RunTools {
    base: Arc<dyn Toolbox>,
    first: OnceLock<Box<Met>>,
    /// What the plan that is carried out can reach.
    within: Mutex<Vec<ToolName>>,
}

struct Met {
    agent: Arc<AgentTool>,
    next: OnceLock<Box<Met>>,
}

/// What an agent of the library is called as a tool.
pub(crate) fn tool_of(name: &ItemName) -> Option<ToolName> {
    format!("{DOMAIN}.{name}").parse().ok()
}

/// The agent of the library that a tool's name means, where it means one.
pub(crate) fn item_of(tool: &ToolName) -> Option<ItemName> {
    if tool.domain() == DOMAIN { tool.short().parse().ok() } else { None }
}

impl RunTools {
    pub(crate) fn over(base: &Arc<dyn Toolbox>) -> Self {
        Self { base: Arc::clone(base), first: OnceLock::new(), within: Mutex::default() }
    }

    /// Adds an agent. Its effect is the gravest of its tools.
    pub(crate) fn meet(&self, name: ToolName, description: &str, body: AgentBody) {
        if self.tool(&name).is_some() {
            return;
        }
        let effects = body.tools.iter().filter_map(|tool| self.tool(tool)).map(|tool| tool.spec().effect.clone());
        let spec = ToolSpec {
            name,
            description: format!("An agent that carries out a task and says what came of it. {description}"),
            parameters: json!({"type": "object", "additionalProperties": false, "required": ["task"], "properties": {
                "task": {"type": "string", "description": "What it is to do, with all it needs to know."}}}),
            returns: Some(json!({"type": "string"})),
            effect: effects.fold(Effect::Read, graver),
            timeout: None,
        };
        let mut place = &self.first;
        while let Some(met) = place.get() {
            place = &met.next;
        }
        let agent = Arc::new(AgentTool { spec, body });
        // Agents are met one after the other, while a plan is read.
        let _ = place.set(Box::new(Met { agent, next: OnceLock::new() }));
    }

    /// An agent that the run has met.
    pub(crate) fn met(&self, name: &ToolName) -> Option<&Arc<AgentTool>> {
        self.agents().find(|agent| agent.spec.name == *name)
    }

    /// From now on agents that are called reach no more than this.
    pub(crate) fn keep_within(&self, tools: Vec<ToolName>) {
        *self.within.lock().unwrap_or_else(PoisonError::into_inner) = tools;
    }

    /// What the plan that is carried out can reach.
    pub(crate) fn within(&self) -> Vec<ToolName> {
        self.within.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn agents(&self) -> impl Iterator<Item = &Arc<AgentTool>> {
        let mut next = self.first.get();
        std::iter::from_fn(move || {
            let met = next?;
            next = met.next.get();
            Some(&met.agent)
        })
    }
}

impl Toolbox for RunTools {
    fn specs(&self) -> Vec<&ToolSpec> {
        let mut specs = self.base.specs();
        specs.extend(self.agents().map(|agent| &agent.spec));
        specs
    }

    fn tool(&self, name: &ToolName) -> Option<Arc<dyn Tool>> {
        self.base.tool(name).or_else(|| self.met(name).map(|agent| Arc::clone(agent) as Arc<dyn Tool>))
    }

    fn resolve(&self, name: &str, among: Option<&[ToolName]>) -> Result<Arc<dyn Tool>, ToolError> {
        let meant = self.base.resolve(name, among);
        let Err(ToolError::Unknown { .. }) = &meant else { return meant };
        let name = name.trim();
        let Some(agent) = self.agents().find(|agent| {
            let own = &agent.spec.name;
            own.as_str() == name || own.wire() == name || own.short() == name
        }) else {
            return meant;
        };
        if among.is_some_and(|among| !among.contains(&agent.spec.name)) {
            let detail = "it is not among the tools that may be used".to_owned();
            return Err(ToolError::Denied { tool: agent.spec.name.clone(), detail });
        }
        Ok(Arc::clone(agent) as Arc<dyn Tool>)
    }

    fn check(&self, tool: &ToolName, arguments: &Value) -> Result<(), ToolError> {
        match self.met(tool) {
            Some(_) => fits(tool, arguments, |_| false),
            None => self.base.check(tool, arguments),
        }
    }

    fn check_draft(&self, tool: &ToolName, arguments: &Value) -> Result<(), ToolError> {
        match self.met(tool) {
            Some(_) => fits(tool, arguments, reference::is_template),
            None => self.base.check_draft(tool, arguments),
        }
    }

    fn listing(&self, among: Option<&[ToolName]>) -> String {
        let listed = |agent: &&Arc<AgentTool>| among.is_none_or(|among| among.contains(&agent.spec.name));
        let lines = self.agents().filter(listed).map(|agent| {
            let ToolSpec { name, description, effect, .. } = &agent.spec;
            format!("- {name}(task: string) — {description} [{}]\n", effect.word())
        });
        let lines: String = lines.collect();
        let base = self.base.listing(among);
        if lines.is_empty() { base } else { format!("{base}\nagents\n{lines}") }
    }

    fn agent(&self, tool: &ToolName) -> Option<&AgentBody> {
        self.met(tool).map(|agent| &agent.body)
    }
}

#[async_trait]
impl Tool for AgentTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, _: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let detail = "an agent works within a run".to_owned();
        Err(ToolError::Unavailable { tool: self.spec.name.clone(), detail })
    }
}

/// The graver of two effects; a write that is put together from others can be taken back if all of them can.
fn graver(one: Effect, other: Effect) -> Effect {
    match (one, other) {
        (Effect::Write { reversible, external, .. }, Effect::Write { reversible: also, external: besides, .. }) => {
            Effect::Write {
                reversible: reversible && also,
                external: external || besides,
                repeat: Repeat::Never,
                targets: Vec::new(),
            }
        }
        (Effect::Write { reversible, external, .. }, _) | (_, Effect::Write { reversible, external, .. }) => {
            Effect::Write { reversible, external, repeat: Repeat::Never, targets: Vec::new() }
        }
        (Effect::Egress, _) | (_, Effect::Egress) => Effect::Egress,
        (Effect::Read, Effect::Read) => Effect::Read,
    }
}

/// Whether arguments are a task; `open` texts may still become anything.
fn fits(tool: &ToolName, arguments: &Value, open: impl Fn(&str) -> bool) -> Result<(), ToolError> {
    let mut problems = Vec::new();
    match arguments.as_object() {
        None => problems.push(format!("the arguments must be an object, got {arguments}")),
        Some(fields) => {
            let unknown = fields.keys().filter(|name| *name != "task");
            problems.extend(unknown.map(|name| format!("`{name}` is not known; there is `task`")));
            match fields.get("task") {
                None | Some(Value::Null) => problems.push("`task` is missing".into()),
                Some(Value::String(task)) if task.trim().is_empty() && !open(task) => {
                    problems.push("`task` must not be empty".into());
                }
                Some(Value::String(_)) => {}
                Some(other) => problems.push(format!("`task` must be a string, got {other}")),
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(ToolError::BadArguments { tool: tool.clone(), problems }) }
}
