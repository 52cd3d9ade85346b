//! What somebody wants done, and the changes that it means for devices as they are: checked, and nothing relative left.

use schemars::JsonSchema;
use serde::Deserialize;

use super::action::Action;
use super::colour;
use super::house::{Change, Device, Settings};
use super::say;
use super::target::Target;
use crate::words::capped;

/// The arguments of `smart_home.control`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    /// What to do; `set` for brightness, colour, temperature, position, volume or mode alone.
    pub(super) action: Action,
    /// What to do it to.
    pub(super) target: Target,
    /// Percent, from 0 to 100.
    brightness: Option<f64>,
    /// Percent more or, below zero, less.
    brightness_change: Option<f64>,
    /// A name such as `warm white` or `blue`, or `#rrggbb`.
    colour: Option<String>,
    /// What a thermostat is to reach, in degrees of the house's own scale.
    temperature: Option<f64>,
    /// Degrees more or, below zero, less.
    temperature_change: Option<f64>,
    /// Percent, from 0 for closed to 100 for open.
    position: Option<f64>,
    /// Percent, from 0 to 100.
    volume: Option<f64>,
    /// Percent more or, below zero, less.
    volume_change: Option<f64>,
    /// What a thermostat does: `heat`, `cool`, `auto`, `off` …
    mode: Option<String>,
}

/// What is wrong with a wish, as it is said to whoever wished it.
pub(super) type Refusal = String;

impl Wish {
    /// Whether a device can do all of it.
    pub(super) fn suits(&self, device: &Device) -> bool {
        self.action.suits(device) && self.missing(device).is_none()
    }

    /// The same for a device that was not named.
    pub(super) fn suits_unnamed(&self, device: &Device) -> bool {
        self.action.suits_unnamed(device) && self.missing(device).is_none()
    }

    /// Whether it makes sense for any device at all.
    pub(super) fn checked(&self) -> Result<(), Refusal> {
        for (what, value) in [("Brightness", self.brightness), ("Position", self.position), ("Volume", self.volume)] {
            if let Some(value) = value.filter(|value| !(0.0..=100.0).contains(value)) {
                return Err(format!("{what} goes from 0 to 100 %, not {} %.", figure(value)));
            }
        }
        for (what, value) in [("Brightness", self.brightness_change), ("Volume", self.volume_change)] {
            if let Some(value) = value.filter(|value| !(-100.0..=100.0).contains(value)) {
                return Err(format!("{what} can change by at most 100 %, not by {} %.", figure(value)));
            }
        }
        if let Some(by) = self.temperature_change.filter(|by| by.abs() > 30.0) {
            return Err(format!("{} degrees is too much of a change.", figure(by)));
        }
        if let Some(wanted) = self.colour.as_deref().filter(|wanted| colour::known(wanted).is_none()) {
            let some = say::names(colour::some());
            return Err(format!("I don't know the colour “{}”; I know {some}, and more.", capped(wanted, 40)));
        }
        if self.action == Action::Set && self.wanted().is_empty() {
            return Err("Say what to set: brightness, colour, temperature, position, volume or mode.".to_owned());
        }
        Ok(())
    }

    /// What it means for one device.
    pub(super) fn change(&self, device: &Device) -> Result<Change, Refusal> {
        let name = &device.name;
        if let Some(missing) = self.missing(device) {
            return Err(format!("The {name} has no {missing} that can be set."));
        }
        if !self.action.suits(device) {
            return Err(format!("I can't {} the {name}.", self.action.words()));
        }
        if device.condition.state == "unavailable" {
            return Err(format!("The {name} does not answer at the moment."));
        }
        let mut action = self.action.settled(device);
        let mut settings = self.settings(device)?;
        let dark = settings.brightness == Some(0);
        if device.domain() == "light" && dark {
            action = Action::TurnOff;
        }
        if device.domain() == "climate" && settings.mode.as_deref() == Some("off") {
            action = Action::TurnOff;
        }
        if action == Action::TurnOff {
            settings = Settings::default();
        }
        let after = action.after(device, &settings);
        let before = device.condition.clone();
        Ok(Change { id: device.id.clone(), name: name.clone(), action, settings, before, after, scene: None })
    }

    fn settings(&self, device: &Device) -> Result<Settings, Refusal> {
        let now = &device.condition.settings;
        let off = device.condition.state == "off";
        let brightness = match (self.brightness, self.brightness_change) {
            (Some(set), _) => Some(set),
            (None, Some(by)) if off => Some(by.max(0.0)),
            // Who dims a light does not want it off, unless they say so.
            (None, Some(by)) => {
                Some((f64::from(now.brightness.unwrap_or(100)) + by).clamp(f64::from(by > -100.0), 100.0))
            }
            (None, None) => None,
        };
        let volume = match (self.volume, self.volume_change) {
            (Some(set), _) => Some(set),
            (None, Some(by)) => Some((f64::from(now.volume.unwrap_or(50)) + by).clamp(0.0, 100.0)),
            (None, None) => None,
        };
        let temperature = match (self.temperature, self.temperature_change) {
            (Some(set), _) => Some(set),
            (None, Some(by)) => now.temperature.or(device.condition.measured).map(|now| now + by),
            (None, None) => None,
        };
        if let Some(degrees) = temperature {
            let unit = device.condition.unit.as_deref().unwrap_or("°C");
            let (low, high) = if unit == "°F" { (41.0, 95.0) } else { (5.0, 35.0) };
            if !(low..=high).contains(&degrees) {
                let name = &device.name;
                return Err(format!("The {name} goes from {low} to {high} {unit}, not to {} {unit}.", figure(degrees)));
            }
        }
        Ok(Settings {
            brightness: brightness.map(percent),
            colour: self.colour.as_deref().and_then(colour::known),
            temperature: temperature.map(|degrees| (degrees * 10.0).round() / 10.0),
            position: self.position.map(percent),
            volume: volume.map(percent),
            mode: self.mode.as_deref().map(|mode| capped(mode.trim(), 40).to_lowercase().replace(' ', "_")),
        })
    }

    /// The first thing that is wanted and that a device does not have.
    fn missing(&self, device: &Device) -> Option<&'static str> {
        let can = device.can;
        self.wanted().into_iter().find(|what| match *what {
            "brightness" => !can.brightness,
            "colour" => !can.colour,
            "temperature" => !can.temperature,
            "position" => !can.position,
            "volume" => !can.volume,
            _ => !can.mode,
        })
    }

    fn wanted(&self) -> Vec<&'static str> {
        [
            ("brightness", self.brightness.or(self.brightness_change).is_some()),
            ("colour", self.colour.is_some()),
            ("temperature", self.temperature.or(self.temperature_change).is_some()),
            ("position", self.position.is_some()),
            ("volume", self.volume.or(self.volume_change).is_some()),
            ("mode", self.mode.is_some()),
        ]
        .into_iter()
        .filter_map(|(what, wanted)| wanted.then_some(what))
        .collect()
    }
}

fn percent(value: f64) -> u8 {
    // The range was checked before.
    value.round().clamp(0.0, 100.0) as u8
}

/// A number somebody gave, which may be of any size.
fn figure(value: f64) -> String {
    if value.abs() < 1e6 { say::number(value) } else { format!("{value:.0e}") }
}
