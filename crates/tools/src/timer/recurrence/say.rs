//! A rule in words.

use jiff::civil::{Date, Weekday};

use super::{DAYS, Day, Every, Recurrence};
use crate::phrase;

impl Recurrence {
    /// `every day`, `every Monday and Friday`, `every 2 hours`, `every month on the last Friday`.
    pub(in crate::timer) fn words(&self) -> String {
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
        let weekend = |day: &Day| matches!(day.weekday, Weekday::Saturday | Weekday::Sunday);
        let days = phrase::listed(&self.on.iter().map(Day::words).collect::<Vec<_>>(), "and");
        let weekly = self.interval == 1 && matches!(self.every, Every::Day | Every::Week);
        let days = match self.on.len() {
            0 => every,
            7 if weekly => "every day".into(),
            5 if weekly && !self.on.iter().any(weekend) => "every weekday".into(),
            _ if weekly => format!("every {days}"),
            _ => format!("{every} on {days}"),
        };
        let dates: Vec<String> = self.dates.iter().map(|day| ordinal(*day, "day")).collect();
        let dates = if dates.is_empty() { String::new() } else { format!(" on the {}", phrase::listed(&dates, "and")) };
        let months: Vec<String> = self.months.iter().map(|month| month_name(*month)).collect();
        let months = if months.is_empty() { String::new() } else { format!(" in {}", phrase::listed(&months, "and")) };
        format!("{days}{dates}{months}")
    }
}

impl Day {
    fn words(&self) -> String {
        let name = DAYS.iter().find(|(_, day, _)| *day == self.weekday).map_or("", |(_, _, name)| name);
        self.nth.map_or(name.to_owned(), |nth| format!("the {} {name}", ordinal(nth, "").trim()))
    }
}

/// `1st`, `22nd`, `last`, `second to last`.
fn ordinal(number: i8, noun: &str) -> String {
    match number {
        -1 => format!("last {noun}"),
        ..0 => format!("{} to last {noun}", ordinal(number.saturating_neg(), "").trim_end()),
        11..=13 => format!("{number}th"),
        _ => format!(
            "{number}{}",
            ["th", "st", "nd", "rd"].get(usize::try_from(number % 10).unwrap_or(0)).unwrap_or(&"th")
        ),
    }
}

fn month_name(month: i8) -> String {
    Date::new(2000, month, 1).map_or(String::new(), |date| date.strftime("%B").to_string())
}
