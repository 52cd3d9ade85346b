//! The index as its users see it.

use std::sync::Arc;

use domain::library::Kind;
use reflex::embed::StaticEmbedder;
use retrieve::{Entry, Index, Wanted};

fn index(entries: &[(&str, &str)]) -> Index {
    let index = Index::new(Arc::new(StaticEmbedder::shipped()));
    index.put(entries.iter().map(|(name, description)| Entry::new(Kind::Tool, *name, *description)).collect());
    index
}

#[test]
fn what_shares_words_and_meaning_comes_first() {
    let index = index(&[("file_write", "Writes a file"), ("weather", "The weather of today"), ("send_sms", "")]);
    let found = index.search("will it rain, how is the weather", &Wanted::new([Kind::Tool], 2));
    assert_eq!(found[0].name, "weather");
    assert_eq!(found.len(), 2);
}
