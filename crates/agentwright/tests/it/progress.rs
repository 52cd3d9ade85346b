//! Live progress as plain lines.

use agentwright::print::Ink;
use agentwright::progress::{Progress, plain_line};
use domain::event::Recorded;

/// A ledger with something of everything, as the program exports it.
pub(crate) fn ledger() -> Vec<Recorded> {
    let lines = include_str!("ledger.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn the_same_events_give_the_same_lines() {
    let lines = || {
        let mut progress = Progress::default();
        let ledger = ledger();
        let updates = ledger.iter().filter_map(|recorded| progress.take(recorded, Ink::Plain));
        updates.map(|(after, update)| plain_line(after, &update)).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(lines(), lines());
    insta::assert_snapshot!(lines());
}
