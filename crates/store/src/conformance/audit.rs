//! Who changed what.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::audit::{Entry, Outcome, Verified, Via};
use domain::store::Store;
use futures::StreamExt;
use futures::future::join_all;
use jiff::Timestamp;

fn entry(who: &str) -> Entry {
    let at = "2026-05-01T12:00:00.123456789Z".parse::<Timestamp>().expect("a moment");
    let on = BTreeMap::from([("name".to_owned(), "Zoë ☕".to_owned())]);
    Entry { at, who: who.to_owned(), via: Via::Cli, what: "people add".to_owned(), on, outcome: Outcome::Done }
}

pub(super) async fn an_entry_is_read_as_it_was_noted(store: Arc<dyn Store>) {
    assert!(store.noted(None, 10).await.expect("read").is_empty());
    assert_eq!(store.verify().await.expect("verified").entries, 0);
    let noted = store.note(&entry("ada")).await.expect("noted");
    assert_eq!((noted.seq, &noted.entry), (1, &entry("ada")));
    assert_eq!(store.noted(None, 10).await.expect("read"), std::slice::from_ref(&noted));
    let verified = Verified { entries: 1, last: noted.hash, broken: None };
    assert_eq!(store.verify().await.expect("verified"), verified);
}

pub(super) async fn the_trail_is_read_backwards_in_pages(store: Arc<dyn Store>) {
    for who in ["a", "b", "c", "d", "e"] {
        store.note(&entry(who)).await.expect("noted");
    }
    let page = |before| {
        let store = Arc::clone(&store);
        async move {
            let noted = store.noted(before, 2).await.expect("read");
            noted.into_iter().map(|it| (it.seq, it.entry.who)).collect::<Vec<_>>()
        }
    };
    assert_eq!(page(None).await, [(5, "e".to_owned()), (4, "d".to_owned())]);
    assert_eq!(page(Some(4)).await, [(3, "c".to_owned()), (2, "b".to_owned())]);
    assert_eq!(page(Some(2)).await, [(1, "a".to_owned())]);
    assert!(page(Some(1)).await.is_empty());
}

pub(super) async fn of_many_who_note_at_once_all_are_in_one_chain(store: Arc<dyn Store>) {
    let noting = (0..40).map(|n| {
        let store = Arc::clone(&store);
        async move { store.note(&entry(&format!("person{n}"))).await.expect("noted").seq }
    });
    let mut places = join_all(noting).await;
    places.sort_unstable();
    assert_eq!(places, (1..=40).collect::<Vec<_>>());
    let verified = store.verify().await.expect("verified");
    assert_eq!((verified.entries, verified.broken), (40, None));
}

pub(super) async fn the_trail_is_longer_than_one_look(store: Arc<dyn Store>) {
    let ada = entry("ada");
    // A few at a time: whoever waits too long for a database is told that it is away.
    let mut noting = futures::stream::iter((0..1_003).map(|_| store.note(&ada))).buffer_unordered(16);
    while let Some(noted) = noting.next().await {
        noted.expect("noted");
    }
    drop(noting);
    let verified = store.verify().await.expect("verified");
    assert_eq!((verified.entries, verified.broken), (1_003, None));
}
