//! The index as its users see it.

mod changes;
mod ranking;
mod robust;
mod uses;

use std::sync::Arc;

use domain::library::Kind;
use reflex::embed::StaticEmbedder;
use retrieve::{Entry, Found, Index, Use, Wanted};

const TOOLS: [(&str, &str); 8] = [
    ("file_write", "Writes text into a file"),
    ("weather_forecast", "The weather of the coming days at a place"),
    ("send_sms", "Sends a short message to a phone number"),
    ("calendar_add", "Adds an event to the calendar"),
    ("calendar_list", "Lists the events of a day in the calendar"),
    ("flight_search", "Finds flights between two airports"),
    ("hotel_book", "Books a room in a hotel"),
    ("stock_price", "The price of a share at the stock exchange"),
];

fn empty() -> Index {
    Index::new(Arc::new(StaticEmbedder::shipped()))
}

fn index() -> Index {
    let index = empty();
    index.put(TOOLS.iter().map(|(name, description)| Entry::new(Kind::Tool, *name, *description)).collect());
    index
}

fn most(most: usize) -> Wanted {
    Wanted::new([], most)
}

fn names(found: &[Found]) -> Vec<&str> {
    found.iter().map(|found| found.name.as_str()).collect()
}

fn used(text: &str, name: &str, good: bool) -> Use {
    Use { text: text.to_owned(), kind: Kind::Tool, name: name.to_owned(), good }
}

fn score(index: &Index, text: &str, name: &str) -> f32 {
    let found = index.search(text, &most(usize::MAX));
    found.iter().find(|found| found.name == name).expect("the entry is there").score
}
