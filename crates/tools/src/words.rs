//! Text that fits: everything that goes into an error, a listing or a log line has a length.

use serde_json::Value;

/// The text, or its beginning and an ellipsis, in at most `max` characters.
pub(crate) fn capped(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(max.saturating_sub(1)).collect();
            format!("{}…", kept.trim_end())
        }
    }
}

/// The last `max` bytes of a text, as far as whole characters go.
pub(crate) fn tail(bytes: &[u8], max: usize) -> String {
    let from = bytes.len().saturating_sub(max);
    let text = String::from_utf8_lossy(&bytes[from..]);
    match from {
        0 => text.trim().to_owned(),
        _ => format!("…{}", text.trim_start_matches('\u{fffd}').trim()),
    }
}

/// A value as it is shown in an error.
pub(crate) fn shown(value: &Value) -> String {
    capped(&value.to_string(), 60)
}

/// `a`, `b` or `c`, each in backticks.
pub(crate) fn ticked<'t>(words: impl IntoIterator<Item = &'t str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

/// A number of bytes, as people say it.
pub(crate) fn size(bytes: usize) -> String {
    const KB: usize = 1024;
    match bytes {
        n if n >= KB * KB && n.is_multiple_of(KB * KB) => format!("{} MB", n / KB / KB),
        n if n >= KB && n.is_multiple_of(KB) => format!("{} KB", n / KB),
        n => format!("{n} bytes"),
    }
}

/// The word nearest to a misspelt one, if any is near.
pub(crate) fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    known
        .into_iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(word, candidate), candidate))
        .filter(|(likeness, _)| *likeness >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_between_characters() {
        assert_eq!(capped("grüße", 5), "grüße");
        assert_eq!(capped("grüße!", 4), "grü…");
        assert_eq!(tail("aé".as_bytes(), 8), "aé");
        assert_eq!(tail("éa".as_bytes(), 2), "…a");
    }

    #[test]
    fn sizes_are_said_in_the_unit_they_fit() {
        assert_eq!((size(10), size(64 * 1024), size(1 << 20)), ("10 bytes".into(), "64 KB".into(), "1 MB".into()));
    }
}
