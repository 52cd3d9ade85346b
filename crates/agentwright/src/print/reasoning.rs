//! The stages of reasoning in words: a line each in progress and listings, a section on a run's page.

use domain::assessment::{Assessment, Next};
use domain::confidence::{Advice, Confidence};
use domain::critique::{Critique, Verdict};
use domain::event::Event;
use domain::finding::{Finding, Weight};
use domain::forecast::{Forecast, Range};
use domain::plan::Notes;
use domain::thought::{Complexity, Thought};
use domain::view::Reasoning;

use super::text::{count, line};

/// How much of a stage's own words is shown within a line.
const EXCERPT: usize = 140;

/// What a stage of reasoning said, on one line; nothing for other events.
pub fn words(event: &Event) -> Option<String> {
    Some(match event {
        Event::Weighed { complexity } => weighed(complexity),
        Event::Thought { round, pass, thought } => thought_words(*round, *pass, thought),
        Event::Verified { attempt, findings, .. } => verified(*attempt, findings),
        Event::Critiqued { version, critique } => critiqued(*version, critique),
        Event::Scored { version, confidence } => scored(*version, confidence),
        Event::Assessed { version, assessment } => assessed(*version, assessment),
        Event::Gated { version, next, why } => gated(*version, *next, why),
        Event::Foreseen { forecast, .. } => expected(forecast),
        _ => return None,
    })
}

/// Everything that was said about a run before it acted, in the order in which it was said.
pub fn section(reasoning: &Reasoning) -> String {
    let mut lines: Vec<String> = reasoning.complexity.iter().map(weighed).collect();
    let mut thoughts = reasoning.thoughts.iter().peekable();
    for (at, (version, critique)) in reasoning.critiques.iter().enumerate() {
        while let Some((round, pass, thought)) = thoughts.next_if(|(round, _, _)| *round as usize <= at + 1) {
            lines.push(thought_words(*round, *pass, thought));
        }
        lines.push(critiqued(*version, critique));
        let of = |known: u32| known == *version;
        lines.extend(reasoning.confidences.iter().filter(|it| of(it.0)).map(|(version, it)| scored(*version, it)));
        lines.extend(reasoning.assessments.iter().filter(|it| of(it.0)).map(|(version, it)| assessed(*version, it)));
        lines.extend(
            reasoning.gates.iter().filter(|it| of(it.0)).map(|(version, next, why)| gated(*version, *next, why)),
        );
    }
    lines.extend(thoughts.map(|(round, pass, thought)| thought_words(*round, *pass, thought)));
    lines.extend(reasoning.forecast.iter().map(expected));
    lines.join("\n")
}

fn weighed(complexity: &Complexity) -> String {
    let why = line(&complexity.explanation, EXCERPT);
    format!("complexity {}, {}: {why}", complexity.score, complexity.orchestration.word())
}

fn thought_words(round: u32, pass: u32, thought: &Thought) -> String {
    let sure = thought.confidence.map(|sure| format!(", confidence {sure}")).unwrap_or_default();
    format!("thought {round}.{pass}{sure}: {}", line(&thought.reasoning, EXCERPT))
}

fn verified(attempt: u32, findings: &[Finding]) -> String {
    let fatal = findings.iter().filter(|finding| finding.weight == Weight::Fatal).count();
    match (fatal, findings.len()) {
        (0, 0) => format!("draft {attempt} of the plan is proved"),
        (0, some) => format!("draft {attempt} of the plan is proved, with {}", count(some, "remark")),
        (fatal, _) => format!("draft {attempt} of the plan has {}", count(fatal, "fault")),
    }
}

fn critiqued(version: u32, critique: &Critique) -> String {
    let verdict = match critique.verdict {
        Verdict::Approve => "approved",
        Verdict::Revise => "to be revised",
        Verdict::Reject => "rejected",
    };
    let first = critique.issues.first().map(|issue| format!(": {}", line(&issue.description, EXCERPT)));
    format!("plan {version} {verdict} at {}{}", critique.overall, first.unwrap_or_default())
}

fn scored(version: u32, confidence: &Confidence) -> String {
    let advice = match confidence.advice {
        Advice::Execute => "carry it out",
        Advice::Review => "carry it out, worth a look",
        Advice::Rethink => "think again",
        Advice::Escalate => "ask a person",
    };
    let drivers = confidence.drivers.first().map(|driver| format!(" ({})", line(driver, EXCERPT)));
    format!("confidence in plan {version} is {}: {advice}{}", confidence.overall, drivers.unwrap_or_default())
}

fn assessed(version: u32, assessment: &Assessment) -> String {
    let wants = match (assessment.should_replan, assessment.should_deepen) {
        (true, _) => ", wants another plan",
        (false, true) => ", wants more thought",
        (false, false) => "",
    };
    let said = line(&assessment.assessment, EXCERPT);
    format!("reasoning behind plan {version} has quality {}{wants}: {said}", assessment.quality)
}

fn gated(version: u32, next: Next, why: &str) -> String {
    let next = match next {
        Next::Go => "goes ahead",
        Next::Ask => "waits for answers",
        Next::Deepen => "is thought over more deeply",
        Next::Replan => "is planned again",
        Next::Escalate => "is put before a person",
    };
    format!("plan {version} {next}: {}", line(why, 2 * EXCERPT))
}

/// What is expected of a run.
pub fn expected(forecast: &Forecast) -> String {
    let range = |range: &Range, unit: &dyn Fn(f64) -> String| format!("{} to {}", unit(range.low), unit(range.high));
    let dollars = match forecast.usd.high > 0.0 {
        true => range(&forecast.usd, &|usd| format!("${usd:.4}")),
        false => "no cost".to_owned(),
    };
    let seconds = range(&forecast.seconds, &|seconds| format!("{seconds:.1} s"));
    let chance = range(&forecast.success, &|chance| format!("{:.0} %", chance * 100.0));
    format!("expects {dollars}, {seconds}, success {chance} ({})", line(&forecast.explanation, 3 * EXCERPT))
}

/// What a planner says about its plan, a line each.
pub fn notes(notes: &Notes) -> String {
    let mut text = String::new();
    if let Some(confidence) = notes.confidence {
        text.push_str(&format!("confidence {confidence}\n"));
    }
    if !notes.rationale.is_empty() {
        text.push_str(&format!("why so: {}\n", line(&notes.rationale, 400)));
    }
    for other in &notes.alternatives {
        let goal = if other.goal.is_empty() { "another way" } else { &other.goal };
        text.push_str(&format!("or else: {} ({})\n", line(goal, 200), count(other.steps.len(), "step")));
    }
    text
}
