//! Conversations as chat interfaces write them: messages, of which some call tools and some are what tools answered.

use domain::symbol::Symbol;
use domain::trace::{CallEnd, Speaker, Step, Trouble, Untrusted};
use serde_json::Value;

use super::row::{ForeignError, Row, uncut};

/// The steps of a conversation. A tool's answer belongs to the first call of that tool that has none yet.
pub(super) fn steps(
    messages: &[Row<'_>],
    call: impl Fn(&Row<'_>) -> Result<(Symbol, Value), ForeignError>,
) -> Result<Vec<Step>, ForeignError> {
    let mut steps: Vec<Step> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for message in messages {
        let role = message.text("role")?;
        let content = message.said("content")?;
        let length = message.count("len")?;
        let who = match role {
            "user" => Speaker::User,
            "assistant" => Speaker::Agent,
            "tool" => {
                answer(&mut steps, &mut open, message, content, length)?;
                continue;
            }
            _ => return Err(message.wrong("role", "`user`, `assistant` or `tool`")),
        };
        if !content.is_empty() {
            steps.push(Step::Said { who, by: None, text: Untrusted::text(uncut(content)), length, at: None });
        }
        open.clear();
        for asked in message.rows("calls")? {
            let (tool, arguments) = call(&asked)?;
            if is_thought(&tool) {
                steps.push(thought(&arguments));
                continue;
            }
            open.push(steps.len());
            steps.push(Step::Call {
                tool,
                by: (who == Speaker::User).then(|| Symbol::of("user")),
                arguments: Untrusted::new(arguments),
                response: Untrusted::default(),
                length: 0,
                ended: CallEnd::Unknown,
                at: None,
                millis: None,
            });
        }
    }
    Ok(steps)
}

/// Some agents think aloud by calling a tool that does nothing.
fn is_thought(tool: &Symbol) -> bool {
    tool.as_str().eq_ignore_ascii_case("think")
}

fn thought(arguments: &Value) -> Step {
    let text = arguments.get("thought").and_then(Value::as_str).unwrap_or_default();
    let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    let what = Symbol::of("thought");
    Step::Thought { what, by: None, text: Untrusted::text(text), length, confidence: None, at: None }
}

fn answer(
    steps: &mut [Step],
    open: &mut Vec<usize>,
    message: &Row<'_>,
    content: &str,
    said: u32,
) -> Result<(), ForeignError> {
    let name = message.said("tool")?;
    let named = |at: &usize| matches!(&steps[*at], Step::Call { tool, .. } if tool.as_str() == name);
    if is_thought(&Symbol::of(name)) {
        return Ok(());
    }
    let failed = message.flag("error")?.unwrap_or(false);
    let place = open.iter().position(named).unwrap_or(0);
    if place < open.len()
        && let Step::Call { response, length, ended, .. } = &mut steps[open.remove(place)]
    {
        *response = Untrusted::text(uncut(content));
        *length = said;
        *ended = if failed { CallEnd::Failed(Trouble::of(content)) } else { CallEnd::Done };
    }
    Ok(())
}
