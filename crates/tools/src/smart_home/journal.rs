//! The calls of late and what they came to, by their keys: what makes a repetition harmless.

use serde::{Deserialize, Serialize};

use super::house::{Change, Earlier, Outcome};

/// How many calls are remembered. A repetition comes soon or never.
const REMEMBERED: usize = 64;

/// Calls, oldest first.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Journal(Vec<Entry>);

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    key: String,
    changes: Vec<Change>,
    /// Missing until the changes have been made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<Outcome>>,
}

impl Journal {
    pub(super) fn find(&self, key: &str) -> Earlier {
        match self.0.iter().find(|entry| entry.key == key) {
            None => Earlier::Nothing,
            Some(Entry { changes, outcomes: None, .. }) => Earlier::Begun(changes.clone()),
            Some(Entry { changes, outcomes: Some(outcomes), .. }) => Earlier::Done(changes.clone(), outcomes.clone()),
        }
    }

    /// Notes changes that are about to be made.
    pub(super) fn begin(&mut self, key: &str, changes: &[Change]) {
        self.note(Entry { key: key.to_owned(), changes: changes.to_vec(), outcomes: None });
    }

    /// Notes changes that have been made.
    pub(super) fn finish(&mut self, key: &str, changes: &[Change], outcomes: &[Outcome]) {
        self.note(Entry { key: key.to_owned(), changes: changes.to_vec(), outcomes: Some(outcomes.to_vec()) });
    }

    /// Forgets changes that were not made after all.
    pub(super) fn forget(&mut self, key: &str) {
        self.0.retain(|entry| entry.key != key);
    }

    fn note(&mut self, entry: Entry) {
        self.forget(&entry.key);
        self.0.push(entry);
        let excess = self.0.len().saturating_sub(REMEMBERED);
        self.0.drain(..excess);
    }
}
