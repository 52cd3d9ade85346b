//! The hour and minute that words show, before anything is known about the rest of the day.

use super::context::{ends_well, is_unit};
use super::suffix;
use crate::slots::numbers::Style;
use crate::slots::words::Words;

pub(super) struct Face {
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
    pub(super) next: usize,
    pub(super) form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Can only be a time.
    Said,
    /// Two numbers side by side, or one.
    Number,
}

fn whole(words: &Words<'_>, i: usize) -> Option<(i64, usize)> {
    let figure =
        words.figure(i).filter(|figure| figure.style != Style::Vague && !words.is(i, &["a", "an", "couple"]))?;
    figure.value.integer().filter(|value| *value >= 0).map(|value| (value, figure.next))
}

/// The face that starts at a word.
pub(super) fn face(words: &Words<'_>, i: usize) -> Option<Face> {
    let said = |hour, minute, next| Some(Face { hour, minute, second: 0, next, form: Form::Said });
    let start = i + usize::from(words.at(i) == "a" && words.at(i + 1) == "quarter");
    let portion = match words.at(start) {
        "half" => Some((30, start + 1)),
        "quarter" => Some((15, start + 1)),
        _ => whole(words, i).filter(|(minutes, _)| (1..60).contains(minutes)),
    };
    if let Some((minutes, at)) = portion {
        let at = if words.is(at, &["minutes", "minute", "mins", "min"]) { at + 1 } else { at };
        let at = if words.at(at) == "-" { at + 1 } else { at };
        let hour = whole(words, at + 1).filter(|(hour, _)| *hour <= 24).or_else(|| twelve(words, at + 1));
        match (words.at(at), hour) {
            ("past" | "after", Some((hour, next)))
                if (0..=24).contains(&hour) && !(words.at(at) == "after" && minutes % 5 != 0) =>
            {
                return said(hour, minutes, next);
            }
            ("to" | "till" | "til" | "before" | "of", Some((hour, next)))
                if minutes != 30 && before_the_hour(words, start, minutes, next) =>
            {
                return said(if hour == 0 { 23 } else { hour - 1 }, 60 - minutes, next);
            }
            _ => {}
        }
        // British `half six`; elsewhere half of something.
        if words.at(start) == "half"
            && words.is(start.wrapping_sub(1), &["at", "by", "until", "till", "before", "after"])
            && let Some((hour @ 1..=12, next)) = whole(words, start + 1)
        {
            return said(hour, 30, next);
        }
    }
    if words.digits(i) {
        return digital(words, i);
    }
    let (hour, next) = whole(words, i)?;
    if hour >= 100 {
        return military(words, hour, next);
    }
    // `nineteen hundred hours` was read as one number; `seven oh five`, `six thirty` are two.
    if hour <= 24 {
        let zero = words.is(next, &["oh", "o"]);
        let minute = whole(words, next + usize::from(zero));
        if let Some((minute, after)) = minute.filter(|(minute, _)| (if zero { 1..10 } else { 10..60 }).contains(minute))
            && !is_unit(words.at(after))
        {
            return Some(Face { hour, minute, second: 0, next: after, form: Form::Number });
        }
    }
    (hour <= 24).then_some(Face { hour, minute: 0, second: 0, next, form: Form::Number })
}

fn twelve(words: &Words<'_>, i: usize) -> Option<(i64, usize)> {
    match words.at(i) {
        "noon" | "midday" => Some((12, i + 1)),
        "midnight" => Some((24, i + 1)),
        _ => None,
    }
}

/// Whether `N to M` counts minutes: only in fives, and not as the first half of `from 5 to 7`.
fn before_the_hour(words: &Words<'_>, i: usize, minutes: i64, next: usize) -> bool {
    minutes % 5 == 0
        && !is_unit(words.at(next))
        && !words.is(next, &["%", "percent", "people", "times", "dollars", "euros", "$", "€"])
        && (!matches!(words.before(i), "from" | "between")
            || words.is(i, &["quarter"])
            || minutes > 12
            || words.is(after_part(words, next), &["to", "until", "till"]))
}

fn after_part(words: &Words<'_>, i: usize) -> usize {
    suffix(words, i).1
}

fn digital(words: &Words<'_>, i: usize) -> Option<Face> {
    let text = words.at(i);
    let number = |at: usize| words.at(at).parse::<i64>().ok().filter(|_| words.digits(at) && words.at(at).len() <= 2);
    if let Some(hour) = number(i) {
        if words.at(i + 1) == ":" && words.glued(i + 1) && words.glued(i + 2) && words.at(i + 2).len() == 2 {
            let minute = number(i + 2)?;
            let seconds = (words.at(i + 3) == ":" && words.glued(i + 4)).then(|| number(i + 4)).flatten();
            let next = if seconds.is_some() { i + 5 } else { i + 3 };
            return Some(Face { hour, minute, second: seconds.unwrap_or(0), next, form: Form::Said });
        }
        if words.digits(i + 1)
            && words.at(i + 1).len() == 2
            && !words.glued(i + 1)
            && hour <= 24
            && !is_unit(words.at(i + 2))
        {
            let minute = number(i + 1).filter(|minute| *minute < 60)?;
            return Some(Face { hour, minute, second: 0, next: i + 2, form: Form::Number });
        }
        if words.at(i + 1) == "h" && words.glued(i + 1) {
            let minute = number(i + 2).filter(|minute| words.glued(i + 2) && *minute < 60);
            let next = if minute.is_some() { i + 3 } else { i + 2 };
            return Some(Face { hour, minute: minute.unwrap_or(0), second: 0, next, form: Form::Number });
        }
        return Some(Face { hour, minute: 0, second: 0, next: i + 1, form: Form::Number });
    }
    if let Some((hour, minute)) = text.split_once('.').filter(|(hour, minute)| hour.len() <= 2 && minute.len() == 2) {
        let (hour, minute) = (hour.parse().ok()?, minute.parse().ok()?);
        return (hour <= 24 && minute < 60).then_some(Face {
            hour,
            minute,
            second: 0,
            next: i + 1,
            form: Form::Number,
        });
    }
    let number: i64 = text.parse().ok()?;
    (3..=4)
        .contains(&text.len())
        .then(|| military(words, number, i + 1).or_else(|| led_military(words, i, number)))
        .flatten()
}

/// `at 1330`.
fn led_military(words: &Words<'_>, i: usize, number: i64) -> Option<Face> {
    let (hour, minute) = (number / 100, number % 100);
    let led = words.is(i.wrapping_sub(1), &["at", "by", "until", "till"]) && ends_well(words, i + 1);
    (led && hour < 24 && minute < 60).then_some(Face { hour, minute, second: 0, next: i + 1, form: Form::Said })
}

/// `1900 hours`, `645 am`.
fn military(words: &Words<'_>, number: i64, next: usize) -> Option<Face> {
    let (hour, minute) = (number / 100, number % 100);
    if hour > 24 || minute > 59 {
        return None;
    }
    let hours = words.is(next, &["hours", "hrs"]);
    let half = words.is(next, &["am", "pm"]);
    (hours || half).then_some(Face { hour, minute, second: 0, next: next + usize::from(hours), form: Form::Said })
}
