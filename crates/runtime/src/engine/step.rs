//! One step: its action, then its alternatives, each checked, undone and repaired where the plan asks for it.

use domain::chat::{Message, Tier};
use domain::event::{Event, StepOutcome};
use domain::id::{StepId, ToolName};
use domain::plan::{Action, Call, Plan, Step};
use domain::reference;
use domain::tool::{Effect, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::Results;
use crate::agent::End;
use crate::ask::{Question, ask};
use crate::context::cap;
use crate::forge::Team;
use crate::prompt::{Reflect, render};
use crate::record::Halt;
use crate::verify;
use crate::work::{Chosen, ToolUse, Work};

/// How often an action is repaired and tried again after it failed its check.
const MAX_REPAIRS: u32 = 2;

/// Where the end of a step is filed.
pub(crate) fn finished_key(step: &StepId, attempt: u32) -> String {
    format!("step/{step}/{attempt}/finished")
}

/// What a try at an action brought.
enum Tried {
    Done(Value),
    Failed { reason: String, in_doubt: bool },
}

/// What a step may reach, and what of it a person has to agree to first.
struct Allowed {
    tools: Vec<ToolName>,
    tainted: Vec<String>,
}

/// Runs a step to its end, or to the moment its time is up.
pub(crate) async fn run(
    work: &Work<'_>,
    plan: &Plan,
    team: &Team,
    step: &Step,
    attempt: u32,
    results: &Results,
) -> Result<StepOutcome, Halt> {
    let finished = finished_key(&step.id, attempt);
    // In a replay the way there is repeated; otherwise what has ended has ended.
    if let Some(Event::StepFinished { outcome, .. }) = work.journal.known(&finished)
        && work.journal.gate().is_none()
    {
        return Ok(outcome.clone());
    }
    let limit = work.runtime.settings.step_timeout;
    let timed_out = || StepOutcome::Failed { reason: format!("it did not end within {limit:?}"), in_doubt: false };
    let times_out = match work.journal.known(&finished) {
        Some(Event::StepFinished { outcome, .. }) => *outcome == timed_out(),
        _ => work.journal.gate().is_none(),
    };
    tokio::select! {
        biased;
        outcome = try_all(work, plan, team, step, attempt, results) => outcome,
        () = work.deadline(&finished, limit), if times_out => Ok(timed_out()),
    }
}

async fn try_all(
    work: &Work<'_>,
    plan: &Plan,
    team: &Team,
    step: &Step,
    attempt: u32,
    results: &Results,
) -> Result<StepOutcome, Halt> {
    let mut reasons = Vec::new();
    for (way, action) in std::iter::once(&step.action).chain(&step.alternatives).enumerate() {
        let key = format!("step/{}/{attempt}/way/{}", step.id, way + 1);
        if let Some(tool) = team.changed_since(work, action) {
            reasons.push(format!("`{tool}` is not declared as it was when this was planned"));
            continue;
        }
        let tried = match action {
            Action::Call(call) => direct(work, plan, step, call, &key, results).await?,
            Action::Agent(task) => judged(work, plan, team, step, task, &key, results).await?,
        };
        match tried {
            Tried::Done(output) => return Ok(StepOutcome::Done { output }),
            // What may have happened must not be tried another way.
            Tried::Failed { reason, in_doubt: true } => return Ok(StepOutcome::Failed { reason, in_doubt: true }),
            Tried::Failed { reason, in_doubt: false } => reasons.push(reason),
        }
    }
    Ok(StepOutcome::Failed { reason: reasons.join("; then: "), in_doubt: false })
}

/// Tool and arguments are known: no model is needed, unless the result fails its check and is to be repaired.
async fn direct(
    work: &Work<'_>,
    plan: &Plan,
    step: &Step,
    call: &Call,
    key: &str,
    results: &Results,
) -> Result<Tried, Halt> {
    let allowed = Allowed { tools: plan.tools(), tainted: tainted(work, plan, step, call) };
    let template = &call.arguments;
    let mut call = match fill(call, results) {
        Ok(call) => call,
        Err(reason) => return Ok(Tried::Failed { reason, in_doubt: false }),
    };
    let validate = work.request.wishes.validate || work.runtime.settings.validate;
    let mut problem = String::new();
    for repair in 0..=MAX_REPAIRS {
        let key = if repair == 0 { format!("{key}/call") } else { format!("{key}/repair/{repair}/call") };
        let chosen = if repair == 0 { Chosen::Shown(template) } else { Chosen::Repaired };
        let output = match use_tool(work, step, &call, &key, &allowed, chosen).await? {
            Ok(output) => output,
            Err(error) => {
                let in_doubt = matches!(error, ToolError::InDoubt { .. });
                return Ok(Tried::Failed { reason: error.to_string(), in_doubt });
            }
        };
        if passes(step, &output, results) {
            return Ok(Tried::Done(output));
        }
        problem = format!(
            "its result fails the check `{}`",
            step.check.as_ref().map(ToString::to_string).unwrap_or_default()
        );
        if !validate {
            break;
        }
        let undone = match &step.undo {
            Some(undo) => {
                match undo_with(work, step, undo, &output, &format!("{key}/undo"), &allowed, results).await? {
                    Ok(()) => true,
                    Err(reason) => {
                        return Ok(Tried::Failed {
                            reason: format!("{problem}, and undoing it failed: {reason}"),
                            in_doubt: true,
                        });
                    }
                }
            }
            None => false,
        };
        if repair == MAX_REPAIRS {
            break;
        }
        match reflect(work, step, &call, &output, undone, &format!("{key}/reflect")).await? {
            Some(arguments) => call.arguments = arguments,
            None => break,
        }
    }
    Ok(Tried::Failed { reason: problem, in_doubt: false })
}

/// The arguments of a write that say whom or what it reaches and that come from the results of tools.
fn tainted(work: &Work<'_>, plan: &Plan, step: &Step, call: &Call) -> Vec<String> {
    let tool = work.runtime.tools.tool(&call.tool);
    let aimed =
        tool.is_some_and(|tool| matches!(&tool.spec().effect, Effect::Write { targets, .. } if !targets.is_empty()));
    if aimed { verify::tainted(plan, work.runtime.tools.as_ref(), &step.id) } else { Vec::new() }
}

/// Judgement is needed: an agent does it.
async fn judged(
    work: &Work<'_>,
    plan: &Plan,
    team: &Team,
    step: &Step,
    task: &domain::plan::AgentTask,
    key: &str,
    results: &Results,
) -> Result<Tried, Halt> {
    let mut agent = team.for_step(work, plan, step, task, key, results).await?;
    match agent.go_on(work).await? {
        End::Answer(text) => {
            let output = Value::String(text);
            if passes(step, &output, results) {
                Ok(Tried::Done(output))
            } else {
                Ok(Tried::Failed { reason: "its answer fails the check".into(), in_doubt: false })
            }
        }
        End::Replan { reason, .. } => {
            Ok(Tried::Failed { reason: format!("its agent wants another plan: {reason}"), in_doubt: false })
        }
        End::Failed { reason, in_doubt } => Ok(Tried::Failed { reason, in_doubt }),
    }
}

fn fill(call: &Call, results: &Results) -> Result<Call, String> {
    let arguments = reference::fill(&call.arguments, &|id| results.output(id)).map_err(|error| error.to_string())?;
    Ok(Call { tool: call.tool.clone(), arguments })
}

async fn use_tool(
    work: &Work<'_>,
    step: &Step,
    call: &Call,
    key: &str,
    allowed: &Allowed,
    chosen: Chosen<'_>,
) -> Result<Result<Value, ToolError>, Halt> {
    match work.runtime.tools.resolve(call.tool.as_str(), None) {
        Ok(tool) => {
            let Allowed { tools: allowed, tainted } = allowed;
            let using = ToolUse { key, step: Some(&step.id), allowed, priority: Default::default(), tainted, chosen };
            work.tool(&tool, call.arguments.clone(), using).await
        }
        Err(error) => Ok(Err(error)),
    }
}

fn passes(step: &Step, output: &Value, results: &Results) -> bool {
    let look_up = |id: &StepId| if *id == step.id { Some(output) } else { results.output(id) };
    step.check.as_ref().is_none_or(|check| check.holds(&look_up))
}

async fn undo_with(
    work: &Work<'_>,
    step: &Step,
    undo: &Call,
    output: &Value,
    key: &str,
    allowed: &Allowed,
    results: &Results,
) -> Result<Result<(), String>, Halt> {
    let look_up = |id: &StepId| if *id == step.id { Some(output) } else { results.output(id) };
    let arguments = match reference::fill(&undo.arguments, &look_up) {
        Ok(arguments) => arguments,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let shown = Chosen::Shown(&undo.arguments);
    let undo = Call { tool: undo.tool.clone(), arguments };
    let undone = use_tool(work, step, &undo, key, allowed, shown).await?;
    Ok(undone.map(|_| ()).map_err(|error| error.to_string()))
}

#[derive(Deserialize, JsonSchema)]
struct Reflection {
    /// What went wrong.
    #[serde(default)]
    #[expect(dead_code, reason = "asked for so that the model thinks before it changes anything; the ledger keeps it")]
    diagnosis: String,
    /// What to try instead.
    arguments: Option<Value>,
}

/// Other arguments to try, from a model that sees what went wrong.
async fn reflect(
    work: &Work<'_>,
    step: &Step,
    call: &Call,
    output: &Value,
    undone: bool,
    key: &str,
) -> Result<Option<Value>, Halt> {
    let prompt = Reflect {
        goal: &step.goal,
        tool: call.tool.as_str(),
        arguments: &cap(&call.arguments.to_string(), 4_000),
        result: &cap(&output.to_string(), 4_000),
        check: &step.check.as_ref().map(ToString::to_string).unwrap_or_default(),
        undone,
    };
    let text = render(work, &prompt)?;
    let question = Question { key, component: "reflect", tier: Tier::Default, messages: vec![Message::User { text }] };
    let reflection: Option<Reflection> = ask(work, question).await?.ok();
    Ok(reflection.and_then(|reflection| reflection.arguments).filter(Value::is_object))
}
