//! What a call brought, as a value that may stand in a ledger: short, and without megabytes of pictures.

use domain::tool::{ToolError, ToolSpec};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

use crate::errors;
use crate::words::{capped, size};

/// The most that one result may hold, in bytes.
const RESULT: usize = 1 << 20;
/// The most of a refusal that goes into an error, in characters.
const REFUSAL: usize = 500;

/// The result a tool returns for it.
pub(super) fn value(spec: &ToolSpec, result: CallToolResult) -> Result<Value, ToolError> {
    if result.is_error == Some(true) {
        let words = words(&result.content);
        let words = if words.is_empty() { "it failed and does not say why".to_owned() } else { words };
        return Err(errors::failed(spec, capped(&words, REFUSAL)));
    }
    let text = match result.structured_content {
        Some(value) => {
            let length = value.to_string().len();
            if length <= RESULT {
                return Ok(value);
            }
            // A write has happened, however much it says about it.
            if !spec.effect.is_write() {
                return Err(errors::failed(spec, format!("it answered more than {}", size(RESULT))));
            }
            value.to_string()
        }
        None => words(&result.content),
    };
    if text.len() > RESULT {
        let end = text.floor_char_boundary(RESULT);
        return Ok(Value::String(format!("{}… (cut off; it was {} bytes long)", &text[..end], text.len())));
    }
    // Many servers write JSON into a text; plans can point into it only once it is read.
    let structured = text.starts_with(['{', '[']).then(|| serde_json::from_str(&text).ok()).flatten();
    Ok(structured.unwrap_or(Value::String(text)))
}

fn words(content: &[ContentBlock]) -> String {
    content.iter().map(block).collect::<Vec<_>>().join("\n")
}

fn block(content: &ContentBlock) -> String {
    let bytes = |base64: &str| size(base64.len() / 4 * 3);
    let kind = |kind: &Option<String>| capped(kind.as_deref().unwrap_or("of an unknown kind"), 60);
    match content {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => {
            format!("[an image, {}, about {}]", capped(&image.mime_type, 60), bytes(&image.data))
        }
        ContentBlock::Audio(audio) => {
            format!("[a sound, {}, about {}]", capped(&audio.mime_type, 60), bytes(&audio.data))
        }
        ContentBlock::ResourceLink(link) => {
            format!("[a link to {}: {}]", capped(&link.name, 100), capped(&link.uri, 300))
        }
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
                format!("[a resource {}, {}, {}]", capped(uri, 300), kind(mime_type), size(text.len()))
            }
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                format!("[a resource {}, {}, about {}]", capped(uri, 300), kind(mime_type), bytes(blob))
            }
            _ => "[a resource]".to_owned(),
        },
        _ => "[something that is not known here]".to_owned(),
    }
}
