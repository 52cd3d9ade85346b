//! One run: everything a person needs to know about it on one page.

use domain::approval::ApprovalId;
use domain::budget::Spent;
use domain::event::{Need, StepOutcome, Wait};
use domain::id::{RunId, StepId};
use domain::intent::{IntentStatus, IntentView, Settlement};
use domain::library::Rating;
use domain::plan::Strategy;
use domain::run::{Ending, RunStatus, RunSummary};
use domain::store::PendingWait;
use domain::view::{RunView, StepView};
use jiff::Timestamp;
use serde::Serialize;

use super::Ink;
use super::events::waiting;
use super::runs::mark;
use super::table::{Cell, lines};
use super::text::{between, count, duration, indented, line, tame, value};

/// What is known about a run.
#[derive(Debug, Clone, Serialize)]
pub struct RunPage {
    /// The row that listings show.
    pub run: RunSummary,
    /// The fold of its ledger.
    pub view: RunView,
    /// What it wants or wanted to write.
    pub intents: Vec<IntentView>,
    /// What it waits for.
    pub waits: Vec<PendingWait>,
}

/// The page as text; `now` is for steps that are still under way.
pub fn page(page: &RunPage, now: Timestamp, ink: Ink) -> String {
    let mut text = head(page, ink);
    let parts = [
        ("Reasoning", super::reasoning::section(&page.view.reasoning)),
        ("Steps", steps(&page.view, now, ink)),
        ("Intents", intents(&page.intents, ink)),
        ("Waiting for", waits(page, ink)),
        ("Ending", ending(page.view.ending.as_ref(), ink)),
    ];
    for (title, part) in parts.into_iter().filter(|(_, part)| !part.is_empty()) {
        text.push_str(&format!("\n{}\n{}\n", ink.strong(title), indented(&part, 2)));
    }
    text
}

fn head(page: &RunPage, ink: Ink) -> String {
    let RunPage { run, view, .. } = page;
    let mut rows: Vec<(&str, Cell)> = vec![
        ("run", run.run.to_string().into()),
        ("status", Cell::marked(run.status.word(), mark(run.status))),
        ("request", line(&run.text, 400).into()),
        ("accepted", format!("{:.0}", run.created_at).into()),
        ("took", duration(between(run.created_at, run.updated_at)).into()),
    ];
    if let Some(strategy) = run.strategy {
        rows.push(("strategy", strategy.word().into()));
    }
    if !view.chain.is_empty() {
        rows.push(("chain", line(&view.chain.join(" → "), 400).into()));
    }
    if let Some(parent) = run.parent {
        rows.push(("forked", format!("from {} at {}", parent.run, parent.seq).into()));
    }
    if let Some(session) = &run.session {
        rows.push(("session", session.to_string().into()));
    }
    if let Some((plan, because)) = view.plans.last() {
        let because = because.as_ref().map(|why| format!(", because {}", line(why, 100))).unwrap_or_default();
        let steps = count(plan.steps().len(), "step");
        rows.push(("plan", format!("version {} with {steps}{because}", view.plans.len()).into()));
    }
    let names = |tools: &[domain::id::ToolName]| tools.iter().map(|tool| tool.as_str()).collect::<Vec<_>>().join(", ");
    if !view.tools_selected.is_empty() {
        rows.push(("tools given", names(&view.tools_selected).into()));
    }
    if !view.tools_used.is_empty() {
        rows.push(("tools used", names(&view.tools_used).into()));
    }
    if let Some(quality) = run.quality {
        rows.push(("quality", format!("{quality:.2}").into()));
    }
    rows.push(("spent", spent(&run.spent).into()));
    if let Some(user) = &run.user {
        rows.push(("asked by", line(user, 60).into()));
    }
    rows.push(("events", run.events.to_string().into()));
    let rows: Vec<_> = rows.into_iter().map(|(name, cell)| vec![Cell::marked(name, Ink::faint), cell]).collect();
    lines(ink, &rows)
}

/// Money, tokens and calls, on one line.
pub fn spent(spent: &Spent) -> String {
    format!(
        "{}, {} tokens in, {} out, {}, {}",
        spent.usage.cost,
        spent.usage.input_tokens,
        spent.usage.output_tokens,
        count(spent.model_calls as usize, "model call"),
        count(spent.tool_calls as usize, "tool call"),
    )
}

/// The steps of the newest plan in its order, then attempts at steps of earlier plans.
/// What was said about a run.
pub fn rated(run: RunId, rating: Option<&Rating>) -> String {
    let Some(rating) = rating else { return format!("nobody said anything about {run}\n") };
    let verdict = if rating.good { "good" } else { "bad" };
    let by = rating.by.as_ref().map(|by| format!(" for {}", line(by, 60))).unwrap_or_default();
    let words = rating.words.as_ref().map(|words| format!(": {}", line(words, 400))).unwrap_or_default();
    format!("{run} was {verdict}{by}{words}\n")
}

fn steps(view: &RunView, now: Timestamp, ink: Ink) -> String {
    let planned: Vec<(&StepId, &str)> = view
        .plans
        .last()
        .map_or_else(Vec::new, |(plan, _)| plan.steps().iter().map(|step| (&step.id, step.goal.as_str())).collect());
    let under_way = match (&view.ending, view.status) {
        (Some(_), _) => "stopped",
        (None, Some(RunStatus::Waiting)) => "waiting",
        (None, _) => "running",
    };
    let mut rows = Vec::new();
    for (id, goal) in &planned {
        let attempts: Vec<&StepView> = view.steps.iter().filter(|step| step.step == **id).collect();
        if attempts.is_empty() {
            let word = match (view.strategy, &view.ending) {
                // One agent has the whole plan, and goes through it as it sees fit.
                (Some(Strategy::SingleAgent), _) => "-",
                (_, Some(_)) => "not reached",
                (_, None) => "pending",
            };
            rows.push(vec![
                Cell::marked(word, Ink::faint),
                id.to_string().into(),
                "".into(),
                "".into(),
                line(goal, 80).into(),
            ]);
        }
        rows.extend(attempts.into_iter().map(|attempt| step_row(attempt, goal, under_way, now)));
    }
    let earlier = view.steps.iter().filter(|step| !planned.iter().any(|(id, _)| **id == step.step));
    rows.extend(earlier.map(|step| step_row(step, "(of an earlier plan)", under_way, now)));
    lines(ink, &rows)
}

fn step_row(step: &StepView, goal: &str, under_way: &str, now: Timestamp) -> Vec<Cell> {
    let (word, end, detail): (Cell, Timestamp, String) = match &step.finished {
        None => (Cell::marked(under_way, Ink::strong), now, line(goal, 80)),
        Some((at, StepOutcome::Done { output })) => {
            let gave = format!("{} → {}", line(goal, 60), value(output, 80));
            (Cell::marked("done", Ink::good), *at, gave.trim_start_matches(" → ").to_owned())
        }
        Some((at, StepOutcome::Failed { reason, in_doubt })) => {
            let word = if *in_doubt { "IN DOUBT" } else { "failed" };
            (Cell::marked(word, Ink::bad), *at, line(reason, 160))
        }
        Some((at, StepOutcome::Skipped { reason })) => (Cell::marked("skipped", Ink::faint), *at, line(reason, 160)),
    };
    let id = if step.attempt > 1 { format!("{} (attempt {})", step.step, step.attempt) } else { step.step.to_string() };
    let tokens = step.spent.usage.tokens();
    let tokens = if tokens == 0 { String::new() } else { format!("{tokens} tokens") };
    vec![word, id.into(), duration(between(step.started_at, end)).into(), tokens.into(), detail.into()]
}

fn intents(intents: &[IntentView], ink: Ink) -> String {
    let row = |intent: &IntentView| -> Vec<Cell> {
        let status = match intent.status {
            IntentStatus::Declared => Cell::from("declared"),
            IntentStatus::Sending => Cell::marked("sending", Ink::strong),
            IntentStatus::Done => Cell::marked("done", Ink::good),
            IntentStatus::Failed => Cell::marked("failed", Ink::bad),
            IntentStatus::Unknown => Cell::marked("UNKNOWN", Ink::bad),
            IntentStatus::Withheld => Cell::marked("withheld", Ink::faint),
        };
        let detail = match &intent.settlement {
            Some(Settlement::Failed { error }) => format!(": {}", line(&error.to_string(), 120)),
            Some(Settlement::Unknown { detail }) => format!(": {}; look before you repeat it", line(detail, 120)),
            Some(Settlement::Withheld { detail }) => format!(": {}", line(detail, 120)),
            Some(Settlement::Done { .. }) | None => String::new(),
        };
        let what = format!("{}{detail}", value(&intent.intent.arguments, 80));
        vec![status, intent.intent.tool.to_string().into(), what.into()]
    };
    lines(ink, &intents.iter().map(row).collect::<Vec<_>>())
}

fn waits(page: &RunPage, ink: Ink) -> String {
    let several = page.waits.len() > 1;
    let words = page.waits.iter().map(|pending| {
        let said = waiting(&pending.wait);
        let what = said.strip_prefix("waits for ").unwrap_or(&said);
        match pending.wait.need.question() {
            Some(_) => {
                let how = how_to_answer(page.run.run, &pending.wait, several);
                format!("{what}\n  {}\n", ink.faint(&how))
            }
            None => format!("{what}\n"),
        }
    });
    words.collect()
}

/// The command that gives a run what it waits for.
pub fn how_to_answer(run: RunId, wait: &Wait, several: bool) -> String {
    if let Need::Approval { proposal: Some(_), .. } = wait.need {
        return how_to_decide(ApprovalId::of(run, &wait.name));
    }
    let example = match wait.need {
        Need::Answer { .. } => "TEXT",
        Need::Approval { .. } | Need::Budget { .. } | Need::Time { .. } => "yes",
    };
    let to = if several { format!(" --to {}", wait.name) } else { String::new() };
    format!("answer with `agentwright runs resume {run} --answer {example}{to}`")
}

/// The command that decides about something.
pub fn how_to_decide(approval: ApprovalId) -> String {
    format!(
        "look and decide with `agentwright approvals review {approval}`, or with `approve`, `edit`, `reject`, `respond`"
    )
}

fn ending(ending: Option<&Ending>, ink: Ink) -> String {
    match ending {
        None => String::new(),
        Some(Ending::Completed { answer }) => tame(answer).into_owned(),
        Some(Ending::Failed { error, answer, .. }) => {
            let partial = answer.as_ref().map(|answer| format!("\nfound out before: {}", tame(answer)));
            format!("{}{}", ink.bad(&tame(error)), partial.unwrap_or_default())
        }
        Some(Ending::Cancelled { reason }) => {
            format!("cancelled{}", reason.as_ref().map(|why| format!(": {}", tame(why))).unwrap_or_default())
        }
    }
}
