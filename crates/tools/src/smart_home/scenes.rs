//! Scenes that were saved here: the conditions of some devices under one name, kept on the shelf.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::shelf::Shelf;
use serde::{Deserialize, Serialize};

use super::action::Action;
use super::house::{Abilities, Change, Condition, Device, HouseError, Settings, View};
use super::record;

/// The record on the shelf.
const RECORD: &str = "scenes";
/// The most scenes that are kept.
pub(super) const MOST: usize = 200;

/// How often the record is read again because somebody else was faster.
const ATTEMPTS: usize = 16;

/// A scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Scene {
    /// `scene.` and its name in letters that an id may have.
    pub(super) id: String,
    pub(super) name: String,
    /// What its devices are to be like.
    pub(super) devices: BTreeMap<String, Condition>,
    /// The key of the call that saved it.
    #[serde(default)]
    pub(super) saved_by: String,
}

/// The saved scenes, and a copy of them that can be read without waiting.
pub(super) struct Scenes {
    shelf: Arc<dyn Shelf>,
    first: Vec<Scene>,
    known: Mutex<Option<Arc<Vec<Scene>>>>,
}

impl Scenes {
    /// Scenes on a shelf, which are these `first` until one is saved.
    pub(super) fn new(shelf: Arc<dyn Shelf>, first: Vec<Scene>) -> Self {
        Self { shelf, first, known: Mutex::new(None) }
    }

    /// As last read; none before that.
    pub(super) fn known(&self) -> Option<Arc<Vec<Scene>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) async fn all(&self) -> Result<Arc<Vec<Scene>>, HouseError> {
        Ok(self.read().await?.0)
    }

    /// Saves a scene in the place of one with its id. Says what is there then: the same call saves once.
    pub(super) async fn save(&self, scene: Scene) -> Result<Scene, HouseError> {
        for _ in 0..ATTEMPTS {
            let (scenes, version) = self.read().await?;
            if let Some(saved) = scenes.iter().find(|known| known.id == scene.id && known.saved_by == scene.saved_by) {
                return Ok(saved.clone());
            }
            let mut scenes: Vec<Scene> = scenes.iter().filter(|known| known.id != scene.id).cloned().collect();
            if scenes.len() >= MOST {
                return Err(HouseError::Refused(format!("there are {MOST} scenes already, and no room for more")));
            }
            scenes.push(scene.clone());
            if record::write(self.shelf.as_ref(), RECORD, &scenes, version).await? {
                self.note(Arc::new(scenes));
                return Ok(scene);
            }
        }
        Err(HouseError::Moved)
    }

    async fn read(&self) -> Result<(Arc<Vec<Scene>>, record::Version), HouseError> {
        let (scenes, version) = record::read::<Vec<Scene>>(self.shelf.as_ref(), RECORD).await?;
        let scenes = Arc::new(if version == 0 { self.first.clone() } else { scenes });
        self.note(Arc::clone(&scenes));
        Ok((scenes, version))
    }

    fn note(&self, scenes: Arc<Vec<Scene>>) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(scenes);
    }
}

impl Scene {
    /// A scene of devices as they are. What would let somebody in is not part of it.
    pub(super) fn of(name: &str, devices: &[&Device], key: &str) -> Self {
        let devices = devices.iter().filter(|device| belongs(device));
        Self {
            id: scene_id(name),
            name: name.to_owned(),
            devices: devices.map(|device| (device.id.clone(), device.condition.clone())).collect(),
            saved_by: key.to_owned(),
        }
    }

    /// How it appears among devices.
    pub(super) fn device(&self) -> Device {
        Device {
            id: self.id.clone(),
            name: self.name.clone(),
            aliases: vec![format!("{} scene", self.name)],
            class: None,
            area: None,
            can: Abilities::default(),
            condition: Condition::of("scene"),
        }
    }

    /// What has to happen for its devices to be like it. Devices that are gone are left out.
    pub(super) fn changes(&self, view: &View) -> Vec<Change> {
        let there = self.devices.iter().filter_map(|(id, wished)| Some((view.device(id)?, wished)));
        there.map(|(device, wished)| change(&self.name, device, wished)).collect()
    }
}

/// The three scenes that the virtual home starts with.
pub(super) fn first(view: &View) -> Vec<Scene> {
    let scene = |name: &str, like: &dyn Fn(&Device) -> Option<Condition>| Scene {
        id: scene_id(name),
        name: name.to_owned(),
        devices: view.devices.iter().filter_map(|device| Some((device.id.clone(), like(device)?))).collect(),
        saved_by: String::new(),
    };
    let lit = |percent: u8, colour: &str| {
        let settings = Settings { brightness: Some(percent), colour: Some(colour.to_owned()), ..Settings::default() };
        Condition { settings, ..Condition::of("on") }
    };
    let shut = || {
        let settings = Settings { position: Some(0), ..Settings::default() };
        Condition { settings, ..Condition::of("closed") }
    };
    vec![
        scene("movie", &|device| match device.id.as_str() {
            "light.living_room_ceiling" => Some(Condition::of("off")),
            "light.living_room_lamp" => Some(lit(20, "warm white")),
            "cover.living_room_blinds" => Some(shut()),
            _ => None,
        }),
        scene("good night", &|device| match device.domain() {
            "light" | "switch" => Some(Condition::of("off")),
            "cover" => Some(shut()),
            "lock" => Some(Condition::of("locked")),
            "climate" => {
                let settings = Settings { temperature: Some(17.0), ..Settings::default() };
                Some(Condition { settings, ..Condition::of("heat") })
            }
            _ => None,
        }),
        scene("bright", &|device| (device.domain() == "light").then(|| lit(100, "white"))),
    ]
}

/// Whether a device as it is can be part of a scene.
fn belongs(device: &Device) -> bool {
    match device.domain() {
        "light" | "switch" | "fan" | "climate" => !matches!(device.condition.state.as_str(), "unavailable" | "unknown"),
        "cover" => device.condition.state == "closed" || !device.guards() && device.condition.state == "open",
        "lock" => device.condition.state == "locked",
        _ => false,
    }
}

fn change(scene: &str, device: &Device, wished: &Condition) -> Change {
    let mut settings = wished.settings.clone();
    let action = match (device.domain(), wished.state.as_str()) {
        (_, "off") => Action::TurnOff,
        ("light", _) if !settings.is_empty() => Action::Set,
        ("climate", mode) => {
            settings.mode = Some(mode.to_owned());
            Action::Set
        }
        ("cover", _) if device.can.position && settings.position.is_some() => Action::Set,
        ("cover", "closed") => Action::Close,
        ("cover", _) => Action::Open,
        ("lock", _) => Action::Lock,
        _ => Action::TurnOn,
    };
    if action == Action::TurnOff {
        settings = Settings::default();
    }
    let after = action.after(device, &settings);
    let (before, scene) = (device.condition.clone(), Some(scene.to_owned()));
    Change { id: device.id.clone(), name: device.name.clone(), action, settings, before, after, scene }
}

fn scene_id(name: &str) -> String {
    let letters =
        name.to_lowercase().chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
    let letters: String = letters;
    format!("scene.{}", letters.trim_matches('_'))
}
