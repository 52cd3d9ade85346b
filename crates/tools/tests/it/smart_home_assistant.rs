//! A house that Home Assistant keeps, over real HTTP and WebSocket connections.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use domain::name::NameKind;
use domain::tool::{Effect, ToolError};
use serde_json::{Value, json};
use tools::SmartHome;

use crate::assistant::{Assistant, TOKEN};
use crate::notebook::Notebook;
use crate::smart_home::{House, said};

fn at(base: &str, token: &str, shelf: &Arc<Notebook>) -> House {
    House::new(SmartHome::HomeAssistant {
        url: base.parse().expect("url"),
        token: token.to_owned(),
        client: tools::client().expect("client"),
        shelf: shelf.clone(),
    })
}

async fn started() -> (Assistant, House) {
    let assistant = Assistant::start().await;
    let house = at(&assistant.base, TOKEN, &Arc::default());
    (assistant, house)
}

fn data(calls: &[(String, Value)]) -> Vec<(&str, &Value)> {
    calls.iter().map(|(service, data)| (service.as_str(), data)).collect()
}

#[tokio::test]
async fn rooms_names_and_states_are_those_of_home_assistant() {
    let (assistant, house) = started().await;
    let list = house.call("list", "k", json!({})).await.expect("a list");
    assert_eq!(said(&list), "There are 9 devices in 2 rooms: Kitchen and Bedroom. Scenes: Evening.");
    assert_eq!(house.about("big light").await, "The Kitchen Ceiling is on at 50 %, blue.");
    assert_eq!(house.about("flat").await, "The Flat is set to 20 °C (heat); it is 19.5 °C there.");
    assert_eq!(house.about("phone battery").await, "The Phone Battery reads 81 %.");
    let kitchen = house.state(json!({"target": {"floor": "downstairs"}, "state": "on"})).await;
    assert_eq!(said(&kitchen), "Yes, the Kitchen Ceiling is on at 50 %, blue.");
    let names = house.tool("control").names().await;
    let light = names.iter().find(|name| name.id == "light.ceiling").expect("a light");
    assert_eq!(
        (light.within.as_deref(), light.aliases.as_slice()),
        (Some("kitchen"), ["big light".to_owned()].as_slice())
    );
    assert!(names.iter().any(|name| name.kind == NameKind::Scene && name.name == "Evening"));
    assert!(names.iter().all(|name| name.id != "switch.firmware" && name.id != "sun.sun"));
    assert_eq!(*assistant.shared.sockets.lock().expect("not poisoned"), 1, "rooms are read once");
}

#[tokio::test]
async fn a_version_without_floors_still_has_rooms() {
    let (assistant, house) = started().await;
    assistant.shared.old.store(true, Ordering::Relaxed);
    let list = house.call("list", "k", json!({})).await.expect("a list");
    assert_eq!(said(&list), "There are 9 devices in 2 rooms: Kitchen and Bedroom. Scenes: Evening.");
    let floor = house.state(json!({"target": {"floor": "downstairs"}})).await;
    assert_eq!(said(&floor), "There is no floor called “downstairs”; none is known.");
}

#[tokio::test]
async fn names_are_looked_up_while_nobody_waits() {
    let (_assistant, house) = started().await;
    let control = house.tool("control");
    let known = async {
        while control.names().await.is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), known).await.expect("names before long");
}

#[tokio::test]
async fn services_are_called_and_what_they_changed_is_told() {
    let (assistant, house) = started().await;
    let cases = [
        (
            json!({"action": "set", "target": {"name": "kitchen ceiling"}, "brightness_change": -20, "colour": "red"}),
            "The Kitchen Ceiling is now on at 30 %, red.",
        ),
        (json!({"action": "turn_off", "target": {"area": "kitchen"}}), "The Kitchen Ceiling is now off."),
        (json!({"action": "close", "target": {"name": "shade"}}), "The Shade is now closing."),
        (json!({"action": "unlock", "target": {"name": "front door"}}), "The Front Door is now unlocked."),
        (
            json!({"action": "set", "target": {"domain": "climate"}, "temperature": 22}),
            "The Flat is now set to 22 °C (heat); it is 19.5 °C there.",
        ),
        (
            json!({"action": "set", "target": {"name": "radio"}, "volume": 15}),
            "The Radio is now playing at volume 15 %.",
        ),
        (json!({"action": "next", "target": {"name": "radio"}}), "The Radio plays the next track."),
        (json!({"action": "activate", "target": {"name": "evening"}}), "The scene “Evening” is set."),
    ];
    for (number, (arguments, expected)) in cases.into_iter().enumerate() {
        assert_eq!(said(&house.control(&format!("k{number}"), arguments).await), expected);
    }
    let calls = assistant.calls();
    assert_eq!(
        data(&calls)[..3],
        [
            ("light/turn_on", &json!({"brightness_pct": 30, "rgb_color": [255, 0, 0], "entity_id": ["light.ceiling"]})),
            ("light/turn_off", &json!({"entity_id": ["light.ceiling"]})),
            ("cover/close_cover", &json!({"entity_id": ["cover.shade"]})),
        ]
    );
    assert!(matches!(house.tool("control").spec().effect, Effect::Write { external: true, reversible: true, .. }));
}

#[tokio::test]
async fn a_lamp_that_obeys_late_is_waited_for() {
    let (_assistant, house) = started().await;
    let done = house.control("k", json!({"action": "set", "target": {"name": "late lamp"}, "brightness": 70})).await;
    assert_eq!(said(&done), "The Late Lamp is now on at 70 %.");
    assert_eq!(done["changed"][0]["confirmed"], true);
}

#[tokio::test]
async fn a_lamp_that_never_obeys_is_not_said_to_be_on() {
    let (_assistant, house) = started().await;
    let done = house.control("k", json!({"action": "turn_on", "target": {"name": "dead lamp"}})).await;
    assert_eq!(said(&done), "I told the Dead Lamp to turn on, but it has not confirmed that yet.");
    assert_eq!(done["changed"][0]["confirmed"], false);
    let lights = house.control("k3", json!({"action": "turn_on", "target": {"domain": "light"}})).await;
    assert_eq!(
        said(&lights),
        "2 lights are set: Kitchen Ceiling and Late Lamp. Not confirmed yet: Dead Lamp. The Gone Lamp does not answer at \
         the moment."
    );
    let gone = house.control("k2", json!({"action": "turn_on", "target": {"name": "gone lamp"}})).await;
    assert_eq!(said(&gone), "The Gone Lamp does not answer at the moment.");
}

#[tokio::test]
async fn a_repetition_sends_the_same_values_again_and_never_a_second_step() {
    let (assistant, house) = started().await;
    *assistant.shared.trouble.lock().expect("not poisoned") = Some("500 Internal Server Error");
    let brighter = json!({"action": "set", "target": {"name": "kitchen ceiling"}, "brightness_change": 10});
    let lost = house.call("control", "k1", brighter.clone()).await;
    assert!(matches!(lost, Err(ToolError::InDoubt { .. })), "{lost:?}");
    let skip = json!({"action": "next", "target": {"name": "radio"}});
    assert!(matches!(house.call("control", "k2", skip.clone()).await, Err(ToolError::InDoubt { .. })));
    *assistant.shared.trouble.lock().expect("not poisoned") = None;
    house.control("k3", json!({"action": "set", "target": {"name": "kitchen ceiling"}, "brightness": 90})).await;
    let done = house.control("k1", brighter.clone()).await;
    assert_eq!(said(&done), "The Kitchen Ceiling is now on at 60 %, blue.");
    assert_eq!(house.control("k1", brighter).await, done);
    let again = house.call("control", "k2", skip).await;
    assert!(matches!(again, Err(ToolError::InDoubt { .. })), "a track is not skipped twice: {again:?}");
    let calls = assistant.calls();
    let sent: Vec<&Value> = data(&calls).iter().map(|(_, data)| &data["brightness_pct"]).collect();
    assert_eq!(sent, [&json!(60), &json!(null), &json!(90), &json!(60)]);
}

#[tokio::test]
async fn what_may_have_been_done_stays_in_doubt_while_nobody_can_tell() {
    let (assistant, house) = started().await;
    *assistant.shared.trouble.lock().expect("not poisoned") = Some("502 Bad Gateway");
    let lamp = json!({"action": "turn_off", "target": {"name": "kitchen ceiling"}});
    let lost = house.call("control", "k1", lamp.clone()).await;
    assert!(matches!(lost, Err(ToolError::InDoubt { .. })), "{lost:?}");
    drop(assistant);
    let again = house.call("control", "k1", lamp.clone()).await;
    assert!(matches!(again, Err(ToolError::InDoubt { .. })), "{again:?}");
    let other = house.call("control", "k2", lamp).await;
    assert!(matches!(other, Err(ToolError::Unavailable { .. })), "{other:?}");
}

#[tokio::test]
async fn what_is_wrong_is_said_in_words() {
    let (assistant, house) = started().await;
    let error = |result: Result<Value, ToolError>| result.expect_err("refused").to_string();
    let lock = json!({"action": "lock", "target": {"name": "front door"}});
    assert_eq!(
        error(house.call("control", "k1", lock).await),
        "`smart_home.control`: Home Assistant has no `lock.lock` that takes this (Home Assistant answered 400 Bad \
         Request: \"400: Bad Request\")"
    );
    let stranger = at(&assistant.base, "wrong", &Arc::default());
    let asked = stranger.call("state", "k", json!({"target": {"name": "radio"}})).await;
    assert_eq!(error(asked), "`smart_home.state`: Home Assistant does not accept the token");
    let garbled = at(&assistant.base, "long\nlived", &Arc::default());
    let asked = garbled.call("list", "k", json!({})).await;
    assert_eq!(error(asked), "`smart_home.list`: the address or the token of Home Assistant cannot be used");
    let nowhere = at("http://127.0.0.1:9", TOKEN, &Arc::default());
    let asked = nowhere.call("control", "k", json!({"action": "play", "target": {"name": "radio"}})).await;
    assert_eq!(error(asked), "`smart_home.control` is not available: Home Assistant cannot be reached");
}

#[tokio::test]
async fn scenes_saved_here_are_set_through_services() {
    let (assistant, house) = started().await;
    let save = json!({"name": "blue kitchen", "target": {"area": "kitchen"}});
    house.call("scene_save", "k1", save).await.expect("saved");
    house.control("k2", json!({"action": "turn_off", "target": {"area": "kitchen"}})).await;
    let set = house.control("k3", json!({"action": "activate", "target": {"name": "blue kitchen"}})).await;
    assert_eq!(said(&set), "The scene “blue kitchen” is set: 1 light.");
    let calls = assistant.calls();
    assert_eq!(calls[1].1, json!({"brightness_pct": 50, "rgb_color": [0, 0, 255], "entity_id": ["light.ceiling"]}));
}
