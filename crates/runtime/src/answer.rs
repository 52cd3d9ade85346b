//! What the person is told: as the plan says, or in a model's words, or plainly what was found.

use domain::chat::{Ask, Message, Tier};
use domain::event::StepOutcome;
use domain::plan::{Action, Plan};
use domain::reference;
use serde_json::Value;

use crate::context::told;
use crate::engine::Results;
use crate::forge::result_text;
use crate::prompt::{AnswerPrompt, ResultText, render};
use crate::record::Halt;
use crate::work::Work;

/// Puts the answer together.
pub(crate) async fn answer(work: &Work<'_>, plan: &Plan, results: &Results) -> Result<String, Halt> {
    if let Some(template) = plan.answer()
        && let Ok(filled) = reference::fill(&Value::String(template.to_owned()), &|id| results.output(id))
    {
        return Ok(reference::aloud(&filled));
    }
    if let Some(said) = said(plan, results) {
        return Ok(said);
    }
    let ends: Vec<_> = plan
        .steps()
        .iter()
        .filter(|step| !plan.steps().iter().any(|later| later.after.contains(&step.id)))
        .filter(|step| matches!(results.get(&step.id), Some(StepOutcome::Done { .. })))
        .collect();
    if let [only] = ends.as_slice()
        && let Some(Value::String(text)) = results.output(&only.id)
    {
        return Ok(text.clone());
    }
    let texts: Vec<ResultText> = plan.steps().iter().filter_map(|step| result_text(work, &step.id, results)).collect();
    if work.asks("answer") {
        let (request, earlier) = (work.request.text.as_str(), told(&work.request.earlier));
        let text = render(work, &AnswerPrompt { request, earlier: &earlier, results: &texts })?;
        let mut ask = Ask { messages: vec![Message::User { text }], ..Ask::default() };
        if let Ok(reply) = work.model("answer/model", "answer", Tier::Weak, &mut ask).await?
            && !reply.text.trim().is_empty()
        {
            return Ok(reply.text);
        }
    }
    Ok(plainly(plan, results))
}

/// What the tools say themselves, where all of them do: direct steps whose results have words for a person.
fn said(plan: &Plan, results: &Results) -> Option<String> {
    let mut lines = Vec::new();
    for step in plan.steps() {
        match (&step.action, results.get(&step.id)?) {
            (Action::Call(_), StepOutcome::Done { output }) => lines.push(output.get("said")?.as_str()?.to_owned()),
            (Action::Call(_), StepOutcome::Skipped { .. }) => lines.push(format!("Not done: {}.", step.goal)),
            (Action::Agent(_), _) | (_, StepOutcome::Failed { .. }) => return None,
        }
    }
    Some(lines.join("\n"))
}

/// Every result on a line of its own.
pub(crate) fn plainly(plan: &Plan, results: &Results) -> String {
    let lines = plan.steps().iter().filter_map(|step| {
        let name = if step.goal.is_empty() { step.id.as_str() } else { &step.goal };
        match results.get(&step.id)? {
            StepOutcome::Done { output } => Some(format!("{name}: {}", reference::aloud(output))),
            StepOutcome::Skipped { reason } => Some(format!("{name}: not done, {reason}")),
            StepOutcome::Failed { reason, .. } => Some(format!("{name}: failed, {reason}")),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
