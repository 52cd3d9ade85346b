//! One of each kind of event.

use domain::chat::{Reply, Stop, Usage};
use domain::event::Event;
use domain::intent::Intent;
use domain::library::Decision;
use domain::money::Usd;
use serde_json::json;

use super::{items, reasoning};

/// An answer of a model.
pub(super) fn reply() -> Reply {
    let usage = Usage { input_tokens: 17, output_tokens: 4, cost: Usd::micros(1_234) };
    Reply { text: "Because.".into(), calls: Vec::new(), stop: Stop::End, usage }
}

/// A write that is wanted.
pub(super) fn intent(key: &str) -> Intent {
    Intent {
        key: key.into(),
        step: Some("tell".parse().expect("a step")),
        tool: "mail.send".parse().expect("a tool"),
        arguments: json!({"to": "cat@example.com", "urgency": 0.3}),
        priority: Default::default(),
    }
}

/// The wish for a write.
pub(super) fn declared(key: &str) -> Event {
    Event::IntentDeclared { intent: intent(key) }
}

/// Some words from one agent to another.
pub(super) fn message(text: &str) -> Event {
    Event::MessageSent {
        from: "one".into(),
        to: "other".into(),
        text: text.into(),
        purpose: Default::default(),
        refused: None,
    }
}

/// A version of a plan.
pub(super) fn planned(version: u32) -> Event {
    let plan = json!({
        "goal": "a fed cat",
        "steps": [
            {"id": "look", "goal": "is it hungry", "tool": "cat.look", "arguments": {"at": "bowl"}},
            {"id": "feed", "goal": "feed it", "prompt": "gently", "tools": ["cat.feed"], "depends_on": ["look"]},
        ],
    });
    from_json(json!({"kind": "planned", "data": {"version": version, "plan": plan, "because": "hunger"}}))
}

/// At least one of every kind.
pub(super) fn events() -> Vec<Event> {
    let wait = |need| json!({"kind": "waiting", "data": {"wait": {"name": "w", "need": need}}});
    let settled = |settlement| json!({"kind": "intent_settled", "data": {"intent": "i", "settlement": settlement}});
    let finished_step =
        |outcome| json!({"kind": "step_finished", "data": {"step": "look", "attempt": 1, "outcome": outcome}});
    let tool_error = json!({"error": "timed_out", "tool": "cat.look", "after": {"secs": 1, "nanos": 5}});
    let spent = json!({"input_tokens": 1, "output_tokens": 2, "cost": 0.000_003, "model_calls": 4, "tool_calls": 5});
    let finished = |ending| json!({"kind": "finished", "data": {"ending": ending, "spent": spent}});
    let hash = domain::hash::Hash::of(b"what is approved");
    let values = [
        json!({"kind": "resumed", "data": {"epoch": 3}}),
        json!({"kind": "routed", "data": {"route": "plan", "strategy": "cohort", "why": "it \u{0} is\nlong"}}),
        json!({"kind": "weighed", "data": {"complexity": {"score": 0.1, "passes": 1, "orchestration": "simple", "strategy": "model", "signals": [], "explanation": "short"}}}),
        json!({"kind": "verified", "data": {"attempt": 1, "findings": []}}),
        json!({"kind": "gated", "data": {"version": 1, "next": "go", "why": "good"}}),
        json!({"kind": "recalled", "data": {"memories": ["a"], "recent": []}}),
        json!({"kind": "plan_refused", "data": {"version": 1, "findings": ["the plan has no steps"]}}),
        json!({"kind": "forged", "data": {"agent": "feeder", "step": "feed", "tools": ["cat.feed"], "prompt": "p", "max_iterations": 3}}),
        json!({"kind": "step_started", "data": {"step": "look", "attempt": 1}}),
        json!({"kind": "model_called", "data": {"component": "agent", "model": "m", "reply": {"ok": reply()}, "millis": 9}}),
        json!({"kind": "model_called", "data": {"component": "agent", "model": "m", "reply": {"err": {"error": "busy", "model": "m", "retry_after": null}}, "millis": 9}}),
        json!({"kind": "tool_called", "data": {"tool": "cat.look", "arguments": {}, "result": {"ok": [1.5, null]}, "millis": 2}}),
        json!({"kind": "tool_called", "data": {"tool": "cat.look", "arguments": {}, "result": {"err": tool_error}, "millis": 2}}),
        json!({"kind": "messages_read", "data": {"agent": "feeder", "count": 2}}),
        json!({"kind": "intent_sent", "data": {"intent": "i", "attempt": 1}}),
        settled(json!({"outcome": "done", "result": {"x": 0.1}})),
        settled(json!({"outcome": "failed", "error": tool_error})),
        settled(json!({"outcome": "unknown", "detail": "?"})),
        settled(json!({"outcome": "withheld", "detail": "dry"})),
        finished_step(json!({"outcome": "done", "output": {"hungry": true}})),
        finished_step(json!({"outcome": "failed", "reason": "asleep", "in_doubt": true})),
        finished_step(json!({"outcome": "skipped", "reason": "full"})),
        wait(json!({"need": "answer", "question": "?"})),
        wait(json!({"need": "approval", "question": "?", "hash": hash})),
        wait(json!({"need": "budget", "question": "?"})),
        wait(json!({"need": "time", "at": "9999-01-01T00:00:00Z"})),
        json!({"kind": "answered", "data": {"name": "w", "answer": {"yes": true}, "by": "me"}}),
        json!({"kind": "cancel_asked", "data": {"reason": "enough"}}),
        finished(json!({"status": "cancelled"})),
        finished(json!({"status": "failed", "reason": "quarantined", "error": "it bites"})),
        finished(json!({"status": "completed", "answer": "fed \u{0} \u{1F408}"})),
    ];
    let begun = Event::Received { request: Box::new(super::language::request("again")), parent: None };
    let made = [begun, planned(1), planned(2), declared("i"), message("psst")];
    let said = [
        reasoning::thought_of(1),
        reasoning::planned(1, 1),
        reasoning::critiqued(1, 1),
        reasoning::scored(1, 1, reasoning::confidence(0.1, 0.2)),
        reasoning::assessed(1, 1, reasoning::assessment(0.0, true, true)),
        reasoning::foreseen(1),
    ];
    let (cat, team) = (items::agent("cat", "feed \u{0}"), items::cohort("team", "feed all"));
    let kept = [
        items::staffed(1, 1, vec![items::member("feed", &cat, Decision::Adapt)]),
        items::chosen(2, &team),
        items::kept(3, &[team]),
    ];
    let said = said.into_iter().chain(kept);
    made.into_iter().chain(said.map(|entry| entry.event)).chain(values.into_iter().map(from_json)).collect()
}

fn from_json(value: serde_json::Value) -> Event {
    serde_json::from_value(value).expect("an event")
}
