//! Which appointment is meant by a few words, an id or a day.

use jiff::Zoned;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::event::{About, Record};
use super::moment;
use super::occur::{self, Occurrence};
use super::say;
use crate::declare::{and, fields, list, partly};
use crate::phrase::listed;
use crate::words::capped;

/// How alike words must be to mean the same.
const ALIKE: f64 = 0.75;
/// Words within this of the best are as good.
const CLOSE: f64 = 0.08;
/// As much of a word as is compared.
const WORD: usize = 40;
/// The most that a question names.
const NAMED: usize = 5;
/// Words that say nothing about which one.
const EMPTY: [&str; 14] =
    ["the", "my", "a", "an", "our", "with", "at", "on", "for", "to", "of", "appointment", "event", "meeting"];

/// Words that mean any appointment at all.
const ANY: [&str; 18] = [
    "appointment",
    "appointments",
    "event",
    "events",
    "meeting",
    "meetings",
    "everything",
    "anything",
    "all",
    "any",
    "thing",
    "things",
    "plan",
    "plans",
    "entry",
    "entries",
    "calendar",
    "next",
];

/// What was asked for.
pub(super) struct Wanted<'w> {
    pub(super) event: Option<&'w str>,
    pub(super) on: Option<&'w (Zoned, Zoned)>,
}

/// The occurrences that fit, nearest first: of everything that repeats only the next unless days are given.
pub(super) fn find<'r>(
    records: &'r [Record],
    wanted: &Wanted<'_>,
    home: &TimeZone,
    now: &Zoned,
) -> Vec<Occurrence<'r>> {
    let candidates = match wanted.on {
        Some((from, to)) => occur::between(records, home, from, to),
        None => nearest_times(records, home, now),
    };
    let mut found = match wanted.event {
        None => candidates,
        Some(words) => best(candidates, words, now),
    };
    if wanted.on.is_none() && found.iter().any(|occurrence| occurrence.end > *now) {
        found.retain(|occurrence| occurrence.end > *now);
    }
    found
}

/// How well words fit an appointment, from 0 to 1.
pub(super) fn likeness(words: &str, about: &About) -> f64 {
    let (wanted, title) = (tokens(words), tokens(&about.title));
    if !wanted.is_empty() && wanted == title {
        return 1.0;
    }
    let beside = about.place.iter().chain(&about.people).flat_map(|text| tokens(text));
    let there: Vec<String> = title.into_iter().chain(beside).collect();
    let meaning: Vec<&String> = wanted.iter().filter(|word| !EMPTY.contains(&word.as_str())).collect();
    let meaning = if meaning.is_empty() { wanted.iter().collect() } else { meaning };
    if meaning.is_empty() {
        return 0.0;
    }
    let each = meaning.iter().map(|word| there.iter().map(|other| alike(word, other)).fold(0.0, f64::max));
    // What is not quite the title never passes for it.
    each.sum::<f64>() / f64::from(u32::try_from(meaning.len()).unwrap_or(u32::MAX)) * 0.95
}

/// The schema of what tools answer that need one appointment: this, or a question, or what is near.
pub(super) fn or_question(answer: Value) -> Value {
    let appointments = || list(Occurrence::declared());
    let question = json!({
        "ambiguous": "boolean", "candidates": appointments(), "found": "boolean", "nearest": appointments(),
    });
    and(partly(answer), fields(json!({"said": "string"}), question))
}

/// The answer that asks back: nothing was changed.
pub(super) fn which(found: &[Occurrence<'_>], home: &TimeZone, now: &Zoned) -> Value {
    let mut names: Vec<String> = found.iter().take(NAMED).map(|occurrence| say::named(occurrence, now)).collect();
    if found.len() > NAMED {
        names.push(format!("{} more", found.len() - NAMED));
    }
    let word = if found.len() > NAMED { "and" } else { "or" };
    json!({
        "ambiguous": true,
        "candidates": found.iter().take(50).map(|occurrence| occurrence.shown(home)).collect::<Vec<_>>(),
        "said": format!("Which one do you mean: {}?", listed(&names, word)),
    })
}

/// The answer that nothing fits, with what comes nearest.
pub(super) fn none(records: &[Record], wanted: &Wanted<'_>, home: &TimeZone, now: &Zoned) -> Value {
    let on = wanted.on.map_or(String::new(), |(from, to)| format!(" {}", stretch(from, to, now)));
    let Some(words) = wanted.event else {
        return json!({"found": false, "nearest": [], "said": format!("There is nothing in your calendar{on}.")});
    };
    let words = capped(words.trim(), 80);
    let all = nearest_times(records, home, now);
    let elsewhere = find(records, &Wanted { event: Some(&words), on: None }, home, now);
    let mut near: Vec<(f64, &Occurrence<'_>)> = all.iter().map(|other| (nearness(&words, other), other)).collect();
    near.retain(|(nearness, _)| *nearness >= 0.4);
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<&Occurrence<'_>> = match elsewhere.is_empty() {
        true => near.into_iter().map(|(_, occurrence)| occurrence).take(3).collect(),
        false => elsewhere.iter().take(3).collect(),
    };
    let names: Vec<String> = near.iter().map(|occurrence| say::named(occurrence, now)).collect();
    let hint = match names.len() {
        0 => String::new(),
        _ => format!(" The nearest is {}.", listed(&names, "or")),
    };
    json!({
        "found": false,
        "nearest": near.iter().map(|occurrence| occurrence.shown(home)).collect::<Vec<_>>(),
        "said": format!("There is no “{words}” in your calendar{on}.{hint}"),
    })
}

/// `on Friday 20 November`, `from today to Sunday 22 November`.
pub(super) fn stretch(from: &Zoned, to: &Zoned, now: &Zoned) -> String {
    let zone = now.time_zone();
    if to.duration_since(from) <= moment::INSTANT {
        return crate::phrase::moment(from, now);
    }
    let last = to.checked_sub(jiff::SignedDuration::from_nanos(1)).unwrap_or_else(|_| to.clone());
    let first = crate::phrase::day(from, now);
    match from.with_time_zone(zone.clone()).date() == last.with_time_zone(zone.clone()).date() {
        true => first,
        false => format!("from {} to {}", say::bare(&first), say::bare(&crate::phrase::day(&last, now))),
    }
}

/// Each appointment once: the time that comes next, or else the one it began with.
fn nearest_times<'r>(records: &'r [Record], home: &TimeZone, now: &Zoned) -> Vec<Occurrence<'r>> {
    let there = records.iter().filter(|record| record.gone.is_none() && !record.event.about.off);
    let time = |record: &'r Record| occur::next(&record.event, home, now).or_else(|| occur::first(&record.event, home));
    let mut times: Vec<_> = there.filter_map(time).collect();
    times.sort_by(|a, b| a.start.cmp(&b.start));
    times
}

/// Whether words say only that it is an appointment.
pub(super) fn any_at_all(words: &str) -> bool {
    let words = tokens(words);
    let known = |word: &String| ANY.contains(&word.as_str()) || EMPTY.contains(&word.as_str());
    words.iter().any(|word| ANY.contains(&word.as_str())) && words.iter().all(known)
}

/// Of appointments of any kind, the next one if that is what was said.
fn soonest<'r>(mut candidates: Vec<Occurrence<'r>>, words: &str, now: &Zoned) -> Vec<Occurrence<'r>> {
    if tokens(words).iter().any(|word| word == "next") {
        candidates.retain(|occurrence| occurrence.start > *now);
        candidates.truncate(1);
    }
    candidates
}

fn best<'r>(candidates: Vec<Occurrence<'r>>, words: &str, now: &Zoned) -> Vec<Occurrence<'r>> {
    let id = words.trim();
    if candidates.iter().any(|occurrence| occurrence.id() == id || occurrence.event.uid == id) {
        let same = |occurrence: &Occurrence<'r>| occurrence.id() == id || occurrence.event.uid == id;
        return candidates.into_iter().filter(same).collect();
    }
    let fits = |occurrence: &Occurrence<'r>| likeness(words, occurrence.about) >= ALIKE * 0.95;
    if any_at_all(words) && !candidates.iter().any(fits) {
        return soonest(candidates, words, now);
    }
    let scored = candidates.into_iter().filter(fits);
    let scored: Vec<_> = scored.map(|occurrence| (likeness(words, occurrence.about), occurrence)).collect();
    let top = scored.iter().map(|(likeness, _)| *likeness).fold(0.0, f64::max);
    let close = |(likeness, occurrence)| (top - likeness <= if top == 1.0 { 0.0 } else { CLOSE }).then_some(occurrence);
    scored.into_iter().filter_map(close).collect()
}

fn nearness(words: &str, occurrence: &Occurrence<'_>) -> f64 {
    let title = occurrence.about.title.to_lowercase();
    likeness(words, occurrence.about).max(strsim::normalized_damerau_levenshtein(&words.to_lowercase(), &title))
}

fn alike(wanted: &str, there: &str) -> f64 {
    let length = wanted.chars().count();
    if wanted == there {
        1.0
    } else if length >= 3 && there.starts_with(wanted) {
        0.9
    } else if length >= 4 && !wanted.chars().any(char::is_numeric) {
        strsim::normalized_damerau_levenshtein(wanted, there)
    } else {
        0.0
    }
}

fn tokens(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'' && letter != '’');
    let plain = words.map(|word| {
        let word = word.chars().take(WORD).collect::<String>().to_lowercase();
        word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).map(str::to_owned).unwrap_or(word)
    });
    plain.filter(|word| !word.is_empty()).take(60).collect()
}
