//! Announcements: what a retained `config` message says about one or more devices.

use serde_json::{Map, Value};

use crate::smart_home::house::domain_of;
use crate::words::capped;

/// Kinds of devices that are understood.
const KINDS: &[&str] =
    &["light", "switch", "fan", "cover", "climate", "lock", "scene", "vacuum", "siren", "sensor", "binary_sensor"];

/// Short forms that announcements may use, and what they stand for.
const SHORT: &[(&str, &str)] = &[
    ("avty", "availability"),
    ("avty_t", "availability_topic"),
    ("bri_cmd_t", "brightness_command_topic"),
    ("bri_cmd_tpl", "brightness_command_template"),
    ("bri_scl", "brightness_scale"),
    ("bri_stat_t", "brightness_state_topic"),
    ("bri_val_tpl", "brightness_value_template"),
    ("cmd_t", "command_topic"),
    ("cmps", "components"),
    ("curr_temp_t", "current_temperature_topic"),
    ("curr_temp_tpl", "current_temperature_template"),
    ("dev", "device"),
    ("dev_cla", "device_class"),
    ("ent_cat", "entity_category"),
    ("mode_cmd_t", "mode_command_topic"),
    ("mode_cmd_tpl", "mode_command_template"),
    ("mode_stat_t", "mode_state_topic"),
    ("mode_stat_tpl", "mode_state_template"),
    ("on_cmd_type", "on_command_type"),
    ("p", "platform"),
    ("pl_avail", "payload_available"),
    ("pl_cls", "payload_close"),
    ("pl_lock", "payload_lock"),
    ("pl_not_avail", "payload_not_available"),
    ("pl_off", "payload_off"),
    ("pl_on", "payload_on"),
    ("pl_open", "payload_open"),
    ("pl_stop", "payload_stop"),
    ("pl_unlk", "payload_unlock"),
    ("pos_clsd", "position_closed"),
    ("pos_open", "position_open"),
    ("pos_t", "position_topic"),
    ("pos_tpl", "position_template"),
    ("ret", "retain"),
    ("rgb_cmd_t", "rgb_command_topic"),
    ("rgb_cmd_tpl", "rgb_command_template"),
    ("rgb_stat_t", "rgb_state_topic"),
    ("rgb_val_tpl", "rgb_value_template"),
    ("sa", "suggested_area"),
    ("set_pos_t", "set_position_topic"),
    ("set_pos_tpl", "set_position_template"),
    ("stat_clsd", "state_closed"),
    ("stat_closing", "state_closing"),
    ("stat_locked", "state_locked"),
    ("stat_off", "state_off"),
    ("stat_on", "state_on"),
    ("stat_open", "state_open"),
    ("stat_opening", "state_opening"),
    ("stat_t", "state_topic"),
    ("stat_unlocked", "state_unlocked"),
    ("stat_val_tpl", "state_value_template"),
    ("sup_clrm", "supported_color_modes"),
    ("t", "topic"),
    ("temp_cmd_t", "temperature_command_topic"),
    ("temp_cmd_tpl", "temperature_command_template"),
    ("temp_stat_t", "temperature_state_topic"),
    ("temp_stat_tpl", "temperature_state_template"),
    ("temp_unit", "temperature_unit"),
    ("unit_of_meas", "unit_of_measurement"),
    ("val_tpl", "value_template"),
];

/// Something that was announced.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Thing {
    /// Its kind, a full stop and where it was announced.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    /// The room that it suggests for itself.
    pub(super) area: Option<String>,
    config: Map<String, Value>,
}

impl Thing {
    pub(super) fn domain(&self) -> &str {
        domain_of(&self.id)
    }

    /// A text of the announcement.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.config.get(key)?.as_str().filter(|text| !text.is_empty())
    }

    /// A word that messages use, which may have been announced as a number or a truth value.
    pub(super) fn word(&self, key: &str, otherwise: &str) -> String {
        match self.config.get(key) {
            Some(Value::String(word)) => word.clone(),
            Some(Value::Null) | None => otherwise.to_owned(),
            Some(Value::Bool(true)) => "True".to_owned(),
            Some(Value::Bool(false)) => "False".to_owned(),
            Some(other) => other.to_string(),
        }
    }

    pub(super) fn number(&self, key: &str, otherwise: f64) -> f64 {
        self.config.get(key).and_then(Value::as_f64).unwrap_or(otherwise)
    }

    pub(super) fn truth(&self, key: &str) -> bool {
        self.config.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    pub(super) fn list(&self, key: &str) -> impl Iterator<Item = &Value> {
        self.config.get(key).and_then(Value::as_array).into_iter().flatten()
    }

    /// Whether its messages are JSON objects.
    pub(super) fn speaks_json(&self) -> bool {
        self.domain() == "light" && self.text("schema") == Some("json")
    }
}

/// What an announcement at `kind/object` or `kind/node/object` is about; nothing for one that was withdrawn or is of no
/// use here.
pub(super) fn things(place: &str, message: &str) -> Vec<Thing> {
    let Some((kind, object)) = place.split_once('/') else { return Vec::new() };
    let Ok(Value::Object(config)) = serde_json::from_str(message) else { return Vec::new() };
    let mut config = expanded(config);
    if kind != "device" {
        return thing(kind, object, config).into_iter().collect();
    }
    let Some(Value::Object(parts)) = config.remove("components") else { return Vec::new() };
    parts
        .into_iter()
        .filter_map(|(part, own)| {
            let Value::Object(own) = own else { return None };
            let own = expanded(own);
            let kind = own.get("platform")?.as_str()?.to_owned();
            let mut whole = config.clone();
            whole.extend(own);
            thing(&kind, &format!("{object}_{part}"), whole)
        })
        .collect()
}

fn thing(kind: &str, object: &str, config: Map<String, Value>) -> Option<Thing> {
    let category = config.get("entity_category").and_then(Value::as_str);
    let battery = config.get("device_class").and_then(Value::as_str) == Some("battery");
    // Settings and innards of devices are nothing that somebody would speak of.
    if !KINDS.contains(&kind) || category.is_some() && !battery {
        return None;
    }
    let text = |of: &Map<String, Value>, key: &str| {
        let text = of.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        text.map(|text| capped(text, 100))
    };
    let device = config.get("device").and_then(Value::as_object).cloned().unwrap_or_default();
    let (own, device_name) = (text(&config, "name"), text(&device, "name"));
    let (name, aliases) = match (own, device_name) {
        (Some(own), Some(device)) if !own.to_lowercase().starts_with(&device.to_lowercase()) => {
            (format!("{device} {own}"), vec![own])
        }
        (Some(name), _) | (None, Some(name)) => (name, Vec::new()),
        (None, None) => (object.replace(['_', '-', '/'], " "), Vec::new()),
    };
    let area = text(&device, "suggested_area");
    Some(Thing { id: format!("{kind}.{}", slug(object)), name, aliases, area, config: based(config) })
}

/// Letters, digits and underscores only.
pub(super) fn slug(text: &str) -> String {
    let letters =
        text.to_lowercase().chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
    let letters: String = letters;
    letters.trim_matches('_').to_owned()
}

fn expanded(short: Map<String, Value>) -> Map<String, Value> {
    let long = |key: String| match SHORT.iter().find(|(short, _)| *short == key) {
        Some((_, long)) => (*long).to_owned(),
        None => key,
    };
    let deep = |key: &str, value: Value| match (key, value) {
        ("device", Value::Object(inner)) => Value::Object(expanded(inner)),
        ("availability", Value::Array(list)) => list
            .into_iter()
            .map(|one| match one {
                Value::Object(inner) => Value::Object(expanded(inner)),
                other => other,
            })
            .collect(),
        (_, other) => other,
    };
    short
        .into_iter()
        .map(|(key, value)| {
            let key = long(key);
            let value = deep(&key, value);
            (key, value)
        })
        .collect()
}

/// Puts the base topic in where a topic begins or ends with `~`.
fn based(mut config: Map<String, Value>) -> Map<String, Value> {
    let Some(Value::String(base)) = config.remove("~") else { return config };
    let put = |topic: &mut Value| {
        if let Value::String(text) = topic {
            let whole = match (text.strip_prefix('~'), text.strip_suffix('~')) {
                (Some(rest), _) => format!("{base}{rest}"),
                (None, Some(rest)) => format!("{rest}{base}"),
                (None, None) => return,
            };
            *text = whole;
        }
    };
    for (key, value) in &mut config {
        match value {
            Value::Array(list) if key == "availability" => {
                list.iter_mut().filter_map(|one| one.get_mut("topic")).for_each(put);
            }
            value if key.ends_with("topic") => put(value),
            _ => {}
        }
    }
    config
}
