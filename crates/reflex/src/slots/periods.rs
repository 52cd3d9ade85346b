//! Parts of the calendar that have a beginning and an end: `next week`, `this weekend`, `the next three days`, `in march`.

use jiff::civil::Date;
use jiff::{Span, ToSpan, Zoned};

use super::days;
use super::lengths::{self, Unit};
use super::words::Words;

/// From a moment up to, and without, another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Period {
    pub(super) from: Zoned,
    pub(super) to: Zoned,
    pub(super) doubt: Option<String>,
}

impl Period {
    /// Whole days, the last one included.
    pub(super) fn days(now: &Zoned, first: Date, last: Date) -> Option<Self> {
        let start = |date: Date| date.to_zoned(now.time_zone().clone()).ok();
        Some(Self { from: start(first)?, to: start(last.tomorrow().ok()?)?, doubt: None })
    }
}

/// The period that starts at a word, and the word after it.
pub(super) fn period(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Period, usize)> {
    let start = i + usize::from(words.is(i, &["the", "my"]));
    let (period, next) = match words.at(start) {
        which @ ("this" | "next" | "last" | "coming" | "current" | "past" | "previous" | "following" | "upcoming") => {
            relative(words, which, start + 1, now)?
        }
        "weekend" => (weekend(now, 0)?, start + 1),
        "week" if words.at(start + 1) == "of" && days::day(words, start + 2, now).is_some() => {
            let (day, next) = days::day(words, start + 2, now)?;
            let date = day.date?;
            let first = date.checked_sub(i64::from(date.weekday().to_monday_zero_offset()).days()).ok()?;
            (Period::days(now, first, first.checked_add(6.days()).ok()?)?, next)
        }
        "week" if start > i && words.is(start.wrapping_sub(3), &["day", "days"]) => return None,
        "week" if start > i && words.is(start.wrapping_sub(2), &["during", "for", "of"]) => (week(now, 0)?, start + 1),
        "month" if start > i && words.is(start.wrapping_sub(2), &["during", "for"]) => {
            let first = now.date().first_of_month();
            (Period::days(now, first, first.last_of_month())?, start + 1)
        }
        "rest" | "remainder" if words.at(start + 1) == "of" => rest(words, start + 2, now)?,
        _ => months(words, i, now)?,
    };
    Some((period, next + usize::from(words.at(next) == "'s")))
}

fn relative(words: &Words<'_>, which: &str, i: usize, now: &Zoned) -> Option<(Period, usize)> {
    let weeks = match which {
        "this" | "current" | "coming" | "upcoming" => 0,
        "next" | "following" => 1,
        _ => -1,
    };
    let today = now.date();
    match words.at(i) {
        // `next week friday` is a day, which starts at its name.
        "week" if days::weekday(words.at(i + 1)).is_some() => return None,
        "week" => return Some((week(now, weeks)?, i + 1)),
        "weekend" => return Some((weekend(now, weeks)?, i + 1)),
        "month" => {
            let first = today.first_of_month().checked_add(weeks.months()).ok()?;
            return Some((Period::days(now, first, first.last_of_month())?, i + 1));
        }
        "year" => {
            let first = today.first_of_year().checked_add(weeks.years()).ok()?;
            return Some((Period::days(now, first, first.last_of_year())?, i + 1));
        }
        name => {
            // `next march 5` is a day.
            if let Some(month) = days::month(name).filter(|_| words.figure(i + 1).is_none()) {
                let this = Date::new(today.year(), month, 1).ok()?;
                let ahead = match weeks {
                    -1 => -i64::from(this >= today.first_of_month()),
                    _ => i64::from(this < today.first_of_month()),
                };
                let first = this.checked_add(ahead.years()).ok()?;
                return Some((Period::days(now, first, first.last_of_month())?, i + 1));
            }
        }
    }
    // `the next three days`, `the last hour`.
    let (span, next, doubt) = match lengths::unit(words.at(i)).filter(|unit| *unit < Unit::Day) {
        Some(Unit::Hour) => {
            let half = words.reads(i + 1, &["and", "a", "half"]);
            (if half { 90.minutes() } else { 1.hour() }, if half { i + 4 } else { i + 1 }, None)
        }
        Some(Unit::Minute) => (1.minute(), i + 1, None),
        _ => {
            let length = lengths::length(words, i)?;
            (length.span, length.next, length.doubt)
        }
    };
    around(now, span, weeks, doubt).map(|period| (period, next))
}

fn around(now: &Zoned, span: Span, direction: i64, doubt: Option<String>) -> Option<Period> {
    match direction {
        1 => Some(Period { from: now.clone(), to: now.checked_add(span).ok()?, doubt }),
        -1 => Some(Period { from: now.checked_sub(span).ok()?, to: now.clone(), doubt }),
        _ => None,
    }
}

fn monday(now: &Zoned) -> Option<Date> {
    let today = now.date();
    today.checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days()).ok()
}

fn week(now: &Zoned, ahead: i64) -> Option<Period> {
    let first = monday(now)?.checked_add(ahead.weeks()).ok()?;
    Period::days(now, first, first.checked_add(6.days()).ok()?)
}

fn weekend(now: &Zoned, ahead: i64) -> Option<Period> {
    let saturday = monday(now)?.checked_add(5.days()).ok()?.checked_add(ahead.weeks()).ok()?;
    let mut period = Period::days(now, saturday, saturday.tomorrow().ok()?)?;
    let coming = saturday.checked_sub(1.week()).ok()?;
    if ahead == 1 && now.date() < coming {
        let (near, far) = (days::said(coming, now.date()), days::said(saturday, now.date()));
        period.doubt = Some(format!("Do you mean the weekend of {near} or of {far}?"));
    }
    Some(period)
}

fn rest(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Period, usize)> {
    let at = i + usize::from(words.is(i, &["the", "this"]));
    let today = now.date();
    let last = match words.at(at) {
        "day" | "today" => today,
        "week" => monday(now)?.checked_add(6.days()).ok()?,
        "month" => today.last_of_month(),
        "year" => today.last_of_year(),
        _ => return None,
    };
    let to = Period::days(now, today, last)?.to;
    Some((Period { from: now.clone(), to, doubt: None }, at + 1))
}

/// `in march`, `march 2027`, `october last year`, `during 2017`.
fn months(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Period, usize)> {
    let today = now.date();
    let led = words.is(
        i.wrapping_sub(1),
        &["in", "during", "for", "from", "until", "till", "by", "since", "before", "after", "to", "between", "all"],
    );
    if let Some((year, next)) =
        days::year(words, i).filter(|_| words.is(i.wrapping_sub(1), &["in", "during", "year", "since", "for"]))
    {
        let first = Date::new(year, 1, 1).ok().filter(|_| super::clock::ends_well(words, next))?;
        return Some((Period::days(now, first, first.last_of_year())?, next));
    }
    let month = days::month(words.at(i))?;
    let (year, next) = match (words.at(i + 1), words.at(i + 2)) {
        ("next", "year") => (Some(today.year() + 1), i + 3),
        ("last", "year") => (Some(today.year() - 1), i + 3),
        ("this", "year") => (Some(today.year()), i + 3),
        _ => match days::year(words, i + 1) {
            Some((year, next)) => (Some(year), next),
            None => (None, i + 1),
        },
    };
    // `may` and `march` alone are verbs.
    if year.is_none() && !led {
        return None;
    }
    let coming = if month < today.month() { today.year() + 1 } else { today.year() };
    let first = Date::new(year.unwrap_or(coming), month, 1).ok()?;
    Some((Period::days(now, first, first.last_of_month())?, next))
}
