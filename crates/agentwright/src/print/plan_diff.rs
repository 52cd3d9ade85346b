//! What changed between two plans, as people read it.

use domain::plan::StepDraft;
use domain::plan::diff::{FieldChange, PlanDiff};
use serde_json::Value;

use super::Ink;
use super::text::value;

/// The difference as text, one line a change.
pub fn words(diff: &PlanDiff, ink: Ink) -> String {
    if diff.is_empty() {
        return "no difference\n".to_owned();
    }
    let mut text: String = diff.fields.iter().map(|change| format!("~ {}\n", change_words(change))).collect();
    for step in &diff.removed {
        text.push_str(&format!("{}\n", ink.bad(&format!("- {}", step_words(step)))));
    }
    for step in &diff.added {
        text.push_str(&format!("{}\n", ink.good(&format!("+ {}", step_words(step)))));
    }
    for step in &diff.changed {
        text.push_str(&format!("{}\n", ink.odd(&format!("~ {}", step.step))));
        text.extend(step.fields.iter().map(|change| format!("    {}\n", change_words(change))));
    }
    text
}

fn change_words(change: &FieldChange) -> String {
    let side = |side: &Value| if side.is_null() { "nothing".to_owned() } else { value(side, 160) };
    format!("{}: {} → {}", change.field, side(&change.before), side(&change.after))
}

fn step_words(step: &StepDraft) -> String {
    let id = step.id.as_deref().unwrap_or_default();
    let how = match &step.how.tool {
        Some(tool) => format!("{tool} {}", value(&step.how.arguments, 120)),
        None => value(&Value::String(step.goal.clone()), 120),
    };
    format!("{id}: {how}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::plan::Plan;
    use domain::plan::diff::diff;
    use serde_json::json;

    fn plan(json: Value) -> Plan {
        serde_json::from_value(json).expect("a plan")
    }

    fn example() -> Plan {
        plan(json!({"goal": "dry feet", "steps": [
            {"id": "look", "tool": "weather.current", "arguments": {"city": "Oslo"}},
            {"id": "tell", "goal": "say it", "tools": ["memory.recall"], "depends_on": ["look"]},
        ]}))
    }

    #[test]
    fn a_plan_does_not_differ_from_itself() {
        assert!(diff(&example(), &example()).is_empty());
        assert_eq!(words(&diff(&example(), &example()), Ink::Plain), "no difference\n");
    }

    #[test]
    fn steps_are_added_removed_and_changed_by_field() {
        let after = plan(json!({"goal": "dry feet today", "steps": [
            {"id": "tell", "goal": "say it", "tools": ["memory.recall"], "depends_on": ["search"], "max_iterations": 3},
            {"id": "search", "tool": "search.web", "arguments": {"query": "Oslo"}},
        ]}));
        assert_eq!(
            words(&diff(&example(), &after), Ink::Plain),
            "~ goal: dry feet → dry feet today\n\
             - look: weather.current {\"city\":\"Oslo\"}\n\
             + search: search.web {\"query\":\"Oslo\"}\n\
             ~ tell\n    depends_on: [\"look\"] → [\"search\"]\n    max_iterations: nothing → 3\n"
        );
    }
}
