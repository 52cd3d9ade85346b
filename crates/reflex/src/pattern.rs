//! Sentences with alternatives, optional words and gaps: `(set|start) [a] timer`, `remember that {text}`.
//!
//! A pattern matches a whole sentence or not at all, whatever the case and punctuation. Words of courtesy around it do not
//! count.

mod gate;
mod read;

use std::collections::BTreeMap;
use std::ops::Range;

pub use gate::{Gate, Heard, Vocabulary};

/// A sentence that can be said in several ways.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    nodes: Vec<Node>,
    /// Of each of these groups one word must be said.
    needed: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Word(String),
    OneOf(Vec<Vec<Node>>),
    Maybe(Vec<Node>),
    Gap(String),
}

/// Where a pattern stops making sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is not a pattern: {problem}")]
pub struct BadPattern {
    pattern: String,
    problem: &'static str,
}

/// How a sentence fits a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// How many words of the pattern were said.
    pub said: usize,
    /// What stands in the gaps.
    pub gaps: BTreeMap<String, String>,
}

/// How many ways are tried before a sentence counts as not fitting.
const PATIENCE: usize = 20_000;

/// The longest sentence that is looked at, in words.
pub(crate) const LONGEST: usize = 200;

const BEFORE: &[&str] = &[
    "please",
    "hey",
    "hi",
    "ok",
    "okay",
    "so",
    "now",
    "well",
    "um",
    "uh",
    "just",
    "kindly",
    "can you",
    "could you",
    "would you",
    "will you",
    "can you please",
    "could you please",
    "would you please",
    "i want you to",
    "i would like you to",
    "i'd like you to",
    "i need you to",
    "go ahead and",
    "computer",
    "assistant",
    "agentwright",
];
const AFTER: &[&str] = &["please", "thanks", "thank you", "for me", "will you", "would you", "ok", "okay"];

impl Pattern {
    /// Reads a pattern.
    pub fn parse(source: &str) -> Result<Self, BadPattern> {
        let bad = |problem| BadPattern { pattern: source.to_owned(), problem };
        let nodes = read::read(source).map_err(bad)?;
        Ok(Self { needed: gate::needed(&nodes), nodes })
    }

    /// The names of its gaps.
    pub fn gaps(&self) -> Vec<&str> {
        fn collect<'n>(nodes: &'n [Node], into: &mut Vec<&'n str>) {
            for node in nodes {
                match node {
                    Node::Word(_) => {}
                    Node::Gap(name) => into.push(name),
                    Node::Maybe(within) => collect(within, into),
                    Node::OneOf(ways) => ways.iter().for_each(|way| collect(way, into)),
                }
            }
        }
        let mut gaps = Vec::new();
        collect(&self.nodes, &mut gaps);
        gaps
    }

    /// How a sentence fits, if it does.
    pub fn fit(&self, sentence: &Sentence<'_>) -> Option<Fit> {
        let mut attempt = Attempt { words: &sentence.words, patience: PATIENCE };
        let nodes: Vec<&Node> = self.nodes.iter().collect();
        let found = attempt.run(&nodes, 0)?;
        let gaps = found.gaps.into_iter().map(|(name, range)| (name.to_owned(), sentence.slice(range)));
        Some(Fit { said: found.said, gaps: gaps.collect() })
    }
}

/// A sentence in words, without courtesies.
#[derive(Debug, Clone)]
pub struct Sentence<'t> {
    text: &'t str,
    words: Vec<(String, Range<usize>)>,
}

impl<'t> Sentence<'t> {
    /// Takes a text apart.
    pub fn new(text: &'t str) -> Self {
        let mut words = words(text);
        words.truncate(LONGEST);
        let meant = without_courtesies(&words.iter().map(|word| word.0.as_str()).collect::<Vec<_>>());
        words.truncate(meant.end);
        words.drain(..meant.start);
        Self { text, words }
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn slice(&self, range: Range<usize>) -> String {
        match (self.words.get(range.start), self.words.get(range.end.wrapping_sub(1))) {
            (Some(first), Some(last)) if first.1.start <= last.1.end => {
                self.text[first.1.start..last.1.end].trim().to_owned()
            }
            _ => String::new(),
        }
    }
}

/// Words in lower case with their places: letters, digits, and what holds them together.
fn words(text: &str) -> Vec<(String, Range<usize>)> {
    let mut words: Vec<(String, Range<usize>)> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        let c = if c == '’' { '\'' } else { c };
        let holds = matches!(c, '\'' | '.' | ':' | '-' | '@' | '_' | '/' | '%' | '°' | '+');
        if c.is_alphanumeric() || holds {
            if !open {
                words.push((String::new(), at..at));
                open = true;
            }
            if let Some((word, place)) = words.last_mut() {
                word.extend(c.to_lowercase());
                place.end = at + text[at..].chars().next().map_or(1, char::len_utf8);
            }
        } else {
            open = false;
        }
    }
    for (word, place) in &mut words {
        let kept = word.trim_end_matches(['.', ':', '\'', '-']);
        place.end -= word.len() - kept.len();
        word.truncate(kept.len());
        let lost = word.len() - word.trim_start_matches(['.', '\'', '-']).len();
        place.start += lost;
        word.drain(..lost);
    }
    let whole = |place: &Range<usize>| text.is_char_boundary(place.start) && text.is_char_boundary(place.end);
    words.retain(|(word, place)| !word.is_empty() && place.start < place.end && whole(place));
    words
}

/// Which words are left without what is said to be polite, before and after. Something is always left.
pub(crate) fn without_courtesies(words: &[&str]) -> Range<usize> {
    let longest = |left: &[&str], phrases: &[&str], at_end: bool| {
        let fits = |phrase: &&&str| {
            let parts: Vec<&str> = phrase.split(' ').collect();
            let from = if at_end { left.len().saturating_sub(parts.len()) } else { 0 };
            parts.len() < left.len() && left[from..].starts_with(&parts)
        };
        phrases.iter().filter(fits).map(|phrase| phrase.split(' ').count()).max()
    };
    let mut left = 0..words.len();
    while let Some(count) = longest(&words[left.clone()], BEFORE, false) {
        left.start += count;
    }
    while let Some(count) = longest(&words[left.clone()], AFTER, true) {
        left.end -= count;
    }
    left
}

struct Attempt<'w> {
    words: &'w [(String, Range<usize>)],
    patience: usize,
}

struct Found<'n> {
    said: usize,
    gaps: Vec<(&'n str, Range<usize>)>,
}

impl Attempt<'_> {
    fn run<'n>(&mut self, nodes: &[&'n Node], at: usize) -> Option<Found<'n>> {
        self.patience = self.patience.checked_sub(1)?;
        let Some((first, rest)) = nodes.split_first() else {
            return (at == self.words.len()).then(|| Found { said: 0, gaps: Vec::new() });
        };
        match first {
            Node::Word(word) if self.words.get(at).is_some_and(|said| said.0 == *word) => {
                self.run(rest, at + 1).map(|found| Found { said: found.said + 1, ..found })
            }
            Node::Word(_) => None,
            Node::Gap(name) => {
                // The shortest filling that lets the rest fit.
                (at + 1..=self.words.len()).find_map(|end| {
                    let mut found = self.run(rest, end)?;
                    found.gaps.push((name, at..end));
                    Some(found)
                })
            }
            Node::Maybe(within) => {
                let with: Vec<&Node> = within.iter().chain(rest.iter().copied()).collect();
                self.run(&with, at).or_else(|| self.run(rest, at))
            }
            Node::OneOf(ways) => ways.iter().find_map(|way| {
                let with: Vec<&Node> = way.iter().chain(rest.iter().copied()).collect();
                self.run(&with, at)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands in the gaps, or `-`.
    fn fit(pattern: &str, text: &str) -> String {
        let pattern = Pattern::parse(pattern).expect("a pattern");
        match pattern.fit(&Sentence::new(text)) {
            None => "-".into(),
            Some(fit) => fit.gaps.iter().map(|(name, words)| format!("{name}={words}")).collect::<Vec<_>>().join(", "),
        }
    }

    #[test]
    fn a_pattern_fits_whole_sentences_however_they_are_written() {
        assert_eq!(fit("(set|start) [a|the] timer", "Start the TIMER!"), "");
        assert_eq!(fit("(set|start) [a|the] timer", "could you please set a timer for me?"), "");
        assert_eq!(fit("(set|start) [a|the] timer", "do not set a timer"), "-");
        assert_eq!(fit("what's up", "What’s up?"), "");
        assert_eq!(fit("good (morning|(after noon|afternoon))", "good after noon"), "");
    }

    #[test]
    fn gaps_hold_the_words_as_they_were_written() {
        assert_eq!(
            fit("remember [that] {text}", "Remember that Anna’s cat is called Émile."),
            "text=Anna’s cat is called Émile"
        );
        assert_eq!(fit("add {title} to [my] calendar", "add Lunch, with Bo, to my calendar"), "title=Lunch, with Bo");
        assert_eq!(fit("move {what} to {where}", "move it to it to it"), "what=it, where=it to it");
        assert_eq!(fit("note {text}", "note"), "-");
    }

    #[test]
    fn what_is_not_a_pattern_says_why() {
        let wrong = |source| Pattern::parse(source).expect_err("refused").to_string();
        assert_eq!(wrong("(a|b"), "`(a|b` is not a pattern: `(` is not closed");
        assert_eq!(wrong("a)"), "`a)` is not a pattern: a bracket is closed that was not opened");
        assert_eq!(wrong("say {}"), "`say {}` is not a pattern: a gap needs a name of letters");
        assert_eq!(wrong(" "), "` ` is not a pattern: it is empty");
    }

    #[test]
    fn a_sentence_that_could_fit_in_very_many_ways_is_given_up_on() {
        let text = "a ".repeat(5_000);
        assert_eq!(fit("{one} a {two} a {three} a {four} b", &text), "-");
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_tried(text in "\\PC{0,80}") {
            for pattern in ["{all}", "a {b} [c] (d|e {f})"] {
                let _ = Pattern::parse(pattern).expect("a pattern").fit(&Sentence::new(&text));
            }
        }
    }
}
