//! What planners write, made into what can be carried out: plans, agents, notes, and the lines that prompts list.

use domain::agent::{AgentConfiguration, AgentDraft};
use domain::event::StepOutcome;
use domain::finding::{Finding, Weight};
use domain::plan::{Action, AgentTask, Notes, Plan, PlanDraft, StepDraft};
use domain::score::Score;
use domain::thought::Thought;
use serde_json::Value;

use super::COMPONENT;
use crate::engine::Results;
use crate::prompt::{Planner, StepLine, render};
use crate::recall::Recalled;
use crate::record::Halt;
use crate::think;
use crate::work::Work;

/// How many other plans are kept.
const MOST_ALTERNATIVES: usize = 3;

/// A draft as a plan and an agent. A plan in words becomes one step for an agent with all the tools.
pub(super) fn read_draft(
    mut draft: AgentDraft,
    request: &str,
    max_iterations: u32,
) -> Result<(PlanDraft, AgentConfiguration), Vec<String>> {
    let plan = match steps_of(&draft.plan) {
        Some(steps) => serde_json::from_value::<PlanDraft>(steps).map_err(|error| vec![format!("plan: {error}")])?,
        None => PlanDraft {
            goal: request.to_owned(),
            steps: vec![StepDraft {
                id: Some("answer".into()),
                goal: request.to_owned(),
                how: domain::plan::ActionDraft { tools: draft.tool_names.clone(), ..Default::default() },
                ..StepDraft::default()
            }],
            ..PlanDraft::default()
        },
    };
    if draft.system_prompt.trim().is_empty() {
        draft.system_prompt = "You carry out a plan for a person, with the tools you are given.".into();
    }
    draft.max_iterations.get_or_insert(i64::from(max_iterations));
    if let Value::Object(fields) = &draft.plan {
        // The steps are given to the agent by themselves; what is left in words is the goal.
        draft.plan = fields.get("goal").cloned().unwrap_or_default();
    } else if draft.plan.as_array().is_some_and(|items| items.iter().any(Value::is_object)) {
        draft.plan = Value::Null;
    }
    let configuration = AgentConfiguration::try_from(draft).map_err(|error| vec![error.to_string()])?;
    Ok((plan, configuration))
}

/// An agent gets at most so many tools: those its plan calls for first, then the others in the planner's order.
pub(super) fn limit_tools(configuration: &mut AgentConfiguration, plan: &Plan, max_tools: usize) {
    let mut wanted = plan.tools();
    wanted.extend(configuration.tool_names.iter().filter(|tool| !plan.tools().contains(tool)).cloned());
    let left_out: Vec<Value> = wanted.iter().skip(max_tools).map(|tool| Value::String(tool.to_string())).collect();
    wanted.truncate(max_tools);
    configuration.tool_names = wanted;
    if !left_out.is_empty() {
        configuration.metadata.insert("tools_left_out".into(), left_out.into());
    }
}

/// Puts the steps of an old plan that are done before those of a new one.
pub(super) fn keep_finished(old: &Plan, new: &mut PlanDraft, results: &Results) -> Result<(), Vec<String>> {
    let kept: Vec<_> = old.steps().iter().filter(|step| results.output(&step.id).is_some()).cloned().collect();
    new.steps.retain(|step| !kept.iter().any(|done| step.id.as_deref() == Some(done.id.as_str())));
    if new.steps.is_empty() {
        return Err(vec!["the new plan has no steps that are still to be done".into()]);
    }
    new.steps.splice(0..0, kept.into_iter().map(StepDraft::from));
    Ok(())
}

/// The steps of a plan as prompts list them.
pub(crate) fn step_lines(plan: &Plan, results: &Results) -> Vec<StepLine> {
    plan.steps()
        .iter()
        .map(|step| StepLine {
            id: step.id.to_string(),
            goal: step.goal.clone(),
            how: match &step.action {
                Action::Call(call) => format!("`{}` with {}", call.tool, call.arguments),
                Action::Agent(AgentTask { tools, .. }) if tools.is_empty() => String::new(),
                Action::Agent(AgentTask { tools, .. }) => {
                    format!("with {}", tools.iter().map(|tool| format!("`{tool}`")).collect::<Vec<_>>().join(", "))
                }
            },
            after: step.after.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", "),
            status: match results.get(&step.id) {
                None => "to do".into(),
                Some(StepOutcome::Done { .. }) => "done".into(),
                Some(StepOutcome::Failed { reason, .. }) => format!("failed: {reason}"),
                Some(StepOutcome::Skipped { reason }) => format!("skipped: {reason}"),
            },
        })
        .collect()
}

/// A plan in any of the forms planners write it in, as the one form there is; nothing for a plan in words.
pub(crate) fn steps_of(plan: &Value) -> Option<Value> {
    match plan {
        Value::Object(fields) if fields.contains_key("steps") => Some(plan.clone()),
        Value::Object(fields) => fields.get("plan").and_then(steps_of),
        Value::Array(items) if items.iter().any(Value::is_object) => Some(serde_json::json!({ "steps": items })),
        _ => None,
    }
}

/// What a planner says about its plan. What is no score is no confidence.
pub(super) fn notes_of(draft: &AgentDraft) -> Notes {
    let other = draft.alternatives.iter().filter_map(steps_of);
    let other = other.filter_map(|steps| serde_json::from_value::<PlanDraft>(steps).ok());
    Notes {
        confidence: draft.confidence.as_f64().and_then(|number| Score::try_from(number).ok()),
        complexity: match &draft.complexity {
            Value::String(word) => word.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        },
        rationale: draft.rationale.clone(),
        alternatives: other.filter(|plan| !plan.steps.is_empty()).take(MOST_ALTERNATIVES).collect(),
        pins: Default::default(),
        from: None,
    }
}

/// What a planner is told at the beginning.
pub(super) fn planner_prompt(work: &Work<'_>, recalled: &Recalled, thought: Option<&Thought>) -> Result<String, Halt> {
    let thought = thought.map(think::aloud);
    let prompt = Planner {
        request: work.request.text.as_str(),
        now: &work.request.at.to_string(),
        zone: work.request.zone.as_deref(),
        place: work.request.place.as_deref(),
        recent: &recalled.recent,
        memories: &recalled.memories,
        guidelines: &recalled.points(COMPONENT),
        thought: thought.as_deref(),
        example: recalled.example.as_deref(),
        tools: &work.tools().listing(recalled.tools()),
        experience: &recalled.experience(),
        max_iterations: work.runtime.settings.max_iterations,
        max_tools: work.runtime.settings.max_tools,
    };
    render(work, &prompt)
}

/// What keeps a plan from being carried out, in sentences.
pub(super) fn said(findings: &[Finding]) -> Vec<String> {
    findings.iter().filter(|finding| finding.weight == Weight::Fatal).map(ToString::to_string).collect()
}
