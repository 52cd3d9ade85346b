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
    /// A value, cut to what is kept: of an object that is too long the names stay and long values are cut; what is too long
    /// even so is kept as the beginning of its text.
    pub fn value(value: Value) -> Self {
        let most = super::MOST_TEXT;
        if fits(&value, most) {
            return Self(value);
        }
        let cut = |text: &str, most| Value::String(text[..text.floor_char_boundary(most)].to_owned());
        if let Value::Object(mut fields) = value {
            let share = (most / 2) / fields.len().max(1);
            for field in fields.values_mut().filter(|field| !fits(field, share)) {
                *field = match &*field {
                    Value::String(text) => cut(text, share),
                    other => cut(&other.to_string(), share),
                };
            }
            let fields = Value::Object(fields);
            return Self(if fits(&fields, most) { fields } else { cut(&fields.to_string(), most) });
        }
        Self(cut(&value.to_string(), most))
    }

    /// Whether there is nothing.
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }
}

/// Whether a value is no longer than this, as text.
fn fits(value: &Value, most: usize) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => text.len() <= most,
        Value::Array(_) | Value::Object(_) => value.to_string().len() <= most,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn of_arguments_that_are_too_long_the_names_stay() {
        let kept = Untrusted::value(json!({"city": "Oslo", "text": "é".repeat(10_000), "deep": [["x".repeat(9_000)]]}));
        let Value::Object(fields) = kept.reveal() else { panic!("{kept:?}") };
        assert_eq!(fields.keys().collect::<Vec<_>>(), ["city", "text", "deep"]);
        assert_eq!(fields["city"], "Oslo");
        assert!(kept.reveal().to_string().len() <= crate::trace::MOST_TEXT);
        let many: serde_json::Map<String, Value> = (0..2_000).map(|at| (format!("field{at}"), json!(at))).collect();
        assert!(matches!(Untrusted::value(Value::Object(many)).reveal(), Value::String(text) if text.len() <= 4_096));
        assert_eq!(Untrusted::value(json!([1, 2])).reveal(), &json!([1, 2]));
    }
}
