//! The only place from which anything is written to the world: after the intent is on disk, under a key that is the same
//! for every attempt, and never twice where the receiver could not tell.

use std::sync::Arc;

use domain::event::Event;
use domain::hash::Hash;
use domain::id::{StepId, ToolName};
use domain::intent::{Intent, IntentDraft, Settlement};
use domain::plan::Plan;
use domain::reference;
use domain::tool::{Effect, Repeat, Tool, ToolError};
use domain::view::spent_by;
use serde_json::Value;

use crate::record::Halt;
use crate::verify;
use crate::work::{Chosen, ToolUse, Work};

/// How often a process sends a write whose receiver recognises repetitions.
const MAX_TRIES: u32 = 3;

/// Declares a write, sends it and settles it, or finds out how an earlier attempt at it ended.
pub(crate) async fn carry_out(
    work: &Work<'_>,
    tool: &Arc<dyn Tool>,
    arguments: Value,
    using: &ToolUse<'_>,
) -> Result<Result<Value, ToolError>, Halt> {
    let name = &tool.spec().name;
    let key = using.key;
    let call = work.call_context(key, using.step);
    let declared = format!("{key}/declared");
    let intent = Intent {
        key: call.key.clone(),
        step: using.step.cloned(),
        tool: name.clone(),
        arguments: arguments.clone(),
        priority: using.priority,
    };
    if let Some(Event::IntentDeclared { intent: on_record }) = work.journal.known(&declared)
        && Hash::of_json(&(&on_record.tool, &on_record.arguments)) != Hash::of_json(&(name, &arguments))
    {
        return Err(Halt::Diverged(format!(
            "`{name}` was declared with other arguments before the run was taken up again"
        )));
    }
    work.journal.record(&declared, Event::IntentDeclared { intent }).await?;

    let settled = format!("{key}/settled");
    let _asked_again = work.room_in_replay(|| work.meter.tool()).await?;
    let mut attempt = 0;
    while work.journal.known(&sent(key, attempt + 1)).is_some() {
        attempt += 1;
        send(work, key, &call.key, attempt).await?;
    }
    if let Some(Event::IntentSettled { settlement, .. }) = work.journal.known(&settled) {
        let settlement = settlement.clone();
        work.journal.record(settled, Event::IntentSettled { intent: call.key, settlement: settlement.clone() }).await?;
        return Ok(result_of(name, settlement));
    }
    if let Some(gate) = work.journal.gate() {
        return gate.never().await;
    }
    let settlement = if work.request.wishes.dry {
        tried_out(work, name, &arguments, key)
    } else {
        settle(work, tool, &arguments, key, &call, attempt).await?
    };
    let event = Event::IntentSettled { intent: call.key, settlement: settlement.clone() };
    work.journal.record(settled, event).await?;
    Ok(result_of(name, settlement))
}

/// What a run that only tries things out gets: what became of the same write in the run it is compared with, or nothing.
fn tried_out(work: &Work<'_>, tool: &ToolName, arguments: &Value, key: &str) -> Settlement {
    let same = matches!(work.journal.past(&format!("{key}/declared")), Some(Event::IntentDeclared { intent })
        if intent.tool == *tool && intent.arguments == *arguments);
    match work.journal.past(&format!("{key}/settled")) {
        Some(Event::IntentSettled { settlement, .. }) if same => settlement.clone(),
        _ => Settlement::Withheld { detail: "this run only tries things out".into() },
    }
}

/// Sends until it is known what became of it, or known that it cannot be known.
async fn settle(
    work: &Work<'_>,
    tool: &Arc<dyn Tool>,
    arguments: &Value,
    key: &str,
    call: &domain::tool::CallContext,
    mut attempt: u32,
) -> Result<Settlement, Halt> {
    let repeat = match tool.spec().effect {
        Effect::Write { repeat, .. } => repeat,
        Effect::Read | Effect::Egress => Repeat::SameKey,
    };
    let mut tries = 0;
    let mut doubt = (attempt > 0).then(|| "the process ended before it was known what became of it".to_owned());
    loop {
        if let Some(detail) = doubt.take() {
            match repeat {
                Repeat::Never => return Ok(Settlement::Unknown { detail }),
                Repeat::SameKey if tries >= MAX_TRIES => return Ok(Settlement::Unknown { detail }),
                Repeat::SameKey => {}
                Repeat::ReadBack => match tool.read_back(&call.key).await {
                    Ok(Some(result)) => return Ok(Settlement::Done { result }),
                    Ok(None) if tries < MAX_TRIES => {}
                    Ok(None) => return Ok(Settlement::Unknown { detail }),
                    Err(error) => {
                        return Ok(Settlement::Unknown { detail: format!("{detail}; asking the receiver: {error}") });
                    }
                },
            }
        }
        let _room = if attempt == 0 { Some(work.room(|| work.meter.tool()).await?) } else { None };
        attempt += 1;
        tries += 1;
        send(work, key, &call.key, attempt).await?;
        // Nothing leaves before its record is on disk.
        work.journal.durable().await;
        let limit = tool.spec().timeout.unwrap_or(work.runtime.settings.tool_timeout);
        match tokio::time::timeout(limit, tool.call(arguments, call)).await {
            Ok(Ok(result)) => return Ok(Settlement::Done { result }),
            Ok(Err(ToolError::InDoubt { detail, .. })) => doubt = Some(detail),
            Ok(Err(error @ ToolError::TimedOut { .. })) => doubt = Some(error.to_string()),
            Ok(Err(error)) => return Ok(Settlement::Failed { error }),
            Err(_) => doubt = Some(format!("it did not answer within {limit:?}")),
        }
    }
}

async fn send(work: &Work<'_>, key: &str, intent: &str, attempt: u32) -> Result<(), Halt> {
    let event = Event::IntentSent { intent: intent.to_owned(), attempt };
    let key = sent(key, attempt);
    if work.journal.known(&key).is_none() || work.journal.gate().is_some() {
        work.meter.spend(spent_by(&event));
    }
    work.journal.record(key, event).await
}

fn sent(key: &str, attempt: u32) -> String {
    format!("{key}/sent/{attempt}")
}

fn result_of(tool: &ToolName, settlement: Settlement) -> Result<Value, ToolError> {
    match settlement {
        Settlement::Done { result } => Ok(result),
        Settlement::Failed { error } => Err(error),
        Settlement::Unknown { detail } => Err(ToolError::InDoubt { tool: tool.clone(), detail }),
        Settlement::Withheld { detail } => Ok(serde_json::json!({ "withheld": detail })),
    }
}

/// Carries out what a plan wants written at its end: the most urgent first, and what is chained to a success after it.
/// Returns a sentence for each that did not happen.
pub(crate) async fn at_the_end<'v>(
    work: &Work<'_>,
    plan: &Plan,
    result_of: &(dyn Fn(&StepId) -> Option<&'v Value> + Sync),
) -> Result<Vec<String>, Halt> {
    let allowed = plan.tools();
    let mut failures = Vec::new();
    let mut waiting: Vec<(String, &IntentDraft)> =
        plan.intents().iter().enumerate().map(|(at, intent)| (format!("intent/{}", at + 1), intent)).collect();
    while !waiting.is_empty() {
        // The first of the most urgent: `max_by_key` would take the last.
        let next = (0..waiting.len()).rev().max_by_key(|at| waiting[*at].1.priority).unwrap_or_default();
        let (key, draft) = waiting.remove(next);
        let tool = work.runtime.tools.tool(&draft.tool);
        let tainted = tool.map(|tool| verify::referring(tool.spec(), &draft.arguments)).unwrap_or_default();
        let using = ToolUse {
            key: &key,
            step: None,
            allowed: &allowed,
            priority: draft.priority,
            tainted: &tainted,
            chosen: Chosen::Shown(&draft.arguments),
        };
        match one_at_the_end(work, draft, using, result_of).await? {
            Ok(()) => {
                let chained = draft.then.iter().enumerate().map(|(at, then)| (format!("{key}/then/{}", at + 1), then));
                waiting.splice(0..0, chained.collect::<Vec<_>>());
            }
            Err(error) => failures.push(error),
        }
    }
    Ok(failures)
}

async fn one_at_the_end<'v>(
    work: &Work<'_>,
    draft: &IntentDraft,
    using: ToolUse<'_>,
    result_of: &(dyn Fn(&StepId) -> Option<&'v Value> + Sync),
) -> Result<Result<(), String>, Halt> {
    let arguments = match reference::fill(&draft.arguments, result_of) {
        Ok(arguments) => arguments,
        Err(error) => return Ok(Err(format!("`{}`: {error}", draft.tool))),
    };
    let Some(tool) = work.runtime.tools.tool(&draft.tool) else {
        return Ok(Err(format!("there is no tool `{}`", draft.tool)));
    };
    let result = work.tool(&tool, arguments, using).await?;
    Ok(result.map(|_| ()).map_err(|error| error.to_string()))
}
