//! Two days that share what was said once: `17 - 19 july`, `march 3 to 5`, `the 10th to the 23rd`, `2009 to 2018`.

use jiff::Zoned;
use jiff::civil::Date;

use super::clock::ends_well;
use super::days;
use super::numbers;
use super::when::joins;
use super::words::Words;

/// The first and the last day, and the word after them.
pub(super) fn pair(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Date, Date, usize)> {
    let start = i + usize::from(words.at(i) == "the");
    if let Some(found) = years(words, start) {
        return Some(found);
    }
    if days::month(words.at(start)).is_some() {
        return within_month(words, start, now);
    }
    let (number, at) = number(words, start)?;
    if !joins(words, at, words.before(i) == "between") {
        return None;
    }
    let second = at + 1 + usize::from(words.at(at + 1) == "the");
    self::number(words, second)?;
    // The month stands only with the last day.
    if let Some((day, next)) =
        days::day(words, second, now).filter(|(_, next)| (second..*next).any(|at| days::month(words.at(at)).is_some()))
    {
        let last = day.date?;
        let first =
            Date::new(last.year(), last.month(), i8::try_from(number).ok()?).ok().filter(|first| *first <= last)?;
        return Some((first, last, next));
    }
    // There is no month at all.
    let (first, _) = numbers::ordinal(words, start)?;
    let (last, next) =
        numbers::ordinal(words, second).filter(|(last, next)| (1..=31).contains(last) && ends_well(words, *next))?;
    let next = if words.reads(next, &["of", "the", "month"]) || words.reads(next, &["of", "this", "month"]) {
        next + 3
    } else {
        next
    };
    let coming = |from: Date, number: i64| days::next_such(from, number, |_| true);
    let first = coming(now.date(), first)?;
    Some((first, coming(first, last)?, next))
}

fn number(words: &Words<'_>, i: usize) -> Option<(i64, usize)> {
    let cardinal =
        || words.figure(i).filter(|_| words.digits(i)).and_then(|figure| Some((figure.value.integer()?, figure.next)));
    numbers::ordinal(words, i).or_else(cardinal).filter(|(number, _)| (1..=31).contains(number))
}

/// `march 3 to 5`.
fn within_month(words: &Words<'_>, i: usize, now: &Zoned) -> Option<(Date, Date, usize)> {
    let (day, at) = days::day(words, i, now)?;
    let first = day.date.filter(|_| joins(words, at, words.before(i) == "between"))?;
    let second = at + 1 + usize::from(words.at(at + 1) == "the");
    let (number, next) =
        number(words, second).filter(|(_, next)| ends_well(words, *next) && days::month(words.at(*next)).is_none())?;
    let last = Date::new(first.year(), first.month(), i8::try_from(number).ok()?).ok().filter(|last| *last > first)?;
    Some((first, last, next))
}

/// `from 2009 to 2018`, whole years.
fn years(words: &Words<'_>, i: usize) -> Option<(Date, Date, usize)> {
    let year = |at: usize| days::year(words, at).filter(|_| words.digits(at));
    let (first, at) = year(i).filter(|(_, at)| joins(words, *at, words.before(i) == "between"))?;
    let (last, next) = year(at + 1).filter(|(last, _)| *last >= first)?;
    Some((Date::new(first, 1, 1).ok()?, Date::new(last, 12, 31).ok()?, next))
}
