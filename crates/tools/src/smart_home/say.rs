//! Sentences about devices, as somebody in the house would say them.

use super::house::{Condition, Settings};

/// The most names in one sentence.
const NAMES: usize = 12;

/// "a, b and c", or the first of them and how many more.
pub(super) fn names<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    joined(names.into_iter().collect(), "and")
}

/// The first of `of` names, and how many more there are.
pub(super) fn some_of<'n>(names: impl IntoIterator<Item = &'n str>, of: usize) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match of.saturating_sub(names.len()) {
        0 => joined(names, "and"),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// "the a or the b".
pub(super) fn either<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let with: Vec<String> = names.into_iter().map(|name| format!("the {name}")).collect();
    joined(with.iter().map(String::as_str).collect(), "or")
}

fn joined(names: Vec<&str>, word: &str) -> String {
    match names.as_slice() {
        [] => "none".to_owned(),
        [only] => (*only).to_owned(),
        all if all.len() > NAMES => format!("{} {word} {} more", all[..NAMES].join(", "), all.len() - NAMES),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// "1 light", "3 lights", for devices of these domains.
pub(super) fn counted<'d>(count: usize, domains: impl IntoIterator<Item = &'d str>) -> String {
    match (count, noun(domains)) {
        (1, noun) => format!("1 {noun}"),
        (count, "switch") => format!("{count} switches"),
        (count, noun) => format!("{count} {noun}s"),
    }
}

/// What devices of these domains are, in one word.
fn noun<'d>(domains: impl IntoIterator<Item = &'d str>) -> &'static str {
    let mut domains: Vec<&str> = domains.into_iter().collect();
    domains.sort_unstable();
    domains.dedup();
    match domains.as_slice() {
        ["light"] => "light",
        ["switch"] => "switch",
        ["cover"] => "cover",
        ["climate"] => "thermostat",
        ["lock"] => "lock",
        ["fan"] => "fan",
        ["media_player"] => "player",
        ["sensor" | "binary_sensor"] | ["binary_sensor", "sensor"] => "sensor",
        ["scene"] => "scene",
        ["vacuum"] => "vacuum cleaner",
        _ => "device",
    }
}

/// "is on at 40 %, blue".
pub(super) fn is(domain: &str, class: Option<&str>, condition: &Condition) -> String {
    let settings = &condition.settings;
    match (domain, condition.state.as_str()) {
        (_, "unavailable") => "does not answer".to_owned(),
        (_, "unknown" | "") if domain != "scene" => "has not said how it is".to_owned(),
        ("light", "on") => format!("is on{}", lit(settings)),
        ("cover" | "valve", "open") => match settings.position {
            Some(position) if position < 100 => format!("is open at {position} %"),
            _ => "is open".to_owned(),
        },
        ("climate", state) => climate(state, condition),
        ("media_player", state) => match settings.volume {
            Some(volume) if state != "off" => format!("is {state} at volume {volume} %"),
            _ => format!("is {state}"),
        },
        ("binary_sensor", state) => binary(class, state),
        ("sensor", reading) => match condition.unit.as_deref() {
            Some(unit) => format!("reads {reading} {unit}"),
            None => format!("reads {reading}"),
        },
        ("scene", _) => "is a scene".to_owned(),
        (_, state) => format!("is {}", state.replace('_', " ")),
    }
}

fn lit(settings: &Settings) -> String {
    let brightness = settings.brightness.map(|percent| format!(" at {percent} %")).unwrap_or_default();
    let colour = settings.colour.as_deref().map(|colour| format!(", {colour}")).unwrap_or_default();
    format!("{brightness}{colour}")
}

fn climate(state: &str, condition: &Condition) -> String {
    let unit = condition.unit.as_deref().unwrap_or("°C");
    let measured = condition.measured.map(|measured| format!("; it is {} {unit} there", number(measured)));
    let measured = measured.unwrap_or_default();
    match (state, condition.settings.temperature) {
        ("off", _) => format!("is off{measured}"),
        (mode, Some(set)) => format!("is set to {} {unit} ({}){measured}", number(set), mode.replace('_', " ")),
        (mode, None) => format!("is on ({}){measured}", mode.replace('_', " ")),
    }
}

fn binary(class: Option<&str>, state: &str) -> String {
    let (on, off) = match class {
        Some("motion") => ("sees motion", "sees no motion"),
        Some("occupancy" | "presence") => ("sees somebody", "sees nobody"),
        Some("door" | "window" | "garage_door" | "opening") => ("says open", "says closed"),
        Some("lock") => ("says unlocked", "says locked"),
        Some("battery") => ("says the battery is low", "says the battery is fine"),
        Some("battery_charging") => ("is charging", "is not charging"),
        Some("moisture") => ("is wet", "is dry"),
        Some("smoke") => ("detects smoke", "detects no smoke"),
        Some("gas" | "carbon_monoxide") => ("detects gas", "detects no gas"),
        Some("problem" | "safety" | "tamper") => ("reports a problem", "reports no problem"),
        Some("connectivity" | "plug" | "power") => ("is connected", "is not connected"),
        _ => ("is on", "is off"),
    };
    if state == "on" { on.to_owned() } else { off.to_owned() }
}

/// "the blinds are open", "the light is on": a name and what [`is`] says of it.
pub(super) fn about(name: &str, is: &str) -> String {
    let last = name.rsplit(' ').next().unwrap_or_default();
    let several = last.len() > 3 && last.ends_with('s') && !last.ends_with("ss") && !last.ends_with("us");
    match is.strip_prefix("is ") {
        Some(rest) if several => format!("the {name} are {rest}"),
        _ => format!("the {name} {is}"),
    }
}

/// A number without needless digits.
pub(super) fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    if rounded == rounded.trunc() { format!("{rounded:.0}") } else { format!("{rounded:.1}") }
}

/// With a capital letter at its start.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
