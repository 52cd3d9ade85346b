//! Commands in the words of Home Assistant: which intent, with which slots.

use serde_json::{Map, Value, json};

use super::command::{Act, Amount, Change, Command, Machine, Media, Setting, Switch, TimerAct};
use super::number::Length;

impl Command {
    /// Home Assistant's name for what is to be done; empty where it has none.
    pub fn intent(&self) -> &'static str {
        match &self.act {
            Act::Switch(Switch::On | Switch::Open | Switch::Lock) => "HassTurnOn",
            Act::Switch(Switch::Off | Switch::Close | Switch::Unlock) => "HassTurnOff",
            Act::Switch(Switch::Toggle) => "HassToggle",
            Act::Switch(Switch::Stop) => "HassStopMoving",
            Act::Set(Setting::Brightness(_) | Setting::Colour(_)) => "HassLightSet",
            Act::Set(Setting::Temperature(_)) => "HassClimateSetTemperature",
            Act::Set(Setting::Position(_)) => "HassSetPosition",
            Act::Set(Setting::Volume(Amount::To(_))) => "HassSetVolume",
            Act::Set(Setting::Volume(Amount::By(_))) => "HassSetVolumeRelative",
            Act::Media(Media::Next) => "HassMediaNext",
            Act::Media(Media::Previous) => "HassMediaPrevious",
            Act::Media(Media::Pause) => "HassMediaPause",
            Act::Media(Media::Resume) => "HassMediaUnpause",
            Act::Machine(machine) => match (machine, self.target.domain.as_deref()) {
                (Machine::Start, Some("lawn_mower")) => "HassLawnMowerStartMowing",
                (Machine::Dock, Some("lawn_mower")) => "HassLawnMowerDock",
                (Machine::Start, _) => "HassVacuumStart",
                (Machine::Dock, _) => "HassVacuumReturnToBase",
                (Machine::Stop, _) => "",
            },
            Act::Ask(_) if self.asks_climate() => "HassClimateGetTemperature",
            Act::Ask(_) => "HassGetState",
            Act::Play { .. } => "HassMediaSearchAndPlay",
            Act::Timer(timer) => match timer.act {
                TimerAct::Start => "HassStartTimer",
                TimerAct::Cancel => "HassCancelTimer",
                TimerAct::CancelAll => "HassCancelAllTimers",
                TimerAct::Increase => "HassIncreaseTimer",
                TimerAct::Decrease => "HassDecreaseTimer",
                TimerAct::Pause => "HassPauseTimer",
                TimerAct::Resume => "HassUnpauseTimer",
                TimerAct::Status => "HassTimerStatus",
            },
            Act::List { change, .. } => match (change, &self.target.name) {
                (Change::Add, None) => "HassShoppingListAddItem",
                (Change::Add, Some(_)) => "HassListAddItem",
                (Change::Complete, None) => "HassShoppingListCompleteItem",
                (Change::Complete, Some(_)) => "HassListCompleteItem",
            },
            Act::Broadcast(_) => "HassBroadcast",
            Act::Weather => "HassGetWeather",
            Act::Time => "HassGetCurrentTime",
            Act::Date => "HassGetCurrentDate",
            Act::Nevermind => "HassNevermind",
            Act::Respond => "HassRespond",
        }
    }

    /// What the intent is given, under Home Assistant's names.
    pub fn slots(&self) -> Map<String, Value> {
        let mut slots = Map::new();
        let mut put = |name: &str, value: Value| {
            slots.insert(name.to_owned(), value);
        };
        let target = &self.target;
        if let Some(name) = &target.name {
            put("name", json!(name));
        }
        // Where it is said does not say which room is to be warmer.
        let unsaid = target.here && matches!(self.act, Act::Set(Setting::Temperature(_)));
        if let Some(area) = target.area.as_ref().filter(|_| !unsaid) {
            put("area", json!(area.name));
        }
        if let Some(floor) = &target.floor {
            put("floor", json!(floor.name));
        }
        let (with_domain, with_class) = self.says_kind();
        let opening = self.asks_of_openings();
        if let Some(domain) = target.domain.as_deref().filter(|_| with_domain) {
            put("domain", json!(if opening { "cover" } else { domain }));
        }
        if let Some(class) = target.class.as_deref().filter(|_| with_class) {
            put("device_class", json!(if opening && class == "garage_door" { "garage" } else { class }));
        }
        match &self.act {
            Act::Switch(switch) => {
                // Home Assistant writes out that all fans of a place and all locks are meant, but only of those.
                let all = match target.domain.as_deref() {
                    Some("fan") => !target.here && (target.area.is_some() || target.floor.is_some()),
                    Some("lock") => *switch == Switch::Unlock,
                    _ => false,
                };
                if all && target.name.is_none() {
                    put("name", json!("all"));
                }
            }
            Act::Set(setting) => match setting {
                Setting::Brightness(Amount::To(value)) => put("brightness", number(*value)),
                Setting::Brightness(Amount::By(value)) => put("brightness_step", number(*value)),
                Setting::Colour(colour) => put("color", json!(colour)),
                Setting::Temperature(Amount::To(value)) => put("temperature", number(*value)),
                Setting::Temperature(Amount::By(value)) => put("temperature_step", number(*value)),
                Setting::Position(Amount::To(value)) => put("position", number(*value)),
                Setting::Position(Amount::By(value)) => put("position_step", number(*value)),
                Setting::Volume(Amount::To(value)) => put("volume_level", number(*value)),
                Setting::Volume(Amount::By(value)) => put("volume_step", number(*value)),
            },
            Act::Ask(question) => {
                if let Some(state) = question.state.as_deref() {
                    let state = match state {
                        "on" if opening => "open",
                        "off" if opening => "closed",
                        state => state,
                    };
                    put("state", json!(state));
                }
            }
            Act::Play { query, class } => {
                put("search_query", json!(query));
                if let Some(class) = class {
                    put("media_class", json!(class));
                }
            }
            Act::Timer(timer) => {
                let mut length = |prefix: &str, length: &Length| {
                    let parts = [("hours", length.hours), ("minutes", length.minutes), ("seconds", length.seconds)];
                    for (unit, value) in parts {
                        if let Some(value) = value {
                            put(&format!("{prefix}{unit}"), json!(value));
                        }
                    }
                };
                length("", &timer.length);
                length("start_", &timer.started);
                if let Some(name) = &timer.name {
                    put("name", json!(name));
                }
                if let Some(then) = &timer.then {
                    put("conversation_command", json!(then));
                }
            }
            Act::List { item, .. } => put("item", json!(item)),
            Act::Broadcast(message) => put("message", json!(message)),
            Act::Media(_) | Act::Machine(_) | Act::Weather | Act::Time | Act::Date | Act::Nevermind | Act::Respond => {}
        }
        slots
    }

    /// Whether it asks how warm a room is, which is not asked of a device.
    fn asks_climate(&self) -> bool {
        let temperature =
            matches!(&self.act, Act::Ask(question) if question.attribute.as_deref() == Some("temperature"));
        temperature && self.target.domain.as_deref() == Some("climate")
    }

    /// Whether it asks which doors or windows are open. Home Assistant asks covers, even where only sensors know.
    fn asks_of_openings(&self) -> bool {
        let target = &self.target;
        matches!(self.act, Act::Ask(_))
            && target.name.is_none()
            && target.domain.as_deref() == Some("binary_sensor")
            && matches!(target.class.as_deref(), Some("door" | "window" | "garage_door"))
    }

    /// Whether Home Assistant wants to be told domain and class beside what else says which things are meant.
    fn says_kind(&self) -> (bool, bool) {
        let named = self.target.name.is_some();
        let domain = self.target.domain.as_deref().unwrap_or_default();
        match &self.act {
            Act::Switch(_) if named => (matches!(domain, "valve" | "scene" | "script"), false),
            Act::Switch(_) => (true, true),
            Act::Set(Setting::Position(_)) => (true, !named),
            Act::Ask(_) if self.asks_climate() => (false, false),
            Act::Ask(question) => match domain {
                "sensor" => (question.attribute.is_some(), question.attribute.is_some()),
                "binary_sensor" => (question.state.is_some(), question.state.is_some()),
                "cover" | "valve" if named => (true, false),
                "lock" | "person" => (true, false),
                _ => (!named, !named),
            },
            _ => (false, false),
        }
    }
}

/// Whole numbers are written as such.
pub(super) fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}
