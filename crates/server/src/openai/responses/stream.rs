//! A response as it comes to be: typed events, numbered, each item opened and closed.

use domain::chat::Stop;
use domain::event::Recorded;
use domain::id::RunId;
use domain::run::RunStatus;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::item::{Answer, Echo, call, message, part};
use crate::error::ApiError;
use crate::talk::follow::{Tells, named_frame};
use crate::talk::reply::Reply;

const DONE: &str = "data: [DONE]\n\n";

/// Tells a client what comes of its input.
pub(super) struct Told {
    /// The id of the run, without what it begins with.
    digits: String,
    created_at: i64,
    echo: Map<String, Value>,
    /// How many events were told.
    told: u64,
}

impl Told {
    pub(super) fn new(run: RunId, echo: Echo) -> Self {
        let digits = run.to_string().trim_start_matches("run_").to_owned();
        Self { digits, created_at: Timestamp::now().as_second(), echo: echo.shown(), told: 0 }
    }

    /// Before anything has come of it.
    pub(super) fn begun(&self) -> Answer {
        Answer {
            id: format!("resp_{}", self.digits),
            object: "response",
            created_at: self.created_at,
            completed_at: None,
            status: "in_progress",
            error: None,
            incomplete_details: None,
            output: Vec::new(),
            usage: None,
            agentwright: None,
            echo: self.echo.clone(),
        }
    }

    /// All at once.
    pub(super) fn whole(&self, reply: Reply) -> Answer {
        let mut output = Vec::new();
        if !reply.text.is_empty() || reply.calls.is_empty() {
            output.push(message(&self.message_id(), &reply.text));
        }
        output.extend(reply.calls.iter().enumerate().map(|(at, it)| call(&self.call_id(at), it)));
        let because = match reply.stop {
            Stop::Length => Some(json!({"reason": "max_output_tokens"})),
            Stop::Filtered => Some(json!({"reason": "content_filter"})),
            Stop::End | Stop::Tools => None,
        };
        let status = match reply.about.status {
            RunStatus::Failed => "failed",
            RunStatus::Cancelled => "cancelled",
            _ if because.is_some() => "incomplete",
            // A run that waits has said what it waits for.
            RunStatus::Completed | RunStatus::Waiting | RunStatus::Pending | RunStatus::Running => "completed",
        };
        let error = reply.about.error.clone().filter(|_| status == "failed");
        Answer {
            created_at: reply.created_at.as_second(),
            completed_at: (status == "completed").then(|| Timestamp::now().as_second()),
            status,
            error: error.map(|message| json!({"code": "server_error", "message": message})),
            incomplete_details: because,
            output,
            usage: Some(reply.usage.into()),
            agentwright: Some(reply.about),
            ..self.begun()
        }
    }

    fn message_id(&self) -> String {
        format!("msg_{}", self.digits)
    }

    fn call_id(&self, at: usize) -> String {
        format!("fc_{}_{at}", self.digits)
    }

    fn tell(&mut self, kind: &str, mut says: Value) -> String {
        says["type"] = kind.into();
        says["sequence_number"] = self.told.into();
        self.told += 1;
        named_frame(kind, &says)
    }

    /// An item from its opening to its end.
    fn item(&mut self, at: usize, item: &Value) -> String {
        let (id, is_message) = (item["id"].clone(), item["type"] == "message");
        let mut opened = item.clone();
        opened["status"] = "in_progress".into();
        opened[if is_message { "content" } else { "arguments" }] = if is_message { json!([]) } else { json!("") };
        let mut text = self.tell("response.output_item.added", json!({"output_index": at, "item": opened}));
        let here = |says: Value| {
            let mut says = says;
            (says["item_id"], says["output_index"]) = (id.clone(), at.into());
            says
        };
        if is_message {
            let part_here = |says: Value| {
                let mut says = here(says);
                says["content_index"] = 0.into();
                says
            };
            let (whole, words) = (&item["content"][0], &item["content"][0]["text"]);
            text += &self.tell("response.content_part.added", part_here(json!({"part": part("")})));
            text += &self.tell("response.output_text.delta", part_here(json!({"delta": words, "logprobs": []})));
            text += &self.tell("response.output_text.done", part_here(json!({"text": words, "logprobs": []})));
            text += &self.tell("response.content_part.done", part_here(json!({"part": whole})));
        } else {
            let arguments = &item["arguments"];
            text += &self.tell("response.function_call_arguments.delta", here(json!({"delta": arguments})));
            let done = here(json!({"arguments": arguments, "name": item["name"]}));
            text += &self.tell("response.function_call_arguments.done", done);
        }
        text + &self.tell("response.output_item.done", json!({"output_index": at, "item": item}))
    }
}

impl Tells for Told {
    fn begins(&mut self) -> String {
        let begun = self.begun();
        let created = self.tell("response.created", json!({"response": begun}));
        created + &self.tell("response.in_progress", json!({"response": begun}))
    }

    fn happens(&mut self, _: &Recorded) -> String {
        String::new()
    }

    fn rests(&mut self, reply: Reply) -> String {
        let answer = self.whole(reply);
        let mut text = String::new();
        for (at, item) in answer.output.iter().enumerate() {
            text += &self.item(at, item);
        }
        let kind = match answer.status {
            "failed" | "cancelled" => "response.failed",
            "incomplete" => "response.incomplete",
            _ => "response.completed",
        };
        text + &self.tell(kind, json!({"response": answer})) + DONE
    }

    fn breaks(&mut self, why: ApiError) -> String {
        let error = Some(json!({"code": why.code(), "message": why.to_string()}));
        let answer = Answer { status: "failed", error, ..self.begun() };
        self.tell("response.failed", json!({"response": answer})) + DONE
    }
}
