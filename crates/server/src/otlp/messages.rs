//! What was said to a model and by it, in the three ways in which spans tell it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::attributes::Attributes;

/// A message of a conversation.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) role: String,
    /// What it says; empty where it only calls tools or brings their results.
    pub(super) text: String,
    /// What was thought before it was said.
    pub(super) thought: String,
}

/// What a model or an agent was given, in order.
pub(super) fn given(span: &Attributes<'_>) -> Vec<Message> {
    read(span, &["gen_ai.input.messages", "pydantic_ai.all_messages"], &["gen_ai.prompt.", "llm.input_messages."])
}

/// What came of it.
pub(super) fn brought(span: &Attributes<'_>) -> Vec<Message> {
    read(span, &["gen_ai.output.messages"], &["gen_ai.completion.", "llm.output_messages."])
}

/// What the user says in a message, if it is a user's and says something.
pub(super) fn asked(message: &Message) -> Option<&str> {
    (message.role == "user" && !message.text.is_empty()).then_some(message.text.as_str())
}

fn read(span: &Attributes<'_>, whole: &[&str], numbered: &[&str]) -> Vec<Message> {
    match span.json(whole) {
        Some(Value::Array(messages)) => messages.iter().map(message).collect(),
        _ => numbered.iter().map(|prefix| in_numbers(span, prefix)).find(|it| !it.is_empty()).unwrap_or_default(),
    }
}

/// A message as one object: `{"role", "parts": [{"type", "content"}]}`, or `{"role", "content"}`.
fn message(json: &Value) -> Message {
    let mut message = Message { role: json["role"].as_str().unwrap_or_default().to_owned(), ..Message::default() };
    if let Some(text) = json["content"].as_str() {
        message.text = text.to_owned();
    }
    let lists = [&json["parts"], &json["content"]];
    for part in lists.into_iter().filter_map(Value::as_array).flatten() {
        let Some(text) = part["content"].as_str().or_else(|| part["text"].as_str()) else { continue };
        match part["type"].as_str() {
            Some("text") | None => add(&mut message.text, text),
            Some("reasoning" | "thinking") => add(&mut message.thought, text),
            Some(_) => {}
        }
    }
    message
}

/// Messages whose fields are attributes of their own: `gen_ai.prompt.0.content`,
/// `llm.input_messages.0.message.contents.0.message_content.text`.
fn in_numbers(span: &Attributes<'_>, prefix: &str) -> Vec<Message> {
    let mut fields: Vec<(u32, &str, String)> = Vec::new();
    for (rest, _) in span.under(prefix) {
        if let Some((number, field)) = rest.split_once('.')
            && let Ok(number) = number.parse()
            && let Some(text) = span.text(&[&format!("{prefix}{rest}")])
        {
            fields.push((number, field.strip_prefix("message.").unwrap_or(field), text.into_owned()));
        }
    }
    fields.sort();
    let mut messages: BTreeMap<u32, Message> = BTreeMap::new();
    for (number, field, text) in fields {
        let message = messages.entry(number).or_default();
        match field {
            "role" => message.role = text,
            "content" => add(&mut message.text, &text),
            "reasoning" | "reasoning_content" => add(&mut message.thought, &text),
            field if field.starts_with("contents.") && field.ends_with(".message_content.text") => {
                add(&mut message.text, &text);
            }
            _ => {}
        }
    }
    messages.into_values().collect()
}

fn add(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}
