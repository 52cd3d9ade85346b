//! Text from models and tools made safe and short enough for a terminal, and small words for times and amounts.

use std::borrow::Cow;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

/// Text that cannot move the cursor, change colours or turn the reading direction: such characters are written out.
pub fn tame(text: &str) -> Cow<'_, str> {
    let is_wild = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
    };
    if !text.contains(is_wild) {
        return Cow::Borrowed(text);
    }
    let mut tamed = String::with_capacity(text.len() + 16);
    for c in text.replace("\r\n", "\n").chars() {
        if is_wild(c) {
            tamed.extend(c.escape_unicode());
        } else {
            tamed.push(c);
        }
    }
    Cow::Owned(tamed)
}

/// The same on one line of at most so many characters.
pub fn line(text: &str, most: usize) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let tamed = tame(&joined);
    match tamed.char_indices().nth(most) {
        None => tamed.into_owned(),
        Some(_) => {
            let end = tamed.char_indices().nth(most.saturating_sub(1)).map_or(0, |(at, _)| at);
            format!("{}…", tamed[..end].trim_end())
        }
    }
}

/// A JSON value on one line of at most so many characters.
pub fn value(value: &Value, most: usize) -> String {
    match value {
        Value::String(text) if text.trim().is_empty() => "\"\"".to_owned(),
        Value::String(text) => line(text, most),
        other => line(&other.to_string(), most),
    }
}

/// Every line of a text, moved to the right.
pub fn indented(text: &str, by: usize) -> String {
    let margin = " ".repeat(by);
    let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!("{margin}{line}") });
    lines.collect::<Vec<_>>().join("\n")
}

/// How long something took: `850ms`, `1.2s`, `2m 03s`, `1h 05m`.
pub fn duration(duration: Duration) -> String {
    let millis = duration.as_millis();
    let seconds = duration.as_secs();
    match millis {
        0..1_000 => format!("{millis}ms"),
        1_000..60_000 => format!("{:.1}s", millis as f64 / 1000.0),
        60_000..3_600_000 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

/// The time from one moment to another, nothing if the clock went backwards.
pub fn between(from: Timestamp, to: Timestamp) -> Duration {
    Duration::try_from(to.duration_since(from)).unwrap_or_default()
}

/// How long ago something was, in one word.
pub fn ago(then: Timestamp, now: Timestamp) -> String {
    let seconds = between(then, now).as_secs();
    match seconds {
        0..60 => format!("{seconds}s ago"),
        60..3_600 => format!("{}m ago", seconds / 60),
        3_600..86_400 => format!("{}h ago", seconds / 3_600),
        _ => format!("{}d ago", seconds / 86_400),
    }
}

/// A number and a noun: `1 step`, `3 steps`, `0 memories`.
pub fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_deceive_a_terminal_is_written_out() {
        assert_eq!(tame("plain\nüber\t日本"), "plain\nüber\t日本");
        assert_eq!(tame("\u{1b}[2Jgone\u{7}"), "\\u{1b}[2Jgone\\u{7}");
        assert_eq!(tame("over\rwritten\r\n"), "over\\u{d}written\n");
        assert_eq!(tame("\u{9b}31m \u{202e}txt.exe"), "\\u{9b}31m \\u{202e}txt.exe");
    }

    #[test]
    fn a_long_text_is_cut_to_one_line() {
        assert_eq!(line("two\n lines", 20), "two lines");
        assert_eq!(line("a long sentence", 7), "a long…");
        assert_eq!(line("日本語です", 3), "日本…");
        assert_eq!(line("", 3), "");
    }

    #[test]
    fn times_have_the_unit_that_suits_them() {
        let words = |millis| duration(Duration::from_millis(millis));
        assert_eq!(
            [words(0), words(850), words(1_240), words(123_000), words(3_900_000)],
            ["0ms", "850ms", "1.2s", "2m 03s", "1h 05m"]
        );
    }

    proptest::proptest! {
        #[test]
        fn a_tamed_text_has_no_control_characters(text in "\\PC*|[\\x00-\\x1f\\x7f-\\x9f]*") {
            proptest::prop_assert!(tame(&text).chars().all(|c| !c.is_control() || c == '\n' || c == '\t'));
        }

        #[test]
        fn a_line_is_one_line_and_not_too_long(text in ".*", most in 1usize..50) {
            let line = line(&text, most);
            proptest::prop_assert!(line.chars().count() <= most && !line.contains('\n'));
        }
    }
}
