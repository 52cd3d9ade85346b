//! Times of day as people say them: `7pm`, `half past six`, `at 7`.

use jiff::civil::Time;

use super::numbers::Style;
use super::words::Words;

/// A time of day, or two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) time: Time,
    pub(super) sure: Sure,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sure {
    /// One time.
    Yes,
    /// The hour is on the face of a clock, before or after noon; `time` is before.
    Half,
    /// `5 to 7`: a time, or from one hour to the other.
    Spread(i8, i8),
}

/// What a text gives away about when in the day it plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Morning,
    Afternoon,
    Evening,
    Night,
    /// Office hours: the meeting at three is not at night.
    Daytime,
}

/// What stands where a time of day could be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Read {
    Clock(Clock),
    /// Looks like a time and is none: the sentence that says so.
    Wrong(String),
}

/// How freely a lone number may be taken for an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
    /// Where the words around it say so.
    Led,
    /// Wherever it could be one: the other end of a range is a time.
    Free,
}

struct Face {
    hour: i64,
    minute: i64,
    second: i64,
    next: usize,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Can only be a time.
    Said,
    /// Two numbers side by side, or one.
    Number,
}

impl Part {
    pub(super) fn named(word: &str) -> Option<Self> {
        Some(match word {
            "morning" | "mornings" | "mornin" => Self::Morning,
            "afternoon" | "afternoons" => Self::Afternoon,
            "evening" | "evenings" => Self::Evening,
            "night" | "nights" | "nite" => Self::Night,
            _ => return None,
        })
    }

    /// The hour of the day that an hour on the face of a clock is, in this part.
    fn hour(self, hour: i8) -> i8 {
        let (before, after) = (hour % 12, hour % 12 + 12);
        match self {
            Self::Morning => before,
            Self::Afternoon => after,
            Self::Evening => {
                if hour == 12 {
                    before
                } else {
                    after
                }
            }
            Self::Night => {
                if hour == 12 || hour < 5 {
                    before
                } else {
                    after
                }
            }
            Self::Daytime => {
                if (8..12).contains(&hour) {
                    before
                } else {
                    after
                }
            }
        }
    }
}

impl Clock {
    pub(super) const fn sure(time: Time) -> Self {
        Self { time, sure: Sure::Yes }
    }

    /// The time after noon where both are possible.
    pub(super) fn later(self) -> Time {
        let time = self.time;
        Time::new(time.hour() % 12 + 12, time.minute(), time.second(), 0).unwrap_or(time)
    }

    /// What the time is once the part of the day is known.
    pub(super) fn within(self, part: Part) -> Self {
        let open = self.sure == Sure::Half;
        // Six and seven are as good before office hours as after.
        if !open || (part == Part::Daytime && matches!(self.time.hour(), 6 | 7)) {
            return self;
        }
        let hour = if self.time.hour() == 0 { 12 } else { self.time.hour() };
        match Time::new(part.hour(hour), self.time.minute(), self.time.second(), 0) {
            Ok(time) => Self::sure(time),
            Err(_) => self,
        }
    }
}

/// The time that starts at a word, and the word after it.
pub(super) fn clock(words: &Words<'_>, i: usize, bare: Bare) -> Option<(Read, usize)> {
    if let Some(found) = named(words, i) {
        return Some(found);
    }
    let face = face(words, i)?;
    let mut next = face.next;
    let mut form = face.form;
    if words.at(next) == "ish" || words.reads(next, &["-", "ish"]) {
        (next, form) = (next + 1 + usize::from(words.at(next) == "-"), Form::Said);
    }
    if words.at(next) == "o'clock" || words.at(next) == "oclock" {
        (next, form) = (next + 1, Form::Said);
    } else if words.reads(next, &["o", "clock"]) || words.reads(next, &["o", "'", "clock"]) {
        (next, form) = (next + if words.at(next + 1) == "'" { 3 } else { 2 }, Form::Said);
    }
    let (part, after) = suffix(words, next);
    if part.is_some()
        || words.is(next, &["tonight"])
        || words.is(next, &["this"]) && Part::named(words.at(next + 1)).is_some()
    {
        form = Form::Said;
    }
    let accepted = form == Form::Said || (bare == Bare::Free && ends_well(words, after)) || led(words, i, &face);
    if !accepted {
        return None;
    }
    if !(0..=24).contains(&face.hour) || !(0..60).contains(&face.minute) || !(0..60).contains(&face.second) {
        let said = words.text.get(words.span(&(i..next))).unwrap_or_default();
        return (form == Form::Said).then(|| (Read::Wrong(format!("{said} is not a time of day.")), after));
    }
    let [hour, minute, second] = [face.hour % 24, face.minute, face.second].map(|part| i8::try_from(part).unwrap_or(0));
    let padded = words.digits(i) && words.at(i).len() >= 2 && words.at(i).starts_with('0');
    let open = (1..=12).contains(&face.hour) && !padded;
    let time = Time::new(if open { hour % 12 } else { hour }, minute, second, 0).ok()?;
    let clock = Clock { time, sure: if open { Sure::Half } else { Sure::Yes } };
    let clock = part.map_or(clock, |part| clock.within(part));
    let clock = spread(words, i, &face, part).filter(|_| clock.sure == Sure::Half || part.is_some()).map_or(
        clock,
        |(from, to)| {
            let time = if clock.sure == Sure::Half { clock.later() } else { clock.time };
            Clock { time, sure: Sure::Spread(from, to) }
        },
    );
    Some((Read::Clock(clock), after))
}

/// `5 to 7` without an `at`: perhaps from five to seven.
fn spread(words: &Words<'_>, i: usize, face: &Face, part: Option<Part>) -> Option<(i8, i8)> {
    let minutes_to = words.figure(i)?.value.integer()? + face.minute == 60 && words.at(i + 1) == "to";
    let free =
        !matches!(words.before(i), "at" | "by" | "until" | "till" | "to" | "before" | "after" | "around" | "about");
    let (from, to) = (60 - face.minute, face.hour + 1);
    if !minutes_to || !free || from > 12 || to > 12 {
        return None;
    }
    let hour = |hour: i64| {
        let hour = i8::try_from(hour).ok()?;
        Some(part.map_or(hour % 12 + 12, |part| part.hour(hour)))
    };
    Some((hour(from)?, hour(to)?))
}

fn named(words: &Words<'_>, i: usize) -> Option<(Read, usize)> {
    let at = i + usize::from(words.is(i, &["12", "twelve"]));
    let hour = match words.at(at) {
        "noon" | "midday" | "noontime" => 12,
        "midnight" => 0,
        _ => return None,
    };
    Time::new(hour, 0, 0, 0).ok().map(|time| (Read::Clock(Clock::sure(time)), at + 1))
}

fn whole(words: &Words<'_>, i: usize) -> Option<(i64, usize)> {
    let figure =
        words.figure(i).filter(|figure| figure.style != Style::Vague && !words.is(i, &["a", "an", "couple"]))?;
    figure.value.integer().filter(|value| *value >= 0).map(|value| (value, figure.next))
}

fn face(words: &Words<'_>, i: usize) -> Option<Face> {
    let said = |hour, minute, next| Some(Face { hour, minute, second: 0, next, form: Form::Said });
    let start = i + usize::from(words.at(i) == "a" && words.at(i + 1) == "quarter");
    let portion = match words.at(start) {
        "half" => Some((30, start + 1)),
        "quarter" => Some((15, start + 1)),
        _ => whole(words, i).filter(|(minutes, _)| (1..60).contains(minutes)),
    };
    if let Some((minutes, at)) = portion {
        let at = if words.is(at, &["minutes", "minute", "mins", "min"]) { at + 1 } else { at };
        let at = if words.at(at) == "-" { at + 1 } else { at };
        let hour = whole(words, at + 1).filter(|(hour, _)| *hour <= 24).or_else(|| twelve(words, at + 1));
        match (words.at(at), hour) {
            ("past" | "after", Some((hour, next)))
                if (0..=24).contains(&hour) && !(words.at(at) == "after" && minutes % 5 != 0) =>
            {
                return said(hour, minutes, next);
            }
            ("to" | "till" | "til" | "before" | "of", Some((hour, next)))
                if minutes != 30 && before_the_hour(words, start, minutes, next) =>
            {
                return said(if hour == 0 { 23 } else { hour - 1 }, 60 - minutes, next);
            }
            _ => {}
        }
        // British `half six`; elsewhere half of something.
        if words.at(start) == "half"
            && words.is(start.wrapping_sub(1), &["at", "by", "until", "till", "before", "after"])
        {
            if let Some((hour @ 1..=12, next)) = whole(words, start + 1) {
                return said(hour, 30, next);
            }
        }
    }
    if words.digits(i) {
        return digital(words, i);
    }
    let (hour, next) = whole(words, i)?;
    if hour >= 100 {
        return military(words, hour, next);
    }
    // `nineteen hundred hours` was read as one number; `seven oh five`, `six thirty` are two.
    if hour <= 24 {
        let zero = words.is(next, &["oh", "o"]);
        let minute = whole(words, next + usize::from(zero));
        if let Some((minute, after)) = minute.filter(|(minute, _)| (if zero { 1..10 } else { 10..60 }).contains(minute))
        {
            if !is_unit(words.at(after)) {
                return Some(Face { hour, minute, second: 0, next: after, form: Form::Number });
            }
        }
    }
    (hour <= 24).then_some(Face { hour, minute: 0, second: 0, next, form: Form::Number })
}

fn twelve(words: &Words<'_>, i: usize) -> Option<(i64, usize)> {
    match words.at(i) {
        "noon" | "midday" => Some((12, i + 1)),
        "midnight" => Some((24, i + 1)),
        _ => None,
    }
}

/// Whether `N to M` counts minutes: only in fives, and not as the first half of `from 5 to 7`.
fn before_the_hour(words: &Words<'_>, i: usize, minutes: i64, next: usize) -> bool {
    minutes % 5 == 0
        && !is_unit(words.at(next))
        && !words.is(next, &["%", "percent", "people", "times", "dollars", "euros", "$", "€"])
        && (!matches!(words.before(i), "from" | "between")
            || words.is(i, &["quarter"])
            || minutes > 12
            || words.is(after_part(words, next), &["to", "until", "till"]))
}

fn after_part(words: &Words<'_>, i: usize) -> usize {
    suffix(words, i).1
}

fn digital(words: &Words<'_>, i: usize) -> Option<Face> {
    let text = words.at(i);
    let number = |at: usize| words.at(at).parse::<i64>().ok().filter(|_| words.digits(at) && words.at(at).len() <= 2);
    if let Some(hour) = number(i) {
        if words.at(i + 1) == ":" && words.glued(i + 1) && words.glued(i + 2) && words.at(i + 2).len() == 2 {
            let minute = number(i + 2)?;
            let seconds = (words.at(i + 3) == ":" && words.glued(i + 4)).then(|| number(i + 4)).flatten();
            let next = if seconds.is_some() { i + 5 } else { i + 3 };
            return Some(Face { hour, minute, second: seconds.unwrap_or(0), next, form: Form::Said });
        }
        if words.digits(i + 1)
            && words.at(i + 1).len() == 2
            && !words.glued(i + 1)
            && hour <= 24
            && !is_unit(words.at(i + 2))
        {
            let minute = number(i + 1).filter(|minute| *minute < 60)?;
            return Some(Face { hour, minute, second: 0, next: i + 2, form: Form::Number });
        }
        let french = words.at(i + 1) == "h" && words.glued(i + 1) && !words.digits(i + 2) && hour > 12;
        if french {
            return None;
        }
        return Some(Face { hour, minute: 0, second: 0, next: i + 1, form: Form::Number });
    }
    if let Some((hour, minute)) = text.split_once('.').filter(|(hour, minute)| hour.len() <= 2 && minute.len() == 2) {
        let (hour, minute) = (hour.parse().ok()?, minute.parse().ok()?);
        return (hour <= 24 && minute < 60).then_some(Face {
            hour,
            minute,
            second: 0,
            next: i + 1,
            form: Form::Number,
        });
    }
    let number: i64 = text.parse().ok()?;
    match text.len() {
        4 if text.starts_with('0') || words.is(i + 1, &["hours", "hrs", "h"]) => military(words, number, i + 1),
        3 | 4 => military(words, number, i + 1),
        _ => None,
    }
}

/// `1900 hours`, `645 am`.
fn military(words: &Words<'_>, number: i64, next: usize) -> Option<Face> {
    let (hour, minute) = (number / 100, number % 100);
    if hour > 24 || minute > 59 {
        return None;
    }
    let hours = words.is(next, &["hours", "hrs"]);
    let half = words.is(next, &["am", "pm"]);
    (hours || half).then_some(Face { hour, minute, second: 0, next: next + usize::from(hours), form: Form::Said })
}

/// `am`, `in the evening`, `night` after a time, and the word after it.
fn suffix(words: &Words<'_>, i: usize) -> (Option<Part>, usize) {
    match words.at(i) {
        "am" => return (Some(Part::Morning), i + 1),
        "a" if words.at(i + 1) == "m" => return (Some(Part::Morning), i + 2),
        "pm" => return (Some(Part::Afternoon), i + 1),
        "p" if words.at(i + 1) == "m" => return (Some(Part::Afternoon), i + 2),
        "a" | "p" if words.glued(i) && !words.glued(i + 1) => {
            return (Some(if words.at(i) == "a" { Part::Morning } else { Part::Afternoon }), i + 1);
        }
        _ => {}
    }
    let at = match words.at(i) {
        "in" if words.at(i + 1) == "the" => i + 2,
        "in" | "at" => i + 1,
        _ => i,
    };
    match Part::named(words.at(at)) {
        Some(part) => (Some(part), at + 1),
        None => (None, i),
    }
}

/// Whether the words before and after a lone number make it an hour.
fn led(words: &Words<'_>, i: usize, face: &Face) -> bool {
    if face.hour > 24 || face.minute > 59 || words.figure(i).is_some_and(|figure| figure.next > face.next) {
        return false;
    }
    let counted = is_unit(words.at(face.next))
        || matches!(words.at(face.next), "%" | "percent" | "°" | "point" | "time" | "place" | "/");
    match words.before(i) {
        "at" | "@" => !counted && (ends_well(words, face.next) || !words.is(i, &["one"])),
        "until" | "till" | "til" | "before" | "after" | "around" | "about" | "approximately" => {
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
    "call",
    "lunch",
    "dinner",
    "breakfast",
    "shift",
    "reservation",
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
    "people",
    "degrees",
    "timer",
    "channel",
    "level",
    "countdown",
];

/// Whether a sentence can go on like this after a time.
pub(super) fn ends_well(words: &Words<'_>, i: usize) -> bool {
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
        "sharp",
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

pub(super) fn is_unit(word: &str) -> bool {
    super::lengths::unit(word).is_some() || super::units::named(word).is_some()
}
