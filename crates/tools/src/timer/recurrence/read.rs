//! A rule from its text. What could not be kept is refused in a sentence.

use std::ops::RangeInclusive;

use super::{DAYS, Day, Every, Recurrence};
use crate::words::capped;

/// The longest interval, in units of the frequency.
const INTERVAL: i64 = 1_000;

impl Recurrence {
    /// Reads `FREQ=WEEKLY;BYDAY=MO,WE`, or says in a sentence what it cannot do.
    pub(in crate::timer) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim().to_uppercase();
        let mut every = None;
        let mut rule = Self { every: Every::Day, interval: 1, on: Vec::new(), dates: Vec::new(), months: Vec::new() };
        for part in text.strip_prefix("RRULE:").unwrap_or(&text).split(';').filter(|part| !part.is_empty()) {
            match part.split_once('=').unwrap_or((part, "")) {
                ("FREQ", word) => every = Some(frequency(word)?),
                ("INTERVAL", number) => rule.interval = numbers("INTERVAL", number, 1..=INTERVAL)?[0],
                ("BYDAY", days) => rule.on = weekdays(days)?,
                ("BYMONTHDAY", days) => rule.dates = small(numbers("BYMONTHDAY", days, -31..=31)?),
                ("BYMONTH", months) => rule.months = small(numbers("BYMONTH", months, 1..=12)?),
                ("WKST", _) => {}
                (name, _) => {
                    return Err(format!(
                        "`{}` is not known here: a recurrence has `FREQ`, `INTERVAL`, `BYDAY`, `BYMONTHDAY` and `BYMONTH`",
                        capped(name, 40)
                    ));
                }
            }
        }
        rule.every = every.ok_or("a recurrence begins with `FREQ=`, for example `FREQ=DAILY`")?;
        rule.checked()
    }

    /// Refuses parts that do not go together.
    fn checked(self) -> Result<Self, String> {
        let numbered = self.on.iter().any(|day| day.nth.is_some());
        let wrong = match self.every {
            Every::Minute | Every::Hour => !(self.on.is_empty() && self.dates.is_empty() && self.months.is_empty()),
            Every::Day | Every::Week => numbered || !self.dates.is_empty() || !self.months.is_empty(),
            Every::Month => !self.months.is_empty(),
            Every::Year => !self.on.is_empty() && self.months.is_empty(),
        };
        let longest = match self.every {
            Every::Year => 5,
            Every::Month => 60,
            Every::Minute | Every::Hour | Every::Day | Every::Week => INTERVAL,
        };
        if wrong {
            return Err(
                "the parts of this recurrence do not go together: `BYDAY=MO` needs days or weeks, `BYDAY=1MO` \
                 and `BYMONTHDAY` need months or years, `BYMONTH` needs years"
                    .into(),
            );
        }
        match self.interval <= longest {
            true => Ok(self),
            false => Err(format!("`INTERVAL` is too long: the longest for this `FREQ` is {longest}")),
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
        other => {
            Err(format!("`FREQ` is MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY, not `{}`", capped(other, 40)))
        }
    }
}

fn numbers(name: &str, text: &str, range: RangeInclusive<i64>) -> Result<Vec<i64>, String> {
    let number = |word: &str| word.trim().parse().ok().filter(|number| range.contains(number) && *number != 0);
    let all: Option<Vec<i64>> = text.split(',').map(number).collect();
    all.ok_or_else(|| format!("`{name}` is a number from {} to {}", range.start(), range.end()))
}

fn small(numbers: Vec<i64>) -> Vec<i8> {
    numbers.into_iter().filter_map(|number| i8::try_from(number).ok()).collect()
}

fn weekdays(text: &str) -> Result<Vec<Day>, String> {
    let mut on: Vec<Day> = Vec::new();
    for word in text.split(',').map(str::trim) {
        let wrong = || format!("`BYDAY` lists days such as `MO,WE,FR` or `-1FR`, not `{}`", capped(word, 40));
        let (_, weekday, _) = DAYS.iter().find(|(name, ..)| word.ends_with(name)).ok_or_else(wrong)?;
        let nth = match &word[..word.len() - 2] {
            "" => None,
            number => Some(small(numbers("BYDAY", number, -5..=5).map_err(|_| wrong())?)[0]),
        };
        let day = Day { nth, weekday: *weekday };
        if !on.contains(&day) {
            on.push(day);
        }
    }
    on.sort_by_key(|day| day.weekday.to_monday_zero_offset());
    Ok(on)
}
