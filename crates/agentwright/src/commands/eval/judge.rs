//! Whether a request went as it should, and what was wrong where it did not.

use domain::event::Route;
use domain::id::ToolName;
use domain::run::RunStatus;

use super::cases::Expect;
use crate::print::text::line;

/// What was seen of a rehearsal.
pub(super) struct Seen<'s> {
    pub(super) status: RunStatus,
    pub(super) route: Option<Route>,
    pub(super) tools: &'s [ToolName],
    pub(super) answer: Option<&'s str>,
}

/// What was not as it should be, a sentence each.
pub(super) fn judge(expect: &Expect, seen: &Seen<'_>) -> Vec<String> {
    let mut wrong = Vec::new();
    if let Some(status) = expect.status
        && status != seen.status
    {
        wrong.push(format!("it is {}, not {}", seen.status.word(), status.word()));
    }
    if let Some(route) = expect.route
        && seen.route != Some(route)
    {
        wrong.push(format!("it went by {}, not by {}", seen.route.map_or("no way", Route::word), route.word()));
    }
    let called = |tool: &&ToolName| seen.tools.contains(tool);
    wrong.extend(expect.tools.iter().filter(|tool| !called(tool)).map(|tool| format!("`{tool}` was not called")));
    wrong.extend(expect.not_tools.iter().filter(called).map(|tool| format!("`{tool}` was called")));
    let answer = seen.answer.unwrap_or_default();
    let missing = expect.answer_contains.iter().filter(|words| !answer.to_lowercase().contains(&words.to_lowercase()));
    wrong.extend(missing.map(|words| format!("the answer has no `{words}`: {}", line(answer, 80))));
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(expect: serde_json::Value) -> Vec<String> {
        let tools: Vec<ToolName> = ["timer.set"].map(|tool| tool.parse().expect("a tool")).to_vec();
        let expect: Expect = serde_json::from_value(expect).expect("what is expected");
        let route = Some(Route::Reflex);
        judge(&expect, &Seen { status: RunStatus::Completed, route, tools: &tools, answer: Some("Ten Minutes.") })
    }

    #[test]
    fn what_is_not_said_may_be_anything() {
        assert!(wrong(serde_json::json!({})).is_empty());
        assert!(
            wrong(serde_json::json!({"status": "completed", "route": "reflex", "tools": ["timer.set"],
                "not_tools": ["timer.cancel"], "answer_contains": ["ten", "minutes"]}))
            .is_empty()
        );
    }

    #[test]
    fn everything_that_is_wrong_is_told() {
        let wrong = wrong(serde_json::json!({"status": "failed", "route": "plan", "tools": ["calendar.add"],
            "not_tools": ["timer.set"], "answer_contains": ["hours"]}));
        assert_eq!(
            wrong,
            [
                "it is completed, not failed",
                "it went by reflex, not by plan",
                "`calendar.add` was not called",
                "`timer.set` was called",
                "the answer has no `hours`: Ten Minutes."
            ]
        );
    }
}
