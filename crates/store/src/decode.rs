//! Rows as the values they were made from, read once for every store: each store only says how a column is got.

use domain::audit::{Link, Noted};
use domain::budget::Spent;
use domain::chat::Usage;
use domain::event::{Entry, Origin, Recorded};
use domain::forecast::Hindsight;
use domain::hash::Hash;
use domain::id::RunId;
use domain::intent::{IntentStatus, IntentView};
use domain::money::Usd;
use domain::plan::Strategy;
use domain::run::{Flags, RunStatus, RunSummary};
use domain::shelf::Kept;
use domain::stage::{RequestRow, Stage, StageRecord};
use domain::store::{Memory, PendingWait, StoreError, Totals, Worker};
use serde::de::DeserializeOwned;

use crate::instant::moment;

/// A row whose columns are got from left to right.
pub(crate) trait Columns {
    fn text(&mut self) -> Result<String, StoreError>;
    fn maybe_text(&mut self) -> Result<Option<String>, StoreError>;
    fn bytes(&mut self) -> Result<Vec<u8>, StoreError>;
    fn maybe_bytes(&mut self) -> Result<Option<Vec<u8>>, StoreError>;
    fn integer(&mut self) -> Result<i64, StoreError>;
    fn maybe_integer(&mut self) -> Result<Option<i64>, StoreError>;
    fn real(&mut self) -> Result<f64, StoreError>;
    fn maybe_real(&mut self) -> Result<Option<f64>, StoreError>;
    fn truth(&mut self) -> Result<bool, StoreError>;
    fn maybe_truth(&mut self) -> Result<Option<bool>, StoreError>;
}

/// The columns of [`recorded`].
macro_rules! recorded_columns {
    () => {
        "event.seq, event.key, event.input, event.at, event.body, blob.bytes"
    };
}
/// The columns of [`summary`].
macro_rules! summary_columns {
    () => {
        "run.id, run.status, words.request, words.answer, words.error, words.failure, run.strategy, run.role, \
         run.quality, run.session, run.asker, run.parent_run, run.parent_seq, run.replanned, run.in_doubt, run.resumed, \
         run.input_tokens, run.output_tokens, run.cost, run.model_calls, run.tool_calls, run.seq, run.created_at, \
         run.updated_at"
    };
}
/// The columns of [`answer`].
macro_rules! answer_columns {
    () => {
        "ordinal, request, stage, attempt, at, answer"
    };
}
/// The columns of [`hindsight`].
macro_rules! hindsight_columns {
    () => {
        "run.id, run.created_at, rating.good, run.status, outlook.reported, outlook.forecast, run.input_tokens, \
         run.output_tokens, run.cost, run.model_calls, run.tool_calls, run.worked_ms"
    };
}
/// The columns of [`totals`]. Databases sum integers to something wider, unless told otherwise.
macro_rules! totals_columns {
    () => {
        "count(*), CAST(coalesce(sum(run.input_tokens), 0) AS BIGINT), \
         CAST(coalesce(sum(run.output_tokens), 0) AS BIGINT), CAST(coalesce(sum(run.cost), 0) AS BIGINT), \
         CAST(coalesce(sum(run.model_calls), 0) AS BIGINT), CAST(coalesce(sum(run.tool_calls), 0) AS BIGINT)"
    };
}
pub(crate) use {answer_columns, hindsight_columns, recorded_columns, summary_columns, totals_columns};

/// An entry of the audit trail as it is written, from seq, entry and hash.
pub(crate) fn link(mut row: impl Columns) -> Result<Link, StoreError> {
    Ok(Link { seq: row.integer()? as u64, text: row.text()?, hash: hash(row.bytes()?)? })
}

/// The same, understood.
pub(crate) fn noted(row: impl Columns) -> Result<Noted, StoreError> {
    let Link { seq, text, hash } = link(row)?;
    Ok(Noted { seq, entry: value(&text)?, hash })
}

/// An event, from [`recorded_columns`].
pub(crate) fn recorded(mut row: impl Columns) -> Result<Recorded, StoreError> {
    let seq = row.integer()? as u64;
    let key = row.text()?;
    let input = row.maybe_bytes()?.map(hash).transpose()?;
    let at = moment(row.integer()?)?;
    let event = match (row.maybe_text()?, row.maybe_bytes()?) {
        (Some(here), _) => value(&here)?,
        (None, Some(apart)) => value(std::str::from_utf8(&apart).map_err(damaged)?)?,
        (None, None) => return Err(damaged(format!("the body of event {seq} `{key}` is gone"))),
    };
    Ok(Recorded { seq, entry: Entry { key, input, at, event } })
}

/// A run, from [`summary_columns`].
pub(crate) fn summary(mut row: impl Columns) -> Result<RunSummary, StoreError> {
    Ok(RunSummary {
        run: run_id(row.bytes()?)?,
        status: word(row.text()?, RunStatus::from_word)?,
        text: row.text()?,
        answer: row.maybe_text()?,
        error: row.maybe_text()?,
        failure: row.maybe_text()?.map(|failure| value(&format!("\"{failure}\""))).transpose()?,
        strategy: row.maybe_text()?.map(|strategy| word(strategy, Strategy::from_word)).transpose()?,
        role: row.maybe_text()?,
        quality: row.maybe_real()?,
        session: row.maybe_text()?.map(|session| session.try_into().map_err(damaged)).transpose()?,
        user: row.maybe_text()?,
        parent: match (row.maybe_bytes()?, row.maybe_integer()?) {
            (Some(run), Some(seq)) => Some(Origin { run: run_id(run)?, seq: seq as u64 }),
            _ => None,
        },
        flags: Flags { replanned: row.truth()?, in_doubt: row.truth()?, resumed: row.truth()? },
        spent: spent(&mut row)?,
        events: row.integer()? as u64,
        created_at: moment(row.integer()?)?,
        updated_at: moment(row.integer()?)?,
    })
}

fn spent(row: &mut impl Columns) -> Result<Spent, StoreError> {
    Ok(Spent {
        usage: Usage {
            input_tokens: row.integer()? as u64,
            output_tokens: row.integer()? as u64,
            cost: Usd::micros(row.integer()? as u64),
        },
        model_calls: row.integer()? as u64,
        tool_calls: row.integer()? as u64,
    })
}

/// Sums, from [`totals_columns`].
pub(crate) fn totals(mut row: impl Columns) -> Result<Totals, StoreError> {
    Ok(Totals { runs: row.integer()? as u64, spent: spent(&mut row)? })
}

/// A stage's answer and its place among all, from [`answer_columns`].
pub(crate) fn answer(mut row: impl Columns) -> Result<(i64, StageRecord), StoreError> {
    let ordinal = row.integer()?;
    let record = StageRecord {
        request: row.text()?,
        stage: word(row.text()?, Stage::from_name)?,
        attempt: row.integer()? as u32,
        at: moment(row.integer()?)?,
        answer: value(&row.text()?)?,
    };
    Ok((ordinal, record))
}

/// A run as a request, from its id, times of the first and last change, status, chain and what was asked.
pub(crate) fn run_request(mut row: impl Columns) -> Result<(RunId, RequestRow), StoreError> {
    let run = run_id(row.bytes()?)?;
    Ok((run, request(run.to_string(), row)?))
}

/// A request that was told about, from its place among all, its name, and the same.
pub(crate) fn told(mut row: impl Columns) -> Result<(i64, RequestRow), StoreError> {
    let (ordinal, name) = (row.integer()?, row.text()?);
    Ok((ordinal, request(name, row)?))
}

fn request(request: String, mut row: impl Columns) -> Result<RequestRow, StoreError> {
    Ok(RequestRow {
        request,
        created_at: moment(row.integer()?)?,
        updated_at: moment(row.integer()?)?,
        status: status(row.text()?)?,
        chain: row.maybe_text()?.map(|chain| value(&chain)).transpose()?.unwrap_or_default(),
        query: row.maybe_text()?,
    })
}

/// What became of what was said, from [`hindsight_columns`].
pub(crate) fn hindsight(mut row: impl Columns) -> Result<Hindsight, StoreError> {
    let (run, at, rated) = (run_id(row.bytes()?)?, moment(row.integer()?)?, row.maybe_truth()?);
    let by_itself = status(row.text()?)? == RunStatus::Completed;
    Ok(Hindsight {
        run,
        at,
        succeeded: rated.unwrap_or(by_itself),
        reported: row.maybe_text()?.map(|reported| value(&reported)).transpose()?.unwrap_or_default(),
        forecast: row.maybe_text()?.map(|forecast| value(&forecast)).transpose()?,
        spent: spent(&mut row)?,
        seconds: row.maybe_integer()?.map(|millis| millis as f64 / 1000.0),
    })
}

/// An intent, from the run's id, what is wanted, status, attempts, settlement and time of the last change.
pub(crate) fn intent(mut row: impl Columns) -> Result<IntentView, StoreError> {
    Ok(IntentView {
        run: run_id(row.bytes()?)?,
        intent: value(&row.text()?)?,
        status: word(row.text()?, IntentStatus::from_word)?,
        attempts: row.integer()? as u32,
        settlement: row.maybe_text()?.map(|settlement| value(&settlement)).transpose()?,
        updated_at: moment(row.integer()?)?,
    })
}

/// A wait, from the run's id, what is needed and since when.
pub(crate) fn wait(mut row: impl Columns) -> Result<PendingWait, StoreError> {
    Ok(PendingWait { run: run_id(row.bytes()?)?, wait: value(&row.text()?)?, since: moment(row.integer()?)? })
}

/// A memory, from its id, text, importance, run and time.
pub(crate) fn memory(mut row: impl Columns) -> Result<Memory, StoreError> {
    Ok(Memory {
        id: row.text()?,
        text: row.text()?,
        importance: row.real()?,
        run: row.maybe_bytes()?.map(run_id).transpose()?,
        at: moment(row.integer()?)?,
    })
}

/// A record, from its key, version and value.
pub(crate) fn kept(mut row: impl Columns) -> Result<Kept, StoreError> {
    let (key, version, value) = (row.text()?, row.integer()? as u64, row.text()?);
    let damaged = |error: serde_json::Error| StoreError::Damaged { detail: format!("record `{key}`: {error}") };
    let value = serde_json::from_str(&value).map_err(damaged)?;
    Ok(Kept { key, version, value })
}

/// A worker and its last beat, from its id, host, process, start and beat.
pub(crate) fn worker(mut row: impl Columns) -> Result<(Worker, jiff::Timestamp), StoreError> {
    let worker =
        Worker { id: row.text()?, host: row.text()?, pid: row.integer()? as u32, started: row.integer()? as u64 };
    Ok((worker, moment(row.integer()?)?))
}

/// The run that sixteen bytes name.
pub(crate) fn run_id(bytes: Vec<u8>) -> Result<RunId, StoreError> {
    sized(bytes).map(RunId::from_bytes)
}

/// The digest that thirty-two bytes are.
pub(crate) fn hash(bytes: Vec<u8>) -> Result<Hash, StoreError> {
    sized(bytes).map(Hash::from_bytes)
}

/// The status that a word means.
pub(crate) fn status(text: String) -> Result<RunStatus, StoreError> {
    word(text, RunStatus::from_word)
}

/// What was read is not what was written.
pub(crate) fn damaged(detail: impl ToString) -> StoreError {
    StoreError::Damaged { detail: detail.to_string() }
}

/// The value that a word means.
pub(crate) fn word<T>(text: String, from_word: impl Fn(&str) -> Option<T>) -> Result<T, StoreError> {
    from_word(&text).ok_or_else(|| damaged(format!("`{text}` is not a word for a state")))
}

fn sized<const N: usize>(bytes: Vec<u8>) -> Result<[u8; N], StoreError> {
    bytes.try_into().map_err(|bytes: Vec<u8>| damaged(format!("{} bytes stand where {N} should", bytes.len())))
}

/// The value that JSON means.
pub(crate) fn value<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    let mut json = serde_json::Deserializer::from_str(text);
    // What was nested as deep as a reader allows is nested deeper inside an event, and must still be read.
    json.disable_recursion_limit();
    T::deserialize(&mut json).map_err(damaged)
}
