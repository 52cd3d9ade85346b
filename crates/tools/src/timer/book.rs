//! The timers on their shelf, and the runs that ring them.
//!
//! The run is started before the record says that it will ring: a crash in between leaves a run that finds it is not
//! the one, and never a timer that nobody rings.

use std::sync::Arc;

use domain::id::RunId;
use domain::shelf::{Kept, Shelf};
use domain::tool::{CallContext, ToolError, ToolSpec};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde_json::{Value, json};

use super::choice::{Choice, Chosen};
use super::record::{Kind, Record, State};
use crate::declare::from_store;
use crate::{Begin, Starter, errors};

const SHELF: &str = "timers";
/// How often a change is tried while others change the same timer.
const TRIES: usize = 16;
/// The most timers that may run at once.
const LIVE: usize = 500;
/// How long what has ended is kept, so that a call repeated late finds its effect.
const KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Everything timers work with.
pub(super) struct Book {
    pub(super) shelf: Arc<dyn Shelf>,
    pub(super) starter: Arc<dyn Starter>,
    pub(super) zone: TimeZone,
}

/// What a change makes of a timer.
pub(super) enum Change {
    /// Nothing, and this is the answer.
    None(Value),
    /// The record as it is to be; its run is looked after.
    Made(Box<Record>, Value),
}

/// What is to be done to a timer.
pub(super) struct Deed {
    /// The verb.
    pub(super) word: &'static str,
    /// Those it is for rather than for others, most important first.
    pub(super) suits: &'static [fn(&Record) -> bool],
}

impl Book {
    /// The moment of a call, at home.
    pub(super) fn now(&self, call: &CallContext) -> Zoned {
        call.now.to_zoned(self.zone.clone())
    }

    /// All timers, those due first in front.
    pub(super) async fn all(&self, spec: &ToolSpec) -> Result<Vec<Record>, ToolError> {
        let kept = self.shelf.shelf(SHELF).await.map_err(|error| from_store(spec, &error))?;
        let mut records: Vec<Record> = kept.iter().filter_map(read).collect();
        records.sort_by(|a, b| (a.due, &a.id).cmp(&(b.due, &b.id)));
        Ok(records)
    }

    /// Puts a new timer on the shelf, or finds what an earlier attempt of the same call put there.
    pub(super) async fn add(
        &self,
        spec: &ToolSpec,
        call: &CallContext,
        mut record: Record,
        result: Value,
    ) -> Result<Value, ToolError> {
        let records = self.all(spec).await?;
        if let Some(told) = records.iter().find_map(|known| known.told(&call.key)) {
            return Ok(told.clone());
        }
        if records.iter().filter(|known| known.is_live()).count() >= LIVE {
            return Err(errors::failed(spec, format!("{LIVE} timers are running already: cancel some first")));
        }
        self.tidy(&records, call.now).await;
        record.run = self.start(&record, call).await?;
        record.remember(&call.key, &result);
        if self.keep(spec, &record, 0).await? {
            return Ok(result);
        }
        let known = self.one(spec, &record.id).await?;
        let told = known.and_then(|(_, known)| known.told(&call.key).cloned());
        told.ok_or_else(|| errors::failed(spec, "another timer has this id"))
    }

    /// Changes a timer as it is now, once for each key.
    pub(super) async fn change(
        &self,
        spec: &ToolSpec,
        call: &CallContext,
        id: &str,
        decide: impl Fn(&Record) -> Result<Change, ToolError> + Send + Sync,
    ) -> Result<Value, ToolError> {
        for _ in 0..TRIES {
            let Some((version, before)) = self.one(spec, id).await? else {
                return Err(errors::failed(spec, format!("there is no timer `{}`", crate::words::capped(id, 60))));
            };
            if let Some(told) = before.told(&call.key) {
                return Ok(told.clone());
            }
            let (mut record, result) = match decide(&before)? {
                Change::None(result) => return Ok(result),
                Change::Made(record, result) => (*record, result),
            };
            let runs = |record: &Record| matches!(record.state, State::Running).then_some(record.due);
            if runs(&record).is_some() && runs(&record) != runs(&before) {
                record.run = self.start(&record, call).await?;
            }
            record.remember(&call.key, &result);
            if self.keep(spec, &record, version).await? {
                let idle = before.run != record.run || !matches!(record.state, State::Running);
                if idle && before.run != call.run {
                    // A run that goes on regardless finds out when it rings.
                    let _ = self.starter.stop(before.run, call).await;
                }
                return Ok(result);
            }
        }
        Err(errors::unavailable(spec, "others keep changing this timer"))
    }

    /// Changes the timer that is meant, or says why that is not clear.
    pub(super) async fn change_chosen(
        &self,
        spec: &ToolSpec,
        call: &CallContext,
        choice: &Choice,
        deed: Deed,
        decide: impl Fn(&Record) -> Result<Change, ToolError> + Send + Sync,
    ) -> Result<Value, ToolError> {
        let now = self.now(call);
        let records = self.all(spec).await?;
        if let Some(told) = records.iter().find_map(|record| record.told(&call.key)) {
            return Ok(told.clone());
        }
        let mut among: Vec<&Record> = records.iter().filter(|record| record.is_live()).collect();
        let wrong = |problem| errors::bad_argument(spec, problem);
        for suits in deed.suits {
            let suited: Vec<&Record> = among.iter().filter(|record| suits(record)).copied().collect();
            // Where none suits, the one that is meant still gets to say why.
            if !choice.fitting(&suited, &now).map_err(wrong)?.is_empty() {
                among = suited;
            }
        }
        match choice.one(&among, &now, deed.word).map_err(wrong)? {
            Chosen::One(record) => self.change(spec, call, &record.id, decide).await,
            Chosen::Not(answer) => Ok(answer),
        }
    }

    /// Starts the run that rings a timer. Which one follows from the call and the moment.
    async fn start(&self, record: &Record, call: &CallContext) -> Result<RunId, ToolError> {
        let run = RunId::of_intent(&format!("{}/{}/{}", record.id, call.key, record.due));
        let what = match record.kind {
            Kind::Timer => "Say that a timer has ended",
            Kind::Alarm => "Ring the alarm",
            Kind::Reminder => "Remind me",
        };
        let text = record.called().map_or(format!("{what}."), |name| format!("{what}: {name}"));
        let plan = json!({
            "goal": what,
            "steps": [
                {"id": "ring", "goal": "find out whether it is due", "tool": "timer.ring", "arguments": {"id": record.id}},
                {"id": "tell", "goal": "tell the user", "tool": "notification.send",
                 "arguments": {"text": "${ring.said}", "urgency": "high"}, "when": "${ring.due} == true"},
            ],
            "answer": "${ring.said}",
        });
        self.starter.start(run, Begin { text, plan: Some(plan), at: record.due }, call).await?;
        Ok(run)
    }

    async fn one(&self, spec: &ToolSpec, id: &str) -> Result<Option<(u64, Record)>, ToolError> {
        let kept = self.shelf.kept(SHELF, id).await.map_err(|error| from_store(spec, &error))?;
        Ok(kept.and_then(|kept| Some((kept.version, read(&kept)?))))
    }

    async fn keep(&self, spec: &ToolSpec, record: &Record, replacing: u64) -> Result<bool, ToolError> {
        let value = serde_json::to_value(record).map_err(|error| errors::failed(spec, error.to_string()))?;
        self.shelf.keep(SHELF, &record.id, &value, replacing).await.map_err(|error| from_store(spec, &error))
    }

    /// Takes away what ended long ago. What cannot be taken away now goes another time.
    async fn tidy(&self, records: &[Record], now: Timestamp) {
        let old = |record: &&Record| record.ended().is_some_and(|ended| ended.duration_until(now) > KEPT);
        for record in records.iter().filter(old) {
            if let Ok(Some(kept)) = self.shelf.kept(SHELF, &record.id).await {
                let _ = self.shelf.discard(SHELF, &record.id, kept.version).await;
            }
        }
    }
}

/// A record that somebody else damaged must not hide the others.
fn read(kept: &Kept) -> Option<Record> {
    serde_json::from_value(kept.value.clone())
        .inspect_err(|error| tracing::warn!(timer = kept.key, %error, "a timer on the shelf cannot be read"))
        .ok()
}
