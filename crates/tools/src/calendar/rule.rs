//! Rules by which appointments come again: RRULE of iCalendar, as far as days go.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Weekday};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;

use super::event::When;

/// A rule that was understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rule {
    pub(super) every: Every,
    pub(super) interval: u32,
    pub(super) end: End,
    pub(super) days: Vec<Day>,
    pub(super) month_days: Vec<i8>,
    pub(super) year_days: Vec<i16>,
    pub(super) months: Vec<i8>,
    pub(super) positions: Vec<i16>,
    pub(super) week_start: Weekday,
}

/// How long a turn of the rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Every {
    Day,
    Week,
    Month,
    Year,
}

/// When it stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum End {
    Never,
    Count(u32),
    /// With the last one on this day.
    Day(Date),
    /// With the last one at this time on the wall.
    Wall(DateTime),
    /// With the last one at this moment.
    Moment(Timestamp),
}

/// A weekday, or the nth of it in its month or year, counted from the end where negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) nth: Option<i8>,
    pub(super) weekday: Weekday,
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let body = if text.len() >= 6 && text.is_char_boundary(6) && text[..6].eq_ignore_ascii_case("RRULE:") {
            &text[6..]
        } else {
            text
        };
        let mut every = None;
        let mut rule = Rule {
            every: Every::Day,
            interval: 1,
            end: End::Never,
            days: Vec::new(),
            month_days: Vec::new(),
            year_days: Vec::new(),
            months: Vec::new(),
            positions: Vec::new(),
            week_start: Weekday::Monday,
        };
        for part in body.split(';').filter(|part| !part.trim().is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| format!("`{part}` has no `=`"))?;
            let value = value.trim();
            match name.trim().to_ascii_uppercase().as_str() {
                "FREQ" => every = Some(frequency(value)?),
                "INTERVAL" => rule.interval = number(name, value, 1, i64::from(u32::MAX))?,
                "COUNT" => rule.end = once(rule.end, End::Count(number(name, value, 1, i64::from(u32::MAX))?))?,
                "UNTIL" => rule.end = once(rule.end, until(value)?)?,
                "BYDAY" => rule.days = list(value, day)?,
                "BYMONTHDAY" => rule.month_days = list(value, |value| signed(name, value, 31))?,
                "BYYEARDAY" => rule.year_days = list(value, |value| signed(name, value, 366))?,
                "BYMONTH" => rule.months = list(value, |value| number(name, value, 1, 12))?,
                "BYSETPOS" => rule.positions = list(value, |value| signed(name, value, 366))?,
                "WKST" => rule.week_start = weekday(value)?,
                other => return Err(format!("`{other}` is not understood in a recurrence")),
            }
        }
        rule.every = every.ok_or("a recurrence needs `FREQ`, for example `FREQ=WEEKLY`")?;
        rule.checked()
    }
}

impl Rule {
    fn checked(self) -> Result<Self, String> {
        let counted = self.days.iter().any(|day| day.nth.is_some());
        if counted && matches!(self.every, Every::Day | Every::Week) {
            return Err("a numbered `BYDAY` needs `FREQ=MONTHLY` or `FREQ=YEARLY`".into());
        }
        if !self.year_days.is_empty() && self.every != Every::Year {
            return Err("`BYYEARDAY` needs `FREQ=YEARLY`".into());
        }
        if !self.month_days.is_empty() && self.every == Every::Week {
            return Err("`BYMONTHDAY` does not go with `FREQ=WEEKLY`".into());
        }
        Ok(self)
    }

    /// Whether a time is one of the rule, as far as its end goes.
    pub(super) fn reaches(&self, wall: DateTime, when: &When, home: &TimeZone) -> bool {
        match self.end {
            End::Never | End::Count(_) => true,
            End::Day(last) => wall.date() <= last,
            End::Wall(last) => wall <= last,
            End::Moment(last) if when.is_days() => wall.date() <= TimeZone::UTC.to_datetime(last).date(),
            End::Moment(last) => when.zone(home).to_timestamp(wall).is_ok_and(|moment| moment <= last),
        }
    }

    /// The same with its end written the way that others expect for such an appointment: a day for whole days, a moment
    /// where there is a zone.
    pub(super) fn settled(self, when: &When, home: &TimeZone) -> Self {
        let here = matches!(when, When::Hours { zone, .. } if zone.name().is_none());
        let moment = |wall: DateTime| when.zone(home).to_timestamp(wall).map_or(self.end, End::Moment);
        let end = match self.end {
            End::Wall(last) if when.is_days() => End::Day(last.date()),
            End::Moment(last) if when.is_days() => End::Day(TimeZone::UTC.to_datetime(last).date()),
            End::Day(last) if here => End::Wall(last.at(23, 59, 59, 0)),
            End::Day(last) if !when.is_days() => moment(last.at(23, 59, 59, 0)),
            End::Wall(last) if !here => moment(last),
            end => end,
        };
        Self { end, ..self }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn joined<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, values: &[T]) -> fmt::Result {
            for (index, value) in values.iter().enumerate() {
                match index {
                    0 => write!(f, ";{name}={value}")?,
                    _ => write!(f, ",{value}")?,
                }
            }
            Ok(())
        }
        let every = match self.every {
            Every::Day => "DAILY",
            Every::Week => "WEEKLY",
            Every::Month => "MONTHLY",
            Every::Year => "YEARLY",
        };
        write!(f, "FREQ={every}")?;
        if self.interval != 1 {
            write!(f, ";INTERVAL={}", self.interval)?;
        }
        match self.end {
            End::Never => {}
            End::Count(count) => write!(f, ";COUNT={count}")?,
            End::Day(day) => write!(f, ";UNTIL={}", day.strftime("%Y%m%d"))?,
            End::Wall(wall) => write!(f, ";UNTIL={}", wall.strftime("%Y%m%dT%H%M%S"))?,
            End::Moment(moment) => write!(f, ";UNTIL={}", moment.strftime("%Y%m%dT%H%M%SZ"))?,
        }
        joined(f, "BYMONTH", &self.months)?;
        joined(f, "BYYEARDAY", &self.year_days)?;
        joined(f, "BYMONTHDAY", &self.month_days)?;
        joined(f, "BYDAY", &self.days)?;
        joined(f, "BYSETPOS", &self.positions)?;
        match self.week_start {
            Weekday::Monday => Ok(()),
            other => write!(f, ";WKST={}", letters(other)),
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(nth) = self.nth {
            write!(f, "{nth}")?;
        }
        f.write_str(letters(self.weekday))
    }
}

fn frequency(value: &str) -> Result<Every, String> {
    match value.to_ascii_uppercase().as_str() {
        "DAILY" => Ok(Every::Day),
        "WEEKLY" => Ok(Every::Week),
        "MONTHLY" => Ok(Every::Month),
        "YEARLY" => Ok(Every::Year),
        _ => Err(format!("`FREQ` must be DAILY, WEEKLY, MONTHLY or YEARLY, got `{value}`")),
    }
}

fn until(value: &str) -> Result<End, String> {
    let value = value.to_ascii_uppercase();
    let parse = |format: &str, text: &str| strtime::parse(format, text);
    let end = match value.strip_suffix('Z') {
        Some(utc) => parse("%Y%m%dT%H%M%S", utc)
            .and_then(|parsed| parsed.to_datetime())
            .and_then(|wall| wall.to_zoned(TimeZone::UTC))
            .map(|zoned| End::Moment(zoned.timestamp())),
        None if value.contains('T') => {
            parse("%Y%m%dT%H%M%S", &value).and_then(|parsed| parsed.to_datetime()).map(End::Wall)
        }
        None => parse("%Y%m%d", &value).and_then(|parsed| parsed.to_date()).map(End::Day),
    };
    end.map_err(|_| format!("`UNTIL` must be a date such as 20261224 or 20261224T180000Z, got `{value}`"))
}

fn once(had: End, end: End) -> Result<End, String> {
    match had {
        End::Never => Ok(end),
        _ => Err("`COUNT` and `UNTIL` do not go together".into()),
    }
}

fn list<T>(value: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    value.split(',').map(|item| parse(item.trim())).collect()
}

fn number<T: TryFrom<i64>>(name: &str, value: &str, least: i64, most: i64) -> Result<T, String> {
    let wrong = || format!("`{name}` must be a number from {least} to {most}, got `{value}`");
    let number: i64 = value.parse().map_err(|_| wrong())?;
    match (least..=most).contains(&number) {
        true => T::try_from(number).map_err(|_| wrong()),
        false => Err(wrong()),
    }
}

fn signed<T: TryFrom<i64>>(name: &str, value: &str, most: i64) -> Result<T, String> {
    match value.trim_start_matches(['+', '-']).parse::<i64>() {
        Ok(0) => Err(format!("`{name}` must not be 0")),
        _ => number(name, value, -most, most),
    }
}

fn day(value: &str) -> Result<Day, String> {
    let at = value.len().checked_sub(2).filter(|at| value.is_char_boundary(*at));
    let at = at.ok_or_else(|| format!("`{value}` is not a weekday such as MO"))?;
    let nth = match &value[..at] {
        "" => None,
        nth => Some(signed("BYDAY", nth, 53)?),
    };
    Ok(Day { nth, weekday: weekday(&value[at..])? })
}

fn weekday(value: &str) -> Result<Weekday, String> {
    let all = Weekday::Monday.cycle_forward().take(7);
    let found = all.into_iter().find(|weekday| letters(*weekday).eq_ignore_ascii_case(value));
    found.ok_or_else(|| format!("`{value}` is not a weekday such as MO"))
}

fn letters(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Monday => "MO",
        Weekday::Tuesday => "TU",
        Weekday::Wednesday => "WE",
        Weekday::Thursday => "TH",
        Weekday::Friday => "FR",
        Weekday::Saturday => "SA",
        Weekday::Sunday => "SU",
    }
}
