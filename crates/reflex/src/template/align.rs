//! Two requests side by side: the words that both say, and the places where they differ.

use std::collections::BTreeSet;
use std::ops::Range;

use domain::skill::{Example, Parameter, ParameterKind, Piece, Template};

use super::said::{marks_and_joints, plain};

/// A part of two requests.
pub(super) enum Segment {
    /// Words that both say.
    Words(String),
    /// Where each says something of its own, or has a hole already.
    Column(Column),
}

/// What two templates have in the same place.
pub(super) struct Column {
    pub(super) kind: ParameterKind,
    pub(super) within: BTreeSet<String>,
    /// What was said there, for each request of the one and then of the other.
    pub(super) said: Vec<Example>,
    /// The parameters that it takes the place of, where it is one of each.
    pub(super) was: [Option<usize>; 2],
}

/// A word or a hole of a template.
enum Bit<'t> {
    Word { plain: String, said: &'t str },
    Hole(usize),
}

impl Bit<'_> {
    fn meets(&self, other: &Bit<'_>) -> bool {
        match (self, other) {
            (Bit::Word { plain: one, .. }, Bit::Word { plain: other, .. }) => one == other,
            (Bit::Hole(_), Bit::Hole(_)) => true,
            (Bit::Word { .. }, Bit::Hole(_)) | (Bit::Hole(_), Bit::Word { .. }) => false,
        }
    }
}

/// The parts of two requests in order; nothing where one says something that the other has no place for, or where they
/// have no word in common.
pub(super) fn align(one: &Template, other: &Template) -> Option<Vec<Segment>> {
    let (left, right) = (bits(one), bits(other));
    let met = longest_common(&left, &right);
    let column = |left_run: Range<usize>, right_run: Range<usize>| {
        Segment::Column(column([(one, &left, left_run), (other, &right, right_run)]))
    };
    let mut segments: Vec<Segment> = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (next_i, next_j) in met.into_iter().chain([(left.len(), right.len())]) {
        match (i < next_i, j < next_j) {
            (false, false) => {}
            (true, true) => {
                segments.push(column(i..next_i, j..next_j));
            }
            _ => return None,
        }
        match (left.get(next_i), segments.last_mut()) {
            (None, _) => {}
            (Some(Bit::Hole(_)), _) => {
                segments.push(column(next_i..next_i + 1, next_j..next_j + 1));
            }
            (Some(Bit::Word { said, .. }), Some(Segment::Words(words))) => append(words, said),
            (Some(Bit::Word { said, .. }), _) => segments.push(Segment::Words((*said).to_owned())),
        }
        (i, j) = (next_i + 1, next_j + 1);
    }
    segments.iter().any(|segment| matches!(segment, Segment::Words(_))).then_some(segments)
}

fn bits(template: &Template) -> Vec<Bit<'_>> {
    let bit = |piece| -> Vec<Bit<'_>> {
        match piece {
            &Piece::Hole(parameter) => vec![Bit::Hole(parameter)],
            Piece::Words(words) => plain(words)
                .into_iter()
                .map(|(plain, span)| Bit::Word { plain, said: words.get(span).unwrap_or_default() })
                .collect(),
        }
    };
    template.pieces().iter().flat_map(bit).collect()
}

/// The pairs of a longest common subsequence, in order.
fn longest_common(left: &[Bit<'_>], right: &[Bit<'_>]) -> Vec<(usize, usize)> {
    let width = right.len() + 1;
    let mut best = vec![0u32; (left.len() + 1) * width];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            best[i * width + j] = match left[i].meets(&right[j]) {
                true => best[(i + 1) * width + j + 1] + 1,
                false => best[(i + 1) * width + j].max(best[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut met = Vec::new();
    while i < left.len() && j < right.len() {
        if left[i].meets(&right[j]) {
            met.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if best[(i + 1) * width + j] >= best[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    met
}

/// Some words and holes of a template.
type Run<'r, 't> = (&'t Template, &'r [Bit<'t>], Range<usize>);

fn column(runs: [Run<'_, '_>; 2]) -> Column {
    let alone = |(template, bits, run): &Run<'_, '_>| match &bits[run.clone()] {
        [Bit::Hole(parameter)] => Some((*parameter, template.parameters()[*parameter].kind)),
        _ => None,
    };
    let holes = [alone(&runs[0]), alone(&runs[1])];
    let kind = match holes {
        [Some((_, first)), Some((_, second))] if first == second => first,
        _ => ParameterKind::Text,
    };
    Column {
        kind,
        within: runs.iter().flat_map(|(template, bits, run)| within(template, &bits[run.clone()])).collect(),
        said: runs.iter().flat_map(said).collect(),
        was: holes.map(|hole| hole.map(|(parameter, _)| parameter)),
    }
}

/// What some words and holes were, in each request of a template.
fn said((template, bits, run): &Run<'_, '_>) -> Vec<Example> {
    if let [Bit::Hole(parameter)] = &bits[run.clone()] {
        return template.parameters()[*parameter].examples.clone();
    }
    let requests = template.requests().iter().enumerate();
    requests.map(|(at, request)| Example { said: stretch(template, bits, run, at, request), reading: None }).collect()
}

/// The part of a request that some words and holes are, as it was written.
fn stretch(template: &Template, bits: &[Bit<'_>], run: &Range<usize>, at: usize, request: &str) -> String {
    let words = |bits: &[Bit<'_>]| -> Vec<String> {
        let of = |bit: &Bit<'_>| match bit {
            Bit::Word { plain, .. } => vec![plain.clone()],
            Bit::Hole(parameter) => {
                let known = plain(&template.parameters()[*parameter].examples[at].said);
                known.into_iter().map(|(word, _)| word).collect()
            }
        };
        bits.iter().flat_map(of).collect()
    };
    let all = words(bits);
    let heard = plain(request);
    let first = words(&bits[..run.start]).len();
    let last = first + words(&bits[run.clone()]).len();
    // Courtesies may stand before and after.
    let begins = heard.windows(all.len().max(1)).position(|window| window.iter().map(|(word, _)| word).eq(&all));
    let exact = begins.and_then(|begin| {
        let (from, to) = (heard.get(begin + first)?, heard.get((begin + last).checked_sub(1)?)?);
        request.get(from.1.start..to.1.end)
    });
    exact.map_or_else(|| all[first..last].join(" "), str::to_owned)
}

fn within(template: &Template, bits: &[Bit<'_>]) -> BTreeSet<String> {
    let of = |bit: &Bit<'_>| match bit {
        Bit::Word { said, .. } => marks_and_joints(said),
        Bit::Hole(parameter) => {
            let Parameter { within, .. } = &template.parameters()[*parameter];
            within.clone()
        }
    };
    bits.iter().flat_map(of).collect()
}

fn append(text: &mut String, words: &str) {
    if !text.is_empty() && !words.starts_with(['\'', '’']) {
        text.push(' ');
    }
    text.push_str(words);
}
