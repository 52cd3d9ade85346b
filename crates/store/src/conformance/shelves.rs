//! What tools keep.

use std::sync::Arc;

use domain::shelf::Kept;
use domain::store::Store;
use futures::future::join_all;
use serde_json::{Value, json};

fn record(key: &str, version: u64, value: Value) -> Kept {
    Kept { key: key.into(), version, value }
}

pub(super) async fn a_record_is_read_as_it_was_kept(store: Arc<dyn Store>) {
    let value = json!({"name": "Teewasser ☕", "seconds": 240, "parts": [1.5, null]});
    assert!(store.keep("timers", "tea", &value, 0).await.expect("kept"));
    assert!(store.keep("timers", "egg", &json!("soft"), 0).await.expect("kept"));
    assert!(store.keep("events", "tea", &json!(1), 0).await.expect("kept"));
    assert_eq!(store.kept("timers", "tea").await.expect("read"), Some(record("tea", 1, value.clone())));
    assert_eq!(store.kept("timers", "none").await.expect("read"), None);
    let all = [record("egg", 1, json!("soft")), record("tea", 1, value)];
    assert_eq!(store.shelf("timers").await.expect("read"), all);
    assert!(store.shelf("empty").await.expect("read").is_empty());
}

pub(super) async fn a_record_is_changed_only_by_who_has_read_it(store: Arc<dyn Store>) {
    assert!(!store.keep("timers", "tea", &json!(1), 3).await.expect("answered"));
    assert!(store.keep("timers", "tea", &json!(1), 0).await.expect("answered"));
    assert!(!store.keep("timers", "tea", &json!(2), 0).await.expect("answered"));
    assert!(store.keep("timers", "tea", &json!(2), 1).await.expect("answered"));
    assert!(!store.keep("timers", "tea", &json!(3), 1).await.expect("answered"));
    assert_eq!(store.kept("timers", "tea").await.expect("read"), Some(record("tea", 2, json!(2))));
}

pub(super) async fn of_many_who_change_a_record_at_once_one_wins(store: Arc<dyn Store>) {
    assert!(store.keep("home", "lamp", &json!(0), 0).await.expect("kept"));
    let changes = (0..20).map(|n| {
        let store = Arc::clone(&store);
        async move { store.keep("home", "lamp", &json!(n), 1).await.expect("answered") }
    });
    let won = join_all(changes).await.into_iter().filter(|won| *won).count();
    assert_eq!(won, 1);
    assert_eq!(store.kept("home", "lamp").await.expect("read").map(|kept| kept.version), Some(2));
}

pub(super) async fn what_is_discarded_is_gone(store: Arc<dyn Store>) {
    assert!(store.keep("timers", "tea", &json!(1), 0).await.expect("kept"));
    assert!(!store.discard("timers", "tea", 2).await.expect("answered"));
    assert!(store.discard("timers", "tea", 1).await.expect("answered"));
    assert!(!store.discard("timers", "tea", 1).await.expect("answered"));
    assert_eq!(store.kept("timers", "tea").await.expect("read"), None);
}
