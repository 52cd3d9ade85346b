//! Reads what gives things a value: brightness, colour, temperature, position, volume.

use super::command::{Act, Amount, Command, Setting};
use super::lexicon::{colour, is_glue};
use super::number;
use super::reading::Reading;
use super::things::{Things, may_stay};

/// What a value is a value of, as far as the words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Property {
    Brightness,
    Colour,
    Temperature,
    Position,
    Volume,
}

/// A value with its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    Percent(f64),
    Degrees(f64),
    Plain(f64),
    Colour(&'static str),
    /// The most or the least there is.
    Extreme(f64),
}

/// Which way a verb goes, where it has a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
    None,
}

pub(super) fn read(mut reading: Reading<'_>) -> Option<Command> {
    if reading.word(0) == "mute" {
        return mute(reading);
    }
    let said = verb(&mut reading);
    let noun = property(&mut reading);
    let mut property = noun.map(|(property, _)| property).or(said.property);
    let way = noun.map(|(_, way)| way).filter(|way| *way != Way::None).unwrap_or(said.way);
    // *turn it down twenty percent* is a change, as is *by twenty percent*.
    let by = reading.has("by") || (way != Way::None && !reading.has("to") && !reading.has("at"));
    // A value may be of a light that is called *Red Lamp*: names come first.
    let whole = reading;
    let mut things = Things::take(&mut reading, fits)?;
    let mut value = value(&mut reading);
    if value.is_none() && things.device.is_some() {
        reading = whole;
        value = self::value(&mut reading);
        things = Things::take(&mut reading, fits)?;
    }
    let done = |word: &str| may_stay(word) || matches!(word, "to" | "at" | "is" | "as" | "level" | "by" | "it");
    if !reading.is_done(done) {
        return None;
    }
    if property.is_none() {
        property = match value {
            Some(value) => infer(&things, value, said.is_verb),
            // *turn up the thermostat*
            None if way == Way::None => None,
            None => match things.domain() {
                Some("climate") => Some(Property::Temperature),
                Some("light") => Some(Property::Brightness),
                _ => None,
            },
        };
    }
    let act = setting(property?, value, way, by)?;
    let domain = match &act {
        Setting::Brightness(_) | Setting::Colour(_) => "light",
        Setting::Temperature(_) => "climate",
        Setting::Volume(_) => "media_player",
        Setting::Position(_) => "",
    };
    let suits = match things.domain() {
        Some(found) => found == domain || (domain.is_empty() && matches!(found, "cover" | "valve")),
        None => !domain.is_empty(),
    };
    // Without a verb it takes a thing to be a command and not a remark.
    let remark = !said.is_verb && things.is_empty() && (noun.is_none() || value.is_none());
    if !suits || remark {
        return None;
    }
    let mut target = things.target(&reading);
    target.domain.get_or_insert_with(|| domain.to_owned());
    Some(Command::new(Act::Set(act), target))
}

/// *mute the TV*: no volume at all.
fn mute(mut reading: Reading<'_>) -> Option<Command> {
    reading.begins(&["mute"]);
    let things = Things::take(&mut reading, |mention| mention.domain() == "media_player")?;
    let sound = reading.any(&["volume", "sound", "music", "audio"]).is_some();
    let nowhere = things.is_empty() && !sound && reading.sentence.here.is_none();
    if nowhere || !matches!(things.domain(), None | Some("media_player")) || !reading.is_done(may_stay) {
        return None;
    }
    let mut target = things.target(&reading);
    target.domain = Some("media_player".to_owned());
    Some(Command::new(Act::Set(Setting::Volume(Amount::To(0.0))), target))
}

struct Said {
    is_verb: bool,
    way: Way,
    property: Option<Property>,
}

fn verb(reading: &mut Reading<'_>) -> Said {
    let said = |way, property| Said { is_verb: true, way, property };
    // *on the TV increase the volume*: where it is comes first.
    let verbs: [(&[&str], Way, Option<Property>); 8] = [
        (
            &["set", "change", "make", "adjust", "put", "bring", "switch", "open", "close", "move", "keep"],
            Way::None,
            None,
        ),
        (&["increase", "raise", "boost"], Way::Up, None),
        (&["decrease", "lower", "reduce", "drop"], Way::Down, None),
        (&["brighten up", "brighten"], Way::Up, Some(Property::Brightness)),
        (&["dim"], Way::Down, Some(Property::Brightness)),
        (&["warm up", "warm", "heat up", "heat"], Way::Up, Some(Property::Temperature)),
        (&["cool down", "cool"], Way::Down, Some(Property::Temperature)),
        (&["turn"], Way::None, None),
    ];
    for (words, way, property) in verbs {
        let found = words.iter().find_map(|word| reading.find(word));
        let Some(range) = found else { continue };
        let leads = reading.left().next().is_some_and(|(at, word)| at == range.start || matches!(word, "on" | "in"));
        if !leads {
            continue;
        }
        reading.take(range.clone());
        // *turn the volume down*, *turn up the heat*
        let way = match reading.any(&["up", "down"]) {
            Some(at) if reading.word(at.start) == "up" => Way::Up,
            Some(_) => Way::Down,
            None => way,
        };
        return said(way, property);
    }
    Said { is_verb: false, way: Way::None, property: None }
}

/// Takes the noun that says what the value is of.
fn property(reading: &mut Reading<'_>) -> Option<(Property, Way)> {
    let nouns: [(&[&str], Property, Way); 12] = [
        (&["brightness", "bright"], Property::Brightness, Way::None),
        (&["brighter"], Property::Brightness, Way::Up),
        (&["dimmer", "darker"], Property::Brightness, Way::Down),
        (&["color", "colour"], Property::Colour, Way::None),
        (&["temperature", "temp", "heat"], Property::Temperature, Way::None),
        (&["warmer", "hotter"], Property::Temperature, Way::Up),
        (&["colder", "cooler"], Property::Temperature, Way::Down),
        (&["position"], Property::Position, Way::None),
        (&["volume", "sound level"], Property::Volume, Way::None),
        (&["sound"], Property::Volume, Way::None),
        (&["louder"], Property::Volume, Way::Up),
        (&["quieter", "softer"], Property::Volume, Way::Down),
    ];
    nouns.into_iter().find_map(|(words, property, way)| reading.any(words).map(|_| (property, way)))
}

/// Takes the value, with *to the* before it.
fn value(reading: &mut Reading<'_>) -> Option<Value> {
    for at in 0..reading.len() {
        if !reading.is_left(at) {
            continue;
        }
        let (value, end) = match reading.word(at) {
            "max" | "maximum" | "highest" | "full" | "brightest" => (Value::Extreme(100.0), at + 1),
            "min" | "minimum" | "lowest" | "dimmest" => (Value::Extreme(1.0), at + 1),
            "half" | "halfway" => (Value::Percent(50.0), at + 1),
            word => match (colour(word), number::number(&reading.sentence.words, at)) {
                (Some(colour), _) => (Value::Colour(colour), at + 1),
                (None, Some((number, end))) => unit(reading, number, end),
                (None, None) => continue,
            },
        };
        reading.take(at..end);
        while let Some((before, word)) = reading.left().take_while(|(before, _)| *before < at).last() {
            let leads = before + 1 == at || !reading.is_left(before + 1);
            if !leads || !(is_glue(word) || matches!(word, "to" | "by" | "at")) || matches!(word, "my" | "of" | "our") {
                break;
            }
            reading.take(before..before + 1);
        }
        return Some(value);
    }
    None
}

fn unit(reading: &Reading<'_>, number: f64, end: usize) -> (Value, usize) {
    match (reading.word(end), reading.word(end + 1)) {
        ("%" | "percent", _) => (Value::Percent(number), end + 1),
        ("per", "cent") => (Value::Percent(number), end + 2),
        ("°" | "degrees" | "degree", "c" | "f" | "celsius" | "fahrenheit" | "centigrade") => {
            (Value::Degrees(number), end + 2)
        }
        ("°" | "degrees" | "degree" | "celsius" | "fahrenheit" | "c" | "f", _) => (Value::Degrees(number), end + 1),
        _ => (Value::Plain(number), end),
    }
}

fn fits(mention: &super::names::Mention<'_>) -> bool {
    matches!(mention.domain(), "light" | "cover" | "valve" | "climate" | "media_player")
}

/// What a value is of when only the thing says so: percent of a lamp, degrees of a room.
fn infer(things: &Things<'_>, value: Value, is_verb: bool) -> Option<Property> {
    if things.is_empty() && !matches!(value, Value::Degrees(_)) {
        return None;
    }
    match (things.domain(), value) {
        (Some("light") | None, Value::Colour(_)) => Some(Property::Colour),
        (Some("light") | None, Value::Percent(_)) => Some(Property::Brightness),
        (Some("light"), Value::Extreme(_) | Value::Plain(_)) if is_verb => Some(Property::Brightness),
        (Some("cover" | "valve"), Value::Percent(_)) => Some(Property::Position),
        (Some("cover" | "valve"), Value::Plain(_)) if is_verb => Some(Property::Position),
        (Some("climate"), Value::Degrees(_) | Value::Plain(_)) => Some(Property::Temperature),
        (None, Value::Degrees(_)) if is_verb => Some(Property::Temperature),
        (Some("media_player"), Value::Percent(_)) => Some(Property::Volume),
        _ => None,
    }
}

fn setting(property: Property, value: Option<Value>, way: Way, by: bool) -> Option<Setting> {
    let percent = |step: f64| -> Option<Amount> {
        let value = match (value, way) {
            (Some(Value::Percent(value) | Value::Plain(value) | Value::Extreme(value)), _) => value,
            (Some(_), _) | (None, Way::None) => return None,
            (None, Way::Up) => return Some(Amount::By(step)),
            (None, Way::Down) => return Some(Amount::By(-step)),
        };
        (0.0..=100.0).contains(&value).then_some(match (by, way) {
            (true, Way::Down) => Amount::By(-value),
            (true, Way::Up | Way::None) => Amount::By(value),
            (false, _) => Amount::To(value),
        })
    };
    match (property, value) {
        (Property::Colour, Some(Value::Colour(colour))) => Some(Setting::Colour(colour)),
        (Property::Colour, _) => None,
        (Property::Brightness, _) => percent(20.0).map(Setting::Brightness),
        (Property::Position, _) => percent(20.0).map(Setting::Position),
        (Property::Volume, _) => percent(10.0).map(Setting::Volume),
        (Property::Temperature, Some(Value::Degrees(value) | Value::Plain(value))) => {
            let amount = match (by, way) {
                (true, Way::Down) => Amount::By(-value),
                (true, Way::Up | Way::None) => Amount::By(value),
                (false, _) => Amount::To(value),
            };
            Some(Setting::Temperature(amount))
        }
        (Property::Temperature, None) => match way {
            Way::Up => Some(Setting::Temperature(Amount::By(1.0))),
            Way::Down => Some(Setting::Temperature(Amount::By(-1.0))),
            Way::None => None,
        },
        (Property::Temperature, Some(_)) => None,
    }
}
