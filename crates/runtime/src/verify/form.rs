//! From JSON to a plan, or everything that keeps it from being one.

use domain::agent::{AgentDraft, ITERATIONS};
use domain::finding::{Code, Finding};
use domain::intent::IntentDraft;
use domain::plan::{BadPlan, BadStep, Plan, PlanDraft, StepDraft};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(super) fn read(given: &Value) -> Result<Plan, Vec<Finding>> {
    let wrong = |says: String| vec![Finding::new(Code::NotAPlan, None, says)];
    let whole = unwrapped(given);
    let Value::Object(fields) = &whole else {
        return Err(wrong(format!("a plan is an object with a list of `steps`, not {}", kind(&whole))));
    };
    if let Ok(draft) = PlanDraft::deserialize(&whole) {
        return Plan::parse(draft).map_err(|problems| misread(&problems));
    }
    let (draft, mut findings) = piece_by_piece(fields);
    // Without a list of steps there is nothing else to say about them.
    if !matches!(fields.get("steps"), Some(Value::Array(_))) {
        return Err(findings);
    }
    if let Err(problems) = Plan::parse(draft) {
        findings.extend(misread(&problems));
    }
    Err(findings)
}

/// What a step can have, in all the spellings that are read.
const FIELDS: [&str; 34] = [
    "id",
    "step_id",
    "stepId",
    "name",
    "goal",
    "description",
    "action",
    "task",
    "tool",
    "tool_name",
    "toolName",
    "arguments",
    "args",
    "parameters",
    "prompt",
    "tools",
    "tool_names",
    "toolNames",
    "max_iterations",
    "maxIterations",
    "depends_on",
    "dependsOn",
    "dependencies",
    "after",
    "when",
    "condition",
    "check",
    "validate",
    "undo",
    "alternatives",
    "fallbacks",
    "expects",
    "expected_outcome",
    "expectedOutcome",
];

/// Fields of steps that nobody reads: perhaps they are misspelt.
pub(super) fn unread(given: &Value) -> Vec<Finding> {
    let whole = unwrapped(given);
    let steps = whole["steps"].as_array().into_iter().flatten().filter_map(Value::as_object).enumerate();
    let mut findings = Vec::new();
    for (at, step) in steps {
        let name = step.get("id").and_then(Value::as_str).map_or_else(|| format!("step_{}", at + 1), str::to_owned);
        let strange = |field: &&String| !FIELDS.contains(&field.as_str());
        for field in step.keys().filter(strange) {
            let says = format!("`{field}` means nothing; if it is misspelt, what it says is lost");
            findings.push(Finding::new(Code::UnreadField, Some(&name), says));
        }
    }
    findings
}

pub(super) fn misread(problems: &[BadPlan]) -> Vec<Finding> {
    problems.iter().map(finding).collect()
}

fn finding(problem: &BadPlan) -> Finding {
    match problem {
        BadPlan::NoSteps => Finding::new(Code::NoSteps, None, problem.to_string()),
        BadPlan::TooManySteps(_) => Finding::new(Code::TooManySteps, None, problem.to_string()),
        BadPlan::Twice(step) => {
            Finding::new(Code::SameId, Some(step.as_str()), "another step has the same name; rename one of them")
        }
        BadPlan::UnknownStep { step, missing } => match step.as_str() {
            place @ ("answer" | "intents") => {
                Finding::new(Code::UnknownStep, None, format!("`{place}` needs unknown step `{missing}`"))
            }
            step => Finding::new(Code::UnknownStep, Some(step), format!("it waits for unknown step `{missing}`")),
        },
        BadPlan::Circle(circle) => match circle.as_slice() {
            [own] => Finding::new(
                Code::OwnResult,
                Some(own.as_str()),
                "it waits for itself; only `check` and `undo` can refer to the step's own result",
            ),
            _ => Finding::new(Code::Circle, None, problem.to_string()),
        },
        BadPlan::Step { step, problem } => {
            let code = match problem {
                BadStep::Empty => Code::EmptyStep,
                BadStep::Name(_) => Code::BadName,
                BadStep::Condition(_) => Code::BadCondition,
                BadStep::Reference(_) => Code::BadReference,
                BadStep::Arguments { .. } => Code::ArgumentsNoObject,
                BadStep::Turns(_) => Code::Turns,
            };
            match step.as_str() {
                place @ ("answer" | "intents") => Finding::new(code, None, format!("`{place}`: {problem}")),
                step => Finding::new(code, Some(step), problem.to_string()),
            }
        }
    }
}

/// The plan itself, whatever it is wrapped in.
fn unwrapped(given: &Value) -> Value {
    match given {
        Value::Array(steps) => json!({ "steps": steps }),
        Value::Object(page) if !page.contains_key("steps") => match page.get("plan") {
            Some(plan @ Value::Object(_)) => unwrapped(plan),
            Some(Value::Array(steps)) if steps.iter().any(Value::is_object) => json!({ "steps": steps }),
            Some(Value::String(_) | Value::Array(_)) => in_words(given),
            _ => given.clone(),
        },
        other => other.clone(),
    }
}

/// A plan in words is one task for an agent with all the tools.
fn in_words(given: &Value) -> Value {
    let Ok(agent) = AgentDraft::deserialize(given) else { return given.clone() };
    let goal = match &agent.plan {
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        plan => plan.as_str().unwrap_or_default().to_owned(),
    };
    json!({"goal": goal, "steps": [{
        "id": "answer", "goal": goal, "tools": agent.tool_names, "max_iterations": agent.max_iterations,
    }]})
}

/// What can be read of a plan that cannot be read as a whole. A step that cannot be read is still there under its name,
/// so that those who wait for it do not look wrong.
fn piece_by_piece(fields: &Map<String, Value>) -> (PlanDraft, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut draft = PlanDraft::default();
    let mut wrong = |step: Option<&str>, code: Code, says: String| findings.push(Finding::new(code, step, says));
    for name in ["goal", "answer"] {
        match fields.get(name) {
            None | Some(Value::String(_)) => {}
            Some(Value::Null) if name == "answer" => {}
            Some(other) => wrong(None, Code::NotAPlan, format!("`{name}` must be a text, not {}", kind(other))),
        }
    }
    draft.answer = fields.get("answer").and_then(Value::as_str).map(str::to_owned);
    match fields.get("steps") {
        Some(Value::Array(steps)) => {
            for (at, step) in steps.iter().enumerate() {
                let id = ["id", "step_id", "stepId", "name"].iter().find_map(|word| step.get(word)?.as_str());
                let name = id.map_or_else(|| format!("step_{}", at + 1), str::to_owned);
                let mut step = step.clone();
                for turns in out_of_range(&mut step) {
                    wrong(Some(&name), Code::Turns, BadStep::Turns(turns).to_string());
                }
                draft.steps.push(StepDraft::deserialize(&step).unwrap_or_else(|error| {
                    wrong(Some(&name), Code::NotAPlan, format!("it cannot be read: {error}"));
                    StepDraft { id: Some(name.clone()), goal: "unreadable".into(), ..StepDraft::default() }
                }));
            }
        }
        Some(other) => wrong(None, Code::NotAPlan, format!("`steps` must be a list, not {}", kind(other))),
        None => wrong(None, Code::NoSteps, BadPlan::NoSteps.to_string()),
    }
    match fields.get("intents") {
        None => {}
        Some(Value::Array(intents)) => {
            for (at, intent) in intents.iter().enumerate() {
                match IntentDraft::deserialize(intent) {
                    Ok(intent) => draft.intents.push(intent),
                    Err(error) => wrong(None, Code::NotAPlan, format!("`intents[{at}]` cannot be read: {error}")),
                }
            }
        }
        Some(other) => wrong(None, Code::NotAPlan, format!("`intents` must be a list, not {}", kind(other))),
    }
    (draft, findings)
}

/// Takes out numbers of turns that no step could hold.
fn out_of_range(step: &mut Value) -> Vec<i64> {
    let mut taken = Vec::new();
    let others = step.get("alternatives").and_then(Value::as_array).map_or(0, Vec::len);
    let mut places = vec![String::new()];
    places.extend((0..others).map(|at| format!("/alternatives/{at}")));
    for place in places {
        let Some(Value::Object(fields)) = step.pointer_mut(&place) else { continue };
        for word in ["max_iterations", "maxIterations"] {
            let turns = fields.get(word).and_then(Value::as_i64);
            let beyond = |turns: &i64| u32::try_from(*turns).map_or(true, |turns| !ITERATIONS.contains(&turns));
            if let Some(turns) = turns.filter(beyond) {
                taken.push(turns);
                fields.remove(word);
            }
        }
    }
    taken
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a yes or no",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
