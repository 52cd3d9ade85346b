//! What was said besides: how much, what was asked for and not done, and how it sounded after the last change.

use std::collections::BTreeSet;

use domain::pattern::{Family, Mark};
use domain::trace::{CallEnd, Cue, Deed, Move, Sketch, Speaker};

use super::role::{Role, deed, role};
use super::{at_least, whole};

pub(super) fn talk(sketch: &Sketch, marks: &mut BTreeSet<Mark>) {
    let said = |by: Speaker| {
        sketch.moves.iter().filter_map(move |step| match step {
            Move::Said { who, length, cues, .. } if *who == by => Some((*length as usize, cues)),
            _ => None,
        })
    };
    for (by, name) in [(Speaker::User, "user"), (Speaker::Agent, "agent")] {
        let total: usize = said(by).map(|(length, _)| length).sum();
        marks.extend(at_least(Family::Performance, &format!("{name}_text_x64"), total / 64));
        let last = said(by).next_back().map_or(0, |(length, _)| length);
        marks.extend(at_least(Family::Performance, &format!("{name}_last_text_x16"), last / 16));
    }
    if let Some((_, cues)) = said(Speaker::User).next_back() {
        for cue in [Cue::Leaves, Cue::HandsOver].iter().filter(|cue| cues.contains(cue)) {
            marks.insert(whole(Family::Sequence, &format!("user_last_{}", cue.word())));
        }
    }
    let wanted: BTreeSet<Deed> = said(Speaker::User).flat_map(|(_, cues)| cues).filter_map(wish).collect();
    wishes(sketch, &wanted, marks);
    afterwards(sketch, marks);
}

fn wish(cue: &Cue) -> Option<Deed> {
    match cue {
        Cue::Wants(deed) => Some(*deed),
        Cue::HandsOver => Some(Deed::HandOver),
        _ => None,
    }
}

/// What was asked for and done, asked for and not done, and done unasked.
fn wishes(sketch: &Sketch, wanted: &BTreeSet<Deed>, marks: &mut BTreeSet<Mark>) {
    let done: BTreeSet<Deed> = sketch.moves.iter().filter_map(change).filter_map(deed).collect();
    for deed in Deed::ALL {
        let (family, what) = match (wanted.contains(&deed), done.contains(&deed)) {
            (true, true) => (Family::Tool, "granted"),
            (true, false) => (Family::Failure, "undone"),
            (false, true) => (Family::Failure, "unasked"),
            (false, false) => continue,
        };
        marks.insert(whole(family, &format!("{what}_{}", deed.word())));
    }
}

/// The tool of a call that was not in vain and was no look.
fn change(step: &Move) -> Option<&domain::symbol::Symbol> {
    match step {
        Move::Call { tool, ended, .. } if !matches!(ended, CallEnd::Failed(_)) && role(tool) != Role::Looks => {
            Some(tool)
        }
        _ => None,
    }
}

/// What came after the last change.
fn afterwards(sketch: &Sketch, marks: &mut BTreeSet<Mark>) {
    let is_change = |step: &Move| change(step).is_some_and(|tool| role(tool) == Role::Changes);
    let Some(last) = sketch.moves.iter().rposition(is_change) else { return };
    let (mut turns, mut looks) = (0, 0);
    for step in &sketch.moves[last + 1..] {
        match step {
            Move::Call { tool, .. } => looks += usize::from(role(tool) == Role::Looks),
            Move::Said { who, cues, .. } => {
                let (name, telling): (_, &[Cue]) = match who {
                    Speaker::User => {
                        turns += 1;
                        ("user", &[Cue::Refuses, Cue::Upset, Cue::Thanks, Cue::More, Cue::No])
                    }
                    Speaker::Agent => ("agent", &[Cue::Refuses, Cue::Done, Cue::Promises, Cue::Sorry]),
                    Speaker::Other => continue,
                };
                for cue in telling.iter().filter(|cue| cues.contains(cue)) {
                    marks.insert(whole(Family::Sequence, &format!("then_{name}_{}", cue.word())));
                }
            }
            Move::Thought { .. } | Move::Model { .. } => {}
        }
    }
    marks.extend(at_least(Family::Performance, "user_turns_after_changes", turns));
    marks.extend(at_least(Family::Performance, "looks_after_changes", looks));
}
