//! The calendar: appointments on a shelf of the product's database, exchanged as iCalendar and with a CalDAV server.
//!
//! A write changes the shelf and nothing else; the server hears of it when [`synchronise`] runs.

mod add;
mod book;
mod caldav;
mod cancel;
mod event;
mod expand;
mod export;
mod files;
mod find;
mod free;
mod ical;
mod import;
mod list;
mod moment;
mod occur;
mod rule;
mod say;
mod shift;
mod sync;
mod synchronise;

use std::path::PathBuf;
use std::sync::Arc;

use domain::shelf::Shelf;
use domain::tool::{Tool, ToolError};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use self::book::Book;
pub use self::caldav::CalDav;

/// What the calendar works with.
#[derive(Clone)]
pub struct Calendar {
    /// Where appointments are kept.
    pub shelf: Arc<dyn Shelf>,
    /// The zone the person lives in.
    pub zone: TimeZone,
    /// The server that has the calendar too.
    pub caldav: Option<CalDav>,
    /// The folder that files are imported from and exported to; without it only text is taken.
    pub files: Option<PathBuf>,
}

/// The tools of the calendar.
pub fn calendar(with: Calendar) -> Vec<Arc<dyn Tool>> {
    let book = Arc::new(book(&with));
    vec![
        Arc::new(add::Add::new(Arc::clone(&book))),
        Arc::new(cancel::Cancel::new(Arc::clone(&book))),
        Arc::new(export::Export::new(Arc::clone(&book))),
        Arc::new(free::Free::new(Arc::clone(&book))),
        Arc::new(import::Import::new(Arc::clone(&book))),
        Arc::new(list::List::new(Arc::clone(&book))),
        Arc::new(list::Next::new(Arc::clone(&book))),
        Arc::new(shift::Move::new(Arc::clone(&book))),
        Arc::new(synchronise::Sync::new(book, with.caldav)),
    ]
}

/// Exchanges changes with the server as `calendar.sync` does, for whoever does that in the background; nothing without a
/// server. One at a time: two at once may take each other's changes for a stranger's.
pub async fn synchronise(with: &Calendar, now: Timestamp) -> Result<Option<Value>, ToolError> {
    let Some(server) = &with.caldav else { return Ok(None) };
    sync::exchange(&sync::declaration(), &book(with), server, now).await.map(Some)
}

fn book(with: &Calendar) -> Book {
    Book {
        shelf: Arc::clone(&with.shelf),
        home: with.zone.clone(),
        files: with.files.clone(),
        served: with.caldav.is_some(),
    }
}
