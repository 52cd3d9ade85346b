//! `calendar.list` and `calendar.next`: what takes place, repetitions included.

use std::sync::Arc;

use async_trait::async_trait;
use domain::name::{Name, NameKind};
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use jiff::{SignedDuration, Timestamp, Zoned};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::book::Book;
use super::find::{self, Wanted, any_at_all, likeness};
use super::moment::{Point, midnight};
use super::occur::{self, Occurrence};
use super::say;
use crate::declare::{fields, list, or_null, parse, returning, spec};
use crate::errors;
use crate::phrase::day;
use crate::words::capped;

/// The most that one call brings.
const MOST: usize = 500;
/// The most that is said aloud.
const SAID: usize = 40;
/// How many days are shown unless others are asked for.
const DAYS: i64 = 8;
/// How far ahead names are looked for, and how many are brought.
const NAMES: (SignedDuration, usize) = (SignedDuration::from_hours(24 * 60), 200);
/// How well something must fit to be listed for a query.
const FITS: f64 = 0.7;

pub(super) struct List {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The first day, or the moment to start from; today when left out.
    from: Option<String>,
    /// The last day, included, or the moment to end with; a week later when left out.
    to: Option<String>,
    /// Words of the title, the place or the people.
    query: Option<String>,
    /// How many to bring; 100 when left out.
    #[schemars(range(min = 1))]
    limit: Option<usize>,
}

impl List {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let about = "Tells what is in the user's calendar from one day to another; today and the next seven days by \
                     default.";
        let events = list(Occurrence::declared());
        let returns = fields(json!({"events": events, "total": "integer", "said": "string"}), json!({}));
        Self { spec: returning(spec::<Arguments>("calendar.list", about, Effect::Read), returns), book }
    }

    fn stretch(&self, arguments: &Arguments, now: &Zoned) -> Result<(Zoned, Zoned), String> {
        let home = &self.book.home;
        let from = arguments.from.as_deref().map(|from| Point::parse("from", from, home)).transpose()?;
        let to = arguments.to.as_deref().map(|to| Point::parse("to", to, home)).transpose()?;
        let begin = match &from {
            Some(from) => from.begin(home)?,
            None => midnight(now.date(), home)?,
        };
        let end = match &to {
            Some(to) => to.end(home)?,
            None => {
                let last = super::expand::later(begin.with_time_zone(home.clone()).date(), DAYS);
                last.map_or_else(|| Ok(occur::far(home)), |last| midnight(last, home))?
            }
        };
        match begin < end {
            true => Ok((begin, end)),
            false => Err("`to` is before `from`".into()),
        }
    }
}

#[async_trait]
impl Tool for List {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let arguments: Arguments = parse(&self.spec, arguments)?;
        let now = self.book.now(call.now);
        let wrong = |problem| errors::bad_argument(&self.spec, problem);
        let (from, to) = self.stretch(&arguments, &now).map_err(wrong)?;
        let records = self.book.records(&self.spec).await?;
        let mut found = occur::between(&records, &self.book.home, &from, &to);
        let query = arguments.query.as_deref().map(str::trim).filter(|query| !query.is_empty());
        let fits = |occurrence: &Occurrence<'_>, query| likeness(query, occurrence.about) >= FITS;
        // Whoever asks for appointments asks for all of them, unless one is called that.
        let query = query.filter(|query| !any_at_all(query) || found.iter().any(|one| fits(one, query)));
        if let Some(query) = query {
            found.retain(|occurrence| fits(occurrence, query));
        }
        let total = found.len();
        found.truncate(arguments.limit.unwrap_or(100).clamp(1, MOST));
        Ok(json!({
            "events": found.iter().map(|occurrence| occurrence.shown(&self.book.home)).collect::<Vec<_>>(),
            "total": total,
            "said": words(&found, total, query, &find::stretch(&from, &to, &now), &now),
        }))
    }

    async fn names(&self) -> Vec<Name> {
        let now = self.book.now(Timestamp::now());
        let Ok(records) = self.book.records(&self.spec).await else { return Vec::new() };
        let to = now.checked_add(NAMES.0).unwrap_or_else(|_| now.clone());
        let mut names: Vec<Name> = Vec::new();
        for occurrence in occur::between(&records, &self.book.home, &now, &to) {
            let id = occurrence.id();
            if names.len() < NAMES.1 && names.iter().all(|name| name.id != id || name.name != occurrence.about.title) {
                let name = occurrence.about.title.clone();
                let (kind, aliases) = (NameKind::Event, Vec::new());
                names.push(Name { kind, id, name, aliases, domain: None, class: None, within: None });
            }
        }
        names
    }
}

fn words(found: &[Occurrence<'_>], total: usize, query: Option<&str>, stretch: &str, now: &Zoned) -> String {
    let like = query.map_or(String::new(), |query| format!(" like “{}”", capped(query, 80)));
    if found.is_empty() {
        return match query {
            Some(_) => format!("There is nothing{like} in your calendar {stretch}."),
            None => format!("Your calendar is empty {stretch}."),
        };
    }
    if let ([only], 1) = (found, total) {
        let place = only.about.place.as_ref().map_or(String::new(), |place| format!(", {place}"));
        let end = if only.all_day() { String::new() } else { format!(", for {}", say::lasting(only)) };
        return format!("You have {}{end}{place}.", say::named(only, now));
    }
    let mut said = format!("You have {}{like} {stretch}:", say::counted(total, "appointment"));
    let many_days =
        found.first().zip(found.last()).is_some_and(|(first, last)| first.start.date() != last.start.date());
    for occurrence in found.iter().take(SAID) {
        let at = match many_days {
            true => format!("{}, ", say::capital(say::bare(&day(&occurrence.start, now)))),
            false => String::new(),
        };
        said += &format!("\n- {at}{}", say::line(occurrence, now));
    }
    match total.saturating_sub(found.len().min(SAID)) {
        0 => said,
        more => said + &format!("\nand {more} more."),
    }
}

/// See the top of the file.
pub(super) struct Next {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NextArguments {
    /// Words of the title, the place or the people.
    query: Option<String>,
}

impl Next {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let about = "Tells the user's next appointment, or when the next one of a certain kind is.";
        let event = or_null(Occurrence::declared());
        let returns = find::or_question(fields(json!({"event": event}), json!({})));
        Self { spec: returning(spec::<NextArguments>("calendar.next", about, Effect::Read), returns), book }
    }
}

#[async_trait]
impl Tool for Next {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let NextArguments { query } = parse(&self.spec, arguments)?;
        let now = self.book.now(call.now);
        let home = &self.book.home;
        let records = self.book.records(&self.spec).await?;
        let query = query.as_deref().map(str::trim).filter(|query| !query.is_empty());
        let wanted = Wanted { event: query, on: None };
        let mut coming = find::find(&records, &wanted, home, &now);
        coming.retain(|occurrence| occurrence.end > now);
        // What is still to come is next; what is going on is next only where nothing else is.
        let next = coming.iter().find(|occurrence| occurrence.start > now).or(coming.first());
        let Some(next) = next else {
            return Ok(match query {
                Some(_) => find::none(&records, &wanted, home, &now),
                None => json!({"event": null, "said": "There is nothing ahead in your calendar."}),
            });
        };
        let place = next.about.place.as_ref().map_or(String::new(), |place| format!(", {place}"));
        let said = match next.start > now {
            true => format!("Next is {}{place}.", say::named(next, &now)),
            false => format!("“{}” is going on now{place}.", next.about.title),
        };
        Ok(json!({"event": next.shown(home), "said": said}))
    }
}
