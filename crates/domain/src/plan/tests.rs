//! Drafts that are plans, and drafts that are not.

use super::*;

/// Each line is `id: what it waits for`.
fn plan(lines: &[&str]) -> Result<String, String> {
    let steps = lines
        .iter()
        .map(|line| {
            let (id, after) = line.split_once(':').expect("`id: after`");
            StepDraft {
                id: Some(id.to_owned()),
                goal: format!("do {id}"),
                depends_on: after.split_whitespace().map(str::to_owned).collect(),
                ..StepDraft::default()
            }
        })
        .collect();
    Plan::parse(PlanDraft { steps, ..PlanDraft::default() })
        .map(|plan| plan.steps().iter().map(|step| step.id.to_string()).collect::<Vec<_>>().join(" "))
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

#[test]
fn steps_come_after_what_they_wait_for() {
    assert_eq!(plan(&["c: a b", "b: a", "a:"]), Ok("a b c".into()));
    assert_eq!(plan(&["a:", "b:", "c:"]), Ok("a b c".into()));
}

#[test]
fn what_is_not_a_plan_says_why() {
    assert_eq!(plan(&[]), Err("the plan has no steps".into()));
    assert_eq!(plan(&["b: a"]), Err("step `b` waits for unknown step `a`".into()));
    assert_eq!(plan(&["a:", "a:"]), Err("two steps are called `a`".into()));
    assert_eq!(plan(&["a: a"]), Err("steps wait for each other in a circle: `a`".into()));
    assert_eq!(
        plan(&["x:", "a: c", "b: a", "c: b"]),
        Err("steps wait for each other in a circle: `a`, `c`, `b`".into())
    );
    let many: Vec<String> = (0..500).map(|n| format!("s{n}:")).collect();
    assert_eq!(
        plan(&many.iter().map(String::as_str).collect::<Vec<_>>()),
        Err("the plan has 500 steps; at most 100 are allowed".into())
    );
}

#[test]
fn a_reference_is_a_wait() {
    let draft: PlanDraft = serde_json::from_value(serde_json::json!({"steps": [
        {"id": "tell", "tool": "notification.send", "arguments": {"text": "${look.sky}"}},
        {"id": "look", "tool": "weather.current", "arguments": {"city": "Oslo"}},
    ]}))
    .expect("draft");
    let plan = Plan::parse(draft).expect("valid");
    assert_eq!(plan.steps()[1].id.as_str(), "tell");
    assert_eq!(plan.steps()[1].after.len(), 1);
}

#[test]
fn a_plan_survives_being_written_and_read() {
    let json = serde_json::json!({"goal": "dry feet", "answer": "It is ${look.sky}.", "steps": [
        {"id": "look", "goal": "see the sky", "tool": "weather.current", "arguments": {"city": "Oslo"},
         "alternatives": [{"tool": "search.web", "arguments": {"query": "Oslo weather"}}]},
        {"id": "think", "goal": "judge", "tools": ["memory.recall"], "prompt": "Be brief.", "max_iterations": 3,
         "depends_on": ["look"], "when": "${look.rain} == true", "check": "exists ${think}"},
    ], "intents": [{"tool": "notification.send", "arguments": {"text": "${think}"}, "priority": "high"}]});
    let plan: Plan = serde_json::from_value(json).expect("valid");
    let again: Plan = serde_json::from_value(serde_json::to_value(&plan).expect("json")).expect("valid");
    assert_eq!(plan, again);
    assert_eq!(
        plan.tools().iter().map(ToolName::as_str).collect::<Vec<_>>(),
        ["weather.current", "search.web", "memory.recall", "notification.send"]
    );
}

proptest::proptest! {
    #[test]
    fn every_order_of_a_valid_plan_is_put_right(edges in proptest::collection::vec((0usize..12, 0usize..12), 0..30)) {
        // Only edges from a higher to a lower number: never a circle, whatever the order of the lines.
        let lines: Vec<String> = (0..12).rev()
            .map(|n| format!("s{n}: {}", edges.iter().filter(|(from, to)| *from == n && to < from)
                .map(|(_, to)| format!("s{to}")).collect::<Vec<_>>().join(" ")))
            .collect();
        let order = plan(&lines.iter().map(String::as_str).collect::<Vec<_>>()).expect("no circle");
        let at = |n: usize| order.split(' ').position(|id| id == format!("s{n}")).expect("there");
        for (from, to) in edges.iter().filter(|(from, to)| to < from) {
            proptest::prop_assert!(at(*to) < at(*from));
        }
    }
}
