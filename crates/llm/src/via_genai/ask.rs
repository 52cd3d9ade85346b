//! An [`Ask`] in `genai`'s words.

use domain::chat::{Ask, Message};
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ContentPart, JsonSpec, MessageContent, Tool, ToolCall, ToolChoice,
    ToolResponse,
};

/// The request and how it is to be answered.
pub(super) fn translated(ask: &Ask) -> (ChatRequest, ChatOptions) {
    let mut request = ChatRequest::new(ask.messages.iter().map(message).collect());
    if !ask.tools.is_empty() {
        request = request.with_tools(ask.tools.iter().map(|tool| {
            Tool::new(tool.name.clone()).with_description(tool.description.clone()).with_schema(tool.parameters.clone())
        }));
    }
    let mut options = ChatOptions::default().with_capture_usage(true).with_capture_tool_calls(true);
    if ask.must_call && !ask.tools.is_empty() {
        options = options.with_tool_choice(ToolChoice::Required);
    }
    if let Some(schema) = &ask.schema {
        options = options.with_response_format(JsonSpec::new(schema.name.clone(), schema.schema.clone()));
    }
    if let Some(temperature) = ask.temperature {
        options = options.with_temperature(temperature);
    }
    if let Some(max_tokens) = ask.max_tokens {
        options = options.with_max_tokens(max_tokens);
    }
    (request, options)
}

fn message(message: &Message) -> ChatMessage {
    match message {
        Message::System { text } => ChatMessage::system(text.clone()),
        Message::User { text } => ChatMessage::user(text.clone()),
        Message::Assistant { text, calls } => {
            let said = (!text.is_empty()).then(|| ContentPart::from_text(text.clone()));
            let called = calls.iter().map(|call| {
                ContentPart::ToolCall(ToolCall {
                    call_id: call.id.clone(),
                    fn_name: call.name.clone(),
                    fn_arguments: call.arguments.clone(),
                    thought_signatures: None,
                })
            });
            ChatMessage::assistant(MessageContent::from_parts(said.into_iter().chain(called).collect::<Vec<_>>()))
        }
        Message::Tool { call, name, text } => {
            ChatMessage::tool(ToolResponse::new(call.clone(), text.clone()).with_fn_name(name.clone()))
        }
    }
}
