//! `search.files`, `search.note` and, where the operator chose an engine, `search.web`.
//!
//! The index is a copy that can be thrown away: the files are what counts, and every hit is read from its file again.

mod files;
mod folders;
mod index;
mod markup;
mod note;
mod query;
mod snippet;
mod text;
mod web;

use std::path::PathBuf;
use std::sync::Arc;

use domain::tool::Tool;
use jiff::tz::TimeZone;
use reqwest::Client;

pub(crate) use folders::Folders;
pub(crate) use query::telling_stems;
pub(crate) use text::read as read_text;
pub use web::{BRAVE_URL, Web};

/// What the search tools work with.
pub struct Search {
    /// The folder of the index. It is made when the first question is asked, and may be deleted at any time.
    pub index: PathBuf,
    /// The folders that are searched, with everything in them that is not hidden.
    pub folders: Vec<PathBuf>,
    /// The folder that notes are written to, which is searched too.
    pub notes: PathBuf,
    /// Names such as `drafts` or `*.log`, and paths within a folder such as `work/old`, that are left out.
    pub ignore: Vec<String>,
    /// The zone in which a note has its date.
    pub zone: TimeZone,
    /// The engine for the web, if there is to be one.
    pub web: Option<Web>,
    /// How the engine is reached.
    pub client: Client,
}

/// The search tools.
pub fn search(with: Search) -> Vec<Arc<dyn Tool>> {
    let mut folders = with.folders;
    if !folders.contains(&with.notes) {
        folders.push(with.notes.clone());
    }
    let library = index::Library::new(with.index, Folders::new(folders, with.ignore));
    let mut tools: Vec<Arc<dyn Tool>> =
        vec![Arc::new(files::Files::new(Arc::new(library))), Arc::new(note::Note::new(with.notes, with.zone))];
    if let Some(web) = with.web {
        tools.push(Arc::new(web::WebSearch::new(web, with.client)));
    }
    tools
}
