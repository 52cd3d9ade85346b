//! A house and the scenes that were saved for it, as the four tools see them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::name::{Name, NameKind};
use domain::store::StoreError;
use domain::tool::{Effect, Repeat, ToolError, ToolSpec};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::house::{Condition, Device, House, HouseError, View};
use super::scenes::{Scene, Scenes};
use super::target::Found;
use crate::declare::{self, from_store};
use crate::errors;

/// How long after a look the next one is taken without being asked for: while nothing is known, and afterwards.
const SOON: Duration = Duration::from_secs(5);
const LATER: Duration = Duration::from_secs(60);

pub(super) struct Home {
    pub(super) house: Arc<dyn House>,
    pub(super) scenes: Scenes,
    /// Whether it is reached over a network.
    elsewhere: bool,
    /// A look that nobody waits for; it ends with the home.
    looking: Mutex<Looking>,
}

#[derive(Default)]
struct Looking {
    task: JoinSet<()>,
    since: Option<Instant>,
}

impl Home {
    /// A house in this process.
    pub(super) fn here(house: impl House + 'static, scenes: Scenes) -> Self {
        Self { house: Arc::new(house), scenes, elsewhere: false, looking: Mutex::default() }
    }

    /// A house that is reached over a network.
    pub(super) fn elsewhere(house: impl House + 'static, scenes: Scenes) -> Self {
        Self { elsewhere: true, ..Self::here(house, scenes) }
    }

    /// What a tool that changes the house does to the world. Even a lock can be locked again.
    pub(super) fn effect(&self, target: &str) -> Effect {
        let targets = vec![target.to_owned()];
        Effect::Write { reversible: true, repeat: Repeat::SameKey, external: self.elsewhere, targets }
    }

    /// Everything there is, saved scenes among the devices.
    pub(super) async fn look(&self) -> Result<(View, Arc<Vec<Scene>>), HouseError> {
        let scenes = self.scenes.all().await?;
        let mut view = self.house.look().await?;
        view.devices.retain(|device| scenes.iter().all(|scene| scene.id != device.id));
        view.devices.extend(scenes.iter().map(Scene::device));
        Ok((view, scenes))
    }

    /// Everything with a name, as far as it is known. A house elsewhere is looked at meanwhile, now and then.
    pub(super) async fn names(&self) -> Vec<Name> {
        let view = self.house.known();
        if self.elsewhere {
            self.look_meanwhile(if view.devices.is_empty() { SOON } else { LATER });
        }
        let scenes = match self.scenes.known() {
            Some(scenes) => scenes,
            // One read of a local record, once.
            None => self.scenes.all().await.unwrap_or_default(),
        };
        let saved: Vec<Device> = scenes.iter().map(Scene::device).collect();
        let devices = view.devices.iter().filter(|device| saved.iter().all(|scene| scene.id != device.id));
        let areas = view.areas.iter().map(|area| Name {
            kind: NameKind::Area,
            id: area.id.clone(),
            name: area.name.clone(),
            aliases: area.aliases.clone(),
            domain: None,
            class: None,
            within: area.floor.clone(),
        });
        let floors = view.floors.iter().map(|floor| Name {
            kind: NameKind::Floor,
            id: floor.id.clone(),
            name: floor.name.clone(),
            aliases: floor.aliases.clone(),
            domain: None,
            class: None,
            within: None,
        });
        devices.chain(&saved).map(name).chain(areas).chain(floors).collect()
    }

    fn look_meanwhile(&self, unless_within: Duration) {
        let mut looking = self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        if looking.since.is_some_and(|since| since.elapsed() < unless_within) {
            return;
        }
        while looking.task.try_join_next().is_some() {}
        if looking.task.is_empty() {
            looking.since = Some(Instant::now());
            let house = Arc::clone(&self.house);
            looking.task.spawn(async move {
                if let Err(error) = house.look().await {
                    tracing::warn!(error = &error as &dyn std::error::Error, "the house cannot be looked at");
                }
            });
        }
    }
}

fn name(device: &Device) -> Name {
    let scene = device.domain() == "scene";
    Name {
        kind: if scene { NameKind::Scene } else { NameKind::Device },
        id: device.id.clone(),
        name: device.name.clone(),
        aliases: device.aliases.clone(),
        domain: Some(device.domain().to_owned()),
        class: device.class.clone(),
        within: device.area.clone(),
    }
}

/// The schema of a [`Condition`].
pub(super) fn condition_fields() -> Value {
    let measure = ["number", "null"];
    declare::fields(
        json!({"state": "string"}),
        json!({
            "brightness": "integer", "colour": "string", "temperature": measure, "position": "integer",
            "volume": "integer", "mode": "string", "measured": measure, "unit": "string",
        }),
    )
}

/// The schema of a device as results show it.
pub(super) fn shown_fields() -> Value {
    let about =
        declare::fields(json!({"id": "string", "name": "string"}), json!({"area": "string", "class": "string"}));
    declare::and(about, declare::partly(condition_fields()))
}

/// The schema of what tools answer that look for devices: this, or why there is none or which are meant.
pub(super) fn or_question(answer: Value) -> Value {
    let question = json!({
        "unknown": "boolean", "nearest": declare::list("string"), "ambiguous": "boolean",
        "candidates": declare::list(shown_fields()), "refused": "boolean",
    });
    declare::and(answer, declare::fields(json!({"said": "string"}), question))
}

/// A device as results show it.
pub(super) fn shown(view: &View, device: &Device) -> Value {
    let mut shown = json!({"id": device.id, "name": device.name});
    if let Some(area) = device.area.as_deref() {
        shown["area"] = json!(view.area(area).map_or(area, |area| area.name.as_str()));
    }
    if let Some(class) = &device.class {
        shown["class"] = json!(class);
    }
    if device.domain() != "scene" {
        for (name, value) in fields(&device.condition) {
            shown[name] = value;
        }
    }
    shown
}

fn fields(condition: &Condition) -> impl Iterator<Item = (String, Value)> {
    let value = serde_json::to_value(condition).unwrap_or_default();
    let fields = match value {
        Value::Object(fields) => fields,
        _ => Default::default(),
    };
    fields.into_iter()
}

/// The devices that were found, or what is answered where there are none or too many.
pub(super) fn meant<'v>(view: &View, found: Found<'v>) -> Result<Vec<&'v Device>, Value> {
    match found {
        Found::Named(device) => Ok(vec![device]),
        Found::Gathered(devices) => Ok(devices),
        Found::Unknown { said, nearest } => {
            Err(json!({"said": said, "unknown": true, "nearest": nearest, "changed": []}))
        }
        Found::Ambiguous { said, candidates } => {
            let candidates: Vec<Value> = candidates.iter().map(|device| shown(view, device)).collect();
            Err(json!({"said": said, "ambiguous": true, "candidates": candidates, "changed": []}))
        }
    }
}

/// What is answered to a wish that makes no sense.
pub(super) fn refused(said: &str) -> Value {
    json!({"said": said, "refused": true, "changed": []})
}

/// What it means for a call that the house cannot be looked at: nothing has happened yet.
pub(super) fn unread(spec: &ToolSpec, error: HouseError) -> ToolError {
    match error {
        HouseError::Lost(_) | HouseError::Store(StoreError::Unavailable(_)) => {
            errors::unavailable(spec, error.to_string())
        }
        other => from_house(spec, other),
    }
}

/// What a house's refusal means for a call.
pub(super) fn from_house(spec: &ToolSpec, error: HouseError) -> ToolError {
    match error {
        HouseError::Moved => errors::unavailable(spec, "others keep changing the house at the same time"),
        HouseError::Away(detail) => errors::unavailable(spec, detail),
        HouseError::Refused(detail) => errors::failed(spec, detail),
        HouseError::Lost(detail) => errors::lost(spec, detail),
        HouseError::Store(error) => from_store(spec, &error),
    }
}
