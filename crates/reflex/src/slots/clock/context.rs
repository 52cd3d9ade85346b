//! What the words around a number say about it: an hour, or something else.

use super::face::Face;
use crate::slots::words::Words;

/// Whether the words before and after a lone number make it an hour.
pub(super) fn led(words: &Words<'_>, i: usize, face: &Face) -> bool {
    if face.hour > 24 || face.minute > 59 || words.figure(i).is_some_and(|figure| figure.next > face.next) {
        return false;
    }
    let counted = is_unit(words.at(face.next))
        || matches!(words.at(face.next), "%" | "percent" | "°" | "point" | "time" | "place" | "/");
    match words.before(i) {
        "at" | "@" => {
            !counted && words.at(face.next) != "of" && (ends_well(words, face.next) || !words.is(i, &["one"]))
        }
        "than" | "until" | "till" | "til" | "before" | "after" | "around" | "about" | "approximately" => {
            ends_well(words, face.next)
        }
        "by" => ends_well(words, face.next) && !words.any(CHANGES),
        "for" | "to" | "from" => ends_well(words, face.next) && words.any(TIMED) && !words.any(LEVELS),
        "alarm" | "is" | "it" => {
            ends_well(words, face.next) && words.any(&["alarm", "wake", "meeting"]) && face.minute > 0
        }
        _ => false,
    }
}

const CHANGES: &[&str] = &[
    "increase",
    "decrease",
    "raise",
    "lower",
    "turn",
    "dim",
    "brighten",
    "up",
    "down",
    "multiply",
    "multiplied",
    "divide",
    "divided",
    "reduce",
    "change",
    "warmer",
    "cooler",
];
const TIMED: &[&str] = &[
    "alarm",
    "alarms",
    "wake",
    "meeting",
    "appointment",
    "reschedule",
    "postpone",
    "move",
    "reminder",
    "remind",
    "schedule",
    "event",
    "shift",
    "flight",
    "train",
    "tomorrow",
    "tonight",
];
const LEVELS: &[&str] = &[
    "light",
    "lights",
    "lamp",
    "lamps",
    "volume",
    "brightness",
    "thermostat",
    "temperature",
    "heating",
    "heat",
    "fan",
    "blinds",
    "table",
    "booking",
    "book",
    "room",
    "rooms",
    "reservation",
    "adults",
    "guests",
    "people",
    "degrees",
    "timer",
    "channel",
    "level",
    "countdown",
];

/// Whether a sentence can go on like this after a time.
pub(in crate::slots) fn ends_well(words: &Words<'_>, i: usize) -> bool {
    const FOLLOW: &[&str] = &[
        "",
        ",",
        ".",
        "?",
        "!",
        ";",
        ")",
        "to",
        "for",
        "and",
        "on",
        "in",
        "at",
        "with",
        "that",
        "please",
        "so",
        "then",
        "because",
        "when",
        "today",
        "tomorrow",
        "tonight",
        "this",
        "next",
        "every",
        "each",
        "or",
        "but",
        "if",
        "until",
        "till",
        "from",
        "by",
        "about",
        "around",
        "sharp",
        "ok",
        "okay",
        "how",
        "instead",
        "thanks",
        "of",
        "the",
        "my",
        "is",
        "was",
        "it",
        "i",
        "we",
        "as",
        "daily",
        "me",
        "called",
        "named",
        "a",
        "an",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "-",
        "–",
        "only",
        "his",
        "her",
        "our",
        "their",
        "your",
        "not",
        "weekdays",
        "exactly",
        "\"",
        "'",
        "will",
        "works",
        "would",
        "should",
        "there",
        "you",
    ];
    FOLLOW.contains(&words.at(i))
}

pub(in crate::slots) fn is_unit(word: &str) -> bool {
    crate::slots::lengths::unit(word).is_some() || crate::slots::units::named(word).is_some()
}
