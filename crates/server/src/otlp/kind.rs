//! What a span is about, in whichever convention it says so.

use super::attributes::Attributes;

/// What a span tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An agent at work, or a whole workflow.
    Agent,
    /// A call of a tool.
    Tool,
    /// A question to a model.
    Model,
    /// Something that was thought.
    Thought,
    /// What somebody said later about how good it was.
    Label,
    /// Something that agents have nothing to do with, or nothing that can be learnt from.
    Other,
}

/// What a span is about. Ours comes first, then the GenAI conventions, OpenInference and OpenLLMetry; where none of them
/// names it, what it has attributes of.
pub(super) fn kind(name: &str, span: &Attributes<'_>, outermost: bool) -> Kind {
    let word = |attribute: &str| span.text(&[attribute]).map(|word| word.to_ascii_lowercase());
    if let Some(ours) = word("agentwright.kind") {
        return match ours.as_str() {
            "agent" => Kind::Agent,
            "tool" => Kind::Tool,
            "model" => Kind::Model,
            "thought" => Kind::Thought,
            "label" => Kind::Label,
            _ => Kind::Other,
        };
    }
    if let Some(operation) = word("gen_ai.operation.name") {
        return operation_kind(&operation);
    }
    // A workflow around agents is what the trace is about; one inside of it is only a part of the machinery.
    let whole = if outermost { Kind::Agent } else { Kind::Other };
    if let Some(kind) = word("openinference.span.kind") {
        return match kind.as_str() {
            "agent" => Kind::Agent,
            "tool" | "retriever" => Kind::Tool,
            "llm" => Kind::Model,
            "chain" => whole,
            _ => Kind::Other,
        };
    }
    if let Some(kind) = word("traceloop.span.kind") {
        return match kind.as_str() {
            "agent" => Kind::Agent,
            "tool" => Kind::Tool,
            "workflow" => whole,
            _ => Kind::Other,
        };
    }
    unnamed(name, span)
}

fn operation_kind(operation: &str) -> Kind {
    match operation {
        "invoke_agent" | "invoke_workflow" => Kind::Agent,
        "execute_tool" | "retrieval" => Kind::Tool,
        "chat" | "text_completion" | "generate_content" | "completion" => Kind::Model,
        "plan" => Kind::Thought,
        _ => Kind::Other,
    }
}

fn unnamed(name: &str, span: &Attributes<'_>) -> Kind {
    let has = |names: &[&str]| names.iter().any(|name| span.has(name));
    if let Some((operation, _)) = name.split_once(' ')
        && operation_kind(operation) != Kind::Other
        && span.under("gen_ai.").next().is_some()
    {
        operation_kind(operation)
    } else if has(&["gen_ai.tool.name", "tool.name"]) {
        Kind::Tool
    } else if has(&["llm.request.type", "gen_ai.request.model", "llm.model_name", "llm.request.model"]) {
        Kind::Model
    } else if has(&["gen_ai.agent.name", "agent.name", "agent_name"]) {
        Kind::Agent
    } else {
        Kind::Other
    }
}
