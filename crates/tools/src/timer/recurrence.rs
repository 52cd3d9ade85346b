//! How often something rings: the part of RFC 5545's rules that people say to an alarm clock.
//!
//! Days, weeks, months and years are counted on the calendar of a zone, so 07:00 stays 07:00 when the clocks change;
//! hours and minutes are counted as they pass.

mod read;
mod say;

use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

/// The furthest that a next day is looked for. The rarest, 29 February, may be eight years away.
const SEARCHED: i64 = 10 * 366;
const DAYS: [(&str, Weekday, &str); 7] = [
    ("MO", Weekday::Monday, "Monday"),
    ("TU", Weekday::Tuesday, "Tuesday"),
    ("WE", Weekday::Wednesday, "Wednesday"),
    ("TH", Weekday::Thursday, "Thursday"),
    ("FR", Weekday::Friday, "Friday"),
    ("SA", Weekday::Saturday, "Saturday"),
    ("SU", Weekday::Sunday, "Sunday"),
];

/// A rule that can be counted on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recurrence {
    every: Every,
    interval: i64,
    /// On these days only, Monday first; on any when empty.
    on: Vec<Day>,
    /// On these days of a month, from its end where they are negative.
    dates: Vec<i8>,
    /// In these months.
    months: Vec<i8>,
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

/// A weekday, or one of a month: the second, or the last but one where it is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Day {
    nth: Option<i8>,
    weekday: Weekday,
}

impl Recurrence {
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
        let start = from.yesterday().unwrap_or(from).max(anchor.date());
        let days = (0..=SEARCHED.max(self.interval * 7 + 8)).map_while(|days| start.checked_add(days.days()).ok());
        days.filter(|date| self.has(*date, anchor.date())).find_map(|date| {
            let at = DateTime::from_parts(date, anchor.time()).to_zoned(zone.clone()).ok()?.timestamp();
            (at > after && at >= begun).then_some(at)
        })
    }

    /// Whether a day is one of the rule's.
    fn has(&self, date: Date, anchor: Date) -> bool {
        let days = anchor.duration_until(date).as_hours() / 24;
        let years = i64::from(date.year() - anchor.year());
        let turn = match self.every {
            Every::Minute | Every::Hour | Every::Day => days,
            Every::Week => (days + i64::from(anchor.weekday().to_monday_zero_offset())) / 7,
            Every::Month => years * 12 + i64::from(date.month() - anchor.month()),
            Every::Year => years,
        };
        let named = || self.on.is_empty() || self.on.iter().any(|day| day.is(date));
        turn % self.interval == 0
            && match self.every {
                Every::Minute | Every::Hour | Every::Day => named(),
                Every::Week if self.on.is_empty() => date.weekday() == anchor.weekday(),
                Every::Week => named(),
                Every::Month => self.within_month(date, anchor),
                Every::Year if self.months.is_empty() => {
                    date.month() == anchor.month() && self.within_month(date, anchor)
                }
                Every::Year => self.months.contains(&date.month()) && self.within_month(date, anchor),
            }
    }

    fn within_month(&self, date: Date, anchor: Date) -> bool {
        let length = date.days_in_month();
        let dated = self.dates.iter().any(|day| date.day() == if *day < 0 { length + 1 + day } else { *day });
        match (self.on.is_empty(), self.dates.is_empty()) {
            (true, true) => date.day() == anchor.day(),
            (true, false) => dated,
            (false, true) => self.on.iter().any(|day| day.is(date)),
            (false, false) => dated && self.on.iter().any(|day| day.is(date)),
        }
    }
}

impl Day {
    fn is(&self, date: Date) -> bool {
        let (day, length) = (date.day(), date.days_in_month());
        date.weekday() == self.weekday
            && match self.nth {
                None => true,
                Some(nth) if nth < 0 => (length - day) / 7 + 1 == -nth,
                Some(nth) => (day - 1) / 7 + 1 == nth,
            }
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
            (
                "FREQ=MONTHLY;BYMONTHDAY=1",
                "2026-11-15T12:00",
                ["2026-12-01 12:00", "2027-01-01 12:00", "2027-02-01 12:00"],
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=-1",
                "2026-12-31T12:00",
                ["2027-01-31 12:00", "2027-02-28 12:00", "2027-03-31 12:00"],
            ),
            (
                "FREQ=MONTHLY;BYDAY=-1FR",
                "2026-11-27T12:00",
                ["2026-12-25 12:00", "2027-01-29 12:00", "2027-02-26 12:00"],
            ),
            (
                "FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO",
                "2026-11-02T12:00",
                ["2027-01-04 12:00", "2027-03-01 12:00", "2027-05-03 12:00"],
            ),
            (
                "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3",
                "2026-11-15T12:00",
                ["2027-05-03 12:00", "2028-05-03 12:00", "2029-05-03 12:00"],
            ),
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
            "FREQ=WEEKLY;BYDAY=1MO",
            "FREQ=MONTHLY;BYDAY=9MO",
            "FREQ=MONTHLY;BYDAY=éMO",
            "FREQ=MONTHLY;BYMONTHDAY=0",
            "FREQ=MONTHLY;BYMONTHDAY=32",
            "FREQ=MONTHLY;BYMONTH=2",
            "FREQ=YEARLY;BYDAY=1MO",
            "FREQ=YEARLY;INTERVAL=6",
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
            ("FREQ=MONTHLY;BYMONTHDAY=1", "every month on the 1st"),
            ("FREQ=MONTHLY;BYMONTHDAY=-1,15", "every month on the last day and 15th"),
            ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"),
            ("FREQ=MONTHLY;BYDAY=2TU", "every month on the 2nd Tuesday"),
            ("FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3", "every year on the 3rd in May"),
        ] {
            assert_eq!(Recurrence::parse(rule).expect("a rule").words(), words);
        }
    }
}
