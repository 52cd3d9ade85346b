//! Days of the calendar as people say them: `tomorrow`, `next tuesday`, `the 3rd`, `5 march 2027`.

mod names;
mod weekdays;

use jiff::civil::Date;
use jiff::{Span, ToSpan, Zoned};

pub(crate) use names::{month, month_name, said, weekday, weekday_name};
use weekdays::{nth_weekday, on_weekday};

use super::feasts;
use super::lengths::{self, Unit};
use super::numbers;
use super::words::Words;

/// A day that was named, or the reason why there is none.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Day {
    pub(crate) date: Option<Date>,
    pub(crate) doubt: Option<String>,
}

impl Day {
    pub(super) fn sure(date: Date) -> Self {
        Self { date: Some(date), doubt: None }
    }

    fn asked(date: Date, doubt: String) -> Self {
        Self { date: Some(date), doubt: Some(doubt) }
    }

    fn wrong(doubt: String) -> Self {
        Self { date: None, doubt: Some(doubt) }
    }
}

/// The day that starts at a word, and the word after it.
pub(crate) fn day(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Day, usize)> {
    let (day, next) = plain(words, i, now).or_else(|| feasts::feast(words, i, now.date()))?;
    Some((day, after_possessive(words, next)))
}

fn plain(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Day, usize)> {
    let today = now.date();
    let away = |days: i64| today.checked_add(days.days()).ok().map(Day::sure);
    match words.at(i) {
        "today" | "todays" => return away(0).map(|day| (day, i + 1)),
        "tomorrow" | "tomorrows" | "tomorow" | "tommorow" | "tommorrow" | "tmrw" | "tmr" | "tmw" => {
            return away(1).map(|day| (day, i + 1));
        }
        "yesterday" => return away(-1).map(|day| (day, i + 1)),
        "the" if words.is(i + 1, &["day"]) => return plain(words, i + 1, now),
        "day" if words.reads(i + 1, &["after", "tomorrow"]) => return away(2).map(|day| (day, i + 3)),
        "day" if words.reads(i + 1, &["before", "yesterday"]) => return away(-2).map(|day| (day, i + 3)),
        "day" if words.is(i + 1, &["before", "after"]) => {
            let (found, next) = day(words, i + 2, now)?;
            let step: i64 = if words.at(i + 1) == "after" { 1 } else { -1 };
            let date = found.date.and_then(|date| date.checked_add(step.days()).ok());
            return Some((Day { date, doubt: found.doubt }, next));
        }
        "next" | "following" if words.at(i + 1) == "day" => return away(1).map(|day| (day, i + 2)),
        "end" if words.at(i + 1) == "of" => return end_of(words, i + 2, today),
        _ => {}
    }
    nth_weekday(words, i, today)
        .or_else(|| on_weekday(words, i, now))
        .or_else(|| of_month(words, i, today))
        .or_else(|| in_figures(words, i, now))
        .or_else(|| of_this_month(words, i, today))
        .or_else(|| from_here(words, i, now))
}

fn after_possessive(words: &Words<'_>, i: usize) -> usize {
    i + usize::from(words.at(i) == "'s")
}

/// `end of the month`, `end of next year`.
fn end_of(words: &Words<'_>, i: usize, today: Date) -> Option<(Day, usize)> {
    let (ahead, at) = match words.at(i) {
        "the" | "this" => (0, i + 1),
        "next" => (1, i + 1),
        _ => (0, i),
    };
    let date = match words.at(at) {
        "month" => today.checked_add(ahead.months()).ok()?.last_of_month(),
        "year" => today.checked_add(ahead.years()).ok()?.last_of_year(),
        _ => return None,
    };
    Some((Day::sure(date), at + 1))
}

/// `march 5`, `the fifth of march`, `5 march 2027`.
fn of_month(words: &Words<'_>, i: usize, today: Date) -> Option<(Day, usize)> {
    let start = i + usize::from(words.at(i) == "the");
    if let Some(month) = month(words.at(start)) {
        let at = start + 1 + usize::from(words.at(start + 1) == "." && words.glued(start + 1));
        let the = usize::from(words.at(at) == "the");
        let (number, next) = numbers::ordinal(words, at + the).or_else(|| cardinal(words, at))?;
        return dated(words, number, month, next, today);
    }
    let (number, at) = numbers::ordinal(words, start).or_else(|| cardinal(words, start))?;
    let at = at + usize::from(words.at(at) == "day" && words.at(at + 1) == "of");
    let of = usize::from(words.at(at) == "of");
    let month = month(words.at(at + of))?;
    // `2 may` is a day, `you two may` is not.
    if words.at(at + of) == "may" && of == 0 && !words.digits(start) && numbers::ordinal(words, start).is_none() {
        return None;
    }
    dated(words, number, month, at + of + 1, today)
}

fn cardinal(words: &Words<'_>, i: usize) -> Option<(i64, usize)> {
    // `march 5:30` is a march at half past five.
    if words.at(i + 1) == ":" && words.glued(i + 1) || words.is(i, &["a", "an", "half"]) {
        return None;
    }
    let figure = words.figure(i)?;
    let number = figure.value.integer().filter(|number| (0..=99).contains(number))?;
    Some((number, figure.next))
}

fn dated(words: &Words<'_>, day: i64, month: i8, i: usize, today: Date) -> Option<(Day, usize)> {
    let comma = usize::from(words.at(i) == ",");
    let relative = match (words.at(i), words.at(i + 1)) {
        ("next", "year") => Some(today.year() + 1),
        ("this", "year") => Some(today.year()),
        ("last", "year") => Some(today.year() - 1),
        _ => None,
    };
    let (year, next) = match (relative, year(words, i + comma)) {
        (Some(year), _) => (Some(year), i + 2),
        (None, Some((year, next))) => (Some(year), next),
        (None, None) => (None, i),
    };
    let name = month_name(month);
    let Some(number) = i8::try_from(day).ok().filter(|day| (1..=31).contains(day)) else {
        return Some((Day::wrong(format!("There is no {day} {name}.")), next));
    };
    if let Some(year) = year {
        return Some(match Date::new(year, month, number) {
            Ok(date) => (Day::sure(date), next),
            Err(_) => (Day::wrong(format!("There is no {day} {name} in {year}.")), next),
        });
    }
    let coming =
        (0..=8).filter_map(|ahead| Date::new(today.year() + ahead, month, number).ok()).find(|date| *date >= today);
    let day = match coming {
        None => Day::wrong(format!("There is no {day} {name}.")),
        Some(date) if date.year() > today.year() + 1 => {
            Day::asked(date, format!("The next {day} {name} is in {}. Do you mean that?", date.year()))
        }
        Some(date) => match recent(date, today) {
            Some(last) => Day::asked(
                date,
                format!("Do you mean {} or the {} that is past?", said(date, today), said(last, today)),
            ),
            None => Day::sure(date),
        },
    };
    Some((day, next))
}

/// The same day a year before, where that was only weeks ago.
fn recent(date: Date, today: Date) -> Option<Date> {
    let last = date.checked_sub(1.year()).ok()?;
    (last < today && last > today.checked_sub(6.weeks()).ok()?).then_some(last)
}

/// `2027`, `two thousand and seventeen`, `twenty seventeen`.
pub(crate) fn year(words: &Words<'_>, i: usize) -> Option<(i16, usize)> {
    let figure = words.figure(i)?;
    let value = figure.value.integer()?;
    if words.digits(i) {
        let plausible = words.at(i).len() == 4 && (1600..=2399).contains(&value) && figure.next == i + 1;
        return plausible.then_some((i16::try_from(value).ok()?, i + 1));
    }
    if (1900..=2399).contains(&value) {
        return Some((i16::try_from(value).ok()?, figure.next));
    }
    let second = words.figure(figure.next).filter(|_| matches!(value, 19 | 20))?;
    let low = second.value.integer().filter(|low| (10..=99).contains(low) && !words.digits(figure.next))?;
    Some((i16::try_from(value * 100 + low).ok()?, second.next))
}

/// `2027-03-05`, `5/3`, `5.3.2027`.
fn in_figures(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Day, usize)> {
    let mark = words.at(i + 1);
    if !words.digits(i)
        || !matches!(mark, "-" | "/" | ".")
        || !words.glued(i + 1)
        || !words.digits(i + 2)
        || !words.glued(i + 2)
    {
        return None;
    }
    let number = |at: usize| words.at(at).parse::<i16>().ok();
    let third = words.at(i + 3) == mark && words.digits(i + 4) && words.glued(i + 3) && words.glued(i + 4);
    let today = now.date();
    if words.at(i).len() == 4 && third {
        let (year, month, day) = (number(i)?, number(i + 2)?, number(i + 4)?);
        let date = i8::try_from(month)
            .ok()
            .zip(i8::try_from(day).ok())
            .and_then(|(month, day)| Date::new(year, month, day).ok());
        let wrong = || Day::wrong(format!("There is no {}.", words.phrase(i, i + 5)));
        return Some((date.map_or_else(wrong, Day::sure), i + 5));
    }
    let dated = third
        || mark == "/"
            && words.is(
                i.wrapping_sub(1),
                &["on", "by", "for", "until", "till", "from", "due", "the", "date", "to", "before", "after", "since"],
            );
    // `for 1/2 a minute` is half of one.
    let part = !third && (words.is(i + 3, &["a", "an", "of"]) || super::clock::is_unit(words.at(i + 3)));
    if !dated || part || words.at(i).len() > 2 || words.at(i + 2).len() > 2 {
        return None;
    }
    let (first, second) = (i8::try_from(number(i)?).ok()?, i8::try_from(number(i + 2)?).ok()?);
    let year = if third { Some(number(i + 4)?).map(|year| if year < 100 { 2000 + year } else { year }) } else { None };
    let next = if third { i + 5 } else { i + 3 };
    let make = |day: i8, month: i8| match year {
        Some(year) => Date::new(year, month, day).ok(),
        None => {
            (0..=8).filter_map(|ahead| Date::new(today.year() + ahead, month, day).ok()).find(|date| *date >= today)
        }
    };
    let american = now.time_zone().iana_name().is_some_and(|name| name.starts_with("America/")) && mark == "/";
    let (likely, other) =
        if american { (make(second, first), make(first, second)) } else { (make(first, second), make(second, first)) };
    Some(match (likely, other) {
        (Some(date), Some(other)) if date != other => {
            (Day::asked(date, format!("Do you mean {} or {}?", said(date, today), said(other, today))), next)
        }
        (Some(date), _) | (None, Some(date)) => (Day::sure(date), next),
        (None, None) => (Day::wrong(format!("There is no {}.", words.phrase(i, next))), next),
    })
}

/// `the 3rd`, `21st of the month`.
fn of_this_month(words: &Words<'_>, i: usize, today: Date) -> Option<(Day, usize)> {
    let the = words.at(i) == "the";
    let start = i + usize::from(the);
    let (number, next) = numbers::ordinal(words, start)?;
    let led = the
        || words.is(
            start.wrapping_sub(1),
            &["on", "for", "from", "to", "until", "till", "by", "before", "after", "since", "and", "the"],
        );
    let of_month = words.reads(next, &["of", "the", "month"])
        || words.reads(next, &["of", "this", "month"])
        || words.reads(next, &["of", "next", "month"]);
    let digits = words.digits(start);
    let accepted = of_month || led && super::clock::ends_well(words, next) || digits && words.len() == next;
    if !accepted || !(1..=31).contains(&number) {
        return None;
    }
    // `the first`, `the second of these` count other things than days.
    let spelt = !digits && !of_month && (words.at(next) == "of" || !the && !words.is(start.wrapping_sub(1), &["on"]));
    if spelt || words.at(next) == "of" && !of_month {
        return None;
    }
    let from = if words.at(next + 1) == "next" && of_month { today.last_of_month().tomorrow().ok()? } else { today };
    let date = next_such(from, number, |_| true)?;
    Some((Day::sure(date), if of_month { next + 3 } else { next }))
}

/// The next date with this day of the month that also is as asked.
pub(super) fn next_such(from: Date, day: i64, such: impl Fn(Date) -> bool) -> Option<Date> {
    let day = i8::try_from(day).ok()?;
    let months = i32::from(from.month()) - 1..i32::from(from.month()) + 30;
    let dates = months.filter_map(|month| {
        let year = from.year().checked_add(i16::try_from(month / 12).ok()?)?;
        Date::new(year, i8::try_from(month % 12 + 1).ok()?, day).ok()
    });
    dates.filter(|date| *date >= from).find(|date| such(*date))
}

/// `in two weeks`, `3 days ago`, `a week from friday`: whole days from here.
fn from_here(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Day, usize)> {
    let ahead = words.at(i) == "in";
    if words.at(i) == "week" && words.is(i + 1, &["from", "on"]) {
        let (day, next) = plain(words, i + 2, now)?;
        let date = day.date?.checked_add(1.week()).ok()?;
        return Some((Day { date: Some(date), doubt: day.doubt }, next));
    }
    if !ahead && words.figure(i).is_none() && !words.is(i, &["a", "an"]) {
        return None;
    }
    let length = lengths::length(words, i + usize::from(ahead)).filter(|length| length.finest >= Unit::Day)?;
    let move_by = |from: Date, span: Span| from.checked_add(span).ok();
    let at = length.next + usize::from(words.at(length.next) == "'" && words.glued(length.next));
    // What lasts three nights from friday begins on friday.
    let lasts = words.at(length.next.saturating_sub(1)).starts_with("night")
        || words.is(i.wrapping_sub(1), &["for", "stay", "staying"]);
    let (date, next) = match words.at(at) {
        "ago" | "earlier" => (move_by(now.date(), -length.span)?, at + 1),
        "from" | "after" if words.at(at + 1) == "now" => (move_by(now.date(), length.span)?, at + 2),
        "today" | "tomorrow" if !ahead && length.finest == Unit::Week => {
            let (day, next) = plain(words, at, now)?;
            (move_by(day.date?, length.span)?, next)
        }
        "from" | "after" | "on" if !ahead && !lasts => {
            let (day, next) = plain(words, at + 1, now)?;
            (move_by(day.date?, length.span)?, next)
        }
        "before" if !ahead && !lasts => {
            let (day, next) = day(words, at + 1, now)?;
            (move_by(day.date?, -length.span)?, next)
        }
        "time" if ahead => (move_by(now.date(), length.span)?, at + 1),
        _ if ahead => (move_by(now.date(), length.span)?, length.next),
        _ => return None,
    };
    Some((Day { date: Some(date), doubt: length.doubt }, next))
}
