//! What others wrote.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something that people, models or tools wrote. It can be stored, shown to a person and measured; it has neither
/// `Display` nor `Deref`, so that it gets into a sentence of ours only where somebody says `reveal`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Untrusted<T>(T);

impl<T> Untrusted<T> {
    /// Marks something as written by others.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// What they wrote: to be shown, exported or measured, never to be learnt by heart.
    pub fn reveal(&self) -> &T {
        &self.0
    }
}

impl Untrusted<String> {
    /// A text, cut to what is kept.
    pub fn text(text: &str) -> Self {
        Self(text[..text.floor_char_boundary(super::MOST_TEXT)].to_owned())
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Untrusted<Value> {
    /// Whether there is nothing.
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }
}
