//! Which services make a change.

use serde_json::{Map, Value, json};

use crate::smart_home::action::Action;
use crate::smart_home::colour;
use crate::smart_home::house::{Change, domain_of};

/// One call of a service, for all entities that it is the same for.
#[derive(Debug, PartialEq)]
pub(super) struct Call {
    pub(super) domain: String,
    pub(super) service: &'static str,
    pub(super) entities: Vec<String>,
    values: Map<String, Value>,
}

impl Call {
    /// What is sent.
    pub(super) fn data(&self) -> Value {
        let mut data = self.values.clone();
        data.insert("entity_id".into(), json!(self.entities));
        Value::Object(data)
    }
}

/// The calls that changes mean, in their order, as few as possible.
pub(super) fn of(changes: &[Change]) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    for change in changes {
        for (service, values) in services(change) {
            let domain = domain_of(&change.id);
            let same = |call: &&mut Call| call.domain == domain && call.service == service && call.values == values;
            match calls.iter_mut().find(same) {
                Some(call) => call.entities.push(change.id.clone()),
                None => {
                    calls.push(Call { domain: domain.to_owned(), service, entities: vec![change.id.clone()], values })
                }
            }
        }
    }
    calls
}

/// Whether the entity's state shows that a change was made.
pub(super) fn shows(change: &Change) -> bool {
    let stopped = change.action == Action::Stop && domain_of(&change.id) == "cover";
    let lasting = !matches!(change.action, Action::Next | Action::Previous | Action::Activate);
    lasting && !stopped && !matches!(domain_of(&change.id), "scene" | "script")
}

fn services(change: &Change) -> Vec<(&'static str, Map<String, Value>)> {
    let settings = &change.settings;
    let mut values = Map::new();
    let mut value = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            values.insert(name.to_owned(), value);
        }
    };
    let service = match (domain_of(&change.id), change.action) {
        ("light", Action::TurnOn | Action::Set) => {
            value("brightness_pct", settings.brightness.map(Value::from));
            value("rgb_color", settings.colour.as_deref().and_then(colour::rgb).map(|rgb| json!(rgb)));
            "turn_on"
        }
        ("cover", Action::Set) => {
            value("position", settings.position.map(Value::from));
            "set_cover_position"
        }
        ("valve", Action::Set) => {
            value("position", settings.position.map(Value::from));
            "set_valve_position"
        }
        ("climate", Action::Set | Action::TurnOn) if settings.temperature.is_some() => {
            value("temperature", settings.temperature.map(Value::from));
            value("hvac_mode", settings.mode.clone().map(Value::from));
            "set_temperature"
        }
        ("climate", Action::Set | Action::TurnOn) if settings.mode.is_some() => {
            value("hvac_mode", settings.mode.clone().map(Value::from));
            "set_hvac_mode"
        }
        ("media_player", Action::Set) => {
            value("volume_level", settings.volume.map(|volume| json!(f64::from(volume) / 100.0)));
            "volume_set"
        }
        ("media_player", action) if settings.volume.is_some() => {
            let volume = Change { action: Action::Set, ..change.clone() };
            let mut both = services(&Change { action, settings: Default::default(), ..change.clone() });
            both.extend(services(&volume));
            return both;
        }
        (domain, action) => plain(domain, action),
    };
    vec![(service, values)]
}

fn plain(domain: &str, action: Action) -> &'static str {
    match (domain, action) {
        ("cover", Action::Open) => "open_cover",
        ("cover", Action::Close) => "close_cover",
        ("cover", Action::Stop) => "stop_cover",
        ("valve", Action::Open) => "open_valve",
        ("valve", Action::Close) => "close_valve",
        ("media_player", Action::Play) => "media_play",
        ("media_player", Action::Pause) => "media_pause",
        ("media_player", Action::Stop) => "media_stop",
        ("media_player", Action::Next) => "media_next_track",
        ("media_player", Action::Previous) => "media_previous_track",
        (_, Action::TurnOff) => "turn_off",
        (_, Action::Toggle) => "toggle",
        (_, Action::Lock) => "lock",
        (_, Action::Unlock) => "unlock",
        (_, Action::Open) => "open",
        (_, Action::Close) => "close",
        (_, Action::Start) => "start",
        (_, Action::Stop) => "stop",
        (_, Action::Pause) => "pause",
        (_, Action::Dock) => "return_to_base",
        (_, Action::TurnOn | Action::Activate | Action::Set | Action::Play | Action::Next | Action::Previous) => {
            "turn_on"
        }
    }
}
