//! What a run may still use. Reserved before each call, so that a limit cannot be overshot.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use domain::budget::{Budget, Spent};
use domain::chat::{Ask, Usage};
use domain::event::{Event, Recorded, is_yes};
use domain::money::{Price, Usd};
use domain::view::spent_by;

/// The most output that is reserved for a call that names no limit of its own.
const DEFAULT_OUTPUT: u64 = 4_096;

/// The budget of one run while it is being advanced.
pub(crate) struct Meter {
    budget: Budget,
    /// The time earlier advances took.
    earlier: Duration,
    started: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    spent: Spent,
    reserved: Spent,
    /// How often a person allowed the same again.
    extensions: u32,
}

/// Room for one call. Given back when dropped, whether or not the call was made.
pub(crate) struct Reservation<'m> {
    meter: &'m Meter,
    room: Spent,
}

impl Meter {
    /// A meter that knows what a ledger has used.
    pub(crate) fn new(budget: Budget, ledger: &[Recorded]) -> Self {
        let mut spent = Spent::default();
        let mut earlier = Duration::ZERO;
        let mut since = ledger.first().map(|first| first.entry.at);
        let mut last = since;
        for recorded in ledger {
            spent += spent_by(&recorded.entry.event);
            let at = recorded.entry.at;
            if matches!(recorded.entry.event, Event::Resumed { .. } | Event::Answered { .. }) {
                earlier += between(since, last);
                since = Some(at);
            }
            last = Some(at);
        }
        earlier += between(since, last);
        let extensions = ledger
            .iter()
            .filter(|recorded| matches!(&recorded.entry.event, Event::Answered { name, answer, .. } if name.starts_with("budget/") && is_yes(answer)))
            .count() as u32;
        let state = Mutex::new(State { spent, reserved: Spent::default(), extensions });
        Self { budget, earlier, started: Instant::now(), state }
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// How often a person allowed the same again.
    pub(crate) fn extensions(&self) -> u32 {
        self.lock().extensions
    }

    pub(crate) fn extend(&self) {
        self.lock().extensions += 1;
    }

    /// The time that is left, if time is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let wall = self.budget.wall? * (self.extensions() + 1);
        Some(wall.saturating_sub(self.worked()))
    }

    /// The time in which the run was worked on.
    pub(crate) fn worked(&self) -> Duration {
        self.earlier + self.started.elapsed()
    }

    /// Whether as much again can be used twice: once to think, and once to act on it.
    pub(crate) fn has_room(&self, pass: Spent) -> bool {
        let state = self.lock();
        let times = u64::from(state.extensions) + 1;
        let mut after = state.spent;
        after += pass;
        after += pass;
        let within = |used: u64, limit: Option<u64>| limit.is_none_or(|limit| used <= limit.saturating_mul(times));
        within(after.model_calls, self.budget.model_calls)
            && within(after.usage.tokens(), self.budget.tokens)
            && within(after.usage.cost.as_micros(), self.budget.usd.map(Usd::as_micros))
    }

    /// Room for a call of a model, or the limit that is in the way.
    pub(crate) fn model(&self, ask: &Ask, price: Price) -> Result<Reservation<'_>, String> {
        let input_tokens = estimate(ask);
        let output_tokens = ask.max_tokens.map_or(DEFAULT_OUTPUT, u64::from);
        let cost = price.of(input_tokens, output_tokens);
        self.reserve(Spent { usage: Usage { input_tokens, output_tokens, cost }, model_calls: 1, tool_calls: 0 })
    }

    /// Room for a call of a tool, or the limit that is in the way.
    pub(crate) fn tool(&self) -> Result<Reservation<'_>, String> {
        self.reserve(Spent { tool_calls: 1, ..Spent::default() })
    }

    /// Notes what something that is on record used.
    pub(crate) fn spend(&self, spent: Spent) {
        self.lock().spent += spent;
    }

    /// What was used so far.
    pub(crate) fn spent(&self) -> Spent {
        self.lock().spent
    }

    fn reserve(&self, room: Spent) -> Result<Reservation<'_>, String> {
        if self.time_left().is_some_and(|left| left.is_zero()) {
            return Err(format!("the run has used its {:?}", self.budget.wall.unwrap_or_default()));
        }
        let mut state = self.lock();
        let times = u64::from(state.extensions) + 1;
        let mut after = state.spent;
        after += state.reserved;
        after += room;
        let over = |used: u64, limit: Option<u64>| limit.filter(|limit| used > limit.saturating_mul(times));
        let within = if let Some(limit) = over(after.model_calls, self.budget.model_calls) {
            Err(format!("{} of {} model calls are used", state.spent.model_calls, limit * times))
        } else if let Some(limit) = over(after.tool_calls, self.budget.tool_calls) {
            Err(format!("{} of {} tool calls are used", state.spent.tool_calls, limit * times))
        } else if let Some(limit) = over(after.usage.tokens(), self.budget.tokens) {
            Err(format!(
                "{} of {} tokens are used and the next call may need {}",
                state.spent.usage.tokens(),
                limit * times,
                room.usage.tokens()
            ))
        } else if let Some(limit) = over(after.usage.cost.as_micros(), self.budget.usd.map(Usd::as_micros)) {
            Err(format!(
                "{} of {} are spent and the next call may cost {}",
                state.spent.usage.cost,
                Usd::micros(limit * times),
                room.usage.cost
            ))
        } else {
            Ok(())
        };
        within.map(|()| {
            state.reserved += room;
            Reservation { meter: self, room }
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut state = self.meter.lock();
        let reserved = &mut state.reserved;
        reserved.model_calls -= self.room.model_calls;
        reserved.tool_calls -= self.room.tool_calls;
        reserved.usage.input_tokens -= self.room.usage.input_tokens;
        reserved.usage.output_tokens -= self.room.usage.output_tokens;
        reserved.usage.cost = reserved.usage.cost.saturating_sub(self.room.usage.cost);
    }
}

/// A cautious guess: providers count about one token for four characters of English, and more for anything else.
fn estimate(ask: &Ask) -> u64 {
    let messages: usize = ask.messages.iter().map(domain::chat::Message::chars).sum();
    let tools: usize = ask.tools.iter().map(|tool| tool.description.len() + tool.name.len() + 200).sum();
    ((messages + tools) / 3) as u64 + 16
}

fn between(since: Option<jiff::Timestamp>, until: Option<jiff::Timestamp>) -> Duration {
    since.zip(until).and_then(|(since, until)| Duration::try_from(until.duration_since(since)).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::chat::Message;

    fn ask(chars: usize, max_tokens: u32) -> Ask {
        Ask {
            messages: vec![Message::User { text: "x".repeat(chars) }],
            max_tokens: Some(max_tokens),
            ..Ask::default()
        }
    }

    #[test]
    fn room_is_reserved_before_the_call_and_given_back_after() {
        let meter = Meter::new(Budget { tokens: Some(1_000), ..Budget::default() }, &[]);
        let first = meter.model(&ask(300, 500), Price::default()).expect("fits");
        assert!(meter.model(&ask(300, 500), Price::default()).is_err(), "two at once would overshoot");
        drop(first);
        assert!(meter.model(&ask(300, 500), Price::default()).is_ok());
    }

    #[test]
    fn another_pass_must_leave_room_to_act() {
        let meter = Meter::new(Budget { model_calls: Some(10), ..Budget::default() }, &[]);
        let calls = |model_calls| Spent { model_calls, ..Spent::default() };
        meter.spend(calls(4));
        assert!(meter.has_room(calls(3)));
        assert!(!meter.has_room(calls(4)));
    }

    #[test]
    fn a_limit_says_which_it_is() {
        let meter = Meter::new(Budget { usd: Some(Usd::dollars(0.01)), ..Budget::default() }, &[]);
        let refused = meter.model(&ask(30, 1_000), Price { input: 1.0, output: 20.0 }).err().expect("too dear");
        assert_eq!(refused, "$0.0000 of $0.0100 are spent and the next call may cost $0.0200");
    }

    #[test]
    fn allowing_the_same_again_doubles_the_limit() {
        let meter = Meter::new(Budget { tool_calls: Some(1), ..Budget::default() }, &[]);
        let held = meter.tool().expect("fits");
        assert_eq!(meter.tool().err().expect("full"), "0 of 1 tool calls are used");
        meter.extend();
        assert!(meter.tool().is_ok());
        drop(held);
    }
}
