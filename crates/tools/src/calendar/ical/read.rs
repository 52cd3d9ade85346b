//! From iCalendar to appointments. What is not understood is kept as lines; what is broken is an error with its line.

use std::collections::BTreeMap;

use domain::hash::Hash;
use jiff::civil::{Date, DateTime};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Zoned};

use super::zones::zone_of;
use super::{Component, Line, parse, texts, unescaped};
use crate::calendar::event::{About, Event, Unlike, When, Zone};
use crate::calendar::rule::Rule;
use crate::words::capped;

/// What a text holds.
#[derive(Debug, Default)]
pub(in crate::calendar) struct Read {
    /// Appointments, and how often each had been changed.
    pub(in crate::calendar) events: Vec<(Event, u32)>,
    /// Tasks, journals and the like, which are no appointments.
    pub(in crate::calendar) others: usize,
    /// What could be read in part only.
    pub(in crate::calendar) notes: Vec<String>,
}

/// One `VEVENT`: an appointment, or one occurrence of it that is unlike the others.
struct Piece {
    event: Event,
    sequence: u32,
    instead_of: Option<(DateTime, String)>,
}

/// Reads a text. Times that name no zone are those of `home`.
pub(in crate::calendar) fn read(text: &str, home: &TimeZone) -> Result<Read, String> {
    let calendars: Vec<Component> = parse(text)?.into_iter().filter(|part| part.name == "VCALENDAR").collect();
    if calendars.is_empty() {
        return Err("line 1: this is not iCalendar: `BEGIN:VCALENDAR` is missing".into());
    }
    let mut read = Read::default();
    for calendar in &calendars {
        let mut pieces: BTreeMap<String, Vec<Piece>> = BTreeMap::new();
        let mut order = Vec::new();
        for component in &calendar.within {
            match component.name.as_str() {
                "VEVENT" => {
                    let piece = piece(component, calendar, home, &mut read.notes)?;
                    if !pieces.contains_key(&piece.event.uid) {
                        order.push(piece.event.uid.clone());
                    }
                    pieces.entry(piece.event.uid.clone()).or_default().push(piece);
                }
                "VTIMEZONE" => {}
                _ => read.others += 1,
            }
        }
        read.events.extend(order.iter().filter_map(|uid| together(pieces.remove(uid)?)));
    }
    read.notes.dedup();
    Ok(read)
}

/// `20261120T190000`, whatever it ends with.
pub(super) fn wall_time(value: &str) -> Option<DateTime> {
    let value = value.trim().trim_end_matches(['Z', 'z']);
    strtime::parse("%Y%m%dT%H%M%S", value).and_then(|parsed| parsed.to_datetime()).ok()
}

/// The appointment that several pieces with the same uid make.
fn together(pieces: Vec<Piece>) -> Option<(Event, u32)> {
    let sequence = pieces.iter().map(|piece| piece.sequence).max().unwrap_or(0);
    let (mut whole, mut parts): (Vec<_>, Vec<_>) = pieces.into_iter().partition(|piece| piece.instead_of.is_none());
    let mut event = match whole.pop() {
        Some(piece) => piece.event,
        None => {
            // Only one occurrence of something was sent: here it stands for itself.
            let piece = parts.remove(0);
            let mut event = piece.event;
            event.about.lines.extend(piece.instead_of.map(|(_, line)| line));
            event
        }
    };
    for Piece { event: part, instead_of, .. } in parts {
        let Some((at, _)) = instead_of else { continue };
        match part.about.off {
            true => event.except.push(at),
            false => event.unlike.push(Unlike { at, about: part.about }),
        }
    }
    Some((event, sequence))
}

fn piece(
    component: &Component,
    calendar: &Component,
    home: &TimeZone,
    notes: &mut Vec<String>,
) -> Result<Piece, String> {
    let start_line = component
        .get("DTSTART")
        .ok_or_else(|| format!("line {}: this appointment has no `DTSTART`", component.line))?;
    let mut times = Times { calendar, home, notes };
    let start = times.one(start_line)?;
    let when = times.when(start, start_line, component)?;
    let beside = |line: &Line, times: &mut Times<'_>| -> Result<Vec<DateTime>, String> {
        Ok(times.all(line)?.into_iter().map(|time| time.beside(&when, home)).collect())
    };
    let (mut except, mut also, mut instead_of) = (Vec::new(), Vec::new(), None);
    for line in &component.lines {
        match line.name.as_str() {
            "EXDATE" => except.extend(beside(line, &mut times)?),
            "RDATE" => also.extend(beside(line, &mut times)?),
            "RECURRENCE-ID" => instead_of = beside(line, &mut times)?.pop().map(|at| (at, line.text.clone())),
            _ => {}
        }
    }
    let rule = component.get("RRULE").map(|line| line.value.trim().to_owned());
    let about = about(component, when);
    if let Some(Err(problem)) = rule.as_deref().map(str::parse::<Rule>) {
        notes.push(format!("“{}” is shown only once, because {problem}", about.title));
    }
    let uid = match component.get("UID").map(|line| line.value.trim()) {
        Some(uid) if !uid.is_empty() => uid.to_owned(),
        _ => format!("{}-imported", Hash::of(component.texts().join("\n").as_bytes())),
    };
    let sequence = component.get("SEQUENCE").and_then(|line| line.value.trim().parse().ok()).unwrap_or(0);
    Ok(Piece { event: Event { rule, except, also, ..Event::once(&uid, about) }, sequence, instead_of })
}

fn about(component: &Component, when: When) -> About {
    let text = |name: &str| component.get(name).map(|line| unescaped(&line.value).trim().to_owned());
    let some = |name: &str| text(name).filter(|text| !text.is_empty());
    let value = |name: &str| component.get(name).map(|line| line.value.trim().to_ascii_uppercase());
    let title = some("SUMMARY").map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut about = About::new(title.as_deref().unwrap_or("(no title)"), when);
    about.place = some("LOCATION");
    about.notes = some("DESCRIPTION");
    about.busy = value("TRANSP").map(|transparency| transparency != "TRANSPARENT");
    about.off = value("STATUS").as_deref() == Some("CANCELLED");
    about.people = component.all("X-AGENTWRIGHT-PEOPLE").flat_map(|line| texts(&line.value)).collect();
    let attending = component.all("ATTENDEE").map(attending).filter(|name| !name.is_empty());
    let attending: Vec<String> = attending.filter(|name| !about.people.contains(name)).collect();
    about.people.extend(attending);
    let rule = component.get("RRULE");
    let kept = component.lines.iter().filter(|line| match line.name.as_str() {
        // More than one rule is rare; those beside the first are not followed, but not lost either.
        "RRULE" => rule.is_none_or(|rule| rule.number != line.number),
        "UID"
        | "DTSTAMP"
        | "LAST-MODIFIED"
        | "SEQUENCE"
        | "DTSTART"
        | "DTEND"
        | "DURATION"
        | "EXDATE"
        | "RDATE"
        | "RECURRENCE-ID"
        | "SUMMARY"
        | "LOCATION"
        | "DESCRIPTION"
        | "TRANSP"
        | "X-AGENTWRIGHT-PEOPLE" => false,
        "STATUS" => !about.off,
        _ => true,
    });
    about.lines = kept.map(|line| line.text.clone()).collect();
    about.lines.extend(component.within.iter().flat_map(Component::texts));
    about
}

/// What somebody who was invited is called.
pub(super) fn attending(line: &Line) -> String {
    let address = line.value.trim();
    let plain = address.split_at_checked(7).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("mailto:"));
    line.parameter("CN").filter(|name| !name.is_empty()).unwrap_or(plain.map_or(address, |(_, plain)| plain)).to_owned()
}

/// A time of a file.
enum Stamp {
    Day(Date),
    Wall(DateTime, Zone),
}

impl Stamp {
    fn zoned(&self, home: &TimeZone) -> Option<Zoned> {
        match self {
            Stamp::Day(day) => day.to_zoned(home.clone()).ok(),
            Stamp::Wall(wall, zone) => wall.to_zoned(zone.on(home)).ok(),
        }
    }

    /// The time on the wall of an appointment that this is one of the times of.
    fn beside(self, when: &When, home: &TimeZone) -> DateTime {
        match (&self, when) {
            (Stamp::Day(day), _) => day.to_datetime(when.wall().time()),
            (Stamp::Wall(wall, _), When::Days { .. }) => wall.date().at(0, 0, 0, 0),
            (Stamp::Wall(wall, own), When::Hours { zone, .. }) if own == zone => *wall,
            (Stamp::Wall(wall, _), When::Hours { zone, .. }) => {
                self.zoned(home).map_or(*wall, |at| at.with_time_zone(zone.on(home)).datetime())
            }
        }
    }
}

/// Reads the times of one file.
struct Times<'c> {
    calendar: &'c Component,
    home: &'c TimeZone,
    notes: &'c mut Vec<String>,
}

impl Times<'_> {
    fn one(&mut self, line: &Line) -> Result<Stamp, String> {
        self.stamp(line, line.value.trim())
    }

    fn all(&mut self, line: &Line) -> Result<Vec<Stamp>, String> {
        // Of a period only its beginning counts.
        let values = line.value.split(',').map(|value| value.split_once('/').map_or(value, |(from, _)| from).trim());
        values.map(|value| self.stamp(line, value)).collect()
    }

    fn stamp(&mut self, line: &Line, value: &str) -> Result<Stamp, String> {
        let wrong =
            || format!("line {}: `{}` has no time that exists: `{}`", line.number, line.name, capped(value, 40));
        if value.len() == 8 {
            let day = strtime::parse("%Y%m%d", value).and_then(|parsed| parsed.to_date()).map_err(|_| wrong())?;
            return Ok(Stamp::Day(day));
        }
        let wall = wall_time(value).ok_or_else(wrong)?;
        let zone = match line.parameter("TZID").map(str::trim) {
            _ if value.ends_with(['Z', 'z']) => Zone::named("UTC"),
            None => Zone::HERE,
            Some(tzid) => zone_of(tzid, self.calendar).unwrap_or_else(|| {
                self.notes.push(format!("the zone `{}` is not known, its times are taken as yours", capped(tzid, 60)));
                Zone::HERE
            }),
        };
        Ok(Stamp::Wall(wall, zone))
    }

    fn when(&mut self, start: Stamp, start_line: &Line, component: &Component) -> Result<When, String> {
        let end = component.get("DTEND").map(|line| Ok::<_, String>((self.one(line)?, line.number))).transpose()?;
        let length = component.get("DURATION").map(|line| {
            let span: Result<Span, _> = line.value.trim().parse();
            let wrong = || format!("line {}: `DURATION` is not a length: `{}`", line.number, capped(&line.value, 40));
            span.map(|span| (span, line.number)).map_err(|_| wrong())
        });
        let length = length.transpose()?;
        let far = |number: usize| format!("line {number}: that is too far away");
        let begin = start.zoned(self.home).ok_or_else(|| far(start_line.number))?;
        let (until, number) = match (end, length) {
            (Some((end, number)), _) => (end.zoned(self.home).ok_or_else(|| far(number))?, number),
            (None, Some((span, number))) => (begin.checked_add(span).map_err(|_| far(number))?, number),
            (None, None) => (begin.clone(), start_line.number),
        };
        if until < begin {
            return Err(format!("line {number}: it ends before it begins"));
        }
        match start {
            Stamp::Day(first) => {
                let days = (until.with_time_zone(self.home.clone()).date() - first).get_days();
                Ok(When::Days { first, days: days.max(1) })
            }
            Stamp::Wall(start, zone) => {
                let length: SignedDuration = until.duration_since(&begin);
                Ok(When::Hours { start, zone, length })
            }
        }
    }
}
