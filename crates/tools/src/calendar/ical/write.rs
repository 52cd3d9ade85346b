//! From appointments to iCalendar.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::read::attending;
use super::{Line, escaped, folded, zones};
use crate::calendar::event::{About, Event, Record, When};
use crate::calendar::expand::later;

/// How far beyond the last time in a file the changes of clocks are told, in days.
const BEYOND: i64 = 3_660;

/// A calendar with these appointments. The same ones always make the same text.
pub(in crate::calendar) fn write(records: &[&Record], home: &TimeZone) -> String {
    let mut lines = vec![
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".into(),
        "PRODID:-//Agentwright//Calendar//EN".into(),
        "CALSCALE:GREGORIAN".into(),
    ];
    for (name, (zone, first, last)) in zones_of(records, home) {
        let from = later(first, -400).unwrap_or(first);
        lines.extend(zones::described(name, &zone, from, later(last, BEYOND).unwrap_or(last)));
    }
    for record in records {
        let event = &record.event;
        lines.extend(component(record, &event.about, None, home));
        for unlike in &event.unlike {
            lines.extend(component(record, &unlike.about, Some(unlike.at), home));
        }
    }
    lines.push("END:VCALENDAR".into());
    lines.iter().map(|line| folded(line)).collect()
}

/// The zones that are named, and the days between which they are.
fn zones_of<'r>(records: &[&'r Record], home: &TimeZone) -> BTreeMap<&'r str, (TimeZone, Date, Date)> {
    let mut zones = BTreeMap::new();
    let abouts = records.iter().flat_map(|record| {
        let event = &record.event;
        std::iter::once(&event.about).chain(event.unlike.iter().map(|unlike| &unlike.about))
    });
    for when in abouts.map(|about| &about.when) {
        let When::Hours { start, zone, .. } = when else { continue };
        let Some(name) = zone.name().filter(|name| *name != "UTC") else { continue };
        let day = start.date();
        let known = zones.entry(name).or_insert_with(|| (zone.on(home), day, day));
        known.1 = known.1.min(day);
        known.2 = known.2.max(day);
    }
    zones
}

fn component(record: &Record, about: &About, instead_of: Option<DateTime>, home: &TimeZone) -> Vec<String> {
    let event = &record.event;
    let mut lines = vec![
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}", event.uid),
        format!("DTSTAMP:{}", utc(record.changed)),
        format!("SEQUENCE:{}", record.sequence),
    ];
    if let Some(at) = instead_of {
        lines.push(time("RECURRENCE-ID", &event.about.when, at));
    }
    lines.push(time("DTSTART", &about.when, about.when.wall()));
    lines.extend(end(&about.when, home));
    lines.push(format!("SUMMARY:{}", escaped(&about.title)));
    lines.extend(about.place.as_ref().map(|place| format!("LOCATION:{}", escaped(place))));
    lines.extend(about.notes.as_ref().map(|notes| format!("DESCRIPTION:{}", escaped(notes))));
    lines.extend(about.busy.map(|busy| format!("TRANSP:{}", if busy { "OPAQUE" } else { "TRANSPARENT" })));
    if about.off {
        lines.push("STATUS:CANCELLED".into());
    }
    if instead_of.is_none() {
        lines.extend(repetition(event));
    }
    let invited = about.lines.iter().filter_map(|line| Line::parse(0, line.clone()).ok());
    let invited: Vec<String> = invited.filter(|line| line.name == "ATTENDEE").map(|line| attending(&line)).collect();
    let own = about.people.iter().filter(|name| !invited.contains(name)).map(|name| escaped(name));
    let own: Vec<String> = own.collect();
    if !own.is_empty() {
        lines.push(format!("X-AGENTWRIGHT-PEOPLE:{}", own.join(",")));
    }
    lines.extend(about.lines.iter().cloned());
    lines.push("END:VEVENT".into());
    lines
}

fn repetition(event: &Event) -> Vec<String> {
    let mut lines: Vec<String> = event.rule.iter().map(|rule| format!("RRULE:{rule}")).collect();
    lines.extend(event.except.iter().map(|at| time("EXDATE", &event.about.when, *at)));
    lines.extend(event.also.iter().map(|at| time("RDATE", &event.about.when, *at)));
    lines
}

fn end(when: &When, home: &TimeZone) -> Option<String> {
    match when {
        When::Days { first, days } => {
            let last = later(*first, i64::from(*days))?;
            Some(time("DTEND", when, last.at(0, 0, 0, 0)))
        }
        When::Hours { length, .. } if length.is_zero() => None,
        When::Hours { zone, length, .. } => {
            let (_, end) = when.span(home)?;
            // The second of two hours that look the same on the wall cannot be written there.
            let plain = end.datetime().to_zoned(zone.on(home)).is_ok_and(|plain| plain == end);
            match plain {
                true => Some(time("DTEND", when, end.datetime())),
                false => Some(format!("DURATION:PT{}S", length.as_secs())),
            }
        }
    }
}

/// A time written in the way that an appointment's own are.
fn time(name: &str, when: &When, at: DateTime) -> String {
    let wall = at.strftime("%Y%m%dT%H%M%S");
    match when {
        When::Days { .. } => format!("{name};VALUE=DATE:{}", at.strftime("%Y%m%d")),
        When::Hours { zone, .. } => match zone.name() {
            None => format!("{name}:{wall}"),
            Some("UTC") => format!("{name}:{wall}Z"),
            Some(zone) if zone.contains([':', ';', ',']) => format!("{name};TZID=\"{zone}\":{wall}"),
            Some(zone) => format!("{name};TZID={zone}:{wall}"),
        },
    }
}

fn utc(moment: Timestamp) -> String {
    moment.strftime("%Y%m%dT%H%M%SZ").to_string()
}
