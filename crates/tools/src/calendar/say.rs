//! Sentences about appointments.

use jiff::Zoned;
use jiff::civil::Weekday;

use super::expand::later;
use super::occur::Occurrence;
use super::rule::{Day, End, Every, Rule};
use crate::phrase::{clock, day, duration, listed, moment};

/// An appointment and when it is: `“Dentist” on Friday 20 November at 19:00`.
pub(super) fn named(occurrence: &Occurrence<'_>, now: &Zoned) -> String {
    format!("“{}” {}", occurrence.about.title, when(occurrence, now))
}

/// When it is: `tomorrow at 19:00`, `on Friday 20 November`, `from today to Sunday 22 November`.
pub(super) fn when(occurrence: &Occurrence<'_>, now: &Zoned) -> String {
    if !occurrence.all_day() {
        return moment(&occurrence.start, now);
    }
    let first = day(&occurrence.start, now);
    match last_day(occurrence) {
        Some(last) if last > occurrence.start => {
            format!("from {} to {}", bare(&first), bare(&day(&last, now)))
        }
        _ => first,
    }
}

/// A line of a list, without its day: `19:00–20:00 Dentist (Oslo)`.
pub(super) fn line(occurrence: &Occurrence<'_>, now: &Zoned) -> String {
    let place = occurrence.about.place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
    let title = &occurrence.about.title;
    if occurrence.all_day() {
        return match last_day(occurrence) {
            Some(last) if last > occurrence.start => format!("until {} {title}{place}", bare(&day(&last, now))),
            _ => format!("all day {title}{place}"),
        };
    }
    format!("{}–{} {title}{place}", clock(&occurrence.start, now), until(occurrence, now))
}

/// How long it lasts.
pub(super) fn lasting(occurrence: &Occurrence<'_>) -> String {
    duration(occurrence.end.duration_since(&occurrence.start))
}

/// A day without its preposition, for places that bring their own.
pub(super) fn bare(day: &str) -> &str {
    day.strip_prefix("on ").unwrap_or(day)
}

/// The same with a capital, for beginnings.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// `1 appointment`, `3 appointments`.
pub(super) fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

/// How a rule repeats: `every week on Monday and Wednesday, 10 times`.
pub(super) fn rule(rule: &Rule, now: &Zoned) -> String {
    let unit = match rule.every {
        Every::Day => "day",
        Every::Week => "week",
        Every::Month => "month",
        Every::Year => "year",
    };
    let every = match rule.interval {
        1 => format!("every {unit}"),
        2 => format!("every other {unit}"),
        many => format!("every {many} {unit}s"),
    };
    let days: Vec<String> = rule.days.iter().map(weekday).collect();
    let dates: Vec<String> = rule.month_days.iter().map(|day| position(i64::from(*day), "day")).collect();
    let on = match (days.is_empty(), dates.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!(" on {}", listed(&days, "and")),
        (true, false) => format!(" on the {}", listed(&dates, "and")),
        (false, false) => format!(" on {} that is the {}", listed(&days, "or"), listed(&dates, "or")),
    };
    let end = match rule.end {
        End::Never => String::new(),
        End::Count(1) => ", once".into(),
        End::Count(count) => format!(", {count} times"),
        End::Day(last) => last.to_zoned(now.time_zone().clone()).map_or(String::new(), |last| until_day(&last, now)),
        End::Wall(last) => last.to_zoned(now.time_zone().clone()).map_or(String::new(), |last| until_day(&last, now)),
        End::Moment(last) => until_day(&last.to_zoned(now.time_zone().clone()), now),
    };
    format!("{every}{on}{end}")
}

fn until_day(last: &Zoned, now: &Zoned) -> String {
    format!(", until {}", bare(&day(last, now)))
}

fn weekday(day: &Day) -> String {
    let name = match day.weekday {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    };
    day.nth.map_or_else(|| name.to_owned(), |nth| format!("the {}", position(i64::from(nth), name)))
}

fn position(nth: i64, thing: &str) -> String {
    let ordinal = |nth: i64| match (nth % 100, nth % 10) {
        (11..=13, _) => format!("{nth}th"),
        (_, 1) => format!("{nth}st"),
        (_, 2) => format!("{nth}nd"),
        (_, 3) => format!("{nth}rd"),
        _ => format!("{nth}th"),
    };
    match nth {
        -1 => format!("last {thing}"),
        ..-1 => format!("{} to last {thing}", ordinal(-nth)),
        _ => format!("{} {thing}", ordinal(nth)),
    }
}

fn until(occurrence: &Occurrence<'_>, now: &Zoned) -> String {
    let (start, end) = (&occurrence.start, &occurrence.end);
    let zone = now.time_zone();
    match start.with_time_zone(zone.clone()).date() == end.with_time_zone(zone.clone()).date() {
        true => clock(end, now),
        false => format!("{} {}", bare(&day(end, now)), clock(end, now)),
    }
}

fn last_day(occurrence: &Occurrence<'_>) -> Option<Zoned> {
    later(occurrence.end.date(), -1)?.to_zoned(occurrence.start.time_zone().clone()).ok()
}
