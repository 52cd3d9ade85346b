//! `smart_home.list`: rooms, what is in them, and scenes.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::home::{Home, from_house, shown, shown_fields};
use super::house::{Device, View};
use super::say;
use crate::declare::{fields, list, parse, returning, spec};

pub(super) struct List {
    spec: ToolSpec,
    home: Arc<Home>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {}

impl List {
    pub(super) fn new(home: Arc<Home>) -> Self {
        let spec = spec::<Arguments>(
            "smart_home.list",
            "Lists the rooms of the house, the devices in them and the scenes.",
            Effect::Read,
        );
        let devices = || list(shown_fields());
        let area = json!({"id": "string", "name": "string", "floor": ["string", "null"], "devices": devices()});
        let areas = list(fields(area, json!({})));
        let always = json!({"said": "string", "areas": areas, "elsewhere": devices(), "scenes": devices()});
        Self { spec: returning(spec, fields(always, json!({}))), home }
    }
}

#[async_trait]
impl Tool for List {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let Arguments {} = parse(&self.spec, arguments)?;
        let (view, _) = self.home.look().await.map_err(|error| from_house(&self.spec, error))?;
        let (scenes, devices): (Vec<&Device>, Vec<&Device>) =
            view.devices.iter().partition(|device| device.domain() == "scene");
        let within = |area: Option<&str>| -> Vec<&Device> {
            devices.iter().copied().filter(|device| device.area.as_deref() == area).collect()
        };
        let areas: Vec<Value> = view.areas.iter().map(|area| room(&view, area, &within(Some(&area.id)))).collect();
        let elsewhere: Vec<Value> = within(None).into_iter().map(|device| shown(&view, device)).collect();
        let mut said = format!(
            "There are {} in {}: {}.",
            counted(devices.len(), "device"),
            counted(view.areas.len(), "room"),
            say::names(view.areas.iter().map(|area| area.name.as_str()))
        );
        if !scenes.is_empty() {
            said.push_str(&format!(" Scenes: {}.", say::names(scenes.iter().map(|scene| scene.name.as_str()))));
        }
        let scenes: Vec<Value> = scenes.into_iter().map(|scene| shown(&view, scene)).collect();
        Ok(json!({"said": said, "areas": areas, "elsewhere": elsewhere, "scenes": scenes}))
    }
}

fn room(view: &View, area: &super::house::Area, devices: &[&Device]) -> Value {
    let devices: Vec<Value> = devices.iter().map(|device| shown(view, device)).collect();
    let floor = area.floor.as_ref().and_then(|id| view.floors.iter().find(|floor| floor.id == *id));
    json!({"id": area.id, "name": area.name, "floor": floor.map(|floor| &floor.name), "devices": devices})
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
