//! Days by the day of the week: `next tuesday`, `friday the 13th`, `saturday next week`.

use jiff::civil::{Date, Weekday};
use jiff::{ToSpan, Zoned};

use super::{Day, month, month_name, next_such, of_month, said, weekday, weekday_name};
use crate::slots::lengths::{self, Unit};
use crate::slots::numbers;
use crate::slots::words::Words;

/// `first monday of next month`, `last friday in march`.
pub(super) fn nth_weekday(words: &Words<'_>, i: usize, today: Date) -> Option<(Day, usize)> {
    let start = i + usize::from(words.at(i) == "the");
    let (nth, at) = if words.at(start) == "last" { (-1, start + 1) } else { numbers::ordinal(words, start)? };
    let day = weekday(words.at(at)).filter(|_| words.is(at + 1, &["of", "in"]))?;
    let (first, next) = match (words.at(at + 2), words.at(at + 3)) {
        ("the" | "this", "month") => (today.first_of_month(), at + 4),
        ("next", "month") => (today.checked_add(1.month()).ok()?.first_of_month(), at + 4),
        (name, _) => {
            let month = month(name)?;
            let year = if month < today.month() { today.year() + 1 } else { today.year() };
            (Date::new(year, month, 1).ok()?, at + 3)
        }
    };
    let nth8 = i8::try_from(nth).ok()?;
    match first.nth_weekday_of_month(nth8, day) {
        Ok(date) => Some((Day::sure(date), next)),
        Err(_) => Some((Day::wrong(format!("{} has no such {}.", month_name(first.month()), weekday_name(day))), next)),
    }
}

/// `friday`, `next tuesday`, `friday the 13th`, `thursday in two weeks`.
pub(super) fn on_weekday(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Day, usize)> {
    let today = now.date();
    let (which, at) = match words.at(i) {
        which @ ("next" | "this" | "last" | "coming" | "past" | "previous" | "following" | "that") => (which, i + 1),
        "the" if words.is(i + 1, &["coming", "following", "next", "last"]) => (words.at(i + 1), i + 2),
        _ => ("", i),
    };
    let name = words.at(at);
    let day = weekday(name)?;
    // `sun`, `sat` and `wed` are words too.
    let short = matches!(name, "sun" | "sat" | "wed" | "mon") && which.is_empty();
    if short
        && !words.is(at.wrapping_sub(1), &["on", "for", "until", "till", "by", "from", "to", "and", ","])
        && !(words.capital(at) && at > 0)
    {
        return None;
    }
    let next = at + 1;
    if let Some((date, next)) = of_a_week(words, i, next, which, day, today) {
        return Some((Day::sure(date), next));
    }
    // The day of the month says which friday.
    let dated = next + usize::from(words.at(next) == ",");
    let dated = dated + usize::from(words.at(dated) == "the");
    if let Some((found, next)) = of_month(words, dated, today) {
        return Some((agreed(found, day, today), next));
    }
    if let Some((number, after)) = numbers::ordinal(words, dated).filter(|_| !words.is(dated, &["second"]))
        && let Some(date) = next_such(today, number, |date| date.weekday() == day)
    {
        return Some((Day::sure(date), after));
    }
    let coming = today.nth_weekday(1, day).ok()?;
    let same = today.weekday() == day;
    let monday = today.checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days()).ok()?;
    let of_week = |weeks: i64| monday.checked_add((weeks * 7 + i64::from(day.to_monday_zero_offset())).days()).ok();
    if let Some((date, next)) = weeks_on(words, next, today, day) {
        return Some((Day::sure(date), next));
    }
    let found = match which {
        "this" if same => Day::sure(today),
        "last" | "past" | "previous" => Day::sure(today.nth_weekday(-1, day).ok()?),
        "next" | "following" => {
            let date = of_week(1)?;
            if date == coming {
                Day::sure(date)
            } else {
                Day::asked(date, format!("Do you mean {} or {}?", said(coming, today), said(date, today)))
            }
        }
        "" if same => Day::asked(coming, format!("Do you mean today or {}?", said(coming, today))),
        _ => Day::sure(coming),
    };
    Some((found, next))
}

/// A date that is said to be on another weekday than it is.
fn agreed(found: Day, day: Weekday, today: Date) -> Day {
    match found.date.filter(|date| date.weekday() != day) {
        Some(date) => Day::asked(date, format!("That is {}. Which day do you mean?", said(date, today))),
        None => found,
    }
}

/// `saturday next week`, `next week friday`, `monday of last week`.
fn of_a_week(
    words: &Words<'_>,
    start: usize,
    next: usize,
    which: &str,
    day: Weekday,
    today: Date,
) -> Option<(Date, usize)> {
    let weeks = |word: &str| match word {
        "this" => Some(0),
        "next" => Some(1),
        "last" => Some(-1),
        _ => None,
    };
    let before =
        start.checked_sub(2).filter(|at| which.is_empty() && words.at(at + 1) == "week").map(|at| words.at(at));
    let after = next + usize::from(words.is(next, &["of", "in"]));
    let (ahead, end) = match before.and_then(weeks) {
        Some(ahead) => (ahead, next),
        None => (weeks(words.at(after)).filter(|_| words.at(after + 1) == "week")?, after + 2),
    };
    let monday = today.checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days()).ok()?;
    let date = monday.checked_add((ahead * 7 + i64::from(day.to_monday_zero_offset())).days()).ok()?;
    Some((date, end))
}

/// `… in two weeks`, `… week`.
fn weeks_on(words: &Words<'_>, i: usize, today: Date, day: Weekday) -> Option<(Date, usize)> {
    let on_or_after = |date: Date| if date.weekday() == day { Some(date) } else { date.nth_weekday(1, day).ok() };
    if words.at(i) == "week" {
        return Some((on_or_after(today)?.checked_add(1.week()).ok()?, i + 1));
    }
    let length = (words.at(i) == "in").then(|| lengths::length(words, i + 1)).flatten();
    let length = length.filter(|length| length.finest == Unit::Week)?;
    Some((on_or_after(today.checked_add(length.span).ok()?)?, length.next))
}
