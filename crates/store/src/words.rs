//! Words as memories are found by them, and text as databases take it.

use std::collections::BTreeSet;

/// Longer words are cut, because an index entry has a limit.
const LONGEST: usize = 64;

/// The words of three letters or more, in lower case, each once.
pub(crate) fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words: BTreeSet<String> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().nth(2).is_some())
        .map(|word| word.chars().take(LONGEST).collect())
        .collect();
    words.into_iter().collect()
}

/// The text without the one character that PostgreSQL cannot keep.
pub(crate) fn storable(text: &str) -> String {
    text.replace('\0', "\u{FFFD}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_long_lower_case_and_unique() {
        assert_eq!(words("The CAT, the cat & über-café at 9"), ["café", "cat", "the", "über"]);
        assert_eq!(words("x".repeat(100).as_str())[0].len(), LONGEST);
    }
}
