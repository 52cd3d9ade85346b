//! What is said after a change. What a device has not confirmed is never said to be so.

use super::action::Action;
use super::house::{Change, Outcome, domain_of};
use super::say;

/// The sentence about changes and what became of them. Those that were refused are not part of it.
pub(super) fn words(changes: &[Change], outcomes: &[Outcome]) -> String {
    let made: Vec<(&Change, &Outcome)> =
        changes.iter().zip(outcomes).filter(|(_, outcome)| !matches!(outcome, Outcome::Refused(_))).collect();
    let scene = changes.first().and_then(|change| change.scene.as_deref());
    match (made.as_slice(), scene) {
        (made, Some(scene)) => {
            let silent = made.iter().filter(|(_, outcome)| **outcome == Outcome::Unconfirmed);
            let silent: Vec<&str> = silent.map(|(change, _)| change.name.as_str()).collect();
            format!("The scene “{scene}” is set: {}.{}", counted(made), unsure(&silent))
        }
        ([(change, outcome)], None) => one(change, outcome),
        (made, None) => several(made),
    }
}

fn several(made: &[(&Change, &Outcome)]) -> String {
    let (mut sure, mut silent, mut each) = (Vec::new(), Vec::new(), Vec::new());
    for (change, outcome) in made {
        match outcome {
            Outcome::Confirmed(after) => {
                sure.push((*change, *outcome));
                each.push(say::is(domain_of(&change.id), None, after));
            }
            Outcome::Unconfirmed | Outcome::Refused(_) => silent.push(change.name.as_str()),
        }
    }
    if sure.is_empty() {
        return format!("I told {}, but none has confirmed it yet: {}.", counted(made), say::names(silent));
    }
    each.dedup();
    let names = say::names(sure.iter().map(|(change, _)| change.name.as_str()));
    let (count, verb) = (counted(&sure), if sure.len() == 1 { "is" } else { "are" });
    let said = match each.as_slice() {
        [same] if same.starts_with("is ") => format!("{count} {verb} now {}: {names}.", same.trim_start_matches("is ")),
        _ => format!("{count} {verb} set: {names}."),
    };
    format!("{said}{}", unsure(&silent))
}

fn counted(made: &[(&Change, &Outcome)]) -> String {
    say::counted(made.len(), made.iter().map(|(change, _)| domain_of(&change.id)))
}

fn one(change: &Change, outcome: &Outcome) -> String {
    let (name, domain) = (&change.name, domain_of(&change.id));
    match (outcome, change.action) {
        (Outcome::Unconfirmed, action) if domain != "scene" => {
            format!("I told the {name} to {}, but it has not confirmed that yet.", doing(action))
        }
        (_, Action::Next) => format!("The {name} plays the next track."),
        (_, Action::Previous) => format!("The {name} plays the previous track."),
        (_, Action::Stop) if domain == "cover" => format!("The {name} has stopped."),
        (_, Action::Activate | Action::TurnOn) if domain == "scene" => format!("The scene “{name}” is set."),
        (Outcome::Confirmed(after), _) if *after == change.before => {
            say::sentence(&format!("{} already.", say::about(name, &say::is(domain, None, after))))
        }
        (Outcome::Confirmed(after), _) => {
            let is = say::is(domain, None, after);
            let now = is.strip_prefix("is ").map_or(is.clone(), |rest| format!("is now {rest}"));
            say::sentence(&format!("{}.", say::about(name, &now)))
        }
        (Outcome::Unconfirmed | Outcome::Refused(_), _) => format!("The {name} was told."),
    }
}

fn doing(action: Action) -> &'static str {
    match action {
        Action::Set => "change",
        Action::Next => "play the next track",
        Action::Previous => "play the previous track",
        Action::Play => "play",
        other => other.words(),
    }
}

fn unsure(silent: &[&str]) -> String {
    match silent {
        [] => String::new(),
        names => format!(" Not confirmed yet: {}.", say::names(names.iter().copied())),
    }
}
