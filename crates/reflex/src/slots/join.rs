//! Joins mentions of time into values: a day here and an hour there are one moment.

use std::ops::Range;

use jiff::civil::{Date, Time};
use jiff::{ToSpan, Zoned};
use serde_json::{Value, json};

use super::Kind;
use super::clock::{Clock, Part};
use super::days::Day;
use super::periods::Period;
use super::settle::{self, Settled};
use super::when::{self, End, Piece, When};
use super::words::Words;

/// A value and the words that name it, perhaps in several places.
#[derive(Debug)]
pub(super) struct Joined {
    pub(super) kind: Kind,
    pub(super) value: Value,
    pub(super) doubt: Option<String>,
    pub(super) places: Vec<Range<usize>>,
}

/// The values that the mentions of a text make.
pub(super) fn join(words: &Words<'_>, now: &Zoned, pieces: &[Piece]) -> Vec<Joined> {
    let mut used = vec![false; pieces.len()];
    let mut joined = Vec::new();
    let lean = settle::lean(words);
    let rule = pieces.iter().position(|piece| matches!(piece.when, When::Rule(_)));
    for (index, piece) in pieces.iter().enumerate() {
        let clocks = matches!(piece.when, When::Clock(_) | When::Hours(..));
        if !clocks {
            continue;
        }
        used[index] = true;
        let part = partner(words, pieces, index, &used, |when| matches!(when, When::Part(..)));
        let day = partner(words, pieces, index, &used, |when| matches!(when, When::Day(_)));
        let (hint, of_day) = match part.map(|part| &pieces[part].when) {
            Some(When::Part(part, date)) => (Some(*part), *date),
            _ => (None, None),
        };
        let repeated = rule.and_then(|rule| match &pieces[rule].when {
            When::Rule(rule) => Some(rule),
            _ => None,
        });
        let hint = hint.or(repeated.and_then(|rule| rule.part)).or(lean);
        let said = day.and_then(|day| match &pieces[day].when {
            When::Day(day) => Some(day.clone()),
            _ => None,
        });
        let said = said.or(of_day.map(Day::sure));
        let mut places = vec![piece.words.clone()];
        for partner in [part, day].into_iter().flatten() {
            used[partner] = true;
            places.push(pieces[partner].words.clone());
        }
        let settled = match (&piece.when, repeated) {
            (When::Clock(clock), Some(rule)) => {
                let from = said.as_ref().and_then(|day| day.date).unwrap_or(now.date());
                let Settled { time, doubt } = settle::any_day(*clock, hint);
                let first = rule.first(now, from, time);
                (Kind::Moment, first.map_or(Value::Null, |moment| json!(moment.to_string())), doubt)
            }
            (When::Clock(clock), None) => settle::moment(*clock, said.as_ref(), hint, now),
            (When::Hours(from, to), _) => settle::hours((*from, *to), said.as_ref(), hint, now),
            _ => continue,
        };
        let (kind, value, doubt) = settled;
        joined.push(Joined { kind, value, doubt, places });
    }
    for (index, piece) in pieces.iter().enumerate() {
        if used[index] {
            continue;
        }
        used[index] = true;
        let mut places = vec![piece.words.clone()];
        let (kind, value, doubt) = match &piece.when {
            When::Clock(_) | When::Hours(..) => continue,
            When::Wrong(why) => (Kind::Moment, Value::Null, Some(why.clone())),
            When::Day(day) => {
                let part = pieces.get(index + 1).filter(|next| !used[index + 1] && touches(words, piece, next));
                match part.map(|part| (&part.when, &part.words)) {
                    Some((When::Part(part, None), at)) => {
                        used[index + 1] = true;
                        places.push(at.clone());
                        let period = day.date.and_then(|date| when::hours(*part, date, now));
                        ranged(period.as_ref(), day.doubt.clone())
                    }
                    _ => (Kind::Date, day.date.map_or(Value::Null, |date| json!(date.to_string())), day.doubt.clone()),
                }
            }
            When::Part(part, date) => {
                let next = pieces.get(index + 1).filter(|next| !used[index + 1] && touches(words, piece, next));
                let day = match next.map(|next| (&next.when, &next.words)) {
                    Some((When::Day(day), at)) if date.is_none() => {
                        used[index + 1] = true;
                        places.push(at.clone());
                        day.date
                    }
                    _ => date.or_else(|| when::coming(*part, now)),
                };
                ranged(day.and_then(|date| when::hours(*part, date, now)).as_ref(), None)
            }
            When::Period(period) => ranged(Some(period), period.doubt.clone()),
            When::Ends(from, to) => ends(from, to, lean, now),
            When::Length(length) => (Kind::Duration, json!(length.span.to_string()), length.doubt.clone()),
            When::Instant(moment, doubt) => (Kind::Moment, json!(moment.to_string()), doubt.clone()),
            When::Rule(rule) => (Kind::Recurrence, json!(rule.to_string()), None),
        };
        joined.push(Joined { kind, value, doubt, places });
    }
    joined
}

/// The mention that belongs to this one: the one beside it, or the only one that is free.
fn partner(
    words: &Words<'_>,
    pieces: &[Piece],
    index: usize,
    used: &[bool],
    fits: impl Fn(&When) -> bool,
) -> Option<usize> {
    let free = |other: &usize| !used[*other] && fits(&pieces[*other].when);
    let beside = |from: usize, to: usize| (from..to).all(|at| touches(words, &pieces[at], &pieces[at + 1]));
    let near = [index.checked_sub(1), Some(index + 1), index.checked_sub(2), Some(index + 2)];
    let near = near.into_iter().flatten().filter(|other| *other < pieces.len());
    if let Some(other) = near.filter(free).find(|other| beside(index.min(*other), index.max(*other))) {
        return Some(other);
    }
    let mut others = (0..pieces.len()).filter(free);
    let only = others.next().filter(|_| others.next().is_none())?;
    // Another time stands beside it: it is that one's.
    let claimed = pieces.iter().enumerate().any(|(clock, piece)| {
        clock != index
            && matches!(piece.when, When::Clock(_) | When::Hours(..))
            && clock.abs_diff(only) == 1
            && beside(clock.min(only), clock.max(only))
    });
    (!claimed).then_some(only)
}

/// Whether nothing but small words stands between two mentions.
fn touches(words: &Words<'_>, first: &Piece, second: &Piece) -> bool {
    (first.words.end..second.words.start).all(|i| {
        words.is(
            i,
            &[
                "at", "on", "in", "the", "of", ",", "by", "for", "around", "about", "starting", "from", "until",
                "till", "'s",
            ],
        )
    })
}

pub(super) fn ranged(period: Option<&Period>, doubt: Option<String>) -> (Kind, Value, Option<String>) {
    let value =
        period.map_or(Value::Null, |period| json!({"from": period.from.to_string(), "to": period.to.to_string()}));
    (Kind::Range, value, doubt)
}

/// From one day to another; without a time the last day counts whole.
fn ends(from: &End, to: &End, lean: Option<Part>, now: &Zoned) -> (Kind, Value, Option<String>) {
    let days = || [&from.day, &to.day].into_iter().flatten();
    let impossible = days().find(|day| day.date.is_none());
    let doubt = impossible.or_else(|| days().find(|day| day.doubt.is_some())).and_then(|day| day.doubt.clone());
    let date = |day: &Option<Day>, otherwise: Option<Date>| day.as_ref().map_or(otherwise, |day| day.date);
    let first = date(&from.day, date(&to.day, None));
    let last = date(&to.day, first);
    let (Some(first), Some(last)) = (first, last) else { return (Kind::Range, Value::Null, doubt) };
    let last = later(first, last, to.day.is_some());
    let at = |date: Date, clock: Option<Clock>, otherwise: (i64, Time)| {
        let (date, time) = match clock {
            Some(clock) => (date, settle::any_day(clock, lean).time),
            None => (date.checked_add(otherwise.0.days()).ok()?, otherwise.1),
        };
        date.to_datetime(time).to_zoned(now.time_zone().clone()).ok()
    };
    let to_at = at(last, to.clock, (1, Time::midnight()));
    let from_at = at(first, from.clock, (0, Time::midnight()));
    // Only the end has a day: what begins later in the day than it ends began the day before.
    let from_at = match (&from.day, &from_at, &to_at) {
        (None, Some(start), Some(end)) if start >= end => start.yesterday().ok(),
        _ => from_at,
    };
    let unsure = [from.clock, to.clock].into_iter().flatten().find_map(|clock| settle::any_day(clock, lean).doubt);
    let period = from_at.zip(to_at).filter(|(from, to)| from < to).map(|(from, to)| Period { from, to, doubt: None });
    let past = period.is_none().then(|| "The end comes before the beginning.".to_owned());
    ranged(period.as_ref(), doubt.or(unsure).or(past))
}

/// The end of `from friday to monday` is the monday after that friday.
fn later(first: Date, last: Date, said: bool) -> Date {
    if last >= first || !said {
        return last;
    }
    let week = last.checked_add(1.week()).unwrap_or(last);
    if week >= first { week } else { last }
}
