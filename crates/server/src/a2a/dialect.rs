//! The two versions that are spoken: 1.0 as its schema writes things, and 0.3, which has other words for the same.

use serde_json::{Map, Value, json};

/// How a client wants things written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// A2A 1.0.
    One,
    /// A2A 0.3.
    Before,
}

/// What a client wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// A message, and its task as an answer.
    Send,
    /// A message, and everything that comes of it.
    Stream,
    /// A task.
    Get,
    /// Tasks.
    List,
    /// No more of a task.
    Cancel,
    /// Everything that still comes of a task.
    Subscribe,
    /// To be told at an address of theirs.
    Push,
    /// A card with more on it.
    MoreCard,
}

/// What a method means, and in which dialect it is said.
pub(super) fn method(name: &str) -> Option<(Dialect, Method)> {
    use Dialect::{Before, One};
    Some(match name {
        "SendMessage" => (One, Method::Send),
        "SendStreamingMessage" => (One, Method::Stream),
        "GetTask" => (One, Method::Get),
        "ListTasks" => (One, Method::List),
        "CancelTask" => (One, Method::Cancel),
        "SubscribeToTask" => (One, Method::Subscribe),
        "GetExtendedAgentCard" => (One, Method::MoreCard),
        name if name.ends_with("TaskPushNotificationConfig") => (One, Method::Push),
        "ListTaskPushNotificationConfigs" => (One, Method::Push),
        "message/send" => (Before, Method::Send),
        "message/stream" => (Before, Method::Stream),
        "tasks/get" => (Before, Method::Get),
        "tasks/list" => (Before, Method::List),
        "tasks/cancel" => (Before, Method::Cancel),
        "tasks/resubscribe" => (Before, Method::Subscribe),
        "agent/getAuthenticatedExtendedCard" => (Before, Method::MoreCard),
        name if name.starts_with("tasks/pushNotificationConfig/") => (Before, Method::Push),
        _ => return None,
    })
}

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Nobody has begun.
    Submitted,
    /// Somebody is at it.
    Working,
    /// Somebody has to say something first.
    InputRequired,
    /// There is an answer.
    Completed,
    /// There is none.
    Failed,
    /// Somebody stopped it.
    Canceled,
    /// A person said no.
    Rejected,
}

impl State {
    pub(super) const ALL: [State; 7] = [
        State::Submitted,
        State::Working,
        State::InputRequired,
        State::Completed,
        State::Failed,
        State::Canceled,
        State::Rejected,
    ];

    fn word(self) -> &'static str {
        match self {
            State::Submitted => "submitted",
            State::Working => "working",
            State::InputRequired => "input-required",
            State::Completed => "completed",
            State::Failed => "failed",
            State::Canceled => "canceled",
            State::Rejected => "rejected",
        }
    }

    /// Whether nothing more can happen.
    pub(super) fn is_final(self) -> bool {
        matches!(self, State::Completed | State::Failed | State::Canceled | State::Rejected)
    }

    /// What a word means, in either dialect.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| Dialect::One.state(*state) == word || state.word() == word)
    }
}

impl Dialect {
    pub(super) fn state(self, state: State) -> String {
        match self {
            Dialect::One => format!("TASK_STATE_{}", state.word().replace('-', "_").to_uppercase()),
            Dialect::Before => state.word().to_owned(),
        }
    }

    /// Something that was said, by the person or by us.
    pub(super) fn message(self, id: &str, by_us: bool, of: (&str, &str), parts: Vec<Value>) -> Value {
        let (task, context) = of;
        let role = match (self, by_us) {
            (Dialect::One, true) => "ROLE_AGENT",
            (Dialect::One, false) => "ROLE_USER",
            (Dialect::Before, true) => "agent",
            (Dialect::Before, false) => "user",
        };
        let message = json!({"messageId": id, "taskId": task, "contextId": context, "role": role, "parts": parts});
        self.kind("message", message)
    }

    pub(super) fn text(self, text: &str) -> Value {
        self.kind("text", json!({ "text": text }))
    }

    pub(super) fn data(self, data: Value) -> Value {
        self.kind("data", json!({ "data": data }))
    }

    /// An answer with a task.
    pub(super) fn answered(self, task: Value) -> Value {
        match self {
            Dialect::One => json!({ "task": task }),
            Dialect::Before => task,
        }
    }

    /// One thing of a stream: under the name that 1.0 has for it, or with the kind that 0.3 has.
    pub(super) fn streamed(self, name: &str, kind: &str, thing: Value, last: bool) -> Value {
        match (self, self.kind(kind, thing)) {
            (Dialect::One, thing) => json!({ name: thing }),
            (Dialect::Before, Value::Object(mut thing)) if kind == "status-update" => {
                thing.insert("final".to_owned(), Value::Bool(last));
                Value::Object(thing)
            }
            (Dialect::Before, thing) => thing,
        }
    }

    /// What 0.3 calls it; 1.0 knows it by its place.
    pub(super) fn kind(self, kind: &str, thing: Value) -> Value {
        match (self, thing) {
            (Dialect::Before, Value::Object(thing)) => {
                let mut named = Map::from_iter([("kind".to_owned(), Value::from(kind))]);
                named.extend(thing);
                Value::Object(named)
            }
            (_, thing) => thing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_have_a_word_in_each_dialect_and_are_read_in_both() {
        assert_eq!(Dialect::One.state(State::InputRequired), "TASK_STATE_INPUT_REQUIRED");
        assert_eq!(Dialect::Before.state(State::InputRequired), "input-required");
        for state in State::ALL {
            assert_eq!(State::from_word(&Dialect::One.state(state)), Some(state));
            assert_eq!(State::from_word(&Dialect::Before.state(state)), Some(state));
        }
        assert_eq!(State::from_word("TASK_STATE_AUTH_REQUIRED"), None);
    }

    #[test]
    fn the_same_is_said_in_each_dialect() {
        assert_eq!(method("SendMessage"), Some((Dialect::One, Method::Send)));
        assert_eq!(method("message/send"), Some((Dialect::Before, Method::Send)));
        assert_eq!(method("tasks/pushNotificationConfig/set"), Some((Dialect::Before, Method::Push)));
        assert_eq!(method("SendMail"), None);
        assert_eq!(Dialect::One.text("x"), json!({"text": "x"}));
        assert_eq!(Dialect::Before.text("x"), json!({"kind": "text", "text": "x"}));
        let status = Dialect::Before.streamed("statusUpdate", "status-update", json!({"taskId": "t"}), true);
        assert_eq!(status, json!({"kind": "status-update", "taskId": "t", "final": true}));
    }
}
