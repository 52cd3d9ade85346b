//! How often something rings: the part of RFC 5545's rules that people say to an alarm clock.
//!
//! Days, weeks, months and years are counted on the calendar of a zone, so 07:00 stays 07:00 when the clocks change;
//! hours and minutes are counted as they pass.

use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

use crate::phrase;

/// The longest interval, in units of the frequency.
const INTERVAL: i64 = 1_000;
const DAYS: [(&str, Weekday); 7] = [
    ("MO", Weekday::Monday),
    ("TU", Weekday::Tuesday),
    ("WE", Weekday::Wednesday),
    ("TH", Weekday::Thursday),
    ("FR", Weekday::Friday),
    ("SA", Weekday::Saturday),
    ("SU", Weekday::Sunday),
];

/// A rule that can be counted on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recurrence {
    every: Every,
    interval: i64,
    /// On these days only, Monday first; on any when empty.
    on: Vec<Weekday>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Every {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

impl Recurrence {
    /// Reads `FREQ=WEEKLY;BYDAY=MO,WE`, or says in a sentence what it cannot do.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim().to_uppercase();
        let (mut every, mut interval, mut on) = (None, 1, Vec::new());
        for part in text.strip_prefix("RRULE:").unwrap_or(&text).split(';').filter(|part| !part.is_empty()) {
            match part.split_once('=').unwrap_or((part, "")) {
                ("FREQ", word) => every = Some(frequency(word)?),
                ("INTERVAL", number) => {
                    let count = number.parse().ok().filter(|count| (1..=INTERVAL).contains(count));
                    interval = count.ok_or_else(|| format!("`INTERVAL` is a number from 1 to {INTERVAL}"))?;
                }
                ("BYDAY", days) => on = weekdays(days)?,
                ("WKST", _) => {}
                (name, _) => {
                    return Err(format!(
                        "`{}` is not known here: a recurrence has `FREQ`, `INTERVAL` and `BYDAY`",
                        crate::words::capped(name, 40)
                    ));
                }
            }
        }
        let every = every.ok_or("a recurrence begins with `FREQ=`, for example `FREQ=DAILY`")?;
        match every {
            Every::Minute | Every::Hour | Every::Month | Every::Year if !on.is_empty() => {
                Err("`BYDAY` goes with `FREQ=DAILY` and `FREQ=WEEKLY` only".into())
            }
            _ => Ok(Self { every, interval, on }),
        }
    }

    /// The time between two, where that does not depend on the calendar.
    pub(super) fn period(&self) -> Option<SignedDuration> {
        match self.every {
            Every::Minute => Some(SignedDuration::from_mins(self.interval)),
            Every::Hour => Some(SignedDuration::from_hours(self.interval)),
            Every::Day | Every::Week | Every::Month | Every::Year => None,
        }
    }

    /// The first one after a moment, counted from `begun`. None when there is no such day on the calendar.
    pub(super) fn next(&self, begun: Timestamp, zone: &TimeZone, after: Timestamp) -> Option<Timestamp> {
        if let Some(period) = self.period() {
            let passed = begun.duration_until(after).as_secs();
            let times = if passed < 0 { 0 } else { passed / period.as_secs() + 1 };
            return begun.checked_add(SignedDuration::from_secs(times.checked_mul(period.as_secs())?)).ok();
        }
        let anchor = begun.to_zoned(zone.clone()).datetime();
        let from = after.max(begun).to_zoned(zone.clone()).date();
        let fits = |date: Date| {
            let at = DateTime::from_parts(date, anchor.time()).to_zoned(zone.clone()).ok()?.timestamp();
            (at > after && at >= begun).then_some(at)
        };
        match self.every {
            Every::Month | Every::Year => {
                let months = self.interval * if self.every == Every::Year { 12 } else { 1 };
                let since = i64::from(from.year() - anchor.year()) * 12 + i64::from(from.month() - anchor.month());
                let first = (since / months - 1).max(0);
                // A day that a month lacks is left out; the rarest, 29 February, may be eight years away.
                (first..first + 100).find_map(|turn| {
                    let date = anchor.date().checked_add(jiff::Span::new().try_months(turn * months).ok()?).ok()?;
                    if date.day() == anchor.day() { fits(date) } else { None }
                })
            }
            _ => {
                let last = self.interval * 7 + 8;
                let start = from.yesterday().unwrap_or(from).max(anchor.date());
                let turns = (0..=last).map_while(|days| start.checked_add(days.days()).ok());
                turns.filter(|date| self.has(*date, anchor.date())).find_map(fits)
            }
        }
    }

    /// Whether a day is one of a rule of days or weeks.
    fn has(&self, date: Date, anchor: Date) -> bool {
        let days = days_between(anchor, date);
        match self.every {
            Every::Week => {
                let weekday = i64::from(anchor.weekday().to_monday_zero_offset());
                let named = if self.on.is_empty() { date.weekday() == anchor.weekday() } else { self.named(date) };
                named && ((days + weekday) / 7) % self.interval == 0
            }
            _ => days % self.interval == 0 && (self.on.is_empty() || self.named(date)),
        }
    }

    fn named(&self, date: Date) -> bool {
        self.on.contains(&date.weekday())
    }

    /// `every day`, `every Monday and Friday`, `every 2 hours`.
    pub(super) fn words(&self) -> String {
        let unit = match self.every {
            Every::Minute => "minute",
            Every::Hour => "hour",
            Every::Day => "day",
            Every::Week => "week",
            Every::Month => "month",
            Every::Year => "year",
        };
        let every = match self.interval {
            1 => format!("every {unit}"),
            count => format!("every {count} {unit}s"),
        };
        let weekend = [Weekday::Saturday, Weekday::Sunday];
        let days: Vec<String> = self.on.iter().map(|day| day_name(*day).to_owned()).collect();
        match (self.interval, self.on.len()) {
            (_, 0) => every,
            (1, 7) => "every day".into(),
            (1, 5) if !self.on.iter().any(|day| weekend.contains(day)) => "every weekday".into(),
            (1, _) => format!("every {}", phrase::listed(&days, "and")),
            _ => format!("{every} on {}", phrase::listed(&days, "and")),
        }
    }
}

fn frequency(word: &str) -> Result<Every, String> {
    match word {
        "MINUTELY" => Ok(Every::Minute),
        "HOURLY" => Ok(Every::Hour),
        "DAILY" => Ok(Every::Day),
        "WEEKLY" => Ok(Every::Week),
        "MONTHLY" => Ok(Every::Month),
        "YEARLY" => Ok(Every::Year),
        other => Err(format!(
            "`FREQ` is MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY, not `{}`",
            crate::words::capped(other, 40)
        )),
    }
}

fn weekdays(days: &str) -> Result<Vec<Weekday>, String> {
    let mut on = Vec::new();
    for word in days.split(',') {
        let day = DAYS.iter().find(|(name, _)| *name == word.trim()).map(|(_, day)| *day);
        let day = day.ok_or_else(|| {
            format!("`BYDAY` lists days such as `MO,WE,FR`, not `{}`", crate::words::capped(word, 40))
        })?;
        if !on.contains(&day) {
            on.push(day);
        }
    }
    on.sort_by_key(|day| day.to_monday_zero_offset());
    Ok(on)
}

fn days_between(from: Date, to: Date) -> i64 {
    from.duration_until(to).as_hours() / 24
}

fn day_name(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next three after the beginning, in Oslo.
    fn next(rule: &str, begun: &str) -> Vec<String> {
        let zone = TimeZone::get("Europe/Oslo").expect("a zone");
        let begun: DateTime = begun.parse().expect("a time");
        let begun = begun.to_zoned(zone.clone()).expect("there").timestamp();
        let rule = Recurrence::parse(rule).expect("a rule");
        let turns = std::iter::successors(Some(begun), |after| rule.next(begun, &zone, *after));
        turns.skip(1).take(3).map(|at| at.to_zoned(zone.clone()).strftime("%F %R").to_string()).collect()
    }

    #[test]
    fn a_series_goes_by_the_calendar() {
        for (rule, begun, expected) in [
            ("FREQ=DAILY", "2026-03-28T07:00", ["2026-03-29 07:00", "2026-03-30 07:00", "2026-03-31 07:00"]),
            (
                "FREQ=DAILY;INTERVAL=10",
                "2026-12-25T07:00",
                ["2027-01-04 07:00", "2027-01-14 07:00", "2027-01-24 07:00"],
            ),
            ("FREQ=WEEKLY", "2026-11-15T07:00", ["2026-11-22 07:00", "2026-11-29 07:00", "2026-12-06 07:00"]),
            (
                "RRULE:FREQ=WEEKLY;BYDAY=MO,FR",
                "2026-11-16T07:00",
                ["2026-11-20 07:00", "2026-11-23 07:00", "2026-11-27 07:00"],
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
                "2026-11-17T07:00",
                ["2026-12-01 07:00", "2026-12-15 07:00", "2026-12-29 07:00"],
            ),
            (
                "freq=daily;byday=sa,su",
                "2026-11-14T09:30",
                ["2026-11-15 09:30", "2026-11-21 09:30", "2026-11-22 09:30"],
            ),
            ("FREQ=MONTHLY", "2026-10-31T08:00", ["2026-12-31 08:00", "2027-01-31 08:00", "2027-03-31 08:00"]),
            ("FREQ=YEARLY", "2024-02-29T08:00", ["2028-02-29 08:00", "2032-02-29 08:00", "2036-02-29 08:00"]),
            (
                "FREQ=HOURLY;INTERVAL=2",
                "2026-10-25T01:30",
                ["2026-10-25 02:30", "2026-10-25 04:30", "2026-10-25 06:30"],
            ),
            (
                "FREQ=MINUTELY;INTERVAL=45",
                "2026-11-15T23:30",
                ["2026-11-16 00:15", "2026-11-16 01:00", "2026-11-16 01:45"],
            ),
        ] {
            assert_eq!(next(rule, begun), expected, "{rule}");
        }
        assert_eq!(next("FREQ=DAILY;INTERVAL=7;BYDAY=MO", "2026-11-15T07:00"), Vec::<String>::new());
    }

    #[test]
    fn what_was_missed_is_left_out() {
        let zone = TimeZone::UTC;
        let at = |text: &str| text.parse::<Timestamp>().expect("a moment");
        let rule = Recurrence::parse("FREQ=DAILY").expect("a rule");
        let next = rule.next(at("2020-01-01T07:00:00Z"), &zone, at("2026-11-15T07:00:00Z"));
        assert_eq!(next, Some(at("2026-11-16T07:00:00Z")));
        let first = rule.next(at("2026-11-20T07:00:00Z"), &zone, at("2026-11-15T12:00:00Z"));
        assert_eq!(first, Some(at("2026-11-20T07:00:00Z")));
        assert_eq!(rule.next(Timestamp::MIN, &zone, Timestamp::MAX), None);
    }

    #[test]
    fn what_is_no_rule_says_why_and_what_is_has_words() {
        for wrong in [
            "",
            "daily",
            "FREQ=SECONDLY",
            "FREQ=DAILY;COUNT=3",
            "FREQ=DAILY;INTERVAL=0",
            "FREQ=WEEKLY;BYDAY=XX",
            "FREQ=MONTHLY;BYDAY=1MO",
            "FREQ=DAILY;INTERVAL=99999999999999999999",
            "FREQ=HOURLY;BYDAY=MO",
            "INTERVAL=2",
        ] {
            assert!(Recurrence::parse(wrong).is_err(), "{wrong}");
        }
        for (rule, words) in [
            ("FREQ=DAILY", "every day"),
            ("FREQ=DAILY;INTERVAL=3", "every 3 days"),
            ("FREQ=WEEKLY;BYDAY=FR,MO,WE,TU,TH", "every weekday"),
            ("FREQ=WEEKLY;BYDAY=SU,MO", "every Monday and Sunday"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU", "every 2 weeks on Sunday"),
            ("FREQ=HOURLY", "every hour"),
        ] {
            assert_eq!(Recurrence::parse(rule).expect("a rule").words(), words);
        }
    }
}
