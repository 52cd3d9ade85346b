//! What callers of single stages give, read as tolerantly as it is written: text, our own answers, or somebody else's.

use domain::critique::Critique;
use domain::plan::PlanDraft;
use domain::score::Score;
use domain::stage::PlanAnswer;
use domain::thought::Thought;
use serde_json::Value;

use super::{StageContext, StageError};
use crate::assess::{Part, Reasoned};
use crate::context::cap;
use crate::plan::{Planned, steps_of};
use crate::score::Reported;

/// How much of one part is read.
const CHARS: usize = 12_000;
/// What a part is taken to be worth that says nothing about itself.
const UNSAID: f64 = 0.5;

/// Whether there is anything in a value.
fn says_something(value: &&Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

fn present(value: &Option<Value>) -> Option<&Value> {
    value.as_ref().filter(says_something)
}

/// The score that a value is, or has under one of some names. A number that is no score is a mistake, not a middle.
fn score(what: &str, value: &Value, names: &[&str]) -> Result<Option<Score>, StageError> {
    let number = match value {
        Value::Number(_) => Some(value),
        Value::Object(fields) => names.iter().find_map(|name| fields.get(*name)).filter(|value| !value.is_null()),
        _ => None,
    };
    let Some(found) = number else { return Ok(None) };
    match found.as_f64().map(Score::try_from) {
        Some(Ok(score)) => Ok(Some(score)),
        _ => Err(StageError::Context(format!("`{what}`: `{found}` is not a score: it must be a number from 0 to 1"))),
    }
}

const THOUGHT: [&str; 1] = ["confidence"];
const CRITIQUE: [&str; 4] = ["overall", "overallScore", "overall_score", "score"];
const CONFIDENCE: [&str; 5] = ["overall", "overallConfidence", "overallScore", "score", "confidence"];

/// What the stages reported, for the scorer.
pub(super) fn reported(context: &StageContext) -> Result<Reported, StageError> {
    let of = |what: &str, value: &Option<Value>, names: &[&str]| match present(value) {
        Some(value) => score(what, value, names),
        None => Ok(None),
    };
    Ok(Reported {
        thought: of("thoughts", &context.thoughts, &THOUGHT)?,
        plan: of("plan", &context.plan, &THOUGHT)?,
        verification: None,
        critique: of("critique", &context.critique, &CRITIQUE)?,
    })
}

/// What there is to assess.
pub(super) fn reasoned(context: &StageContext) -> Result<Reasoned, StageError> {
    let part = |what: &str, value: &Option<Value>, names: &[&str]| -> Result<Option<Part>, StageError> {
        let Some(value) = present(value) else { return Ok(None) };
        let words = match value {
            Value::String(text) => cap(text, CHARS),
            other => cap(&other.to_string(), CHARS),
        };
        let score = score(what, value, names)?.unwrap_or_else(|| Score::nearest(UNSAID));
        Ok(Some(Part { words, score }))
    };
    Ok(Reasoned {
        thoughts: part("thoughts", &context.thoughts, &THOUGHT)?,
        plan: part("plan", &context.plan, &THOUGHT)?,
        critique: part("critique", &context.critique, &CRITIQUE)?,
        confidence: part("confidenceScore", &context.confidence_score, &CONFIDENCE)?,
    })
}

/// A thought, in words or as a thinker answers it.
pub(super) fn thought(value: &Value) -> Option<Thought> {
    match value {
        Value::String(text) if !text.trim().is_empty() => {
            Some(Thought { reasoning: cap(text, CHARS), ..Thought::default() })
        }
        Value::Object(fields) if !fields.is_empty() => serde_json::from_value(value.clone())
            .ok()
            .or_else(|| Some(Thought { reasoning: cap(&value.to_string(), CHARS), ..Thought::default() })),
        _ => None,
    }
}

/// The plan that was given, in any of the forms planners write it in.
pub(super) fn plan(context: &StageContext) -> Result<Option<PlanDraft>, StageError> {
    let Some(value) = present(&context.plan) else { return Ok(None) };
    let steps = steps_of(value)
        .ok_or_else(|| StageError::Context("`plan` has no `steps`: give an object with a list of `steps`".into()))?;
    serde_json::from_value(steps).map(Some).map_err(|error| StageError::Context(format!("`plan`: {error}")))
}

/// The version of the plan that was given.
pub(super) fn version(context: &StageContext) -> u32 {
    let said = context.plan.as_ref().and_then(|plan| plan.get("version")).and_then(Value::as_u64);
    said.and_then(|version| u32::try_from(version).ok()).unwrap_or(1).clamp(1, u32::MAX - 1)
}

/// What is wrong, according to the critique and the assessment that were given.
pub(super) fn objections(context: &StageContext) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(value) = present(&context.critique) {
        match serde_json::from_value::<Critique>(value.clone()) {
            Ok(critique) => lines.extend(crate::critique::objections(&critique)),
            Err(_) => lines.extend(sentences(value, &["issues", "summary", "weaknesses"])),
        }
    }
    if let Some(value) = present(&context.assessment) {
        lines.extend(sentences(value, &["assessment", "recommendedActions", "recommended_actions"]));
    }
    lines.iter().map(|line| cap(line, 1_000)).take(20).collect()
}

/// The texts in a value, or under some of its names.
fn sentences(value: &Value, names: &[&str]) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(|item| sentences(item, names)).collect(),
        Value::Object(fields) => {
            let told = ["description", "text", "issue"].iter().find_map(|name| fields.get(*name)?.as_str());
            let named = names.iter().filter_map(|name| fields.get(*name)).flat_map(|value| sentences(value, names));
            told.map(str::to_owned).into_iter().chain(named).collect()
        }
        _ => Vec::new(),
    }
}

/// A plan as a stage answers it.
pub(super) fn plan_answer(planned: Planned) -> PlanAnswer {
    let notes = planned.notes.unwrap_or_default();
    PlanAnswer {
        version: planned.version,
        plan: planned.plan.into(),
        confidence: notes.confidence,
        rationale: notes.rationale,
        alternatives: notes.alternatives,
        findings: planned.findings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_is_nothing_in_whatever_form() {
        for empty in [json!(null), json!(""), json!("  "), json!({}), json!([])] {
            let context = StageContext {
                thoughts: Some(empty.clone()),
                plan: Some(empty.clone()),
                critique: Some(empty.clone()),
                confidence_score: Some(empty),
                ..StageContext::default()
            };
            assert!(reasoned(&context).expect("readable").is_empty());
        }
    }

    #[test]
    fn a_score_of_zero_counts_and_what_is_no_score_is_refused() {
        let of = |value: Value| reasoned(&StageContext { confidence_score: Some(value), ..StageContext::default() });
        let zero = of(json!(0)).expect("readable").confidence.expect("there");
        assert_eq!(zero.score, Score::ZERO);
        assert_eq!(of(json!({"overall": 0.0})).expect("readable").confidence.expect("there").score, Score::ZERO);
        for wrong in [json!(1.7), json!({"overall": "high"}), json!(-0.1)] {
            assert!(matches!(of(wrong.clone()), Err(StageError::Context(_))), "{wrong}");
        }
    }

    #[test]
    fn objections_are_read_from_any_critique() {
        let of = |critique: Value| objections(&StageContext { critique: Some(critique), ..StageContext::default() });
        assert_eq!(of(json!("too vague")), ["too vague"]);
        assert_eq!(of(json!({"issues": [{"description": "no date"}], "summary": "weak"})), ["no date", "weak"]);
        assert!(of(json!({"overall": 0.9})).is_empty());
    }
}
