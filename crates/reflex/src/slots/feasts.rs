//! Days that have a name every year.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::days::Day;
use super::words::Words;

/// When a feast falls in a year.
type Falls = fn(i16) -> Option<Date>;

/// The feast that starts at a word, when it comes next, and the word after it.
pub(super) fn feast(words: &Words<'_>, i: usize, today: Date) -> Option<(Day, usize)> {
    let start = i + usize::from(words.at(i) == "the");
    let (falls, next) = named(words, start)?;
    if let Some((year, after)) = super::days::year(words, next) {
        return Some((Day::sure(falls(year)?), after));
    }
    let date = (0..=1).filter_map(|ahead| falls(today.year().checked_add(ahead)?)).find(|date| *date >= today)?;
    Some((Day::sure(date), next))
}

fn named(words: &Words<'_>, i: usize) -> Option<(Falls, usize)> {
    // `new year's eve`, `new years eve`, `new year eve`.
    let past = |at: usize| at + usize::from(words.at(at) == "'s");
    let found: (Falls, usize) = match words.at(i) {
        "christmas" | "xmas" => match words.at(i + 1) {
            "eve" => (|year| Date::new(year, 12, 24).ok(), i + 2),
            "day" => (|year| Date::new(year, 12, 25).ok(), i + 2),
            _ => (|year| Date::new(year, 12, 25).ok(), i + 1),
        },
        "new" if words.is(i + 1, &["year", "years"]) => match words.at(past(i + 2)) {
            "eve" => (|year| Date::new(year, 12, 31).ok(), past(i + 2) + 1),
            "day" => (|year| Date::new(year, 1, 1).ok(), past(i + 2) + 1),
            _ => (|year| Date::new(year, 1, 1).ok(), past(i + 2)),
        },
        "valentine" | "valentines" => {
            let at = past(i + 1);
            (|year| Date::new(year, 2, 14).ok(), at + usize::from(words.at(at) == "day"))
        }
        "halloween" => (|year| Date::new(year, 10, 31).ok(), i + 1),
        "boxing" if words.at(i + 1) == "day" => (|year| Date::new(year, 12, 26).ok(), i + 2),
        "thanksgiving" => {
            let thursday: Falls = |year| Date::new(year, 11, 1).ok()?.nth_weekday_of_month(4, Weekday::Thursday).ok();
            (thursday, i + 1 + usize::from(words.at(i + 1) == "day"))
        }
        "st" | "saint" if words.is(i + 1, &["patrick", "patricks"]) => {
            let at = past(i + 2);
            (|year| Date::new(year, 3, 17).ok(), at + usize::from(words.at(at) == "day"))
        }
        "independence" if words.at(i + 1) == "day" => (|year| Date::new(year, 7, 4).ok(), i + 2),
        "good" if words.at(i + 1) == "friday" => (|year| easter(year)?.checked_sub(2.days()).ok(), i + 2),
        "easter" => match words.at(i + 1) {
            "monday" => (|year| easter(year)?.tomorrow().ok(), i + 2),
            "sunday" => (easter, i + 2),
            _ => (easter, i + 1),
        },
        _ => return None,
    };
    Some(found)
}

/// Easter Sunday of the Gregorian calendar, by the golden number, the epact and the Sunday letter.
fn easter(year: i16) -> Option<Date> {
    let year = i32::from(year);
    let golden = year % 19;
    let century = year / 100;
    let correction = century - century / 4 - (8 * century + 13) / 25;
    let epact = (19 * golden + correction + 15).rem_euclid(30);
    let moon = epact - i32::from(epact == 29 || (epact == 28 && golden > 10));
    let letter = (year + year / 4 + moon + 2 - century + century / 4).rem_euclid(7);
    let day = moon - letter + 28;
    let (month, day) = if day > 31 { (4, day - 31) } else { (3, day) };
    Date::new(i16::try_from(year).ok()?, month, i8::try_from(day).ok()?).ok()
}
