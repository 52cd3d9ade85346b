//! Where in the house something is meant to be: a room, a storey, here, or everywhere.

use super::command::{Spot, Target};
use super::lexicon::{is_before_place, is_every, is_glue};
use super::reading::Reading;
use domain::name::NameKind;

/// What a sentence says about where.
#[derive(Debug, Default, Clone)]
pub(super) struct Place {
    pub(super) area: Option<Spot>,
    pub(super) floor: Option<Spot>,
    pub(super) scope: Scope,
}

/// How a place was said.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Not at all.
    #[default]
    Unsaid,
    /// By its name.
    Named,
    /// As the room of the speaker.
    Here,
    /// As the whole house.
    Everywhere,
}

impl Place {
    /// Writes the place into a target; what was not said is the room of the speaker, if `near` things are meant.
    pub(super) fn onto(self, target: &mut Target, reading: &Reading<'_>, near: bool) {
        let here = self.scope == Scope::Here || (self.scope == Scope::Unsaid && near);
        (target.area, target.floor) = (self.area, self.floor);
        if here && let Some(area) = reading.sentence.here {
            target.area = Some(area.into());
            target.here = true;
        }
        target.all |= self.scope == Scope::Everywhere;
    }
}

/// Takes the words that say where. Two different rooms are more than one command has.
pub(super) fn take(reading: &mut Reading<'_>) -> Option<Place> {
    let mut place = Place::default();
    let mentions = &reading.sentence.mentions;
    for mention in mentions.iter().filter(|mention| mention.is_place()) {
        if !reading.are_left(mention.first..mention.end) {
            continue;
        }
        let slot = if mention.name.kind == NameKind::Area { &mut place.area } else { &mut place.floor };
        if slot.is_some() {
            return None;
        }
        *slot = Some(mention.name.into());
        place.scope = Scope::Named;
        let after = usize::from(matches!(reading.word(mention.end), "area" | "room") && reading.is_left(mention.end));
        take_with_lead(reading, mention.first, mention.end + after);
    }
    if place.scope == Scope::Unsaid {
        place.scope = scope(reading);
    }
    Some(place)
}

fn scope(reading: &mut Reading<'_>) -> Scope {
    const HERE: [&str; 8] =
        ["in here", "in this room", "in this space", "in this area", "in the room", "this room", "the room", "here"];
    if let Some(range) = reading.any(&HERE) {
        take_with_lead(reading, range.start, range.end);
        return Scope::Here;
    }
    let mut scope = Scope::Unsaid;
    while reading.any(&["everywhere", "anywhere", "all over", "all around"]).is_some() {
        scope = Scope::Everywhere;
    }
    let mut at = 0;
    while at < reading.len() {
        let house = matches!(reading.word(at), "house" | "home" | "apartment" | "flat" | "building");
        let rooms = matches!(reading.word(at), "room" | "rooms" | "area" | "areas" | "floors");
        let before = || (0..at).rev().map(|at| reading.word(at)).take_while(|word| is_glue(word) || is_every(word));
        if reading.is_left(at) && (house || (rooms && before().any(is_every))) {
            // *light up each room in the house*: here *each* has nothing else to belong to.
            let first = if rooms { at - before().count() } else { at };
            take_with_lead(reading, first, at + 1);
            scope = Scope::Everywhere;
        }
        at += 1;
    }
    scope
}

/// Takes some words together with *in the*, *of my*, *across every* before them.
fn take_with_lead(reading: &mut Reading<'_>, first: usize, end: usize) {
    reading.take(first..end);
    let mut at = first;
    while let Some(before) = at.checked_sub(1).filter(|before| reading.is_left(*before)) {
        let word = reading.word(before);
        let leads = (is_glue(word) && word != "of") || is_every(word) || matches!(word, "entire" | "whole" | "single");
        if !leads {
            break;
        }
        at = before;
    }
    // Without a preposition those words belong to what follows: *all the kitchen lights*.
    if let Some(before) = at.checked_sub(1)
        && reading.is_left(before)
        && is_before_place(reading.word(before))
    {
        reading.take(before..first);
    }
}
