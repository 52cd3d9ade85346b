//! What can be done to a device, which devices it can be done to, and what they are like afterwards.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::house::{Condition, Device, Settings};

/// Something that can be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Action {
    TurnOn,
    TurnOff,
    Toggle,
    Set,
    Open,
    Close,
    Lock,
    Unlock,
    Activate,
    Next,
    Previous,
    Pause,
    Play,
    Start,
    Stop,
    Dock,
}

impl Action {
    /// How it is said: "I can't *open* the lamp".
    pub(super) fn words(self) -> &'static str {
        match self {
            Action::TurnOn => "turn on",
            Action::TurnOff => "turn off",
            Action::Toggle => "toggle",
            Action::Set => "set",
            Action::Open => "open",
            Action::Close => "close",
            Action::Lock => "lock",
            Action::Unlock => "unlock",
            Action::Activate => "activate",
            Action::Next => "skip forward on",
            Action::Previous => "skip back on",
            Action::Pause => "pause",
            Action::Play => "play on",
            Action::Start => "start",
            Action::Stop => "stop",
            Action::Dock => "dock",
        }
    }

    /// Whether doing it twice is doing it once.
    pub(super) fn repeatable(self) -> bool {
        !matches!(self, Action::Next | Action::Previous | Action::Toggle)
    }

    /// Whether it can be done to a device at all.
    pub(super) fn suits(self, device: &Device) -> bool {
        let domain = device.domain();
        match self {
            Action::TurnOn | Action::TurnOff => {
                matches!(
                    domain,
                    "light" | "switch" | "fan" | "media_player" | "climate" | "input_boolean" | "humidifier" | "siren"
                ) || (self == Action::TurnOn && matches!(domain, "scene" | "script"))
            }
            Action::Toggle => {
                matches!(domain, "light" | "switch" | "fan" | "media_player" | "input_boolean" | "cover" | "lock")
            }
            Action::Set => settable(device),
            Action::Open | Action::Close => matches!(domain, "cover" | "valve"),
            Action::Lock | Action::Unlock => domain == "lock",
            Action::Activate => matches!(domain, "scene" | "script"),
            Action::Next | Action::Previous | Action::Play => domain == "media_player",
            Action::Pause => matches!(domain, "media_player" | "vacuum"),
            Action::Start | Action::Dock => domain == "vacuum",
            Action::Stop => matches!(domain, "media_player" | "vacuum" | "cover"),
        }
    }

    /// The same for a device that nobody named, only its room or the whole house: what somebody would expect to be
    /// meant. "Turn off the kitchen" is not about heating, and "open everything" not about doors.
    pub(super) fn suits_unnamed(self, device: &Device) -> bool {
        let expected = match self {
            Action::TurnOn | Action::TurnOff | Action::Toggle => {
                matches!(device.domain(), "light" | "switch" | "fan" | "media_player" | "input_boolean")
            }
            Action::Open => !device.guards(),
            Action::Unlock => false,
            _ => true,
        };
        expected && self.suits(device)
    }

    /// The action that a toggle means for a device as it is.
    pub(super) fn settled(self, device: &Device) -> Action {
        if self != Action::Toggle {
            return self;
        }
        match (device.domain(), device.condition.state.as_str()) {
            ("cover", "closed" | "closing") => Action::Open,
            ("cover", _) => Action::Close,
            ("lock", "locked") => Action::Unlock,
            ("lock", _) => Action::Lock,
            (_, "off" | "unknown" | "unavailable" | "standby") => Action::TurnOn,
            _ => Action::TurnOff,
        }
    }

    /// What a device is like once this has been done to it.
    pub(super) fn after(self, device: &Device, settings: &Settings) -> Condition {
        let mut after = device.condition.clone();
        let (domain, now) = (device.domain(), &mut after.settings);
        merge(now, settings);
        if domain == "climate" {
            // Its mode is its state.
            now.mode = None;
        }
        let state = match self {
            Action::TurnOn if domain == "media_player" => "playing",
            Action::TurnOn if domain == "climate" => settings.mode.as_deref().unwrap_or("heat"),
            Action::TurnOn => "on",
            Action::TurnOff => "off",
            Action::Open | Action::Close => {
                let open = self == Action::Open;
                if device.can.position {
                    now.position = Some(settings.position.unwrap_or(if open { 100 } else { 0 }));
                }
                if open { "open" } else { "closed" }
            }
            Action::Lock => "locked",
            Action::Unlock => "unlocked",
            Action::Pause => "paused",
            Action::Next | Action::Previous | Action::Play => "playing",
            Action::Start => "cleaning",
            Action::Dock => "docked",
            Action::Stop => match domain {
                "cover" => after.state.as_str(),
                _ => "idle",
            },
            Action::Set => match (domain, settings) {
                ("light", _) => "on",
                ("cover" | "valve", Settings { position: Some(0), .. }) => "closed",
                ("cover" | "valve", _) => "open",
                ("climate", Settings { mode: Some(mode), .. }) => mode,
                ("climate", _) if after.state == "off" => "heat",
                _ => after.state.as_str(),
            },
            Action::Toggle | Action::Activate => after.state.as_str(),
        };
        after.state = state.to_owned();
        after
    }
}

fn settable(device: &Device) -> bool {
    let can = device.can;
    can.brightness || can.colour || can.position || can.temperature || can.volume || can.mode
}

fn merge(into: &mut Settings, from: &Settings) {
    let from = from.clone();
    into.brightness = from.brightness.or(into.brightness);
    into.colour = from.colour.or(into.colour.take());
    into.temperature = from.temperature.or(into.temperature);
    into.position = from.position.or(into.position);
    into.volume = from.volume.or(into.volume);
    into.mode = from.mode.or(into.mode.take());
}
