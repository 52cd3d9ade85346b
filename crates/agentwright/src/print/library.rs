//! What was found, chosen and kept, in words.

use domain::event::Event;
use domain::library::{Choice, Decision, Draft, Member};

use super::events::EXCERPT;
use super::text::{count, line};

/// An event about the library in words.
pub(super) fn words(event: &Event) -> Option<String> {
    match event {
        Event::Chosen { step, choice, .. } => {
            let whose = step.as_ref().map(|step| format!("step `{step}`: ")).unwrap_or_default();
            Some(format!("{whose}{}", chosen(choice)))
        }
        Event::Staffed { members, .. } => Some(members.iter().map(seated).collect::<Vec<_>>().join("; ")),
        Event::Kept { items } => {
            let names = items.iter().map(|Draft { name, body, .. }| format!("{} `{name}`", body.kind()));
            Some(format!("kept {}", names.collect::<Vec<_>>().join(", ")))
        }
        _ => None,
    }
}

fn chosen(choice: &Choice) -> String {
    let others = match choice.considered.len() {
        0 => String::new(),
        some => format!(" ({} considered)", count(some, "other")),
    };
    format!("{}: {}{others}", decided(choice), line(&choice.why, 2 * EXCERPT))
}

fn decided(choice: &Choice) -> String {
    let name = choice.item.as_ref().map(|(name, _)| format!(" `{name}` ({:.2})", choice.score.get()));
    let name = name.unwrap_or_default();
    match choice.decision {
        Decision::Reuse => format!("uses {}{name} again", choice.kind),
        Decision::Adapt => format!("adapts {}{name}", choice.kind),
        Decision::Create => format!("makes a new {}", choice.kind),
    }
}

fn seated(member: &Member) -> String {
    format!("step `{}` goes to agent `{}`", member.step, member.name)
}
