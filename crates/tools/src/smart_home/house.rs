//! What a house is, whoever keeps it: devices in areas on floors, and changes to them.

use std::sync::Arc;

use async_trait::async_trait;
use domain::store::StoreError;
use serde::{Deserialize, Serialize};

use super::action::Action;

/// A house that can be looked at and changed.
#[async_trait]
pub(super) trait House: Send + Sync {
    /// Everything in it, as it is now.
    async fn look(&self) -> Result<View, HouseError>;

    /// Everything in it, as it was when it was last looked at.
    fn known(&self) -> Arc<View>;

    /// What is known about an earlier call with this key.
    async fn earlier(&self, _key: &str) -> Result<Earlier, HouseError> {
        Ok(Earlier::Nothing)
    }

    /// Makes changes that were planned from the view with the version `seen`. One outcome for each change.
    async fn apply(&self, changes: &[Change], key: &str, seen: u64) -> Result<Vec<Outcome>, HouseError>;
}

/// What there is at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct View {
    /// Counted by houses in which a change must follow a look at the same version.
    pub(super) version: u64,
    pub(super) devices: Vec<Device>,
    pub(super) areas: Vec<Area>,
    pub(super) floors: Vec<Floor>,
}

/// Something that can be switched, set or read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Device {
    /// Its domain, a full stop and a word, for example `light.kitchen_ceiling`.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    pub(super) class: Option<String>,
    /// The id of its area.
    pub(super) area: Option<String>,
    pub(super) can: Abilities,
    pub(super) condition: Condition,
}

/// What can be set on a device beyond what its domain says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Abilities {
    pub(super) brightness: bool,
    pub(super) colour: bool,
    pub(super) position: bool,
    pub(super) temperature: bool,
    pub(super) volume: bool,
    pub(super) mode: bool,
}

/// The state of a device.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Condition {
    /// `on`, `open`, `locked`, `heat`, `playing`, or for a sensor what it reads.
    pub(super) state: String,
    #[serde(flatten)]
    pub(super) settings: Settings,
    /// What a thermostat measures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) measured: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) unit: Option<String>,
}

/// Values that can be set, each where it makes sense.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Settings {
    /// In percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) brightness: Option<u8>,
    /// A name that [`super::colour`] knows, or `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) colour: Option<String>,
    /// What a thermostat is to reach, in the house's own unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f64>,
    /// In percent; 100 is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) position: Option<u8>,
    /// In percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) volume: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<String>,
}

/// A room, or a place outside.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Area {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    /// The id of its floor.
    pub(super) floor: Option<String>,
}

/// A storey.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Floor {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
}

/// What is to happen to one device. Nothing in it is relative, so that making it twice is making it once, except where
/// [`Action::repeatable`] says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Change {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) action: Action,
    /// The values to set besides.
    pub(super) settings: Settings,
    pub(super) before: Condition,
    /// What the device should report then.
    pub(super) after: Condition,
    /// The name of the saved scene that it is part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) scene: Option<String>,
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    /// The device reports this now.
    Confirmed(Condition),
    /// It was sent, and the device has not said anything that shows it.
    Unconfirmed,
    /// Nothing happened to this device, for this reason.
    Refused(String),
}

/// What is known about a call that may have been made before.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Earlier {
    /// It was never made.
    Nothing,
    /// These changes were decided on; whether they were made is not known.
    Begun(Vec<Change>),
    /// These changes came to these outcomes.
    Done(Vec<Change>, Vec<Outcome>),
}

/// Why a house cannot be looked at or changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum HouseError {
    /// Look again and decide again: the house has changed since.
    #[error("the house has changed meanwhile")]
    Moved,
    /// Try again later: nothing happened.
    #[error("{0}")]
    Away(String),
    /// Correct the settings: nothing happened.
    #[error("{0}")]
    Refused(String),
    /// It may have happened.
    #[error("{0}")]
    Lost(String),
    /// Where records are kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl View {
    pub(super) fn device(&self, id: &str) -> Option<&Device> {
        self.devices.iter().find(|device| device.id == id)
    }

    pub(super) fn area(&self, id: &str) -> Option<&Area> {
        self.areas.iter().find(|area| area.id == id)
    }
}

impl Device {
    /// What it is good for, in Home Assistant's words.
    pub(super) fn domain(&self) -> &str {
        domain_of(&self.id)
    }

    /// Whether opening it lets somebody in.
    pub(super) fn guards(&self) -> bool {
        matches!(self.class.as_deref(), Some("garage" | "door" | "gate"))
    }
}

/// The part of an id before the full stop.
pub(super) fn domain_of(id: &str) -> &str {
    id.split('.').next().unwrap_or_default()
}

impl Condition {
    pub(super) fn of(state: &str) -> Self {
        Self { state: state.to_owned(), ..Self::default() }
    }
}

impl Change {
    /// Whether a condition shows that it was made: the state and every value that was set, give or take rounding. What
    /// is on its way counts.
    pub(super) fn fulfilled_by(&self, now: &Condition) -> bool {
        let near = |is: Option<u8>, set: Option<u8>| set.is_none_or(|set| is.is_some_and(|is| is.abs_diff(set) <= 1));
        let degrees = |is: Option<f64>, set: f64| is.is_some_and(|is| (is - set).abs() < 0.51);
        let (set, is) = (&self.settings, &now.settings);
        let moving = matches!(now.state.as_str(), "opening" | "closing");
        self.reached(now)
            && near(is.brightness, set.brightness)
            && (moving || near(is.position, set.position))
            && near(is.volume, set.volume)
            && set.temperature.is_none_or(|set| degrees(is.temperature, set))
    }

    fn reached(&self, now: &Condition) -> bool {
        let is = now.state.as_str();
        match (domain_of(&self.id), self.action, self.after.state.as_str()) {
            (_, _, wished) if wished == is => true,
            ("cover" | "valve", Action::Set, _) => matches!(is, "opening" | "closing"),
            (_, _, "open") => is == "opening",
            (_, _, "closed") => is == "closing",
            (_, _, "docked") => is == "returning",
            ("media_player" | "climate", Action::TurnOn | Action::Play, _) => {
                !matches!(is, "off" | "unavailable" | "unknown" | "paused")
            }
            ("media_player", Action::Stop, _) => is != "playing",
            ("media_player" | "climate", Action::Set, _) => self.settings.mode.is_none(),
            _ => false,
        }
    }
}

impl Settings {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
