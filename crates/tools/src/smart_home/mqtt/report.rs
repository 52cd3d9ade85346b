//! What devices report about themselves, each kind in its own messages.

use std::collections::BTreeMap;

use serde_json::Value;

use super::announced::{Thing, slug};
use super::link::Known;
use super::template;
use crate::smart_home::colour;
use crate::smart_home::house::{Abilities, Condition, Device, Settings};

/// Keys of topics on which something is reported.
const REPORTED: &[&str] = &[
    "state_topic",
    "brightness_state_topic",
    "rgb_state_topic",
    "position_topic",
    "mode_state_topic",
    "temperature_state_topic",
    "current_temperature_topic",
];

/// The last message on each topic.
type Heard = BTreeMap<String, String>;

/// Every topic that says something about a thing.
pub(super) fn topics(thing: &Thing) -> impl Iterator<Item = &str> {
    let reported = REPORTED.iter().filter_map(|key| thing.text(key));
    // A device speaks of itself on topics of its own, never on all there are.
    reported.chain(availability(thing).map(|(topic, ..)| topic)).filter(|topic| !topic.contains(['+', '#']))
}

/// A thing as a device.
pub(super) fn device(thing: &Thing, known: &Known) -> Device {
    Device {
        id: thing.id.clone(),
        name: thing.name.clone(),
        aliases: thing.aliases.clone(),
        class: thing.text("device_class").map(str::to_owned),
        area: thing.area.as_deref().map(slug),
        can: abilities(thing),
        condition: known.condition(&thing.id),
    }
}

/// What was heard about a thing.
pub(super) fn condition(thing: &Thing, heard: &Heard) -> Condition {
    if gone(thing, heard) {
        return Condition::of("unavailable");
    }
    let mut condition = match thing.domain() {
        "light" if thing.speaks_json() => json_light(thing, heard),
        "light" => light(thing, heard),
        "cover" => cover(thing, heard),
        "climate" => climate(thing, heard),
        "lock" => {
            let words = [("state_locked", "LOCKED", "locked"), ("state_unlocked", "UNLOCKED", "unlocked")];
            Condition::of(&worded(thing, heard, "value_template", &words))
        }
        "vacuum" => {
            let message = thing.text("state_topic").and_then(|topic| heard.get(topic)).map(String::as_str);
            let json: Value = message.and_then(|message| serde_json::from_str(message).ok()).unwrap_or_default();
            Condition::of(json["state"].as_str().or(message).unwrap_or("unknown"))
        }
        "sensor" => Condition::of(&value(thing, heard, "state_topic", "value_template").unwrap_or("unknown".into())),
        "fan" => Condition::of(&switched(thing, heard, "state_value_template")),
        _ => Condition::of(&switched(thing, heard, "value_template")),
    };
    condition.unit = condition.unit.or_else(|| thing.text("unit_of_measurement").map(str::to_owned));
    condition
}

fn abilities(thing: &Thing) -> Abilities {
    let modes: Vec<&str> = thing.list("supported_color_modes").filter_map(Value::as_str).collect();
    let has = |key: &str| thing.text(key).is_some();
    let json = thing.speaks_json();
    Abilities {
        brightness: has("brightness_command_topic")
            || json && (thing.truth("brightness") || modes.iter().any(|mode| *mode != "onoff")),
        colour: has("rgb_command_topic") || json && modes.iter().any(|mode| ["rgb", "hs", "xy"].contains(mode)),
        position: has("set_position_topic"),
        temperature: has("temperature_command_topic"),
        volume: false,
        mode: has("mode_command_topic"),
    }
}

fn light(thing: &Thing, heard: &Heard) -> Condition {
    let mut condition = Condition::of(&switched(thing, heard, "state_value_template"));
    let scale = thing.number("brightness_scale", 255.0);
    let brightness = value(thing, heard, "brightness_state_topic", "brightness_value_template");
    let rgb = value(thing, heard, "rgb_state_topic", "rgb_value_template");
    let rgb = rgb.map(|rgb| rgb.split(',').filter_map(|part| part.trim().parse().ok()).collect::<Vec<u8>>());
    condition.settings = Settings {
        brightness: brightness.and_then(|text| text.parse().ok()).map(|part| percent(part, scale)),
        colour: rgb.and_then(|rgb| rgb.try_into().ok()).map(colour::name),
        ..Settings::default()
    };
    condition
}

fn json_light(thing: &Thing, heard: &Heard) -> Condition {
    let message = thing.text("state_topic").and_then(|topic| heard.get(topic));
    let json: Value = message.and_then(|message| serde_json::from_str(message).ok()).unwrap_or_default();
    let state = match json["state"].as_str() {
        Some("ON") => "on",
        Some("OFF") => "off",
        _ => "unknown",
    };
    let part = |name: &str| json["color"][name].as_u64().and_then(|part| u8::try_from(part).ok());
    let rgb = part("r").zip(part("g")).zip(part("b")).map(|((r, g), b)| [r, g, b]);
    let hs = json["color"]["h"].as_f64().zip(json["color"]["s"].as_f64()).map(|(h, s)| colour::from_hs(h, s));
    let scale = thing.number("brightness_scale", 255.0);
    let settings = Settings {
        brightness: json["brightness"].as_f64().map(|part| percent(part, scale)),
        colour: rgb.or(hs).map(colour::name),
        ..Settings::default()
    };
    Condition { settings, ..Condition::of(state) }
}

fn cover(thing: &Thing, heard: &Heard) -> Condition {
    let (closed, open) = (thing.number("position_closed", 0.0), thing.number("position_open", 100.0));
    let position = value(thing, heard, "position_topic", "position_template");
    let position = position.and_then(|text| text.parse::<f64>().ok());
    let position = position.map(|now| percent(now - closed, open - closed));
    let words = [
        ("state_open", "open", "open"),
        ("state_closed", "closed", "closed"),
        ("state_opening", "opening", "opening"),
        ("state_closing", "closing", "closing"),
    ];
    let said = worded(thing, heard, "value_template", &words);
    let state = match (said.as_str(), position) {
        ("unknown" | "stopped", Some(0)) => "closed",
        ("unknown" | "stopped", Some(_)) => "open",
        (said, _) => said,
    };
    Condition { settings: Settings { position, ..Settings::default() }, ..Condition::of(state) }
}

fn climate(thing: &Thing, heard: &Heard) -> Condition {
    let number = |topic: &str, template: &str| value(thing, heard, topic, template).and_then(|text| text.parse().ok());
    let mode = value(thing, heard, "mode_state_topic", "mode_state_template");
    let temperature = number("temperature_state_topic", "temperature_state_template");
    let unit = if thing.text("temperature_unit") == Some("F") { "°F" } else { "°C" };
    Condition {
        state: mode.unwrap_or_else(|| "unknown".to_owned()),
        settings: Settings { temperature, ..Settings::default() },
        measured: number("current_temperature_topic", "current_temperature_template"),
        unit: Some(unit.to_owned()),
    }
}

fn switched(thing: &Thing, heard: &Heard, template: &str) -> String {
    let on = thing.word("state_on", &thing.word("payload_on", "ON"));
    let off = thing.word("state_off", &thing.word("payload_off", "OFF"));
    match value(thing, heard, "state_topic", template) {
        Some(said) if said == on => "on".to_owned(),
        Some(said) if said == off => "off".to_owned(),
        _ => "unknown".to_owned(),
    }
}

/// The word of ours for the word of theirs: key, default, ours.
fn worded(thing: &Thing, heard: &Heard, template: &str, words: &[(&str, &str, &str)]) -> String {
    let Some(said) = value(thing, heard, "state_topic", template) else { return "unknown".to_owned() };
    let ours = words.iter().find(|(key, theirs, _)| thing.word(key, theirs) == said);
    ours.map_or_else(|| said.to_lowercase(), |(.., ours)| (*ours).to_owned())
}

fn value(thing: &Thing, heard: &Heard, topic: &str, template: &str) -> Option<String> {
    template::read(thing.text(template), heard.get(thing.text(topic)?)?)
}

/// Whether it has said that it is not there.
fn gone(thing: &Thing, heard: &Heard) -> bool {
    availability(thing).any(|(topic, template, away)| {
        heard.get(topic).and_then(|message| template::read(template, message)).is_some_and(|said| said == away)
    })
}

/// Where it says whether it is there: topic, template, and the word for not.
fn availability(thing: &Thing) -> impl Iterator<Item = (&str, Option<&str>, String)> {
    let otherwise = thing.word("payload_not_available", "offline");
    let single = thing.text("availability_topic").map(|topic| (topic, thing.text("availability_template")));
    let single = single.map(|(topic, template)| (topic, template, otherwise.clone()));
    let several = thing.list("availability").filter_map(move |one| {
        let away = one["payload_not_available"].as_str().unwrap_or(&otherwise).to_owned();
        Some((one["topic"].as_str()?, one["value_template"].as_str(), away))
    });
    single.into_iter().chain(several)
}

fn percent(part: f64, whole: f64) -> u8 {
    if whole == 0.0 { 0 } else { (part / whole * 100.0).round().clamp(0.0, 100.0) as u8 }
}
