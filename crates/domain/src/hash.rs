//! Content addresses: the same bytes always have the same name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A SHA-256 digest, written as `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The address of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The address of a value's JSON, whatever the order of its fields.
    pub fn of_json<T: Serialize + ?Sized>(value: &T) -> Self {
        // Our own types always serialise.
        let mut value = serde_json::to_value(value).unwrap_or_default();
        value.sort_all_objects();
        Self::of_written(&value)
    }

    /// The address of a value's JSON as it is written, fields in the order they have: cheaper, for what is always built
    /// the same way.
    pub fn of_written<T: Serialize + ?Sized>(value: &T) -> Self {
        Self::of(&serde_json::to_vec(value).unwrap_or_default())
    }

    /// The digest itself.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first so many bytes in hexadecimal digits: enough to tell things of one name apart.
    pub fn digits(&self, bytes: usize) -> String {
        self.0.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
    }

    /// A digest that was stored.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Hash {
    type Err = crate::id::BadName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix("sha256:").unwrap_or(text);
        let mut bytes = [0u8; 32];
        let parsed = digits.len() == 64
            && digits.is_ascii()
            && bytes.iter_mut().enumerate().all(|(at, byte)| {
                u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).map(|value| *byte = value).is_ok()
            });
        if parsed {
            Ok(Self(bytes))
        } else {
            Err(crate::id::BadName {
                name: text.to_owned(),
                kind: "hash",
                rule: "hashes look like `sha256:` and 64 hexadecimal digits",
            })
        }
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_survives_being_written_and_read() {
        let hash = Hash::of(b"abc");
        assert_eq!(hash.to_string(), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hash.to_string().parse(), Ok(hash));
    }

    #[test]
    fn equal_values_hash_alike_however_they_were_built() {
        let one = serde_json::json!({"a": 1, "b": 2});
        let other: serde_json::Value = serde_json::from_str(r#"{"b": 2, "a": 1}"#).expect("json");
        assert_eq!(Hash::of_json(&one), Hash::of_json(&other));
        assert_eq!(Hash::of_json(&one), Hash::of(br#"{"a":1,"b":2}"#));
    }
}
