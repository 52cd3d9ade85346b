//! What went wrong with a connection, told by whoever saw it first to whoever waits for an answer.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

/// How much of what a server wrote that is no message is kept.
const OVERHEARD: usize = 200;

/// Shared by everything that belongs to one connection.
#[derive(Debug, Clone)]
pub(super) struct Trouble {
    words: Arc<watch::Sender<Option<String>>>,
    noise: Arc<Mutex<Noise>>,
}

/// The beginning of the first line that cannot be a message.
#[derive(Debug, Default)]
struct Noise {
    inside: bool,
    kept: Vec<u8>,
    done: bool,
}

impl Trouble {
    pub(super) fn new() -> Self {
        Self { words: Arc::new(watch::Sender::new(None)), noise: Arc::default() }
    }

    /// Says what is wrong; the first reason stands.
    pub(super) fn raise(&self, words: String) {
        self.words.send_if_modified(|slot| {
            let first = slot.is_none();
            slot.get_or_insert(words);
            first
        });
    }

    /// What is wrong, if anything is.
    pub(super) fn words(&self) -> Option<String> {
        self.words.borrow().clone()
    }

    /// Waits until something is.
    pub(super) async fn raised(&self) -> String {
        let mut words = self.words.subscribe();
        let raised = words.wait_for(Option::is_some).await.map(|words| words.clone());
        // The sender is ours, so there is always an end to the waiting.
        raised.ok().flatten().unwrap_or_default()
    }

    /// Listens to what a server writes, for the sake of those whose servers chatter instead of answering.
    pub(super) fn overheard(&self, bytes: &[u8]) {
        let mut noise = self.noise.lock().unwrap_or_else(PoisonError::into_inner);
        for byte in bytes {
            if noise.done {
                return;
            }
            match byte {
                b'\n' if noise.inside && !noise.kept.is_empty() => noise.done = true,
                b'\n' => noise.inside = false,
                b'{' | b'[' | b' ' | b'\r' | b'\t' if !noise.inside => noise.inside = true,
                _ if noise.inside && noise.kept.is_empty() => {}
                other => {
                    noise.inside = true;
                    noise.kept.push(*other);
                    noise.done = noise.kept.len() >= OVERHEARD;
                }
            }
        }
    }

    /// What it wrote that is no message.
    pub(super) fn noise(&self) -> Option<String> {
        let noise = self.noise.lock().unwrap_or_else(PoisonError::into_inner);
        (!noise.kept.is_empty()).then(|| String::from_utf8_lossy(&noise.kept).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_no_message_is_noise() {
        let heard = |text: &str| {
            let trouble = Trouble::new();
            text.bytes().for_each(|byte| trouble.overheard(&[byte]));
            trouble.noise()
        };
        assert_eq!(heard("{\"a\": 1}\n[2]\n"), None);
        assert_eq!(heard("{}\nListening on 80\n{}\nmore\n").as_deref(), Some("Listening on 80"));
    }

    #[tokio::test]
    async fn the_first_reason_stands() {
        let trouble = Trouble::new();
        trouble.raise("one".into());
        trouble.raise("two".into());
        assert_eq!(trouble.raised().await, "one");
        assert_eq!(trouble.words().as_deref(), Some("one"));
    }
}
