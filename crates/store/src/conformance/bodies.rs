//! Events are read exactly as they were written.

use std::sync::Arc;

use domain::event::{Entry, Event, Outcome};
use domain::hash::Hash;
use domain::store::Store;
use serde_json::{Value, json};

use super::language::{claimed, commit, entry, ledger};
use super::samples;

/// An entry that is too large for a row.
pub(super) fn large(key: &str) -> Entry {
    entry(key, samples::message(&"large \u{1F408} ".repeat(100_000)))
}

fn called(key: &str, result: Value) -> Entry {
    let tool = "some.tool".parse().expect("a tool");
    entry(key, Event::ToolCalled { tool, arguments: Value::Null, result: Outcome::Ok(result), millis: 1 })
}

async fn is_kept(store: Arc<dyn Store>, entries: Vec<Entry>) {
    let token = claimed(&store, "keep").await;
    commit(&store, token, entries.clone()).await;
    let kept: Vec<Entry> = ledger(&store, token.run).await.split_off(1).into_iter().map(|r| r.entry).collect();
    assert_eq!(kept, entries);
}

pub(super) async fn every_kind_of_event_is_read_as_it_was_written(store: Arc<dyn Store>) {
    let with_input = |(n, event): (usize, Event)| Entry {
        input: (n % 2 == 0).then(|| Hash::of(&[n as u8])),
        ..entry(&format!("{n}/{}", event.kind()), event)
    };
    is_kept(store, samples::events().into_iter().enumerate().map(with_input).collect()).await;
}

pub(super) async fn large_bodies_are_read_as_they_were_written(store: Arc<dyn Store>) {
    let around = (8_100..8_300).step_by(10).map(|len| entry(&format!("{len}"), samples::message(&"x".repeat(len))));
    is_kept(store, [large("a"), large("b")].into_iter().chain(around).collect()).await;
}

pub(super) async fn numbers_are_read_to_the_last_digit(store: Arc<dyn Store>) {
    let tenths: Vec<f64> = (0..2_000).map(|n| f64::from(n) * 0.1 / 7.0 + 1e-3).collect();
    let extremes = json!([f64::MIN_POSITIVE, f64::MAX, -0.0, 1e23, 5e-324, u64::MAX, i64::MIN]);
    is_kept(store, vec![called("tenths", json!(tenths)), called("extremes", extremes)]).await;
}

pub(super) async fn what_is_nested_deeply_is_read(store: Arc<dyn Store>) {
    // As deep as a reader of JSON takes it; inside an event it is deeper.
    let nested = (0..126).fold(json!(1), |inner, _| json!([inner]));
    is_kept(store, vec![called("nested", nested)]).await;
}
