//! Two requests side by side: the words that both say, and the places where they differ.

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
    pub(super) within: std::collections::BTreeSet<String>,
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
    let mut segments: Vec<Segment> = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (next_i, next_j) in met.into_iter().chain([(left.len(), right.len())]) {
        match (i < next_i, j < next_j) {
            (false, false) => {}
            (true, true) => {
                segments.push(Segment::Column(column(one, &left[i..next_i], other, &right[j..next_j])));
            }
            _ => return None,
        }
        match (left.get(next_i), segments.last_mut()) {
            (None, _) => {}
            (Some(Bit::Hole(_)), _) => {
                let (left, right) = (&left[next_i..=next_i], &right[next_j..=next_j]);
                segments.push(Segment::Column(column(one, left, other, right)));
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

fn column(one: &Template, left: &[Bit<'_>], other: &Template, right: &[Bit<'_>]) -> Column {
    let alone = |template: &Template, bits: &[Bit<'_>]| match bits {
        [Bit::Hole(parameter)] => Some((*parameter, template.parameters()[*parameter].kind)),
        _ => None,
    };
    let (first, second) = (alone(one, left), alone(other, right));
    let kind = match (first, second) {
        (Some((_, first)), Some((_, second))) if first == second => first,
        _ => ParameterKind::Text,
    };
    let mut said = said(one, left);
    said.extend(self::said(other, right));
    let mut within = within(one, left);
    within.extend(self::within(other, right));
    Column { kind, within, said, was: [first.map(|(at, _)| at), second.map(|(at, _)| at)] }
}

/// What some words and holes were, in each request of a template.
fn said(template: &Template, bits: &[Bit<'_>]) -> Vec<Example> {
    if let [Bit::Hole(parameter)] = bits {
        return template.parameters()[*parameter].examples.clone();
    }
    let of_request = |request: usize| {
        let mut text = String::new();
        for bit in bits {
            match bit {
                Bit::Word { said, .. } => append(&mut text, said),
                Bit::Hole(parameter) => append(&mut text, &template.parameters()[*parameter].examples[request].said),
            }
        }
        Example { said: text, reading: None }
    };
    (0..template.requests().len()).map(of_request).collect()
}

fn within(template: &Template, bits: &[Bit<'_>]) -> std::collections::BTreeSet<String> {
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
