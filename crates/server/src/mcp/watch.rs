//! Waiting for a run: until it ends or asks something, the caller is told what happens.

use std::time::Duration;

use domain::event::{Event, Outcome, Recorded, Route, Seq, StepOutcome};
use domain::id::RunId;
use domain::intent::Settlement;
use domain::run::{RunStatus, RunSummary};

use super::desk::Desk;
use crate::app::App;
use crate::error::ApiError;
use crate::runs;

/// How many events are read at once.
const PAGE: usize = 100;
/// The longest line that a caller is told, in characters.
const LONGEST: usize = 160;

/// How waiting ended.
pub(super) enum Watched {
    /// The run rests, or patience has ended.
    Stands(Box<RunSummary>),
    /// The caller does not want an answer any more.
    Abandoned,
}

/// Waits until a run ends or asks something, until patience ends, or until the caller does not want to wait any more.
pub(super) async fn watch(desk: &Desk, run: RunId, patience: Duration) -> Result<Watched, ApiError> {
    let app = &desk.app;
    let stands = async || Ok(Watched::Stands(Box::new(runs::summary(app, run).await?)));
    tokio::select! {
        biased;
        () = app.closing.cancelled() => stands().await,
        () = desk.context.ct.cancelled() => Ok(Watched::Abandoned),
        rested = follow(desk, run), if !patience.is_zero() => Ok(Watched::Stands(Box::new(rested?))),
        () = tokio::time::sleep(patience) => stands().await,
    }
}

async fn follow(desk: &Desk, run: RunId) -> Result<RunSummary, ApiError> {
    let app = &desk.app;
    let listens = desk.progress_token().is_some();
    let mut seen: Seq = 0;
    loop {
        let summary = runs::summary(app, run).await?;
        while listens && seen < summary.events {
            let events = app.store.events(run, seen, PAGE).await?;
            let Some(last) = events.last() else { break };
            seen = last.seq;
            for Recorded { seq, entry } in &events {
                if let Some(line) = words(&entry.event) {
                    desk.tell(*seq, line).await;
                }
            }
        }
        if rests(app, &summary).await? {
            return Ok(summary);
        }
        app.store.grown(run, summary.events).await?;
    }
}

/// Whether nothing happens until somebody does something.
pub(crate) async fn rests(app: &App, summary: &RunSummary) -> Result<bool, ApiError> {
    match summary.status {
        // It waits until somebody takes up what was answered.
        RunStatus::Waiting => Ok(!app.store.waits(Some(summary.run), 1).await?.is_empty()),
        status => Ok(status.is_final()),
    }
}

/// What happened, for somebody who waits; what they need not know is not told.
pub(crate) fn words(event: &Event) -> Option<String> {
    let line = match event {
        Event::Received { .. } => "the request is on record".to_owned(),
        Event::Routed { route, .. } => match route {
            Route::Reflex => "the request is clear without a model".to_owned(),
            Route::Fast => "the request goes to one small agent".to_owned(),
            Route::Plan => "the request is planned".to_owned(),
            Route::Direct => "a model is asked at once".to_owned(),
            Route::Given => "the request has a plan".to_owned(),
        },
        Event::Thought { .. } => "thought about it".to_owned(),
        Event::PlanRefused { .. } => "a draft of the plan was refused".to_owned(),
        Event::Planned { version, plan, .. } => match plan.steps().len() {
            1 => format!("plan {version} has one step"),
            steps => format!("plan {version} has {steps} steps"),
        },
        Event::Critiqued { .. } => "the plan was criticised".to_owned(),
        Event::Gated { why, .. } => format!("decided: {why}"),
        Event::StepStarted { step, .. } => format!("step `{step}` has begun"),
        Event::ModelCalled { component, model, .. } => format!("{component} asked {model}"),
        Event::ToolCalled { tool, result: Outcome::Ok(_), .. } => format!("`{tool}` was called"),
        Event::ToolCalled { tool, result: Outcome::Err(error), .. } => format!("`{tool}` failed: {error}"),
        Event::IntentDeclared { intent } => format!("`{}` is to be called", intent.tool),
        Event::IntentSettled { settlement, .. } => match settlement {
            Settlement::Done { .. } => "it is done".to_owned(),
            Settlement::Failed { error } => format!("it failed: {error}"),
            Settlement::Unknown { .. } => "nobody knows whether it happened".to_owned(),
            Settlement::Withheld { .. } => "it was withheld".to_owned(),
        },
        Event::StepFinished { step, outcome, .. } => match outcome {
            StepOutcome::Done { .. } => format!("step `{step}` is done"),
            StepOutcome::Failed { reason, .. } => format!("step `{step}` failed: {reason}"),
            StepOutcome::Skipped { .. } => format!("step `{step}` was skipped"),
        },
        Event::Waiting { wait } => format!("waits: {}", wait.need.question().unwrap_or("for a moment to come")),
        Event::Answered { name, .. } => format!("`{name}` was answered"),
        Event::CancelAsked { .. } => "it was asked to stop".to_owned(),
        Event::Finished { ending, .. } => format!("the run is {}", ending.status().word()),
        Event::Resumed { .. }
        | Event::Recalled { .. }
        | Event::Chosen { .. }
        | Event::Weighed { .. }
        | Event::Verified { .. }
        | Event::Scored { .. }
        | Event::Assessed { .. }
        | Event::Foreseen { .. }
        | Event::Staffed { .. }
        | Event::Forged { .. }
        | Event::MessageSent { .. }
        | Event::MessagesRead { .. }
        | Event::IntentSent { .. }
        | Event::Kept { .. } => return None,
    };
    Some(shortened(&line))
}

/// One line, which is not long and writes nothing but letters on a terminal.
fn shortened(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let short: String = plain.take(LONGEST).collect();
    if short.chars().count() < text.chars().count() { format!("{short}…") } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_short_and_plain() {
        assert_eq!(shortened("a\nb\u{1b}[31m"), "a b [31m");
        assert_eq!(shortened(&"x".repeat(LONGEST + 1)).chars().count(), LONGEST + 1);
        assert_eq!(words(&Event::CancelAsked { reason: None }).as_deref(), Some("it was asked to stop"));
    }
}
