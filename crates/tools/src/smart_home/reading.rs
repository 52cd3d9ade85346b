//! What a device's condition says about a state or a value that somebody asks for.

use super::house::Device;
use super::say;

/// Whether a device can ever be in a state, for telling the lock of a door from its sensor.
pub(super) fn could_be(device: &Device, state: &str) -> bool {
    let class = device.class.as_deref().unwrap_or_default();
    let opens = matches!(class, "door" | "window" | "garage_door" | "opening");
    match canonical(state).as_str() {
        "on" | "off" => match device.domain() {
            "light" | "switch" | "fan" | "media_player" | "climate" | "input_boolean" | "binary_sensor" => true,
            _ => is(device, state),
        },
        "open" | "closed" => match device.domain() {
            "cover" | "valve" => true,
            "binary_sensor" => opens,
            _ => false,
        },
        "locked" | "unlocked" => device.domain() == "lock" || class == "lock",
        "playing" | "paused" => device.domain() == "media_player",
        "cleaning" | "docked" => device.domain() == "vacuum",
        _ => is(device, state),
    }
}

/// Whether a device is in a state.
pub(super) fn is(device: &Device, state: &str) -> bool {
    let (wanted, now) = (canonical(state), device.condition.state.to_lowercase());
    let quiet = ["off", "unavailable", "unknown", "standby"].contains(&now.as_str());
    match (device.domain(), wanted.as_str()) {
        ("climate" | "media_player", "on") => !quiet,
        ("cover" | "valve", "open") => matches!(now.as_str(), "open" | "opening"),
        ("binary_sensor", "open" | "unlocked" | "detected" | "wet" | "low" | "charging" | "connected") => now == "on",
        ("binary_sensor", "closed" | "locked" | "clear" | "dry" | "normal" | "disconnected") => now == "off",
        _ => now == wanted,
    }
}

/// A value of a device, as it is said; none where it has no such value.
pub(super) fn attribute(device: &Device, attribute: &str) -> Option<String> {
    let condition = &device.condition;
    let settings = &condition.settings;
    let percent = |value: Option<u8>| value.map(|value| format!("{value} %"));
    let unit = condition.unit.as_deref();
    let degrees = |value: f64| format!("{} {}", say::number(value), unit.unwrap_or("°C"));
    let wanted = attribute.trim().to_lowercase().replace(' ', "_");
    if device.domain() == "sensor" && device.class.as_deref() == Some(wanted.as_str()) {
        return Some(format!("{} {}", condition.state, unit.unwrap_or_default()).trim_end().to_owned());
    }
    match wanted.as_str() {
        "state" => Some(condition.state.clone()),
        "brightness" if condition.state == "off" => device.can.brightness.then(|| "0 %".to_owned()),
        "brightness" => percent(settings.brightness),
        "colour" | "color" => settings.colour.clone(),
        "position" => percent(settings.position),
        "volume" => percent(settings.volume),
        "mode" if device.domain() == "climate" => Some(condition.state.clone()),
        "mode" => settings.mode.clone(),
        "current_temperature" => condition.measured.map(degrees),
        "target_temperature" | "setpoint" => settings.temperature.map(degrees),
        "temperature" => match (settings.temperature, condition.measured) {
            (Some(set), Some(measured)) => Some(format!("{}, set to {}", degrees(measured), degrees(set))),
            (set, measured) => measured.or(set).map(degrees),
        },
        _ => None,
    }
}

fn canonical(state: &str) -> String {
    let state = state.trim().to_lowercase().replace(' ', "_");
    match state.as_str() {
        "opened" => "open".to_owned(),
        "close" | "shut" => "closed".to_owned(),
        "lock" => "locked".to_owned(),
        "unlock" => "unlocked".to_owned(),
        _ => state,
    }
}
