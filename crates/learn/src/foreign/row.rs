//! One line of a data set: what it must have, what it may have, and what is wrong with it otherwise.

use domain::id::TraceId;
use domain::symbol::Symbol;
use domain::trace::{Source, Trace, Untrusted};
use jiff::Timestamp;
use serde_json::{Map, Value};
use thiserror::Error;

/// Why a line is no trace. Leave the line out, or mend the field.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ForeignError {
    /// The line, or a step of it, is something else than an object.
    #[error("{place} is not an object")]
    NotAnObject {
        /// Which.
        place: String,
    },
    /// A field that a trace needs is not there.
    #[error("field `{field}` is missing")]
    Missing {
        /// Which.
        field: String,
    },
    /// A field holds something else than it should.
    #[error("field `{field}` is not {wanted}")]
    Wrong {
        /// Which.
        field: String,
        /// What it should be.
        wanted: &'static str,
    },
}

/// An object whose fields are asked for by name; it knows where it stands in its line.
pub(super) struct Row<'a> {
    fields: &'a Map<String, Value>,
    place: String,
}

impl<'a> Row<'a> {
    pub(super) fn of(value: &'a Value, place: &str) -> Result<Self, ForeignError> {
        let whole = || if place.is_empty() { "the line".to_owned() } else { format!("`{place}`") };
        let fields = value.as_object().ok_or_else(|| ForeignError::NotAnObject { place: whole() })?;
        Ok(Self { fields, place: place.to_owned() })
    }

    pub(super) fn get(&self, field: &str) -> Option<&'a Value> {
        self.fields.get(field).filter(|value| !value.is_null())
    }

    pub(super) fn needed(&self, field: &str) -> Result<&'a Value, ForeignError> {
        self.get(field).ok_or_else(|| ForeignError::Missing { field: self.name(field) })
    }

    pub(super) fn wrong(&self, field: &str, wanted: &'static str) -> ForeignError {
        ForeignError::Wrong { field: self.name(field), wanted }
    }

    pub(super) fn text(&self, field: &str) -> Result<&'a str, ForeignError> {
        self.needed(field)?.as_str().ok_or_else(|| self.wrong(field, "a text"))
    }

    /// A text that need not be there.
    pub(super) fn said(&self, field: &str) -> Result<&'a str, ForeignError> {
        self.get(field).map_or(Ok(""), |value| value.as_str().ok_or_else(|| self.wrong(field, "a text")))
    }

    /// A number that need not be there, also where it is written as a text.
    pub(super) fn number(&self, field: &str) -> Result<Option<f64>, ForeignError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let number = value.as_f64().or_else(|| value.as_str()?.parse().ok());
        number.filter(|number| number.is_finite()).map(Some).ok_or_else(|| self.wrong(field, "a number"))
    }

    pub(super) fn count(&self, field: &str) -> Result<u32, ForeignError> {
        match self.number(field)? {
            None => Ok(0),
            Some(count) if count >= 0.0 => Ok(count as u32),
            Some(_) => Err(self.wrong(field, "a count")),
        }
    }

    /// A yes or no that need not be there.
    pub(super) fn flag(&self, field: &str) -> Result<Option<bool>, ForeignError> {
        self.get(field).map(|value| value.as_bool().ok_or_else(|| self.wrong(field, "true or false"))).transpose()
    }

    /// The objects in a list; none where it need not be there and is not.
    pub(super) fn rows(&self, field: &str) -> Result<Vec<Row<'a>>, ForeignError> {
        let Some(value) = self.get(field) else { return Ok(Vec::new()) };
        let list = value.as_array().ok_or_else(|| self.wrong(field, "a list"))?;
        let place = |at| format!("{}[{at}]", self.name(field));
        list.iter().enumerate().map(|(at, value)| Row::of(value, &place(at))).collect()
    }

    /// The steps, which must be there.
    pub(super) fn steps(&self) -> Result<Vec<Row<'a>>, ForeignError> {
        self.needed("steps")?;
        self.rows("steps")
    }

    /// A trace that so far has nothing but a name and a time.
    pub(super) fn bare(&self, set: &str, at: Timestamp) -> Result<Trace, ForeignError> {
        let id = self.text("id")?;
        let id: TraceId = id.parse().map_err(|_| self.wrong("id", "the name of a trace"))?;
        Ok(Trace {
            id,
            source: Source::import(set),
            agent: Symbol::of("unknown"),
            problem: Symbol::of("other"),
            task: None,
            system: None,
            user: None,
            context: Untrusted::default(),
            started_at: at,
            ended_at: Some(at),
            steps: Vec::new(),
            left_out: 0,
            outcome: None,
            ground_truth: None,
            metrics: Default::default(),
            lessons: Vec::new(),
            trials: Vec::new(),
        })
    }

    fn name(&self, field: &str) -> String {
        if self.place.is_empty() { field.to_owned() } else { format!("{}.{field}", self.place) }
    }
}

/// A text without the note of how long it was before it was cut: `…[204]`.
pub(super) fn uncut(text: &str) -> &str {
    match text.rfind("…[") {
        Some(at) if text.ends_with(']') => &text[..at],
        _ => text,
    }
}
