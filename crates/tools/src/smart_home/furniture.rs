//! The rooms and devices of the virtual home, as they are before anybody has touched them.

use super::house::{Abilities, Area, Condition, Device, Floor, Settings, View};

/// The whole home in its first state.
pub(super) fn furnished() -> View {
    let floors = [("ground", "ground floor", "downstairs"), ("upper", "upper floor", "upstairs")];
    let areas = [
        ("living_room", "living room", "lounge", "ground"),
        ("kitchen", "kitchen", "", "ground"),
        ("hallway", "hallway", "hall", "ground"),
        ("garage", "garage", "", "ground"),
        ("bedroom", "bedroom", "", "upper"),
        ("bathroom", "bathroom", "", "upper"),
        ("office", "office", "study", "upper"),
        ("outside", "outside", "garden", ""),
    ];
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    View {
        version: 0,
        devices: devices(),
        areas: areas
            .map(|(id, name, alias, floor)| Area {
                id: id.into(),
                name: name.into(),
                aliases: some(alias).into_iter().collect(),
                floor: some(floor),
            })
            .into(),
        floors: floors
            .map(|(id, name, alias)| Floor { id: id.into(), name: name.into(), aliases: vec![alias.into()] })
            .into(),
    }
}

fn devices() -> Vec<Device> {
    vec![
        light("living_room_ceiling", "living room ceiling light", "living_room"),
        light("living_room_lamp", "living room lamp", "living_room").also("floor lamp"),
        light("kitchen_ceiling", "kitchen ceiling light", "kitchen"),
        light("kitchen_counter", "kitchen counter light", "kitchen"),
        light("bedroom_ceiling", "bedroom ceiling light", "bedroom"),
        light("bedside", "bedside lamp", "bedroom").also("reading light"),
        light("bathroom", "bathroom light", "bathroom"),
        light("hallway", "hallway light", "hallway"),
        light("office_desk", "desk lamp", "office").also("office light"),
        light("garage", "garage light", "garage"),
        light("porch", "porch light", "outside").also("outside light"),
        device("switch.coffee_machine", "coffee machine", "kitchen", "off").also("coffee maker"),
        device("switch.heater", "towel heater", "bathroom", "off"),
        device("fan.bedroom", "fan", "bedroom", "off").also("bedroom fan"),
        cover("living_room_blinds", "living room blinds", "living_room", "blind"),
        cover("bedroom_blinds", "bedroom blinds", "bedroom", "blind"),
        cover("garage_door", "garage door", "garage", "garage").shut(),
        thermostat(),
        device("lock.front_door", "front door lock", "hallway", "locked").also("front door"),
        device("lock.back_door", "back door lock", "kitchen", "locked").also("back door"),
        speaker("living_room", "speaker", "living_room"),
        device("vacuum.robot", "robot vacuum", "hallway", "docked").also("vacuum cleaner").also("robot"),
        sensor("living_room_temperature", "living room temperature", "living_room", "temperature", "21.3", "°C"),
        sensor("bedroom_temperature", "bedroom temperature", "bedroom", "temperature", "19.0", "°C"),
        sensor("outside_temperature", "outside temperature", "outside", "temperature", "8.5", "°C"),
        sensor("bathroom_humidity", "bathroom humidity", "bathroom", "humidity", "58", "%"),
        device("binary_sensor.hallway_motion", "hallway motion sensor", "hallway", "off").class("motion"),
        device("binary_sensor.front_door", "front door sensor", "hallway", "off").class("door").also("front door"),
        device("binary_sensor.kitchen_window", "kitchen window", "kitchen", "off").class("window"),
    ]
}

fn device(id: &str, name: &str, area: &str, state: &str) -> Device {
    Device {
        id: id.to_owned(),
        name: name.to_owned(),
        aliases: Vec::new(),
        class: None,
        area: Some(area.to_owned()),
        can: Abilities::default(),
        condition: Condition::of(state),
    }
}

fn light(id: &str, name: &str, area: &str) -> Device {
    let mut light = device(&format!("light.{id}"), name, area, "off");
    light.can = Abilities { brightness: true, colour: true, ..Abilities::default() };
    light.condition.settings =
        Settings { brightness: Some(100), colour: Some("warm white".into()), ..Settings::default() };
    light
}

fn cover(id: &str, name: &str, area: &str, class: &str) -> Device {
    let mut cover = device(&format!("cover.{id}"), name, area, "open").class(class);
    cover.can = Abilities { position: true, ..Abilities::default() };
    cover.condition.settings.position = Some(100);
    cover
}

fn thermostat() -> Device {
    let mut thermostat = device("climate.thermostat", "thermostat", "living_room", "heat").also("heating");
    thermostat.can = Abilities { temperature: true, mode: true, ..Abilities::default() };
    thermostat.condition.settings.temperature = Some(20.0);
    thermostat.condition.measured = Some(21.3);
    thermostat.condition.unit = Some("°C".into());
    thermostat
}

fn speaker(id: &str, name: &str, area: &str) -> Device {
    let mut speaker = device(&format!("media_player.{id}"), name, area, "paused").also("music");
    speaker.can = Abilities { volume: true, ..Abilities::default() };
    speaker.condition.settings.volume = Some(30);
    speaker
}

fn sensor(id: &str, name: &str, area: &str, class: &str, reading: &str, unit: &str) -> Device {
    let mut sensor = device(&format!("sensor.{id}"), name, area, reading).class(class);
    sensor.condition.unit = Some(unit.to_owned());
    sensor
}

impl Device {
    fn also(mut self, alias: &str) -> Self {
        self.aliases.push(alias.to_owned());
        self
    }

    fn class(mut self, class: &str) -> Self {
        self.class = Some(class.to_owned());
        self
    }

    fn shut(mut self) -> Self {
        self.condition.state = "closed".into();
        self.condition.settings.position = Some(0);
        self
    }
}
