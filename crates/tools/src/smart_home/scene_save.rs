//! `smart_home.scene_save`: keeps how devices are now under a name.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::home::{Home, from_house, meant, or_question, refused, unread};
use super::say;
use super::scenes::Scene;
use super::target::{Target, find, words};
use crate::declare::{fields, parse, returning, spec};

/// The longest name, in characters.
const NAME: usize = 60;

pub(super) struct SceneSave {
    spec: ToolSpec,
    home: Arc<Home>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What the scene is to be called; a scene with this name is replaced.
    name: String,
    /// Which devices belong to it; all when left out.
    target: Option<Target>,
}

impl SceneSave {
    pub(super) fn new(home: Arc<Home>) -> Self {
        let spec = spec::<Arguments>(
            "smart_home.scene_save",
            "Saves how devices in the house are now as a scene that can be activated later.",
            home.effect("name"),
        );
        // The devices are known by ids of the house's own.
        let scene = fields(json!({"id": "string", "name": "string", "devices": "object"}), json!({}));
        let returns = or_question(fields(json!({}), json!({"scene": scene, "changed": "array"})));
        Self { spec: returning(spec, returns), home }
    }
}

#[async_trait]
impl Tool for SceneSave {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { name, target } = parse(&self.spec, arguments)?;
        let name = name.trim();
        if words(name).is_empty() {
            return Ok(refused("What should the scene be called?"));
        }
        if name.chars().count() > NAME {
            return Ok(refused(&format!("The name of a scene has at most {NAME} letters.")));
        }
        let failed = |error| from_house(&self.spec, error);
        let (view, _) = self.home.look().await.map_err(|error| unread(&self.spec, error))?;
        let target = Target { all: Some(true), ..target.unwrap_or_default() };
        let devices = match meant(&view, find(&view, &target, |_| true)) {
            Ok(devices) => devices,
            Err(answer) => return Ok(answer),
        };
        let scene = Scene::of(name, &devices, &call.key);
        if scene.devices.is_empty() {
            return Ok(refused("There is nothing there that a scene could set."));
        }
        let scene = self.home.scenes.save(scene).await.map_err(failed)?;
        let count = say::counted(scene.devices.len(), scene.devices.keys().map(|id| super::house::domain_of(id)));
        let said = format!("The scene “{}” is saved with {count} as they are now.", scene.name);
        let said = if scene.devices.len() == 1 { said.replace("as they are", "as it is") } else { said };
        Ok(json!({"said": said, "scene": {"id": scene.id, "name": scene.name, "devices": scene.devices}}))
    }
}
