//! What a run is doing, in a line for whoever watches.

use domain::event::{Event, Route, StepOutcome};

/// A line about an event; nothing about those that say nothing to a person.
pub(crate) fn line(event: &Event) -> Option<String> {
    Some(match event {
        Event::Routed { route, .. } => match route {
            Route::Plan => "This is to be planned.".into(),
            Route::Given => "There is a plan already.".into(),
            Route::Reflex => "This is clear without a model.".into(),
            Route::Fast => "One small agent answers this.".into(),
            Route::Direct => "A model answers this.".into(),
        },
        Event::Thought { .. } => "Thought about it.".into(),
        Event::PlanRefused { .. } => "A plan was turned down.".into(),
        Event::Planned { version: 1, plan, .. } => match plan.steps().len() {
            1 => "Planned in one step.".into(),
            steps => format!("Planned in {steps} steps."),
        },
        Event::Planned { version, .. } => format!("Planned again, version {version}."),
        Event::Critiqued { .. } => "The plan was criticised.".into(),
        Event::StepStarted { step, attempt: 1 } => format!("Began `{step}`."),
        Event::StepStarted { step, attempt } => format!("Began `{step}` again, attempt {attempt}."),
        Event::StepFinished { step, outcome, .. } => match outcome {
            StepOutcome::Done { .. } => format!("Finished `{step}`."),
            StepOutcome::Failed { .. } => format!("`{step}` failed."),
            StepOutcome::Skipped { .. } => format!("`{step}` was not needed."),
        },
        Event::ToolCalled { tool, .. } => format!("Called `{tool}`."),
        Event::IntentDeclared { intent } => format!("Is about to call `{}`.", intent.tool),
        _ => return None,
    })
}
