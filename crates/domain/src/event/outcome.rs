//! How calls and steps ended.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A result as it stands in the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome<T, E> {
    /// It worked.
    Ok(T),
    /// It did not.
    Err(E),
}

impl<T, E> From<Result<T, E>> for Outcome<T, E> {
    fn from(result: Result<T, E>) -> Self {
        match result {
            Ok(value) => Outcome::Ok(value),
            Err(error) => Outcome::Err(error),
        }
    }
}

impl<T, E> From<Outcome<T, E>> for Result<T, E> {
    fn from(outcome: Outcome<T, E>) -> Self {
        match outcome {
            Outcome::Ok(value) => Ok(value),
            Outcome::Err(error) => Err(error),
        }
    }
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum StepOutcome {
    /// It brought something.
    Done {
        /// What later steps can refer to.
        output: Value,
    },
    /// It brought nothing.
    Failed {
        /// Why, in a sentence.
        reason: String,
        /// Whether something may have happened that nobody can vouch for.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        in_doubt: bool,
    },
    /// It was not needed, or could not be begun.
    Skipped {
        /// Why, in a sentence.
        reason: String,
    },
}
