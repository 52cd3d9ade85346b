//! How a trace will probably end, or why it ended as it did, going by all others.

use domain::id::TraceId;
use domain::store::{Store, StoreError};
use domain::trace::Sketch;
use learn::FitPolicy;
use serde::Serialize;

use super::shadow;

/// How many reasons and moves are told.
const MOST: usize = 5;

/// What the others say about a trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Predicted {
    /// How likely it is, or was, a success.
    pub chance: f64,
    /// How many other traces that rests on.
    pub learnt_from: usize,
    /// What speaks for it (above 0) and against it, the weightiest first.
    pub reasons: Vec<Reason>,
    /// Of a trace that failed: where it probably went wrong, as places among its steps counted from 0, the likeliest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub went_wrong: Vec<Place>,
}

/// Something that is so of a trace, and how much that speaks for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// What is so.
    pub words: String,
    /// In logarithms of odds.
    pub weight: f64,
}

/// A step, and how likely it is that it decided everything.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Place {
    /// Which.
    pub step: usize,
    /// From 0 to 1.
    pub share: f64,
}

/// What all other traces that may be learnt from say about one. None where there is no such trace.
pub async fn predict(store: &dyn Store, id: &TraceId) -> Result<Option<Predicted>, StoreError> {
    let Some(trace) = store.trace(id).await? else { return Ok(None) };
    let sketch = learn::sketch(&trace);
    let mut others: Vec<Sketch> = shadow::all(store).await?;
    others.retain(|other| other.trace != *id);
    let predictor = learn::fit(&others, &FitPolicy::default());
    let reasons = predictor.reasons(&sketch).into_iter().take(MOST);
    let went_wrong = match sketch.success {
        Some(false) => learn::blame::decisive(&sketch),
        Some(true) | None => Vec::new(),
    };
    Ok(Some(Predicted {
        chance: predictor.chance(&sketch).get(),
        learnt_from: predictor.traces(),
        reasons: reasons.map(|(mark, weight)| Reason { words: learn::so(&mark), weight }).collect(),
        went_wrong: went_wrong.into_iter().take(MOST).map(|(step, share)| Place { step, share }).collect(),
    }))
}
