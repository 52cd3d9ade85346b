//! Every mention of time in a text, in order. What belongs together is joined by [`super::join`].

use std::ops::Range;

use jiff::civil::Date;
use jiff::{ToSpan, Zoned};

use super::clock::{self, Bare, Clock, Part, Read};
use super::days::{self, Day};
use super::lengths::{self, Length, Unit};
use super::numbers;
use super::pairs;
use super::periods::{self, Period};
use super::rules::{self, Rule};
use super::words::Words;

/// A mention of time, and the words that make it.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) words: Range<usize>,
    pub(super) when: When,
}

#[derive(Debug, Clone)]
pub(super) enum When {
    Day(Day),
    Clock(Clock),
    /// No time of day, though it looks like one.
    Wrong(String),
    /// A part of a day, and of which day where that is said.
    Part(Part, Option<Date>),
    Period(Period),
    /// From one time of day to another.
    Hours(Clock, Clock),
    /// From one day, perhaps at a time, to another.
    Ends(End, End),
    Length(Length),
    Instant(Zoned, Option<String>),
    Rule(Rule),
}

/// One end of a range.
#[derive(Debug, Clone)]
pub(super) struct End {
    pub(super) day: Option<Day>,
    pub(super) clock: Option<Clock>,
}

/// What a text says about time, left to right.
pub(super) fn pieces(words: &Words<'_>, now: &Zoned) -> Vec<Piece> {
    let mut found = Vec::new();
    // What is moved from three to five does not last from three to five.
    let moved = words.any(&["move", "reschedule", "change", "shift", "push", "postpone"]);
    let mut i = 0;
    while i < words.len() {
        match piece(words, i, now, moved) {
            Some((when, start, next)) if next > i => {
                found.push(Piece { words: start..next, when });
                i = next;
            }
            _ => i += 1,
        }
    }
    found
}

/// The mention at a word: what, from which word, up to which.
fn piece(words: &Words<'_>, i: usize, now: &Zoned, moved: bool) -> Option<(When, usize, usize)> {
    let plain = |(when, next): (When, usize)| (when, i, next);
    if let Some((rule, next)) = rules::rule(words, i, now) {
        return Some((When::Rule(rule), i, next));
    }
    if !moved && let Some(found) = range(words, i, now) {
        return Some(plain(found));
    }
    part(words, i, now)
        .or_else(|| instant(words, i, now))
        .or_else(|| days::day(words, i, now).map(|(day, next)| (When::Day(day), next)))
        .or_else(|| periods::period(words, i, now).map(|(period, next)| (When::Period(period), next)))
        .or_else(|| duration_or_clock(words, i))
        .map(plain)
}

fn duration_or_clock(words: &Words<'_>, i: usize) -> Option<(When, usize)> {
    if let Some(length) = lengths::length(words, i) {
        let next = length.next;
        return Some((When::Length(length), next));
    }
    clock::clock(words, i, Bare::Led).map(|(read, next)| match read {
        Read::Clock(clock) => (When::Clock(clock), next),
        Read::Wrong(why) => (When::Wrong(why), next),
    })
}

/// `tonight`, `this morning`, `in the evening`, `last night`, `tomorrow`'s part is found by joining.
fn part(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(When, usize)> {
    let today = now.date();
    let named = |at: usize| Part::named(words.at(at));
    let possessive = |next: usize| next + usize::from(words.at(next) == "'s");
    let (part, date, next) = match words.at(i) {
        "tonight" | "tonite" => (Part::Night, Some(today), i + 1),
        "this" => (named(i + 1)?, Some(today), i + 2),
        "last" if words.at(i + 1) == "night" => (Part::Night, today.yesterday().ok(), i + 2),
        "in" if words.at(i + 1) == "the" => (named(i + 2)?, None, i + 3),
        "at" if words.at(i + 1) == "night" => (Part::Night, None, i + 2),
        "the" if words.before(i) == "for" => (named(i + 1).filter(|_| clock::ends_well(words, i + 2))?, None, i + 2),
        "early" | "late" => (named(i + 1)?, None, i + 2),
        _ => {
            let part = named(i)?;
            let follows = days::weekday(words.before(i)).is_some()
                || words.is(i.wrapping_sub(1), &["tomorrow", "yesterday", "today", "tmrw", "'s"]);
            if !follows {
                return None;
            }
            (part, None, i + 1)
        }
    };
    Some((When::Part(part, date), possessive(next)))
}

/// `in two hours`, `ten minutes from now`, `an hour ago`: less than days from here.
fn instant(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(When, usize)> {
    let ahead = words.is(i, &["in", "after"]);
    if !ahead && words.figure(i).is_none() && !words.is(i, &["a", "an", "quarter"]) {
        return None;
    }
    let length = lengths::length(words, i + usize::from(ahead)).filter(|length| length.finest < Unit::Day)?;
    let moved = |span| now.checked_add(span).ok();
    let (moment, next) = match words.at(length.next) {
        "ago" => (moved(-length.span)?, length.next + 1),
        "from" if words.at(length.next + 1) == "now" => (moved(length.span)?, length.next + 2),
        "from" if words.at(length.next + 1) == "today" => return None,
        "later" | "hence" => (moved(length.span)?, length.next + 1),
        "time" if ahead => (moved(length.span)?, length.next + 1),
        "'" if ahead && words.at(length.next + 1) == "time" => (moved(length.span)?, length.next + 2),
        _ if ahead => (moved(length.span)?, length.next),
        _ => return None,
    };
    Some((When::Instant(moment, length.doubt), next))
}

/// `from nine till half past eleven`, `between 3 and 5 pm`, `monday to thursday`.
fn range(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(When, usize)> {
    let opened = words.is(i, &["from", "between"]);
    let start = i + usize::from(opened);
    if let Some((first, last, next)) = pairs::pair(words, start, now) {
        let end = |date: Date| End { day: Some(Day::sure(date)), clock: None };
        return Some((When::Ends(end(first), end(last)), next));
    }
    if opened {
        let (first, at) = end(words, start, now, Bare::Free)?;
        if !joins(words, at, words.at(i) == "between") {
            return None;
        }
        let (second, next) = end(words, at + 1, &after(&first, words, at + 1, now), Bare::Free)?;
        return spanned(first, second, next);
    }
    let digits_or_day =
        words.figure(i).is_some() || days::weekday(words.at(i)).is_some() || days::month(words.at(i)).is_some();
    if !digits_or_day
        && !words.is(i, &["noon", "midnight", "the", "today", "tomorrow", "half", "quarter", "next", "this"])
    {
        return None;
    }
    let (first, at) = end(words, i, now, Bare::Led).or_else(|| hour_of_two(words, i))?;
    if !joins(words, at, false) {
        return None;
    }
    let (second, next) = end(words, at + 1, &after(&first, words, at + 1, now), Bare::Led)?;
    if first.day.is_some() != second.day.is_some() && first.clock.is_none() {
        return None;
    }
    spanned(first, second, next)
}

/// Where the end of a range is counted from: the friday after the first day, not after today.
fn after(first: &End, words: &Words<'_>, i: usize, now: &Zoned) -> Zoned {
    let at = i + usize::from(words.at(i) == "the");
    let counted = days::weekday(words.at(at)).is_some()
        || days::month(words.at(at)).is_some()
        || words.digits(at)
        || numbers::ordinal(words, at).is_some();
    let date = first.day.as_ref().and_then(|day| day.date).filter(|date| counted && *date > now.date());
    date.and_then(|date| date.to_datetime(now.time()).to_zoned(now.time_zone().clone()).ok())
        .unwrap_or_else(|| now.clone())
}

pub(super) fn joins(words: &Words<'_>, i: usize, and: bool) -> bool {
    words.is(i, &["to", "till", "til", "until", "through", "thru", "-", "–"]) || and && words.at(i) == "and"
}

fn spanned(first: End, second: End, next: usize) -> Option<(When, usize)> {
    match (&first, &second) {
        (End { day: None, clock: Some(from) }, End { day: None, clock: Some(to) }) => {
            Some((When::Hours(*from, *to), next))
        }
        (End { day: None, .. }, End { day: Some(_), clock: None }) => None,
        _ => Some((When::Ends(first, second), next)),
    }
}

/// The `3` of `3 to 5 pm`: an hour only because a time follows.
fn hour_of_two(words: &Words<'_>, i: usize) -> Option<(End, usize)> {
    let figure =
        words.figure(i).filter(|figure| figure.value.integer().is_some_and(|hour| (0..=24).contains(&hour)))?;
    if !joins(words, figure.next, false) || clock::is_unit(words.at(figure.next + 1)) {
        return None;
    }
    let hour = i8::try_from(figure.value.integer()?).ok()? % 24;
    let open = (1..=12).contains(&hour);
    let time = jiff::civil::Time::new(if open { hour % 12 } else { hour }, 0, 0, 0).ok()?;
    let sure = if open { clock::Sure::Half } else { clock::Sure::Yes };
    Some((End { day: None, clock: Some(Clock { time, sure }) }, figure.next))
}

/// A day, a time, or both side by side.
fn end(words: &Words<'_>, i: usize, now: &Zoned, bare: Bare) -> Option<(End, usize)> {
    let at = |i: usize| i + usize::from(words.is(i, &["at", ",", "on"]));
    let clock_at = |i: usize| match clock::clock(words, i, bare)? {
        (Read::Clock(clock), next) => Some((clock, next)),
        (Read::Wrong(_), _) => None,
    };
    if let Some((day, next)) = days::day(words, i, now) {
        return Some(match clock_at(at(next)).filter(|_| words.at(next) != ",") {
            Some((clock, next)) => (End { day: Some(day), clock: Some(clock) }, next),
            None => (End { day: Some(day), clock: None }, next),
        });
    }
    if words.at(i) == "now" {
        let clock = Clock::sure(now.time());
        return Some((End { day: Some(Day::sure(now.date())), clock: Some(clock) }, i + 1));
    }
    let (clock, next) = clock_at(i)?;
    Some(match days::day(words, at(next), now) {
        Some((day, next)) => (End { day: Some(day), clock: Some(clock) }, next),
        None => (End { day: None, clock: Some(clock) }, next),
    })
}

/// The hours that a part of a day has, on a day.
pub(super) fn hours(part: Part, date: Date, now: &Zoned) -> Option<Period> {
    let (from, to) = match part {
        Part::Morning => (6, 12),
        Part::Afternoon => (12, 18),
        Part::Evening | Part::Night => (18, 24),
        Part::Daytime => (8, 18),
    };
    let start = date.to_zoned(now.time_zone().clone()).ok()?;
    let at = |hour: i8| match hour {
        24 => start.tomorrow().ok(),
        hour => start.date().at(hour, 0, 0, 0).to_zoned(now.time_zone().clone()).ok(),
    };
    Some(Period { from: at(from)?, to: at(to)?, doubt: None })
}

/// The day that a part belongs to when none was said: today, unless it is over.
pub(super) fn coming(part: Part, now: &Zoned) -> Option<Date> {
    let today = hours(part, now.date(), now)?;
    // Who says `in the morning` at ten means another morning.
    let missed = if part == Part::Morning { today.from < *now } else { today.to <= *now };
    if !missed { Some(now.date()) } else { now.date().checked_add(1.day()).ok() }
}
