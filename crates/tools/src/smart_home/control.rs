//! `smart_home.control`: changes the house. What is wished is decided against the house as it is, then made once.

use std::sync::Arc;

use async_trait::async_trait;
use domain::name::Name;
use domain::tool::{CallContext, Tool, ToolError, ToolSpec};
use serde_json::{Value, json};

use super::action::Action;
use super::home::{Home, from_house, meant, refused, unread};
use super::house::{Change, Device, Earlier, HouseError, Outcome, View, domain_of};
use super::say;
use super::scenes::Scene;
use super::target::{find, text};
use super::wish::Wish;
use crate::declare::{parse, spec};
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
        Self { spec, home }
    }

    async fn once_more(&self, changes: Vec<Change>, key: &str) -> Result<Value, ToolError> {
        if let Some(change) = changes.iter().find(|change| !change.action.repeatable()) {
            let detail = format!("`{}` was sent to the {} before, perhaps", change.action.words(), change.name);
            return Err(errors::lost(&self.spec, detail));
        }
        // Only houses that do not count versions leave a call begun.
        let outcomes = self.home.house.apply(&changes, key, 0).await.map_err(|error| from_house(&self.spec, error))?;
        self.report(&changes, &outcomes)
    }

    fn report(&self, changes: &[Change], outcomes: &[Outcome]) -> Result<Value, ToolError> {
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
        let mut said = words(changes, outcomes);
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
            Earlier::Done(changes, outcomes) => return self.report(&changes, &outcomes),
        }
        for _ in 0..ATTEMPTS {
            let (view, scenes) = self.home.look().await.map_err(|error| unread(&self.spec, error))?;
            let changes = match decide(&view, &scenes, &wish) {
                Ok(changes) => changes,
                Err(answer) => return Ok(answer),
            };
            match self.home.house.apply(&changes, &call.key, view.version).await {
                Ok(outcomes) => return self.report(&changes, &outcomes),
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

/// The changes that a wish means, or the answer to give instead.
fn decide(view: &View, scenes: &[Scene], wish: &Wish) -> Result<Vec<Change>, Value> {
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
            changes => Ok(changes),
        };
    }
    wished(&devices, wish).map_err(|said| refused(&said))
}

/// The changes of all devices that can be changed, or why there is none.
fn wished(devices: &[&Device], wish: &Wish) -> Result<Vec<Change>, String> {
    let mut changes = Vec::new();
    let mut problem = None;
    for device in devices {
        match wish.change(device) {
            Ok(change) => changes.push(change),
            Err(said) => problem = problem.or(Some(said)),
        }
    }
    match (changes.is_empty(), problem) {
        (true, Some(said)) => Err(said),
        (true, None) => Err("There is nothing there that can do that.".to_owned()),
        (false, _) => Ok(changes),
    }
}

fn words(changes: &[Change], outcomes: &[Outcome]) -> String {
    let made: Vec<(&Change, &Outcome)> =
        changes.iter().zip(outcomes).filter(|(_, outcome)| !matches!(outcome, Outcome::Refused(_))).collect();
    let silent = made.iter().filter(|(_, outcome)| **outcome == Outcome::Unconfirmed).map(|(change, _)| &*change.name);
    let silent: Vec<&str> = silent.collect();
    if let Some(scene) = changes.first().and_then(|change| change.scene.as_deref()) {
        let count = say::counted(made.len(), made.iter().map(|(change, _)| domain_of(&change.id)));
        let unsure = unsure(&silent);
        return format!("The scene “{scene}” is set: {count}.{unsure}");
    }
    if let [(change, outcome)] = made.as_slice() {
        return one(change, outcome);
    }
    let is = |change: &Change, outcome: &Outcome| match outcome {
        Outcome::Confirmed(after) => say::is(domain_of(&change.id), None, after),
        Outcome::Unconfirmed | Outcome::Refused(_) => say::is(domain_of(&change.id), None, &change.after),
    };
    let count = say::counted(made.len(), made.iter().map(|(change, _)| domain_of(&change.id)));
    let mut each: Vec<String> = made.iter().map(|(change, outcome)| is(change, outcome)).collect();
    let names = say::names(made.iter().map(|(change, _)| change.name.as_str()));
    each.dedup();
    let said = match each.as_slice() {
        [same] if same.starts_with("is ") => format!("{count} are now {}: {names}.", same.trim_start_matches("is ")),
        _ => format!("{count} were set: {names}."),
    };
    format!("{said}{}", unsure(&silent))
}

fn one(change: &Change, outcome: &Outcome) -> String {
    let (name, domain) = (&change.name, domain_of(&change.id));
    match (outcome, change.action) {
        (Outcome::Unconfirmed, action) if domain != "scene" => {
            format!("I told the {name} to {}, but it has not confirmed that yet.", doing(action))
        }
        (_, Action::Next) => format!("The {name} plays the next track."),
        (_, Action::Previous) => format!("The {name} plays the previous track."),
        (_, Action::Stop) if domain == "cover" => format!("The {name} has stopped."),
        (_, Action::Activate | Action::TurnOn) if domain == "scene" => format!("The scene “{name}” is set."),
        (Outcome::Confirmed(after), _) if *after == change.before => {
            say::sentence(&format!("{} already.", say::about(name, &say::is(domain, None, after))))
        }
        (Outcome::Confirmed(after), _) => {
            let is = say::is(domain, None, after);
            let now = is.strip_prefix("is ").map_or(is.clone(), |rest| format!("is now {rest}"));
            say::sentence(&format!("{}.", say::about(name, &now)))
        }
        (Outcome::Unconfirmed | Outcome::Refused(_), _) => format!("The {name} was told."),
    }
}

fn doing(action: Action) -> &'static str {
    match action {
        Action::Set => "change",
        Action::Next => "play the next track",
        Action::Previous => "play the previous track",
        Action::Play => "play",
        other => other.words(),
    }
}

fn unsure(silent: &[&str]) -> String {
    match silent {
        [] => String::new(),
        names => format!(" Not confirmed yet: {}.", say::names(names.iter().copied())),
    }
}
