//! What Home Assistant's states and registries say about devices, rooms and floors.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::smart_home::colour;
use crate::smart_home::house::{Abilities, Area, Condition, Device, Floor, Settings, View, domain_of};

/// Domains that are of use here.
const DOMAINS: &[&str] = &[
    "light",
    "switch",
    "fan",
    "cover",
    "valve",
    "climate",
    "lock",
    "media_player",
    "vacuum",
    "scene",
    "script",
    "input_boolean",
    "humidifier",
    "siren",
    "sensor",
    "binary_sensor",
];

/// The lists that only the WebSocket API has, as they came.
#[derive(Debug, Default)]
pub(super) struct Registries {
    pub(super) floors: Value,
    pub(super) areas: Value,
    pub(super) devices: Value,
    pub(super) entities: Value,
    pub(super) config: Value,
    /// By entity: among others its aliases.
    pub(super) details: Value,
}

impl Registries {
    /// The entities that can be of use.
    pub(super) fn entity_ids(&self) -> Vec<&str> {
        let ids = rows(&self.entities).filter_map(|entity| entity["entity_id"].as_str());
        ids.filter(|id| DOMAINS.contains(&domain_of(id))).collect()
    }
}

/// All of it in our words.
pub(super) fn view(states: &[Value], registries: &Registries) -> View {
    let by = |list: &'_ Value, key: &str| -> BTreeMap<String, Value> {
        rows(list).filter_map(|row| Some((text(&row[key])?, row.clone()))).collect()
    };
    let entities = by(&registries.entities, "entity_id");
    let devices = by(&registries.devices, "id");
    let unit = registries.config["unit_system"]["temperature"].as_str();
    let device = |state: &Value| {
        let id = state["entity_id"].as_str().filter(|id| DOMAINS.contains(&domain_of(id)))?;
        let entity = entities.get(id).unwrap_or(&Value::Null);
        if !wanted(entity, state) {
            return None;
        }
        let parent = entity["device_id"].as_str().and_then(|id| devices.get(id)).unwrap_or(&Value::Null);
        let attributes = &state["attributes"];
        Some(Device {
            id: id.to_owned(),
            name: text(&attributes["friendly_name"]).unwrap_or_else(|| id.to_owned()),
            aliases: strings(&registries.details[id]["aliases"]),
            class: text(&attributes["device_class"]),
            area: text(&entity["area_id"]).or_else(|| text(&parent["area_id"])),
            can: abilities(id, attributes),
            condition: condition(state, unit),
        })
    };
    View {
        version: 0,
        devices: states.iter().filter_map(device).collect(),
        areas: rows(&registries.areas)
            .filter_map(|area| {
                let (aliases, floor) = (strings(&area["aliases"]), text(&area["floor_id"]));
                Some(Area { id: text(&area["area_id"])?, name: text(&area["name"])?, aliases, floor })
            })
            .collect(),
        floors: rows(&registries.floors)
            .filter_map(|floor| {
                let aliases = strings(&floor["aliases"]);
                Some(Floor { id: text(&floor["floor_id"])?, name: text(&floor["name"])?, aliases })
            })
            .collect(),
    }
}

/// The condition that a state object tells. Thermostats do not tell their `unit`.
pub(super) fn condition(state: &Value, unit: Option<&str>) -> Condition {
    let attributes = &state["attributes"];
    let percent = |value: &Value, whole: f64| value.as_f64().map(|part| (part / whole * 100.0).round() as u8);
    let domain = domain_of(state["entity_id"].as_str().unwrap_or_default());
    let rgb: Option<Vec<u8>> = serde_json::from_value(attributes["rgb_color"].clone()).ok();
    let rgb: Option<[u8; 3]> = rgb.and_then(|rgb| rgb.try_into().ok());
    let climate = domain == "climate";
    let settings = Settings {
        brightness: percent(&attributes["brightness"], 255.0),
        colour: rgb.map(colour::name),
        temperature: attributes["temperature"].as_f64().filter(|_| climate),
        position: percent(&attributes["current_position"], 100.0),
        volume: percent(&attributes["volume_level"], 1.0),
        mode: None,
    };
    Condition {
        state: text(&state["state"]).unwrap_or_else(|| "unknown".to_owned()),
        settings,
        measured: attributes["current_temperature"].as_f64().filter(|_| climate),
        unit: text(&attributes["unit_of_measurement"]).or_else(|| unit.filter(|_| climate).map(str::to_owned)),
    }
}

/// Brings states up to date with an event of `subscribe_entities`: `a` are whole states, `c` what has changed in them.
pub(super) fn follow(states: &mut BTreeMap<String, Value>, event: &Value) {
    for (id, added) in event["a"].as_object().into_iter().flatten() {
        states.insert(id.clone(), json!({"entity_id": id, "state": added["s"], "attributes": added["a"]}));
    }
    for (id, change) in event["c"].as_object().into_iter().flatten() {
        let Some(state) = states.get_mut(id) else { continue };
        if let Some(new) = change["+"].get("s") {
            state["state"] = new.clone();
        }
        for (name, value) in change["+"]["a"].as_object().into_iter().flatten() {
            state["attributes"][name] = value.clone();
        }
        if let Some(attributes) = state["attributes"].as_object_mut() {
            for gone in rows(&change["-"]["a"]).filter_map(Value::as_str) {
                attributes.remove(gone);
            }
        }
    }
    for gone in rows(&event["r"]).filter_map(Value::as_str) {
        states.remove(gone);
    }
}

/// Whether somebody would speak of an entity: not what is hidden, nor the settings of devices.
fn wanted(entity: &Value, state: &Value) -> bool {
    let battery = state["attributes"]["device_class"] == "battery";
    let shown = entity["hidden_by"].is_null() && entity["disabled_by"].is_null();
    shown && (entity["entity_category"].is_null() || battery && entity["entity_category"] == "diagnostic")
}

fn abilities(id: &str, attributes: &Value) -> Abilities {
    let modes = strings(&attributes["supported_color_modes"]);
    let coloured = ["hs", "rgb", "rgbw", "rgbww", "xy"];
    let dimmed = |mode: &String| !matches!(mode.as_str(), "onoff" | "unknown");
    let features = attributes["supported_features"].as_u64().unwrap_or(0);
    let domain = domain_of(id);
    Abilities {
        brightness: domain == "light" && modes.iter().any(dimmed),
        colour: domain == "light" && modes.iter().any(|mode| coloured.contains(&mode.as_str())),
        position: matches!(domain, "cover" | "valve") && features & 4 != 0,
        temperature: domain == "climate" && features & 1 != 0,
        volume: domain == "media_player" && features & 4 != 0,
        mode: domain == "climate",
    }
}

fn rows(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn strings(list: &Value) -> Vec<String> {
    rows(list).filter_map(text).collect()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}
