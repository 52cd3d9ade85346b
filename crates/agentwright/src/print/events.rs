//! Events in words: the same in listings and in live progress.

use std::time::Duration;

use domain::event::{Event, Need, Outcome, Recorded, Route, StepOutcome, Wait};
use domain::intent::Settlement;
use domain::run::Ending;
use jiff::Timestamp;

use super::Ink;
use super::table::{Cell, lines};
use super::text::{between, count, duration, line, value};

/// How much of a text from a model or a tool is shown within a line.
pub(super) const EXCERPT: usize = 100;

/// A ledger, one line an event: number, time since the request, kind, what happened.
pub fn listing(ledger: &[Recorded], ink: Ink) -> String {
    let start = ledger.first().map_or(Timestamp::UNIX_EPOCH, |first| first.entry.at);
    let row = |recorded: &Recorded| -> Vec<Cell> {
        vec![
            Cell::marked(recorded.seq.to_string(), Ink::faint),
            Cell::marked(duration(between(start, recorded.entry.at)), Ink::faint),
            recorded.entry.event.kind().into(),
            Cell::marked(words(&recorded.entry.event), mark(&recorded.entry.event)),
        ]
    };
    lines(ink, &ledger.iter().map(row).collect::<Vec<_>>())
}

/// What became of an intent.
pub fn settled(settlement: &Settlement) -> String {
    match settlement {
        Settlement::Done { .. } => "is done".to_owned(),
        Settlement::Failed { error } => format!("failed: {}", line(&error.to_string(), EXCERPT)),
        Settlement::Unknown { detail } => format!("is UNKNOWN: {}", line(detail, EXCERPT)),
        Settlement::Withheld { detail } => format!("was withheld: {}", line(detail, EXCERPT)),
    }
}

/// What happened, on one line.
pub fn words(event: &Event) -> String {
    match event {
        Event::Received { request, parent: None } => format!("asked: {}", line(request.text.as_str(), EXCERPT)),
        Event::Received { request, parent: Some(parent) } => {
            format!("forked from {} at {}: {}", parent.run, parent.seq, line(request.text.as_str(), EXCERPT))
        }
        Event::Resumed { epoch } => format!("taken up again, in epoch {epoch}"),
        Event::Routed { route: Route::Reflex, judgement: Some(judgement), .. } => {
            let roles: Vec<String> = judgement.parts.iter().map(|part| format!("`{}`", part.role)).collect();
            format!("obvious: {}, confidence {:.2}", roles.join(" and "), judgement.confidence)
        }
        Event::Routed { route, strategy, why, .. } => {
            let way = match route {
                Route::Plan => "to be planned",
                Route::Given => "has a plan already",
                Route::Reflex => "clear without a model",
                Route::Fast => "for one small agent",
                Route::Direct => "for a model, with tools of whoever asks",
            };
            format!("{way}, as {}: {}", strategy.word(), line(why, EXCERPT))
        }
        Event::Recalled { memories, recent, guidelines, shortlist, .. } => {
            let points = guidelines.iter().map(|guideline| guideline.points.len()).sum::<usize>();
            let heed = if points > 0 { format!(", {} to heed", count(points, "point")) } else { String::new() };
            let seen = shortlist.as_ref().map(|list| format!(", {} of {} tools", list.tools.len(), list.of));
            format!(
                "recalled {} and {}{heed}{}",
                count(memories.len(), "memory"),
                count(recent.len(), "earlier request"),
                seen.unwrap_or_default()
            )
        }
        Event::Weighed { .. }
        | Event::Thought { .. }
        | Event::Verified { .. }
        | Event::Critiqued { .. }
        | Event::Scored { .. }
        | Event::Assessed { .. }
        | Event::Gated { .. }
        | Event::Foreseen { .. } => super::reasoning::words(event).unwrap_or_default(),
        Event::Chosen { .. } | Event::Staffed { .. } | Event::Kept { .. } => {
            super::library::words(event).unwrap_or_default()
        }
        Event::PlanRefused { version, findings } => {
            format!("draft {version} of the plan refused: {}", line(&findings.join("; "), 2 * EXCERPT))
        }
        Event::Planned { version, plan, because, .. } => {
            let because = because.as_ref().map(|why| format!(", because {}", line(why, EXCERPT)));
            let steps = count(plan.steps().len(), "step");
            let goal =
                Some(plan.goal()).filter(|goal| !goal.is_empty()).map(|goal| format!(": {}", line(goal, EXCERPT)));
            format!("plan {version} has {steps}{}{}", goal.unwrap_or_default(), because.unwrap_or_default())
        }
        Event::Forged { agent, step, tools, max_iterations, .. } => {
            let whose = step.as_ref().map(|step| format!(" for step `{step}`")).unwrap_or_default();
            let with = match tools.len() {
                0 => "no tools".to_owned(),
                _ => tools.iter().map(|tool| tool.as_str()).collect::<Vec<_>>().join(", "),
            };
            format!("agent `{}` made{whose}: {with}, at most {max_iterations} turns", line(agent, EXCERPT))
        }
        Event::StepStarted { step, attempt } => format!("step `{step}` started{}", again(*attempt)),
        Event::ModelCalled { component, model, reply, millis } => match reply {
            Outcome::Ok(reply) => format!(
                "{component} asked {model}: {} tokens in, {} out, {} ({})",
                reply.usage.input_tokens,
                reply.usage.output_tokens,
                reply.usage.cost,
                took(*millis)
            ),
            Outcome::Err(error) => {
                format!("{component} asked {model} in vain: {} ({})", line(&error.to_string(), EXCERPT), took(*millis))
            }
        },
        Event::ToolCalled { tool, arguments, result, millis } => match result {
            Outcome::Ok(result) => {
                format!("{tool} {} gave {} ({})", value(arguments, EXCERPT), value(result, EXCERPT), took(*millis))
            }
            Outcome::Err(error) => {
                let error = line(&error.to_string(), 2 * EXCERPT);
                format!("{tool} {} failed: {error} ({})", value(arguments, EXCERPT), took(*millis))
            }
        },
        Event::MessageSent { from, to, text, purpose, refused } => {
            let refused = refused.as_ref().map(|why| format!(", not delivered: {}", line(why, EXCERPT)));
            format!("{} from {from} to {to}: {}{}", purpose.word(), line(text, EXCERPT), refused.unwrap_or_default())
        }
        Event::MessagesRead { agent, count: number } => format!("{agent} has read {}", count(*number, "message")),
        Event::IntentDeclared { intent } => format!("wants {} {}", intent.tool, value(&intent.arguments, EXCERPT)),
        Event::IntentSent { intent, attempt } => format!("sends `{}`{}", within_run(intent), again(*attempt)),
        Event::IntentSettled { intent, settlement } => {
            format!("`{}` {}", within_run(intent), settled(settlement))
        }
        Event::StepFinished { step, attempt, outcome } => {
            let how = match outcome {
                StepOutcome::Done { output } => format!("done: {}", value(output, EXCERPT)),
                StepOutcome::Failed { reason, in_doubt: false } => format!("failed: {}", line(reason, 2 * EXCERPT)),
                StepOutcome::Failed { reason, in_doubt: true } => {
                    format!("failed, in doubt: {}", line(reason, 2 * EXCERPT))
                }
                StepOutcome::Skipped { reason } => format!("skipped: {}", line(reason, EXCERPT)),
            };
            format!("step `{step}` {how}{}", again(*attempt))
        }
        Event::Waiting { wait } => waiting(wait),
        Event::Answered { name, answer, by } => {
            let by = by.as_ref().map(|by| format!(" by {}", line(by, 40))).unwrap_or_default();
            format!("`{name}` answered{by}: {}", value(answer, EXCERPT))
        }
        Event::CancelAsked { reason } => match reason {
            Some(reason) => format!("somebody wants it to stop: {}", line(reason, EXCERPT)),
            None => "somebody wants it to stop".to_owned(),
        },
        Event::Finished { ending, .. } => match ending {
            Ending::Completed { answer } => format!("completed: {}", line(answer, EXCERPT)),
            Ending::Failed { error, .. } => format!("failed: {}", line(error, 2 * EXCERPT)),
            Ending::Cancelled { reason: Some(reason) } => format!("cancelled: {}", line(reason, EXCERPT)),
            Ending::Cancelled { reason: None } => "cancelled".to_owned(),
        },
    }
}

/// What is waited for, on one line.
pub fn waiting(wait: &Wait) -> String {
    let until = wait.until.map(|until| format!(" (until {until:.0})")).unwrap_or_default();
    let what = match &wait.need {
        Need::Answer { question } => format!("an answer: {}", line(question, 3 * EXCERPT)),
        Need::Approval { question, .. } => format!("approval: {}", line(question, 3 * EXCERPT)),
        Need::Budget { question } => format!("more budget: {}", line(question, 3 * EXCERPT)),
        Need::Time { at } => format!("{at:.0}"),
    };
    format!("waits for {what}{until}")
}

/// How an event is marked.
pub fn mark(event: &Event) -> fn(Ink, &str) -> String {
    match event {
        Event::PlanRefused { .. } | Event::Waiting { .. } | Event::CancelAsked { .. } => Ink::odd,
        Event::ModelCalled { reply: Outcome::Err(_), .. } | Event::ToolCalled { result: Outcome::Err(_), .. } => {
            Ink::odd
        }
        Event::IntentSettled { settlement, .. } => match settlement {
            Settlement::Done { .. } => Ink::good,
            Settlement::Failed { .. } | Settlement::Unknown { .. } => Ink::bad,
            Settlement::Withheld { .. } => Ink::faint,
        },
        Event::StepFinished { outcome, .. } => match outcome {
            StepOutcome::Done { .. } => Ink::good,
            StepOutcome::Failed { .. } => Ink::bad,
            StepOutcome::Skipped { .. } => Ink::faint,
        },
        Event::Finished { ending, .. } => match ending {
            Ending::Completed { .. } => Ink::good,
            Ending::Failed { .. } => Ink::bad,
            Ending::Cancelled { .. } => Ink::odd,
        },
        _ => |_, words| words.to_owned(),
    }
}

/// An intent's key without the run that everybody knows it belongs to.
fn within_run(key: &str) -> String {
    let short = key.strip_prefix("run_").and_then(|rest| rest.split_once('/')).map_or(key, |(_, short)| short);
    line(short, EXCERPT)
}

fn took(millis: u64) -> String {
    duration(Duration::from_millis(millis))
}

fn again(attempt: u32) -> String {
    if attempt > 1 { format!(" (attempt {attempt})") } else { String::new() }
}
