//! People who can sign in, as others read about them.

use jiff::Timestamp;
use serde::Serialize;
use server::Role;
use server::people::Account;

use super::Ink;
use super::table::{Cell, table};
use super::text::{ago, line};

/// What is shown of somebody.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// What they are called.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// When they were let in first.
    pub created_at: Timestamp,
    /// Whether they have chosen a password.
    pub has_password: bool,
    /// When they were last here.
    pub last_seen_at: Option<Timestamp>,
}

impl From<Account> for Row {
    fn from(account: Account) -> Self {
        let has_password = account.has_password();
        let Account { name, role, created_at, last_seen_at, .. } = account;
        Self { name, role, created_at, has_password, last_seen_at }
    }
}

/// One line a person.
pub fn listing(people: &[Row], now: Timestamp, ink: Ink) -> String {
    if people.is_empty() {
        return "nobody\n".to_owned();
    }
    let rows = people.iter().map(|person| {
        let state = match person.has_password {
            true => Cell::marked("password", Ink::good),
            false => Cell::marked("invited", Ink::faint),
        };
        let seen = person.last_seen_at.map_or_else(|| "never".to_owned(), |at| ago(at, now));
        vec![line(&person.name, 64).into(), person.role.word().into(), state, seen.into()]
    });
    table(ink, &["NAME", "ROLE", "SIGNS IN WITH", "SEEN"], rows.collect())
}
