//! What a run needs from outside before it can go on.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::approval::{Proposal, Verdict};
use crate::hash::Hash;

/// What a run waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Wait {
    /// What the answer will be filed under.
    pub name: String,
    /// What is needed.
    pub need: Need,
    /// When it stops being worth waiting for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// What is needed from outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "need", rename_all = "snake_case")]
pub enum Need {
    /// An answer in words.
    Answer {
        /// The question.
        question: String,
    },
    /// A yes or no to something that the run may not do by itself.
    Approval {
        /// What it wants to do, in plain words.
        question: String,
        /// The hash of exactly what is approved.
        hash: Hash,
        /// All there is to see before deciding.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proposal: Option<Box<Proposal>>,
    },
    /// A yes or no to going on beyond a limit.
    Budget {
        /// Which limit.
        question: String,
    },
    /// A moment.
    Time {
        /// Which.
        at: Timestamp,
    },
}

impl Need {
    /// What a person is asked, if a person is.
    pub fn question(&self) -> Option<&str> {
        match self {
            Need::Answer { question } | Need::Approval { question, .. } | Need::Budget { question } => Some(question),
            Need::Time { .. } => None,
        }
    }

    /// Whether an answer says what is asked: words where words are wanted, a yes or a no where it is one or the other.
    pub fn understands(&self, answer: &Value) -> bool {
        match self {
            Need::Answer { .. } => !answer.is_null(),
            Need::Approval { hash, .. } => Verdict::read(answer, *hash).is_some(),
            Need::Budget { .. } => is_yes(answer) || is_no(answer),
            Need::Time { .. } => false,
        }
    }
}

/// Whether an answer to a yes-or-no question is a yes.
pub fn is_yes(answer: &Value) -> bool {
    says(answer, true, &["y", "yes", "ok", "approve", "approved", "true"])
}

/// Whether it is a no.
pub fn is_no(answer: &Value) -> bool {
    says(answer, false, &["n", "no", "deny", "denied", "reject", "rejected", "false"])
}

fn says(answer: &Value, truth: bool, words: &[&str]) -> bool {
    match answer {
        Value::Bool(said) => *said == truth,
        Value::String(word) => words.contains(&word.trim().to_lowercase().as_str()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yes_or_no_question_is_not_answered_by_anything_else() {
        let approval = Need::Approval { question: "May I?".into(), hash: Hash::of(b"x"), proposal: None };
        for (word, understood) in [("yes", true), (" No ", true), ("maybe", false), ("", false)] {
            assert_eq!(approval.understands(&Value::from(word)), understood, "{word}");
        }
        assert!(Need::Answer { question: "Who?".into() }.understands(&Value::from("maybe")));
        assert!(is_yes(&Value::Bool(true)) && is_no(&Value::Bool(false)) && !is_no(&Value::Null));
    }
}
