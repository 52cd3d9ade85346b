//! What traits are called in sentences. One without a sentence of its own is told by its name.

use std::borrow::Cow;

use domain::symbol::Symbol;

use crate::marks::count_in;

/// What is so, to stand after "in which".
pub(super) fn so(name: &Symbol, tool: Option<&Symbol>) -> String {
    if let Some(words) = crate::marks::so(name, tool) {
        return words;
    }
    if let Some(tool) = tool {
        return format!("`{name}` is so of `{tool}`");
    }
    if let Some((what, least)) = count_in(name.as_str()) {
        return format!("there are {least} or more {}", many(what));
    }
    let words = match name.as_str() {
        "slower_than_most" => "it takes longer than in three of four of that kind",
        "faster_than_most" => "it takes less time than in three of four of that kind",
        "dearer_than_most" => "it costs more than three of four of that kind",
        "cheaper_than_most" => "it costs less than three of four of that kind",
        "more_calls_than_most" => "there are more calls than in three of four of that kind",
        "fewer_calls_than_most" => "there are fewer calls than in three of four of that kind",
        "no_calls" => "no tool is called",
        "thinks_first" => "the agent thinks before its first call",
        "plans_anew" => "the agent plans anew",
        "plan_refused" => "a plan is refused",
        "critique_low" => "the critic thinks little of the plan",
        "critique_high" => "the critic thinks much of the plan",
        "answer_poor" => "the answer is judged poor",
        "answer_good" => "the answer is judged good",
        "unsure" => "the agent is unsure",
        "sure" => "the agent is sure",
        _ => return format!("`{name}` is so"),
    };
    words.to_owned()
}

/// What follows from it, where something does that an agent could do.
pub(super) fn advice(name: &Symbol, tool: Option<&Symbol>, helps: bool) -> Option<String> {
    if let Some(words) = crate::marks::advice(name, tool, helps) {
        return Some(words);
    }
    if let Some(tool) = tool {
        return match (name.as_str(), helps) {
            ("fails", false) => Some(format!("Check what `{tool}` needs before it is called.")),
            ("repeats", false) => Some(format!("Do not make the very same call of `{tool}` again.")),
            ("repeats", true) => Some(format!("Calling `{tool}` again can help.")),
            _ => None,
        };
    }
    if let Some((what, least)) = count_in(name.as_str()) {
        let what = counted(what)?;
        return Some(match (helps, least) {
            (true, _) => format!("Allow for {least} or more {what}."),
            (false, "1") => format!("Avoid {what}."),
            (false, _) => format!("Get by with fewer than {least} {what}."),
        });
    }
    let words = match (name.as_str(), helps) {
        ("slower_than_most", false) | ("faster_than_most", true) => "Keep it short: what takes long mostly fails.",
        ("slower_than_most", true) | ("faster_than_most", false) => "Take the time it needs.",
        ("dearer_than_most", false) | ("cheaper_than_most", true) => "Keep it cheap: what costs much mostly fails.",
        ("dearer_than_most", true) | ("cheaper_than_most", false) => "Spend what it needs.",
        ("more_calls_than_most", false) | ("fewer_calls_than_most", true) => "Get by with few calls.",
        ("more_calls_than_most", true) | ("fewer_calls_than_most", false) => "Look things up before answering.",
        ("no_calls", false) => "Call a tool before answering.",
        ("no_calls", true) => "Answer without a tool where that is possible.",
        ("thinks_first", true) => "Think before the first call.",
        ("thinks_first", false) => "Begin with a call.",
        ("plans_anew", true) => "Plan anew when something goes wrong.",
        ("plans_anew", false) => "Plan so that the plan can be kept to.",
        _ => return None,
    };
    Some(words.to_owned())
}

fn many(what: &str) -> Cow<'_, str> {
    counted(what).map_or_else(|| Cow::Owned(format!("`{what}`")), Cow::Borrowed)
}

fn counted(what: &str) -> Option<&'static str> {
    Some(match what {
        "calls" => "calls",
        "failed_calls" => "calls that fail",
        "repeated_calls" => "calls that were made before",
        "model_calls" => "questions to a model",
        "thoughts" => "thoughts",
        "seconds" => "seconds",
        "usd" => "dollars",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_are_told_in_sentences_and_unknown_ones_by_name() {
        let told = |name: &str, tool: Option<&str>| so(&Symbol::of(name), tool.map(Symbol::of).as_ref());
        assert_eq!(told("failed_calls_4_or_more", None), "there are 4 or more calls that fail");
        assert_eq!(told("plans_anew", None), "the agent plans anew");
        assert_eq!(told("fails", Some("mail.send")), "a call of `mail.send` fails");
        assert_eq!(told("glitters", Some("mail.send")), "`glitters` is so of `mail.send`");
        assert_eq!(told("glitters_2_or_more", None), "there are 2 or more `glitters`");
        let advised = |name: &str, helps| advice(&Symbol::of(name), None, helps);
        assert_eq!(advised("failed_calls_1_or_more", false).as_deref(), Some("Avoid calls that fail."));
        assert_eq!(advised("calls_32_or_more", false).as_deref(), Some("Get by with fewer than 32 calls."));
        assert_eq!(advised("glitters", true), None, "nothing follows from what nobody can do");
    }
}
