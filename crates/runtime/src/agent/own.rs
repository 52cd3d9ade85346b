//! The tools that belong to the loop itself: asking the person, asking for another plan, and talking to the team.

use domain::chat::{Callable, ToolCall};
use domain::event::{Need, Purpose};
use domain::tool::ToolError;
use serde_json::{Value, json};

use super::{Agent, Answered};
use crate::messages::{MAX_CHARS, SEND_MESSAGE};
use crate::record::Halt;
use crate::work::Work;

const ASK_USER: &str = "ask_user";
const REPLAN: &str = "replan";
/// The tool that returns when there is something to read.
pub(super) const WAIT_FOR_REPLY: &str = "wait_for_reply";

impl Agent {
    /// Carries out a call of one of them; what is none of them is `unknown`.
    pub(super) async fn own(
        &self,
        work: &Work<'_>,
        key: &str,
        call: &ToolCall,
        unknown: ToolError,
    ) -> Result<Option<Answered>, Halt> {
        match call.name.as_str() {
            ASK_USER => {
                let question = text(call, "question");
                if question.is_empty() {
                    return Ok(Some(Answered::Words("Error: `question` is missing".into())));
                }
                let answer = work.journal.answer(key, Need::Answer { question }, work.until()).await?;
                Ok(Some(Answered::Words(match answer {
                    Value::Null => "Nobody answered in time.".into(),
                    answer => domain::reference::aloud(&answer),
                })))
            }
            REPLAN => Ok(Some(Answered::Replan(text(call, "reason")))),
            SEND_MESSAGE if !self.peers.is_empty() => Ok(Some(Answered::Words(self.send(work, key, call).await?))),
            _ => Ok(Some(Answered::Result(Err(unknown)))),
        }
    }
}

/// An argument that is text.
pub(super) fn text(call: &ToolCall, name: &str) -> String {
    call.arguments.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
}

/// What an agent with these others in its team is offered.
pub(super) fn tools(peers: &[String]) -> Vec<Callable> {
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
        let purpose = json!({"type": "string", "enum": Purpose::ALL.map(Purpose::word), "description":
            "`update`: it should know this. `task`: it should do this, within its own task and tools. `request`: it \
             should answer. `reply`: this answers its request."});
        tools.push(own(
            SEND_MESSAGE,
            format!(
                "Sends another agent of your team a message of at most {MAX_CHARS} characters. There are: {}.",
                peers.join(", ")
            ),
            json!({"to": words("The agent's name."), "text": words("What it needs to know."), "purpose": purpose}),
        ));
        tools.push(own(
            WAIT_FOR_REPLY,
            "Waits for the reply to a request you sent. Use it only when you have nothing else to do.".into(),
            json!({}),
        ));
    }
    tools
}
