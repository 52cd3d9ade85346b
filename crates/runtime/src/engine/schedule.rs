//! Which steps can be begun now: a pure question about a plan and how its steps have ended so far.

use std::collections::BTreeMap;

use domain::event::StepOutcome;
use domain::id::StepId;
use domain::plan::{Plan, Step};
use domain::reference;
use serde_json::Value;

use super::Carried;

/// What is to be done about a step whose turn has come.
#[derive(Debug, PartialEq)]
pub(crate) enum Next<'p> {
    /// Begin it.
    Begin(&'p Step),
    /// It will not be begun, for this reason.
    Skip(&'p Step, String),
}

/// The steps whose turn has come, in the plan's order.
pub(crate) fn ready<'p>(plan: &'p Plan, ended: &BTreeMap<StepId, StepOutcome>, begun: &[StepId]) -> Vec<Next<'p>> {
    plan.steps()
        .iter()
        .filter(|step| !ended.contains_key(&step.id) && !begun.contains(&step.id))
        .filter(|step| step.after.iter().all(|before| ended.contains_key(before)))
        .map(|step| match obstacle(step, ended) {
            None => Next::Begin(step),
            Some(reason) => Next::Skip(step, reason),
        })
        .collect()
}

/// Why a step whose predecessors have all ended cannot or need not be begun.
fn obstacle(step: &Step, ended: &BTreeMap<StepId, StepOutcome>) -> Option<String> {
    for before in &step.after {
        match ended.get(before) {
            Some(StepOutcome::Failed { .. }) => return Some(format!("it needs `{before}`, which failed")),
            Some(StepOutcome::Skipped { .. }) if takes_from(step, before) => {
                return Some(format!("it needs the result of `{before}`, which was skipped"));
            }
            Some(StepOutcome::Done { .. } | StepOutcome::Skipped { .. }) | None => {}
        }
    }
    let output = |id: &StepId| match ended.get(id) {
        Some(StepOutcome::Done { output }) => Some(output),
        _ => None,
    };
    match &step.when {
        Some(condition) if !condition.holds(&output) => Some(format!("`{condition}` does not hold")),
        _ => None,
    }
}

/// Whether a step uses another's result, and does not only come after it.
fn takes_from(step: &Step, other: &StepId) -> bool {
    let text = match &step.action {
        domain::plan::Action::Call(call) => call.arguments.clone(),
        domain::plan::Action::Agent(task) => Value::String(task.prompt.clone()),
    };
    reference::steps_in(&text).is_ok_and(|steps| steps.contains(other))
}

/// How a plan ended whose steps cannot be begun any more.
pub(crate) fn verdict(plan: &Plan, ended: &BTreeMap<StepId, StepOutcome>) -> Carried {
    let mut failures = Vec::new();
    let mut doubt = false;
    let mut stuck = Vec::new();
    for step in plan.steps() {
        match ended.get(&step.id) {
            Some(StepOutcome::Failed { reason, in_doubt }) => {
                failures.push(format!("step `{}` failed: {reason}", step.id));
                doubt |= in_doubt;
            }
            Some(_) => {}
            None => stuck.push(format!("`{}`", step.id)),
        }
    }
    if !stuck.is_empty() {
        failures.push(format!("steps {} wait for something that will not happen", stuck.join(", ")));
    }
    if failures.is_empty() { Carried::Out } else { Carried::Failed { reason: failures.join("; "), in_doubt: doubt } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn plan(steps: Value) -> Plan {
        serde_json::from_value(json!({ "steps": steps })).expect("plan")
    }

    /// `a` is begun, `-a` is skipped.
    fn next(plan: &Plan, ended: &[(&str, StepOutcome)], begun: &[&str]) -> String {
        let ended = ended.iter().map(|(id, outcome)| (id.parse().expect("id"), outcome.clone())).collect();
        let begun: Vec<StepId> = begun.iter().map(|id| id.parse().expect("id")).collect();
        let names: Vec<String> = ready(plan, &ended, &begun)
            .into_iter()
            .map(|next| match next {
                Next::Begin(step) => step.id.to_string(),
                Next::Skip(step, _) => format!("-{}", step.id),
            })
            .collect();
        names.join(" ")
    }

    fn done(output: Value) -> StepOutcome {
        StepOutcome::Done { output }
    }

    fn failed() -> StepOutcome {
        StepOutcome::Failed { reason: "no".into(), in_doubt: false }
    }

    fn skipped() -> StepOutcome {
        StepOutcome::Skipped { reason: "no need".into() }
    }

    #[test]
    fn independent_steps_are_begun_together_and_a_join_waits_for_all() {
        let plan = plan(
            json!([{"id": "a", "goal": "x"}, {"id": "b", "goal": "x"}, {"id": "c", "goal": "x", "depends_on": ["a", "b"]}]),
        );
        assert_eq!(next(&plan, &[], &[]), "a b");
        assert_eq!(next(&plan, &[("a", done(json!(1)))], &["b"]), "");
        assert_eq!(next(&plan, &[("a", done(json!(1))), ("b", done(json!(1)))], &[]), "c");
    }

    #[test]
    fn a_condition_decides_whether_a_step_is_begun() {
        let plan = plan(json!([{"id": "w", "goal": "x"}, {"id": "u", "goal": "x", "when": "${w.rain} == true"}]));
        assert_eq!(next(&plan, &[("w", done(json!({"rain": true})))], &[]), "u");
        assert_eq!(next(&plan, &[("w", done(json!({"rain": false})))], &[]), "-u");
    }

    #[test]
    fn what_needs_a_failed_step_is_skipped_and_what_only_follows_a_skipped_one_is_not() {
        let plan = plan(json!([
            {"id": "a", "goal": "x"},
            {"id": "b", "goal": "x", "depends_on": ["a"]},
            {"id": "c", "tool": "t.t", "arguments": {"x": "${a.y}"}},
        ]));
        assert_eq!(next(&plan, &[("a", failed())], &[]), "-b -c");
        assert_eq!(next(&plan, &[("a", skipped())], &[]), "b -c");
    }

    #[test]
    fn steps_that_can_never_be_begun_are_found() {
        let plan = plan(json!([{"id": "a", "goal": "x"}, {"id": "b", "goal": "x", "depends_on": ["a"]}]));
        let verdict = verdict(&plan, &BTreeMap::new());
        assert_eq!(
            verdict,
            Carried::Failed {
                reason: "steps `a`, `b` wait for something that will not happen".into(),
                in_doubt: false
            }
        );
    }
}
