//! Which time is asked about, on the clocks of the place.

use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, ToSpan, Zoned};

/// How many days a forecast reaches, today included.
const HORIZON: i32 = 16;
/// How many days are told where none is named.
const SOME: i32 = 3;

/// A stretch of time.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Span {
    /// Whole days, both included.
    Days {
        first: Date,
        last: Date,
        told: Told,
        /// Whether more days were asked for than can be known.
        cut: bool,
    },
    /// Hours, without `end`.
    Hours { first: DateTime, end: DateTime },
}

/// Which days a condition is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Told {
    /// All that were named.
    All,
    /// Where nobody named any, the first.
    First,
}

/// What a person wrote for a time.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum When {
    Day(Date),
    /// A time of day, here and there: as it was written, and the moment it is where a zone was written with it.
    Moment {
        written: DateTime,
        at: Option<Timestamp>,
    },
}

/// Reads a date, a moment, `today` or `tomorrow`.
pub(super) fn when(text: &str, today: Date) -> Option<When> {
    let text = text.trim();
    match text.to_ascii_lowercase().as_str() {
        "today" => return Some(When::Day(today)),
        "tomorrow" => return Some(When::Day(today.tomorrow().ok()?)),
        _ => {}
    }
    if !text.contains(':') {
        return text.parse().ok().map(When::Day);
    }
    if let Ok(zoned) = text.parse::<Zoned>() {
        return Some(When::Moment { written: zoned.datetime(), at: Some(zoned.timestamp()) });
    }
    let at = text.parse::<Timestamp>().ok();
    // An offset is left out of a civil time, a `Z` is refused there.
    let written = text.trim_end_matches(['Z', 'z']).parse::<DateTime>().ok()?;
    Some(When::Moment { written, at })
}

/// The time between `from` and `to` at a place where it is `now`, or the sentence that says why there is no forecast.
pub(super) fn span(from: Option<When>, to: Option<When>, zone: &TimeZone, now: Timestamp) -> Result<Span, String> {
    let here = now.to_zoned(zone.clone()).datetime();
    let today = here.date();
    let last_day = today.saturating_add((HORIZON - 1).days());
    let span = match (from, to) {
        (None, None) => {
            let last = today.saturating_add((SOME - 1).days());
            return Ok(Span::Days { first: today, last, told: Told::First, cut: false });
        }
        (Some(When::Moment { written, at }), None) => {
            let first = hour(local(written, at, zone));
            Span::Hours { first, end: first.saturating_add(1.hour()) }
        }
        (Some(from), Some(to)) => between(from, to, zone),
        (Some(When::Day(day)), None) => named(day, day),
        (None, Some(to)) => between(When::Day(today), to, zone),
    };
    let past = |day| format!("there are forecasts from today on ({today}), not for {day}, which is past");
    let far = |day| format!("forecasts reach {HORIZON} days, until {last_day}; {day} is too far away");
    match span {
        Span::Days { first, last, .. } if last < first => Err("`to` is before `from`".into()),
        Span::Hours { first, end } if end <= first => Err("`to` is before `from`".into()),
        Span::Days { first, last, .. } if last < today && !still_today(last, now) => Err(past(first)),
        Span::Hours { first, end } if end <= here => Err(past(first.date())),
        Span::Days { first, .. } if first > last_day => Err(far(first)),
        Span::Hours { first, .. } if first.date() > last_day => Err(far(first.date())),
        // What is left of a stretch that has begun, and as much as can be known of one that goes on.
        Span::Days { first, last, told, .. } => {
            Ok(Span::Days { first: first.max(today), last: last.clamp(today, last_day), told, cut: last > last_day })
        }
        Span::Hours { first, end } => Ok(Span::Hours { first: first.max(hour(here)), end }),
    }
}

/// Less than a day between two moments is hours; everything else is days.
fn between(from: When, to: When, zone: &TimeZone) -> Span {
    if let (When::Moment { written, at }, When::Moment { written: until, at: until_at }) = (&from, &to) {
        let whole_days = midnight(*written) && midnight(*until);
        let (first, end) = (local(*written, *at, zone), local(*until, *until_at, zone));
        if !whole_days && end <= first.saturating_add(24.hours()) {
            let (first, last) = (hour(first), hour(end));
            let end = if last == end { last } else { last.saturating_add(1.hour()) };
            return Span::Hours { first, end };
        }
    }
    let last = match to {
        When::Day(day) => day,
        // A range that ends at midnight does not mean the day that begins there.
        When::Moment { written, .. } if midnight(written) => written.date().yesterday().unwrap_or(written.date()),
        When::Moment { written, .. } => written.date(),
    };
    let first = match from {
        When::Day(day) => day,
        When::Moment { written, .. } => written.date(),
    };
    named(first, last)
}

fn named(first: Date, last: Date) -> Span {
    Span::Days { first, last, told: Told::All, cut: false }
}

fn local(written: DateTime, at: Option<Timestamp>, zone: &TimeZone) -> DateTime {
    at.map_or(written, |at| at.to_zoned(zone.clone()).datetime())
}

fn midnight(moment: DateTime) -> bool {
    moment.time() == jiff::civil::Time::midnight()
}

fn hour(moment: DateTime) -> DateTime {
    moment.date().at(moment.hour(), 0, 0, 0)
}

/// Whether a day that is over at the place is not over everywhere: somebody far west of it means their today.
fn still_today(day: Date, now: Timestamp) -> bool {
    let west = Offset::constant(-12).to_datetime(now);
    day >= west.date()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = jiff::civil::date(2025, 3, 1);

    fn asked(from: Option<&str>, to: Option<&str>) -> Result<Span, String> {
        let zone = TimeZone::fixed(Offset::constant(1));
        let read = |text: &str| when(text, TODAY).ok_or("unreadable".to_owned());
        let (from, to) = (from.map(read).transpose()?, to.map(read).transpose()?);
        span(from, to, &zone, "2025-03-01T12:30:00Z".parse().expect("time"))
    }

    fn days(first: &str, last: &str) -> Result<Span, String> {
        Ok(named(first.parse().expect("date"), last.parse().expect("date")))
    }

    fn hours(first: &str, end: &str) -> Result<Span, String> {
        Ok(Span::Hours { first: first.parse().expect("time"), end: end.parse().expect("time") })
    }

    #[test]
    fn days_and_moments_are_told_apart() {
        assert_eq!(asked(Some("2025-03-02"), None), days("2025-03-02", "2025-03-02"));
        assert_eq!(asked(Some("tomorrow"), None), days("2025-03-02", "2025-03-02"));
        assert_eq!(asked(None, Some("2025-03-04")), days("2025-03-01", "2025-03-04"));
        assert_eq!(asked(Some("2025-03-02T08:15"), None), hours("2025-03-02T08:00", "2025-03-02T09:00"));
        assert_eq!(asked(Some("2025-03-02T08:15:00Z"), None), hours("2025-03-02T09:00", "2025-03-02T10:00"));
        assert_eq!(asked(Some("2025-03-02T08:15:00-05:00"), None), hours("2025-03-02T14:00", "2025-03-02T15:00"));
        let morning = asked(Some("2025-03-02T06:00+01:00"), Some("2025-03-02T11:30+01:00"));
        assert_eq!(morning, hours("2025-03-02T06:00", "2025-03-02T12:00"));
    }

    #[test]
    fn a_range_that_ends_at_midnight_ends_the_day_before() {
        let whole = asked(Some("2025-03-02T00:00:00+09:00"), Some("2025-03-03T00:00:00+09:00"));
        assert_eq!(whole, days("2025-03-02", "2025-03-02"));
        assert_eq!(asked(Some("2025-03-02T10:00"), Some("2025-03-09T00:00")), days("2025-03-02", "2025-03-08"));
    }

    #[test]
    fn what_is_past_or_too_far_is_refused_and_what_reaches_too_far_is_cut() {
        for (from, to, words) in [
            (Some("2025-02-20"), None, "past"),
            (Some("2025-03-01T09:00"), None, "past"),
            (Some("2025-03-17"), None, "until 2025-03-16"),
            (Some("2025-03-05"), Some("2025-03-04"), "before"),
            (Some("2025-03-05T10:00"), Some("2025-03-05T09:00"), "before"),
            (Some("2025-02-30"), None, "unreadable"),
            (Some("99999-01-01"), None, "unreadable"),
            (Some("9999-12-31"), None, "too far"),
            (Some("🌧"), None, "unreadable"),
            (Some(""), None, "unreadable"),
        ] {
            let said = asked(from, to).expect_err("refused");
            assert!(said.contains(words), "{from:?}: {said}");
        }
        let (first, last) = ("2025-03-10".parse().expect("date"), "2025-03-16".parse().expect("date"));
        let cut = Span::Days { first, last, told: Told::All, cut: true };
        assert_eq!(asked(Some("2025-03-10"), Some("2025-03-30")), Ok(cut));
    }

    #[test]
    fn of_what_has_begun_the_rest_is_meant() {
        let zone = "+01:00[Europe/Oslo]";
        let week = asked(Some(&format!("2025-02-24T00:00:00{zone}")), Some(&format!("2025-03-03T00:00:00{zone}")));
        assert_eq!(week, days("2025-03-01", "2025-03-02"));
        let afternoon = asked(Some("2025-03-01T12:00"), Some("2025-03-01T18:00"));
        assert_eq!(afternoon, hours("2025-03-01T13:00", "2025-03-01T18:00"));
        let tonight = asked(Some("2025-03-01T18:00"), Some("2025-03-02T00:00"));
        assert_eq!(tonight, hours("2025-03-01T18:00", "2025-03-02T00:00"));
    }

    #[test]
    fn today_far_in_the_west_is_today_where_tomorrow_has_begun() {
        let zone = TimeZone::fixed(Offset::constant(13));
        let now = "2025-03-01T12:30:00Z".parse().expect("time");
        let asked = span(Some(When::Day(TODAY)), None, &zone, now);
        assert_eq!(asked, days("2025-03-02", "2025-03-02"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_time_or_not(
            from in "\\PC{0,30}|[0-9]{1,5}-[0-9]{1,3}-[0-9]{1,3}(T[0-9]{1,3}:[0-9]{1,3}(Z|[+-][0-9]{2}:[0-9]{2})?)?"
        ) {
            let _ = (asked(Some(&from), None), asked(Some("2025-03-02"), Some(&from)), asked(Some(&from), Some(&from)));
        }
    }
}
