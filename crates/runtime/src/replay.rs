//! Repeating a finished run exactly, without asking a model or calling a tool.
//!
//! The run's own code is run again over its ledger. Results come from the record, and each event must be the one that
//! stands next: parallel steps are let through in the order in which they once ended, and what differs is found at the
//! first event that does.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use domain::event::{Entry, Event, Seq};
use domain::hash::Hash;
use domain::run::Ending;
use tokio::sync::watch;

use crate::record::Halt;

/// Lets events through in the order of a ledger.
pub(crate) struct Gate {
    ledger: Vec<Entry>,
    /// How many events have passed.
    passed: watch::Sender<usize>,
}

/// Where a repetition left the record.
#[derive(Debug, Clone, PartialEq)]
pub struct Divergence {
    /// The first event that differs.
    pub seq: Seq,
    /// What differs, in a sentence.
    pub detail: String,
}

impl Gate {
    pub(crate) fn new(ledger: Vec<Entry>) -> Self {
        let gate = Self { ledger, passed: watch::Sender::new(0) };
        gate.let_outsiders_pass();
        gate
    }

    /// Waits for the turn of the event under `key`, and passes if it is the event on record.
    pub(crate) async fn pass(&self, key: &str, input: Option<Hash>, event: &Event) -> Result<(), Halt> {
        let mut passed = self.passed.subscribe();
        let at = *passed
            .wait_for(|passed| self.ledger.get(*passed).is_none_or(|next| next.key == key))
            .await
            .map_err(|_| Halt::Diverged("the replay was abandoned".into()))?;
        match self.ledger.get(at) {
            Some(next) if next.input == input && next.event == *event => {
                self.passed.send_replace(at + 1);
                self.let_outsiders_pass();
                Ok(())
            }
            Some(next) => {
                Err(Halt::Diverged(format!("`{key}` now is {}, on record is {}", brief(event), brief(&next.event))))
            }
            None => Err(Halt::Diverged(format!("the record ends before `{key}`"))),
        }
    }

    /// What happens to a call of which there is no record: the run was stopped while it was under way.
    pub(crate) async fn never<T>(&self) -> T {
        std::future::pending().await
    }

    /// Returns when the event under `key` is next: for deadlines, which the record knows and the clock does not.
    pub(crate) async fn turn_of(&self, key: &str) {
        let mut passed = self.passed.subscribe();
        if passed.wait_for(|passed| self.ledger.get(*passed).is_some_and(|next| next.key == key)).await.is_err() {
            std::future::pending().await
        }
    }

    fn let_outsiders_pass(&self) {
        let mut at = *self.passed.borrow();
        while self.ledger.get(at).is_some_and(|next| next.event.is_external()) {
            at += 1;
        }
        self.passed.send_replace(at);
    }

    /// Whether what is left on record was written about the run from outside when somebody or a limit stopped it.
    fn rest_is_a_stop(&self) -> bool {
        let rest = &self.ledger[*self.passed.borrow()..];
        rest.iter().all(|entry| match &entry.event {
            Event::Finished { ending, .. } => !matches!(ending, Ending::Completed { .. }),
            event => event.is_external() || matches!(event, Event::IntentSettled { .. }),
        })
    }

    /// How it went, once the run's own code has nothing more to do.
    fn verdict(&self, detail: Option<String>) -> Result<usize, Divergence> {
        let passed = *self.passed.borrow();
        let at = |detail| Divergence { seq: passed as Seq + 1, detail };
        match detail {
            Some(detail) => Err(at(detail)),
            None if passed == self.ledger.len() || self.rest_is_a_stop() => Ok(self.ledger.len()),
            None => Err(at(format!("`{}` does not happen any more", self.ledger[passed].key))),
        }
    }
}

/// Runs the code over its record until it ends or gets stuck. There is nothing to wait for: what does not go on at once
/// never will.
pub(crate) fn drive<T>(gate: &Gate, run: impl Future<Output = Result<T, Halt>>) -> Result<usize, Divergence> {
    struct Flag(AtomicBool);
    impl Wake for Flag {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let flag = Arc::new(Flag(AtomicBool::new(true)));
    let waker = Waker::from(Arc::clone(&flag));
    // Without this tokio would have us yield now and then, to a scheduler that is not there.
    let mut run = pin!(tokio::task::unconstrained(run));
    while flag.0.swap(false, Ordering::SeqCst) {
        match run.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(Err(Halt::Diverged(detail))) => return gate.verdict(Some(detail)),
            Poll::Ready(_) => return gate.verdict(None),
            Poll::Pending => {}
        }
    }
    gate.verdict(None)
}

fn brief(event: &Event) -> String {
    let json = serde_json::to_string(event).unwrap_or_default();
    let end = json.char_indices().nth(300).map_or(json.len(), |(at, _)| at);
    if end < json.len() { format!("{}…", &json[..end]) } else { json }
}
