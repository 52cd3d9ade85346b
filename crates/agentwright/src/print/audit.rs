//! The audit trail as people read it.

use domain::audit::{Noted, Outcome};
use jiff::Timestamp;

use super::Ink;
use super::table::{Cell, table};
use super::text::{ago, line};

/// One line an entry.
pub fn listing(entries: &[Noted], now: Timestamp, ink: Ink) -> String {
    if entries.is_empty() {
        return "nothing was noted\n".to_owned();
    }
    let rows = entries.iter().map(|noted| {
        let entry = &noted.entry;
        let outcome = match entry.outcome {
            Outcome::Done => Cell::marked("done", Ink::good),
            Outcome::Refused => Cell::marked("refused", Ink::faint),
            Outcome::Failed => Cell::marked("failed", Ink::bad),
        };
        let on: Vec<String> = entry.on.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let who = format!("{} ({})", line(&entry.who, 40), entry.via.word());
        let (what, on) = (line(&entry.what, 60), line(&on.join(", "), 80));
        vec![noted.seq.to_string().into(), ago(entry.at, now).into(), who.into(), outcome, what.into(), on.into()]
    });
    table(ink, &["SEQ", "WHEN", "WHO", "OUTCOME", "WHAT", "ON"], rows.collect())
}
