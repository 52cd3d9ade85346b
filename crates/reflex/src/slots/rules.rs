//! How often: `every other friday` as the rules of calendars (RFC 5545) say it.

use std::fmt;

use jiff::civil::{Date, Time, Weekday};
use jiff::{ToSpan, Zoned};

use super::clock::Part;
use super::days;
use super::lengths::{self, Unit};
use super::numbers;
use super::words::Words;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    every: Unit,
    interval: i64,
    on: On,
    /// `every morning`.
    pub(super) part: Option<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum On {
    Any,
    Weekdays(Vec<Weekday>),
    DayOfMonth(i64),
    NthWeekday(i64, Weekday),
    DayOfYear(i8, i8),
}

const WORKDAYS: [Weekday; 5] =
    [Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday];
const WEEKEND: [Weekday; 2] = [Weekday::Saturday, Weekday::Sunday];

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frequency = match self.every {
            Unit::Millisecond | Unit::Second => "SECONDLY",
            Unit::Minute => "MINUTELY",
            Unit::Hour => "HOURLY",
            Unit::Day => "DAILY",
            Unit::Week => "WEEKLY",
            Unit::Month => "MONTHLY",
            Unit::Year => "YEARLY",
        };
        write!(f, "FREQ={frequency}")?;
        if self.interval > 1 {
            write!(f, ";INTERVAL={}", self.interval)?;
        }
        match &self.on {
            On::Any => Ok(()),
            On::Weekdays(days) => {
                let days: Vec<_> = days.iter().map(|day| code(*day)).collect();
                write!(f, ";BYDAY={}", days.join(","))
            }
            On::DayOfMonth(day) => write!(f, ";BYMONTHDAY={day}"),
            On::NthWeekday(nth, day) => write!(f, ";BYDAY={nth}{}", code(*day)),
            On::DayOfYear(month, day) => write!(f, ";BYMONTH={month};BYMONTHDAY={day}"),
        }
    }
}

impl Rule {
    fn new(every: Unit, interval: i64, on: On) -> Self {
        Self { every, interval, on, part: None }
    }

    /// When it first happens at this time of day, from a day on and after now.
    pub(super) fn first(&self, now: &Zoned, from: Date, time: Time) -> Option<Zoned> {
        let zone = now.time_zone();
        from.series(1.day())
            .take(1500)
            .filter(|date| self.falls_on(*date))
            .filter_map(|date| date.to_datetime(time).to_zoned(zone.clone()).ok())
            .find(|moment| moment > now)
    }

    fn falls_on(&self, date: Date) -> bool {
        match &self.on {
            On::Any => true,
            On::Weekdays(days) => days.contains(&date.weekday()),
            On::DayOfMonth(-1) => date.last_of_month() == date,
            On::DayOfMonth(day) => i64::from(date.day()) == *day,
            On::NthWeekday(nth, day) => {
                i8::try_from(*nth).ok().and_then(|nth| date.nth_weekday_of_month(nth, *day).ok()) == Some(date)
            }
            On::DayOfYear(month, day) => date.month() == *month && date.day() == *day,
        }
    }
}

fn code(day: Weekday) -> &'static str {
    ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][day.to_monday_zero_offset().unsigned_abs() as usize % 7]
}

/// The rule that starts at a word, and the word after it.
pub(super) fn rule(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Rule, usize)> {
    let simple = |every, interval, next| Some((Rule::new(every, interval, On::Any), next));
    match words.at(i) {
        "every" | "each" => every(words, i + 1, now),
        "daily" => simple(Unit::Day, 1, i + 1),
        "nightly" => Some((Rule { part: Some(Part::Night), ..Rule::new(Unit::Day, 1, On::Any) }, i + 1)),
        "hourly" => simple(Unit::Hour, 1, i + 1),
        "weekly" => on_days(words, simple(Unit::Week, 1, i + 1)?),
        "fortnightly" | "biweekly" => on_days(words, simple(Unit::Week, 2, i + 1)?),
        "bi" if words.reads(i + 1, &["-", "weekly"]) => simple(Unit::Week, 2, i + 3),
        "monthly" => on_days(words, simple(Unit::Month, 1, i + 1)?),
        "quarterly" => simple(Unit::Month, 3, i + 1),
        "yearly" | "annually" => simple(Unit::Year, 1, i + 1),
        "weekdays" | "workdays" => Some((Rule::new(Unit::Week, 1, On::Weekdays(WORKDAYS.to_vec())), i + 1)),
        "weekends" => Some((Rule::new(Unit::Week, 1, On::Weekdays(WEEKEND.to_vec())), i + 1)),
        "once" if words.is(i + 1, &["a", "an", "every", "per"]) => {
            on_days(words, simple(lengths::unit(words.at(i + 2))?, 1, i + 3)?)
        }
        "mornings" | "evenings" | "nights" if words.before(i) != "good" => {
            Some((Rule { part: Part::named(words.at(i)), ..Rule::new(Unit::Day, 1, On::Any) }, i + 1))
        }
        _ => plural_days(words, i).or_else(|| day_of_every(words, i)),
    }
}

/// What stands after `every`.
fn every(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Rule, usize)> {
    let i = i + usize::from(words.at(i) == "single");
    let (interval, at) = match words.at(i) {
        "other" | "second" => (2, i + 1),
        _ => match words
            .figure(i)
            .filter(|figure| figure.value.integer().is_some_and(|count| (1..=10_000).contains(&count)))
        {
            Some(figure) => (figure.value.integer()?, figure.next),
            None => match numbers::ordinal(words, i)
                .filter(|(count, next)| *count > 2 && lengths::unit(words.at(*next)).is_some())
            {
                Some(found) => found,
                None => (1, i),
            },
        },
    };
    if let Some(part) = Part::named(words.at(at)) {
        return Some((Rule { part: Some(part), ..Rule::new(Unit::Day, interval, On::Any) }, at + 1));
    }
    match words.at(at) {
        "weekday" | "workday" => {
            return Some((Rule::new(Unit::Week, interval, On::Weekdays(WORKDAYS.to_vec())), at + 1));
        }
        "weekend" => return Some((Rule::new(Unit::Week, interval, On::Weekdays(WEEKEND.to_vec())), at + 1)),
        "fortnight" => return Some((Rule::new(Unit::Week, 2, On::Any), at + 1)),
        "quarter" => return Some((Rule::new(Unit::Month, 3, On::Any), at + 1)),
        _ => {}
    }
    if let Some((days, next)) = weekdays(words, at) {
        let (part, next) = match Part::named(words.at(next)) {
            Some(part) => (Some(part), next + 1),
            None => (None, next),
        };
        return Some((Rule { part, ..Rule::new(Unit::Week, interval, On::Weekdays(days)) }, next));
    }
    if let Some(unit) = lengths::unit(words.at(at)) {
        return on_days(words, (Rule::new(unit, interval, On::Any), at + 1));
    }
    // `every june third`.
    let (day, next) = days::day(words, at, now)?;
    let date =
        day.date.filter(|_| days::month(words.at(at)).is_some() || words.is(at, &["christmas", "easter", "new"]))?;
    Some((Rule::new(Unit::Year, interval, On::DayOfYear(date.month(), date.day())), next))
}

/// `monday`, `monday and thursday`, `monday, wednesday and friday`.
fn weekdays(words: &Words<'_>, i: usize) -> Option<(Vec<Weekday>, usize)> {
    let singular = |at: usize| days::weekday(words.at(at)).or_else(|| days::weekday(words.at(at).strip_suffix('s')?));
    let mut found = vec![singular(i)?];
    let mut next = i + 1;
    loop {
        let mut at = next;
        while words.is(at, &[",", "and", "&", "or", "every", "on"]) {
            at += 1;
        }
        match singular(at).filter(|_| at > next && at < words.len()) {
            Some(day) => {
                if !found.contains(&day) {
                    found.push(day);
                }
                next = at + 1;
            }
            None => break,
        }
    }
    found.sort_by_key(|day| day.to_monday_zero_offset());
    Some((found, next))
}

/// `mondays`, `on tuesdays and thursdays`.
fn plural_days(words: &Words<'_>, i: usize) -> Option<(Rule, usize)> {
    let plural = words.at(i).strip_suffix('s').filter(|day| day.ends_with("day")).and_then(days::weekday).is_some();
    if !plural {
        return None;
    }
    let (days, next) = weekdays(words, i)?;
    Some((Rule::new(Unit::Week, 1, On::Weekdays(days)), next))
}

/// `every week on monday`, `every month on the 15th`, `every year on may 3`.
fn on_days(words: &Words<'_>, (rule, next): (Rule, usize)) -> Option<(Rule, usize)> {
    let at = next + usize::from(words.at(next) == "on");
    let the = at + usize::from(words.at(at) == "the");
    let (on, after) = match rule.every {
        Unit::Week if at > next => match weekdays(words, at) {
            Some((days, after)) => (On::Weekdays(days), after),
            None => return Some((rule, next)),
        },
        Unit::Month if at > next => match day_of_month(words, the) {
            Some(found) => found,
            None => return Some((rule, next)),
        },
        Unit::Year if at > next => match day_of_year(words, the) {
            Some((month, day, after)) => (On::DayOfYear(month, day), after),
            None => return Some((rule, next)),
        },
        _ => return Some((rule, next)),
    };
    Some((Rule { on, ..rule }, after))
}

fn day_of_month(words: &Words<'_>, i: usize) -> Option<(On, usize)> {
    if words.at(i) == "last" {
        if let Some(day) = days::weekday(words.at(i + 1)) {
            return Some((On::NthWeekday(-1, day), i + 2));
        }
        return (words.at(i + 1) == "day").then_some((On::DayOfMonth(-1), i + 2));
    }
    let (number, next) = numbers::ordinal(words, i).filter(|(number, _)| (1..=31).contains(number))?;
    match days::weekday(words.at(next)) {
        Some(day) if number <= 5 => Some((On::NthWeekday(number, day), next + 1)),
        _ => Some((On::DayOfMonth(number), next + usize::from(words.at(next) == "day"))),
    }
}

fn day_of_year(words: &Words<'_>, i: usize) -> Option<(i8, i8, usize)> {
    let cardinal = |at: usize| words.figure(at).and_then(|figure| Some((figure.value.integer()?, figure.next)));
    let number = |at: usize| numbers::ordinal(words, at).or_else(|| cardinal(at));
    let (month, day, next) = match days::month(words.at(i)) {
        Some(month) => {
            let (day, next) = number(i + 1 + usize::from(words.at(i + 1) == "the"))?;
            (month, day, next)
        }
        None => {
            let (day, at) = number(i)?;
            let at = at + usize::from(words.at(at) == "of");
            (days::month(words.at(at))?, day, at + 1)
        }
    };
    let day = i8::try_from(day).ok()?;
    Date::new(2024, month, day).ok().map(|_| (month, day, next))
}

/// `on the first of every month`, `the last friday of each month`, `22nd of each month`.
fn day_of_every(words: &Words<'_>, i: usize) -> Option<(Rule, usize)> {
    let start = i + usize::from(words.at(i) == "the");
    if !words.is(start, &["last"]) && numbers::ordinal(words, start).is_none() {
        return None;
    }
    let (on, at) = day_of_month(words, start)?;
    let of = at + usize::from(words.at(at) == "of");
    if !words.is(of, &["every", "each"]) {
        return None;
    }
    let (interval, at) = if words.at(of + 1) == "other" { (2, of + 2) } else { (1, of + 1) };
    (words.at(at) == "month").then_some((Rule::new(Unit::Month, interval, on), at + 1))
}
