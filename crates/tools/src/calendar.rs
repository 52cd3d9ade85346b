//! The calendar: appointments on a shelf of the product's database, exchanged as iCalendar and with a CalDAV server.
//!
//! A write changes the shelf and nothing else; the server hears of it when [`synchronise`] runs.

mod add;
mod book;
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

use std::path::PathBuf;
use std::sync::Arc;

use domain::shelf::Shelf;
use domain::tool::Tool;
use jiff::tz::TimeZone;

use self::book::Book;

/// What the calendar works with.
#[derive(Clone)]
pub struct Calendar {
    /// Where appointments are kept.
    pub shelf: Arc<dyn Shelf>,
    /// The zone the person lives in.
    pub zone: TimeZone,
    /// The folder that files are imported from and exported to; without it only text is taken.
    pub files: Option<PathBuf>,
}

/// The tools of the calendar.
pub fn calendar(with: Calendar) -> Vec<Arc<dyn Tool>> {
    let book = Arc::new(Book { shelf: with.shelf, home: with.zone, files: with.files, served: false });
    vec![
        Arc::new(add::Add::new(Arc::clone(&book))),
        Arc::new(cancel::Cancel::new(Arc::clone(&book))),
        Arc::new(export::Export::new(Arc::clone(&book))),
        Arc::new(free::Free::new(Arc::clone(&book))),
        Arc::new(import::Import::new(Arc::clone(&book))),
        Arc::new(list::List::new(Arc::clone(&book))),
        Arc::new(list::Next::new(Arc::clone(&book))),
        Arc::new(shift::Move::new(book)),
    ]
}
