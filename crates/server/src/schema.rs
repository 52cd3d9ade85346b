//! What the document says about values of ours: as exact as what is accepted.

use std::fmt::Display;
use std::str::FromStr;

use domain::approval::{ApprovalStatus, Risk};
use domain::guideline::LessonStatus;
use domain::id::RunId;
use domain::intent::IntentStatus;
use domain::plan::Strategy;
use domain::request::{BadRequest, MAX_CHARS, Text};
use domain::run::{FailureKind, RunStatus};
use domain::thought::Orchestration;
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::IntoParams;
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, SchemaFormat, Type};
use utoipa::openapi::{Array, Object, ObjectBuilder};

use crate::access::{Area, Role};
use crate::error::ApiError;
use crate::password::LENGTH;

/// Control characters but tab and line breaks, as a pattern names them.
const CONTROL: &str = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f";
/// Tab and line breaks.
const BREAKS: &str = r"\u0009\u000a\u000d";
/// What else is a space.
const SPACES: &str = r"\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";

/// A run in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfRun {
    /// Which run.
    #[serde(deserialize_with = "written_as_we_do")]
    #[param(schema_with = run_id)]
    pub(crate) run: RunId,
}

/// Something that is there: `null` is not.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A number without a fraction, however it is written: `3.0` is 3.
pub(crate) fn whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<T, D::Error>
where
    T::Error: std::fmt::Display,
{
    let number = serde_json::Number::deserialize(deserializer)?;
    // Beyond this, floating point numbers skip some.
    let exact = |it: &f64| it.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(it);
    let whole = number.as_u64().or_else(|| number.as_f64().filter(exact).map(|it| it as u64));
    let whole = whole.ok_or_else(|| serde::de::Error::custom(format!("{number} is not a whole number from 0 on")))?;
    whole.try_into().map_err(serde::de::Error::custom)
}

/// A whole number that may be named.
pub(crate) fn perhaps_whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    whole(deserializer).map(Some)
}

/// A run that may be named.
pub(crate) fn perhaps_run<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RunId>, D::Error> {
    written_as_we_do(deserializer).map(Some)
}

/// A moment that may be named, as RFC 3339 writes it.
pub(crate) fn perhaps_moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let shaped = text.len() >= 20
        && text.bytes().zip(b"0000-00-00T00:00:00".iter()).all(|(byte, like)| match like {
            b'0' => byte.is_ascii_digit(),
            b'T' => matches!(byte, b'T' | b't'),
            like => byte == *like,
        });
    let wrong = || serde::de::Error::custom(format!("`{text}` is not a moment such as `2026-05-01T12:00:00Z`"));
    if !shaped || text.contains('[') {
        return Err(wrong());
    }
    text.parse().map(Some).map_err(|_| wrong())
}

/// Things are named in one way only, so that one thing has one URL.
pub(crate) fn written_as_we_do<'de, D: Deserializer<'de>, T: FromStr + Display>(deserializer: D) -> Result<T, D::Error>
where
    T::Err: Display,
{
    let text = String::deserialize(deserializer)?;
    let it: T = text.parse().map_err(serde::de::Error::custom)?;
    if it.to_string() == text { Ok(it) } else { Err(serde::de::Error::custom(format!("write `{text}` as `{it}`"))) }
}

/// A line that people wrote: not empty, not long, no control characters, no space at the beginning.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Line(String);

/// The longest line that is read, in characters.
const MOST: usize = 200;

impl TryFrom<String> for Line {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.chars().count() {
            1..=MOST if text.chars().any(char::is_control) => Err("it must have no control characters".into()),
            1..=MOST if text.starts_with(char::is_whitespace) => Err("it must not begin with a space".into()),
            1..=MOST => Ok(Self(text)),
            count => Err(format!("it has {count} characters; 1 to {MOST} are read")),
        }
    }
}

impl Line {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Line> for String {
    fn from(line: Line) -> String {
        line.0
    }
}

/// The words of a request or an answer: exactly what the document says, before anything is trimmed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Words(pub(crate) Text);

impl TryFrom<String> for Words {
    type Error = BadRequest;

    fn try_from(text: String) -> Result<Self, BadRequest> {
        let forbidden = |c: &(usize, char)| c.1.is_control() && !matches!(c.1, '\n' | '\t' | '\r');
        match (text.chars().count(), text.chars().enumerate().find(forbidden)) {
            (chars, _) if chars > MAX_CHARS => Err(BadRequest::TooLong { chars }),
            (_, Some((at, c))) => Err(BadRequest::ControlCharacter { code: c.into(), at: at + 1 }),
            (_, None) => text.try_into().map(Self),
        }
    }
}

impl From<Words> for String {
    fn from(words: Words) -> String {
        words.0.into()
    }
}

pub(crate) fn line() -> Object {
    let pattern = format!("^[^{CONTROL}{BREAKS}{SPACES}][^{CONTROL}{BREAKS}]*$");
    text_like(&pattern).min_length(Some(1)).max_length(Some(MOST)).build()
}

/// The words of a request.
pub(crate) fn words() -> Object {
    text_like(&format!("^[^{CONTROL}]+$"))
        .min_length(Some(1))
        .max_length(Some(MAX_CHARS))
        .description(Some("Plain words: not only spaces."))
        .examples(["Will it rain in Oslo tomorrow?"])
        .build()
}

pub(crate) fn run_id() -> Object {
    text_like("^run_[0-9a-f]{32}$").examples(["run_019a8a3c5d2e7c5f9b1d6a3e4f708192"]).build()
}

pub(crate) fn trace_id() -> Object {
    text_like("^[A-Za-z0-9_.:-]{1,128}$").examples(["4bf92f3577b34da6a3ce929d0e0e4736"]).build()
}

/// Where traces come from.
pub(crate) fn source() -> Object {
    text_like("^(own|(key|import):[A-Za-z0-9_.-]{1,64})$").examples(["key:3f9c0a71b2d4"]).build()
}

pub(crate) fn lines() -> Array {
    ArrayBuilder::new().items(line()).build()
}

pub(crate) fn approval_id() -> Object {
    text_like("^apr_[0-9a-f]{32}$").examples(["apr_019a8a3c5d2e7c5f9b1d6a3e4f708192"]).build()
}

pub(crate) fn approval_status() -> Object {
    one_of(ApprovalStatus::ALL.map(ApprovalStatus::word)).description(Some("Where a question stands.")).build()
}

pub(crate) fn lesson_status() -> Object {
    one_of(LessonStatus::ALL.map(LessonStatus::word)).description(Some("How far a lesson has come.")).build()
}

pub(crate) fn approval_kind() -> Object {
    one_of(["plan", "call"]).description(Some("What it is about.")).build()
}

pub(crate) fn risk() -> Object {
    one_of([Risk::Low, Risk::Medium, Risk::High].map(Risk::word)).description(Some("What is at stake.")).build()
}

pub(crate) fn intent_status() -> Object {
    one_of(IntentStatus::ALL.map(IntentStatus::word)).description(Some("How far a write has come.")).build()
}

pub(crate) fn decision() -> Object {
    one_of(["approve", "edit", "reject", "respond"]).description(Some("What is wanted.")).build()
}

pub(crate) fn hash() -> Object {
    text_like("^sha256:[0-9a-f]{64}$").description(Some("The address of what would be carried out.")).build()
}

/// What somebody may do.
pub(crate) fn role() -> Object {
    one_of(Role::ALL.map(Role::word)).description(Some("What somebody may do.")).build()
}

/// Parts of the API.
pub(crate) fn areas() -> Array {
    ArrayBuilder::new().items(one_of(Area::ALL.map(Area::word)).build()).min_items(Some(1)).build()
}

/// Somebody who signs in.
pub(crate) fn person() -> Object {
    text_like("^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$").examples(["ada"]).build()
}

/// A new password.
pub(crate) fn password() -> Object {
    let lengths = (Some(*LENGTH.start()), Some(*LENGTH.end()));
    ObjectBuilder::new().schema_type(Type::String).min_length(lengths.0).max_length(lengths.1).build()
}

pub(crate) fn item_name() -> Object {
    text_like("^[a-z][a-z0-9-]{0,47}$").description(Some("Something in the library.")).build()
}

pub(crate) fn session() -> Object {
    text_like("^[A-Za-z0-9_-]{1,64}$").description(Some("A conversation that several requests belong to.")).build()
}

pub(crate) fn zone() -> Object {
    one_of(jiff::tz::db().available().map(|name| name.to_string()))
        .description(Some("The time zone of whoever asks, by its IANA name; the server's own when absent."))
        .examples(["Europe/Oslo"])
        .build()
}

pub(crate) fn status() -> Object {
    one_of(RunStatus::ALL.map(RunStatus::word)).description(Some("Where a run stands.")).build()
}

pub(crate) fn statuses() -> Array {
    ArrayBuilder::new().items(status()).min_items(Some(1)).build()
}

pub(crate) fn strategy() -> Object {
    one_of(Strategy::ALL.map(Strategy::word)).description(Some("How agents are made from a plan.")).build()
}

pub(crate) fn orchestration() -> Object {
    let words = Orchestration::ALL.map(Orchestration::word);
    one_of(words).description(Some("How much stands between a request and its plan.")).build()
}

pub(crate) fn failure() -> Object {
    use FailureKind::{Budget, Model, Plan, Quarantined, Rejected, Step};
    let words = [Plan, Step, Model, Budget, Rejected, Quarantined].map(|kind| {
        serde_json::to_value(kind).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
    });
    one_of(words).description(Some("What kind of failure it was.")).build()
}

pub(crate) fn tool_name() -> Object {
    text_like(r"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$").max_length(Some(64)).examples(["weather.current"]).build()
}

/// Where a listing goes on.
pub(crate) fn cursor() -> Object {
    text_like("^[0-9a-f]{48}$").build()
}

/// A place in a ledger.
pub(crate) fn seq() -> Object {
    let format = SchemaFormat::KnownFormat(KnownFormat::Int64);
    ObjectBuilder::new().schema_type(Type::Integer).format(Some(format)).minimum(Some(0)).build()
}

/// A place in a chain, as text.
pub(crate) fn place() -> Object {
    text_like("^[0-9]{1,18}$").build()
}

/// `Idempotency-Key`
pub(crate) fn idempotency_key() -> Object {
    text_like("^[!-~]+$").min_length(Some(1)).max_length(Some(200)).build()
}

pub(crate) fn moment() -> Object {
    let format = SchemaFormat::KnownFormat(KnownFormat::DateTime);
    ObjectBuilder::new().schema_type(Type::String).format(Some(format)).build()
}

fn text_like(pattern: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern))
}

fn one_of<T: Into<String>>(words: impl IntoIterator<Item = T>) -> ObjectBuilder {
    let words: Vec<serde_json::Value> = words.into_iter().map(|word| word.into().into()).collect();
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words))
}

/// How many things a page has when nobody says.
const USUAL: u16 = 20;

/// How many a page has.
pub(crate) fn page_length(said: Option<u16>) -> Result<usize, ApiError> {
    match said.unwrap_or(USUAL) {
        limit @ 1..=100 => Ok(limit.into()),
        limit => Err(ApiError::invalid("limit", format!("`limit` is {limit}; it can be 1 to 100"))),
    }
}
