//! `calendar.export`: the calendar as iCalendar, in a file or as text.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::book::Book;
use super::event::Record;
use super::moment::Point;
use super::occur;
use super::{files, ical, say};
use crate::declare::{fields, parse, returning, spec};
use crate::errors;

pub(super) struct Export {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The file to write within the folder for files; without it the text is the result.
    path: Option<String>,
    /// Only appointments that take place from this day or moment on.
    from: Option<String>,
    /// Only appointments that take place until the end of this day, or this moment.
    to: Option<String>,
}

impl Export {
    pub(super) fn new(book: Arc<Book>) -> Self {
        // The same calendar in the same file: a repetition writes what is there by then.
        let effect = Effect::Write {
            reversible: false,
            repeat: Repeat::SameKey,
            external: false,
            targets: vec!["path".to_owned()],
        };
        let about = "Writes the user's calendar as iCalendar, into a file or as text.";
        let returns =
            fields(json!({"count": "integer", "said": "string"}), json!({"text": "string", "path": "string"}));
        Self { spec: returning(spec::<Arguments>("calendar.export", about, effect), returns), book }
    }
}

#[async_trait]
impl Tool for Export {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let Arguments { path, from, to } = parse(&self.spec, arguments)?;
        let home = &self.book.home;
        let wrong = |problem| errors::bad_argument(&self.spec, problem);
        let point = |name, text: Option<String>| text.map(|text| Point::parse(name, &text, home)).transpose();
        let from = point("from", from).and_then(|from| from.map(|from| from.begin(home)).transpose()).map_err(wrong)?;
        let to = point("to", to).and_then(|to| to.map(|to| to.end(home)).transpose()).map_err(wrong)?;
        let records = self.book.records(&self.spec).await?;
        let within = |record: &&Record| match (&from, &to) {
            (None, None) => true,
            (from, to) => {
                let from = from.clone().unwrap_or_else(|| jiff::Timestamp::MIN.to_zoned(home.clone()));
                let to = to.clone().unwrap_or_else(|| occur::far(home));
                !occur::occurrences(&record.event, home, &from, &to).is_empty()
            }
        };
        let records: Vec<&Record> = records.iter().filter(|record| record.gone.is_none()).filter(within).collect();
        let text = ical::write(&records, home);
        let count = say::counted(records.len(), "appointment");
        match path {
            None => Ok(json!({"count": records.len(), "text": text, "said": format!("{count} as iCalendar.")})),
            Some(path) => {
                let written = files::write(&self.spec, self.book.files.as_deref(), &path, &text).await?;
                let said = format!("Wrote {count} to `{}`.", written.display());
                Ok(json!({"count": records.len(), "path": written, "said": said}))
            }
        }
    }
}
