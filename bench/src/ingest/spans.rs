//! Made-up spans in protobuf, like those of a framework: an agent that asks a model, calls a tool, and so on.

/// How many spans a trace has: an agent, and so many questions and calls.
pub(super) const SPANS: u64 = 10;
/// How many of these are calls of tools.
pub(super) const CALLS: u64 = 5;

/// The id of a trace, by its number.
pub(super) fn trace(number: u64) -> String {
    format!("{:032x}", u128::from(number) + 1)
}

/// The spans of some traces, children first.
pub(super) fn batch(traces: &[u64]) -> Vec<u8> {
    let mut spans = Vec::new();
    for number in traces {
        for at in (0..SPANS).rev() {
            spans.extend(message(2, &span(*number, at)));
        }
    }
    message(1, &message(2, &spans))
}

fn span(trace: u64, at: u64) -> Vec<u8> {
    let start = 1_700_000_000_000_000_000 + trace * 1_000_000_000 + at * 10_000_000;
    let end = start + if at == 0 { 200_000_000 } else { 5_000_000 };
    let parent = if at == 0 { Vec::new() } else { message(4, &1_u64.to_be_bytes()) };
    let said =
        "[{\"role\": \"assistant\", \"parts\": [{\"type\": \"text\", \"content\": \"The sky over Oslo is clear.\"}]}]";
    let (name, attributes) = match at {
        0 => ("invoke_agent forecaster", agent(said)),
        at if at % 2 == 1 => ("execute_tool weather", tool()),
        _ => ("chat gpt-5", model(said)),
    };
    let status = if at == 0 { message(15, &[0x18, 1]) } else { Vec::new() };
    [
        message(1, &(u128::from(trace) + 1).to_be_bytes()),
        message(2, &(at + 1).to_be_bytes()),
        parent,
        message(5, name.as_bytes()),
        fixed(7, start),
        fixed(8, end),
        attributes,
        status,
    ]
    .concat()
}

fn agent(said: &str) -> Vec<u8> {
    let texts = [
        ("gen_ai.operation.name", "invoke_agent"),
        ("gen_ai.agent.name", "forecaster"),
        ("gen_ai.conversation.id", "01a1e086-4645-707c-84c9-6c72b8ab2be3"),
        ("gen_ai.output.messages", said),
        ("agentwright.problem", "weather"),
    ];
    texts.iter().flat_map(|(key, value)| text(key, value)).collect()
}

fn tool() -> Vec<u8> {
    let texts = [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "weather"),
        ("gen_ai.tool.call.id", "call_0123456789"),
        ("gen_ai.agent.name", "forecaster"),
        ("gen_ai.tool.call.arguments", "{\"city\": \"Oslo\", \"days\": 3, \"units\": \"metric\"}"),
        ("gen_ai.tool.call.result", "{\"sky\": \"clear\", \"temperature\": [12.5, 13.0, 9.5], \"wind\": \"light\"}"),
    ];
    texts.iter().flat_map(|(key, value)| text(key, value)).collect()
}

fn model(said: &str) -> Vec<u8> {
    let texts = [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "openai"),
        ("gen_ai.request.model", "gpt-5"),
        ("gen_ai.agent.name", "forecaster"),
        ("gen_ai.output.messages", said),
    ];
    let mut attributes: Vec<u8> = texts.iter().flat_map(|(key, value)| text(key, value)).collect();
    attributes.extend(number("gen_ai.usage.input_tokens", 100));
    attributes.extend(number("gen_ai.usage.output_tokens", 20));
    attributes
}

fn text(key: &str, value: &str) -> Vec<u8> {
    attribute(key, &message(1, value.as_bytes()))
}

fn number(key: &str, value: u8) -> Vec<u8> {
    attribute(key, &[0x18, value])
}

fn attribute(key: &str, value: &[u8]) -> Vec<u8> {
    message(9, &[message(1, key.as_bytes()), message(2, value)].concat())
}

/// A field that is a message, text or bytes.
fn message(field: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![field << 3 | 2];
    let mut length = bytes.len();
    while length >= 0x80 {
        out.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out.extend_from_slice(bytes);
    out
}

fn fixed(field: u8, value: u64) -> Vec<u8> {
    [vec![field << 3 | 1], value.to_le_bytes().to_vec()].concat()
}
