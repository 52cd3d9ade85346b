//! All the ways in which the words of a request are those of a template, with something in each hole.

use std::ops::Range;

use domain::skill::{ParameterKind, Piece, Template};

use super::said::{Said, plain};

/// How many ways are tried before a request counts as not fitting.
const PATIENCE: usize = 20_000;

/// How many ways are looked at.
const MOST_WAYS: usize = 32;

/// One word of a template.
pub(super) enum Part {
    Word(String),
    Hole(usize),
}

/// The words and holes of a template.
pub(super) fn parts(template: &Template) -> Vec<Part> {
    let part = |piece: &Piece| match piece {
        Piece::Words(words) => plain(words).into_iter().map(|(word, _)| Part::Word(word)).collect(),
        Piece::Hole(parameter) => vec![Part::Hole(*parameter)],
    };
    template.pieces().iter().flat_map(part).collect()
}

/// For each way the words in each hole, by parameter; nothing where the request says something else.
pub(super) fn ways(template: &Template, said: &Said<'_>) -> Vec<Vec<Range<usize>>> {
    let parts = parts(template);
    let mut search = Search { template, said, patience: PATIENCE, ways: Vec::new() };
    let mut filled = vec![0..0; template.parameters().len()];
    search.go(&parts, 0, &mut filled);
    if search.patience == 0 { Vec::new() } else { search.ways }
}

struct Search<'s> {
    template: &'s Template,
    said: &'s Said<'s>,
    patience: usize,
    ways: Vec<Vec<Range<usize>>>,
}

impl Search<'_> {
    fn go(&mut self, parts: &[Part], at: usize, filled: &mut Vec<Range<usize>>) {
        self.patience = self.patience.saturating_sub(1);
        if self.patience == 0 || self.ways.len() >= MOST_WAYS {
            return;
        }
        // Each part takes a word at least.
        if parts.len() > self.said.len() - at {
            return;
        }
        match parts.split_first() {
            None if at == self.said.len() => self.ways.push(filled.clone()),
            None => {}
            Some((Part::Word(word), rest)) if self.said.word(at) == word => self.go(rest, at + 1, filled),
            Some((Part::Word(_), _)) => {}
            Some((Part::Hole(parameter), rest)) => {
                for end in self.ends(*parameter, at) {
                    filled[*parameter] = at..end;
                    self.go(rest, end, filled);
                }
            }
        }
    }

    /// Where a value that begins here can end.
    fn ends(&self, parameter: usize, at: usize) -> Vec<usize> {
        match self.template.parameters()[parameter].kind {
            ParameterKind::Text | ParameterKind::Choice => (at + 1..=self.said.len()).collect(),
            _ => {
                self.said.named().iter().filter(|named| named.words.start == at).map(|named| named.words.end).collect()
            }
        }
    }
}
