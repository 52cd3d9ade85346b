//! `smart_home.control`: changes the house. What is wished is decided against the house as it is, then made once.

use std::sync::Arc;

use async_trait::async_trait;
use domain::name::Name;
use domain::tool::{CallContext, Tool, ToolError, ToolSpec};
use serde_json::{Value, json};

use super::action::Action;
use super::home::{Home, condition_fields, from_house, meant, or_question, refused, unread};
use super::house::{Change, Device, Earlier, HouseError, Outcome, View};
use super::say;
use super::scenes::Scene;
use super::target::{find, text};
use super::told;
use super::wish::{Refusal, Wish};
use crate::declare::{fields, list, parse, returning, spec};
use crate::errors;

/// How often a change is decided anew because the house has changed meanwhile.
const ATTEMPTS: usize = 16;

pub(super) struct Control {
    spec: ToolSpec,
    home: Arc<Home>,
}

impl Control {
    pub(super) fn new(home: Arc<Home>) -> Self {
        let spec = spec::<Wish>(
            "smart_home.control",
            "Switches, dims, colours, opens, locks, heats, plays or activates things in the house, by name, room or kind.",
            home.effect("target"),
        );
        let change = json!({
            "id": "string", "name": "string", "before": condition_fields(), "after": condition_fields(),
            "confirmed": "boolean",
        });
        let failure = json!({"id": "string", "name": "string", "why": "string"});
        let returns = or_question(fields(
            json!({"changed": list(fields(change, json!({})))}),
            json!({"failed": list(fields(failure, json!({})))}),
        ));
        Self { spec: returning(spec, returns), home }
    }

    async fn once_more(&self, changes: Vec<Change>, key: &str) -> Result<Value, ToolError> {
        if let Some(change) = changes.iter().find(|change| !change.action.repeatable()) {
            let detail = format!("`{}` was sent to the {} before, perhaps", change.action.words(), change.name);
            return Err(errors::lost(&self.spec, detail));
        }
        // Only houses that do not count versions leave a call begun.
        let outcomes = self.home.house.apply(&changes, key, 0).await.map_err(|error| from_house(&self.spec, error))?;
        self.report(&changes, &outcomes, &[])
    }

    fn report(&self, changes: &[Change], outcomes: &[Outcome], left_out: &[Refusal]) -> Result<Value, ToolError> {
        let mut changed = Vec::new();
        let mut failed = Vec::new();
        for (change, outcome) in changes.iter().zip(outcomes) {
            let about = json!({"id": change.id, "name": change.name});
            let (after, confirmed) = match outcome {
                Outcome::Confirmed(after) => (after, true),
                Outcome::Unconfirmed => (&change.after, false),
                Outcome::Refused(why) => {
                    failed.push((change.name.as_str(), why.as_str(), about));
                    continue;
                }
            };
            let mut about = about;
            about["before"] = json!(change.before);
            about["after"] = json!(after);
            about["confirmed"] = json!(confirmed);
            changed.push(about);
        }
        if let ([], [(_, why, _), ..]) = (changed.as_slice(), failed.as_slice()) {
            return Err(errors::failed(&self.spec, *why));
        }
        let mut said = told::words(changes, outcomes);
        for why in left_out {
            said.push_str(&format!(" {why}"));
        }
        for (name, why, _) in &failed {
            said.push_str(&format!(" The {name} refused: {why}."));
        }
        let mut result = json!({"said": said, "changed": changed});
        if !failed.is_empty() {
            let failed = failed.into_iter().map(|(_, why, mut about)| {
                about["why"] = json!(why);
                about
            });
            result["failed"] = failed.collect();
        }
        Ok(result)
    }
}

#[async_trait]
impl Tool for Control {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let wish: Wish = parse(&self.spec, arguments)?;
        let failed = |error| from_house(&self.spec, error);
        if let Err(said) = wish.checked() {
            return Ok(refused(&said));
        }
        match self.home.house.earlier(&call.key).await.map_err(failed)? {
            Earlier::Nothing => {}
            Earlier::Begun(changes) => return self.once_more(changes, &call.key).await,
            Earlier::Done(changes, outcomes) => return self.report(&changes, &outcomes, &[]),
        }
        for _ in 0..ATTEMPTS {
            let (view, scenes) = self.home.look().await.map_err(|error| unread(&self.spec, error))?;
            let Decided { changes, left_out } = match decide(&view, &scenes, &wish) {
                Ok(decided) => decided,
                Err(answer) => return Ok(answer),
            };
            match self.home.house.apply(&changes, &call.key, view.version).await {
                Ok(outcomes) => return self.report(&changes, &outcomes, &left_out),
                Err(HouseError::Moved) => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Err(failed(HouseError::Moved))
    }

    async fn names(&self) -> Vec<Name> {
        self.home.names().await
    }
}

/// What a wish comes to.
struct Decided {
    changes: Vec<Change>,
    /// Why some devices that were meant cannot be changed.
    left_out: Vec<Refusal>,
}

/// What a wish comes to, or the answer to give instead.
fn decide(view: &View, scenes: &[Scene], wish: &Wish) -> Result<Decided, Value> {
    let target = &wish.target;
    let named = text(target.name.as_deref()).or(text(target.id.as_deref())).is_some();
    let kind = target.class.is_some() || wish.action == Action::Unlock && target.domain.is_some();
    let expected = |device: &Device| match named || kind {
        true => wish.suits(device),
        false => wish.suits_unnamed(device),
    };
    let mut devices = meant(view, find(view, target, expected))?;
    // In a room that was named the only thing that can do it is meant, whatever it is.
    let placed = named || kind || target.area.is_some();
    if !placed || devices.iter().any(|device| expected(device)) {
        let able: Vec<&Device> = devices.iter().copied().filter(|device| wish.suits(device)).collect();
        devices.retain(|device| expected(device));
        if devices.is_empty() && !able.is_empty() {
            let names = say::names(able.iter().map(|device| device.name.as_str()));
            return Err(refused(&format!("Say which one to {}: {names}.", wish.action.words())));
        }
    } else if devices.iter().any(|device| wish.suits(device)) {
        devices.retain(|device| wish.suits(device));
    }
    if let [device] = devices.as_slice()
        && matches!(wish.action, Action::Activate | Action::TurnOn)
        && let Some(scene) = scenes.iter().find(|scene| scene.id == device.id)
    {
        return match scene.changes(view) {
            changes if changes.is_empty() => {
                Err(refused(&format!("The devices of the scene “{}” are not there any more.", scene.name)))
            }
            changes => Ok(Decided { changes, left_out: Vec::new() }),
        };
    }
    wished(&devices, wish).map_err(|said| refused(&said))
}

/// The changes of all devices that can be changed, or why there is none.
fn wished(devices: &[&Device], wish: &Wish) -> Result<Decided, Refusal> {
    let mut decided = Decided { changes: Vec::new(), left_out: Vec::new() };
    for device in devices {
        match wish.change(device) {
            Ok(change) => decided.changes.push(change),
            Err(why) => decided.left_out.push(why),
        }
    }
    match (decided.changes.is_empty(), decided.left_out.first()) {
        (true, Some(why)) => Err(why.clone()),
        (true, None) => Err("There is nothing there that can do that.".to_owned()),
        (false, _) => Ok(decided),
    }
}
