//! Plans as people read them.

use domain::critique::Critique;
use domain::id::RunId;
use domain::plan::{Action, Notes, Plan, Step};
use serde::Serialize;

use super::Ink;
use super::text::{count, line, tame, value};

/// One version of a run's plan.
#[derive(Debug, Clone, Serialize)]
pub struct PlanPage {
    /// Whose plan.
    pub run: RunId,
    /// Which version, counted from 1.
    pub version: usize,
    /// How many there are.
    pub versions: usize,
    /// Why there is this version.
    pub because: Option<String>,
    /// The plan.
    pub plan: Plan,
    /// What its planner says about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<Notes>,
    /// What a critic says about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critique: Option<Critique>,
}

/// The page as text.
pub fn page(page: &PlanPage, ink: Ink) -> String {
    let because = page.because.as_ref().map(|why| format!("because {}\n", line(why, 200))).unwrap_or_default();
    let notes = page.notes.as_ref().map(super::reasoning::notes).unwrap_or_default();
    let issues = page.critique.iter().flat_map(|critique| &critique.issues);
    let issues: String = issues.map(|issue| format!("critic: {}\n", line(&issue.description, 300))).collect();
    let said = if notes.is_empty() && issues.is_empty() { String::new() } else { format!("\n{notes}{issues}") };
    format!(
        "{}\n{because}\n{}{said}",
        ink.faint(&format!("plan {} of {} of {}", page.version, page.versions, page.run)),
        words(&page.plan, ink)
    )
}

/// A plan: its goal, each step with what it waits for, and what happens at the end.
pub fn words(plan: &Plan, ink: Ink) -> String {
    let mut text = String::new();
    if !plan.goal().is_empty() {
        text.push_str(&format!("{}\n", ink.strong(&line(plan.goal(), 400))));
    }
    for (at, step) in plan.steps().iter().enumerate() {
        text.push_str(&step_words(at + 1, step, ink));
    }
    if let Some(answer) = plan.answer() {
        text.push_str(&format!("answer: {}\n", tame(answer)));
    }
    for intent in plan.intents() {
        text.push_str(&format!("then {} {}", intent.tool, value(&intent.arguments, 160)));
        text.push_str(&if intent.then.is_empty() {
            "\n".to_owned()
        } else {
            format!(", then {}\n", count(intent.then.len(), "more intent"))
        });
    }
    text
}

fn step_words(number: usize, step: &Step, ink: Ink) -> String {
    let goal = if step.goal.is_empty() { String::new() } else { format!("  {}", line(&step.goal, 200)) };
    let mut text = format!("{number}. {}{goal}\n", ink.strong(step.id.as_str()));
    let mut detail = |name: &str, words: String| text.push_str(&format!("     {} {words}\n", ink.faint(name)));
    detail("by", action_words(&step.action));
    if let Some(expects) = &step.expects {
        detail("for", line(expects, 200));
    }
    if !step.after.is_empty() {
        detail("after", step.after.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(", "));
    }
    if let Some(when) = &step.when {
        detail("when", line(&when.to_string(), 200));
    }
    if let Some(check) = &step.check {
        detail("check", line(&check.to_string(), 200));
    }
    if let Some(undo) = &step.undo {
        detail("undo", format!("{} {}", undo.tool, value(&undo.arguments, 160)));
    }
    for alternative in &step.alternatives {
        detail("or", action_words(alternative));
    }
    text
}

/// How a step is done, on one line.
pub fn action_words(action: &Action) -> String {
    match action {
        Action::Call(call) => format!("{} {}", call.tool, value(&call.arguments, 160)),
        Action::Agent(task) => {
            let tools = match task.tools.len() {
                0 => "without tools".to_owned(),
                _ => format!("with {}", task.tools.iter().map(|tool| tool.as_str()).collect::<Vec<_>>().join(", ")),
            };
            let turns = task.max_iterations.map(|turns| format!(", at most {turns} turns")).unwrap_or_default();
            let prompt = if task.prompt.is_empty() { String::new() } else { format!(": {}", line(&task.prompt, 160)) };
            format!("an agent {tools}{turns}{prompt}")
        }
    }
}
