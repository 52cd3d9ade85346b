//! Traits in sentences: what is so, and what follows from it.

use domain::symbol::Symbol;

/// What a trait says, to stand after "in which"; none for one that no trace bears by itself.
pub fn so(name: &Symbol, tool: Option<&Symbol>) -> Option<String> {
    match tool {
        Some(tool) => of_tool(name.as_str(), tool),
        None => of_whole(name.as_str()),
    }
}

/// What an agent should do about it, where that can be said; whether it helps is what traces show.
pub fn advice(name: &Symbol, tool: Option<&Symbol>, helps: bool) -> Option<String> {
    let name = name.as_str();
    if let Some(tool) = tool {
        return Some(match (name, helps) {
            ("unseen" | "made_up", false) => format!("Give `{tool}` only what the user or a tool has said."),
            ("confirmed", true) | ("unconfirmed", false) => format!("Ask the user for a yes before `{tool}`."),
            ("stays_broken", false) | ("recovers", true) => {
                format!("Where `{tool}` fails, mend the call and make it again.")
            }
            ("empty", false) => format!("Try another way where `{tool}` brings nothing."),
            ("changes_last", false) => format!("Do not stop at `{tool}`: see what is still wanted."),
            ("things_left_alone_1_or_more", false) => format!("Do not leave what `{tool}` shows undone."),
            _ => return None,
        });
    }
    if let (Some(deed), false) = (name.strip_prefix("undone_").and_then(wish), helps) {
        return Some(format!("Where the user wants {deed}, see it done or say why not."));
    }
    if let (Some(deed), false) = (name.strip_prefix("unasked_").and_then(wish), helps) {
        return Some(format!("Leave {deed} until the user wants it."));
    }
    let words = match (name, helps) {
        ("unconfirmed", false) | ("confirmed", true) => "Ask the user for a yes before something is changed.",
        ("changes_before_looking" | "changes_unlooked", false) => "Look at a thing before it is changed.",
        ("changes_what_was_not_seen", false) => "Change only what the user or a tool has named.",
        ("changes_nothing", false) => "Do what is wanted, or hand over: do not end with nothing done.",
        ("hands_over_after_changes", false) => "Find out whether a person is needed before anything is changed.",
        ("hands_over_unchanged", true) => "Hand over where the rules forbid what is wanted.",
        ("failed_changes_1_or_more", false) => "Check what a change needs before it is made.",
        ("things_changed_twice_1_or_more", false) => "Collect everything that is wanted of a thing and change it once.",
        _ => return None,
    };
    Some(words.to_owned())
}

fn of_tool(name: &str, tool: &Symbol) -> Option<String> {
    if let Some((what, least)) = count_in(name) {
        return Some(match what {
            "calls" => format!("`{tool}` is called {least} or more times"),
            "changes" => format!("`{tool}` does its work {least} or more times"),
            "things_seen" => format!("`{tool}` looks at {least} or more things"),
            "things_left_alone" => format!("`{tool}` looks at {least} or more things that are then left alone"),
            _ => return None,
        });
    }
    Some(match name {
        "fails" => format!("a call of `{tool}` fails"),
        "repeats" => format!("the very same call of `{tool}` is made again"),
        "made_up" => format!("`{tool}` is given something that nobody had said"),
        "unseen" => format!("`{tool}` is given something that is not in what was kept of the trace"),
        "given" => format!("`{tool}` is given what the user said"),
        "found" => format!("`{tool}` is given what another tool found"),
        "empty" => format!("`{tool}` brings nothing"),
        "card" => format!("`{tool}` is paid with a card"),
        "gift" => format!("`{tool}` is paid with a gift card or a certificate"),
        "account" => format!("`{tool}` is paid from an account"),
        "confirmed" => format!("the user says yes right before `{tool}`"),
        "unconfirmed" => format!("`{tool}` is called without a yes of the user right before it"),
        "changes_first" => format!("`{tool}` is the first to change something"),
        "changes_last" => format!("`{tool}` is the last to change something"),
        "recovers" => format!("`{tool}` fails and then works"),
        "stays_broken" => format!("`{tool}` fails and never works afterwards"),
        _ => return None,
    })
}

fn of_whole(name: &str) -> Option<String> {
    if let Some((what, least)) = count_in(name) {
        return Some(match what {
            "user_text_x64" => format!("the user writes {} or more characters", times(least, 64)?),
            "agent_text_x64" => format!("the agent writes {} or more characters", times(least, 64)?),
            "user_last_text_x16" => format!("the user's last text has {} or more characters", times(least, 16)?),
            "agent_last_text_x16" => format!("the agent's last text has {} or more characters", times(least, 16)?),
            "user_turns_after_changes" => {
                format!("the user says something {least} or more times after the last change")
            }
            "looks_after_changes" => format!("there are {least} or more looks after the last change"),
            "looks" => format!("there are {least} or more calls that only look"),
            "changes" => format!("there are {least} or more calls that change something"),
            "failed_changes" => format!("there are {least} or more changes that fail"),
            "things_changed" => format!("{least} or more things are changed"),
            "things_changed_twice" => format!("{least} or more things are changed more than once"),
            _ => return None,
        });
    }
    let wishes = [("granted_", "and gets it"), ("undone_", "and it is not done")];
    for (prefix, end) in wishes {
        if let Some(deed) = name.strip_prefix(prefix) {
            return Some(format!("the user speaks of {} {end}", wish(deed)?));
        }
    }
    if let Some(deed) = name.strip_prefix("unasked_") {
        return Some(format!("there is {} that the user never spoke of", wish(deed)?));
    }
    if let Some((who, how)) = name.strip_prefix("then_").and_then(|rest| rest.split_once('_')) {
        return Some(format!("after the last change the {who} {}", sounds(how)?));
    }
    let words = match name {
        "changes_what_was_not_seen" => "something is changed by a name that nobody had said",
        "changes_unlooked" => "something is changed that was never looked at",
        "changes_before_looking" => "something is changed before anything is looked at",
        "announces_a_change" => "a change is announced in the same breath",
        "confirmed" => "the user says yes right before a change",
        "unconfirmed" => "something is changed without a yes of the user right before it",
        "changes_something" => "something is changed and nobody is handed over",
        "changes_nothing" => "nothing is changed and nobody is handed over",
        "hands_over_unchanged" => "the user is handed over and nothing is changed",
        "hands_over_after_changes" => "the user is handed over after something was changed",
        "user_last_leaves" => "the user takes leave at the end",
        "user_last_hands_over" => "the user is handed over at the end",
        "card" => "something is paid with a card",
        "gift" => "something is paid with a gift card or a certificate",
        "account" => "something is paid from an account",
        _ => return None,
    };
    Some(words.to_owned())
}

fn wish(deed: &str) -> Option<&'static str> {
    Some(match deed {
        "cancel" => "a cancellation",
        "return" => "a return",
        "exchange" => "an exchange",
        "change" => "a change",
        "book" => "a booking",
        "send" => "a compensation",
        "pay" => "a payment",
        "hand_over" => "a person to speak to",
        _ => return None,
    })
}

fn sounds(how: &str) -> Option<&'static str> {
    Some(match how {
        "refuses" => "says that something cannot be",
        "upset" => "is unhappy",
        "thanks" => "says thanks",
        "more" => "asks for more",
        "no" => "says no",
        "done" => "says that it is done",
        "promises" => "says what will be done",
        "sorry" => "is sorry",
        _ => return None,
    })
}

fn times(least: &str, unit: u32) -> Option<u32> {
    least.parse::<u32>().ok()?.checked_mul(unit)
}

/// What there are many of, and how many, in the name of a count such as `calls_4_or_more`.
pub(crate) fn count_in(name: &str) -> Option<(&str, &str)> {
    name.strip_suffix("_or_more")?.rsplit_once('_')
}
