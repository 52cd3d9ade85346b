//! What can be proved about a plan before anything of it happens. Findings are sentences a planner can act on.

use domain::agent::AgentConfiguration;
use domain::id::ToolName;
use domain::intent::IntentDraft;
use domain::plan::{Action, Call, Plan};
use domain::tool::Toolbox;

/// Everything that is wrong with a plan's tools and arguments. `frozen` is what the first plan of the run could reach:
/// a later one can add reads, but nothing that changes or reveals anything.
pub fn verify(
    tools: &dyn Toolbox,
    plan: &Plan,
    configuration: Option<&AgentConfiguration>,
    frozen: Option<&[ToolName]>,
) -> Vec<String> {
    let mut findings = Vec::new();
    for step in plan.steps() {
        let mut found = Vec::new();
        for action in std::iter::once(&step.action).chain(&step.alternatives) {
            match action {
                Action::Call(call) => check_call(tools, call, &mut found),
                Action::Agent(task) => task.tools.iter().for_each(|tool| check_tool(tools, tool, &mut found)),
            }
        }
        if let Some(undo) = &step.undo {
            check_call(tools, undo, &mut found);
        }
        findings.extend(found.into_iter().map(|finding| format!("step `{}`: {finding}", step.id)));
    }
    check_intents(tools, plan.intents(), &mut findings);
    for tool in configuration.iter().flat_map(|configuration| &configuration.tool_names) {
        check_tool(tools, tool, &mut findings);
    }
    if let Some(frozen) = frozen {
        let mut reachable = plan.tools();
        reachable.extend(configuration.iter().flat_map(|configuration| configuration.tool_names.clone()));
        for tool in reachable.into_iter().filter(|tool| !frozen.contains(tool)) {
            if tools.tool(&tool).is_some_and(|tool| tool.spec().effect != domain::tool::Effect::Read) {
                findings
                    .push(format!("`{tool}` was not part of the first plan: a new plan may add only tools that read"));
            }
        }
    }
    findings.dedup();
    findings
}

fn check_tool(tools: &dyn Toolbox, name: &ToolName, found: &mut Vec<String>) {
    if tools.tool(name).is_none() {
        found.push(match tools.resolve(name.as_str(), None) {
            Ok(meant) => format!("there is no tool `{name}`; the nearest is `{}`", meant.spec().name),
            Err(error) => error.to_string(),
        });
    }
}

fn check_call(tools: &dyn Toolbox, call: &Call, found: &mut Vec<String>) {
    if tools.tool(&call.tool).is_none() {
        check_tool(tools, &call.tool, found);
    } else if let Err(error) = tools.check_draft(&call.tool, &call.arguments) {
        found.push(error.to_string());
    }
}

fn check_intents(tools: &dyn Toolbox, intents: &[IntentDraft], findings: &mut Vec<String>) {
    for intent in intents {
        let call = Call { tool: intent.tool.clone(), arguments: intent.arguments.clone() };
        let mut found = Vec::new();
        check_call(tools, &call, &mut found);
        if tools.tool(&intent.tool).is_some_and(|tool| !tool.spec().effect.is_write()) {
            found.push(format!("`{}` changes nothing: it belongs into a step", intent.tool));
        }
        findings.extend(found.into_iter().map(|finding| format!("intents: {finding}")));
        check_intents(tools, &intent.then, findings);
    }
}
