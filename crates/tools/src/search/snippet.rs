//! The place in a text where most of what was looked for stands together.

use std::ops::Range;

use super::index::analyzer;
use super::query::Wanted;

/// How much of a text is shown, in bytes.
const LONG: usize = 220;
/// How much stands before the first word that was found.
const BEFORE: usize = 60;

/// A piece of text in which the found words are marked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Snippet {
    pub(super) plain: String,
    /// With `**` around what was found.
    pub(super) marked: String,
}

/// The best piece of a text, or its beginning where nothing is found in it.
pub(super) fn snippet(text: &str, wanted: &[Wanted]) -> Snippet {
    let found = found(text, wanted);
    // The window with the most different words, then with the most words, then the first.
    let window = |first: usize| {
        let start = found[first].1.start;
        let inside = found[first..].iter().take_while(|(_, range)| range.end <= start + LONG - BEFORE);
        let (mut different, mut count) = (0u32, 0);
        for (word, _) in inside {
            different |= 1 << (word % 32);
            count += 1;
        }
        (different.count_ones(), count)
    };
    let best = (0..found.len()).rev().max_by_key(|first| window(*first));
    let from = best.map_or(0, |best| found[best].1.start.saturating_sub(BEFORE));
    let from = if from == 0 { 0 } else { begins(text, from) };
    let to = ends(text, from + LONG);
    let marks = found.iter().map(|(_, range)| range.clone()).filter(|range| range.start >= from && range.end <= to);
    cut(text, from..to, marks)
}

fn found(text: &str, wanted: &[Wanted]) -> Vec<(usize, Range<usize>)> {
    let mut analyzer = analyzer();
    let mut stream = analyzer.token_stream(text);
    let mut found = Vec::new();
    while let Some(token) = stream.next() {
        if let Some(word) = wanted.iter().position(|word| word.is(&token.text)) {
            found.push((word, token.offset_from..token.offset_to));
        }
    }
    found
}

fn cut(text: &str, range: Range<usize>, marks: impl Iterator<Item = Range<usize>>) -> Snippet {
    let mut marked = String::new();
    let mut at = range.start;
    for mark in marks {
        // What was emphasised by its writer is not what was found.
        marked.push_str(&text[at..mark.start].replace("**", ""));
        marked.push_str("**");
        marked.push_str(&text[mark.clone()]);
        marked.push_str("**");
        at = mark.end;
    }
    marked.push_str(&text[at..range.end].replace("**", ""));
    let mut marked = marked.split_whitespace().collect::<Vec<_>>().join(" ");
    if range.start > 0 {
        marked.insert(0, '…');
    }
    if range.end < text.trim_end().len() {
        marked.push('…');
    }
    Snippet { plain: marked.replace("**", ""), marked }
}

/// The beginning of the word at or after a place.
fn begins(text: &str, at: usize) -> usize {
    let at = text.ceil_char_boundary(at);
    let gap = text[at..].char_indices().take(BEFORE / 2).find(|(_, c)| c.is_whitespace());
    gap.map_or(at, |(gap, space)| at + gap + space.len_utf8())
}

/// The end of the word at or before a place.
fn ends(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let at = text.floor_char_boundary(at);
    let floor = text.floor_char_boundary(at.saturating_sub(40));
    text[floor..at].rfind(char::is_whitespace).map_or(at, |gap| floor + gap)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(words: &[(&str, u8)]) -> Vec<Wanted> {
        words.iter().map(|(stem, wrong)| Wanted { stem: (*stem).to_owned(), wrong: *wrong }).collect()
    }

    #[test]
    fn the_place_with_the_most_words_is_shown_with_the_words_marked() {
        let text = format!(
            "A boiler. {} The **old** boiler leaks\n  when heating runs. {}",
            "x y ".repeat(100),
            "z ".repeat(200)
        );
        let snippet = snippet(&text, &wanted(&[("boiler", 0), ("leak", 0)]));
        assert!(snippet.marked.starts_with('…') && snippet.marked.ends_with('…'), "{}", snippet.marked);
        assert!(snippet.marked.contains("The old **boiler** **leaks** when heating runs."), "{}", snippet.marked);
        assert!(!snippet.plain.contains('*'));
        assert!(snippet.plain.len() <= LONG + 8);
    }

    #[test]
    fn nearly_right_words_are_marked_and_where_there_are_none_the_beginning_is_shown() {
        assert_eq!(snippet("The boiler.", &wanted(&[("boilar", 1)])).marked, "The **boiler**.");
        assert_eq!(snippet("The boiler.", &wanted(&[("cat", 0)])).marked, "The boiler.");
        assert_eq!(snippet("", &wanted(&[("cat", 0)])).marked, "");
    }

    #[test]
    fn letters_of_any_width_are_cut_between() {
        for unit in ["é", "🌧", "ש", "한 ", "a\u{301}"] {
            let text = format!("{} cat {}", unit.repeat(300), unit.repeat(300));
            assert!(snippet(&text, &wanted(&[("cat", 0)])).marked.contains("**cat**"), "{unit}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_a_snippet_of_some_length(text in "(\\PC{0,9}|cat|\n| ){0,60}") {
            let snippet = snippet(&text, &wanted(&[("cat", 0), ("dog", 1)]));
            proptest::prop_assert!(snippet.plain.len() <= LONG + 16);
        }
    }
}
