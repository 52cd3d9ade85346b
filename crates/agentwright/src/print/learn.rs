//! What was learnt as people read about it.

mod versions;

use domain::guideline::{Effect, Experiment, ExperimentStatus, Lesson, LessonStatus, Report};
use domain::pattern::Pattern;
use jiff::Timestamp;
use learn::off_policy::Foreseen;
use runtime::learning::{Predicted, Status};

use super::Ink;
use super::table::{Cell, lines, table};
use super::text::{ago, count, line};

pub use versions::{VersionDiff, diff, guidelines, versions};

/// How much of a sentence is shown in a table.
const EXCERPT: usize = 100;
/// How many examples are named.
const EXAMPLES: usize = 3;

/// What became of a cycle.
pub fn report(report: &Report, ink: Ink) -> String {
    let seen: Vec<String> = report.seen.iter().map(|(became, number)| format!("{number} {became}")).collect();
    let seen = if seen.is_empty() { "nothing new".to_owned() } else { seen.join(", ") };
    let found: Vec<String> = report.found.iter().map(|(family, number)| format!("{number} {family}")).collect();
    let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
    let mut text = format!("cycle {}\n", report.cycle);
    text += &lines(
        ink,
        &[
            field("seen", seen),
            field("rests on", format!("{} traces, {}", report.traces, share(report.successes, report.traces))),
            field("patterns", found),
        ],
    );
    text += &section(ink, "changed", &report.changed);
    text += &section(ink, "not changed", &report.not_changed);
    let alerts: Vec<String> = report.alerts.iter().map(|alert| alert.words.clone()).collect();
    text + &section(ink, "got worse", &alerts)
}

/// How far learning has come.
pub fn status(status: &Status, now: Timestamp, ink: Ink) -> String {
    let last = status.last.as_ref().map_or_else(|| "never".to_owned(), |last| ago(last.ended_at, now));
    let lessons = status.lessons.iter().filter(|(_, number)| **number > 0);
    let lessons: Vec<String> = lessons.map(|(status, number)| format!("{number} {status}")).collect();
    let mut rows = vec![
        field("cycles", format!("{}, the last {last}", status.cycles)),
        field("rests on", format!("{} traces, {}", status.traces, share(status.successes, status.traces))),
        field("lessons", if lessons.is_empty() { "none".to_owned() } else { lessons.join(", ") }),
        field("experiments", format!("{} under way", status.experiments.len())),
        field(
            "by itself",
            if status.auto_update { "guidelines change" } else { "nothing changes (`learning.auto_update` is off)" },
        ),
    ];
    if let Some((learner, until)) = &status.learner {
        rows.push(field("learning now", format!("{learner}, until {until} at the latest")));
    }
    let told = status.guidelines.iter().map(|told| {
        format!(
            "`{}` is told version {}: {}, {} learnt",
            told.agent,
            told.version,
            count(told.points, "point"),
            told.learnt
        )
    });
    let mut text = lines(ink, &rows) + &section(ink, "guidelines", &told.collect::<Vec<_>>());
    if let Some(last) = &status.last {
        let alerts: Vec<String> = last.alerts.iter().map(|alert| alert.words.clone()).collect();
        text += &section(ink, "got worse", &alerts);
    }
    text
}

/// What separates success from failure, strongest first.
pub fn patterns(patterns: &[Pattern], found: usize, ink: Ink) -> String {
    if patterns.is_empty() {
        return "no patterns: nothing separates success from failure by more than chance\n".to_owned();
    }
    let rows = patterns.iter().map(|pattern| {
        let evidence = &pattern.evidence;
        let mark = if evidence.helps() { Ink::good } else { Ink::bad };
        let (low, high) = evidence.interval;
        vec![
            pattern.mark.family().word().into(),
            scope(pattern).into(),
            Cell::marked(points(evidence.effect), mark),
            format!("{} to {}", points(low), points(high)).into(),
            evidence.support().to_string().into(),
            line(&pattern.words, EXCERPT).into(),
        ]
    });
    let text = table(ink, &["FAMILY", "WHO", "EFFECT", "95 % OF THE TIME", "TRACES", "WHAT"], rows.collect());
    match found > patterns.len() {
        true => format!("{text}{} more; `--limit` shows them\n", found - patterns.len()),
        false => text,
    }
}

/// One line a lesson.
pub fn lessons(lessons: &[Lesson], ink: Ink) -> String {
    if lessons.is_empty() {
        return "no lessons\n".to_owned();
    }
    let rows = lessons.iter().map(|lesson| {
        vec![
            lesson.id.to_string().into(),
            Cell::marked(lesson.status.word(), status_ink(lesson.status)),
            for_whom(lesson).into(),
            lesson.effect.map_or_else(|| "not measured".to_owned(), |effect| measured(&effect)).into(),
            line(lesson.text.as_str(), EXCERPT).into(),
        ]
    });
    table(ink, &["LESSON", "STATUS", "FOR", "EFFECT", "WHAT IT SAYS"], rows.collect())
}

/// Everything about one lesson.
pub fn lesson(lesson: &Lesson, foreseen: &Foreseen, now: Timestamp, ink: Ink) -> String {
    let evidence = &lesson.pattern.evidence;
    let names = |traces: &[domain::id::TraceId]| {
        let names: Vec<String> = traces.iter().take(EXAMPLES).map(ToString::to_string).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let sources: Vec<String> = evidence.sources.iter().map(|(source, traces)| format!("{source} ({traces})")).collect();
    let mut rows = vec![
        field("lesson", lesson.id.to_string()),
        field("says", lesson.text.to_string()),
        field("for", for_whom(lesson)),
        field("status", format!("{}, {}: {}", lesson.status.word(), ago(lesson.changed_at, now), lesson.because)),
        field("pattern", lesson.pattern.words.clone()),
        field("on record", foreseen.words.clone()),
        field("from", sources.join(", ")),
        field("went well", names(&evidence.examples.0)),
        field("went wrong", names(&evidence.examples.1)),
    ];
    if let Some(effect) = &lesson.effect {
        rows.push(field("measured", measured(effect)));
    }
    lines(ink, &rows)
}

/// What all others say about a trace.
pub fn predicted(predicted: &Predicted, ink: Ink) -> String {
    let chance = format!("{:.0} %, going by {}", predicted.chance * 100.0, count(predicted.learnt_from, "other trace"));
    let mut text = lines(ink, &[field("success", chance)]);
    let reasons = predicted.reasons.iter().map(|reason| format!("{:+.2}  {}", reason.weight, reason.words));
    text += &section(ink, "because", &reasons.collect::<Vec<_>>());
    let places = predicted.went_wrong.iter().map(|place| format!("step {} ({:.0} %)", place.step, place.share * 100.0));
    text + &section(ink, "where it probably went wrong", &places.collect::<Vec<_>>())
}

/// One line an experiment.
pub fn experiments(experiments: &[Experiment], lessons: &[Lesson], now: Timestamp, ink: Ink) -> String {
    if experiments.is_empty() {
        return "no experiments\n".to_owned();
    }
    let rows = experiments.iter().map(|one| {
        let said = lessons.iter().find(|lesson| lesson.id == one.lesson).map(|lesson| lesson.text.as_str());
        let mark = match one.status {
            ExperimentStatus::Promoted => Ink::good,
            ExperimentStatus::RolledBack => Ink::bad,
            ExperimentStatus::Shadow | ExperimentStatus::Canary | ExperimentStatus::Stopped => Ink::odd,
        };
        let tally = one.tally;
        vec![
            one.id.to_string().into(),
            Cell::marked(one.status.word(), mark),
            ago(one.started_at, now).into(),
            share(tally.control_successes, tally.control).into(),
            share(tally.candidate_successes, tally.candidate).into(),
            one.effect.map_or_else(|| "unknown".to_owned(), |effect| measured(&effect)).into(),
            line(said.unwrap_or("?"), EXCERPT).into(),
        ]
    });
    table(ink, &["EXPERIMENT", "STATUS", "BEGUN", "AS BEFORE", "AS TRIED", "EFFECT", "WHAT IS TRIED"], rows.collect())
}

/// One line a cycle.
pub fn history(reports: &[Report], now: Timestamp, ink: Ink) -> String {
    if reports.is_empty() {
        return "no cycles yet; `agentwright learn run` is the first\n".to_owned();
    }
    let rows = reports.iter().map(|report| {
        vec![
            report.cycle.to_string().into(),
            ago(report.ended_at, now).into(),
            report.seen.values().sum::<u64>().to_string().into(),
            share(report.successes, report.traces).into(),
            report.found.values().sum::<u64>().to_string().into(),
            report.changed.len().to_string().into(),
            line(report.changed.first().map_or("", String::as_str), EXCERPT).into(),
        ]
    });
    table(ink, &["CYCLE", "WHEN", "SEEN", "SUCCESS", "PATTERNS", "CHANGES", "FIRST OF THEM"], rows.collect())
}

fn field(name: &str, words: impl Into<String>) -> Vec<Cell> {
    vec![Cell::marked(name, Ink::faint), words.into().into()]
}

fn section(ink: Ink, title: &str, sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let lines: String = sentences.iter().map(|sentence| format!("  {sentence}\n")).collect();
    format!("{}\n{lines}", ink.faint(title))
}

fn scope(pattern: &Pattern) -> String {
    let agent = pattern.agent.as_ref().map_or("all", |agent| agent.as_str());
    match &pattern.problem {
        Some(problem) => format!("{agent} at {problem}"),
        None => agent.to_owned(),
    }
}

fn for_whom(lesson: &Lesson) -> String {
    match &lesson.problem {
        Some(problem) => format!("{} at {problem}", lesson.agent),
        None => lesson.agent.to_string(),
    }
}

fn status_ink(status: LessonStatus) -> fn(Ink, &str) -> String {
    match status {
        LessonStatus::Active => Ink::good,
        LessonStatus::Canary | LessonStatus::Shadow | LessonStatus::Proposed => Ink::odd,
        LessonStatus::Retired => Ink::faint,
    }
}

/// A difference of shares in points, with its sign.
fn points(difference: f64) -> String {
    format!("{:+.1}", difference * 100.0)
}

fn measured(effect: &Effect) -> String {
    format!("{} ({} to {}) in {} runs", points(effect.estimate), points(effect.low), points(effect.high), effect.runs)
}

fn share(part: u64, whole: u64) -> String {
    match whole {
        0 => "none yet".to_owned(),
        whole => format!("{:.0} % of {whole}", part as f64 / whole as f64 * 100.0),
    }
}
