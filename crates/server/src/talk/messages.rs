//! The messages of a conversation, whoever wrote them down: checked, cleaned, and told apart into what was said before, the
//! request, and what was called for it since.

use domain::chat::{Callable, Message, ToolCall};
use domain::request::{BadRequest, Text};
use serde_json::Value;

use crate::error::ApiError;

/// The most messages that are read.
const MOST: usize = 2_000;
/// The most functions that can be lent.
const MOST_TOOLS: usize = 128;

/// A conversation, told apart.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) earlier: Vec<Message>,
    pub(crate) text: Text,
    /// Calls and results after the request.
    pub(crate) since: Vec<Message>,
}

/// Tells a conversation apart. It must end with what a person says, or with what a function brought.
pub(crate) fn apart(mut messages: Vec<Message>, param: &str) -> Result<Parts, ApiError> {
    if messages.len() > MOST {
        return Err(ApiError::invalid(param, format!("there are {} messages; {MOST} are read", messages.len())));
    }
    match messages.last() {
        None => return Err(ApiError::invalid(param, "there must be at least one message")),
        Some(Message::User { .. } | Message::Tool { .. }) => {}
        Some(Message::System { .. } | Message::Assistant { .. }) => {
            return Err(ApiError::invalid(param, "the last message must be from the user, or from a tool"));
        }
    }
    let asked = messages.iter().rposition(|message| matches!(message, Message::User { .. }));
    let at = asked.ok_or_else(|| ApiError::invalid(param, "there must be a message from the user"))?;
    let since = messages.split_off(at + 1);
    let words = match messages.pop() {
        Some(Message::User { text }) => text,
        _ => String::new(),
    };
    let text = Text::try_from(words).map_err(|why| match why {
        BadRequest::Empty => ApiError::invalid(param, "the last message of the user is empty"),
        why => ApiError::invalid(param, why.to_string()),
    })?;
    Ok(Parts { earlier: messages, text, since })
}

/// Words without characters that nothing can be done with.
pub(crate) fn clean(text: &str) -> String {
    let readable = |c: char| if c.is_control() && !matches!(c, '\n' | '\t' | '\r') { ' ' } else { c };
    text.chars().map(readable).collect()
}

/// The words of a content: a string, or parts of text.
pub(crate) fn words(content: &Value, param: &str) -> Result<String, ApiError> {
    match content {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(clean(text)),
        Value::Array(parts) => {
            let texts = parts.iter().enumerate().map(|(at, part)| part_words(part, &format!("{param}[{at}]")));
            Ok(texts.collect::<Result<Vec<_>, _>>()?.join("\n"))
        }
        _ => Err(ApiError::invalid(param, format!("`{param}` must be a string or a list of parts"))),
    }
}

fn part_words(part: &Value, param: &str) -> Result<String, ApiError> {
    let field = match part["type"].as_str() {
        Some("text" | "input_text" | "output_text" | "summary_text" | "reasoning_text") => "text",
        Some("refusal") => "refusal",
        Some(other) => {
            return Err(ApiError::invalid(param, format!("`{param}` is of type `{other}`; only text can be read")));
        }
        None => return Err(ApiError::invalid(param, format!("`{param}` has no `type`"))),
    };
    let text = part[field].as_str();
    text.map(clean).ok_or_else(|| ApiError::invalid(param, format!("`{param}.{field}` must be a string")))
}

/// What a model wanted called, as it was written: arguments that are no JSON stay words.
pub(crate) fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    let arguments = match serde_json::from_str::<Value>(arguments) {
        Ok(value @ Value::Object(_)) => value,
        _ if arguments.trim().is_empty() => Value::Object(serde_json::Map::new()),
        _ => Value::String(clean(arguments)),
    };
    ToolCall { id: clean(id), name: clean(name), arguments }
}

/// The arguments of a call as they are written.
pub(crate) fn arguments(call: &ToolCall) -> String {
    match &call.arguments {
        Value::String(written) => written.clone(),
        value => value.to_string(),
    }
}

/// What a function brought, for a call that was made before.
pub(crate) fn result(before: &[Message], id: &str, text: String, param: &str) -> Result<Message, ApiError> {
    let calls = before.iter().rev().filter_map(|message| match message {
        Message::Assistant { calls, .. } => Some(calls),
        _ => None,
    });
    let name = calls.flatten().find(|call| call.id == id).map(|call| call.name.clone());
    let name =
        name.ok_or_else(|| ApiError::invalid(param, format!("`{}` is no call that was made before", clean(id))))?;
    Ok(Message::Tool { call: id.to_owned(), name, text })
}

/// A function that can be called.
pub(crate) fn callable(
    name: &str,
    description: Option<&str>,
    parameters: Option<&Value>,
    param: &str,
) -> Result<Callable, ApiError> {
    let fits = (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if !fits {
        let words = format!("`{param}.name` must be 1 to 64 letters, digits, `_` or `-`");
        return Err(ApiError::invalid(&format!("{param}.name"), words));
    }
    let nothing = || serde_json::json!({"type": "object", "properties": {}});
    let parameters = match parameters {
        None | Some(Value::Null) => nothing(),
        Some(Value::Object(fields)) if fields.is_empty() => nothing(),
        Some(schema @ Value::Object(_)) => schema.clone(),
        Some(_) => {
            let at = format!("{param}.parameters");
            return Err(ApiError::invalid(&at, format!("`{at}` must be a JSON schema of an object")));
        }
    };
    Ok(Callable { name: name.to_owned(), description: clean(description.unwrap_or_default()), parameters })
}

/// Which of the functions a model may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    Auto,
    Nothing,
    Something,
    This(String),
}

impl Choice {
    /// What is offered, and whether something must be called.
    pub(crate) fn among(self, tools: Vec<Callable>) -> Result<(Vec<Callable>, bool), ApiError> {
        if tools.len() > MOST_TOOLS {
            return Err(ApiError::invalid("tools", format!("there are {} tools; {MOST_TOOLS} are read", tools.len())));
        }
        match self {
            Choice::Auto => Ok((tools, false)),
            Choice::Nothing => Ok((Vec::new(), false)),
            Choice::Something if tools.is_empty() => {
                Err(ApiError::invalid("tool_choice", "there is no tool to choose"))
            }
            Choice::Something => Ok((tools, true)),
            Choice::This(name) => match tools.into_iter().find(|tool| tool.name == name) {
                Some(tool) => Ok((vec![tool], true)),
                None => Err(ApiError::invalid("tool_choice", format!("there is no tool `{}` to choose", clean(&name)))),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn user(text: &str) -> Message {
        Message::User { text: text.into() }
    }

    #[test]
    fn the_last_words_of_the_user_are_the_request() {
        let assistant = Message::Assistant { text: String::new(), calls: vec![call("1", "look", "{}")] };
        let tool = result(std::slice::from_ref(&assistant), "1", "rain".into(), "m").expect("a result");
        let parts = apart(vec![user("Hi"), user("Weather?"), assistant, tool], "messages").expect("parts");
        assert_eq!((parts.earlier.len(), parts.text.as_str(), parts.since.len()), (1, "Weather?", 2));
        let wrong = [vec![], vec![user(" ")], vec![user("Hi"), Message::System { text: "x".into() }]];
        for messages in wrong {
            assert!(matches!(apart(messages, "messages"), Err(ApiError::Invalid { param: Some(_), .. })));
        }
    }

    #[test]
    fn only_text_is_read_and_what_else_there_is_is_named() {
        assert_eq!(
            words(&json!([{"type": "text", "text": "a"}, {"type": "input_text", "text": "b"}]), "c").ok(),
            Some("a\nb".into())
        );
        let image = json!([{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "x"}}]);
        match words(&image, "messages[0].content") {
            Err(ApiError::Invalid { param, .. }) => assert_eq!(param.as_deref(), Some("messages[0].content[1]")),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn arguments_survive_being_read_and_written() {
        assert_eq!(arguments(&call("1", "f", r#"{"a":1}"#)), r#"{"a":1}"#);
        assert_eq!(arguments(&call("1", "f", "not json")), "not json");
        assert_eq!(arguments(&call("1", "f", "")), "{}");
    }
}
