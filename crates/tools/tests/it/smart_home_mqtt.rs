//! Devices that announce themselves over MQTT, on a real broker.

use std::sync::Arc;
use std::time::Duration;

use domain::tool::ToolError;
use serde_json::{Value, json};
use tools::SmartHome;

use crate::broker::{Broker, Devices, flat, obey};
use crate::notebook::Notebook;
use crate::smart_home::{House, said};

fn at(port: u16, shelf: &Arc<Notebook>) -> House {
    House::new(SmartHome::Mqtt {
        host: "127.0.0.1".into(),
        port,
        user: Some("agent".into()),
        password: Some("secret".into()),
        prefix: "homeassistant".into(),
        shelf: shelf.clone(),
    })
}

async fn started() -> (Broker, Devices, House) {
    let broker = Broker::start("allow_anonymous true").await;
    let devices = Devices::on(&broker, flat(), obey).await;
    let house = at(broker.port, &Arc::default());
    (broker, devices, house)
}

/// Asks until the answer is as expected: news travel at their own pace.
async fn until(house: &House, name: &str, expected: &str) {
    let asking = async {
        while house.about(name).await != expected {
            tokio::task::yield_now().await;
        }
    };
    if tokio::time::timeout(Duration::from_secs(20), asking).await.is_err() {
        assert_eq!(house.about(name).await, expected);
    }
}

#[tokio::test]
async fn what_is_announced_is_known_with_its_room_and_state() {
    let (_broker, devices, house) = started().await;
    let list = house.call("list", "k", json!({})).await.expect("a list");
    assert_eq!(said(&list), "There are 10 devices in 2 rooms: Living Room and Kitchen. Scenes: Party.");
    for (name, expected) in [
        ("reading lamp", "The Reading Lamp is off."),
        ("spot", "The Spot is on at 20 %, blue."),
        ("plug", "The Plug is off."),
        ("blind", "The Blind is open."),
        ("heater", "The Heater is set to 20 °C (heat); it is 18.2 °C there."),
        ("door", "The Door is locked."),
        ("air humidity", "The Air Humidity reads 55.0 %."),
        ("window", "The Box Window says open."),
        ("mute lamp", "The Mute Lamp has not said how it is."),
    ] {
        assert_eq!(house.about(name).await, expected);
    }
    let names = house.tool("control").names().await;
    assert!(names.iter().any(|name| name.id == "light.lamp" && name.within.as_deref() == Some("living_room")));
    devices.publish("is/air/there", "offline").await;
    until(&house, "air humidity", "The Air Humidity does not answer.").await;
    devices.publish("homeassistant/lock/door/config", "").await;
    let gone = async {
        while house.state(json!({"target": {"name": "door"}})).await["unknown"] != true {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), gone).await.expect("a device that was withdrawn is gone");
}

#[tokio::test]
async fn devices_obey_and_what_they_report_is_told() {
    let (_broker, devices, house) = started().await;
    let cases = [
        (
            json!({"action": "set", "target": {"name": "reading lamp"}, "brightness": 25, "colour": "red"}),
            "The Reading Lamp is now on at 25 %, red.",
        ),
        (json!({"action": "turn_off", "target": {"area": "living room"}}), "The Reading Lamp is now off."),
        (
            json!({"action": "set", "target": {"name": "spot"}, "brightness_change": 30, "colour": "yellow"}),
            "The Spot is now on at 50 %, yellow.",
        ),
        (json!({"action": "turn_off", "target": {"name": "spot"}}), "The Spot is now off."),
        (json!({"action": "toggle", "target": {"name": "plug"}}), "The Plug is now on."),
        (json!({"action": "set", "target": {"name": "blind"}, "position": 40}), "The Blind is now open at 40 %."),
        (json!({"action": "close", "target": {"name": "blind"}}), "The Blind is now closing."),
        (
            json!({"action": "set", "target": {"domain": "climate"}, "temperature": 21.5}),
            "The Heater is now set to 21.5 °C (heat); it is 18.2 °C there.",
        ),
        (json!({"action": "turn_off", "target": {"name": "heater"}}), "The Heater is now off; it is 18.2 °C there."),
        (json!({"action": "unlock", "target": {"name": "door"}}), "The Door is now unlocked."),
        (json!({"action": "activate", "target": {"name": "party"}}), "The scene “Party” is set."),
    ];
    for (number, (arguments, expected)) in cases.into_iter().enumerate() {
        let done = house.control(&format!("k{number}"), arguments.clone()).await;
        assert_eq!(said(&done), expected, "{arguments}");
    }
    let commands = devices.commands();
    let sent: Vec<(&str, &str)> = commands.iter().map(|(topic, payload)| (topic.as_str(), payload.as_str())).collect();
    assert_eq!(sent[..3], [("set/lamp/brightness", "50"), ("set/lamp/rgb", "255,0,0"), ("set/lamp", "ON")]);
    let spot: Value = serde_json::from_str(sent[4].1).expect("JSON");
    assert_eq!(spot, json!({"state": "ON", "brightness": 128, "color": {"h": 55.0, "s": 100.0}}));
    assert!(sent.contains(&("set/plug", "1")) && sent.contains(&("set/heater/mode", "off")), "{sent:?}");
}

#[tokio::test]
async fn a_lamp_that_says_nothing_is_not_said_to_be_on() {
    let (_broker, devices, house) = started().await;
    let deaf = house.control("k1", json!({"action": "turn_on", "target": {"name": "deaf lamp"}})).await;
    assert_eq!(said(&deaf), "I told the Deaf Lamp to turn on, but it has not confirmed that yet.");
    assert_eq!(house.about("deaf lamp").await, "The Deaf Lamp is off.");
    let mute = house.control("k2", json!({"action": "turn_on", "target": {"name": "mute lamp"}})).await;
    assert_eq!(mute["changed"][0]["confirmed"], false);
    assert_eq!(house.about("mute lamp").await, "The Mute Lamp is on.");
    assert_eq!(devices.commands().last(), Some(&("set/mute".to_owned(), "ON".to_owned())));
}

#[tokio::test]
async fn the_same_call_is_sent_once() {
    let (broker, devices, _) = started().await;
    let shelf = Arc::default();
    let brighter = json!({"action": "set", "target": {"name": "spot"}, "brightness_change": 30});
    let first = at(broker.port, &shelf).control("k", brighter.clone()).await;
    let again = at(broker.port, &shelf).control("k", brighter).await;
    assert_eq!((said(&first), &again), ("The Spot is now on at 50 %.".to_owned(), &first));
    assert_eq!(devices.commands().len(), 1);
}

#[tokio::test]
async fn a_broker_that_goes_away_is_missed_and_found_again() {
    let (mut broker, mut devices, house) = started().await;
    assert_eq!(house.about("door").await, "The Door is locked.");
    let before = devices.times();
    broker.stop().await;
    let unlock = json!({"action": "unlock", "target": {"name": "door"}});
    // Until the loss is noticed a change may be lost; it is never said to be made.
    let refused = async {
        let mut attempts = 0;
        loop {
            attempts += 1;
            match house.call("control", &format!("k{attempts}"), unlock.clone()).await {
                Err(ToolError::Unavailable { detail, .. }) => return detail,
                Err(ToolError::InDoubt { .. }) => {}
                other => panic!("{other:?}"),
            }
        }
    };
    let detail = tokio::time::timeout(Duration::from_secs(20), refused).await.expect("noticed");
    assert!(detail.starts_with(&format!("the broker at 127.0.0.1:{} cannot be reached", broker.port)), "{detail}");
    broker.restart().await;
    devices.settled(before).await;
    assert_eq!(said(&house.control("later", unlock).await), "The Door is now unlocked.");
}

#[tokio::test]
async fn a_broker_that_does_not_want_us_is_said_so() {
    let broker = Broker::start("allow_anonymous false").await;
    let error = at(broker.port, &Arc::default()).call("list", "k", json!({})).await.expect_err("refused").to_string();
    assert_eq!(
        error,
        format!("`smart_home.list`: the broker at 127.0.0.1:{} does not accept the user or password", broker.port)
    );
}
