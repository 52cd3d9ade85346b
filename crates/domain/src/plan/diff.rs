//! What changed between two plans: by step and field, not by line.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Plan, PlanDraft, StepDraft};

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
