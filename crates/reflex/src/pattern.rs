//! Sentences with alternatives, optional words and gaps: `(set|start) [a] timer`, `remember that {text}`.
//!
//! A pattern matches a whole sentence or not at all, whatever the case and punctuation. Words of courtesy around it do not
//! count.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// A sentence that can be said in several ways.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    nodes: Vec<Node>,
    /// Of each of these groups one word must be said.
    needed: Vec<Vec<String>>,
}

/// Words with numbers: which of them a text has is a row of bits, so that most patterns are passed over at once.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    numbers: HashMap<String, usize>,
}

/// Which words of a vocabulary a text has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard(Vec<u64>);

/// What must be heard for a pattern to be worth trying.
#[derive(Debug, Clone)]
pub struct Gate(Vec<Vec<(usize, u64)>>);

impl Vocabulary {
    /// Takes the words of a pattern in.
    pub fn gate(&mut self, pattern: &Pattern) -> Gate {
        let mut bit = |word: &String| {
            let next = self.numbers.len();
            let number = *self.numbers.entry(word.clone()).or_insert(next);
            (number / 64, 1 << (number % 64))
        };
        Gate(pattern.needed.iter().map(|group| group.iter().map(&mut bit).collect()).collect())
    }

    /// What a text has of it.
    pub fn hear(&self, text: &str) -> Heard {
        let mut bits = vec![0_u64; self.numbers.len().div_ceil(64)];
        for (word, _) in words(text) {
            if let Some(number) = self.numbers.get(&word) {
                bits[number / 64] |= 1 << (number % 64);
            }
        }
        Heard(bits)
    }
}

impl Gate {
    /// Whether the pattern could fit.
    pub fn opens(&self, heard: &Heard) -> bool {
        let said = |(at, bit): &(usize, u64)| heard.0.get(*at).is_some_and(|bits| bits & bit != 0);
        self.0.iter().all(|group| group.iter().any(said))
    }
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
const LONGEST: usize = 200;

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
const AFTER: &[&str] =
    &["please", "thanks", "thank you", "for me", "now", "right now", "will you", "would you", "ok", "okay", "again"];

impl Pattern {
    /// Reads a pattern.
    pub fn parse(source: &str) -> Result<Self, BadPattern> {
        let bad = |problem| BadPattern { pattern: source.to_owned(), problem };
        let mut rest = source.char_indices().peekable();
        let mut reader = Reader { source, rest: &mut rest };
        let (ways, end) = reader.ways().map_err(bad)?;
        if end.is_some() {
            return Err(bad("a bracket is closed that was not opened"));
        }
        let nodes = match <[Vec<Node>; 1]>::try_from(ways) {
            Ok([only]) => only,
            Err(ways) => vec![Node::OneOf(ways)],
        };
        match nodes.is_empty() {
            true => Err(bad("it is empty")),
            false => Ok(Self { needed: needed(&nodes), nodes }),
        }
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

/// The words by which a sentence can be seen not to fit: those that must be said, and for alternatives any of the words
/// that one of them needs.
fn needed(nodes: &[Node]) -> Vec<Vec<String>> {
    let of_node = |node: &Node| match node {
        Node::Word(word) => Some(vec![word.clone()]),
        Node::OneOf(ways) => {
            let firsts: Option<Vec<String>> = ways.iter().map(|way| needed(way).into_iter().next()?.pop()).collect();
            firsts.filter(|_| ways.iter().all(|way| needed(way).first().is_some_and(|group| group.len() == 1)))
        }
        Node::Maybe(_) | Node::Gap(_) => None,
    };
    nodes.iter().filter_map(of_node).collect()
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
        strip(&mut words, BEFORE, false);
        strip(&mut words, AFTER, true);
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

fn strip(words: &mut Vec<(String, Range<usize>)>, phrases: &[&str], at_end: bool) {
    loop {
        let fits = |phrase: &&&str| {
            let parts: Vec<&str> = phrase.split(' ').collect();
            let there = parts.len() < words.len();
            let from = if at_end { words.len().saturating_sub(parts.len()) } else { 0 };
            there && parts.iter().zip(&words[from..]).all(|(part, word)| *part == word.0)
        };
        let Some(count) = phrases.iter().filter(fits).map(|phrase| phrase.split(' ').count()).max() else {
            return;
        };
        match at_end {
            true => words.truncate(words.len() - count),
            false => drop(words.drain(..count)),
        }
    }
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

struct Reader<'s, 'r> {
    source: &'s str,
    rest: &'r mut std::iter::Peekable<std::str::CharIndices<'s>>,
}

impl Reader<'_, '_> {
    /// Alternatives up to a closing bracket or the end, and which of these it was.
    fn ways(&mut self) -> Result<(Vec<Vec<Node>>, Option<char>), &'static str> {
        let mut ways = vec![Vec::new()];
        while let Some((at, c)) = self.rest.next() {
            let node = match c {
                ')' | ']' => return Ok((ways, Some(c))),
                '|' => {
                    ways.push(Vec::new());
                    continue;
                }
                '(' => match self.ways()? {
                    (within, Some(')')) => Node::OneOf(within),
                    _ => return Err("`(` is not closed"),
                },
                '[' => match self.ways()? {
                    (within, Some(']')) if within.len() == 1 => Node::Maybe(within.into_iter().flatten().collect()),
                    (within, Some(']')) => Node::Maybe(vec![Node::OneOf(within)]),
                    _ => return Err("`[` is not closed"),
                },
                '{' => {
                    let end = self.source[at..].find('}').ok_or("`{` is not closed")?;
                    let name = &self.source[at + 1..at + end];
                    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                        return Err("a gap needs a name of letters");
                    }
                    while self.rest.next_if(|(next, _)| *next <= at + end).is_some() {}
                    Node::Gap(name.to_owned())
                }
                c if c.is_whitespace() => continue,
                _ => {
                    let mut end = at + c.len_utf8();
                    while let Some((next, c)) =
                        self.rest.next_if(|(_, c)| !c.is_whitespace() && !"()[]{}|".contains(*c))
                    {
                        end = next + c.len_utf8();
                    }
                    Node::Word(self.source[at..end].to_lowercase())
                }
            };
            if let Some(way) = ways.last_mut() {
                way.push(node);
            }
        }
        Ok((ways, None))
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
