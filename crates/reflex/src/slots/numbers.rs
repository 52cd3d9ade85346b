//! Numbers in digits and in words.

use super::ratio::Ratio;
use super::words::{Class, Words};

/// A number, and the word after it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figure {
    pub(crate) value: Ratio,
    pub(crate) next: usize,
    pub(crate) style: Style,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Digits,
    Spelt,
    /// `a few`, `several`: somebody has to say how many.
    Vague,
}

#[derive(Clone, Copy)]
enum Small {
    Below(i64),
    Tens(i64),
    Hundred,
    Scale(i64),
}

/// The number that starts at a word, as long as it goes.
pub(crate) fn figure(words: &Words<'_>, i: usize) -> Option<Figure> {
    if words.digits(i) {
        return in_digits(words, i);
    }
    match words.at(i) {
        "minus" | "negative" => negated(words, i + 1),
        "-" | "−" if !words.glued(i) && words.glued(i + 1) && words.digits(i + 1) => negated(words, i + 1),
        "half" if words.reads(i + 1, &["a", "dozen"]) => spelt(Ratio::whole(6), i + 3),
        "half" => spelt(Ratio::HALF, i + 1),
        "a" | "an" => after_article(words, i + 1),
        "couple" => spelt(Ratio::whole(2), skip(words, i + 1, "of")),
        "dozen" => spelt(Ratio::whole(12), i + 1),
        "few" | "several" => Some(Figure { value: Ratio::whole(3), next: i + 1, style: Style::Vague }),
        "½" => spelt(Ratio::HALF, i + 1),
        "¼" => spelt(Ratio::new(1, 4)?, i + 1),
        "¾" => spelt(Ratio::new(3, 4)?, i + 1),
        _ => in_words(words, i),
    }
}

/// `3rd`, `third`, `twenty first`: the number and the word after it.
pub(crate) fn ordinal(words: &Words<'_>, i: usize) -> Option<(i64, usize)> {
    if words.digits(i) {
        let suffix = words.glued(i + 1) && words.is(i + 1, &["st", "nd", "rd", "th"]);
        return suffix.then(|| words.at(i).parse().ok()).flatten().map(|number| (number, i + 2));
    }
    if let Some(Small::Tens(tens)) = small(words.at(i)) {
        let unit = skip(words, i + 1, "-");
        return ordinal_word(words.at(unit)).filter(|number| *number < 10).map(|number| (tens + number, unit + 1));
    }
    ordinal_word(words.at(i)).map(|number| (number, i + 1))
}

fn spelt(value: Ratio, next: usize) -> Option<Figure> {
    Some(Figure { value, next, style: Style::Spelt })
}

fn skip(words: &Words<'_>, i: usize, word: &str) -> usize {
    if words.at(i) == word { i + 1 } else { i }
}

fn negated(words: &Words<'_>, i: usize) -> Option<Figure> {
    let figure = if words.digits(i) { in_digits(words, i)? } else { in_words(words, i)? };
    Some(Figure { value: figure.value.negative(), ..figure })
}

fn in_digits(words: &Words<'_>, i: usize) -> Option<Figure> {
    // `mp3` holds no number, `1h30m` holds two.
    let letters = words.class(i.wrapping_sub(1)) == Some(Class::Letters);
    if words.glued(i) && letters && !matches!(words.before(i), "h" | "hr" | "hrs" | "m" | "min") {
        return None;
    }
    let mut value = Ratio::literal(words.at(i))?;
    let mut next = i + 1;
    if words.at(next) == "/" && words.glued(next) && words.glued(next + 1) && words.digits(next + 1) {
        let below = Ratio::literal(words.at(next + 1))?;
        if words.at(next + 2) != "/" {
            (value, next) = (value.over(below)?, next + 2);
        }
    } else if words.digits(next) && words.at(next + 1) == "/" && words.glued(next + 1) && words.digits(next + 2) {
        let part = Ratio::literal(words.at(next))?.over(Ratio::literal(words.at(next + 2))?)?;
        (value, next) = (value.plus(part)?, next + 3);
    } else if let Some(part) = fraction_mark(words.at(next)) {
        (value, next) = (value.plus(part)?, next + 1);
    }
    if let Some(Small::Scale(scale)) = small(words.at(next)) {
        (value, next) = (value.times(Ratio::whole(scale))?, next + 1);
    } else if matches!(small(words.at(next)), Some(Small::Hundred)) {
        (value, next) = (value.times(Ratio::whole(100))?, next + 1);
    } else if words.at(next) == "k" && words.glued(next) {
        (value, next) = (value.times(Ratio::whole(1000))?, next + 1);
    } else if words.at(next) == "dozen" {
        (value, next) = (value.times(Ratio::whole(12))?, next + 1);
    }
    let (value, next) = and_a_part(words, value, next)?;
    Some(Figure { value, next, style: Style::Digits })
}

fn fraction_mark(word: &str) -> Option<Ratio> {
    match word {
        "½" => Some(Ratio::HALF),
        "¼" => Ratio::new(1, 4),
        "¾" => Ratio::new(3, 4),
        _ => None,
    }
}

/// `… and a half`, `… and a quarter`.
fn and_a_part(words: &Words<'_>, value: Ratio, next: usize) -> Option<(Ratio, usize)> {
    if words.at(next) != "and" {
        return Some((value, next));
    }
    let at = if words.is(next + 1, &["a", "one"]) { next + 2 } else { next + 1 };
    let part = match words.at(at) {
        "half" => Ratio::HALF,
        "quarter" => Ratio::new(1, 4)?,
        "three" if words.is(at + 1, &["quarters"]) => return Some((value.plus(Ratio::new(3, 4)?)?, at + 2)),
        _ => return Some((value, next)),
    };
    // `an hour and half past` is not a number and a half.
    if words.is(at + 1, &["past", "to", "an"]) {
        return Some((value, next));
    }
    Some((value.plus(part)?, at + 1))
}

/// `a hundred and five`, `a dozen`, `a couple of`, `a half`, `a quarter`. A lone article is for those who know the unit.
fn after_article(words: &Words<'_>, i: usize) -> Option<Figure> {
    match words.at(i) {
        "hundred" | "thousand" | "million" | "billion" => in_words(words, i),
        "dozen" => spelt(Ratio::whole(12), i + 1),
        "couple" => spelt(Ratio::whole(2), skip(words, i + 1, "of")),
        "half" => spelt(Ratio::HALF, i + 1),
        "quarter" => spelt(Ratio::new(1, 4)?, i + 1),
        "third" => spelt(Ratio::new(1, 3)?, i + 1),
        "few" => Some(Figure { value: Ratio::whole(3), next: i + 1, style: Style::Vague }),
        _ => None,
    }
}

fn in_words(words: &Words<'_>, start: usize) -> Option<Figure> {
    let (mut total, mut current, mut i) = (0_i64, None::<i64>, start);
    // A second number of the same rank starts a new one: `ten twelve`, `five thirty`.
    let mut room = i64::MAX;
    loop {
        let at = match words.at(i) {
            "and" if current.is_some_and(|value| value % 100 == 0 && value > 0) || (current.is_none() && total > 0) => {
                i + 1
            }
            "-" if i > start && words.glued(i) && words.glued(i + 1) => i + 1,
            _ => i,
        };
        let word = words.at(at);
        let article = (i > start && word == "a").then(|| small(words.at(at + 1))).flatten();
        let Some(small) = article.or_else(|| small(word)) else { break };
        let value = current.unwrap_or(0);
        match small {
            Small::Below(unit) if room > 9 && (unit < 10 || room > 19) => {
                if unit == 0 && current.is_some() {
                    break;
                }
                (current, room) = (Some(value + unit), 0);
            }
            Small::Tens(tens) if room > 90 => (current, room) = (Some(value + tens), 10),
            Small::Hundred if i == start || (1..100).contains(&value) => {
                (current, room) = (Some(value.max(1) * 100), 99);
            }
            Small::Scale(scale) if i == start || value > 0 => {
                total = total.checked_add(value.max(1).checked_mul(scale)?)?;
                (current, room) = (None, i64::MAX);
            }
            Small::Below(_) | Small::Tens(_) | Small::Hundred | Small::Scale(_) => break,
        }
        i = at + 1 + usize::from(article.is_some());
    }
    if i == start {
        return None;
    }
    let mut value = Ratio::whole(total.checked_add(current.unwrap_or(0))?);
    if words.at(i) == "point" {
        let (mut scale, mut at) = (Ratio::new(1, 10)?, i + 1);
        while let Some(Small::Below(digit @ 0..=9)) = small(words.at(at)) {
            value = value.plus(scale.times(Ratio::whole(digit))?)?;
            scale = scale.times(Ratio::new(1, 10)?)?;
            at += 1;
        }
        i = if at > i + 1 { at } else { i };
    }
    if let Some(parts) = parts(words.at(i)).filter(|_| value.integer().is_some_and(|whole| (1..100).contains(&whole))) {
        return spelt(value.over(Ratio::whole(parts))?, i + 1);
    }
    if words.at(i) == "dozen" {
        return spelt(value.times(Ratio::whole(12))?, i + 1);
    }
    let (value, next) = and_a_part(words, value, i)?;
    spelt(value, next)
}

/// `three quarters`, `two thirds`.
fn parts(word: &str) -> Option<i64> {
    match word {
        "halves" => Some(2),
        "thirds" => Some(3),
        "quarters" | "fourths" => Some(4),
        "fifths" => Some(5),
        "eighths" => Some(8),
        "tenths" => Some(10),
        _ => None,
    }
}

fn small(word: &str) -> Option<Small> {
    Some(match word {
        "zero" => Small::Below(0),
        "one" => Small::Below(1),
        "two" => Small::Below(2),
        "three" => Small::Below(3),
        "four" => Small::Below(4),
        "five" => Small::Below(5),
        "six" => Small::Below(6),
        "seven" => Small::Below(7),
        "eight" => Small::Below(8),
        "nine" => Small::Below(9),
        "ten" => Small::Below(10),
        "eleven" => Small::Below(11),
        "twelve" => Small::Below(12),
        "thirteen" => Small::Below(13),
        "fourteen" => Small::Below(14),
        "fifteen" => Small::Below(15),
        "sixteen" => Small::Below(16),
        "seventeen" => Small::Below(17),
        "eighteen" => Small::Below(18),
        "nineteen" => Small::Below(19),
        "twenty" => Small::Tens(20),
        "thirty" => Small::Tens(30),
        "forty" | "fourty" => Small::Tens(40),
        "fifty" => Small::Tens(50),
        "sixty" => Small::Tens(60),
        "seventy" => Small::Tens(70),
        "eighty" => Small::Tens(80),
        "ninety" => Small::Tens(90),
        "hundred" => Small::Hundred,
        "thousand" => Small::Scale(1_000),
        "million" => Small::Scale(1_000_000),
        "billion" => Small::Scale(1_000_000_000),
        "trillion" => Small::Scale(1_000_000_000_000),
        _ => return None,
    })
}

fn ordinal_word(word: &str) -> Option<i64> {
    Some(match word {
        "first" => 1,
        "second" => 2,
        "third" => 3,
        "fourth" => 4,
        "fifth" => 5,
        "sixth" => 6,
        "seventh" => 7,
        "eighth" => 8,
        "ninth" => 9,
        "tenth" => 10,
        "eleventh" => 11,
        "twelfth" | "twelveth" => 12,
        "thirteenth" => 13,
        "fourteenth" => 14,
        "fifteenth" => 15,
        "sixteenth" => 16,
        "seventeenth" => 17,
        "eighteenth" => 18,
        "nineteenth" => 19,
        "twentieth" => 20,
        "thirtieth" => 30,
        _ => return None,
    })
}
