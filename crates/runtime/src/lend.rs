//! Agents of the library as tools of others: met when a plan names them, and carried out within the run, under the key of
//! whoever calls them.

use domain::event::{Event, Outcome};
use domain::hash::Hash;
use domain::id::ToolName;
use domain::library::{AgentBody, Body, Kind};
use domain::tool::{Tool, ToolError};
use serde_json::Value;

use crate::agent::{Agent, End};
use crate::forge::{Made, forge};
use crate::prompt::{AgentPrompt, Task, render};
use crate::record::Halt;
use crate::toolbox::{AgentTool, item_of, tool_of};
use crate::work::{ToolUse, Work};

/// How many agents can call one another: the one that is called, and one that it calls.
pub(crate) const MAX_DEPTH: usize = 2;
/// What stands before an agent's name in the keys of what it does.
const LENT: &str = "/lent/";

/// Meets the agents that a plan names anywhere. They are looked up once in a run; from then on the record says what they
/// are.
pub(crate) async fn meet(work: &Work<'_>, plan: &Value) -> Result<(), Halt> {
    let mut names = Vec::new();
    named_in(plan, &mut names);
    meet_all(work, &names).await
}

/// The same for tools that are known by name.
pub(crate) async fn meet_all(work: &Work<'_>, tools: &[ToolName]) -> Result<(), Halt> {
    for tool in tools {
        Box::pin(meet_one(work, tool, 1)).await?;
    }
    Ok(())
}

async fn meet_one(work: &Work<'_>, tool: &ToolName, depth: usize) -> Result<(), Halt> {
    let Some(name) = item_of(tool).filter(|_| depth <= MAX_DEPTH && work.tools().tool(tool).is_none()) else {
        return Ok(());
    };
    let key = format!("library/{}/{name}", Kind::Agent);
    let event = match (work.journal.past(&key), work.journal.gate()) {
        (Some(event), _) => event.clone(),
        (None, Some(_)) => return Ok(()),
        (None, None) => {
            let found = work.runtime.store.item(Kind::Agent, &name, None).await.map_err(Halt::Store)?;
            let Some(found) = found.filter(|found| found.active) else { return Ok(()) };
            let Body::Agent(body) = found.item.draft.body else { return Ok(()) };
            Event::Forged {
                agent: tool.to_string(),
                step: None,
                tools: body.tools,
                prompt: body.prompt,
                max_iterations: body.max_iterations.unwrap_or(work.runtime.settings.max_iterations),
                offered: Some(found.item.draft.description),
            }
        }
    };
    work.journal.record(key, event.clone()).await?;
    let Event::Forged { tools, prompt, max_iterations, offered, .. } = event else { return Ok(()) };
    // Those it can call come first: what they do to the world, it does.
    for other in tools.iter().filter(|other| *other != tool) {
        Box::pin(meet_one(work, other, depth + 1)).await?;
    }
    let body = AgentBody { prompt, tools, max_iterations: Some(max_iterations) };
    work.agents().meet(tool.clone(), &offered.unwrap_or_default(), body);
    Ok(())
}

fn named_in(value: &Value, names: &mut Vec<ToolName>) {
    match value {
        Value::String(text) => names.extend(text.parse().ok().filter(|tool| item_of(tool).is_some())),
        Value::Array(items) => items.iter().for_each(|item| named_in(item, names)),
        Value::Object(fields) => fields.values().for_each(|field| named_in(field, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Has an agent carry out a task. What it asks of models and tools is filed under the call.
pub(crate) async fn carry_out(
    work: &Work<'_>,
    agent: &AgentTool,
    arguments: Value,
    using: &ToolUse<'_>,
) -> Result<Result<Value, ToolError>, Halt> {
    let name = &agent.spec().name;
    let input = Hash::of_json(&(name, &arguments));
    // In a replay the way there is repeated; otherwise what has ended has ended.
    let result = match work.journal.known(using.key).filter(|_| work.journal.gate().is_none()) {
        Some(Event::ToolCalled { tool, arguments: given, result, .. }) if tool == name && *given == arguments => {
            result.clone()
        }
        _ => {
            drop(work.room(|| work.meter.tool()).await?);
            Outcome::from(run(work, agent, &arguments, using).await?)
        }
    };
    let called = Event::ToolCalled { tool: name.clone(), arguments, result, millis: 0 };
    match work.once(using.key, input, async { Ok(called) }).await? {
        Event::ToolCalled { result, .. } => Ok(result.into()),
        other => Err(Halt::Diverged(format!("`{}` is a {} on record, not a tool call", using.key, other.kind()))),
    }
}

async fn run(
    work: &Work<'_>,
    lent: &AgentTool,
    arguments: &Value,
    using: &ToolUse<'_>,
) -> Result<Result<Value, ToolError>, Halt> {
    let (name, body) = (&lent.spec().name, &lent.body);
    let max_iterations = body.max_iterations.unwrap_or(work.runtime.settings.max_iterations);
    let failed = |detail: String| Ok(Err(ToolError::Failed { tool: name.clone(), detail }));
    let denied = |detail: String| Ok(Err(ToolError::Denied { tool: name.clone(), detail }));
    let callers = callers(using.key);
    if callers.contains(name) {
        return denied("an agent cannot call itself".into());
    }
    if callers.len() >= MAX_DEPTH {
        return denied(format!("agents can call one another {MAX_DEPTH} deep, and no deeper"));
    }
    if let Some(gone) = body.tools.iter().find(|tool| work.tools().tool(tool).is_none() && *tool != name) {
        return failed(format!("it needs `{gone}`, which is not there any more"));
    }
    let within = work.agents().within();
    let tools: Vec<ToolName> = body.tools.iter().filter(|tool| within.contains(tool)).cloned().collect();
    let task = arguments.get("task").and_then(Value::as_str).unwrap_or_default();
    let now = work.request.at.to_string();
    let system = AgentPrompt {
        system_prompt: &body.prompt,
        plan: "",
        steps: &[],
        guidance: "",
        heed: work.heeded(),
        name: name.as_str(),
        team: &[],
        now: &now,
        zone: work.request.zone.as_deref(),
        max_iterations,
    };
    let made = Made {
        name: name.to_string(),
        key: format!("{}{LENT}{}", using.key, name.short()),
        step: using.step.cloned(),
        prompts: (render(work, &system)?, render(work, &Task { goal: task, earlier: &[], results: &[] })?),
        max_iterations,
        peers: Vec::new(),
    };
    let mut agent: Agent = forge(work, made, &tools).await?;
    match agent.go_on(work).await? {
        End::Answer(text) => Ok(Ok(Value::String(text))),
        End::Replan { reason, .. } => failed(format!("it would need another plan: {reason}")),
        End::Failed { reason, in_doubt: true } => Ok(Err(ToolError::InDoubt { tool: name.clone(), detail: reason })),
        End::Failed { reason, in_doubt: false } => failed(reason),
    }
}

/// The agents that led to a call, as its key tells.
fn callers(key: &str) -> Vec<ToolName> {
    let parts = key.split(LENT).skip(1).filter_map(|rest| rest.split('/').next());
    parts.filter_map(|name| tool_of(&name.parse().ok()?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_tells_who_called() {
        let names = |key: &str| callers(key).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names("step/a/1/way/1/turn/1/tool/0"), Vec::<String>::new());
        assert_eq!(names("step/a/1/way/1/call/lent/one/turn/2/tool/0"), ["agent.one"]);
        assert_eq!(names("x/lent/one/turn/2/tool/0/lent/two/turn/1/tool/3"), ["agent.one", "agent.two"]);
    }
}
