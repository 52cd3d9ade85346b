//! What people call the things that tools deal with: a lamp, a room, a timer.

use serde::{Deserialize, Serialize};

/// Something with a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Name {
    /// What it is.
    pub kind: NameKind,
    /// How tools know it, for example `light.kitchen_ceiling`.
    pub id: String,
    /// How people know it.
    pub name: String,
    /// What else they call it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// For a device what it is good for: `light`, `switch`, `cover`, `climate`, `lock`, `fan`, `media_player`, `sensor` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// For a device what it looks like within its domain: `curtain`, `door`, `battery` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// For a device the id of its area, for an area the id of its floor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
}

/// Kinds of things with names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NameKind {
    /// Something in the house that can be switched, set or read.
    Device,
    /// A room, or a place outside.
    Area,
    /// A storey.
    Floor,
    /// Settings of several devices under one name.
    Scene,
    /// A timer or an alarm.
    Timer,
    /// An appointment.
    Event,
    /// Somebody.
    Person,
    /// A list of things.
    List,
    /// Somewhere on the map.
    Place,
}
