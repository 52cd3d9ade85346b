//! The virtual home, and everything that is decided the same way for every house.

use std::sync::Arc;

use domain::name::NameKind;
use domain::shelf::Shelf;
use domain::tool::{Effect, Repeat, Tool, ToolError};
use serde_json::{Value, json};
use tools::{Registry, SmartHome};

use crate::declared::as_declared;
use crate::language::context;
use crate::notebook::Notebook;

/// Tools for one house, called the way the runtime calls them.
pub(crate) struct House {
    tools: Vec<Arc<dyn Tool>>,
    registry: Registry,
}

impl House {
    pub(crate) fn new(with: SmartHome) -> Self {
        let tools = tools::smart_home(with);
        Self { registry: Registry::new(tools.clone()).expect("no conflict"), tools }
    }

    pub(crate) fn on(shelf: &Arc<Notebook>) -> Self {
        let shelf: Arc<dyn Shelf> = shelf.clone();
        Self::new(SmartHome::Virtual { shelf })
    }

    pub(crate) fn tool(&self, name: &str) -> &Arc<dyn Tool> {
        let full = format!("smart_home.{name}");
        self.tools.iter().find(|tool| tool.spec().name.to_string() == full).expect("one of the four")
    }

    pub(crate) async fn call(&self, tool: &str, key: &str, arguments: Value) -> Result<Value, ToolError> {
        let tool = self.tool(tool);
        self.registry.check(&tool.spec().name, &arguments)?;
        as_declared(tool.spec(), tool.call(&arguments, &context(key)).await)
    }

    pub(crate) async fn control(&self, key: &str, arguments: Value) -> Value {
        self.call("control", key, arguments).await.expect("an answer")
    }

    pub(crate) async fn state(&self, arguments: Value) -> Value {
        self.call("state", "read", arguments).await.expect("an answer")
    }

    /// What is said about one thing.
    pub(crate) async fn about(&self, name: &str) -> String {
        said(&self.state(json!({"target": {"name": name}})).await)
    }
}

pub(crate) fn said(result: &Value) -> String {
    result["said"].as_str().expect("every result says something").to_owned()
}

fn house() -> House {
    House::on(&Arc::default())
}

#[tokio::test]
async fn what_is_changed_stays_changed() {
    let shelf = Arc::default();
    let done = House::on(&shelf)
        .control(
            "k1",
            json!({"action": "set", "target": {"name": "Kitchen ceiling light"}, "brightness": 40, "colour": "Blue"}),
        )
        .await;
    assert_eq!(said(&done), "The kitchen ceiling light is now on at 40 %, blue.");
    assert_eq!(
        done["changed"],
        json!([{"id": "light.kitchen_ceiling", "name": "kitchen ceiling light",
                "before": {"state": "off", "brightness": 100, "colour": "warm white"},
                "after": {"state": "on", "brightness": 40, "colour": "blue"}, "confirmed": true}])
    );
    assert_eq!(
        House::on(&shelf).about("kitchen ceiling light").await,
        "The kitchen ceiling light is on at 40 %, blue."
    );
}

#[tokio::test]
async fn the_same_call_is_made_once_even_if_the_house_has_changed_since() {
    let house = house();
    let lamp = json!({"name": "desk lamp"});
    house.control("k1", json!({"action": "set", "target": lamp, "brightness": 40})).await;
    let brighter = json!({"action": "set", "target": lamp, "brightness_change": 10});
    let first = house.control("k2", brighter.clone()).await;
    assert_eq!(said(&first), "The desk lamp is now on at 50 %, warm white.");
    assert_eq!(house.control("k2", brighter.clone()).await, first);
    assert_eq!(house.about("desk lamp").await, "The desk lamp is on at 50 %, warm white.");
    house.control("k3", json!({"action": "turn_off", "target": lamp})).await;
    assert_eq!(house.control("k2", brighter.clone()).await, first);
    assert_eq!(house.about("desk lamp").await, "The desk lamp is off.");
    house.control("k4", json!({"action": "toggle", "target": lamp})).await;
    house.control("k4", json!({"action": "toggle", "target": lamp})).await;
    assert_eq!(said(&house.control("k5", brighter).await), "The desk lamp is now on at 60 %, warm white.");
}

#[tokio::test]
async fn no_change_is_lost_when_many_are_made_at_once() {
    let house = house();
    house.control("k0", json!({"action": "set", "target": {"name": "speaker"}, "volume": 0})).await;
    let louder = json!({"action": "set", "target": {"name": "speaker"}, "volume_change": 5});
    let keys: Vec<String> = (0..10).map(|number| format!("louder {number}")).collect();
    futures::future::join_all(keys.iter().map(|key| house.control(key, louder.clone()))).await;
    assert_eq!(house.about("speaker").await, "The speaker is paused at volume 50 %.");
}

#[tokio::test]
async fn a_room_or_a_kind_means_everything_of_it() {
    let house = house();
    let on = house.control("k1", json!({"action": "turn_on", "target": {"area": "kitchen", "domain": "light"}})).await;
    assert_eq!(said(&on), "2 lights are now on at 100 %, warm white: kitchen ceiling light and kitchen counter light.");
    let bright = house.control("k2", json!({"action": "turn_on", "target": {"name": "the bedroom lights"}})).await;
    assert_eq!(bright["changed"].as_array().map(Vec::len), Some(2));
    let off =
        house.control("k3", json!({"action": "turn_off", "target": {"floor": "downstairs", "domain": "light"}})).await;
    assert_eq!(off["changed"].as_array().map(Vec::len), Some(6));
    let which = house.state(json!({"target": {"domain": "light"}, "question": "which", "state": "on"})).await;
    assert_eq!(said(&which), "2 lights are on: bedroom ceiling light and bedside lamp.");
    let all = house.control("k4", json!({"action": "turn_off", "target": {"all": true}})).await;
    assert!(all["changed"].as_array().expect("changes").iter().all(|change| {
        let id = change["id"].as_str().expect("an id");
        !id.starts_with("climate") && !id.starts_with("lock") && change["after"]["state"] == "off"
    }));
}

#[tokio::test]
async fn nothing_lets_anybody_in_that_was_not_named() {
    let house = house();
    let open = house.control("k1", json!({"action": "open", "target": {"all": true}})).await;
    assert!(!open.to_string().contains("garage"), "{open}");
    let unlock = house.control("k0", json!({"action": "unlock", "target": {"all": true}})).await;
    assert_eq!(said(&unlock), "Say which one to unlock: front door lock and back door lock.");
    let opened = house.control("k2", json!({"action": "open", "target": {"name": "garage"}})).await;
    assert_eq!(said(&opened), "The garage door is now open.");
    let locks = house.control("k4", json!({"action": "unlock", "target": {"domain": "lock", "all": true}})).await;
    assert_eq!(said(&locks), "2 locks are now unlocked: front door lock and back door lock.");
    let scene = house.call("scene_save", "k3", json!({"name": "now", "target": {"area": "garage"}})).await;
    assert!(!scene.expect("saved")["scene"].to_string().contains("garage_door"));
}

#[tokio::test]
async fn covers_locks_heating_and_music_do_what_they_are_told() {
    let house = house();
    let cases = [
        (
            json!({"action": "set", "target": {"name": "living room blinds"}, "position": 30}),
            "The living room blinds are now open at 30 %.",
        ),
        (
            json!({"action": "close", "target": {"name": "living room blinds"}}),
            "The living room blinds are now closed.",
        ),
        (json!({"action": "unlock", "target": {"name": "front door"}}), "The front door lock is now unlocked."),
        (json!({"action": "lock", "target": {"name": "back door"}}), "The back door lock is locked already."),
        (
            json!({"action": "set", "target": {}, "temperature": 22.5}),
            "The thermostat is now set to 22.5 °C (heat); it is 21.3 °C there.",
        ),
        (
            json!({"action": "set", "target": {"area": "living room"}, "temperature_change": -2}),
            "The thermostat is now set to 20.5 °C (heat); it is 21.3 °C there.",
        ),
        (
            json!({"action": "set", "target": {"name": "thermostat"}, "mode": "cool"}),
            "The thermostat is now set to 20.5 °C (cool); it is 21.3 °C there.",
        ),
        (
            json!({"action": "set", "target": {"name": "thermostat"}, "mode": "off"}),
            "The thermostat is now off; it is 21.3 °C there.",
        ),
        (json!({"action": "play", "target": {}}), "The speaker is now playing at volume 30 %."),
        (json!({"action": "next", "target": {"name": "speaker"}}), "The speaker plays the next track."),
        (
            json!({"action": "set", "target": {"name": "music"}, "volume_change": -100}),
            "The speaker is now playing at volume 0 %.",
        ),
        (json!({"action": "start", "target": {"name": "robot"}}), "The robot vacuum is now cleaning."),
        (json!({"action": "dock", "target": {"domain": "vacuum"}}), "The robot vacuum is now docked."),
        (json!({"action": "turn_on", "target": {"name": "coffee maker"}}), "The coffee machine is now on."),
        (json!({"action": "toggle", "target": {"name": "coffee machine"}}), "The coffee machine is now off."),
        (json!({"action": "set", "target": {"id": "light.porch"}, "brightness": 0}), "The porch light is off already."),
    ];
    for (number, (arguments, expected)) in cases.into_iter().enumerate() {
        assert_eq!(said(&house.control(&format!("k{number}"), arguments).await), expected);
    }
}

#[tokio::test]
async fn scenes_are_saved_and_set_again() {
    let shelf = Arc::default();
    let house = House::on(&shelf);
    let movie = house.control("k1", json!({"action": "activate", "target": {"name": "movie"}})).await;
    assert_eq!(said(&movie), "The scene “movie” is set: 3 devices.");
    assert_eq!(house.control("k1", json!({"action": "activate", "target": {"name": "movie"}})).await, movie);
    assert_eq!(house.about("floor lamp").await, "The living room lamp is on at 20 %, warm white.");
    let save = json!({"name": "Cosy evening", "target": {"area": "living room"}});
    let saved = house.call("scene_save", "k2", save.clone()).await.expect("saved");
    assert_eq!(said(&saved), "The scene “Cosy evening” is saved with 4 devices as they are now.");
    house.control("k3", json!({"action": "activate", "target": {"name": "bright", "domain": "scene"}})).await;
    assert_eq!(house.about("floor lamp").await, "The living room lamp is on at 100 %, white.");
    assert_eq!(house.call("scene_save", "k2", save).await, Ok(saved), "the same call saves once");
    let again = House::on(&shelf);
    assert!(again.tool("control").names().await.iter().any(|name| name.id == "scene.cosy_evening"));
    again.control("k4", json!({"action": "activate", "target": {"name": "the cosy evening scene"}})).await;
    assert_eq!(again.about("floor lamp").await, "The living room lamp is on at 20 %, warm white.");
}

#[tokio::test]
async fn names_are_those_of_devices_rooms_floors_and_scenes() {
    let names = house().tool("control").names().await;
    let count = |kind| names.iter().filter(|name| name.kind == kind).count();
    assert_eq!((count(NameKind::Area), count(NameKind::Floor), count(NameKind::Scene)), (8, 2, 3));
    let door = names.iter().find(|name| name.id == "cover.garage_door").expect("a garage door");
    assert_eq!(
        (door.name.as_str(), door.domain.as_deref(), door.class.as_deref()),
        ("garage door", Some("cover"), Some("garage"))
    );
    assert_eq!(door.within.as_deref(), Some("garage"));
}

#[tokio::test]
async fn the_effect_is_told_truthfully() {
    let house = house();
    let write =
        Effect::Write { reversible: true, repeat: Repeat::SameKey, external: false, targets: vec!["target".into()] };
    assert_eq!(house.tool("control").spec().effect, write);
    assert_eq!(house.tool("state").spec().effect, Effect::Read);
}

#[tokio::test]
async fn a_store_that_is_away_leaves_a_change_in_doubt_and_a_question_unanswered() {
    let house = House::on(&Arc::new(Notebook { broken: true, ..Notebook::default() }));
    let changed = house.call("control", "k", json!({"action": "turn_on", "target": {"name": "fan"}})).await;
    assert!(matches!(changed, Err(ToolError::InDoubt { .. })), "{changed:?}");
    let asked = house.call("state", "k", json!({"target": {"name": "fan"}})).await;
    assert!(matches!(asked, Err(ToolError::Unavailable { .. })), "{asked:?}");
}
