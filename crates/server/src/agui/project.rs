//! A run's events as AG-UI tells them: steps, calls of tools, the state, and at the end the answer or what interrupts it.

use domain::event::{Event, Outcome, Recorded, StepOutcome};
use domain::plan::Step;
use domain::run::RunStatus;
use serde_json::{Value, json};

use super::input::{NewAgentRun, question_id};
use crate::error::ApiError;
use crate::talk::follow::{Tells, frame};
use crate::talk::messages;
use crate::talk::reply::{Asked, Reply};

/// The version of the protocol that is spoken.
const VERSION: &str = "1.0";

/// Tells a client what happens in a run of its thread.
pub(super) struct Projected {
    thread: String,
    run: String,
    parent: Option<String>,
    /// Steps that have begun and not ended.
    open: Vec<String>,
    /// What the client is to show as the state.
    state: Value,
}

impl Projected {
    pub(super) fn new(new: &NewAgentRun) -> Self {
        let (thread, run, parent) = (new.thread_id.clone(), new.run_id.clone(), new.parent_run_id.clone());
        Self { thread, run, parent, open: Vec::new(), state: json!({"status": "running"}) }
    }

    fn opens(&mut self, step: String) -> Vec<Value> {
        let begins = event("STEP_STARTED", json!({"stepName": step}));
        self.open.push(step);
        vec![begins]
    }

    fn closes(&mut self, step: &str) -> Vec<Value> {
        // It may have begun in an earlier run of the thread.
        let begun = self.open.iter().any(|open| open == step);
        let mut events = if begun { Vec::new() } else { self.opens(step.to_owned()) };
        self.open.retain(|open| open != step);
        events.push(event("STEP_FINISHED", json!({"stepName": step})));
        events
    }

    fn closes_all(&mut self) -> Vec<Value> {
        let open = std::mem::take(&mut self.open);
        open.iter().map(|step| event("STEP_FINISHED", json!({"stepName": step}))).collect()
    }

    fn stands(&mut self, step: &str, status: &str) {
        let steps = self.state["steps"].as_array_mut().into_iter().flatten();
        for known in steps.filter(|known| known["id"] == step) {
            known["status"] = status.into();
        }
    }

    /// What an event of ours is in theirs.
    fn events(&mut self, recorded: &Recorded) -> Vec<Value> {
        match &recorded.entry.event {
            Event::Routed { route, why, .. } => {
                self.state["route"] = route.word().into();
                let value = json!({"route": route.word(), "why": why});
                vec![event("CUSTOM", json!({"name": "agentwright.routed", "value": value}))]
            }
            Event::Planned { version, plan, .. } => {
                let step = |step: &Step| json!({"id": step.id, "goal": step.goal, "status": "planned"});
                self.state["steps"] = plan.steps().iter().map(step).collect();
                self.state["planVersion"] = (*version).into();
                vec![event("STATE_SNAPSHOT", json!({"snapshot": self.state}))]
            }
            Event::StepStarted { step, attempt } => {
                self.stands(step.as_str(), "running");
                self.opens(named(step.as_str(), *attempt))
            }
            Event::StepFinished { step, attempt, outcome } => {
                let (status, begun) = match outcome {
                    StepOutcome::Done { .. } => ("done", true),
                    StepOutcome::Failed { .. } => ("failed", true),
                    StepOutcome::Skipped { .. } => ("skipped", false),
                };
                self.stands(step.as_str(), status);
                if begun { self.closes(&named(step.as_str(), *attempt)) } else { Vec::new() }
            }
            Event::ToolCalled { tool, arguments, result, .. } => {
                let id = format!("call_{}", recorded.seq);
                let brought = match result {
                    Outcome::Ok(Value::String(text)) => text.clone(),
                    Outcome::Ok(value) => value.to_string(),
                    Outcome::Err(error) => error.to_string(),
                };
                let mut events = called(&id, &tool.to_string(), &arguments.to_string());
                events.push(result_of(&id, &brought));
                events
            }
            Event::IntentDeclared { intent } => {
                called(&intent.key, &intent.tool.to_string(), &intent.arguments.to_string())
            }
            // Our own types always serialise.
            Event::IntentSettled { intent, settlement } => {
                vec![result_of(intent, &serde_json::to_string(settlement).unwrap_or_default())]
            }
            _ => Vec::new(),
        }
    }

    fn finished(&self, outcome: Value, reply: &Reply) -> Value {
        let usage = json!([{"inputTokens": reply.usage.input_tokens, "outputTokens": reply.usage.output_tokens,
            "totalTokens": reply.usage.tokens()}]);
        let result = json!({"run": reply.about.run, "status": reply.about.status, "cost": reply.about.cost});
        event(
            "RUN_FINISHED",
            json!({"threadId": self.thread, "runId": self.run, "outcome": outcome, "result": result, "usage": usage}),
        )
    }

    /// How it ends, for now or for good.
    fn end(&self, reply: &Reply) -> Vec<Value> {
        match reply.about.status {
            RunStatus::Waiting => {
                let question = reply.about.question.iter().map(|question| {
                    json!({"id": question_id(reply.about.run, &question.name), "reason": "question",
                        "message": question.text, "responseSchema": {"type": "string"}})
                });
                let interrupts: Vec<Value> = reply.about.approvals.iter().map(interrupt).chain(question).collect();
                vec![self.finished(json!({"type": "interrupt", "interrupts": interrupts}), reply)]
            }
            RunStatus::Failed => {
                let code = serde_json::to_value(reply.about.failure).unwrap_or_default();
                let mut events = message(reply);
                let error = reply.about.error.as_deref().unwrap_or_default();
                events.push(event("RUN_ERROR", json!({"message": error, "code": code.as_str().unwrap_or("failed")})));
                events
            }
            RunStatus::Cancelled => vec![self.finished(json!({"type": "cancelled"}), reply)],
            RunStatus::Completed | RunStatus::Pending | RunStatus::Running => {
                let mut events = message(reply);
                for call in &reply.calls {
                    events.extend(called(&call.id, &call.name, &messages::arguments(call)));
                }
                let mut outcome = json!({"type": "success"});
                if !reply.calls.is_empty() {
                    outcome["pendingToolCallIds"] = reply.calls.iter().map(|call| call.id.as_str()).collect();
                }
                events.push(self.finished(outcome, reply));
                events
            }
        }
    }
}

impl Tells for Projected {
    fn begins(&mut self) -> String {
        let mut says = json!({"threadId": self.thread, "runId": self.run, "protocolVersion": VERSION});
        if let Some(parent) = &self.parent {
            says["parentRunId"] = parent.as_str().into();
        }
        frame(&event("RUN_STARTED", says))
    }

    fn happens(&mut self, recorded: &Recorded) -> String {
        let at = recorded.entry.at.as_millisecond();
        let mut events = self.events(recorded);
        events.iter_mut().for_each(|event| event["timestamp"] = at.into());
        events.iter().map(frame).collect()
    }

    fn rests(&mut self, reply: Reply) -> String {
        let mut events = self.closes_all();
        self.state["run"] = reply.about.run.to_string().into();
        self.state["status"] = reply.about.status.word().into();
        events.push(event("STATE_SNAPSHOT", json!({"snapshot": self.state})));
        events.extend(self.end(&reply));
        events.iter().map(frame).collect()
    }

    fn breaks(&mut self, why: ApiError) -> String {
        let mut events = self.closes_all();
        events.push(event("RUN_ERROR", json!({"message": why.to_string(), "code": why.code()})));
        events.iter().map(frame).collect()
    }
}

fn event(kind: &str, mut says: Value) -> Value {
    says["type"] = kind.into();
    says
}

fn named(step: &str, attempt: u32) -> String {
    if attempt == 1 { step.to_owned() } else { format!("{step} ({attempt})") }
}

fn called(id: &str, name: &str, arguments: &str) -> Vec<Value> {
    vec![
        event("TOOL_CALL_START", json!({"toolCallId": id, "toolCallName": name})),
        event("TOOL_CALL_ARGS", json!({"toolCallId": id, "delta": arguments})),
        event("TOOL_CALL_END", json!({"toolCallId": id})),
    ]
}

fn result_of(id: &str, brought: &str) -> Value {
    let says = json!({"messageId": format!("result_{id}"), "toolCallId": id, "content": brought, "role": "tool"});
    event("TOOL_CALL_RESULT", says)
}

/// What is said, where something is.
fn message(reply: &Reply) -> Vec<Value> {
    if reply.text.is_empty() {
        return Vec::new();
    }
    let id = format!("msg_{}", reply.about.run.to_string().trim_start_matches("run_"));
    vec![
        event("TEXT_MESSAGE_START", json!({"messageId": id, "role": "assistant"})),
        event("TEXT_MESSAGE_CONTENT", json!({"messageId": id, "delta": reply.text})),
        event("TEXT_MESSAGE_END", json!({"messageId": id})),
    ]
}

fn interrupt(asked: &Asked) -> Value {
    let mut says = json!({"id": asked.id, "reason": "approval", "message": asked.summary,
        "responseSchema": {"type": "object", "required": ["decision"], "properties": {
            "decision": {"enum": ["approve", "edit", "reject", "respond"]}, "reason": {"type": "string"},
            "plan": {"type": "object"}, "arguments": {"type": "object"}, "message": {"type": "string"}}},
        "metadata": {"kind": asked.kind, "why": asked.why, "risk": asked.risk, "hash": asked.hash,
            "effects": asked.effects, "url": asked.url}});
    if let Some(until) = asked.expires_at {
        says["expiresAt"] = until.to_string().into();
    }
    says
}
