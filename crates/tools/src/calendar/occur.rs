//! When appointments really take place: rules, exceptions and changes of single occurrences, on the clocks of their zone.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde_json::{Value, json};

use super::event::{About, Event, Record, When, id_of};
use super::expand::{days, later};
use super::rule::Rule;
use crate::declare::{fields, list};

/// The most occurrences of one appointment that are looked at.
const MOST: usize = 1_000;
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// One time that an appointment takes place.
#[derive(Debug, Clone)]
pub(super) struct Occurrence<'e> {
    pub(super) event: &'e Event,
    pub(super) about: &'e About,
    /// When the rule has it, by which this occurrence is known.
    pub(super) at: DateTime,
    pub(super) start: Zoned,
    pub(super) end: Zoned,
}

impl Occurrence<'_> {
    pub(super) fn id(&self) -> String {
        id_of(&self.event.uid)
    }

    pub(super) fn all_day(&self) -> bool {
        self.about.when.is_days()
    }

    pub(super) fn overlaps(&self, start: &Zoned, end: &Zoned) -> bool {
        self.start < *end && self.end > *start
    }

    /// The schema of [`shown`](Self::shown).
    pub(super) fn declared() -> Value {
        fields(
            json!({"id": "string", "title": "string", "all_day": "boolean", "start": "string", "end": "string"}),
            json!({
                "occurrence": "string", "recurrence": ["string", "null"], "place": "string", "notes": "string",
                "people": list("string"),
            }),
        )
    }

    /// How results show it.
    pub(super) fn shown(&self, home: &TimeZone) -> Value {
        let mut shown = json!({"id": self.id(), "title": self.about.title, "all_day": self.all_day()});
        if self.all_day() {
            let last = later(self.end.date(), -1).unwrap_or_else(|| self.end.date());
            shown["start"] = json!(self.start.date());
            shown["end"] = json!(last.max(self.start.date()));
        } else {
            shown["start"] = json!(self.start.with_time_zone(home.clone()).to_string());
            shown["end"] = json!(self.end.with_time_zone(home.clone()).to_string());
        }
        if self.event.repeats() {
            shown["occurrence"] = json!(self.at.date());
            shown["recurrence"] = json!(self.event.rule);
        }
        if let Some(place) = &self.about.place {
            shown["place"] = json!(place);
        }
        if let Some(notes) = &self.about.notes {
            shown["notes"] = json!(notes);
        }
        if !self.about.people.is_empty() {
            shown["people"] = json!(self.about.people);
        }
        shown
    }
}

/// What takes place from one moment to another, in order.
pub(super) fn between<'r>(records: &'r [Record], home: &TimeZone, from: &Zoned, to: &Zoned) -> Vec<Occurrence<'r>> {
    let there = records.iter().filter(|record| record.gone.is_none());
    let mut found: Vec<_> = there.flat_map(|record| occurrences(&record.event, home, from, to)).collect();
    found.sort_by(|a, b| (a.start.timestamp(), &a.about.title).cmp(&(b.start.timestamp(), &b.about.title)));
    found
}

/// The occurrences of one appointment that touch a stretch of time, in order.
pub(super) fn occurrences<'e>(event: &'e Event, home: &TimeZone, from: &Zoned, to: &Zoned) -> Vec<Occurrence<'e>> {
    let touches = |start: &Zoned, end: &Zoned| start < to && (end > from || start >= from);
    let zone = event.about.when.zone(home);
    let first = later(from.with_time_zone(zone.clone()).date(), -event.about.when.reach() - 1).unwrap_or(Date::MIN);
    let last = later(to.with_time_zone(zone).date(), 1).unwrap_or(Date::MAX);
    let regular = walls(event, home, first, last).into_iter().filter_map(|at| {
        let (start, end) = event.about.when.beginning(at).span(home)?;
        touches(&start, &end).then_some(Occurrence { event, about: &event.about, at, start, end })
    });
    let unlike = event.unlike.iter().filter_map(|unlike| {
        let (start, end) = unlike.about.when.span(home)?;
        touches(&start, &end).then_some(Occurrence { event, about: &unlike.about, at: unlike.at, start, end })
    });
    let mut found: Vec<_> = regular.chain(unlike).filter(|occurrence| !occurrence.about.off).collect();
    found.sort_by(|a, b| a.start.cmp(&b.start));
    found.dedup_by(|a, b| a.at == b.at);
    found
}

/// The occurrence that comes next or is going on.
pub(super) fn next<'e>(event: &'e Event, home: &TimeZone, now: &Zoned) -> Option<Occurrence<'e>> {
    // A rule with many days is found at once, a rare one after a longer look.
    [60, 800, 12_000].iter().find_map(|days| {
        let to = now.checked_add(DAY * *days).unwrap_or_else(|_| far(home));
        let found = occurrences(event, home, now, &to);
        found.into_iter().find(|occurrence| occurrence.end > *now || occurrence.start >= *now)
    })
}

/// The first occurrence of all, or the time an appointment was made for where every occurrence was cancelled.
pub(super) fn first<'e>(event: &'e Event, home: &TimeZone) -> Option<Occurrence<'e>> {
    let (start, end) = event.about.when.span(home)?;
    let found = occurrences(event, home, &start, &end).into_iter().next();
    found.or(Some(Occurrence { event, about: &event.about, at: event.about.when.wall(), start, end }))
}

/// The last moment there is.
pub(super) fn far(home: &TimeZone) -> Zoned {
    Timestamp::MAX.to_zoned(home.clone())
}

/// Times on the wall at which the rule, and what was added to it, has an appointment; what became otherwise left out.
fn walls(event: &Event, home: &TimeZone, first: Date, last: Date) -> Vec<DateTime> {
    let start = event.about.when.wall();
    let mut walls: Vec<DateTime> = event.also.clone();
    walls.push(start);
    if let Some(rule) = understood(event) {
        let ruled = days(&rule, start.date(), first, last)
            .take_while(|day| *day <= last)
            .map(|day| day.to_datetime(start.time()))
            .take_while(|wall| rule.reaches(*wall, &event.about.when, home));
        walls.extend(ruled.filter(|wall| wall.date() >= first).take(MOST));
    }
    walls.retain(|wall| (first..=last).contains(&wall.date()));
    walls.retain(|wall| !event.except.contains(wall) && event.unlike.iter().all(|unlike| unlike.at != *wall));
    walls.sort_unstable();
    walls.dedup();
    walls
}

/// The rule of an appointment, unless it came from elsewhere and cannot be understood here.
pub(super) fn understood(event: &Event) -> Option<Rule> {
    event.rule.as_deref().and_then(|rule| rule.parse().ok())
}

/// The first day of a rule from a day on.
pub(super) fn first_day(rule: &Rule, when: &When, home: &TimeZone) -> Option<DateTime> {
    let start = when.wall();
    let wall = days(rule, start.date(), start.date(), Date::MAX).next()?.to_datetime(start.time());
    rule.reaches(wall, when, home).then_some(wall)
}
