//! What was said: text for most, a list of typed parts for some, such as Mistral's thinking models.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

/// The words; parts that are not words are left out.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    deserializer.deserialize_any(Words)
}

struct Words;

#[derive(Deserialize)]
struct Part {
    r#type: String,
    #[serde(default)]
    text: Option<String>,
}

impl<'de> Visitor<'de> for Words {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text, a list of parts, or nothing")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Some(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let mut said = String::new();
        while let Some(part) = parts.next_element::<Part>()? {
            if part.r#type == "text" {
                said.push_str(&part.text.unwrap_or_default());
            }
        }
        Ok(Some(said))
    }
}
