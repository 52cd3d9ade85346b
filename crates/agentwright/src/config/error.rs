//! What can be wrong with a configuration, in words that name the file and the key.

use std::path::PathBuf;

use figment::Figment;
use figment::error::{Actual, Kind};

use super::layers::origin_of;

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Correct the key.
    #[error("{origin} has the unknown key `{key}`; the nearest known key is `{nearest}`")]
    UnknownKey {
        /// The file or variable it stands in.
        origin: String,
        /// The whole key.
        key: String,
        /// A key that there is.
        nearest: String,
    },
    /// Correct the value.
    #[error("`{key}` in {origin}: {problem}")]
    BadValue {
        /// The file or variable it stands in.
        origin: String,
        /// The whole key.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Correct the file.
    #[error("`{}` is not TOML", .file.display())]
    NotToml {
        /// Which.
        file: PathBuf,
        /// Where and why.
        #[source]
        source: Box<toml::de::Error>,
    },
    /// Check the path and its permissions.
    #[error("`{}` cannot be read", .file.display())]
    Unreadable {
        /// Which.
        file: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Check the path and its permissions.
    #[error("`{}` cannot be written", .file.display())]
    Unwritable {
        /// Which.
        file: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Go to a directory that exists.
    #[error("the current directory cannot be found out")]
    NoDirectory(#[source] std::io::Error),
    /// Say where data is to be kept.
    #[error("there is no place for a database: neither `HOME` nor `XDG_DATA_HOME` is set")]
    NoHome,
}

/// Puts the library's words into ours.
pub(super) fn explain(figment: &Figment, error: figment::Error) -> ConfigError {
    let mut path = error.path.clone();
    match error.kind {
        Kind::UnknownField(field, known) => {
            if path.last() != Some(&field) {
                path.push(field.clone());
            }
            let parent = &path[..path.len() - 1];
            let found = nearest(&field, known).unwrap_or_default();
            let nearest = parent.iter().map(String::as_str).chain([found]).collect::<Vec<_>>().join(".");
            ConfigError::UnknownKey { origin: origin_of(figment, &path), key: path.join("."), nearest }
        }
        kind => {
            let problem = match kind {
                Kind::Message(message) => message,
                Kind::InvalidType(actual, expected) | Kind::InvalidValue(actual, expected) => {
                    format!("{} is not {}", found_words(&actual), expected_words(&expected))
                }
                Kind::UnknownVariant(found, known) => format!("`{found}` is not one of `{}`", known.join("`, `")),
                Kind::MissingField(field) => format!("`{field}` is missing"),
                other => other.to_string(),
            };
            ConfigError::BadValue { origin: origin_of(figment, &path), key: path.join("."), problem }
        }
    }
}

/// The word that looks most like another.
pub(crate) fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let likeness = |other: &&&str| (strsim::normalized_damerau_levenshtein(word, other) * 1e6) as u64;
    known.iter().max_by_key(likeness).copied()
}

fn found_words(actual: &Actual) -> String {
    match actual {
        Actual::Bool(value) => format!("`{value}`"),
        Actual::Unsigned(value) => format!("{value}"),
        Actual::Signed(value) => format!("{value}"),
        Actual::Float(value) => format!("{value}"),
        Actual::Str(value) => format!("the text `{value}`"),
        Actual::Seq => "a list".to_owned(),
        Actual::Map => "a table".to_owned(),
        other => other.to_string(),
    }
}

fn expected_words(expected: &str) -> String {
    match expected {
        "i64" | "u64" => "a whole number".to_owned(),
        "f64" => "a number".to_owned(),
        "a boolean" => "`true` or `false`".to_owned(),
        "a string" | "path string" => "a text".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table".to_owned(),
        text if text.starts_with("struct ") => "a table".to_owned(),
        other => other.to_owned(),
    }
}
