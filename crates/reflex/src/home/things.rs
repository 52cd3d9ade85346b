//! Which things a sentence means: one by its name, or all of a kind in a place.

use super::command::Target;
use super::lexicon::{Kind, PAIRS, is_every, is_glue, kind};
use super::names::{Mention, domain_of};
use super::place::{self, Place, Scope};
use super::reading::Reading;
use domain::name::Name;

/// What was said of the things meant.
#[derive(Debug, Clone)]
pub(super) struct Things<'a> {
    pub(super) device: Option<&'a Name>,
    /// Whether other things that fit have the same name.
    pub(super) shared: bool,
    pub(super) kind: Option<Kind>,
    pub(super) place: Place,
    pub(super) every: bool,
}

impl<'a> Things<'a> {
    /// Takes the words that say which things, where `fits` says what can be meant.
    pub(super) fn take(reading: &mut Reading<'a>, fits: impl Fn(&Mention<'a>) -> bool) -> Option<Self> {
        let mut things =
            Things { device: None, shared: false, kind: None, place: Place::default(), every: every(reading) };
        if let Some(mention) = device(reading, &fits) {
            let other = |other: &Mention<'_>| {
                (other.first, other.end) == (mention.first, mention.end) && other.name.id != mention.name.id
            };
            things.shared = reading.devices().any(|found| other(&found) && fits(&found));
            // With a slip in it a name may be one of two.
            let torn = |found: &Mention<'a>| other(found) && found.name.name != mention.name.name && fits(found);
            if !mention.exact && reading.devices().any(|found| torn(&found)) {
                return None;
            }
            things.device = Some(mention.name);
            reading.take(lead(reading, mention.first)..mention.end);
            // *stealth mode script*, *front door lock*
            let next = reading.word(mention.end);
            if reading.is_left(mention.end)
                && (next == mention.domain() || kind(next).is_some_and(|kind| kind.domain == mention.domain()))
            {
                reading.take(mention.end..mention.end + 1);
            }
        } else {
            things.kind = take_kind(reading)?;
        }
        things.place = place::take(reading)?;
        things.every |= things.place.scope == Scope::Everywhere || things.kind.is_some_and(|kind| kind.plural);
        Some(things)
    }

    pub(super) fn domain(&self) -> Option<&str> {
        self.device.map(domain_of).or(self.kind.map(|kind| kind.domain))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.device.is_none() && self.kind.is_none() && self.place.scope == Scope::Unsaid
    }

    /// As a target. A thing with a name is meant wherever it is; things of a kind are meant in the speaker's room.
    pub(super) fn target(self, reading: &Reading<'_>) -> Target {
        let mut target = Target { all: self.every && self.device.is_none(), ..Target::default() };
        let near = self.device.is_none();
        if let Some(device) = self.device {
            target.name = Some(device.name.clone());
            target.id = (!self.shared).then(|| device.id.clone());
            target.domain = Some(domain_of(device).to_owned());
            target.class = device.class.clone();
        } else if let Some(kind) = self.kind {
            target.domain = Some(kind.domain.to_owned());
            target.class = kind.class.map(str::to_owned);
        }
        self.place.onto(&mut target, reading, near);
        target
    }
}

/// Where *on the* or *of my* before a name begins, if it stands there.
fn lead(reading: &Reading<'_>, first: usize) -> usize {
    let left = |at: &usize| reading.is_left(*at);
    let glue = (0..first).rev().take_while(|at| left(at) && is_glue(reading.word(*at))).last().unwrap_or(first);
    // *the scene movie night*
    let glue = match glue.checked_sub(1).filter(left) {
        Some(before) if matches!(reading.word(before), "scene" | "script") => before,
        _ => glue,
    };
    match glue.checked_sub(1).filter(left) {
        Some(before) if matches!(reading.word(before), "on" | "of" | "for" | "from" | "in") => before,
        _ => glue,
    }
}

/// The longest name that fits. A room's name before a kind is the room: *the kitchen lights*, even where a device is
/// called *Kitchen*.
fn device<'a>(reading: &Reading<'a>, fits: impl Fn(&Mention<'a>) -> bool) -> Option<Mention<'a>> {
    reading.devices().find(|mention| {
        let is_room = reading
            .sentence
            .mentions
            .iter()
            .any(|place| place.is_place() && place.first <= mention.first && mention.end <= place.end);
        let before_kind = kind(reading.word(mention.end)).is_some();
        fits(mention) && !(is_room && before_kind)
    })
}

/// The kind of things meant, if any is said; nothing at all if two are.
#[expect(clippy::option_option, reason = "no kind and two kinds are different things")]
pub(super) fn take_kind(reading: &mut Reading<'_>) -> Option<Option<Kind>> {
    let mut found = None;
    for (phrase, pair) in &PAIRS {
        if reading.any(&[phrase]).is_some() {
            found = Some(*pair);
        }
    }
    for at in 0..reading.len() {
        if reading.is_left(at)
            && let Some(kind) = kind(reading.word(at))
        {
            if found.is_some_and(|found| found.domain != kind.domain) {
                return None;
            }
            found.get_or_insert(kind);
            reading.take(at..at + 1);
        }
    }
    Some(found)
}

/// Takes *all*, *every single*, *each and every*, but leaves those that say which rooms.
fn every(reading: &mut Reading<'_>) -> bool {
    let mut found = false;
    for at in 0..reading.len() {
        if !reading.is_left(at) || !is_every(reading.word(at)) {
            continue;
        }
        let next = (at + 1..reading.len()).map(|at| reading.word(at)).find(|word| !is_glue(word) && !is_every(word));
        if !matches!(next, Some("room" | "rooms" | "area" | "areas" | "over" | "around" | "floors")) {
            found = true;
            reading.take(at..at + 1);
            if reading.word(at + 1) == "and" && is_every(reading.word(at + 2)) {
                reading.take(at + 1..at + 2);
            }
        }
    }
    found
}

/// Words that may be left over beside things without meaning more.
pub(super) fn may_stay(word: &str) -> bool {
    is_glue(word) || matches!(word, "single" | "entire" | "whole" | "up" | "device" | "devices")
}
