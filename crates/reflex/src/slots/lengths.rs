//! How long: `an hour and a half`, `1h30m`, `five to ten minutes`.

use jiff::Span;

use super::numbers::{Figure, Style};
use super::ratio::Ratio;
use super::words::Words;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// A length of time, and the word after it.
#[derive(Debug, Clone)]
pub(super) struct Length {
    pub(super) span: Span,
    /// The smallest unit that was said: days make dates, hours make moments.
    pub(super) finest: Unit,
    pub(super) next: usize,
    pub(super) doubt: Option<String>,
}

pub(crate) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "second" | "seconds" | "sec" | "secs" => Unit::Second,
        "minute" | "minutes" | "min" | "mins" | "minuts" | "minues" => Unit::Minute,
        "hour" | "hours" | "hr" | "hrs" => Unit::Hour,
        "day" | "days" => Unit::Day,
        "week" | "weeks" | "wk" | "wks" => Unit::Week,
        "month" | "months" => Unit::Month,
        "year" | "years" | "yr" | "yrs" => Unit::Year,
        "millisecond" | "milliseconds" | "ms" => Unit::Millisecond,
        _ => return None,
    })
}

impl Unit {
    /// A whole number of this, and what of it is a fraction in smaller ones. Months and years have none.
    fn span(self, amount: Ratio) -> Option<Span> {
        let span = Span::new();
        let whole = amount.truncated().integer()?;
        let rest = amount.minus(Ratio::whole(whole))?;
        let (span, smaller) = match self {
            Self::Millisecond => (span.try_milliseconds(whole).ok()?, None),
            Self::Second => (span.try_seconds(whole).ok()?, Some((1000, Self::Millisecond))),
            Self::Minute => (span.try_minutes(whole).ok()?, Some((60, Self::Second))),
            Self::Hour => (span.try_hours(whole).ok()?, Some((60, Self::Minute))),
            Self::Day => (span.try_days(whole).ok()?, Some((24, Self::Hour))),
            Self::Week => (span.try_weeks(whole).ok()?, Some((7, Self::Day))),
            Self::Month => (span.try_months(whole).ok()?, None),
            Self::Year => (span.try_years(whole).ok()?, Some((12, Self::Month))),
        };
        match smaller {
            _ if rest == Ratio::ZERO => Some(span),
            Some((many, unit)) => merged(span, unit.span(rest.times(Ratio::whole(many))?)?),
            None => None,
        }
    }
}

/// Both together, field by field.
fn merged(a: Span, b: Span) -> Option<Span> {
    Span::new()
        .try_years(i64::from(a.get_years()) + i64::from(b.get_years()))
        .and_then(|span| span.try_months(i64::from(a.get_months()) + i64::from(b.get_months())))
        .and_then(|span| span.try_weeks(i64::from(a.get_weeks()) + i64::from(b.get_weeks())))
        .and_then(|span| span.try_days(i64::from(a.get_days()) + i64::from(b.get_days())))
        .and_then(|span| span.try_hours(i64::from(a.get_hours()) + i64::from(b.get_hours())))
        .and_then(|span| span.try_minutes(a.get_minutes() + b.get_minutes()))
        .and_then(|span| span.try_seconds(a.get_seconds() + b.get_seconds()))
        .and_then(|span| span.try_milliseconds(a.get_milliseconds() + b.get_milliseconds()))
        .ok()
}

/// The length of time that starts at a word.
pub(super) fn length(words: &Words<'_>, i: usize) -> Option<Length> {
    if let Some(length) = on_a_display(words, i).or_else(|| spread(words, i)) {
        return Some(length);
    }
    let (amount, finest, mut next, style) = term(words, i)?;
    let mut span = finest.span(amount)?;
    let doubt = (style == Style::Vague).then(|| format!("How many {} exactly?", plural(finest)));
    let mut finest = finest;
    // `an hour and a half`: the half is of the unit before it.
    if words.at(next) == "and"
        && (words.reads(next + 1, &["a", "half"])
            || words.reads(next + 1, &["a", "quarter"])
            || words.at(next + 1) == "half")
    {
        let article = usize::from(words.at(next + 1) == "a");
        let part = if words.at(next + 1 + article) == "half" { Ratio::HALF } else { Ratio::new(1, 4)? };
        let after = next + 2 + article;
        if !words.is(after, &["past", "a", "an"]) {
            span = merged(span, finest.span(part)?)?;
            next = after;
        }
    }
    loop {
        let at = match words.at(next) {
            "," if words.at(next + 1) == "and" => next + 2,
            "and" | "," | "plus" => next + 1,
            _ => next,
        };
        match term(words, at) {
            Some((amount, unit, after, style)) if unit < finest && style != Style::Vague => {
                span = merged(span, unit.span(amount)?)?;
                (finest, next) = (unit, after);
            }
            _ => break,
        }
        if next >= words.len() {
            break;
        }
    }
    // `1h30`, `an hour and twenty`.
    if finest == Unit::Hour {
        let at = next + usize::from(words.at(next) == "and");
        let minutes = words.figure(at).and_then(|figure| Some((figure.value.integer()?, figure.next)));
        if let Some((minutes, after)) =
            minutes.filter(|(minutes, after)| (1..60).contains(minutes) && super::clock::ends_well(words, *after))
            && (at > next || words.glued(at) || !words.digits(at))
        {
            span = merged(span, Unit::Minute.span(Ratio::whole(minutes))?)?;
            (finest, next) = (Unit::Minute, after);
        }
    }
    Some(Length { span, finest, next, doubt })
}

/// `1:30:00` and `1:30`, where the words ask how long.
fn on_a_display(words: &Words<'_>, i: usize) -> Option<Length> {
    let number = |at: usize| words.digits(at).then(|| words.at(at).parse::<i64>().ok()).flatten();
    let colon = |at: usize| words.at(at) == ":" && words.glued(at) && words.glued(at + 1);
    if !words.digits(i)
        || !colon(i + 1)
        || !words.any(&["timer", "timers", "countdown", "stopwatch", "duration", "long", "lasting"])
    {
        return None;
    }
    let (first, second) = (number(i)?, number(i + 2)?);
    let three = colon(i + 3).then(|| number(i + 4)).flatten();
    let after = i + if three.is_some() { 5 } else { 3 };
    if words.is(after, &["am", "pm"]) || words.is(i.wrapping_sub(1), &["at", "until", "till"]) {
        return None;
    }
    let build = |hours: i64, minutes: i64, seconds: i64| {
        let span = Span::new().try_hours(hours).ok()?.try_minutes(minutes).ok()?;
        span.try_seconds(seconds).ok()
    };
    let (span, doubt) = match three {
        Some(third) => (build(first, second, third)?, None),
        None => {
            let question = format!("Do you mean {first} min {second} s or {first} h {second} min?");
            (build(0, first, second)?, Some(question))
        }
    };
    Some(Length { span, finest: Unit::Second, next: after, doubt })
}

/// One number with its unit.
fn term(words: &Words<'_>, i: usize) -> Option<(Ratio, Unit, usize, Style)> {
    let lone = matches!(words.at(i), "a" | "an") && unit(words.at(i + 1)).is_some();
    if lone || words.is(i, &["a", "an"]) && words.at(i + 1) == "fortnight" {
        // `twice a day` is not a day long, and `just a second` is no time at all.
        let rate =
            matches!(words.before(i), "once" | "twice" | "times" | "per" | "just" | "on" | "wait" | "what" | "such");
        return match (rate, unit(words.at(i + 1))) {
            (true, _) => None,
            (false, Some(unit)) => Some((Ratio::whole(1), unit, i + 2, Style::Spelt)),
            (false, None) => Some((Ratio::whole(2), Unit::Week, i + 2, Style::Spelt)),
        };
    }
    let quarter = usize::from(words.at(i) == "a") + i;
    if words.at(quarter) == "quarter" && words.reads(quarter + 1, &["of", "an", "hour"]) {
        return Some((Ratio::new(1, 4)?, Unit::Hour, quarter + 4, Style::Spelt));
    }
    let Figure { value, next, style } = words.figure(i)?;
    // `minus five minutes` is no length, and neither is its end.
    if value.is_negative() || matches!(words.before(i), "minus" | "negative") {
        return None;
    }
    if words.is(next, &["hours", "hrs"]) && words.before(i) != "for" && on_the_clock(words, i, value) {
        return None;
    }
    let mut at = next;
    if words.at(at) == "-" && words.glued(at) && words.glued(at + 1) {
        at += 1;
    }
    at += usize::from(words.at(at) == "more");
    if words.at(at) == "of" && words.is(at + 1, &["an", "a"]) || words.at(at) == "of" && words.at(at + 1) == "the" {
        at += 2;
    } else if value == Ratio::HALF && words.is(at, &["a", "an"]) {
        at += 1;
    }
    if let Some(unit) = unit(words.at(at)) {
        return Some((value, unit, at + 1, style));
    }
    match words.at(at) {
        "nights" if value.integer().is_some() && next == at => Some((value, Unit::Day, at + 1, style)),
        "night" if value.integer() == Some(1) && next == at => Some((value, Unit::Day, at + 1, style)),
        "night" if next == at && words.is(at + 1, &["stay", "weekend", "trip", "holiday", "booking", "package"]) => {
            Some((value, Unit::Day, at + 1, style))
        }
        "fortnight" | "fortnights" => Some((value.times(Ratio::whole(2))?, Unit::Week, at + 1, style)),
        letter => short(words, i, letter, at).map(|unit| (value, unit, at + 1, style)),
    }
}

/// Whether `1900 hours` is a time of day.
fn on_the_clock(words: &Words<'_>, i: usize, value: Ratio) -> bool {
    let written = if words.digits(i) { words.at(i).len() == 4 } else { words.is(i + 1, &["hundred"]) };
    written && value.integer().is_some_and(|hours| (0..=2400).contains(&hours) && hours % 100 < 60)
}

/// `5h`, `30m`, `90s`, glued to digits.
fn short(words: &Words<'_>, i: usize, letter: &str, at: usize) -> Option<Unit> {
    if !words.digits(i) || !words.glued(at) {
        return None;
    }
    match letter {
        // `at 15h30` is a time of day.
        "h" if words.is(i.wrapping_sub(1), &["at", "by", "until", "till"]) => None,
        "h" => Some(Unit::Hour),
        "s" if words.at(i).len() < 4 => Some(Unit::Second),
        "d" => Some(Unit::Day),
        "m" if words.at(i.wrapping_sub(1)) == "h"
            || words.is(i.wrapping_sub(1), &["in", "for"])
            || words.digits(at + 1) =>
        {
            Some(Unit::Minute)
        }
        "m" if words.any(&["timer", "alarm", "remind", "reminder", "wait", "countdown", "snooze"]) => {
            Some(Unit::Minute)
        }
        _ => None,
    }
}

/// The first number of `five to ten minutes`, with the unit of the second.
fn spread(words: &Words<'_>, i: usize) -> Option<Length> {
    let first = words.figure(i).filter(|figure| words.is(figure.next, &["to", "or", "-", "–"]))?;
    let second = words.figure(first.next + 1)?;
    let (_, unit, next, _) = term(words, first.next + 1)?;
    let question = format!("Do you mean {} or {}?", said(first.value, unit), said(second.value, unit));
    Some(Length { span: unit.span(first.value)?, finest: unit, next, doubt: Some(question) })
}

fn plural(unit: Unit) -> &'static str {
    match unit {
        Unit::Millisecond => "milliseconds",
        Unit::Second => "seconds",
        Unit::Minute => "minutes",
        Unit::Hour => "hours",
        Unit::Day => "days",
        Unit::Week => "weeks",
        Unit::Month => "months",
        Unit::Year => "years",
    }
}

fn said(amount: Ratio, unit: Unit) -> String {
    let one = amount.integer() == Some(1);
    let name = plural(unit);
    format!("{} {}", amount.digits(2).0, if one { &name[..name.len() - 1] } else { name })
}
