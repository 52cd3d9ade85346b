//! Finds what can be used again: one index, in memory, over agents, cohorts, plans, skills and tools.
//!
//! Three opinions are fused: the words of a request (a full-text index), its meaning (an
//! [embedder](domain::embed::Embedder)), and what was chosen for such requests before and how that went. No model is asked.
//!
//! ```
//! use std::sync::Arc;
//!
//! use domain::library::Kind;
//! use reflex::embed::StaticEmbedder;
//! use retrieve::{Entry, Index, Use, Wanted};
//!
//! let index = Index::new(Arc::new(StaticEmbedder::shipped()));
//! index.put(vec![
//!     Entry::new(Kind::Tool, "weather.forecast", "The weather of the coming days at a place"),
//!     Entry::new(Kind::Tool, "calendar.add", "Adds an event to the calendar"),
//! ]);
//! let found = index.search("put the dentist into my calendar", &Wanted::new([Kind::Tool], 5));
//! assert_eq!(found[0].name, "calendar.add");
//!
//! let text = "put the dentist into my calendar".to_owned();
//! index.learn(Use { text, kind: Kind::Tool, name: "calendar.add".to_owned(), good: false });
//! let again = index.search("put the dentist into my calendar", &Wanted::new([Kind::Tool], 5));
//! assert!(again[0].score < found[0].score);
//! ```

mod entry;
mod index;
mod lexicon;
mod places;
mod search;
mod usage;
mod words;

pub use entry::{Entry, Found, Tally, Use, Wanted};
pub use index::{Index, Size};
