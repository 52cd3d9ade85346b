//! Keys as people read about them: never the keys themselves.

use jiff::Timestamp;
use serde::Serialize;
use server::keys::Key;
use server::{Area, Role};

use super::Ink;
use super::table::{Cell, table};
use super::text::{between, duration, line};

/// What is shown of a key.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// What stands between `aw_` and the secret.
    pub id: String,
    /// What its owner calls it.
    pub name: Option<String>,
    /// What it may do.
    pub role: Role,
    /// Where; everywhere if there is none.
    pub scopes: Vec<Area>,
    /// Whether it may be learnt from the traces it sends.
    pub evidence: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Option<Timestamp>,
    /// Since when it is not valid any more.
    pub revoked_at: Option<Timestamp>,
}

impl From<Key> for Row {
    fn from(key: Key) -> Self {
        let Key { id, name, grant, evidence, created_at, expires_at, revoked_at, .. } = key;
        Self { id, name, role: grant.role, scopes: grant.scopes, evidence, created_at, expires_at, revoked_at }
    }
}

/// One line a key.
pub fn listing(keys: &[Row], now: Timestamp, ink: Ink) -> String {
    if keys.is_empty() {
        return "no keys\n".to_owned();
    }
    let ago = |at: Timestamp| format!("{} ago", duration(between(at, now)));
    let rows = keys.iter().map(|key| {
        let state = match (key.revoked_at, key.expires_at) {
            (Some(at), _) => Cell::marked(format!("revoked {}", ago(at)), Ink::bad),
            (None, Some(at)) if at <= now => Cell::marked(format!("expired {}", ago(at)), Ink::bad),
            (None, Some(at)) => Cell::marked(format!("valid for {}", duration(between(now, at))), Ink::good),
            (None, None) => Cell::marked("valid", Ink::good),
        };
        let scopes: Vec<&str> = key.scopes.iter().map(|area| area.word()).collect();
        let reach = if scopes.is_empty() { "everything".to_owned() } else { scopes.join(" ") };
        let name = line(key.name.as_deref().unwrap_or_default(), 60);
        let traces = if key.evidence { "evidence" } else { "watched" };
        let made = ago(key.created_at);
        vec![
            key.id.clone().into(),
            state,
            key.role.word().into(),
            reach.into(),
            made.into(),
            traces.into(),
            name.into(),
        ]
    });
    table(ink, &["ID", "STATE", "ROLE", "REACHES", "MADE", "TRACES", "NAME"], rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_says_which_keys_are_valid() {
        let at = |second| Timestamp::from_second(second).expect("a moment");
        let key = |id: &str, revoked_at: Option<Timestamp>| Row {
            id: id.into(),
            name: Some("laptop".into()),
            role: Role::Runner,
            scopes: vec![Area::Traces, Area::Runs],
            expires_at: None,
            evidence: revoked_at.is_none(),
            created_at: at(0),
            revoked_at,
        };
        let text = listing(&[key("a", None), key("b", Some(at(5)))], at(60), Ink::Plain);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!((lines[1][1], lines[2][1]), ("valid", "revoked"), "{text}");
        assert!(text.contains("runner  traces runs"), "{text}");
        let expired = Row { expires_at: Some(at(30)), ..key("c", None) };
        let ending = Row { expires_at: Some(at(90)), scopes: Vec::new(), ..key("d", None) };
        let text_of_ends = listing(&[expired, ending], at(60), Ink::Plain);
        assert!(
            text_of_ends.contains("expired 30.0s ago") && text_of_ends.contains("valid for 30.0s"),
            "{text_of_ends}"
        );
        assert!(lines[1].contains(&"evidence") && lines[2].contains(&"watched"), "{text}");
        assert_eq!(listing(&[], at(0), Ink::Plain), "no keys\n");
    }
}
