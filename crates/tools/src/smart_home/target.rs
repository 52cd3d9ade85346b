//! Which devices somebody means. A name that fits several is a question, a name that fits none is told what there is;
//! neither is ever guessed.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::house::{Device, View};
use super::say;
use crate::words::capped;

/// What is meant: everything that fits all that is given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Target {
    /// What somebody calls it, for example `kitchen ceiling light`.
    pub(super) name: Option<String>,
    /// How the house knows it, for example `light.kitchen_ceiling`.
    pub(super) id: Option<String>,
    /// A room, by name or id.
    pub(super) area: Option<String>,
    /// A storey, by name or id.
    pub(super) floor: Option<String>,
    /// `light`, `switch`, `cover`, `climate`, `lock`, `fan`, `media_player`, `sensor`, `scene` …
    pub(super) domain: Option<String>,
    /// Narrower than the domain: `blind`, `garage`, `motion`, `temperature` …
    pub(super) class: Option<String>,
    /// Whether everything that fits is meant, where several things do.
    pub(super) all: Option<bool>,
}

/// What a target came to.
#[derive(Debug, PartialEq)]
pub(super) enum Found<'v> {
    /// This one has the name or the id that was given.
    Named(&'v Device),
    /// All of these are meant: they are in the place, or of the kind, that was given.
    Gathered(Vec<&'v Device>),
    /// Nothing fits; these names look like it.
    Unknown { said: String, nearest: Vec<String> },
    /// Any of these may be meant.
    Ambiguous { said: String, candidates: Vec<&'v Device> },
}

/// Finds what a target means. Where a name fits several, those that `suits` lets through are meant rather than others.
pub(super) fn find<'v>(view: &'v View, target: &Target, suits: impl Fn(&Device) -> bool) -> Found<'v> {
    let places = match Places::of(view, target) {
        Ok(places) => places,
        Err(unknown) => return unknown,
    };
    if let Some(id) = text(target.id.as_deref()) {
        return match view.device(id) {
            Some(device) => Found::Named(device),
            None => unknown(view, &places, "device", id),
        };
    }
    match text(target.name.as_deref()) {
        Some(name) => named(view, target, &places, name, suits),
        None => gathered(view, target, &places, suits),
    }
}

/// Where something has to be.
struct Places {
    areas: Option<BTreeSet<String>>,
}

impl Places {
    fn of<'v>(view: &View, target: &Target) -> Result<Self, Found<'v>> {
        let mut areas = None;
        if let Some(floor) = text(target.floor.as_deref()) {
            let Some(known) = view.floors.iter().find(|known| is(floor, &known.id, &known.name, &known.aliases)) else {
                return Err(no_place("floor", floor, view.floors.iter().map(|floor| floor.name.as_str())));
            };
            let on = view.areas.iter().filter(|area| area.floor.as_ref() == Some(&known.id));
            areas = Some(on.map(|area| area.id.clone()).collect());
        }
        if let Some(area) = text(target.area.as_deref()) {
            let Some(known) = view.areas.iter().find(|known| is(area, &known.id, &known.name, &known.aliases)) else {
                return Err(no_place("room", area, view.areas.iter().map(|area| area.name.as_str())));
            };
            areas = Some(BTreeSet::from([known.id.clone()]));
        }
        Ok(Self { areas })
    }

    fn hold(&self, device: &Device) -> bool {
        match &self.areas {
            None => true,
            Some(areas) => device.area.as_ref().is_some_and(|area| areas.contains(area)),
        }
    }
}

fn named<'v>(
    view: &'v View,
    target: &Target,
    places: &Places,
    name: &str,
    suits: impl Fn(&Device) -> bool,
) -> Found<'v> {
    let wanted = words(name);
    let here = || view.devices.iter().filter(|device| places.hold(device));
    let mut fit: Vec<&Device> = here().filter(|device| is(name, &device.id, &device.name, &device.aliases)).collect();
    // Whoever knows a thing by its name need not know what kind of thing it is.
    if fit.iter().any(|device| of_kind(device, target)) {
        fit.retain(|device| of_kind(device, target));
    }
    if fit.is_empty()
        && let Some(area) = view.areas.iter().find(|area| is(name, &area.id, &area.name, &area.aliases))
    {
        let place = Target { name: None, area: Some(area.id.clone()), ..target.clone() };
        return find(view, &place, suits);
    }
    if fit.is_empty() && !wanted.is_empty() {
        let about = |device: &Device| {
            let known = vocabulary(view, device);
            wanted.iter().all(|word| known.contains(word))
        };
        fit = here().filter(|device| of_kind(device, target) && about(device)).collect();
    }
    let suitable = fit.iter().any(|device| suits(device));
    if fit.len() > 1 && suitable {
        fit.retain(|device| suits(device));
    }
    match fit.as_slice() {
        [] => unknown(view, places, "device", name),
        [only] => Found::Named(only),
        // Where none can do it there is no point in asking which.
        _ if target.all == Some(true) || plural(name) || !suitable => Found::Gathered(fit),
        several => {
            let count = several.len();
            let said = format!(
                "There are {count} that “{}” could be: {}. Which one do you mean?",
                capped(name.trim(), 40),
                say::names(fit.iter().map(|device| device.name.as_str()))
            );
            Found::Ambiguous { said, candidates: fit }
        }
    }
}

fn gathered<'v>(view: &'v View, target: &Target, places: &Places, suits: impl Fn(&Device) -> bool) -> Found<'v> {
    let of_kind = |device: &&Device| places.hold(device) && of_kind(device, target);
    let there: Vec<&Device> = view.devices.iter().filter(of_kind).collect();
    let mut fit = there.clone();
    fit.retain(|device| suits(device));
    let bounded = places.areas.is_some() || target.domain.is_some() || target.class.is_some();
    if fit.is_empty() && bounded && there.is_empty() {
        return Found::Unknown { said: nothing_there(target), nearest: Vec::new() };
    }
    if bounded || target.all == Some(true) || fit.len() == 1 {
        return Found::Gathered(if fit.is_empty() { there } else { fit });
    }
    let said = match fit.len() {
        0 | 7.. => "Which device or room do you mean?".to_owned(),
        _ => format!("Which one do you mean: {}?", say::names(fit.iter().map(|device| device.name.as_str()))),
    };
    Found::Ambiguous { said, candidates: fit }
}

fn of_kind(device: &Device, target: &Target) -> bool {
    let domain = text(target.domain.as_deref()).is_none_or(|domain| domain.eq_ignore_ascii_case(device.domain()));
    let class = text(target.class.as_deref())
        .is_none_or(|class| device.class.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(class)));
    domain && class
}

fn nothing_there(target: &Target) -> String {
    let kind = target.class.as_deref().or(target.domain.as_deref()).unwrap_or("device");
    let kind = capped(kind, 40).replace('_', " ");
    match target.area.as_deref().or(target.floor.as_deref()) {
        Some(place) => format!("There is no {kind} in “{}”.", capped(place, 40)),
        None => format!("There is no {kind} in this house."),
    }
}

fn no_place<'v, 'n>(what: &str, wanted: &str, known: impl Iterator<Item = &'n str>) -> Found<'v> {
    let known: Vec<&str> = known.collect();
    let there = match known.is_empty() {
        true => "none is known".to_owned(),
        false => format!("there are: {}", say::names(known.iter().copied())),
    };
    let said = format!("There is no {what} called “{}”; {there}.", capped(wanted, 40));
    Found::Unknown { said, nearest: known.into_iter().take(8).map(str::to_owned).collect() }
}

fn unknown<'v>(view: &View, places: &Places, what: &str, wanted: &str) -> Found<'v> {
    let wanted_words = words(wanted).join(" ");
    let mut known: Vec<(f64, &str)> = view
        .devices
        .iter()
        .filter(|device| places.hold(device))
        .map(|device| (likeness(&wanted_words, device), device.name.as_str()))
        .collect();
    known.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<&str> =
        known.iter().filter(|(likeness, _)| *likeness >= 0.6).take(3).map(|(_, name)| *name).collect();
    let wanted = capped(wanted.trim(), 40);
    let (said, nearest) = match near.as_slice() {
        [] => {
            let there = view.devices.iter().filter(|device| places.hold(device) && device.domain() != "scene");
            let some: Vec<&str> = there.map(|device| device.name.as_str()).collect();
            let count = some.len();
            let some: Vec<&str> = some.into_iter().take(8).collect();
            let there = match count {
                0 => "no device is known".to_owned(),
                _ => format!("there are: {}", say::some_of(some.iter().copied(), count)),
            };
            (format!("There is no {what} called “{wanted}”; {there}."), some)
        }
        near => (
            format!("There is no {what} called “{wanted}”. Did you mean {}?", say::either(near.iter().copied())),
            near.to_vec(),
        ),
    };
    Found::Unknown { said, nearest: nearest.into_iter().map(str::to_owned).collect() }
}

fn likeness(wanted: &str, device: &Device) -> f64 {
    std::iter::once(&device.name)
        .chain(&device.aliases)
        .flat_map(|name| [words(name).join(" "), name.to_lowercase()])
        .map(|name| strsim::normalized_damerau_levenshtein(wanted, &name))
        .fold(0.0, f64::max)
}

/// What was given, if it is more than blanks.
pub(super) fn text(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

fn is(wanted: &str, id: &str, name: &str, aliases: &[String]) -> bool {
    let said = words(wanted);
    wanted.trim() == id || !said.is_empty() && (said == words(name) || aliases.iter().any(|alias| said == words(alias)))
}

/// All words that may be used to speak of a device: its own, those of its room, and what it is.
fn vocabulary(view: &View, device: &Device) -> BTreeSet<String> {
    let mut known: BTreeSet<String> = words(&device.name).into_iter().collect();
    known.extend(device.aliases.iter().flat_map(|alias| words(alias)));
    known.extend(device.area.as_deref().and_then(|id| view.area(id)).iter().flat_map(|area| words(&area.name)));
    known.extend(words(device.domain()));
    known.extend(device.class.iter().flat_map(|class| words(class)));
    known
}

/// The words of a name that carry meaning, in lower case and without plurals.
pub(super) fn words(name: &str) -> Vec<String> {
    let lower = capped(name, 200).to_lowercase().replace(['\'', '’'], "");
    let idle = ["the", "a", "an", "my", "our", "in", "of", "on", "at"];
    let all = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let all: Vec<&str> = all.collect();
    let kept: Vec<&str> = all.iter().copied().filter(|word| !idle.contains(word)).collect();
    let kept = if kept.is_empty() { all } else { kept };
    kept.into_iter().map(singular).collect()
}

fn singular(word: &str) -> String {
    let stem = match word.strip_suffix('s') {
        Some(stem) if stem.chars().count() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem,
        _ => word,
    };
    match stem {
        "lamp" | "bulb" => "light".to_owned(),
        other => other.to_owned(),
    }
}

fn plural(name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    lower.split_whitespace().next_back().is_some_and(|word| {
        matches!(word, "lights" | "lamps" | "bulbs" | "switches" | "covers" | "locks" | "fans" | "speakers" | "blinds")
    })
}
