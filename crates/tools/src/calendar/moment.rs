//! Times as arguments give them: moments with or without a zone, dates, lengths, and stretches between two of them.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp, Zoned};

use super::event::{When, Zone, zone_by_name};
use super::expand::later;
use crate::words::capped;

/// How long a moment is when it is asked what goes on in it.
pub(super) const INSTANT: SignedDuration = SignedDuration::from_mins(1);
/// The longest that an appointment may last, in days.
const LONGEST: i64 = 3_660;

/// A day, or a moment of one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Point {
    Day(Date),
    Moment(Zoned),
}

impl Point {
    /// Reads `2026-11-20`, `2026-11-20T19:00`, `2026-11-20T19:00:00+01:00` or the same with `[Europe/Oslo]`.
    pub(super) fn parse(name: &str, text: &str, zone: &TimeZone) -> Result<Self, String> {
        let text = text.trim();
        let wrong = || {
            let dated = text.len() >= 10 && text.bytes().take(10).all(|byte| byte.is_ascii_digit() || byte == b'-');
            let why = match dated {
                true => ": there is no such time",
                false => "",
            };
            format!(
                "`{name}` must be a date or a moment such as `2026-11-20T19:00:00+01:00[Europe/Oslo]`, got `{}`{why}",
                capped(text, 60)
            )
        };
        if !text.contains(['T', 't', ' ']) {
            return text.parse().map(Point::Day).map_err(|_| wrong());
        }
        let moment = if text.contains('[') {
            text.parse::<Zoned>()
        } else {
            match text.parse::<Timestamp>() {
                Ok(moment) => Ok(moment.to_zoned(zone.clone())),
                Err(_) => text.parse::<DateTime>().and_then(|wall| wall.to_zoned(zone.clone())),
            }
        };
        moment.map(Point::Moment).map_err(|_| wrong())
    }

    pub(super) fn day(&self, home: &TimeZone) -> Date {
        match self {
            Point::Day(day) => *day,
            Point::Moment(moment) => moment.with_time_zone(home.clone()).date(),
        }
    }

    /// The moment it begins with.
    pub(super) fn begin(&self, home: &TimeZone) -> Result<Zoned, String> {
        match self {
            Point::Day(day) => midnight(*day, home),
            Point::Moment(moment) => Ok(moment.clone()),
        }
    }

    /// The moment it ends with: a day is meant whole.
    pub(super) fn end(&self, home: &TimeZone) -> Result<Zoned, String> {
        match self {
            Point::Day(day) => midnight(later(*day, 1).ok_or_else(|| format!("{day} is too far away"))?, home),
            Point::Moment(moment) => Ok(moment.clone()),
        }
    }
}

/// The beginning of a day.
pub(super) fn midnight(day: Date, home: &TimeZone) -> Result<Zoned, String> {
    day.to_zoned(home.clone()).map_err(|_| format!("{day} is too far away"))
}

/// A zone that was asked for, or the person's own.
pub(super) fn zone(name: Option<&str>, home: &TimeZone) -> Result<TimeZone, String> {
    match name {
        None => Ok(home.clone()),
        Some(name) => zone_by_name(name)
            .ok_or_else(|| format!("`zone` must be a zone such as `Europe/Oslo`, got `{}`", capped(name, 60))),
    }
}

/// A length such as `PT1H30M`, `P2D` or `90 minutes`.
pub(super) fn length(name: &str, text: &str) -> Result<Span, String> {
    let span: Span = text
        .trim()
        .parse()
        .map_err(|_| format!("`{name}` must be a length such as `PT1H30M`, got `{}`", capped(text, 60)))?;
    Ok(span)
}

/// When an appointment is that begins at `start` and ends at `end`, or lasts for `duration`, or an hour, or a day.
pub(super) fn when(
    start: &Point,
    end: Option<&Point>,
    duration: Option<&str>,
    home: &TimeZone,
) -> Result<When, String> {
    if end.is_some() && duration.is_some() {
        return Err("give `end` or `duration`, not both".into());
    }
    match start {
        Point::Day(first) => whole_days(*first, end, duration, home),
        Point::Moment(start) => {
            let end = match (end, duration) {
                (Some(end), _) => end.end(home)?,
                (None, Some(text)) => {
                    let span = length("duration", text)?;
                    start.checked_add(span).map_err(|_| "`duration` is too long".to_owned())?
                }
                (None, None) => start
                    .checked_add(SignedDuration::from_hours(1))
                    .map_err(|_| "`start` is too far away".to_owned())?,
            };
            hours(start, &end, home)
        }
    }
}

/// A moment on the wall of its zone, and the exact time until the end.
pub(super) fn hours(start: &Zoned, end: &Zoned, home: &TimeZone) -> Result<When, String> {
    let length = end.duration_since(start);
    if length.is_negative() {
        return Err(format!("the end ({}) is before the start ({})", end.datetime(), start.datetime()));
    }
    if length.is_zero() {
        return Err("the end is the start: it would take no time".into());
    }
    if length.as_hours() / 24 > LONGEST {
        return Err("it would last longer than ten years".into());
    }
    // A zone without a name cannot be kept, and neither can the second of two hours that look the same on the wall.
    let start = match start.time_zone().iana_name() {
        Some(_) => start.clone(),
        None => start.with_time_zone(home.clone()),
    };
    let plain = start.datetime().to_zoned(start.time_zone().clone()).is_ok_and(|plain| plain == start);
    let start = if plain { start } else { start.with_time_zone(TimeZone::UTC) };
    Ok(When::Hours { start: start.datetime(), zone: Zone::of(start.time_zone()), length })
}

fn whole_days(first: Date, end: Option<&Point>, duration: Option<&str>, home: &TimeZone) -> Result<When, String> {
    let days = match (end, duration) {
        (Some(end), _) => {
            let days = i64::from((end.day(home) - first).get_days()) + 1;
            if days < 1 {
                return Err(format!("the end ({}) is before the start ({first})", end.day(home)));
            }
            days
        }
        (None, Some(text)) => {
            let span = length("duration", text)?;
            let last = first.checked_add(span).map_err(|_| "`duration` is too long".to_owned())?;
            match (i64::from((last - first).get_days()), whole_days_only(&span)) {
                (days, true) if days >= 1 => days,
                _ => return Err("a whole day lasts days, such as `P2D`; for hours give `start` a time".into()),
            }
        }
        (None, None) => 1,
    };
    match i32::try_from(days) {
        Ok(days) if i64::from(days) <= LONGEST => Ok(When::Days { first, days }),
        _ => Err("it would last longer than ten years".into()),
    }
}

/// Whether a length has no part that is less than a day.
pub(super) fn whole_days_only(span: &Span) -> bool {
    span.get_hours() == 0 && span.get_minutes() == 0 && span.get_seconds() == 0
}

/// A whole day (`2026-11-20`), a moment, or a range of them (`2026-11-20/2026-11-22`, both ends included).
pub(super) fn stretch(name: &str, text: &str, home: &TimeZone) -> Result<(Zoned, Zoned), String> {
    let (from, to) = match text.split_once('/') {
        // A zone has a slash too.
        Some((from, to)) if !from.contains('[') || from.contains(']') => {
            (Point::parse(name, from, home)?, Point::parse(name, to, home)?)
        }
        _ => match split_after_zone(text) {
            Some((from, to)) => (Point::parse(name, from, home)?, Point::parse(name, to, home)?),
            None => {
                let point = Point::parse(name, text, home)?;
                (point.clone(), point)
            }
        },
    };
    let (begin, end) = (from.begin(home)?, to.end(home)?);
    let end = match begin == end {
        true => end.checked_add(INSTANT).map_err(|_| format!("`{name}` is too far away"))?,
        false => end,
    };
    match begin < end {
        true => Ok((begin, end)),
        false => Err(format!("`{name}` ends before it begins")),
    }
}

fn split_after_zone(text: &str) -> Option<(&str, &str)> {
    let at = text.find("]/")?;
    Some((&text[..=at], &text[at + 2..]))
}

/// A time of day such as `08:00`; `24:00` is the end of the day.
pub(super) fn time_of_day(name: &str, text: &str) -> Result<Option<Time>, String> {
    let text = text.trim();
    if matches!(text, "24" | "24:00" | "24:00:00") {
        return Ok(None);
    }
    let (hour, minute) = text.split_once(':').unwrap_or((text, "0"));
    let minute = minute.split_once(':').map_or(minute, |(minute, _)| minute);
    let time = hour.parse().ok().zip(minute.parse().ok()).and_then(|(hour, minute)| Time::new(hour, minute, 0, 0).ok());
    time.map(Some).ok_or_else(|| format!("`{name}` must be a time of day such as `08:00`, got `{}`", capped(text, 20)))
}
