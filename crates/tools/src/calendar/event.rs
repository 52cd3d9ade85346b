//! What an appointment is: its own words, when it is, and how it comes again.

use domain::hash::Hash;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::expand::later;

/// How many calls a record remembers.
const REMEMBERED: usize = 12;
/// What stands behind the ids that are made here.
const MADE_HERE: &str = "@agentwright";

/// An appointment as it lies on the shelf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) event: Event,
    /// When it was cancelled. It stays a while so that a repeated call and the server hear about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) gone: Option<Timestamp>,
    /// Whether the server has not seen it as it is.
    #[serde(default)]
    pub(super) unsent: bool,
    /// Where it is on the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) remote: Option<Remote>,
    /// Counted up by every change.
    #[serde(default)]
    pub(super) sequence: u32,
    pub(super) changed: Timestamp,
    /// The last calls that changed it, and what they were answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) done: Vec<Done>,
}

/// The resource of an appointment on a server, and the version of it that was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Remote {
    pub(super) href: String,
    pub(super) etag: String,
}

/// A call that was carried out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Done {
    pub(super) key: String,
    pub(super) result: Value,
}

/// An appointment, once or again and again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Event {
    /// The same wherever this appointment is known.
    pub(super) uid: String,
    #[serde(flatten)]
    pub(super) about: About,
    /// When it comes again, as iCalendar writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rule: Option<String>,
    /// Times of the rule at which it does not take place, on the wall of its zone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) except: Vec<DateTime>,
    /// Times beside the rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) also: Vec<DateTime>,
    /// Occurrences that are unlike the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) unlike: Vec<Unlike>,
}

/// What one occurrence is instead of what the rule says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Unlike {
    /// When the rule would have it.
    pub(super) at: DateTime,
    #[serde(flatten)]
    pub(super) about: About,
}

/// What is said about an appointment or one occurrence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) title: String,
    pub(super) when: When,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) notes: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) people: Vec<String>,
    /// Whether it takes up the person's time, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) busy: Option<bool>,
    /// Called off, but still in the calendar.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) off: bool,
    /// Lines of iCalendar that mean nothing here and are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) lines: Vec<String>,
}

/// When something is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum When {
    /// Whole days, wherever one is.
    Days { first: Date, days: i32 },
    /// From a time on the wall of a zone on.
    Hours { start: DateTime, zone: Zone, length: SignedDuration },
}

/// Whose wall a time is on: that of a named zone, or that of the place the person is at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Zone(Option<String>);

impl Record {
    pub(super) fn new(event: Event, now: Timestamp) -> Self {
        Self { event, gone: None, unsent: true, remote: None, sequence: 0, changed: now, done: Vec::new() }
    }

    pub(super) fn id(&self) -> String {
        id_of(&self.event.uid)
    }

    /// What the call with this key was answered, if it changed this record.
    pub(super) fn answered(&self, key: &str) -> Option<&Value> {
        self.done.iter().find(|done| done.key == key).map(|done| &done.result)
    }

    /// Notes a change by a call.
    pub(super) fn touch(&mut self, key: &str, result: &Value, now: Timestamp) {
        self.unsent = true;
        self.sequence = self.sequence.saturating_add(1);
        self.changed = now;
        self.done.push(Done { key: key.to_owned(), result: result.clone() });
        if self.done.len() > REMEMBERED {
            self.done.drain(..self.done.len() - REMEMBERED);
        }
    }
}

impl Event {
    /// An appointment that does not repeat.
    pub(super) fn once(uid: &str, about: About) -> Self {
        let uid = uid.to_owned();
        Self { uid, about, rule: None, except: Vec::new(), also: Vec::new(), unlike: Vec::new() }
    }

    pub(super) fn repeats(&self) -> bool {
        self.rule.is_some() || !self.also.is_empty() || !self.unlike.is_empty()
    }

    /// Whether both say the same to a person, whatever lines are kept beside it.
    pub(super) fn same(&self, other: &Event) -> bool {
        fn plain(event: &Event) -> Event {
            let mut event = event.clone();
            event.about.lines.clear();
            event.unlike.iter_mut().for_each(|unlike| unlike.about.lines.clear());
            // Some servers write down what goes without saying.
            event.about.busy = Some(event.about.is_busy());
            event.unlike.iter_mut().for_each(|unlike| unlike.about.busy = Some(unlike.about.is_busy()));
            event.unlike.sort_by_key(|unlike| unlike.at);
            event.except.sort();
            event.also.sort();
            event
        }
        plain(self) == plain(other)
    }
}

impl About {
    pub(super) fn new(title: &str, when: When) -> Self {
        Self {
            title: title.to_owned(),
            when,
            place: None,
            notes: None,
            people: Vec::new(),
            busy: None,
            off: false,
            lines: Vec::new(),
        }
    }

    /// Whole days are a note on top of the day unless somebody said otherwise.
    pub(super) fn is_busy(&self) -> bool {
        self.busy.unwrap_or(matches!(self.when, When::Hours { .. }))
    }
}

impl When {
    /// The beginning on the wall of its zone; midnight for whole days.
    pub(super) fn wall(&self) -> DateTime {
        match self {
            When::Days { first, .. } => first.at(0, 0, 0, 0),
            When::Hours { start, .. } => *start,
        }
    }

    /// The same at another time.
    pub(super) fn beginning(&self, at: DateTime) -> When {
        match self {
            When::Days { days, .. } => When::Days { first: at.date(), days: *days },
            When::Hours { zone, length, .. } => When::Hours { start: at, zone: zone.clone(), length: *length },
        }
    }

    /// From when until when. Times that a change of the clocks leaves out are taken as long after midnight as they say.
    pub(super) fn span(&self, home: &TimeZone) -> Option<(Zoned, Zoned)> {
        match self {
            When::Days { first, days } => {
                let last = later(*first, i64::from(*days))?;
                Some((first.to_zoned(home.clone()).ok()?, last.to_zoned(home.clone()).ok()?))
            }
            When::Hours { start, zone, length } => {
                let start = start.to_zoned(zone.on(home)).ok()?;
                let end = start.checked_add(*length).ok()?;
                Some((start, end))
            }
        }
    }

    /// The same, if it can be reckoned with at all.
    pub(super) fn reachable(self, home: &TimeZone) -> Result<Self, String> {
        match self.span(home) {
            Some(_) => Ok(self),
            None => Err("that is too far away".into()),
        }
    }

    pub(super) fn is_days(&self) -> bool {
        matches!(self, When::Days { .. })
    }

    /// The zone its times are read in.
    pub(super) fn zone(&self, home: &TimeZone) -> TimeZone {
        match self {
            When::Days { .. } => home.clone(),
            When::Hours { zone, .. } => zone.on(home),
        }
    }

    /// Days that it may reach beyond the one it begins on.
    pub(super) fn reach(&self) -> i64 {
        match self {
            When::Days { days, .. } => i64::from(*days),
            When::Hours { length, .. } => length.as_hours() / 24 + 1,
        }
    }
}

impl Zone {
    /// Wherever the person is.
    pub(super) const HERE: Zone = Zone(None);

    pub(super) fn named(name: &str) -> Self {
        Zone(Some(name.to_owned()))
    }

    /// The zone by its name; one without a name is where the person is.
    pub(super) fn of(zone: &TimeZone) -> Self {
        Zone(zone.iana_name().map(str::to_owned))
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.0.as_deref()
    }

    pub(super) fn on(&self, home: &TimeZone) -> TimeZone {
        match self.name() {
            None => home.clone(),
            Some(name) => zone_by_name(name).unwrap_or_else(|| home.clone()),
        }
    }
}

/// A zone by its IANA name, or by the rule that POSIX writes.
pub(super) fn zone_by_name(name: &str) -> Option<TimeZone> {
    TimeZone::get(name).or_else(|_| TimeZone::posix(name)).ok()
}

/// A new appointment's own id, always the same for the same call.
pub(super) fn uid_for(key: &str) -> String {
    format!("{}{MADE_HERE}", digest(key))
}

/// What an appointment is called on the shelf and in results: short, and always the same for the same uid.
pub(super) fn id_of(uid: &str) -> String {
    match uid.strip_suffix(MADE_HERE) {
        Some(id) if id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) => id.to_owned(),
        _ => digest(uid),
    }
}

fn digest(text: &str) -> String {
    Hash::of(text.as_bytes()).digits(8)
}
