//! Which patterns are worth trying: most can be passed over by the words they need.

use std::collections::HashMap;

use super::{Node, Pattern, words};

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

/// The words by which a sentence can be seen not to fit: those that must be said, and for alternatives any of the words
/// that one of them needs.
pub(super) fn needed(nodes: &[Node]) -> Vec<Vec<String>> {
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
