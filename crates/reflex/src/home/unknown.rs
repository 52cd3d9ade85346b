//! Reads a clear act on something that a house does not have, so that somebody can be asked what is meant.

use super::command::{Act, Command, Switch, Target};
use super::control::{Verb, suits, suits_kind};
use super::lexicon::{is_before_place, is_glue, kind};
use super::place::{self, Scope};
use super::reading::Reading;
use super::things::Things;

/// A clear act on something that this house does not have.
pub(super) fn read(mut reading: Reading<'_>, switch: Switch, verb: Verb) -> Option<Command> {
    let has_kind = reading.left().any(|(_, word)| kind(word).is_some());
    match verb {
        Verb::Plain => {}
        Verb::Loose if has_kind => {}
        Verb::Loose | Verb::Lights | Verb::Scene | Verb::None => return None,
    }
    let place = place::take(&mut reading)?;
    while let Some((at, _)) = reading.left().next().filter(|(_, word)| is_glue(word)) {
        reading.take(at..at + 1);
    }
    if let Some(command) = place_unknown(reading, switch, verb) {
        return Some(command);
    }
    let words = reading.rest().filter(|words| words.len() <= 4)?;
    let plain = words.clone().all(|at| is_of_a_name(reading.word(at)));
    // What is known but cannot be done like this is not unknown: *open* said of a lock.
    let known =
        reading.devices().any(|mention| mention.end - mention.first > 1 || kind(reading.word(mention.first)).is_none());
    // The kind comes last in a name; what follows it says something else. And it must be one that can be done so.
    let last = kind(reading.word(words.end - 1));
    let kind_suits = last.is_some_and(|kind| suits_kind(kind, switch, verb).is_some());
    if !plain || known || (has_kind && (!kind_suits || words.len() == 1)) {
        return None;
    }
    let mut target = Target::default();
    if place.scope == Scope::Named {
        place.onto(&mut target, &reading, false);
    }
    Some(Command { act: Act::Switch(switch), target, unknown: Some(reading.quote(words)) })
}

/// A clear act on things of a kind, in a room that this house does not have: *the lights in the bathroom*.
fn place_unknown(mut reading: Reading<'_>, switch: Switch, verb: Verb) -> Option<Command> {
    let things = Things::take(&mut reading, |_| false)?;
    let kind = suits(&things, switch, verb)?;
    if things.place.scope != Scope::Unsaid || !reading.begins(&["in", "inside", "on", "at"]) {
        return None;
    }
    while reading.begins(&["the", "my", "our"]) {}
    let words = reading.rest().filter(|words| words.len() <= 3)?;
    if !words.clone().all(|at| is_of_a_name(reading.word(at))) {
        return None;
    }
    let unknown = Some(reading.quote(words));
    // Only what was said counts: the speaker's own room is not the one that is meant.
    let mut target = Things { kind, ..things }.target(&reading);
    (target.area, target.here) = (None, false);
    Some(Command { act: Act::Switch(switch), target, unknown })
}

/// Whether a word can be part of what a thing is called.
fn is_of_a_name(word: &str) -> bool {
    word.starts_with(char::is_alphabetic)
        && !is_before_place(word)
        && !is_of_other_roles(word)
        && !is_of_time(word)
        && !matches!(
            word,
            "and"
                | "or"
                | "then"
                | "if"
                | "when"
                | "unless"
                | "until"
                | "not"
                | "never"
                | "but"
                | "me"
                | "it"
                | "them"
                | "this"
                | "that"
                | "you"
                | "i"
                | "is"
                | "are"
                | "to"
                | "with"
                | "by"
                | "up"
                | "down"
                | "off"
                | "about"
                | "after"
                | "before"
                | "instructions"
                | "everything"
                | "anything"
                | "now"
                | "every"
                | "all"
                | "what"
                | "how"
                | "why"
                | "who"
        )
}

/// Words for what is turned on and off but stands in no house.
fn is_of_other_roles(word: &str) -> bool {
    matches!(
        word,
        "alarm"
            | "alarms"
            | "reminder"
            | "reminders"
            | "account"
            | "accounts"
            | "card"
            | "cards"
            | "music"
            | "song"
            | "songs"
            | "playlist"
            | "radio"
            | "podcast"
            | "podcasts"
            | "station"
            | "shuffle"
            | "repeat"
            | "volume"
            | "notifications"
            | "book"
            | "audiobook"
            | "game"
            | "mode"
            | "setting"
            | "settings"
            | "voice"
            | "app"
            | "next"
            | "location"
            | "subscription"
            | "autopay"
            | "notification"
            | "previous"
            | "language"
            | "spotify"
            | "pandora"
            | "news"
    )
}

/// Words for when, which are not where.
fn is_of_time(word: &str) -> bool {
    let day = word.strip_suffix('s').unwrap_or(word);
    matches!(
        day,
        "morning" | "afternoon" | "evening" | "night" | "noon" | "midnight" | "sunset" | "sunrise" | "dusk" | "dawn"
    ) || matches!(
        day,
        "day" | "week" | "weekend" | "month" | "hour" | "minute" | "second" | "tonight" | "tomorrow" | "today"
    ) || matches!(
        day,
        "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" | "time" | "pm" | "am"
    )
}
