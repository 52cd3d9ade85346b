//! Whether a team gets anywhere, told by counting: turns and messages since something was last achieved. No model is
//! asked, and the counts are those of the ledger, whoever takes the run up.

use std::collections::{BTreeSet, HashSet};

use domain::event::{Event, Outcome, StepOutcome};
use domain::hash::Hash;
use domain::intent::Settlement;
use domain::plan::Strategy;

use crate::messages::{NOTICE, RUNTIME};

/// How many turns without progress a team may take for each of its agents before they are told to finish.
pub(crate) const TURNS_EACH: u32 = 4;
/// How many messages without progress it may send for each of its agents before they are told to finish.
pub(crate) const MESSAGES_EACH: u32 = 6;
/// How many times as many end the steps that are under way.
pub(crate) const PATIENCE: u32 = 2;

/// What was counted since the last progress.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Only teams are counted.
    team: bool,
    turns: u32,
    messages: u32,
    /// What tools have brought so far: the same again is no progress.
    brought: HashSet<Hash>,
    /// Who was told to finish.
    told: BTreeSet<String>,
}

/// What is to be done about an agent of a team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stall {
    /// It is told to finish.
    Notice(String),
    /// Its step ends.
    Stop(String),
}

impl Tally {
    /// Counts an event, and says whether it is progress.
    pub(crate) fn note(&mut self, key: &str, event: &Event) -> bool {
        match event {
            Event::Routed { strategy, .. } => self.team = *strategy == Strategy::Cohort,
            _ if !self.team => return false,
            Event::ModelCalled { component, .. } if component == "agent" => self.turns += 1,
            Event::MessageSent { from, to, .. } if from == RUNTIME => {
                if key.ends_with(NOTICE) {
                    self.told.insert(to.clone());
                }
            }
            Event::MessageSent { .. } => self.messages += 1,
            _ => {}
        }
        let progress = self.is_progress(event);
        if progress {
            (self.turns, self.messages) = (0, 0);
            self.told.clear();
        }
        progress
    }

    fn is_progress(&mut self, event: &Event) -> bool {
        match event {
            Event::ToolCalled { tool, result: Outcome::Ok(result), .. } => {
                self.brought.insert(Hash::of_json(&(tool, result)))
            }
            Event::IntentSettled { settlement: Settlement::Done { .. }, .. } => true,
            Event::StepFinished { outcome: StepOutcome::Done { .. }, .. } => true,
            // Another plan is another try, and a person's word is news.
            Event::Planned { .. } | Event::Answered { .. } => true,
            _ => false,
        }
    }

    /// What is to be done about one agent of a team of so many. Nobody is stopped who was not told before.
    pub(crate) fn stall(&self, agent: &str, size: usize) -> Option<Stall> {
        let size = u32::try_from(size).unwrap_or(u32::MAX).max(1);
        let over = |times: u32| {
            self.turns >= size.saturating_mul(TURNS_EACH * times)
                || self.messages >= size.saturating_mul(MESSAGES_EACH * times)
        };
        let (turns, messages) = (counted(self.turns, "turn"), counted(self.messages, "message"));
        match self.told.contains(agent) {
            false if over(1) => Some(Stall::Notice(format!(
                "The team has taken {turns} and sent {messages} since anything new came of it. Finish now with what you \
                 have, and say what is missing."
            ))),
            true if over(PATIENCE) => Some(Stall::Stop(format!(
                "the team stalled: its {size} agents took {turns} and sent {messages} since anything new came of it, \
                 and were told to finish"
            ))),
            _ => None,
        }
    }
}

fn counted(number: u32, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::event::{Purpose, Route};
    use serde_json::json;

    fn team() -> Tally {
        let mut tally = Tally::default();
        let routed =
            Event::Routed { route: Route::Given, strategy: Strategy::Cohort, why: String::new(), judgement: None };
        tally.note("routed", &routed);
        tally
    }

    fn turn() -> Event {
        let reply = Outcome::Err(domain::chat::ModelError::TooLong { model: "m".into() });
        Event::ModelCalled { component: "agent".into(), model: "m".into(), reply, millis: 0 }
    }

    fn brings(value: serde_json::Value) -> Event {
        let tool = "a.b".parse().expect("name");
        Event::ToolCalled { tool, arguments: json!({}), result: Outcome::Ok(value), millis: 0 }
    }

    fn told(to: &str) -> Event {
        Event::MessageSent {
            from: RUNTIME.into(),
            to: to.into(),
            text: String::new(),
            purpose: Purpose::Update,
            refused: None,
        }
    }

    #[test]
    fn an_agent_is_told_first_and_stopped_later() {
        let mut tally = team();
        for _ in 0..2 * TURNS_EACH {
            assert_eq!(tally.stall("a", 2), None);
            tally.note("t", &turn());
        }
        assert!(matches!(tally.stall("a", 2), Some(Stall::Notice(_))));
        tally.note("x/notice", &told("a"));
        for _ in 0..2 * TURNS_EACH {
            assert_eq!(tally.stall("a", 2), None);
            tally.note("t", &turn());
        }
        let Some(Stall::Stop(reason)) = tally.stall("a", 2) else { panic!("not stopped") };
        assert!(reason.contains("its 2 agents took 16 turns and sent 0 messages"), "{reason}");
        assert!(matches!(tally.stall("b", 2), Some(Stall::Notice(_))), "nobody is stopped unwarned");
    }

    #[test]
    fn what_a_tool_brings_counts_once() {
        let mut tally = team();
        assert!(tally.note("a", &brings(json!(1))));
        assert!(!tally.note("b", &brings(json!(1))));
        assert!(tally.note("c", &brings(json!(2))));
    }

    #[test]
    fn only_teams_are_counted() {
        let mut tally = Tally::default();
        for _ in 0..100 {
            tally.note("t", &turn());
        }
        assert_eq!(tally.stall("a", 1), None);
    }
}
