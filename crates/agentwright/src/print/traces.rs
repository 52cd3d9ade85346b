//! Traces: what agents did, as a list and step by step.

use domain::store::Cursor;
use domain::trace::{CallEnd, MOST_STEPS, Speaker, Standing, Step, Trace, TraceSummary, Trouble, Verdict};
use jiff::Timestamp;

use super::Ink;
use super::table::{Cell, lines, table};
use super::text::{ago, between, count, duration, line, value};
use crate::commands::{Imported, Refused};

/// How many steps are shown at the beginning and at the end of a long trace.
const SHOWN: usize = 100;

/// One line a trace, and how to see more.
pub fn listing(traces: &[TraceSummary], next: Option<&Cursor>, now: Timestamp, ink: Ink) -> String {
    if traces.is_empty() {
        return "no traces\n".to_owned();
    }
    let rows = traces.iter().map(|trace| {
        let calls = match trace.failures {
            0 => trace.calls.to_string(),
            failures => format!("{}, {failures} failed", trace.calls),
        };
        let source = match trace.standing {
            Standing::Evidence => trace.source.to_string(),
            Standing::Watched => format!("{} [watched only]", trace.source),
        };
        vec![
            trace.id.to_string().into(),
            trace.agent.to_string().into(),
            trace.problem.to_string().into(),
            outcome(trace.success, trace.ended_at.is_some()),
            ago(trace.started_at, now).into(),
            took(trace.started_at, trace.ended_at).unwrap_or_else(|| "-".to_owned()).into(),
            calls.into(),
            source.into(),
        ]
    });
    let headings = ["TRACE", "AGENT", "PROBLEM", "OUTCOME", "BEGAN", "TOOK", "CALLS", "SOURCE"];
    let mut text = table(ink, &headings, rows.collect());
    if let Some(next) = next {
        text.push_str(&format!("\nmore: add `--cursor {}`\n", next.0));
    }
    text
}

/// Everything about one trace, its steps cut to a line each.
pub fn page(trace: &Trace, ink: Ink) -> String {
    let optional = |name: &'static str, words: Option<String>| words.map(|words| (name, Cell::from(words)));
    let rows = [
        Some(("trace", trace.id.to_string().into())),
        Some(("source", trace.source.to_string().into())),
        Some(("agent", trace.agent.to_string().into())),
        Some(("problem", trace.problem.to_string().into())),
        optional("task", trace.task.as_ref().map(ToString::to_string)),
        optional("system", trace.system.as_ref().map(ToString::to_string)),
        optional("user", trace.user.as_ref().map(ToString::to_string)),
        optional("asked", Some(line(trace.context.reveal(), 200)).filter(|asked| !asked.is_empty())),
        Some(("began", trace.started_at.to_string().into())),
        optional("took", took(trace.started_at, trace.ended_at)),
        Some(("outcome", outcome(trace.outcome.as_ref().map(|it| it.success), trace.ended_at.is_some()))),
        optional("score", trace.outcome.as_ref().and_then(|it| it.score).map(|score| format!("{score:.2}"))),
        optional("answer", trace.outcome.as_ref().and_then(answer)),
        optional("expected", trace.ground_truth.as_ref().map(|truth| value(truth.reveal(), 200))),
        optional("metrics", metrics(trace)),
        optional("lessons", joined(trace.lessons.iter().map(ToString::to_string))),
        optional("trials", joined(trace.trials.iter().map(|trial| trial.experiment.to_string()))),
    ];
    let rows: Vec<Vec<Cell>> =
        rows.into_iter().flatten().map(|(name, cell)| vec![Cell::marked(name, Ink::faint), cell]).collect();
    format!("{}\n{}", lines(ink, &rows), timeline(trace, ink))
}

/// How long it took. One that ended when it began comes from somebody who kept no time.
fn took(began: Timestamp, ended: Option<Timestamp>) -> Option<String> {
    ended.filter(|ended| *ended > began).map(|ended| duration(between(began, ended)))
}

fn answer(verdict: &Verdict) -> Option<String> {
    verdict.answer.as_ref().map(|answer| line(answer.reveal(), 200)).filter(|answer| !answer.is_empty())
}

fn metrics(trace: &Trace) -> Option<String> {
    joined(trace.metrics.iter().map(|(name, value)| format!("{name} {}", (value * 1e6).round() / 1e6)))
}

fn joined(words: impl Iterator<Item = String>) -> Option<String> {
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn outcome(success: Option<bool>, ended: bool) -> Cell {
    match (success, ended) {
        (Some(true), _) => Cell::marked("success", Ink::good),
        (Some(false), _) => Cell::marked("failure", Ink::bad),
        (None, true) => "unknown".into(),
        (None, false) => Cell::marked("open", Ink::strong),
    }
}

fn timeline(trace: &Trace, ink: Ink) -> String {
    let steps = &trace.steps;
    if steps.is_empty() {
        return "no steps\n".to_owned();
    }
    let row = |step: &Step| step_row(step, trace.started_at);
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    if steps.len() > 2 * SHOWN || trace.left_out > 0 {
        let head = SHOWN.min(MOST_STEPS / 2).min(steps.len() / 2);
        let hidden = (steps.len() - 2 * head) as u64 + trace.left_out;
        rows.extend(steps[..head].iter().map(row));
        let words = format!("… {} in between", count(hidden as usize, "step"));
        rows.push(vec!["".into(), "".into(), "".into(), Cell::marked(words, Ink::faint)]);
        rows.extend(steps[steps.len() - head..].iter().map(row));
    } else {
        rows.extend(steps.iter().map(row));
    }
    table(ink, &["AT", "TOOK", "STEP", "WHAT"], rows)
}

fn step_row(step: &Step, began: Timestamp) -> Vec<Cell> {
    let at = step.at().map_or("-".to_owned(), |at| format!("+{}", duration(between(began, at))));
    let took = |millis: &Option<u64>| {
        Cell::from(millis.map_or("-".to_owned(), |millis| duration(std::time::Duration::from_millis(millis))))
    };
    let by = |by: &Option<domain::symbol::Symbol>| by.as_ref().map_or(String::new(), |by| format!(" [{by}]"));
    let (took, kind, words) = match step {
        Step::Call { tool, by: who, arguments, response, ended, millis, .. } => {
            let given =
                if arguments.is_null() { String::new() } else { format!(" {}", value(arguments.reveal(), 100)) };
            let (mark, ending) = end_words(*ended);
            let said = Some(line(response.reveal(), 100)).filter(|said| !said.is_empty());
            let brought = said.map_or(String::new(), |said| format!(" {said}"));
            let words = format!("{tool}{}{given} → {ending}{brought}", by(who));
            (took(millis), Cell::from("call"), Cell::marked(words, mark))
        }
        Step::Said { who, by: which, text, .. } => {
            let kind = match who {
                Speaker::User => "user",
                Speaker::Agent => "agent",
                Speaker::Other => "other",
            };
            (took(&None), kind.into(), format!("{}{}", line(text.reveal(), 160), by(which)).into())
        }
        Step::Thought { what, by: who, text, confidence, .. } => {
            let sure = confidence.map_or(String::new(), |sure| format!(" ({:.2})", sure.get()));
            let words = format!("{}{}{sure}", line(text.reveal(), 160), by(who));
            (took(&None), Cell::marked(what.to_string(), Ink::faint), words.trim_start().to_owned().into())
        }
        Step::Model { model, tokens_in, tokens_out, ended, millis, .. } => {
            let (mark, ending) = end_words(*ended);
            let words = format!("{model} read {tokens_in}, wrote {tokens_out} → {ending}");
            (took(millis), Cell::marked("model", Ink::faint), Cell::marked(words, mark))
        }
    };
    vec![at.into(), took, kind, words]
}

fn end_words(ended: CallEnd) -> (fn(Ink, &str) -> String, &'static str) {
    match ended {
        CallEnd::Done => (|_, words| words.to_owned(), "done"),
        CallEnd::Unknown => (Ink::odd, "nobody knows"),
        CallEnd::Failed(trouble) => (Ink::bad, trouble_words(trouble)),
    }
}

fn trouble_words(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::NotFound => "failed, not found:",
        Trouble::BadArguments => "failed, bad arguments:",
        Trouble::Denied => "failed, not allowed:",
        Trouble::TimedOut => "failed, too slow:",
        Trouble::Unavailable => "failed, not reachable:",
        Trouble::Busy => "failed, too busy:",
        Trouble::Other => "failed:",
    }
}

/// What became of an import.
pub(crate) fn imported(imported: &Imported, ink: Ink) -> String {
    let sources: Vec<String> = imported.sources.iter().map(|source| format!("`{source}`")).collect();
    let mut text = format!(
        "{} imported as {}, {} known already, {} refused\n",
        count(imported.imported as usize, "trace"),
        sources.join(", "),
        imported.known,
        imported.refused
    );
    for Refused { place, because } in &imported.refusals {
        text.push_str(&format!("{} {}: {}\n", ink.bad("refused:"), line(place, 200), line(because, 200)));
    }
    let untold = imported.refused as usize - imported.refusals.len();
    if untold > 0 {
        text.push_str(&format!("and {untold} more\n"));
    }
    text
}
