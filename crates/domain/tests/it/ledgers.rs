//! The words in which ledgers are written here, and a maker of all the ledgers that a run can leave.

use std::collections::{BTreeMap, BTreeSet};

use domain::budget::Spent;
use domain::chat::{ModelError, Reply, Stop, Usage};
use domain::event::{Entry, Event, Need, Outcome, Recorded, Route, StepOutcome, Wait};
use domain::intent::{Intent, Priority, Settlement};
use domain::money::Usd;
use domain::plan::{Plan, Strategy as Way};
use domain::request::Request;
use domain::run::{Ending, FailureKind};
use domain::tool::ToolError;
use jiff::Timestamp;
use proptest::prelude::{Strategy, any};
use serde_json::{Value, json};

/// So many seconds after the beginning.
pub(crate) fn at(second: usize) -> Timestamp {
    Timestamp::from_second(1_763_000_000 + second as i64).expect("a moment")
}

/// Events in a row, a second apart.
pub(crate) fn ledger(events: impl IntoIterator<Item = Event>) -> Vec<Recorded> {
    let recorded = |(n, event): (usize, Event)| Recorded {
        seq: n as u64 + 1,
        entry: Entry { key: format!("{n}/{}", event.kind()), input: None, at: at(n), event },
    };
    events.into_iter().enumerate().map(recorded).collect()
}

pub(crate) fn received() -> Event {
    let request = Request {
        text: "feed the cat".parse().expect("a request"),
        at: at(0),
        zone: None,
        place: None,
        session: Some("evening".parse().expect("a session")),
        user: None,
        earlier: Vec::new(),
        wishes: Default::default(),
    };
    Event::Received { request: Box::new(request), parent: None }
}

pub(crate) fn resumed(epoch: u64) -> Event {
    Event::Resumed { epoch }
}

pub(crate) fn routed(strategy: Way) -> Event {
    Event::Routed { route: Route::Plan, strategy, why: "it is long".into(), judgement: None }
}

/// A plan with these steps.
pub(crate) fn plan(steps: &[&str]) -> Plan {
    let steps: Vec<Value> = steps.iter().map(|step| json!({"id": step, "goal": format!("do {step}")})).collect();
    serde_json::from_value(json!({"goal": "a fed cat", "steps": steps})).expect("a plan")
}

pub(crate) fn planned(version: u32, steps: &[&str], because: Option<&str>) -> Event {
    Event::Planned { version, plan: plan(steps), configuration: None, because: because.map(str::to_owned), notes: None }
}

pub(crate) fn plan_refused(version: u32) -> Event {
    Event::PlanRefused { version, findings: vec!["the plan has no steps".into()] }
}

pub(crate) fn forged(agent: &str, tools: &[&str]) -> Event {
    let tools = tools.iter().map(|tool| tool.parse().expect("a tool")).collect();
    Event::Forged {
        agent: agent.into(),
        step: None,
        tools,
        prompt: "You feed.".into(),
        max_iterations: 3,
        offered: None,
    }
}

pub(crate) fn started(step: &str, attempt: u32) -> Event {
    Event::StepStarted { step: step.parse().expect("a step"), attempt }
}

pub(crate) fn ended(step: &str, attempt: u32, outcome: StepOutcome) -> Event {
    Event::StepFinished { step: step.parse().expect("a step"), attempt, outcome }
}

pub(crate) fn done() -> StepOutcome {
    StepOutcome::Done { output: json!({"hungry": false}) }
}

pub(crate) fn failed() -> StepOutcome {
    StepOutcome::Failed { reason: "the bowl is gone".into(), in_doubt: false }
}

pub(crate) fn skipped() -> StepOutcome {
    StepOutcome::Skipped { reason: "not hungry".into() }
}

/// A model was asked on somebody's behalf and answered.
pub(crate) fn asked(component: &str) -> Event {
    let usage = Usage { input_tokens: 10, output_tokens: 2, cost: Usd::micros(5) };
    let reply = Outcome::Ok(Reply { text: "Yes.".into(), calls: Vec::new(), stop: Stop::End, usage });
    Event::ModelCalled { component: component.into(), model: "m".into(), reply, millis: 1 }
}

pub(crate) fn asked_in_vain(component: &str) -> Event {
    let reply = Outcome::Err(ModelError::TooLong { model: "m".into() });
    Event::ModelCalled { component: component.into(), model: "m".into(), reply, millis: 1 }
}

pub(crate) fn called(tool: &str) -> Event {
    let tool = tool.parse().expect("a tool");
    Event::ToolCalled { tool, arguments: json!({}), result: Outcome::Ok(json!(1)), millis: 1 }
}

pub(crate) fn called_in_vain(tool: &str) -> Event {
    let error = ToolError::Failed { tool: tool.parse().expect("a tool"), detail: "no".into() };
    Event::ToolCalled {
        tool: tool.parse().expect("a tool"),
        arguments: json!({}),
        result: Outcome::Err(error),
        millis: 1,
    }
}

/// A call that was not made.
pub(crate) fn refused(tool: &str, error: ToolError) -> Event {
    let tool = tool.parse().expect("a tool");
    Event::ToolCalled { tool, arguments: json!({}), result: Outcome::Err(error), millis: 0 }
}

pub(crate) fn intent(key: &str) -> Intent {
    let tool = "bowl.fill".parse().expect("a tool");
    Intent { key: key.into(), step: None, tool, arguments: json!({"grams": 50}), priority: Priority::High }
}

pub(crate) fn declared(key: &str) -> Event {
    Event::IntentDeclared { intent: intent(key) }
}

pub(crate) fn sent(key: &str, attempt: u32) -> Event {
    Event::IntentSent { intent: key.into(), attempt }
}

pub(crate) fn settled(key: &str, settlement: Settlement) -> Event {
    Event::IntentSettled { intent: key.into(), settlement }
}

/// One of each.
pub(crate) fn settlements() -> [Settlement; 4] {
    let error = ToolError::Failed { tool: "bowl.fill".parse().expect("a tool"), detail: "spilt".into() };
    [
        Settlement::Done { result: json!(50) },
        Settlement::Failed { error },
        Settlement::Unknown { detail: "the lights went out".into() },
        Settlement::Withheld { detail: "only trying".into() },
    ]
}

pub(crate) fn wait(name: &str) -> Wait {
    Wait { name: name.into(), need: Need::Answer { question: format!("{name}?") }, until: None }
}

pub(crate) fn waiting(name: &str) -> Event {
    Event::Waiting { wait: wait(name) }
}

pub(crate) fn answered(name: &str) -> Event {
    Event::Answered { name: name.into(), answer: json!("yes"), by: None }
}

pub(crate) fn cancel_asked() -> Event {
    Event::CancelAsked { reason: None }
}

pub(crate) fn finished(ending: Ending) -> Event {
    Event::Finished { ending, spent: Spent::default(), worked_ms: None }
}

pub(crate) fn completed() -> Ending {
    Ending::Completed { answer: "fed".into() }
}

pub(crate) fn failing(reason: FailureKind) -> Ending {
    Ending::Failed { reason, error: "the bowl is gone".into(), answer: None }
}

/// Any ledger that a run can leave: each move is made where it is possible and left out where it is not.
pub(crate) fn ledgers() -> impl Strategy<Value = Vec<Recorded>> {
    proptest::collection::vec((0u8..17, any::<u8>()), 0..60).prop_map(|moves| {
        let mut life = Life::default();
        let mut events = vec![received()];
        for (what, which) in moves {
            events.extend(life.make(what, which));
        }
        ledger(events)
    })
}

/// A run's life so far, as far as it decides what can happen next.
#[derive(Default)]
struct Life {
    epoch: u64,
    routed: bool,
    version: u32,
    attempts: BTreeMap<&'static str, u32>,
    under_way: BTreeMap<&'static str, u32>,
    /// Declared and not settled, with how often they were sent.
    intents: BTreeMap<String, u32>,
    declared: usize,
    asked: BTreeSet<&'static str>,
    answered: BTreeSet<&'static str>,
    cancelled: bool,
    over: bool,
}

impl Life {
    /// The event that a move is, if it can be made.
    fn make(&mut self, what: u8, which: u8) -> Option<Event> {
        let pick = |names: &[&'static str]| names[which as usize % names.len()];
        let (step, name) = (pick(&["look", "feed", "pet"]), pick(&["when", "where"]));
        let agent = pick(&["looker", "feeder"]);
        let tool = pick(&["cat.look", "cat.hear", "bowl.weigh"]);
        if self.over {
            return None;
        }
        match what {
            0 => {
                self.epoch += 1;
                // The steps that were under way are begun again under their old numbers, which are on record.
                Some(resumed(self.epoch + 1))
            }
            1 if self.answered.insert(name) => Some(answered(name)),
            2 if !std::mem::replace(&mut self.cancelled, true) => Some(cancel_asked()),
            3..=5 if !std::mem::replace(&mut self.routed, true) => {
                Some(routed(Way::ALL[which as usize % Way::ALL.len()]))
            }
            _ if !self.routed => None,
            3 => Some(plan_refused(self.next_version())),
            4 | 5 => Some(planned(self.next_version(), &["look", "feed"], Some("it failed"))),
            6 => Some(forged(agent, &[tool])),
            7 if !self.under_way.contains_key(step) => {
                let attempt = self.next_attempt(step);
                self.under_way.insert(step, attempt);
                Some(started(step, attempt))
            }
            8 | 9 => self.under_way.remove(step).map(|attempt| ended(step, attempt, pick_outcome(which))),
            10 if !self.under_way.contains_key(step) => Some(ended(step, self.next_attempt(step), skipped())),
            11 => Some(if which.is_multiple_of(3) {
                asked_in_vain("planner")
            } else {
                asked(pick(&["agent", "planner"]))
            }),
            12 => Some(if which.is_multiple_of(3) { called_in_vain(tool) } else { called(tool) }),
            13 => {
                self.declared += 1;
                let key = format!("intent/{}", self.declared);
                self.intents.insert(key.clone(), 0);
                Some(declared(&key))
            }
            14 => self.intents.iter_mut().next().map(|(key, attempts)| {
                *attempts += 1;
                sent(key, *attempts)
            }),
            15 => self.intents.pop_first().map(|(key, _)| settled(&key, settlements()[which as usize % 4].clone())),
            16 if self.asked.insert(name) => Some(waiting(name)),
            // Rarely, so that lives are long.
            16 if which.is_multiple_of(4) => {
                self.over = true;
                let endings = [completed(), failing(FailureKind::Step), Ending::Cancelled { reason: None }];
                Some(finished(endings[which as usize / 4 % 3].clone()))
            }
            _ => None,
        }
    }

    fn next_version(&mut self) -> u32 {
        self.version += 1;
        self.version
    }

    fn next_attempt(&mut self, step: &'static str) -> u32 {
        let attempt = self.attempts.entry(step).or_default();
        *attempt += 1;
        *attempt
    }
}

fn pick_outcome(which: u8) -> StepOutcome {
    if which.is_multiple_of(2) { done() } else { failed() }
}
