//! The stages of reasoning in words.

use domain::assessment::Next;
use domain::confidence::Advice;
use domain::critique::Verdict;
use domain::event::Event;
use domain::finding::Weight;
use domain::forecast::{Forecast, Range};

use super::text::{count, line};

/// How much of a stage's own words is shown within a line.
const EXCERPT: usize = 140;

/// What a stage of reasoning said, on one line; nothing for other events.
pub fn words(event: &Event) -> Option<String> {
    Some(match event {
        Event::Weighed { complexity } => {
            let way = complexity.orchestration.word();
            format!("complexity {}, {way}: {}", complexity.score, line(&complexity.explanation, EXCERPT))
        }
        Event::Thought { round, pass, thought } => {
            let sure = thought.confidence.map(|sure| format!(", confidence {sure}")).unwrap_or_default();
            format!("thought {round}.{pass}{sure}: {}", line(&thought.reasoning, EXCERPT))
        }
        Event::Verified { attempt, findings, .. } => {
            let fatal = findings.iter().filter(|finding| finding.weight == Weight::Fatal).count();
            match (fatal, findings.len()) {
                (0, 0) => format!("draft {attempt} of the plan is proved"),
                (0, some) => format!("draft {attempt} of the plan is proved, with {}", count(some, "remark")),
                (fatal, _) => format!("draft {attempt} of the plan has {}", count(fatal, "fault")),
            }
        }
        Event::Critiqued { version, critique } => {
            let verdict = match critique.verdict {
                Verdict::Approve => "approved",
                Verdict::Revise => "to be revised",
                Verdict::Reject => "rejected",
            };
            let first = critique.issues.first().map(|issue| format!(": {}", line(&issue.description, EXCERPT)));
            format!("plan {version} {verdict} at {}{}", critique.overall, first.unwrap_or_default())
        }
        Event::Scored { version, confidence } => {
            let advice = match confidence.advice {
                Advice::Execute => "carry it out",
                Advice::Review => "carry it out, worth a look",
                Advice::Rethink => "think again",
                Advice::Escalate => "ask a person",
            };
            let drivers = confidence.drivers.first().map(|driver| format!(" ({})", line(driver, EXCERPT)));
            format!("confidence in plan {version} is {}: {advice}{}", confidence.overall, drivers.unwrap_or_default())
        }
        Event::Assessed { version, assessment } => {
            let wants = match (assessment.should_replan, assessment.should_deepen) {
                (true, _) => ", wants another plan",
                (false, true) => ", wants more thought",
                (false, false) => "",
            };
            let said = line(&assessment.assessment, EXCERPT);
            format!("reasoning behind plan {version} has quality {}{wants}: {said}", assessment.quality)
        }
        Event::Gated { version, next, why } => {
            let next = match next {
                Next::Go => "goes ahead",
                Next::Ask => "waits for answers",
                Next::Deepen => "is thought over more deeply",
                Next::Replan => "is planned again",
                Next::Escalate => "is put before a person",
            };
            format!("plan {version} {next}: {}", line(why, 2 * EXCERPT))
        }
        Event::Foreseen { forecast, .. } => expected(forecast),
        _ => return None,
    })
}

/// What is expected of a run.
pub fn expected(forecast: &Forecast) -> String {
    let range = |range: &Range, unit: &dyn Fn(f64) -> String| format!("{} to {}", unit(range.low), unit(range.high));
    let dollars = range(&forecast.usd, &|usd| format!("${usd:.4}"));
    let seconds = range(&forecast.seconds, &|seconds| format!("{seconds:.1} s"));
    let chance = range(&forecast.success, &|chance| format!("{:.0} %", chance * 100.0));
    format!("expects {dollars}, {seconds}, success {chance} ({})", line(&forecast.explanation, EXCERPT))
}
