//! What is remembered.

use std::sync::Arc;

use domain::id::RunId;
use domain::store::{Memory, Store};

use super::language::at;

fn memory(id: &str, text: &str, importance: f64, second: i64) -> Memory {
    Memory { id: id.into(), text: text.into(), importance, run: None, at: at(second) }
}

async fn found(store: &Arc<dyn Store>, text: &str) -> Vec<String> {
    store.recall(text, 10).await.expect("recalled").into_iter().map(|memory| memory.id).collect()
}

pub(super) async fn memories_are_found_by_their_words(store: Arc<dyn Store>) {
    let cat = Memory { run: Some(RunId::fresh()), ..memory("cat", "The cat's name is Émile", 0.5, 1) };
    let memories = [
        cat.clone(),
        memory("name", "my name is on the door", 0.5, 2),
        memory("door", "the DOOR is green", 0.9, 3),
        memory("old", "a plant", 0.5, 4),
        memory("new", "another plant", 0.5, 5),
    ];
    for memory in &memories {
        store.remember(memory).await.expect("remembered");
    }
    assert_eq!(store.recall("émile", 10).await.expect("recalled"), [cat]);
    // Two shared words that matter more come before three that matter less.
    assert_eq!(found(&store, "whose name is it, by the Door?").await, ["door", "name", "cat"]);
    assert_eq!(found(&store, "plant").await, ["new", "old"]);
    assert_eq!(store.recall("plant", 1).await.expect("recalled").len(), 1);
    // Words of one or two letters say nothing.
    assert!(found(&store, "is on it a").await.is_empty());
    assert!(found(&store, "").await.is_empty());
    store.remember(&memory("cat", "changed", 1.0, 9)).await.expect("remembered");
    assert!(found(&store, "changed").await.is_empty());
}

pub(super) async fn what_is_forgotten_is_not_found_and_does_not_come_back(store: Arc<dyn Store>) {
    let secret = memory("secret", "the password is swordfish", 1.0, 1);
    store.remember(&secret).await.expect("remembered");
    assert!(store.forget("secret").await.expect("forgotten"));
    assert!(found(&store, "swordfish").await.is_empty());
    assert!(!store.forget("secret").await.expect("forgotten"));
    assert!(!store.forget("other").await.expect("forgotten"));
    store.remember(&secret).await.expect("remembered");
    assert!(found(&store, "swordfish").await.is_empty());
}
