//! A reading of a sentence: which words are accounted for and which are not. A command is understood only when every word is.

use std::ops::Range;

use domain::name::{Name, NameKind};

use super::command::Spot;
use super::names::{Mention, mentions};
use super::words::{MOST, Words};

/// A sentence, said in a house.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    pub(super) words: Words<'a>,
    pub(super) mentions: Vec<Mention<'a>>,
    pub(super) house: &'a [Name],
    pub(super) here: Option<&'a Name>,
}

impl<'a> Sentence<'a> {
    pub(super) fn of(text: &'a str, house: &'a [Name], here: Option<&str>) -> Option<Self> {
        let words = Words::of(text).filter(|words| (1..=MOST).contains(&words.len()))?;
        let here = house.iter().find(|name| name.kind == NameKind::Area && Some(name.id.as_str()) == here);
        let mentions = mentions(&words, house);
        Some(Sentence { words, mentions, house, here })
    }
}

/// A sentence with marks on the words that are not yet accounted for. Copied to try something and throw it away.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading<'s> {
    pub(super) sentence: &'s Sentence<'s>,
    left: u64,
}

impl<'s> Reading<'s> {
    pub(super) fn of(sentence: &'s Sentence<'s>) -> Self {
        let left = u64::MAX >> (MOST - sentence.words.len().clamp(1, MOST));
        Reading { sentence, left }
    }

    pub(super) fn len(&self) -> usize {
        self.sentence.words.len()
    }

    pub(super) fn word(&self, at: usize) -> &'s str {
        self.sentence.words.get(at)
    }

    pub(super) fn is_left(&self, at: usize) -> bool {
        at < MOST && self.left & (1 << at) != 0
    }

    pub(super) fn are_left(&self, mut range: Range<usize>) -> bool {
        range.all(|at| self.is_left(at))
    }

    pub(super) fn take(&mut self, range: Range<usize>) {
        for at in range.start..range.end.min(MOST) {
            self.left &= !(1 << at);
        }
    }

    /// The words that are not accounted for, with where they stand.
    pub(super) fn left(self) -> impl Iterator<Item = (usize, &'s str)> {
        (0..self.len()).filter(move |at| self.is_left(*at)).map(move |at| (at, self.word(at)))
    }

    /// Whether nothing is left but what one may leave.
    pub(super) fn is_done(&self, may_stay: impl Fn(&str) -> bool) -> bool {
        self.left().all(|(_, word)| may_stay(word))
    }

    /// Where some words stand next to each other, all of them left.
    pub(super) fn find(&self, phrase: &str) -> Option<Range<usize>> {
        let first = phrase.split(' ').next()?;
        self.left().filter(|(_, word)| *word == first).find_map(|(at, _)| {
            let end = at + self.same(at, phrase)?;
            self.are_left(at..end).then_some(at..end)
        })
    }

    /// Takes the first of some phrases that is there, and says where it was.
    pub(super) fn any(&mut self, phrases: &[&str]) -> Option<Range<usize>> {
        let range = phrases.iter().find_map(|phrase| self.find(phrase))?;
        self.take(range.clone());
        Some(range)
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.left().any(|(_, other)| other == word)
    }

    /// Takes one of some phrases from the beginning of what is left.
    pub(super) fn begins(&mut self, phrases: &[&str]) -> bool {
        let Some((first, _)) = self.left().next() else { return false };
        let found = phrases.iter().find_map(|phrase| self.same(first, phrase)).map(|count| first..first + count);
        match found.filter(|range| self.are_left(range.clone())) {
            Some(range) => {
                self.take(range);
                true
            }
            None => false,
        }
    }

    /// Takes one of some phrases from the end of what is left.
    pub(super) fn ends(&mut self, phrases: &[&str]) -> bool {
        let Some((last, _)) = self.left().last() else { return false };
        let found = phrases.iter().find_map(|phrase| {
            let first = (last + 1).checked_sub(phrase.split(' ').count())?;
            self.same(first, phrase).map(|_| first..last + 1)
        });
        match found.filter(|range| self.are_left(range.clone())) {
            Some(range) => {
                self.take(range);
                true
            }
            None => false,
        }
    }

    /// What is left, as it was written, if it stands together.
    pub(super) fn rest(&self) -> Option<Range<usize>> {
        let (first, _) = self.left().next()?;
        let (last, _) = self.left().last()?;
        self.are_left(first..last + 1).then_some(first..last + 1)
    }

    pub(super) fn quote(&self, range: Range<usize>) -> String {
        self.sentence.words.quote(range).trim().to_owned()
    }

    /// Whether somebody's own words go on to ask for something else: *milk and turn on the lamp*.
    pub(super) fn says_more(&self, mut range: Range<usize>) -> bool {
        range.any(|at| match self.word(at) {
            "then" | "." => true,
            "and" | "also" => begins_request(self.word(at + 1)),
            _ => false,
        })
    }

    /// Whether a phrase stands at a word, and how many words it has.
    fn same(&self, at: usize, phrase: &str) -> Option<usize> {
        let mut count = 0;
        for word in phrase.split(' ') {
            if self.word(at + count) != word {
                return None;
            }
            count += 1;
        }
        Some(count)
    }

    /// The names of devices in words that are left, longest first.
    pub(super) fn devices(self) -> impl Iterator<Item = Mention<'s>> {
        self.sentence
            .mentions
            .iter()
            .copied()
            .filter(move |mention| mention.is_device() && self.are_left(mention.first..mention.end))
    }

    /// Takes words like *please* and *can you* that ask nicely, and those that only say *at once*.
    pub(super) fn courtesies(&mut self) {
        const BEFORE: [&str; 21] = [
            "please",
            "hey",
            "hi",
            "ok",
            "okay",
            "can you",
            "could you",
            "would you",
            "will you",
            "i want you to",
            "i would like you to",
            "i need you to",
            "i'd like you to",
            "go ahead and",
            "just",
            "kindly",
            "now",
            "so",
            "home assistant",
            "then",
            "also",
        ];
        const AFTER: [&str; 11] = [
            "please",
            "for me",
            "thanks",
            "thank you",
            "right now",
            "now",
            "currently",
            "immediately",
            "for us",
            "at the moment",
            "would you",
        ];
        // One word or two is a thing said for its own sake: *hi*, *thank you*.
        if self.len() < 2 {
            return;
        }
        while self.begins(&BEFORE) {}
        while self.ends(&AFTER) {}
        self.any(&["currently", "please"]);
    }
}

impl From<&Name> for Spot {
    fn from(name: &Name) -> Self {
        Spot { id: name.id.clone(), name: name.name.clone() }
    }
}

/// Whether a word begins a command or a question.
fn begins_request(word: &str) -> bool {
    matches!(
        word,
        "then"
            | "also"
            | "please"
            | "turn"
            | "switch"
            | "set"
            | "open"
            | "close"
            | "lock"
            | "unlock"
            | "play"
            | "pause"
            | "stop"
            | "start"
            | "add"
            | "put"
            | "remove"
            | "find"
            | "search"
            | "show"
            | "give"
            | "tell"
            | "what"
            | "where"
            | "when"
            | "who"
            | "how"
            | "is"
            | "are"
            | "can"
            | "could"
            | "will"
            | "i"
            | "make"
            | "dim"
            | "remind"
            | "rate"
            | "book"
            | "call"
            | "send"
            | "check"
            | "let"
            | "listen"
            | "activate"
            | "ignore"
            | "what's"
            | "do"
            | "get"
    )
}
