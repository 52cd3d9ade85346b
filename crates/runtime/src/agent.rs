//! The loop of an agent: model, tools, model, … until it has an answer or its turns are used up. The number of turns is
//! kept here, whatever the prompt says.

use std::collections::HashMap;
use std::sync::Arc;

use domain::chat::{Ask, Callable, Message, Reply, Stop, Tier, ToolCall};
use domain::event::{Event, Need, Purpose};
use domain::hash::Hash;
use domain::id::{StepId, ToolName};
use domain::tool::{Tool, ToolError};
use futures::future::{join, join_all};
use serde_json::{Value, json};

use crate::context;
use crate::record::Halt;
use crate::work::{Chosen, ToolUse, Work};

/// How often the same call may be made before it is answered with a warning instead.
const MAX_REPEATS: u32 = 3;
/// How many such warnings an agent gets before it is stopped.
const MAX_WARNINGS: u32 = 3;

const ASK_USER: &str = "ask_user";
const REPLAN: &str = "replan";
const SEND_MESSAGE: &str = "send_message";

/// An agent: exactly these tools, this prompt, this many turns.
pub(crate) struct Agent {
    pub(crate) name: String,
    /// What its work is filed under.
    pub(crate) key: String,
    pub(crate) step: Option<StepId>,
    pub(crate) max_iterations: u32,
    /// Whom it can send messages to.
    pub(crate) peers: Vec<String>,
    allowed: Vec<ToolName>,
    ask: Ask,
    turn: u32,
    read: usize,
    calls: HashMap<Hash, u32>,
    warnings: u32,
    /// Words of an answer that was cut by the length limit and goes on in the next turn.
    so_far: String,
}

/// How an agent's work ended, or paused.
#[derive(Debug)]
pub(crate) enum End {
    /// With an answer.
    Answer(String),
    /// It wants another plan; what it is told comes back as the result of this call.
    Replan { call: ToolCall, reason: String },
    /// Without one.
    Failed { reason: String, in_doubt: bool },
}

impl Agent {
    pub(crate) fn new(
        name: String,
        key: String,
        step: Option<StepId>,
        tools: Vec<Arc<dyn Tool>>,
        prompts: (String, String),
        max_iterations: u32,
        peers: Vec<String>,
    ) -> Self {
        let (system, task) = prompts;
        let mut callables: Vec<Callable> = tools.iter().map(|tool| callable(tool.as_ref())).collect();
        callables.extend(own_tools(&peers));
        let ask = Ask {
            messages: vec![Message::System { text: system }, Message::User { text: task }],
            tools: callables,
            ..Ask::default()
        };
        let allowed = tools.iter().map(|tool| tool.spec().name.clone()).collect();
        Self {
            name,
            key,
            step,
            max_iterations,
            peers,
            allowed,
            ask,
            turn: 0,
            read: 0,
            calls: HashMap::new(),
            warnings: 0,
            so_far: String::new(),
        }
    }

    /// Goes on until there is an answer, a wish for another plan, or no turn left.
    pub(crate) async fn go_on(&mut self, work: &Work<'_>) -> Result<End, Halt> {
        while self.turn < self.max_iterations {
            self.turn += 1;
            let key = format!("{}/turn/{}", self.key, self.turn);
            self.read_mail(work, &key).await?;
            context::trim(&mut self.ask.messages, work.runtime.settings.context_chars);
            let reply = match work.model(&key, "agent", Tier::Default, &mut self.ask).await? {
                Ok(reply) => reply,
                Err(error) => return Ok(End::Failed { reason: error.to_string(), in_doubt: false }),
            };
            if let Some(end) = self.take(work, &key, reply).await? {
                return Ok(end);
            }
        }
        Ok(End::Failed {
            reason: format!("{} did not finish within {} turns", self.name, self.max_iterations),
            in_doubt: false,
        })
    }

    /// Tells a paused agent the result of a call.
    pub(crate) fn tell(&mut self, call: &ToolCall, text: String) {
        self.ask.messages.push(Message::Tool { call: call.id.clone(), name: call.name.clone(), text });
    }

    async fn take(&mut self, work: &Work<'_>, key: &str, reply: Reply) -> Result<Option<End>, Halt> {
        let Reply { text, calls, stop, .. } = reply;
        if calls.is_empty() {
            self.so_far.push_str(&text);
            if stop == Stop::Length {
                self.ask.messages.push(Message::Assistant { text, calls });
                self.ask
                    .messages
                    .push(Message::User { text: "You were cut off. Go on exactly where you stopped.".into() });
                return Ok(None);
            }
            return Ok(Some(End::Answer(std::mem::take(&mut self.so_far))));
        }
        self.so_far.clear();
        self.ask.messages.push(Message::Assistant { text, calls: calls.clone() });
        let mut replan = None;
        let mut doubt = None;
        let results = self.carry_out(work, key, &calls).await?;
        for (call, result) in calls.into_iter().zip(results) {
            let text = match result {
                Answered::Replan(reason) if replan.is_none() => {
                    replan = Some(End::Replan { call, reason });
                    continue;
                }
                Answered::Replan(_) => "One new plan at a time.".into(),
                Answered::Result(Ok(value)) => {
                    context::tool_text(&call.name, &value, work.runtime.settings.result_chars)
                }
                Answered::Result(Err(error)) => {
                    if let ToolError::InDoubt { .. } = error {
                        doubt = Some(End::Failed { reason: error.to_string(), in_doubt: true });
                    }
                    format!("Error: {error}")
                }
                Answered::Words(words) => words,
            };
            self.tell(&call, text);
        }
        if self.warnings >= MAX_WARNINGS {
            let reason = format!("{} went in circles: it repeated the same call again and again", self.name);
            return Ok(Some(End::Failed { reason, in_doubt: false }));
        }
        Ok(doubt.or(replan))
    }

    /// Reads side by side, writes one after the other in the order the model gave them.
    async fn carry_out(&mut self, work: &Work<'_>, key: &str, calls: &[ToolCall]) -> Result<Vec<Answered>, Halt> {
        let mut answered: Vec<Option<Answered>> = Vec::with_capacity(calls.len());
        let mut reads = Vec::new();
        let mut writes = Vec::new();
        for (at, call) in calls.iter().enumerate() {
            answered.push(self.warning(call));
            if answered[at].is_some() {
                continue;
            }
            match work.runtime.tools.resolve(&call.name, Some(&self.allowed)) {
                Ok(tool) if tool.spec().effect.is_write() => writes.push((at, tool)),
                Ok(tool) => reads.push((at, tool)),
                Err(error) => answered[at] = self.own(work, &format!("{key}/tool/{at}"), call, error).await?,
            }
        }
        let one = async |at: usize, tool: Arc<dyn Tool>| {
            let key = format!("{key}/tool/{at}");
            let using = ToolUse {
                key: &key,
                step: self.step.as_ref(),
                allowed: &self.allowed,
                priority: Default::default(),
                tainted: &[],
                chosen: Chosen::ByAgent,
            };
            work.tool(&tool, calls[at].arguments.clone(), using).await.map(|result| (at, result))
        };
        let side_by_side = join_all(reads.into_iter().map(|(at, tool)| one(at, tool)));
        let one_by_one = async {
            let mut results = Vec::new();
            for (at, tool) in writes {
                results.push(one(at, tool).await);
            }
            results
        };
        let (read, written) = join(side_by_side, one_by_one).await;
        let mut halted = None;
        for result in read.into_iter().chain(written) {
            match result {
                Ok((at, result)) => answered[at] = Some(Answered::Result(result)),
                Err(halt) => halted = Some(halt),
            }
        }
        match halted {
            Some(halt) => Err(halt),
            None => Ok(answered.into_iter().map(|answer| answer.unwrap_or(Answered::Words(String::new()))).collect()),
        }
    }

    /// A warning in place of a result, for a call that was made too often.
    fn warning(&mut self, call: &ToolCall) -> Option<Answered> {
        let count = self.calls.entry(Hash::of_json(&(&call.name, &call.arguments))).or_default();
        *count += 1;
        if *count <= MAX_REPEATS {
            return None;
        }
        self.warnings += 1;
        Some(Answered::Words(format!(
            "Error: you have called {} with the same arguments {MAX_REPEATS} times already. Do something else, or answer \
             with what you have.",
            call.name
        )))
    }

    /// The tools that belong to the loop itself.
    async fn own(
        &self,
        work: &Work<'_>,
        key: &str,
        call: &ToolCall,
        unknown: ToolError,
    ) -> Result<Option<Answered>, Halt> {
        let text = |name: &str| call.arguments.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
        match call.name.as_str() {
            ASK_USER => {
                let question = text("question");
                if question.is_empty() {
                    return Ok(Some(Answered::Words("Error: `question` is missing".into())));
                }
                let answer = work.journal.answer(key, Need::Answer { question }, work.until()).await?;
                Ok(Some(Answered::Words(match answer {
                    Value::Null => "Nobody answered in time.".into(),
                    answer => domain::reference::aloud(&answer),
                })))
            }
            REPLAN => Ok(Some(Answered::Replan(text("reason")))),
            SEND_MESSAGE if !self.peers.is_empty() => {
                let (to, text) = (text("to"), text("text"));
                if !self.peers.contains(&to) {
                    return Ok(Some(Answered::Words(format!(
                        "Error: there is no `{to}`; there are {}",
                        self.peers.join(", ")
                    ))));
                }
                if let Err(refusal) = work.mail.deliver(key, &self.name, &to, &text) {
                    return Ok(Some(Answered::Words(format!("Error: {refusal}"))));
                }
                work.journal
                    .record(
                        key,
                        Event::MessageSent {
                            from: self.name.clone(),
                            to,
                            text,
                            purpose: Purpose::Update,
                            refused: None,
                        },
                    )
                    .await?;
                Ok(Some(Answered::Words("Sent.".into())))
            }
            _ => Ok(Some(Answered::Result(Err(unknown)))),
        }
    }

    /// Puts what others wrote before the next turn; how much of it was there is on record.
    async fn read_mail(&mut self, work: &Work<'_>, key: &str) -> Result<(), Halt> {
        if self.peers.is_empty() {
            return Ok(());
        }
        let key = format!("{key}/mail");
        let turn_known = work.journal.known(&format!("{}/turn/{}", self.key, self.turn)).is_some();
        let count = match work.journal.known(&key) {
            Some(Event::MessagesRead { count, .. }) => *count,
            // The turn was taken without reading: so it is again.
            _ if turn_known => return Ok(()),
            _ => work.mail.count(&self.name),
        };
        if count > self.read {
            work.journal.record(key, Event::MessagesRead { agent: self.name.clone(), count }).await?;
            let text = work.mail.between(&self.name, self.read, count).join("\n");
            self.read = count;
            self.ask.messages.push(Message::User { text });
        }
        Ok(())
    }
}

enum Answered {
    Result(Result<Value, ToolError>),
    Words(String),
    Replan(String),
}

fn callable(tool: &dyn Tool) -> Callable {
    let spec = tool.spec();
    Callable { name: spec.name.wire(), description: spec.description.clone(), parameters: spec.parameters.clone() }
}

fn own_tools(peers: &[String]) -> Vec<Callable> {
    let own = |name: &str, description: String, parameters: Value| Callable {
        name: name.to_owned(),
        description,
        parameters: json!({"type": "object", "properties": parameters, "additionalProperties": false,
            "required": parameters.as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>())}),
    };
    let words = |description: &str| json!({"type": "string", "description": description});
    let mut tools = vec![
        own(
            ASK_USER,
            "Asks the person who made the request. Use it only for what you cannot find out yourself.".into(),
            json!({"question": words("One question, in plain words.")}),
        ),
        own(
            REPLAN,
            "Replaces the rest of the plan when it cannot work as it is. What is done stays done.".into(),
            json!({"reason": words("What went wrong and what you know now.")}),
        ),
    ];
    if !peers.is_empty() {
        tools.push(own(
            SEND_MESSAGE,
            format!("Tells another agent of this task something it needs. There are: {}.", peers.join(", ")),
            json!({"to": words("The agent's name."), "text": words("What it needs to know.")}),
        ));
    }
    tools
}
