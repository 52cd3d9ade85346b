//! What is understood of commands to a house, in a small house of our own.

use domain::name::{Name, NameKind};
use reflex::home::{Command, understand};
use serde_json::{Value, json};

/// A den, a nursery and a porch, with a few things in them.
pub(crate) fn house() -> Vec<Name> {
    let place = |kind, id: &str, name: &str, within: Option<&str>| Name {
        kind,
        id: id.to_owned(),
        name: name.to_owned(),
        aliases: Vec::new(),
        domain: None,
        class: None,
        within: within.map(str::to_owned),
    };
    let device = |id: &str, name: &str, class: Option<&str>, within: Option<&str>| Name {
        domain: id.split('.').next().map(str::to_owned),
        class: class.map(str::to_owned),
        ..place(NameKind::Device, id, name, within)
    };
    let mut house = vec![
        place(NameKind::Floor, "attic", "Attic", None),
        place(NameKind::Area, "den", "Den", None),
        place(NameKind::Area, "nursery", "Baby Room", Some("attic")),
        place(NameKind::Area, "porch", "Porch", None),
        place(NameKind::Scene, "scene.movie_night", "Movie Night", None),
        device("light.reading", "Reading Lamp", None, Some("den")),
        device("light.porch", "Porch Light", None, Some("porch")),
        device("cover.nursery", "Stripy Blind", Some("blind"), Some("nursery")),
        device("climate.hall", "Hall Radiator", None, None),
        device("lock.gate", "Garden Gate", None, None),
        device("vacuum.dusty", "Dusty", None, Some("den")),
        device("media_player.record", "Record Player", None, Some("den")),
        device("sensor.gauge", "Rain Gauge", Some("precipitation"), None),
        device("binary_sensor.cellar", "Cellar", Some("moisture"), None),
        device("binary_sensor.light", "Light", Some("light"), None),
        device("person.nora", "Nora", None, None),
        device("todo.packing", "Packing", None, None),
    ];
    house[2].aliases.push("Nursery".to_owned());
    house
}

pub(crate) fn read(text: &str) -> Option<Command> {
    understand(text, &house(), None)
}

fn call(text: &str) -> Value {
    let (tool, arguments) = read(text).and_then(|command| command.call()).expect("a command for a smart home");
    json!([tool, arguments])
}

fn intent(text: &str) -> Value {
    let command = read(text).expect("something that is understood");
    json!([command.intent(), command.slots()])
}

#[test]
fn a_thing_is_switched_by_its_name() {
    let lamp = json!({"name": "Reading Lamp", "id": "light.reading", "domain": "light"});
    let on = json!(["smart_home.control", {"action": "turn_on", "target": lamp}]);
    for text in ["turn on the reading lamp", "Reading lamp on", "could you switch my reading lamp on please?"] {
        assert_eq!(call(text), on, "{text}");
    }
}

#[test]
fn a_slip_of_the_finger_does_not_matter() {
    for text in [
        "turn off the redaing lamp",
        "turn off the readin lamp",
        "TURN OFF THE READING LAMP",
        "turn off teh reading lampp",
    ] {
        let command = read(text).expect("a lamp with a slip in its name");
        assert_eq!(command.target.id.as_deref(), Some("light.reading"), "{text}");
        assert_eq!(command.intent(), "HassTurnOff", "{text}");
    }
}

#[test]
fn a_kind_of_things_is_meant_in_a_place() {
    let lights = json!(["smart_home.control", {
        "action": "turn_off", "target": {"domain": "light", "area": "nursery", "all": true}
    }]);
    for text in ["turn off the lights in the nursery", "turn all the baby room lights off", "babyroom lights off"] {
        assert_eq!(call(text), lights, "{text}");
    }
    assert_eq!(
        intent("open the blinds in the attic"),
        json!([
            "HassTurnOn", {"domain": "cover", "device_class": "blind", "floor": "Attic"}
        ])
    );
}

#[test]
fn what_has_no_place_is_meant_where_it_is_said() {
    let house = house();
    let lights = understand("turn the lights on", &house, Some("den")).expect("lights");
    assert_eq!(lights.target.area.as_ref().map(|area| area.id.as_str()), Some("den"));
    assert!(lights.target.here);
    let all = understand("turn on the lights everywhere", &house, Some("den")).expect("lights");
    assert_eq!(all.target.area, None);
    let named = understand("turn on the porch light", &house, Some("den")).expect("a light");
    assert_eq!((named.target.id.as_deref(), named.target.area), (Some("light.porch"), None));
}

#[test]
fn a_lamp_is_meant_even_where_a_sensor_is_called_light() {
    assert_eq!(intent("turn on the light in the den"), json!(["HassTurnOn", {"domain": "light", "area": "Den"}]));
    assert_eq!(
        intent("is the light on in the den"),
        json!([
            "HassGetState", {"domain": "light", "area": "Den", "state": "on"}
        ])
    );
}

#[test]
fn values_are_set_and_changed() {
    let set = |text: &str, field: &str| call(text)[1][field].clone();
    assert_eq!(set("dim the reading lamp to thirty five percent", "brightness"), json!(35));
    assert_eq!(set("dim the reading lamp by 10%", "brightness_change"), json!(-10));
    assert_eq!(set("make the reading lamp teal", "colour"), json!("teal"));
    assert_eq!(set("set the hall radiator to 19.5 degrees", "temperature"), json!(19.5));
    assert_eq!(set("make it warmer in the den", "temperature_change"), json!(1));
    assert_eq!(set("lower the stripy blind to 25", "position"), json!(25));
    assert_eq!(set("set the record player's volume to 40 percent", "volume"), json!(40));
    assert_eq!(set("turn the volume up in the den", "volume_change"), json!(10));
    assert_eq!(read("set the reading lamp to 250%"), None);
}

#[test]
fn things_are_locked_begun_and_sent_home() {
    let action = |text: &str| call(text)[1]["action"].clone();
    assert_eq!(action("lock the garden gate"), json!("lock"));
    assert_eq!(action("unlock the garden gate"), json!("unlock"));
    assert_eq!(action("activate movie night"), json!("activate"));
    assert_eq!(action("close the stripy blind"), json!("close"));
    assert_eq!(action("send dusty back to its dock"), json!("dock"));
    assert_eq!(action("have the vacuum clean the den"), json!("start"));
    assert_eq!(action("next track on the record player"), json!("next"));
}

#[test]
fn states_are_asked_for() {
    assert_eq!(
        call("is the garden gate locked?"),
        json!(["smart_home.state", {
            "question": "all", "state": "locked", "target": {"name": "Garden Gate", "id": "lock.gate", "domain": "lock"}
        }])
    );
    assert_eq!(
        call("which lights are on in the den"),
        json!(["smart_home.state", {
            "question": "which", "state": "on", "target": {"domain": "light", "area": "den", "all": true}
        }])
    );
    assert_eq!(
        intent("is the cellar flooded"),
        json!(["HassGetState", {
            "name": "Cellar", "domain": "binary_sensor", "device_class": "moisture", "state": "on"
        }])
    );
    assert_eq!(
        intent("how much rain is in the rain gauge"),
        json!(["HassGetState", {
            "name": "Rain Gauge", "domain": "sensor", "device_class": "precipitation"
        }])
    );
    assert_eq!(intent("how warm is it in the den"), json!(["HassClimateGetTemperature", {"area": "Den"}]));
    assert_eq!(intent("where's Nora"), json!(["HassGetState", {"name": "Nora", "domain": "person"}]));
    assert_eq!(intent("is anybody home"), json!(["HassGetState", {"domain": "person", "state": "home"}]));
}

#[test]
fn what_is_open_is_asked_of_whatever_knows() {
    let windows = Name { class: Some("window".to_owned()), ..house()[13].clone() };
    let command = understand("are any windows open", &[windows], None).expect("a question");
    assert_eq!(command.target.domain.as_deref(), Some("binary_sensor"));
    assert_eq!(
        json!([command.intent(), command.slots()]),
        json!([
            "HassGetState", {"domain": "cover", "device_class": "window", "state": "open"}
        ])
    );
}

#[test]
fn timers_lists_and_the_like_are_for_other_roles() {
    let cases = [
        (
            "start a tea timer for three and a half minutes",
            "timer",
            json!(["HassStartTimer", {"minutes": 3, "seconds": 30, "name": "tea"}]),
        ),
        ("knock 20 seconds off the tea timer", "timer", json!(["HassDecreaseTimer", {"seconds": 20, "name": "tea"}])),
        (
            "in an hour close the stripy blind",
            "timer",
            json!(["HassStartTimer", {"hours": 1, "conversation_command": "close the stripy blind"}]),
        ),
        (
            "put warm socks on the packing list",
            "other",
            json!(["HassListAddItem", {"item": "warm socks", "name": "Packing"}]),
        ),
        (
            "tick off oat milk from the grocery list",
            "other",
            json!(["HassShoppingListCompleteItem", {"item": "oat milk"}]),
        ),
        (
            "play the album Blue on the record player",
            "other",
            json!(["HassMediaSearchAndPlay", {"search_query": "Blue", "media_class": "album", "name": "Record Player"}]),
        ),
        ("how's the weather", "weather", json!(["HassGetWeather", {}])),
        ("what day is it", "timer", json!(["HassGetCurrentDate", {}])),
        ("oh never mind", "conversation", json!(["HassNevermind", {}])),
    ];
    for (text, role, wanted) in cases {
        assert_eq!(intent(text), wanted, "{text}");
        let command = read(text).expect("understood before");
        assert_eq!((command.role(), command.call()), (role, None), "{text}");
    }
}
