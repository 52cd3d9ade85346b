//! From a template and another request to a plan, or to why there is none. When in doubt there is none: a planner can
//! still be asked, a wrong plan cannot be taken back.

use std::ops::Range;

use domain::plan::{Plan, PlanDraft};
use domain::score::Score;
use domain::skill::{Example, Template};

use super::fit::ways;
use super::judge::judge;
use super::place::written;
use super::said::Said;
use crate::slots::Surroundings;

/// A plan made of a template and a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Filled {
    /// What is to be done.
    pub plan: PlanDraft,
    /// What was taken from the request, in the order of the template's parameters.
    pub values: Vec<Extracted>,
    /// As sure as the least sure of them.
    pub confidence: Score,
}

/// A value that was taken from a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Extracted {
    /// Which parameter it is.
    pub parameter: String,
    /// The words, and what they name.
    pub value: Example,
    /// Where they stand in the request, in bytes.
    pub span: Range<usize>,
    /// How sure it is.
    pub confidence: Score,
}

/// Why a request does not get the plan of a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfilled {
    /// Try another template.
    #[error("the request does not say `{0}`")]
    Words(String),
    /// Ask a planner: the words fit, a value does not.
    #[error("`{said}` is not taken for `{parameter}`: {why}")]
    Value {
        /// Which parameter.
        parameter: String,
        /// What stands in its place.
        said: String,
        /// What is wrong with it.
        why: String,
    },
    /// Ask a planner: it could be read in more than one way.
    #[error("the request can be read in more than one way: `{0}` or `{1}`")]
    Ways(String, String),
    /// Ask a planner: not enough was seen yet to say what the plan would be.
    #[error("{0}; not enough such requests were seen to tell")]
    Undecided(String),
    /// Ask a planner: with these values it is no plan.
    #[error("with these values it is no plan: {0}")]
    NoPlan(String),
}

/// The plan that a request means if it says what the template says. Courtesies, case and punctuation do not count; any
/// other word does.
pub fn fill(template: &Template, request: &str, surroundings: &Surroundings<'_>) -> Result<Filled, Unfilled> {
    let other_words = || Unfilled::Words(template.phrase());
    let said = Said::read(request, surroundings).ok_or_else(other_words)?;
    let mut refused = None;
    let mut found: Option<Filled> = None;
    for way in ways(template, &said) {
        match fill_one(template, request, &said, &way) {
            Err(why) => refused = refused.or(Some(why)),
            Ok(filled) => match &found {
                Some(other) if other.plan != filled.plan => {
                    return Err(Unfilled::Ways(in_words(other), in_words(&filled)));
                }
                Some(_) => {}
                None => found = Some(filled),
            },
        }
    }
    found.ok_or_else(|| refused.unwrap_or_else(other_words))
}

fn fill_one(template: &Template, request: &str, said: &Said<'_>, way: &[Range<usize>]) -> Result<Filled, Unfilled> {
    let mut values = Vec::new();
    let mut confidence = Score::ONE;
    for (at, (parameter, words)) in template.parameters().iter().zip(way).enumerate() {
        let (value, certainty) = judge(template, at, said, words).map_err(|why| Unfilled::Value {
            parameter: parameter.name.clone(),
            said: said.slice(words).to_owned(),
            why,
        })?;
        if certainty < confidence {
            confidence = certainty;
        }
        values.push(Extracted {
            parameter: parameter.name.clone(),
            value,
            span: said.span(words),
            confidence: certainty,
        });
    }
    let examples: Vec<Example> = values.iter().map(|value| value.value.clone()).collect();
    let plan = written(template.plan(), request, &examples).map_err(Unfilled::Undecided)?;
    let plan: PlanDraft = serde_json::from_value(plan).map_err(|error| Unfilled::NoPlan(error.to_string()))?;
    Plan::try_from(plan.clone()).map_err(Unfilled::NoPlan)?;
    Ok(Filled { plan, values, confidence })
}

fn in_words(filled: &Filled) -> String {
    let said = filled.values.iter().map(|value| format!("{} = {}", value.parameter, value.value.said));
    said.collect::<Vec<_>>().join(", ")
}
