//! Messages between the agents of one run: what may be sent, what is refused with which words, and how the other reads
//! it. All of it is a view of the ledger, in the ledger's order. `docs/teams.md` has the bounds.

use std::collections::{BTreeMap, HashMap};

use domain::chat::Reply;
use domain::event::{Event, Purpose, StepOutcome};
use domain::hash::Hash;
use domain::id::StepId;
use serde_json::Value;

use crate::context::{cap, fenced};

/// The longest message, in characters; longer ones are refused to the sender.
pub(crate) const MAX_CHARS: usize = 8_000;
/// The most messages that can lie unread in one mailbox; more are refused to the sender.
pub(crate) const MAX_UNREAD: usize = 20;
/// The most messages that agents can send in one run; more are refused to the sender.
pub(crate) const MAX_IN_RUN: usize = 200;
/// The most requests of one agent to another that can be open; more are refused to the sender.
pub(crate) const MAX_OPEN: u32 = 3;
/// How often one agent can tell another the same; after that it is refused.
pub(crate) const MAX_SAME: u32 = 2;
/// The most messages that two agents can exchange without progress of the team; more are refused to the sender.
pub(crate) const MAX_BETWEEN: u32 = 10;
/// What is kept of a text that was refused for its length, and of a result in a refusal.
const EXCERPT: usize = 200;

/// Who tells agents what was counted. No agent can be called so.
pub(crate) const RUNTIME: &str = "runtime";
/// How the keys end under which agents are told to finish.
pub(crate) const NOTICE: &str = "/notice";
/// The tool that sends a message.
pub(crate) const SEND_MESSAGE: &str = "send_message";

/// What the agent of a step is called by the others.
pub(crate) fn agent_of(step: &StepId) -> String {
    format!("agent:{step}")
}

/// A message that an agent wants to send.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sending<'s> {
    pub(crate) from: &'s str,
    pub(crate) to: &'s str,
    pub(crate) text: &'s str,
    /// Its length, where `text` is only the beginning of it.
    pub(crate) chars: usize,
    pub(crate) purpose: Purpose,
}

/// A message in a mailbox.
#[derive(Debug, Clone, PartialEq)]
struct Letter {
    from: String,
    text: String,
    purpose: Purpose,
}

/// Where an agent stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Standing {
    /// Its step has not begun.
    NotBegun,
    /// It is under way.
    UnderWay,
    /// It has ended: in a word, and with what it brought, in short and fenced.
    Ended { how: &'static str, result: String },
}

/// All messages of one run, and where their senders and receivers stand.
#[derive(Debug, Default)]
pub(crate) struct Post {
    boxes: BTreeMap<String, Vec<Letter>>,
    read: BTreeMap<String, usize>,
    sent: usize,
    same: HashMap<Hash, u32>,
    /// By pairs, since the last progress.
    between: BTreeMap<(String, String), u32>,
    /// By who asked whom.
    open: BTreeMap<(String, String), u32>,
    standing: BTreeMap<String, Standing>,
}

impl Post {
    /// Takes an event in.
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::MessageSent { from, to, text, purpose, refused: None } => self.deliver(from, to, text, *purpose),
            Event::MessagesRead { agent, count } => {
                let read = self.read.entry(agent.clone()).or_default();
                *read = (*read).max(*count);
            }
            Event::StepStarted { step, .. } => {
                self.standing.insert(agent_of(step), Standing::UnderWay);
            }
            Event::StepFinished { step, outcome, .. } => {
                let agent = agent_of(step);
                self.open.retain(|(asker, _), _| *asker != agent);
                self.standing.insert(agent.clone(), ended(&agent, outcome));
            }
            _ => {}
        }
    }

    /// Something came of it all: what two agents have said to each other was not for nothing.
    pub(crate) fn forgive(&mut self) {
        self.between.clear();
    }

    fn deliver(&mut self, from: &str, to: &str, text: &str, purpose: Purpose) {
        let letter = Letter { from: from.to_owned(), text: text.to_owned(), purpose };
        self.boxes.entry(to.to_owned()).or_default().push(letter);
        if from == RUNTIME {
            return;
        }
        self.sent += 1;
        *self.same.entry(Hash::of_json(&(from, to, text))).or_default() += 1;
        *self.between.entry(pair(from, to)).or_default() += 1;
        match purpose {
            Purpose::Request => *self.open.entry((from.to_owned(), to.to_owned())).or_default() += 1,
            Purpose::Reply => drop(self.open.remove(&(to.to_owned(), from.to_owned()))),
            Purpose::Update | Purpose::Task => {}
        }
    }

    /// Why a message cannot be delivered, and what to do instead; `team` is everybody else.
    pub(crate) fn refusal(&self, sending: &Sending<'_>, team: &[String]) -> Option<String> {
        let Sending { from, to, text, chars, purpose } = *sending;
        if from == to {
            return Some("a message to yourself goes nowhere; remember it, or tell another".into());
        }
        if !team.iter().any(|name| name == to) {
            return Some(format!("there is no `{}` in this team; {}", cap(to, 100), nearest(to, team)));
        }
        if chars > MAX_CHARS {
            return Some(format!(
                "the message has {chars} characters; at most {MAX_CHARS} are allowed: send what the other needs, in short"
            ));
        }
        if let Standing::Ended { how, result } = self.standing(to) {
            return Some(format!("`{to}` {how} and reads no more messages; what came of it, in short: {result}"));
        }
        if self.sent >= MAX_IN_RUN {
            return Some(format!(
                "this run has sent its {MAX_IN_RUN} messages; no more can be sent, finish with what you have"
            ));
        }
        if self.same.get(&Hash::of_json(&(from, to, text))).is_some_and(|times| *times >= MAX_SAME) {
            return Some(format!(
                "you have told `{to}` exactly this {MAX_SAME} times already; go on without an answer"
            ));
        }
        if self.between.get(&pair(from, to)).is_some_and(|count| *count >= MAX_BETWEEN) {
            return Some(format!(
                "you and `{to}` have exchanged {MAX_BETWEEN} messages and nothing new has come of it; finish with what \
                 you have"
            ));
        }
        if self.count(to) - self.read.get(to).copied().unwrap_or_default().min(self.count(to)) >= MAX_UNREAD {
            return Some(format!(
                "the mailbox of `{to}` is full: it has {MAX_UNREAD} messages to read; try again later"
            ));
        }
        let open = |asker: &str, asked: &str| self.open.get(&(asker.to_owned(), asked.to_owned())).copied();
        match purpose {
            Purpose::Request if open(from, to).is_some_and(|open| open >= MAX_OPEN) => Some(format!(
                "`{to}` has {MAX_OPEN} requests of yours to answer; wait for its reply before you ask more"
            )),
            Purpose::Reply if open(to, from).is_none() => {
                Some(format!("`{to}` has no open request to you; if it needs to know this, send it as an update"))
            }
            Purpose::Update | Purpose::Task | Purpose::Request | Purpose::Reply => None,
        }
    }

    /// How many messages an agent has been sent.
    pub(crate) fn count(&self, agent: &str) -> usize {
        self.boxes.get(agent).map_or(0, Vec::len)
    }

    /// An agent's messages from one number up to another, as it reads them.
    pub(crate) fn between(&self, agent: &str, from: usize, to: usize) -> Vec<String> {
        let letters = self.boxes.get(agent).into_iter().flatten();
        letters.take(to).skip(from).map(Letter::aloud).collect()
    }

    /// Those who owe an agent a reply.
    pub(crate) fn asked_by(&self, agent: &str) -> Vec<String> {
        self.open.keys().filter(|(asker, _)| asker == agent).map(|(_, asked)| asked.clone()).collect()
    }

    /// Where an agent stands.
    pub(crate) fn standing(&self, agent: &str) -> Standing {
        self.standing.get(agent).cloned().unwrap_or(Standing::NotBegun)
    }
}

impl Letter {
    /// The message as its receiver reads it: fenced, labelled, and with how to answer it.
    fn aloud(&self) -> String {
        let Letter { from, text, purpose } = self;
        if from == RUNTIME {
            return format!("Notice: {text}");
        }
        let about = format!("from=\"{from}\" purpose=\"{}\"", purpose.word());
        let fenced = fenced("agent_message", &about, text);
        match purpose {
            Purpose::Request => format!(
                "{fenced}\n`{from}` waits for an answer: call `{SEND_MESSAGE}` with `to` \"{from}\" and `purpose` \"reply\". \
                 One reply answers all it has asked you."
            ),
            Purpose::Task => format!("{fenced}\nDo it if it is part of your own task and your tools allow it."),
            Purpose::Update | Purpose::Reply => fenced,
        }
    }
}

/// What an answer of a model keeps of messages that are too long to be sent: their beginning and their length. Nothing
/// longer goes on record.
pub(crate) fn cut_short(mut reply: Reply) -> Reply {
    for call in reply.calls.iter_mut().filter(|call| call.name == SEND_MESSAGE) {
        let chars = call.arguments.get("text").and_then(Value::as_str).map_or(0, |text| text.chars().count());
        let texts: Vec<&mut Value> = match &mut call.arguments {
            Value::Object(fields) => fields.values_mut().collect(),
            // What a model wrote that is no JSON.
            other => vec![other],
        };
        for text in texts {
            if let Value::String(text) = text
                && text.chars().nth(MAX_CHARS).is_some()
            {
                *text = text.chars().take(EXCERPT).collect();
            }
        }
        if let Some(fields) = call.arguments.as_object_mut().filter(|_| chars > MAX_CHARS) {
            fields.insert("chars".into(), chars.into());
        }
    }
    reply
}

fn ended(agent: &str, outcome: &StepOutcome) -> Standing {
    let (how, result) = match outcome {
        StepOutcome::Done { output } => ("has finished", domain::reference::aloud(output)),
        StepOutcome::Failed { reason, .. } => ("has failed", reason.clone()),
        StepOutcome::Skipped { reason } => ("was not needed", reason.clone()),
    };
    Standing::Ended { how, result: fenced("agent_message", &format!("from=\"{agent}\""), &cap(&result, EXCERPT)) }
}

fn pair(one: &str, other: &str) -> (String, String) {
    let (first, second) = if one <= other { (one, other) } else { (other, one) };
    (first.to_owned(), second.to_owned())
}

fn nearest(wrong: &str, team: &[String]) -> String {
    const LIKE: f64 = 0.6;
    // A name of any length costs the same to compare.
    let wrong: String = wrong.chars().take(100).collect();
    let likeness = |name: &String| strsim::normalized_damerau_levenshtein(&wrong, name);
    let best = team.iter().map(|name| (likeness(name), name)).max_by(|one, other| one.0.total_cmp(&other.0));
    match best.filter(|(like, _)| *like >= LIKE) {
        Some((_, name)) => format!("the nearest is `{name}`"),
        None => format!("there are `{}`", team.join("`, `")),
    }
}

#[cfg(test)]
mod tests;
