//! What is so of a move and of those around it.

use std::collections::HashMap;

use domain::symbol::Symbol;
use domain::trace::{CallEnd, Cue, Move, Sketch, Speaker};

/// The cues that are looked at.
const CUES: [Cue; 10] = [
    Cue::Code,
    Cue::Broken,
    Cue::Assumes,
    Cue::Verifies,
    Cue::Concludes,
    Cue::Leaves,
    Cue::Plans,
    Cue::Asks,
    Cue::Refuses,
    Cue::Promises,
];
/// The first places have a sign each.
const PLACES: usize = 12;

/// The signs of every move, each also as one of a trace in which somebody leads by thinking, or of one without.
pub(super) fn signs(sketch: &Sketch) -> Vec<Vec<String>> {
    let moves: Vec<Seen<'_>> = sketch.moves.iter().map(Seen::of).collect();
    let led = moves.iter().any(|one| one.kind == "thought");
    let mut turns: HashMap<&Symbol, usize> = HashMap::new();
    for by in moves.iter().filter_map(|one| one.by) {
        *turns.entry(by).or_default() += 1;
    }
    let mut before = Before::default();
    let all = moves.iter().enumerate().map(|(at, one)| {
        let mut signs = place(at, moves.len());
        one.signs(&mut signs);
        before.signs(one, &mut signs);
        around(at.checked_sub(1).map(|at| &moves[at]), one, moves.get(at + 1), &mut signs);
        if let Some(turns) = one.by.and_then(|by| turns.get(by)) {
            match 4 * turns / moves.len() {
                0 => signs.push("rare".into()),
                1 => {}
                _ => signs.push("often".into()),
            }
        }
        let within = if led { "led" } else { "equal" };
        let twice: Vec<String> = signs.iter().map(|sign| format!("{sign}|{within}")).collect();
        signs.extend(twice);
        signs
    });
    all.collect()
}

/// A move as it is looked at here.
struct Seen<'a> {
    kind: &'static str,
    by: Option<&'a Symbol>,
    length: u32,
    cues: &'a [Cue],
    failed: bool,
}

impl<'a> Seen<'a> {
    fn of(step: &'a Move) -> Self {
        match step {
            Move::Call { by, cues, ended, length, .. } => Seen {
                kind: "agent",
                by: by.as_ref(),
                length: *length,
                cues,
                failed: matches!(ended, CallEnd::Failed(_)),
            },
            Move::Said { who, by, length, cues } => {
                let kind = match who {
                    Speaker::User => "user",
                    Speaker::Agent => "agent",
                    Speaker::Other => "other",
                };
                Seen { kind, by: by.as_ref(), length: *length, cues, failed: cues.contains(&Cue::Broken) }
            }
            Move::Thought { by, length, cues, .. } => {
                Seen { kind: "thought", by: by.as_ref(), length: *length, cues, failed: false }
            }
            Move::Model { ended, .. } => {
                Seen { kind: "other", by: None, length: 0, cues: &[], failed: matches!(ended, CallEnd::Failed(_)) }
            }
        }
    }

    fn signs(&self, signs: &mut Vec<String>) {
        signs.push(self.kind.into());
        let long = [50, 200, 800, 1_600, 3_200].into_iter().filter(|least| self.length >= *least);
        signs.extend(long.map(|least| format!("length_{least}")));
        for cue in CUES.iter().filter(|cue| self.cues.contains(cue)) {
            signs.push(cue.word().into());
            signs.push(format!("{}_{}", self.kind, cue.word()));
        }
    }
}

/// How far on a move is, from the beginning and towards the end.
fn place(at: usize, all: usize) -> Vec<String> {
    let mut signs = Vec::new();
    if at < PLACES {
        signs.push(format!("at_{at}"));
    }
    signs.extend([1, 2, 4, 8, 16, 32, 64].iter().filter(|least| at >= **least).map(|least| format!("from_{least}")));
    signs.extend((1..=4).filter(|quarter| 4 * at >= quarter * (all - 1)).map(|quarter| format!("quarter_{quarter}")));
    if at + 2 >= all {
        signs.push("end".into());
    }
    signs
}

/// Who has made a move already.
#[derive(Default)]
struct Before<'a> {
    turns: HashMap<&'a Symbol, usize>,
    acted: usize,
    broken: bool,
}

impl<'a> Before<'a> {
    fn signs(&mut self, one: &Seen<'a>, signs: &mut Vec<String>) {
        if one.kind == "agent" {
            match self.acted {
                0 => signs.push("first_act".into()),
                1 => signs.push("second_act".into()),
                _ => {}
            }
            self.acted += 1;
            let turns =
                one.by.map_or(self.acted, |by| *self.turns.entry(by).and_modify(|turns| *turns += 1).or_insert(1));
            signs.push(if turns == 1 { "first_turn" } else { "another_turn" }.into());
        }
        if one.failed && !self.broken {
            self.broken = true;
            signs.push("first_break".into());
        }
    }
}

/// What comes right before and right after.
fn around(before: Option<&Seen<'_>>, one: &Seen<'_>, after: Option<&Seen<'_>>, signs: &mut Vec<String>) {
    if let Some(before) = before {
        signs.push(format!("{}_then_{}", before.kind, one.kind));
        if before.failed {
            signs.push("after_break".into());
        }
        if before.by.is_some() && before.by == one.by {
            signs.push("goes_on".into());
        }
    }
    if let Some(after) = after {
        signs.push(format!("{}_before_{}", one.kind, after.kind));
        if after.failed {
            signs.push("breaks".into());
        }
        if after.cues.contains(&Cue::Leaves) {
            signs.push("before_leaving".into());
        }
    }
}
