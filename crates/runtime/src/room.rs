//! Where the agents of one run meet: their messages and the count of what came of them, kept as events go on record, and
//! who waits for whom.

use std::collections::BTreeSet;
use std::sync::Mutex;

use domain::event::{Event, Recorded};
use tokio::sync::watch;

use crate::messages::{Post, Sending, Standing};
use crate::stall::{Stall, Tally};

/// What the agents of a run know of each other.
pub(crate) struct Room {
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    post: Post,
    tally: Tally,
    /// Who does nothing until a reply comes. Not on record: who waits does so in this process.
    waiting: BTreeSet<String>,
    /// Who goes on only after something came from outside the run.
    paused: BTreeSet<String>,
}

/// What somebody who waits for a reply has to expect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outlook {
    /// Something to read is there.
    Mail,
    /// Somebody is at work who can answer.
    Hope,
    /// Those who could answer wait for somebody outside the run.
    Pause,
    /// No reply can come, for this reason.
    None(String),
}

impl Default for Room {
    fn default() -> Self {
        Self { state: Mutex::default(), changed: watch::Sender::new(()) }
    }
}

impl Room {
    /// The room as a ledger left it.
    pub(crate) fn restore(ledger: &[Recorded]) -> Self {
        let room = Self::default();
        for Recorded { entry, .. } in ledger {
            room.note(&entry.key, &entry.event);
        }
        room
    }

    /// Takes in an event that has gone on record.
    pub(crate) fn note(&self, key: &str, event: &Event) {
        let mut state = self.lock();
        state.post.note(event);
        if state.tally.note(key, event) {
            state.post.forgive();
        }
        drop(state);
        self.changed.send_replace(());
    }

    pub(crate) fn refusal(&self, sending: &Sending<'_>, team: &[String]) -> Option<String> {
        self.lock().post.refusal(sending, team)
    }

    pub(crate) fn count(&self, agent: &str) -> usize {
        self.lock().post.count(agent)
    }

    pub(crate) fn between(&self, agent: &str, from: usize, to: usize) -> Vec<String> {
        self.lock().post.between(agent, from, to)
    }

    pub(crate) fn standing(&self, agent: &str) -> Standing {
        self.lock().post.standing(agent)
    }

    pub(crate) fn stall(&self, agent: &str, size: usize) -> Option<Stall> {
        self.lock().tally.stall(agent, size)
    }

    /// An agent goes no further before something comes from outside the run.
    pub(crate) fn pause(&self, agent: String) {
        self.lock().paused.insert(agent);
        self.changed.send_replace(());
    }

    /// Returns when there is more in the mailbox than was read, or when nothing can come any more.
    pub(crate) async fn wait(&self, agent: &str, read: usize) -> Outlook {
        struct Seat<'r>(&'r Room, &'r str);
        impl Drop for Seat<'_> {
            fn drop(&mut self) {
                self.0.lock().waiting.remove(self.1);
                self.0.changed.send_replace(());
            }
        }
        let mut changed = self.changed.subscribe();
        self.lock().waiting.insert(agent.to_owned());
        let _seat = Seat(self, agent);
        self.changed.send_replace(());
        loop {
            match self.outlook(agent, read) {
                Outlook::Hope => {}
                other => return other,
            }
            if changed.changed().await.is_err() {
                return Outlook::Pause;
            }
        }
    }

    fn outlook(&self, agent: &str, read: usize) -> Outlook {
        let state = self.lock();
        if state.post.count(agent) > read {
            return Outlook::Mail;
        }
        let asked = state.post.asked_by(agent);
        if asked.is_empty() {
            return Outlook::None("You have no open request, so there is no reply to wait for.".into());
        }
        let reach = state.reach(agent);
        let of = |wanted: fn(&State, &str) -> bool| reach.iter().any(|name| wanted(&state, name));
        if of(State::works) {
            return Outlook::Hope;
        }
        if of(|state, name| state.paused.contains(name)) {
            return Outlook::Pause;
        }
        let mut reasons: Vec<String> = asked
            .iter()
            .filter_map(|name| match state.post.standing(name) {
                Standing::NotBegun => Some(format!("`{name}` has not begun and will read your request when it does")),
                Standing::Ended { how, result } => Some(format!("`{name}` {how}, in short so: {result}")),
                Standing::UnderWay => None,
            })
            .collect();
        let circle: Vec<&String> = reach.iter().filter(|name| state.waiting.contains(*name)).collect();
        if reasons.len() < asked.len() {
            let names: Vec<String> = circle.iter().map(|name| format!("`{name}`")).collect();
            reasons.push(format!("{} agents wait for each other: {}", names.len(), names.join(", ")));
        }
        Outlook::None(format!("No reply can come: {}. Go on without it.", reasons.join("; ")))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl State {
    /// An agent, those it waits for, those they wait for, and so on.
    fn reach(&self, agent: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::from([agent.to_owned()]);
        let mut next = vec![agent.to_owned()];
        while let Some(name) = next.pop() {
            if self.waiting.contains(&name) {
                next.extend(self.post.asked_by(&name).into_iter().filter(|asked| reached.insert(asked.clone())));
            }
        }
        reached
    }

    fn works(&self, agent: &str) -> bool {
        self.post.standing(agent) == Standing::UnderWay && !self.waiting.contains(agent) && !self.paused.contains(agent)
    }
}
