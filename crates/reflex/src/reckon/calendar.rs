//! The clock and the calendar: what time it is, here or elsewhere, which day something is, how long until then.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{ToSpan, Unit, Zoned};
use serde_json::{Value, json};

use super::{Question, Reckoned, sentence};
use crate::slots::days::{self, Day};
use crate::slots::{Kind, Surroundings, find, places};

/// The answer to a question about time.
pub(super) fn answer(question: &Question<'_>, now: &Zoned) -> Option<Reckoned> {
    clock(question, now)
        .or_else(|| today(question, now))
        .or_else(|| distance(question, now))
        .or_else(|| between(question, now))
        .or_else(|| length_of_month(question, now))
        .or_else(|| leap_year(question))
        .or_else(|| age(question, now))
        .or_else(|| is_weekday(question, now))
        .or_else(|| which_day(question, now))
}

/// `what time is it`, `what time is it in tokyo`, `what time will it be in two hours`.
fn clock(question: &Question<'_>, now: &Zoned) -> Option<Reckoned> {
    const ASKED: &[&[&str]] = &[
        &["what", "time", "is", "it"],
        &["what", "time", "it", "is"],
        &["what", "is", "the", "time"],
        &["what", "'s", "the", "time"],
        &["whats", "the", "time"],
        &["what", "'s", "the", "current", "time"],
        &["what", "is", "the", "current", "time"],
        &["the", "current", "time"],
        &["current", "time"],
        &["the", "time"],
        &["time"],
        &["what", "time", "will", "it", "be"],
        &["what", "hour", "is", "it"],
        &["what", "'s", "time"],
        &["what", "is", "time"],
    ];
    let at = question.past(question.start, ASKED)?;
    let at = question.skip(at, &["right", "now", "currently", "here"]);
    if at == question.end {
        // A lone `time` is not a question.
        let alone = question.end - question.start == 1 && !question.asked;
        return (!alone).then(|| told(now, &format!("It is {}.", now.strftime("%-H:%M"))));
    }
    let place = question.past(at, &[&["in"], &["at"], &["over", "in"]]).map_or(at, |at| question.skip(at, &["the"]));
    let end = question.skip_back(&["right", "now", "currently", "today"]);
    if let Some(zone) =
        places::zone(question.words.phrase(place, end)).or_else(|| places::zone(question.words.phrase(place - 1, end)))
    {
        let there = now.with_time_zone(TimeZone::get(zone).ok()?);
        let name = titled(question.raw(place, end));
        let clock = there.strftime("%-H:%M");
        let day = if there.date() == now.date() {
            String::new()
        } else {
            format!(" on {}", days::weekday_name(there.weekday()))
        };
        return Some(told(&there, &format!("It is {clock}{day} in {name}.")));
    }
    let slots = find(question.raw(place - 1, question.end), &Surroundings { now: now.clone(), names: &[] });
    match slots.as_slice() {
        [slot]
            if slot.kind == Kind::Moment
                && slot.doubt.is_none()
                && slot.span.len() == question.raw(place - 1, question.end).len() =>
        {
            let moment: Zoned = slot.value.as_str()?.parse().ok()?;
            Some(told(&moment, &format!("It will be {}.", moment.strftime("%-H:%M"))))
        }
        _ => None,
    }
}

fn told(moment: &Zoned, answer: &str) -> Reckoned {
    let minute = moment.round(Unit::Minute).unwrap_or_else(|_| moment.clone());
    let minute = if minute > *moment { minute.checked_sub(1.minute()).unwrap_or(minute) } else { minute };
    Reckoned { answer: answer.to_owned(), value: json!(minute.to_string()) }
}

fn titled(name: &str) -> String {
    name.split(' ').map(sentence).collect::<Vec<_>>().join(" ")
}

/// `what day is it`, `what's today's date`, `what year is it`.
fn today(question: &Question<'_>, now: &Zoned) -> Option<Reckoned> {
    let today = now.date();
    let rest = question.words.phrase(question.start, question.end);
    let rest = rest.strip_suffix(" today").unwrap_or(rest);
    let (answer, value) = match rest {
        "what day is it"
        | "what day is"
        | "what day of the week is it"
        | "which day is it"
        | "what day it is"
        | "what is the day"
        | "what's the day"
        | "what is the date"
        | "what's the date"
        | "whats the date"
        | "what date is it"
        | "what date is"
        | "today's date"
        | "what is today's date"
        | "what's today's date"
        | "what is today"
        | "what's"
        | "the date"
        | "what is the current date"
        | "what's the current date"
        | "what is the day of the week"
        | "current date"
        | "what date it is"
        | "what 's today 's date"
        | "what is"
        | "what day is today"
        | "what is the date of"
        | "what's today"
        | "what is today 's date"
        | "what day of the week is" => (format!("Today is {}.", full(today)), json!(today.to_string())),
        "what year is it" | "what is the year" | "what's the year" | "which year is it" | "what year" => {
            (format!("It is {}.", today.year()), json!(today.year()))
        }
        "what month is it" | "what is the month" | "what's the month" | "which month is it" => {
            (format!("It is {}.", days::month_name(today.month())), json!(today.month()))
        }
        "what week is it" | "what week number is it" | "which week is it" => {
            let week = today.iso_week_date().week();
            (format!("It is week {week}."), json!(week))
        }
        _ => return None,
    };
    // `what is` alone was not about today.
    let about_today = question.words.any(&["today", "day", "date", "year", "month", "week"]);
    about_today.then_some(Reckoned { answer, value })
}

fn full(date: Date) -> String {
    format!("{} {} {} {}", days::weekday_name(date.weekday()), date.day(), days::month_name(date.month()), date.year())
}

/// A day that fills the question from `i` to its end.
fn whole_day(question: &Question<'_>, i: usize, now: &Zoned) -> Option<Day> {
    let i = question.skip(i, &["on"]);
    let (day, end) = days::day(question.words, i, now)?;
    let end = question.skip(end, &["on", "this", "year", "be", "fall", "'s", "date"]);
    (end >= question.end).then_some(day)
}

/// `how many days until march 5`, `how long since christmas`.
fn distance(question: &Question<'_>, now: &Zoned) -> Option<Reckoned> {
    let at = question
        .past(question.start, &[&["how", "many"], &["how", "long"], &["number", "of"]])
        .unwrap_or(question.start);
    let (unit, at) = match question.at(at) {
        "days" => (1, at + 1),
        "weeks" => (7, at + 1),
        "until" | "till" | "til" | "to" | "before" | "since" | "is" | "ago" if at > question.start => (1, at),
        _ => return None,
    };
    let at = question.skip(at, &["is", "it", "are", "there", "left", "has", "been", "have", "passed", "do", "we", "i"]);
    let until = question.past(at, &[&["until"], &["till"], &["til"], &["to"], &["before"]]);
    let since = question.past(at, &[&["since"]]);
    let day = whole_day(question, until.or(since)?, now)?;
    let Some(date) = day.date else { return day.doubt.map(|why| Reckoned { answer: why, value: Value::Null }) };
    if day.doubt.is_some() {
        return None;
    }
    let today = now.date();
    // Since looks back: the last such day, unless the year was said.
    let date = if since.is_some() && date > today { date.checked_sub(1.year()).ok()? } else { date };
    let days = i64::from((date - today).get_days());
    let (count, way) = if since.is_some() { (-days, "since") } else { (days, "until") };
    if count < 0 {
        let answer = format!("{} was {} ago.", full(date), counted(-count, "day"));
        return Some(Reckoned { answer, value: json!(count) });
    }
    let amount = match unit {
        7 if count % 7 == 0 => counted(count / 7, "week"),
        7 => format!("{} and {}", counted(count / 7, "week"), counted(count % 7, "day")),
        _ => counted(count, "day"),
    };
    let verb = if count == 1 { "It is" } else { "There are" };
    let passed = if since.is_some() { "It has been" } else { verb };
    Some(Reckoned { answer: format!("{passed} {amount} {way} {}.", full(date)), value: json!(count) })
}

fn counted(count: i64, name: &str) -> String {
    if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") }
}

/// `how many days between march 5 and april 1`.
fn between(question: &Question<'_>, now: &Zoned) -> Option<Reckoned> {
    let at = question.past(question.start, &[&["how", "many", "days"]])?;
    let at = question.skip(at, &["are", "there"]);
    let at = question.past(at, &[&["between"], &["from"]])?;
    let (first, next) = days::day(question.words, at, now)?;
    let next = question.past(next, &[&["and"], &["to"], &["until"], &["till"]])?;
    let last = whole_day(question, next, now)?;
    let (Day { date: Some(first), doubt: None }, Day { date: Some(last), doubt: None }) = (first, last) else {
        return None;
    };
    let last = if last < first { last.checked_add(1.year()).ok()? } else { last };
    let days = i64::from((last - first).get_days());
    let answer = format!("From {} to {} it is {}.", full(first), full(last), counted(days, "day"));
    Some(Reckoned { answer, value: json!(days) })
}

/// `how many days are in february`.
fn length_of_month(question: &Question<'_>, now: &Zoned) -> Option<Reckoned> {
    let at = question.past(question.start, &[&["how", "many", "days"]])?;
    let at = question.skip(at, &["are", "there", "in", "does", "the", "month", "of"]);
    let month = days::month(question.at(at))?;
    let next = question.skip(at + 1, &["have", "has"]);
    let (year, end) = days::year(question.words, next).map_or((None, next), |(year, end)| (Some(year), end));
    if question.skip(end, &["have"]) != question.end {
        return None;
    }
    let name = days::month_name(month);
    let days = Date::new(year.unwrap_or(now.year()), month, 1).ok()?.days_in_month();
    let answer = match (month, year) {
        (2, None) => format!("{name} has {days} days this year."),
        (_, Some(year)) => format!("{name} {year} has {days} days."),
        _ => format!("{name} has {days} days."),
    };
    Some(Reckoned { answer, value: json!(days) })
}

/// `is 2028 a leap year`.
fn leap_year(question: &Question<'_>) -> Option<Reckoned> {
    let at = question.past(question.start, &[&["is"], &["was"], &["will"]])?;
    let (year, next) = days::year(question.words, at)?;
    let next = question.skip(next, &["be"]);
    (question.past(next, &[&["a", "leap", "year"]])? == question.end).then_some(())?;
    let leap = Date::new(year, 1, 1).ok()?.in_leap_year();
    let answer = if leap { format!("Yes, {year} is a leap year.") } else { format!("No, {year} is not a leap year.") };
    Some(Reckoned { answer, value: json!(leap) })
}

/// `how old is someone born in 1990`.
fn age(question: &Question<'_>, now: &Zoned) -> Option<Reckoned> {
    let at = question.past(question.start, &[&["how", "old", "is"], &["how", "old", "am"], &["how", "old", "are"]])?;
    let at =
        question.skip(at, &["someone", "somebody", "a", "person", "i", "you", "who", "was", "is", "if", "were", "am"]);
    let at = question.past(at, &[&["born", "in"]])?;
    let (year, end) = days::year(question.words, at)?;
    let years = now.year() - year;
    if end != question.end || years < 1 {
        return None;
    }
    let answer = format!("Somebody born in {year} is {} or {years} years old, depending on the birthday.", years - 1);
    Some(Reckoned { answer, value: json!([years - 1, years]) })
}

/// `is the 23rd of april a saturday`.
fn is_weekday(question: &Question<'_>, now: &Zoned) -> Option<Reckoned> {
    let at = question.past(question.start, &[&["is"], &["will"], &["was"]])?;
    let (day, next) = days::day(question.words, at, now)?;
    let next = question.skip(next, &["be", "on", "a"]);
    let weekday = days::weekday(question.at(next)).filter(|_| next + 1 == question.end)?;
    let date = day.date.filter(|_| day.doubt.is_none())?;
    let right = date.weekday() == weekday;
    let answer = format!(
        "{}, {} {} is a {}.",
        if right { "Yes" } else { "No" },
        date.day(),
        days::month_name(date.month()),
        days::weekday_name(date.weekday())
    );
    Some(Reckoned { answer, value: json!(right) })
}

/// `what day is christmas`, `what's the date in three weeks`, `when is easter`.
fn which_day(question: &Question<'_>, now: &Zoned) -> Option<Reckoned> {
    const ASKED: &[&[&str]] = &[
        &["what", "day", "of", "the", "week", "is"],
        &["what", "day", "of", "the", "week", "was"],
        &["what", "day", "of", "the", "week", "will"],
        &["what", "day", "is", "it"],
        &["what", "day", "will", "it", "be"],
        &["what", "day", "is"],
        &["what", "day", "was"],
        &["what", "day", "will"],
        &["what", "day", "does"],
        &["which", "day", "is"],
        &["what", "date", "is"],
        &["what", "date", "was"],
        &["what", "date", "will", "it", "be"],
        &["what", "is", "the", "date"],
        &["what", "'s", "the", "date"],
        &["what", "will", "the", "date", "be"],
        &["what", "weekday", "is"],
        &["when", "is"],
        &["when", "'s"],
    ];
    let at = question.past(question.start, ASKED)?;
    let at = question.skip(at, &["of", "for"]);
    let day = whole_day(question, at, now)?;
    let Some(date) = day.date else { return day.doubt.map(|why| Reckoned { answer: why, value: Value::Null }) };
    if day.doubt.is_some() {
        return None;
    }
    let verb = if date < now.date() { "was" } else { "is" };
    Some(Reckoned { answer: format!("That {verb} {}.", full(date)), value: json!(date.to_string()) })
}
