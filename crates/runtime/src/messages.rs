//! Mailboxes of the agents of one run. What an agent has read by which turn is on record, so that a repetition reads the
//! same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use domain::event::{Entry, Event};

/// The most messages one agent can be sent in a run; more are refused to the sender.
pub(crate) const MAX_MESSAGES: usize = 100;
/// The longest message, in characters; longer ones are refused to the sender.
pub(crate) const MAX_CHARS: usize = 8_000;

/// What the agents of one run have told each other.
#[derive(Default)]
pub(crate) struct Mailboxes {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Keys of messages that have been delivered: an agent that repeats itself after a crash is heard once.
    delivered: BTreeSet<String>,
    boxes: BTreeMap<String, Vec<String>>,
}

impl Mailboxes {
    /// The mailboxes as a ledger left them.
    pub(crate) fn restore<'e>(entries: impl Iterator<Item = &'e Entry>) -> Self {
        let mut sent: Vec<&Entry> = entries.filter(|entry| matches!(entry.event, Event::MessageSent { .. })).collect();
        sent.sort_by_key(|entry| entry.at);
        let mailboxes = Self::default();
        for entry in sent {
            if let Event::MessageSent { from, to, text, .. } = &entry.event {
                // What is on record was deliverable when it was sent.
                let _ = mailboxes.deliver(&entry.key, from, to, text);
            }
        }
        mailboxes
    }

    /// Puts a message into a mailbox, or says why not.
    pub(crate) fn deliver(&self, key: &str, from: &str, to: &str, text: &str) -> Result<(), String> {
        if from == to {
            return Err("a message to oneself goes nowhere".into());
        }
        if text.chars().count() > MAX_CHARS {
            return Err(format!("a message can have at most {MAX_CHARS} characters"));
        }
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !state.delivered.insert(key.to_owned()) {
            return Ok(());
        }
        let mailbox = state.boxes.entry(to.to_owned()).or_default();
        if mailbox.len() >= MAX_MESSAGES {
            return Err(format!("the mailbox of `{to}` is full"));
        }
        mailbox.push(format!("Message from `{from}`: {text}"));
        Ok(())
    }

    /// How many messages an agent has been sent.
    pub(crate) fn count(&self, agent: &str) -> usize {
        let state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        state.boxes.get(agent).map_or(0, Vec::len)
    }

    /// An agent's messages from one number up to another.
    pub(crate) fn between(&self, agent: &str, from: usize, to: usize) -> Vec<String> {
        let state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        state.boxes.get(agent).map_or_else(Vec::new, |mailbox| mailbox.iter().take(to).skip(from).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_heard_once_however_often_it_is_sent() {
        let mail = Mailboxes::default();
        assert_eq!(mail.deliver("k", "a", "b", "hello"), Ok(()));
        assert_eq!(mail.deliver("k", "a", "b", "hello"), Ok(()));
        assert_eq!(mail.between("b", 0, 10), ["Message from `a`: hello"]);
    }

    #[test]
    fn a_full_mailbox_and_a_long_message_are_refused() {
        let mail = Mailboxes::default();
        for n in 0..MAX_MESSAGES {
            assert_eq!(mail.deliver(&n.to_string(), "a", "b", "x"), Ok(()));
        }
        assert!(mail.deliver("more", "a", "b", "x").is_err());
        assert!(mail.deliver("long", "a", "c", &"x".repeat(MAX_CHARS + 1)).is_err());
        assert!(mail.deliver("self", "a", "a", "x").is_err());
    }
}
