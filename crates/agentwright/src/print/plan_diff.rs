//! What changed between two plans: by step and field, not by line.

use std::collections::BTreeSet;

use domain::plan::{Plan, PlanDraft, StepDraft};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Ink;
use super::text::value;

/// The difference between two plans.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PlanDiff {
    /// What changed about the plan as a whole: `goal`, `answer`, `intents`.
    pub fields: Vec<FieldChange>,
    /// Steps that only the newer plan has.
    pub added: Vec<StepDraft>,
    /// Steps that only the older plan has.
    pub removed: Vec<StepDraft>,
    /// Steps that both have, but not alike.
    pub changed: Vec<StepChange>,
}

/// A step that is not as it was.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepChange {
    /// Which.
    pub step: String,
    /// What about it.
    pub fields: Vec<FieldChange>,
}

/// A field that is not as it was; `null` where it is absent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldChange {
    /// Which.
    pub field: String,
    /// What it was.
    pub before: Value,
    /// What it is.
    pub after: Value,
}

impl PlanDiff {
    /// Whether the plans are alike.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares two plans. Steps are matched by id; their order does not matter.
pub fn diff(before: &Plan, after: &Plan) -> PlanDiff {
    let (mut before, mut after) = (PlanDraft::from(before.clone()), PlanDraft::from(after.clone()));
    let (old, new) = (std::mem::take(&mut before.steps), std::mem::take(&mut after.steps));
    let in_both = new.iter().filter_map(|step| Some((old.iter().find(|other| other.id == step.id)?, step)));
    let changed = in_both
        .map(|(was, is)| StepChange { step: is.id.clone().unwrap_or_default(), fields: field_changes(was, is) })
        .filter(|change| !change.fields.is_empty())
        .collect();
    let only_in = |steps: &[StepDraft], others: &[StepDraft]| -> Vec<StepDraft> {
        steps.iter().filter(|step| !others.iter().any(|other| other.id == step.id)).cloned().collect()
    };
    PlanDiff {
        fields: field_changes(&before, &after),
        added: only_in(&new, &old),
        removed: only_in(&old, &new),
        changed,
    }
}

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

fn field_changes<T: Serialize>(before: &T, after: &T) -> Vec<FieldChange> {
    let fields = |thing: &T| match serde_json::to_value(thing) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let (before, after) = (fields(before), fields(after));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let value = |fields: &Map<String, Value>, name: &String| fields.get(name).cloned().unwrap_or(Value::Null);
    names
        .into_iter()
        .map(|name| FieldChange { field: name.clone(), before: value(&before, name), after: value(&after, name) })
        .filter(|change| change.before != change.after)
        .collect()
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
