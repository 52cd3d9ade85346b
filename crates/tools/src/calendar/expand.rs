//! The days of a rule, one after the other: each turn of the rule gives a set of days, and the sets never meet.

use std::collections::VecDeque;

use jiff::Span;
use jiff::civil::Date;

use super::rule::{Day, End, Every, Rule};

/// Turns without a day after which a rule is taken to have no more: 30 February never comes.
const BARREN: u32 = 10_000;

/// The days of `rule` from `start` on. Days before and after the two others may be left out.
pub(super) fn days(rule: &Rule, start: Date, not_before: Date, not_after: Date) -> Days<'_> {
    let left = match rule.end {
        End::Count(count) => Some(count),
        End::Never | End::Day(_) | End::Wall(_) | End::Moment(_) => None,
    };
    // What is counted has to be counted from the beginning.
    let turn = if left.is_some() || not_before <= start { 0 } else { turns_between(rule, start, not_before) };
    Days { rule, start, turn, not_after, ready: VecDeque::new(), left }
}

/// See [`days`].
pub(super) struct Days<'r> {
    rule: &'r Rule,
    start: Date,
    turn: i64,
    not_after: Date,
    ready: VecDeque<Date>,
    left: Option<u32>,
}

impl Iterator for Days<'_> {
    type Item = Date;

    fn next(&mut self) -> Option<Date> {
        if self.left == Some(0) {
            return None;
        }
        let mut barren = 0;
        while self.ready.is_empty() {
            if beginning(self.rule, self.start, self.turn)? > self.not_after {
                return None;
            }
            let days = turn(self.rule, self.start, self.turn)?;
            self.turn += 1;
            self.ready.extend(days.into_iter().filter(|day| *day >= self.start));
            barren += 1;
            if barren > BARREN {
                return None;
            }
        }
        self.left = self.left.map(|left| left - 1);
        self.ready.pop_front()
    }
}

/// Whole turns that surely lie before a day, less one for the ragged beginning.
fn turns_between(rule: &Rule, start: Date, day: Date) -> i64 {
    let days = (day - start).get_days().max(0);
    let units = match rule.every {
        Every::Day => i64::from(days),
        Every::Week => i64::from(days) / 7,
        Every::Month => month_index(day) - month_index(start),
        Every::Year => i64::from(day.year()) - i64::from(start.year()),
    };
    (units / i64::from(rule.interval) - 1).max(0)
}

/// A day that no day of a turn comes before.
fn beginning(rule: &Rule, start: Date, turn: i64) -> Option<Date> {
    let steps = turn.checked_mul(i64::from(rule.interval))?;
    match rule.every {
        Every::Day => later(start, steps),
        Every::Week => later(start, steps.checked_mul(7)?.checked_sub(6)?),
        Every::Month => month_at(month_index(start).checked_add(steps)?),
        Every::Year => month_at(i64::from(start.year()).checked_add(steps)?.checked_mul(12)?),
    }
}

/// The days of one turn, in order; nothing where the calendar ends.
fn turn(rule: &Rule, start: Date, turn: i64) -> Option<Vec<Date>> {
    let steps = turn.checked_mul(i64::from(rule.interval))?;
    let mut days = match rule.every {
        Every::Day => single_day(rule, start, steps)?,
        Every::Week => week(rule, start, steps)?,
        Every::Month => month(rule, start, steps)?,
        Every::Year => year(rule, start, steps)?,
    };
    days.sort_unstable();
    days.dedup();
    Some(chosen(days, &rule.positions))
}

fn single_day(rule: &Rule, start: Date, steps: i64) -> Option<Vec<Date>> {
    let day = later(start, steps)?;
    let fits = in_months(rule, day) && on_month_days(rule, day) && on_weekdays(&rule.days, day);
    Some(if fits { vec![day] } else { Vec::new() })
}

fn week(rule: &Rule, start: Date, steps: i64) -> Option<Vec<Date>> {
    let into = i64::from(start.weekday().since(rule.week_start));
    let first = later(start, steps.checked_mul(7)?.checked_sub(into)?)?;
    let wanted = |day: &Date| match rule.days.is_empty() {
        true => day.weekday() == start.weekday(),
        false => on_weekdays(&rule.days, *day),
    };
    let days = (0..7).map_while(|offset| later(first, offset));
    Some(days.filter(wanted).filter(|day| in_months(rule, *day)).collect())
}

fn month(rule: &Rule, start: Date, steps: i64) -> Option<Vec<Date>> {
    let first = month_at(month_index(start).checked_add(steps)?)?;
    match in_months(rule, first) {
        true => Some(of_month(rule, start, first)),
        false => Some(Vec::new()),
    }
}

fn year(rule: &Rule, start: Date, steps: i64) -> Option<Vec<Date>> {
    let year = i16::try_from(i64::from(start.year()).checked_add(steps)?).ok()?;
    let first = Date::new(year, 1, 1).ok()?;
    if !rule.year_days.is_empty() {
        let days = of_year(first).filter(|day| {
            let (at, length) = (day.day_of_year(), first.days_in_year());
            rule.year_days.iter().any(|wanted| *wanted == at || *wanted == at - length - 1)
        });
        let fits = |day: &Date| in_months(rule, *day) && on_month_days(rule, *day) && on_weekdays(&rule.days, *day);
        return Some(days.filter(fits).collect());
    }
    if rule.months.is_empty() && rule.month_days.is_empty() && !rule.days.is_empty() {
        let length = first.days_in_year();
        return Some(of_year(first).filter(|day| nth_fits(&rule.days, *day, day.day_of_year(), length)).collect());
    }
    let months: Vec<i8> = match (rule.months.is_empty(), rule.month_days.is_empty()) {
        (false, _) => rule.months.clone(),
        (true, false) => (1..=12).collect(),
        (true, true) => vec![start.month()],
    };
    let firsts = months.into_iter().filter_map(|month| Date::new(year, month, 1).ok());
    Some(firsts.flat_map(|first| of_month(rule, start, first)).collect())
}

/// The days that a rule wants of a month.
fn of_month(rule: &Rule, start: Date, first: Date) -> Vec<Date> {
    let length = i16::from(first.days_in_month());
    let days = (0..i64::from(length)).map_while(|offset| later(first, offset));
    let wanted = |day: &Date| match (rule.month_days.is_empty(), rule.days.is_empty()) {
        (true, true) => day.day() == start.day(),
        _ => on_month_days(rule, *day) && nth_fits(&rule.days, *day, i16::from(day.day()), length),
    };
    days.filter(wanted).collect()
}

fn of_year(first: Date) -> impl Iterator<Item = Date> {
    (0..i64::from(first.days_in_year())).map_while(move |offset| later(first, offset))
}

/// Whether a day is one of the weekdays wanted, the nth within a span of days if it is numbered.
fn nth_fits(days: &[Day], day: Date, at: i16, length: i16) -> bool {
    let from_start = (at - 1) / 7 + 1;
    let from_end = -((length - at) / 7 + 1);
    let fits = |wanted: &Day| {
        let nth = wanted.nth.map(i16::from);
        wanted.weekday == day.weekday() && nth.is_none_or(|nth| nth == from_start || nth == from_end)
    };
    days.is_empty() || days.iter().any(fits)
}

fn on_weekdays(days: &[Day], day: Date) -> bool {
    days.is_empty() || days.iter().any(|wanted| wanted.weekday == day.weekday())
}

fn on_month_days(rule: &Rule, day: Date) -> bool {
    let (at, length) = (day.day(), day.days_in_month());
    rule.month_days.is_empty() || rule.month_days.iter().any(|wanted| *wanted == at || *wanted == at - length - 1)
}

fn in_months(rule: &Rule, day: Date) -> bool {
    rule.months.is_empty() || rule.months.contains(&day.month())
}

fn chosen(days: Vec<Date>, positions: &[i16]) -> Vec<Date> {
    if positions.is_empty() {
        return days;
    }
    let length = i64::try_from(days.len()).unwrap_or(i64::MAX);
    let wanted = |index: usize| {
        let at = i64::try_from(index).unwrap_or(i64::MAX);
        positions.iter().any(|position| i64::from(*position) == at + 1 || i64::from(*position) == at - length)
    };
    days.into_iter().enumerate().filter(|(index, _)| wanted(*index)).map(|(_, day)| day).collect()
}

fn month_index(day: Date) -> i64 {
    i64::from(day.year()) * 12 + i64::from(day.month()) - 1
}

fn month_at(index: i64) -> Option<Date> {
    let year = i16::try_from(index.div_euclid(12)).ok()?;
    let month = i8::try_from(index.rem_euclid(12) + 1).ok()?;
    Date::new(year, month, 1).ok()
}

pub(super) fn later(day: Date, days: i64) -> Option<Date> {
    day.checked_add(Span::new().try_days(days).ok()?).ok()
}
