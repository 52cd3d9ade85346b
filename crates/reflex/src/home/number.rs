//! Numbers in digits or in words, and lengths of time as somebody says them.

use super::words::Words;

/// How long, in the units in which it was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Length {
    /// Whole hours.
    pub hours: Option<u64>,
    /// Whole minutes, beyond the hours.
    pub minutes: Option<u64>,
    /// Whole seconds, beyond the minutes.
    pub seconds: Option<u64>,
}

/// The number that begins at a word, and the first word after it.
pub(super) fn number(words: &Words<'_>, at: usize) -> Option<(f64, usize)> {
    let word = words.get(at);
    let first = word.chars().next()?;
    if first.is_ascii_digit() {
        if let Some((top, bottom)) = word.split_once('/') {
            let (top, bottom): (f64, f64) = (top.parse().ok()?, bottom.parse().ok()?);
            return (bottom != 0.0).then(|| (top / bottom, at + 1));
        }
        return word.parse().ok().filter(|value: &f64| value.is_finite()).map(|value| (value, at + 1));
    }
    let (mut total, mut next) = match (word, words.get(at + 1)) {
        ("a" | "one", "hundred") => (100.0, at + 2),
        _ => below_hundred(words, at)?,
    };
    if words.get(next) == "hundred" && total < 10.0 {
        (total, next) = (total * 100.0, next + 1);
    }
    if total >= 100.0 {
        let rest = if words.get(next) == "and" { next + 1 } else { next };
        if let Some((more, after)) = below_hundred(words, rest) {
            (total, next) = (total + more, after);
        }
    }
    if words.get(next) == "point"
        && let Some(digit) = unit(words.get(next + 1))
    {
        (total, next) = (total + digit / 10.0, next + 2);
    }
    Some((total, next))
}

/// The length of time that begins at a word, and the first word after it.
pub(super) fn length(words: &Words<'_>, at: usize) -> Option<(Length, usize)> {
    let (mut seconds, mut next, mut units) = part(words, at)?;
    loop {
        let from = if words.get(next) == "and" { next + 1 } else { next };
        match part(words, from) {
            Some((more, after, unit)) if unit < units => {
                (seconds, next, units) = (seconds + more, after, unit);
            }
            _ => break,
        }
    }
    Some((spread(seconds.round() as u64, words, at), next))
}

/// Keeps `90 minutes` as ninety minutes: what is larger than the largest unit that was said stays in that unit.
fn spread(seconds: u64, words: &Words<'_>, at: usize) -> Length {
    let largest = (at..at + 8).find_map(|at| unit_seconds(words.get(at))).unwrap_or(1);
    let some = |value: u64| (value > 0).then_some(value);
    let (hours, rest) = if largest >= 3600 { (seconds / 3600, seconds % 3600) } else { (0, seconds) };
    let (minutes, rest) = if largest >= 60 { (rest / 60, rest % 60) } else { (0, rest) };
    Length { hours: some(hours), minutes: some(minutes), seconds: some(rest) }
}

/// One number with one unit: its seconds, the word after it, and the unit's seconds.
fn part(words: &Words<'_>, at: usize) -> Option<(f64, usize, u64)> {
    if matches!(words.get(at), "half" | "1/2") {
        let mut next = at + 1;
        next += usize::from(words.get(next) == "of");
        next += usize::from(matches!(words.get(next), "a" | "an"));
        let unit = unit_seconds(words.get(next))?;
        return Some((unit as f64 / 2.0, next + 1, unit));
    }
    let (mut value, mut next) = match words.get(at) {
        "a" | "an" if unit_seconds(words.get(at + 1)).is_some() => (1.0, at + 1),
        _ => number(words, at)?,
    };
    let half = |next: usize| match (words.get(next), words.get(next + 1), words.get(next + 2)) {
        ("and", "a", "half") => Some((0.5, next + 3)),
        ("and", "a", "quarter") => Some((0.25, next + 3)),
        ("and", "1/2" | "half", _) => Some((0.5, next + 2)),
        ("1/2", _, _) => Some((0.5, next + 1)),
        _ => None,
    };
    if let Some((more, after)) = half(next) {
        (value, next) = (value + more, after);
    }
    next += usize::from(matches!(words.get(next), "more" | "extra" | "additional"));
    let unit = unit_seconds(words.get(next))?;
    next += 1;
    if value.fract() == 0.0
        && let Some((more, after)) = half(next).filter(|(_, after)| unit_seconds(words.get(*after)).is_none())
    {
        (value, next) = (value + more, after);
    }
    (value < 1e6).then_some((value * unit as f64, next, unit))
}

fn unit_seconds(word: &str) -> Option<u64> {
    match word {
        "hour" | "hours" | "hr" | "hrs" | "h" => Some(3600),
        "minute" | "minutes" | "min" | "mins" | "m" => Some(60),
        "second" | "seconds" | "sec" | "secs" | "s" => Some(1),
        _ => None,
    }
}

fn below_hundred(words: &Words<'_>, at: usize) -> Option<(f64, usize)> {
    if let Some(tens) = tens(words.get(at)) {
        return match unit(words.get(at + 1)).filter(|unit| *unit > 0.0) {
            Some(unit) => Some((tens + unit, at + 2)),
            None => Some((tens, at + 1)),
        };
    }
    unit(words.get(at)).or_else(|| teen(words.get(at))).map(|value| (value, at + 1))
}

fn unit(word: &str) -> Option<f64> {
    const UNITS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    UNITS.iter().position(|unit| *unit == word).map(|value| value as f64)
}

fn teen(word: &str) -> Option<f64> {
    const TEENS: [&str; 10] =
        ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"];
    TEENS.iter().position(|teen| *teen == word).map(|value| value as f64 + 10.0)
}

fn tens(word: &str) -> Option<f64> {
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    TENS.iter().position(|tens| *tens == word).map(|value| (value as f64 + 2.0) * 10.0)
}
