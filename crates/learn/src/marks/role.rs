//! What a tool is for, by the verb in its name.

use domain::symbol::Symbol;
use domain::trace::Deed;

/// What calling a tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It looks at things and leaves them as they are.
    Looks,
    /// It may change things.
    Changes,
    /// It hands over to a person.
    HandsOver,
}

/// The role of a tool: one whose verb is not known may change things.
pub(super) fn role(tool: &Symbol) -> Role {
    match words(tool).next().unwrap_or_default() {
        "get" | "find" | "search" | "list" | "check" | "can" | "calculate" | "run" | "look" | "lookup" | "fetch"
        | "read" | "show" | "query" | "view" | "count" | "describe" | "now" | "forecast" | "think" | "route"
        | "visit" | "inspect" | "is" | "has" | "web" | "page" | "final" => Role::Looks,
        "transfer" | "escalate" | "handoff" => Role::HandsOver,
        _ => Role::Changes,
    }
}

/// What a tool does to things, where its name says so.
pub(super) fn deed(tool: &Symbol) -> Option<Deed> {
    words(tool).find_map(|word| {
        Some(match word {
            "cancel" => Deed::Cancel,
            "return" | "refund" => Deed::Return,
            "exchange" | "swap" | "replace" => Deed::Exchange,
            "modify" | "update" | "change" | "edit" => Deed::Change,
            "book" | "reserve" => Deed::Book,
            "send" => Deed::Send,
            "pay" | "payment" => Deed::Pay,
            "transfer" | "escalate" | "handoff" => Deed::HandOver,
            _ => return None,
        })
    })
}

/// The words of the part after the last dot.
fn words(tool: &Symbol) -> impl Iterator<Item = &str> {
    let name = tool.as_str();
    let name = name.rsplit(['.', '/']).next().unwrap_or(name);
    name.split(['_', '-']).filter(|word| !word.is_empty())
}
