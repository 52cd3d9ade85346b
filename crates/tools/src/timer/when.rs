//! From what a call says about time to the moment at which something is due. What cannot be meant is refused here.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp, Zoned};

use super::recurrence::Recurrence;
use crate::phrase;
use crate::words::capped;

/// The furthest that anything is set ahead, in seconds: a year with 29 February.
const FURTHEST: SignedDuration = SignedDuration::from_hours(366 * 24);

/// When something is due, and how that was said.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct When {
    pub(super) due: Timestamp,
    /// From what a series is counted.
    pub(super) begun: Timestamp,
    /// For what was said as a duration.
    pub(super) length: Option<SignedDuration>,
    /// For what was said as a moment, where its zone has a name.
    pub(super) zone: Option<String>,
    pub(super) rule: Option<Recurrence>,
}

/// Reads the arguments of something that is to be set. A day without a time means `hour`, if that may be assumed.
pub(super) fn when(
    now: &Zoned,
    duration: Option<&str>,
    at: Option<&str>,
    recurrence: Option<&str>,
    hour: Option<Time>,
) -> Result<When, String> {
    let rule = recurrence.map(Recurrence::parse).transpose()?;
    let (first, length) = match (duration, at, rule.as_ref().and_then(Recurrence::period)) {
        (Some(_), Some(_), _) => return Err("give either `duration` or `at`, not both".into()),
        (Some(text), None, _) => {
            let due = later(now, span(text)?, text)?;
            (due.clone(), Some(now.timestamp().duration_until(due.timestamp())))
        }
        (None, Some(text), _) => match (text.trim().parse::<Date>(), hour) {
            (Ok(day), Some(hour)) if is_day(text) => (at_home(day.to_datetime(hour), now)?, None),
            (Ok(_), None) if is_day(text) => return Err("`at` is a day: at what time on that day?".into()),
            _ => (moment(text, now.time_zone())?, None),
        },
        // What comes every hour comes first in an hour.
        (None, None, Some(period)) => {
            let due = now.timestamp().checked_add(period).map_err(|_| too_far())?;
            (due.to_zoned(now.time_zone().clone()), None)
        }
        (None, None, None) => match hour.filter(|_| rule.is_some()) {
            Some(hour) => (at_home(now.date().to_datetime(hour), now)?, None),
            None => return Err("give either `duration` or `at`: when is it due?".into()),
        },
    };
    let (begun, zone) = (first.timestamp(), first.time_zone());
    let due = match &rule {
        None => begun,
        // The day that was named need not be one of the rule's own.
        Some(rule) => {
            let before = Timestamp::from_second(begun.as_second() - 1).unwrap_or(begun).max(now.timestamp());
            rule.next(begun, zone, before).ok_or("there is no day on which this recurrence is due")?
        }
    };
    ahead(now, due)?;
    Ok(When { due, begun, length, zone: zone.iana_name().map(str::to_owned), rule })
}

/// Refuses what has passed and what is too far away.
pub(super) fn ahead(now: &Zoned, due: Timestamp) -> Result<(), String> {
    let left = now.timestamp().duration_until(due);
    if left <= SignedDuration::ZERO {
        let due = due.to_zoned(now.time_zone().clone());
        return Err(format!("{} has passed: give a time that is still to come", phrase::moment(&due, now)));
    }
    if left > FURTHEST { Err(too_far()) } else { Ok(()) }
}

/// A length of time that is more than nothing.
pub(super) fn later(now: &Zoned, span: Span, text: &str) -> Result<Zoned, String> {
    if span.is_zero() {
        return Err("a duration of zero has ended before it begins: give a longer one".into());
    }
    if span.is_negative() {
        return Err(format!("`{}` goes back in time: give a duration that is more than zero", capped(text, 40)));
    }
    now.checked_add(span).map_err(|_| too_far())
}

/// Reads `PT10M`, and `-PT5M` where less is meant.
pub(super) fn span(text: &str) -> Result<Span, String> {
    text.trim()
        .parse()
        .map_err(|_| format!("`{}` is not a duration: write it as `PT10M` or `PT1H30M`", capped(text, 40)))
}

/// Reads a moment with its zone, with its offset, or as the clock shows it at home.
pub(super) fn moment(text: &str, home: &TimeZone) -> Result<Zoned, String> {
    let text = text.trim();
    if let Ok(zoned) = text.parse::<Zoned>() {
        return Ok(zoned);
    }
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment.to_zoned(home.clone()));
    }
    let clock = text.parse::<DateTime>().ok().and_then(|clock| clock.to_zoned(home.clone()).ok());
    clock.ok_or_else(|| {
        format!("`{}` is not a moment: write it as `2026-11-15T19:00:00+01:00[Europe/Oslo]`", capped(text, 60))
    })
}

/// Whether a text is a day, and not the day of a moment.
pub(super) fn is_day(text: &str) -> bool {
    text.trim().parse::<Date>().is_ok() && !text.contains(['T', 't', ':', ' '])
}

fn at_home(clock: DateTime, now: &Zoned) -> Result<Zoned, String> {
    clock.to_zoned(now.time_zone().clone()).map_err(|_| too_far())
}

fn too_far() -> String {
    "that is more than a year away: the furthest is a year from now".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Zoned {
        "2026-11-15T14:00:00+01:00[Europe/Oslo]".parse().expect("a moment")
    }

    fn due(duration: Option<&str>, at: Option<&str>, rule: Option<&str>) -> Result<String, String> {
        when(&now(), duration, at, rule, None).map(|when| when.due.to_string())
    }

    #[test]
    fn a_day_has_a_time_only_where_one_may_be_assumed() {
        let nine = Some(jiff::civil::time(9, 0, 0, 0));
        let due = |at, rule| when(&now(), None, at, rule, nine).map(|when| when.due.to_string());
        assert_eq!(due(Some("2026-11-20"), None), Ok("2026-11-20T08:00:00Z".into()));
        assert_eq!(due(None, Some("FREQ=WEEKLY;BYDAY=MO")), Ok("2026-11-16T08:00:00Z".into()));
        assert_eq!(due(None, Some("FREQ=DAILY")), Ok("2026-11-16T08:00:00Z".into()));
        assert_eq!(due(None, Some("FREQ=MONTHLY;BYMONTHDAY=1")), Ok("2026-12-01T08:00:00Z".into()));
        assert!(due(None, None).is_err());
        assert!(when(&now(), None, Some("2026-11-20"), None, None).expect_err("no time").contains("at what time"));
    }

    #[test]
    fn a_moment_is_found_from_what_was_said() {
        for (duration, at, rule, expected) in [
            (Some("PT10M"), None, None, "2026-11-15T13:10:00Z"),
            (Some("P1D"), None, None, "2026-11-16T13:00:00Z"),
            (None, Some("2026-11-15T19:00:00+01:00[Europe/Oslo]"), None, "2026-11-15T18:00:00Z"),
            (None, Some("2026-11-15T19:00:00Z"), None, "2026-11-15T19:00:00Z"),
            (None, Some("2026-11-15T19:00"), None, "2026-11-15T18:00:00Z"),
            (None, Some("2026-11-15T07:00"), Some("FREQ=DAILY"), "2026-11-16T06:00:00Z"),
            (None, Some("2026-11-16T07:00"), Some("FREQ=DAILY"), "2026-11-16T06:00:00Z"),
            (None, Some("2026-11-16T07:00"), Some("FREQ=WEEKLY;BYDAY=WE"), "2026-11-18T06:00:00Z"),
            (None, None, Some("FREQ=HOURLY"), "2026-11-15T14:00:00Z"),
            (Some("PT5M"), None, Some("FREQ=HOURLY"), "2026-11-15T13:05:00Z"),
        ] {
            assert_eq!(due(duration, at, rule), Ok(expected.to_owned()), "{duration:?} {at:?} {rule:?}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (duration, at, rule, why) in [
            (None, None, None, "when is it due?"),
            (None, None, Some("FREQ=DAILY"), "when is it due?"),
            (Some("PT1M"), Some("2026-11-15T19:00"), None, "not both"),
            (Some("PT0S"), None, None, "zero"),
            (Some("-PT5M"), None, None, "back in time"),
            (Some("P2Y"), None, None, "more than a year"),
            (Some("PT99999999999999999999H"), None, None, "not a duration"),
            (Some("P9998Y"), None, None, "more than a year"),
            (Some("soon"), None, None, "not a duration"),
            (Some(""), None, None, "not a duration"),
            (None, Some("2026-02-30T10:00"), None, "not a moment"),
            (None, Some("2026-11-15T13:59:00+01:00"), None, "today at 13:59 has passed"),
            (None, Some("2030-01-01T00:00"), None, "more than a year"),
            (None, Some("🕰"), None, "not a moment"),
            (None, Some("2026-11-16T07:00"), Some("FREQ=DAILY;INTERVAL=7;BYDAY=WE"), "no day"),
        ] {
            let error = due(duration, at, rule).expect_err("refused");
            assert!(error.contains(why), "{duration:?} {at:?} {rule:?}: {error}");
        }
    }
}
