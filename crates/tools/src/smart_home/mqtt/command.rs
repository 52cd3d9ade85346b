//! The messages that make a change.

use serde_json::{Value, json};

use super::announced::Thing;
use super::template;
use crate::smart_home::action::Action;
use crate::smart_home::colour;
use crate::smart_home::house::Change;

/// Something to publish.
#[derive(Debug, PartialEq)]
pub(super) struct Message {
    pub(super) topic: String,
    pub(super) payload: String,
    pub(super) retain: bool,
}

/// The messages for one change, or why the thing cannot be told.
pub(super) fn messages(thing: &Thing, change: &Change) -> Result<Vec<Message>, String> {
    let settings = &change.settings;
    let to = |topic: &str, payload: String| message(thing, topic, payload);
    let on = |otherwise: &str| thing.word("payload_on", otherwise);
    let command = |key: &str, otherwise: &str| Ok(vec![to("command_topic", thing.word(key, otherwise))?]);
    match (thing.domain(), change.action) {
        ("light", _) if thing.speaks_json() => Ok(vec![to("command_topic", json_light(thing, change).to_string())?]),
        ("light", Action::TurnOn | Action::Set) => light(thing, change),
        ("cover", Action::Set) => {
            let (closed, open) = (thing.number("position_closed", 0.0), thing.number("position_open", 100.0));
            let part = f64::from(settings.position.unwrap_or(100)) / 100.0;
            let position = (closed + part * (open - closed)).round() as i64;
            let payload = template::write(thing.text("set_position_template"), position);
            Ok(vec![to("set_position_topic", payload)?])
        }
        ("cover", Action::Open) => command("payload_open", "OPEN"),
        ("cover", Action::Close) => command("payload_close", "CLOSE"),
        ("cover", Action::Stop) => command("payload_stop", "STOP"),
        ("lock", Action::Lock) => command("payload_lock", "LOCK"),
        ("lock", Action::Unlock) => command("payload_unlock", "UNLOCK"),
        ("climate", Action::Set | Action::TurnOn | Action::TurnOff) => climate(thing, change),
        ("vacuum", Action::Start) => command("payload_start", "start"),
        ("vacuum", Action::Pause) => command("payload_pause", "pause"),
        ("vacuum", Action::Stop) => command("payload_stop", "stop"),
        ("vacuum", Action::Dock) => command("payload_return_to_base", "return_to_base"),
        ("switch" | "fan" | "siren" | "scene", Action::TurnOn | Action::Activate) => {
            Ok(vec![to("command_topic", on("ON"))?])
        }
        ("switch" | "fan" | "siren" | "light", Action::TurnOff) => command("payload_off", "OFF"),
        (_, action) => Err(format!("there is no way to {} it", action.words())),
    }
}

fn message(thing: &Thing, topic: &str, payload: String) -> Result<Message, String> {
    let named = thing.text(topic).filter(|topic| !topic.contains(['+', '#']));
    let topic = named.ok_or_else(|| format!("it has not announced a `{topic}`"))?;
    Ok(Message { topic: topic.to_owned(), payload, retain: thing.truth("retain") })
}

fn light(thing: &Thing, change: &Change) -> Result<Vec<Message>, String> {
    let mut style = Vec::new();
    if let Some(percent) = change.settings.brightness {
        let payload = template::write(thing.text("brightness_command_template"), scaled(thing, percent));
        style.push(message(thing, "brightness_command_topic", payload)?);
    }
    if let Some([red, green, blue]) = change.settings.colour.as_deref().and_then(colour::rgb) {
        style.push(message(thing, "rgb_command_topic", format!("{red},{green},{blue}"))?);
    }
    let on = message(thing, "command_topic", thing.word("payload_on", "ON"));
    Ok(match thing.text("on_command_type") {
        Some("brightness") if change.settings.brightness.is_some() => style,
        Some("first") => std::iter::once(on?).chain(style).collect(),
        _ => style.into_iter().chain([on?]).collect(),
    })
}

fn json_light(thing: &Thing, change: &Change) -> Value {
    if change.action == Action::TurnOff {
        return json!({"state": "OFF"});
    }
    let mut told = json!({"state": "ON"});
    if let Some(percent) = change.settings.brightness {
        told["brightness"] = json!(scaled(thing, percent));
    }
    if let Some(rgb) = change.settings.colour.as_deref().and_then(colour::rgb) {
        let modes: Vec<&str> = thing.list("supported_color_modes").filter_map(Value::as_str).collect();
        told["color"] = match modes.iter().find(|mode| ["rgb", "hs", "xy"].contains(mode)) {
            Some(&"hs") => {
                let (hue, saturation) = colour::to_hs(rgb);
                json!({"h": hue, "s": saturation})
            }
            Some(&"xy") => {
                let (x, y) = colour::to_xy(rgb);
                json!({"x": x, "y": y})
            }
            _ => json!({"r": rgb[0], "g": rgb[1], "b": rgb[2]}),
        };
    }
    told
}

fn climate(thing: &Thing, change: &Change) -> Result<Vec<Message>, String> {
    let mut messages = Vec::new();
    if let Some(degrees) = change.settings.temperature {
        let payload = template::write(thing.text("temperature_command_template"), degrees);
        messages.push(message(thing, "temperature_command_topic", payload)?);
    }
    // Heating that is off has to be on to reach anything.
    if change.settings.mode.is_some() || change.after.state != change.before.state || messages.is_empty() {
        let payload = template::write(thing.text("mode_command_template"), &change.after.state);
        messages.insert(0, message(thing, "mode_command_topic", payload)?);
    }
    Ok(messages)
}

fn scaled(thing: &Thing, percent: u8) -> i64 {
    (f64::from(percent) / 100.0 * thing.number("brightness_scale", 255.0)).round() as i64
}
