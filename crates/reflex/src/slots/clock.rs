//! Times of day as people say them: `7pm`, `half past six`, `at 7`.

mod context;
mod face;

use context::led;
pub(super) use context::{ends_well, is_unit};
use face::{Face, Form, face};
use jiff::civil::Time;

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
    // `0:45 pm` is after noon.
    let noon = face.hour == 0 && part == Some(Part::Afternoon);
    let clock = if noon { Clock::sure(clock.later()) } else { part.map_or(clock, |part| clock.within(part)) };
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
