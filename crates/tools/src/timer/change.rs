//! `timer.change`: a timer gets more time or less, or another time altogether.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Tool, ToolError, ToolSpec};
use jiff::{SignedDuration, Zoned};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::book::{Book, Change, Deed};
use super::choice::Choice;
use super::pause::{changed, unchanged};
use super::record::{Record, State};
use super::when::{ahead, later, moment, span};
use crate::declare::parse;
use crate::{errors, phrase};

/// More time is for what runs down, unless something else is named.
const CHANGE: Deed = Deed { word: "change", suits: &[Record::counts_down] };

pub(super) struct Alter {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    /// How much more, `PT5M`, or less, `-PT5M`; this or `to`.
    by: Option<String>,
    /// The new time to go, `PT20M`, or the new moment, `2026-11-15T19:00:00+01:00[Europe/Oslo]`; this or `by`.
    to: Option<String>,
    #[serde(flatten)]
    choice: Choice,
}

/// What is asked for, read once.
enum Wish {
    By(SignedDuration),
    Lasting(SignedDuration),
    At(Zoned),
}

impl Alter {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let description = "Gives a timer more or less time, or another time; the only one when nothing says which.";
        Self { spec: super::changing::<Arguments>("timer.change", description), book }
    }
}

#[async_trait]
impl Tool for Alter {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { by, to, choice } = parse(&self.spec, arguments)?;
        let refused = |problem| errors::bad_argument(&self.spec, problem);
        let now = self.book.now(call);
        let wish = wish(&now, by.as_deref(), to.as_deref()).map_err(refused)?;
        self.book
            .change_chosen(&self.spec, call, &choice, CHANGE, |record| decide(record, &wish, &now).map_err(refused))
            .await
    }
}

fn wish(now: &Zoned, by: Option<&str>, to: Option<&str>) -> Result<Wish, String> {
    let length = |end: Zoned| now.timestamp().duration_until(end.timestamp());
    match (by, to) {
        (Some(_), Some(_)) => Err("give either `by` or `to`, not both".into()),
        (None, None) => Err("give either `by` or `to`: what is to change?".into()),
        (Some(text), None) => match span(text)? {
            span if span.is_zero() => Err("`by` is zero: nothing would change".into()),
            span => now.checked_add(span).map(length).map(Wish::By).map_err(|_| "`by` is too much".into()),
        },
        (None, Some(text)) => match span(text) {
            Ok(span) => later(now, span, text).map(length).map(Wish::Lasting),
            Err(_) => moment(text, now.time_zone()).map(Wish::At),
        },
    }
}

fn decide(record: &Record, wish: &Wish, now: &Zoned) -> Result<Change, String> {
    if !record.is_live() {
        return Ok(unchanged(record, now, "has ended"));
    }
    let left = match (wish, record.counts_down()) {
        // What is due at a moment, and switched off, is moved and stays off.
        (Wish::By(more), false) => now.timestamp().duration_until(record.due).checked_add(*more),
        (Wish::By(more), true) => record.left(now.timestamp()).checked_add(*more),
        (Wish::Lasting(length), _) => Some(*length),
        (Wish::At(at), _) => Some(now.timestamp().duration_until(at.timestamp())),
    };
    let due = left.and_then(|left| now.timestamp().checked_add(left).ok()).ok_or("that is too far away")?;
    if matches!(wish, Wish::By(_)) && due <= now.timestamp() {
        let left = phrase::duration(record.left(now.timestamp()));
        return Ok(unchanged(record, now, &format!("has only {left} left: nothing was changed")));
    }
    ahead(now, due)?;
    let left = now.timestamp().duration_until(due);
    let state = match record.state {
        State::Paused { .. } => State::Paused { left },
        other => other,
    };
    let mut altered = Record { due, state, ..record.clone() };
    match wish {
        Wish::By(_) => {}
        Wish::Lasting(length) => altered.length = Some(*length),
        Wish::At(at) => {
            altered.length = None;
            altered.begun = due;
            altered.zone = at.time_zone().iana_name().map(str::to_owned);
        }
    }
    let said = format!("The {}: now {}.", record.label(now), altered.standing(now));
    Ok(changed(altered, now, said))
}
