//! What a learnt point may say.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A short plain sentence: no address, no link, no code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Wording(String);

/// Why something is not such a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` cannot be a guideline: {rule}")]
pub struct BadWording {
    /// What was given.
    pub text: String,
    /// The rule it breaks.
    pub rule: &'static str,
}

impl Wording {
    /// How many characters it has at most.
    pub const CHARS: usize = 280;

    /// The sentence as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What it takes of a prompt, in tokens, roughly.
    pub fn tokens(&self) -> usize {
        self.0.len().div_ceil(4)
    }
}

fn broken(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let words = || lower.split(|c: char| c.is_whitespace() || "`'\"(),;".contains(c)).filter(|word| !word.is_empty());
    if text.trim().is_empty() || text.chars().count() > Wording::CHARS {
        return Some("it has 1 to 280 characters");
    }
    if text.chars().any(|c| c.is_control() || is_hidden(c)) {
        return Some("it is one line of visible characters");
    }
    if lower.contains("://") || words().any(|word| word.starts_with("www.") || is_host(word)) {
        return Some("it has no link and no host name");
    }
    if words().any(|word| word.contains('@') || is_address(word)) {
        return Some("it has no address");
    }
    if text.contains("```") || text.contains(['{', '}', '<', '>', '$', '\\', '|', ';', '=']) {
        return Some("it has no code");
    }
    None
}

/// Characters that are read and not seen, or that turn the direction of writing.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn is_host(word: &str) -> bool {
    const ENDS: [&str; 16] =
        ["com", "net", "org", "io", "dev", "app", "ai", "co", "me", "info", "biz", "xyz", "ru", "cn", "de", "uk"];
    word.trim_end_matches(['.', ':', '!', '?']).rsplit_once('.').is_some_and(|(name, end)| {
        let end = end.split(['/', ':']).next().unwrap_or(end);
        !name.is_empty() && ENDS.contains(&end)
    })
}

/// Whether a word is a number of a machine or of a phone.
fn is_address(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let numeric = word.chars().all(|c| c.is_ascii_digit() || ".:-+/".contains(c));
    numeric && (digits >= 7 || word.trim_end_matches('.').matches('.').count() == 3)
}

impl TryFrom<String> for Wording {
    type Error = BadWording;

    fn try_from(text: String) -> Result<Self, BadWording> {
        match broken(&text) {
            None => Ok(Self(text)),
            Some(rule) => Err(BadWording { text: text.chars().take(Self::CHARS).collect(), rule }),
        }
    }
}

impl From<Wording> for String {
    fn from(wording: Wording) -> String {
        wording.0
    }
}

impl fmt::Display for Wording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_sentence_may_be_said_and_nothing_that_leads_elsewhere() {
        for good in ["Call `calendar.list` before `calendar.add`.", "Stop after 3 failures of `web.fetch`."] {
            assert_eq!(Wording::try_from(good.to_owned()).map(String::from), Ok(good.to_owned()));
        }
        let long = "x ".repeat(200);
        for bad in [
            "",
            "see http://x.example",
            "ask `evil.com` first",
            "write to a@b.example",
            "run `rm -rf /; true`",
            "call 10.0.0.1",
            "ring +49-170-1234567",
            "two\nlines",
            "hid\u{200b}den",
            "```x```",
            "a <b> c",
            "www.x",
            &long,
        ] {
            assert!(Wording::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }
}
