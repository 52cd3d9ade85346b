//! A timer as it is kept: what it is for, when it is due, and which calls have already had their effect on it.

use domain::id::RunId;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::recurrence::Recurrence;
use crate::declare::fields;
use crate::phrase;

/// How many calls a timer remembers.
const REMEMBERED: usize = 16;
/// How late a timer may ring without a word about it.
const PUNCTUAL: SignedDuration = SignedDuration::from_mins(1);

/// What is on the shelf under a timer's id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) id: String,
    pub(super) kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// What a reminder is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    /// How long it was set for, unless it was set for a moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) length: Option<SignedDuration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) recurrence: Option<String>,
    /// The zone its time was given in, where it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) zone: Option<String>,
    /// When a recurring one was due first: the others are counted from here.
    pub(super) begun: Timestamp,
    pub(super) due: Timestamp,
    pub(super) state: State,
    /// The only run that may ring it.
    pub(super) run: RunId,
    /// The last time that it rang late.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) missed: Option<Missed>,
    /// The last calls and what they were told, oldest first.
    #[serde(default)]
    pub(super) done: Vec<Done>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Timer,
    Alarm,
    Reminder,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub(super) enum State {
    Running,
    /// With this much to go, which may be nothing for what was due at a moment.
    Paused {
        left: SignedDuration,
    },
    Rung {
        at: Timestamp,
    },
    Cancelled {
        at: Timestamp,
    },
}

/// Something that rang later than it was due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Missed {
    pub(super) due: Timestamp,
    pub(super) rung: Timestamp,
}

/// A call that has had its effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Done {
    pub(super) key: String,
    pub(super) result: Value,
}

impl Kind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Timer => "timer",
            Kind::Alarm => "alarm",
            Kind::Reminder => "reminder",
        }
    }
}

impl Record {
    /// Whether it may still ring.
    pub(super) fn is_live(&self) -> bool {
        matches!(self.state, State::Running | State::Paused { .. })
    }

    /// Since when it is over.
    pub(super) fn ended(&self) -> Option<Timestamp> {
        match self.state {
            State::Running | State::Paused { .. } => None,
            State::Rung { at } | State::Cancelled { at } => Some(at),
        }
    }

    /// What a call was told, if it has had its effect.
    pub(super) fn told(&self, key: &str) -> Option<&Value> {
        self.done.iter().find(|done| done.key == key).map(|done| &done.result)
    }

    /// Remembers a call, and forgets the oldest where there are too many.
    pub(super) fn remember(&mut self, key: &str, result: &Value) {
        self.done.push(Done { key: key.to_owned(), result: result.clone() });
        let surplus = self.done.len().saturating_sub(REMEMBERED);
        self.done.drain(..surplus);
    }

    pub(super) fn rule(&self) -> Option<Recurrence> {
        self.recurrence.as_deref().and_then(|rule| Recurrence::parse(rule).ok())
    }

    /// The first moment after `after` at which its series is due.
    pub(super) fn next(&self, home: &TimeZone, after: Timestamp) -> Option<Timestamp> {
        let zone = self.zone.as_deref().and_then(|name| TimeZone::get(name).ok()).unwrap_or_else(|| home.clone());
        self.rule()?.next(self.begun, &zone, after)
    }

    /// Whether its time to go is what counts, and not a moment on the clock.
    pub(super) fn counts_down(&self) -> bool {
        self.length.is_some() && self.recurrence.is_none()
    }

    /// How long it has to go.
    pub(super) fn left(&self, now: Timestamp) -> SignedDuration {
        match self.state {
            State::Running => now.duration_until(self.due).max(SignedDuration::ZERO),
            State::Paused { left } => left,
            State::Rung { .. } | State::Cancelled { .. } => SignedDuration::ZERO,
        }
    }

    /// What people may call it by.
    pub(super) fn called(&self) -> Option<&str> {
        self.name.as_deref().or(self.text.as_deref())
    }

    /// What it is in a sentence, without an article: `timer “pasta”`, `10-minute timer`, `alarm for today at 19:00`.
    pub(super) fn label(&self, now: &Zoned) -> String {
        let kind = self.kind.word();
        match (self.called(), self.length) {
            (Some(name), _) => format!("{kind} “{name}”"),
            (None, Some(length)) => match compound(length) {
                Some(word) => format!("{word} {kind}"),
                None => format!("{kind} of {}", phrase::duration(length)),
            },
            (None, None) => {
                let due = self.due.to_zoned(now.time_zone().clone());
                format!("{kind} for {}", phrase::moment(&due, now).trim_start_matches("on "))
            }
        }
    }

    /// How it stands, for a list: `10 minutes left`, `due tomorrow at 07:00, every day`.
    pub(super) fn standing(&self, now: &Zoned) -> String {
        let due = self.due.to_zoned(now.time_zone().clone());
        let often = self.rule().map_or(String::new(), |rule| format!(", {}", rule.words()));
        match self.state {
            State::Running if self.counts_down() => {
                format!("{} left", phrase::duration(self.left(now.timestamp())))
            }
            State::Running => format!("due {}{often}", phrase::moment(&due, now)),
            State::Paused { left } if self.counts_down() => format!("paused with {} left", phrase::duration(left)),
            State::Paused { .. } => format!("switched off{often}"),
            State::Rung { .. } => format!("was due {}", phrase::moment(&due, now)),
            State::Cancelled { .. } => "cancelled".into(),
        }
    }

    /// The schema of [`view`](Self::view).
    pub(super) fn declared() -> Value {
        fields(
            json!({
                "id": "string",
                "kind": {"type": "string", "enum": ["timer", "alarm", "reminder"]},
                "state": {"type": "string", "enum": ["running", "paused", "rung", "cancelled"]},
                "due": "string", "left_seconds": "integer", "left": "string",
            }),
            json!({"name": "string", "text": "string", "recurrence": "string", "duration": "string"}),
        )
    }

    /// What tools answer about it.
    pub(super) fn view(&self, now: &Zoned) -> Value {
        let state = match self.state {
            State::Running => "running",
            State::Paused { .. } => "paused",
            State::Rung { .. } => "rung",
            State::Cancelled { .. } => "cancelled",
        };
        let due = self.due.to_zoned(now.time_zone().clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
        let left = self.left(now.timestamp());
        let mut view = json!({
            "id": self.id, "kind": self.kind, "state": state, "due": due,
            "left_seconds": left.as_secs(), "left": phrase::duration(left),
        });
        let optional = [
            ("name", self.name.clone()),
            ("text", self.text.clone()),
            ("recurrence", self.recurrence.clone()),
            ("duration", self.length.map(|length| length.to_string())),
        ];
        for (field, value) in optional {
            if let Some(value) = value {
                view[field] = value.into();
            }
        }
        view
    }
}

/// What is to be said about ringing now, where it is later than a moment after it was due.
pub(super) fn missed(due: Timestamp, now: Timestamp) -> Option<Missed> {
    (due.duration_until(now) > PUNCTUAL).then_some(Missed { due, rung: now })
}

/// A duration of one unit as it stands before a noun: `10-minute`.
fn compound(length: SignedDuration) -> Option<String> {
    let seconds = length.as_secs();
    let (unit, size) = match seconds {
        ..1 => return None,
        s if s % 3_600 == 0 => ("hour", 3_600),
        s if s % 60 == 0 && s < 7_200 => ("minute", 60),
        s if s < 120 => ("second", 1),
        _ => return None,
    };
    Some(format!("{}-{unit}", seconds / size))
}
