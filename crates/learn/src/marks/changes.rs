//! What was changed, after looking at what, on whose word, and what was left alone.

use std::collections::{BTreeMap, BTreeSet};

use domain::pattern::{Family, Mark};
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Cue, Move, Sketch};

use super::role::{Role, role};
use super::{about, at_least, at_least_of, whole};

pub(super) fn changes(sketch: &Sketch, marks: &mut BTreeSet<Mark>) {
    let mut seen = Seen::default();
    let mut spoke = false;
    for step in &sketch.moves {
        match step {
            Move::Call { tool, cues, things, ended, .. } => {
                let failed = matches!(ended, CallEnd::Failed(_));
                call(tool, cues, failed, marks);
                match role(tool) {
                    Role::Looks => seen.look(tool, things),
                    Role::Changes => {
                        confirmed(tool, cues, spoke, seen.looks > 0, marks);
                        seen.change(tool, things, failed);
                    }
                    Role::HandsOver => seen.handed_over = true,
                }
                spoke = false;
            }
            Move::Said { who, .. } => spoke = *who == domain::trace::Speaker::Agent,
            Move::Thought { .. } | Move::Model { .. } => {}
        }
    }
    seen.sum_up(marks);
}

fn call(tool: &Symbol, cues: &[Cue], failed: bool, marks: &mut BTreeSet<Mark>) {
    for cue in cues {
        match cue {
            Cue::MadeUp | Cue::Unseen => {
                marks.insert(about(Family::Failure, cue.word(), tool));
                if role(tool) == Role::Changes {
                    marks.insert(whole(Family::Failure, "changes_what_was_not_seen"));
                }
            }
            Cue::Given | Cue::Found if role(tool) == Role::Changes => {
                marks.insert(about(Family::Tool, cue.word(), tool));
            }
            Cue::Empty => _ = marks.insert(about(Family::Failure, "empty", tool)),
            Cue::Pays(_) => {
                marks.insert(whole(Family::Tool, cue.word()));
                marks.insert(about(Family::Tool, cue.word(), tool));
            }
            _ => {}
        }
    }
    if failed {
        marks.insert(about(Family::Tool, "fails", tool));
    }
}

fn confirmed(tool: &Symbol, cues: &[Cue], spoke: bool, looked: bool, marks: &mut BTreeSet<Mark>) {
    let name = if cues.contains(&Cue::Confirmed) { "confirmed" } else { "unconfirmed" };
    marks.insert(whole(Family::Sequence, name));
    marks.insert(about(Family::Sequence, name, tool));
    if spoke {
        marks.insert(whole(Family::Sequence, "announces_a_change"));
    }
    if !looked {
        marks.insert(whole(Family::Sequence, "changes_before_looking"));
    }
}

#[derive(Default)]
struct Seen<'a> {
    looks: usize,
    changed: Vec<&'a Symbol>,
    failed: usize,
    looked_at: BTreeMap<u32, BTreeSet<&'a Symbol>>,
    touched: BTreeMap<u32, usize>,
    handed_over: bool,
    broken: BTreeMap<&'a Symbol, bool>,
}

impl<'a> Seen<'a> {
    fn look(&mut self, tool: &'a Symbol, things: &[u32]) {
        self.looks += 1;
        for thing in things {
            self.looked_at.entry(*thing).or_default().insert(tool);
        }
    }

    fn change(&mut self, tool: &'a Symbol, things: &[u32], failed: bool) {
        if failed {
            self.failed += 1;
            self.broken.insert(tool, false);
            return;
        }
        if let Some(mended) = self.broken.get_mut(tool) {
            *mended = true;
        }
        self.changed.push(tool);
        for thing in things {
            *self.touched.entry(*thing).or_default() += 1;
        }
    }

    fn sum_up(&self, marks: &mut BTreeSet<Mark>) {
        let mut times: BTreeMap<&Symbol, usize> = BTreeMap::new();
        for tool in &self.changed {
            *times.entry(*tool).or_default() += 1;
        }
        for (tool, times) in times {
            marks.extend(at_least_of(Family::Tool, "changes", tool, times));
        }
        if let (Some(first), Some(last)) = (self.changed.first(), self.changed.last()) {
            marks.insert(about(Family::Sequence, "changes_first", first));
            marks.insert(about(Family::Sequence, "changes_last", last));
        }
        let mut order = self.changed.clone();
        order.dedup();
        for pair in order.windows(2) {
            let tools = pair.iter().map(|tool| (*tool).clone()).collect();
            marks.insert(Mark::Sequence { tools });
        }
        for (tool, mended) in &self.broken {
            marks.insert(about(Family::Failure, if *mended { "recovers" } else { "stays_broken" }, tool));
        }
        let ending = match (self.changed.is_empty(), self.handed_over) {
            (true, true) => "hands_over_unchanged",
            (true, false) => "changes_nothing",
            (false, true) => "hands_over_after_changes",
            (false, false) => "changes_something",
        };
        marks.insert(whole(Family::Sequence, ending));
        self.left_alone(marks);
        let twice = self.touched.values().filter(|times| **times > 1).count();
        for (name, count) in [
            ("looks", self.looks),
            ("changes", self.changed.len()),
            ("failed_changes", self.failed),
            ("things_changed", self.touched.len()),
            ("things_changed_twice", twice),
        ] {
            marks.extend(at_least(Family::Performance, name, count));
        }
    }

    /// The things each tool looked at that nothing was done to, and those that were changed without a look.
    fn left_alone(&self, marks: &mut BTreeSet<Mark>) {
        let mut alone: BTreeMap<&Symbol, usize> = BTreeMap::new();
        let mut seen: BTreeMap<&Symbol, usize> = BTreeMap::new();
        for (thing, tools) in &self.looked_at {
            for tool in tools {
                *seen.entry(tool).or_default() += 1;
                *alone.entry(tool).or_default() += usize::from(!self.touched.contains_key(thing));
            }
        }
        for (tool, count) in seen {
            marks.extend(at_least_of(Family::Performance, "things_seen", tool, count));
        }
        for (tool, count) in alone {
            marks.extend(at_least_of(Family::Performance, "things_left_alone", tool, count));
        }
        if self.touched.keys().any(|thing| !self.looked_at.contains_key(thing)) {
            marks.insert(whole(Family::Failure, "changes_unlooked"));
        }
    }
}
