//! Reads questions for a value: how warm it is, what a sensor shows, where somebody is.

use super::command::{Act, Command, Form, Question, Target};
use super::lexicon::{is_glue, kind};
use super::names::{Mention, domain_of};
use super::place::{self, Scope};
use super::reading::Reading;
use super::states::{is_measure, is_of_readings};
use super::things::Things;

pub(super) fn read(mut reading: Reading<'_>) -> Option<Command> {
    if let Some(command) = whereabouts(reading) {
        return Some(command);
    }
    const LEADS: [&str; 14] = [
        "what is", "whats", "tell me", "give me", "show me", "check", "what", "read", "get", "report", "how much",
        "how", "which", "when is",
    ];
    let short = ["status", "state", "temperature", "temp"].iter().any(|word| reading.has(word));
    if !reading.begins(&LEADS) && !short {
        return None;
    }
    sensor(reading).or_else(|| temperature(reading)).or_else(|| thing(reading))
}

/// *where is Ada*
fn whereabouts(mut reading: Reading<'_>) -> Option<Command> {
    if !reading.begins(&["where is", "where's", "tell me where"]) {
        return None;
    }
    let mention = reading.devices().find(|mention| mention.domain() == "person")?;
    reading.take(mention.first..mention.end);
    reading.is_done(|word| is_glue(word) || matches!(word, "is" | "at")).then(|| told(mention, None))
}

/// What one sensor shows. Its own words and the words for what it measures must be all there is.
fn sensor(reading: Reading<'_>) -> Option<Command> {
    let longest = reading.devices().find(|mention| mention.domain() == "sensor")?;
    let same = reading
        .devices()
        .filter(|other| other.domain() == "sensor" && (other.first, other.end) == (longest.first, longest.end));
    let mut best: Option<(usize, Mention<'_>)> = None;
    for mention in same {
        let mut rest = reading;
        rest.take(mention.first..mention.end);
        let class = mention.name.class.as_deref().unwrap_or_default();
        let measured = rest.left().filter(|(_, word)| is_measure(class, word)).count();
        let done = rest.is_done(|word| is_glue(word) || is_of_readings(word) || is_measure(class, word));
        if done && best.is_none_or(|(most, _)| measured > most) {
            best = Some((measured, mention));
        }
    }
    let (measured, mention) = best?;
    let class = mention.name.class.clone().filter(|_| measured > 0);
    Some(told(mention, class))
}

/// How warm it is, somewhere.
fn temperature(mut reading: Reading<'_>) -> Option<Command> {
    reading.any(&["temperature", "temp", "hot is", "warm is", "cold is", "cool is", "hot", "warm", "cold"])?;
    let things = Things::take(&mut reading, |mention| mention.domain() == "climate")?;
    if things.kind.is_some_and(|kind| kind.domain != "climate") {
        return None;
    }
    let done = |word: &str| {
        is_glue(word)
            || matches!(word, "is" | "it" | "current" | "right" | "like" | "inside" | "on" | "room" | "be" | "reading")
    };
    if !reading.is_done(done) {
        return None;
    }
    // Where no room is said and nothing heats or cools the house, the weather may be meant.
    let heated = reading.sentence.house.iter().any(|name| domain_of(name) == "climate");
    if things.is_empty() && !heated {
        return None;
    }
    let mut target = things.target(&reading);
    target.domain = Some("climate".to_owned());
    let question = Question { form: Form::What, state: None, attribute: Some("temperature".to_owned()) };
    Some(Command::new(Act::Ask(question), target))
}

/// The state of one thing, whatever it is; or what is measured in a room.
fn thing(mut reading: Reading<'_>) -> Option<Command> {
    const MEASURES: [&str; 8] =
        ["humidity", "illuminance", "battery", "brightness", "energy", "power", "carbon_dioxide", "pressure"];
    if let Some(mention) =
        reading.devices().find(|mention| !matches!(mention.domain(), "weather" | "todo" | "scene" | "script"))
    {
        reading.take(mention.first..mention.end);
        // *the front door lock*
        if kind(reading.word(mention.end)).is_some_and(|kind| kind.domain == mention.domain()) {
            reading.take(mention.end..mention.end + 1);
        }
        let attribute =
            ["brightness", "battery", "volume", "position", "humidity"].iter().find(|word| reading.has(word));
        let place = place::take(&mut reading)?;
        let done = |word: &str| is_glue(word) || is_of_readings(word) || attribute == Some(&word);
        let plain = reading.has("status")
            || reading.has("state")
            || reading.has("value")
            || reading.word(0) == "check"
            || (reading.has("location") && mention.domain() == "person")
            || attribute.is_some();
        if !plain || !reading.is_done(done) {
            return None;
        }
        let mut command = told(mention, attribute.map(|word| (*word).to_owned()));
        place.onto(&mut command.target, &reading, false);
        return Some(command);
    }
    let class =
        MEASURES.iter().find(|class| reading.left().any(|(_, word)| class.split('_').any(|part| part == word)))?;
    let place = place::take(&mut reading)?;
    if place.scope == Scope::Unsaid
        || !reading.is_done(|word| is_glue(word) || is_of_readings(word) || is_measure(class, word))
    {
        return None;
    }
    let mut target =
        Target { domain: Some("sensor".to_owned()), class: Some((*class).to_owned()), ..Target::default() };
    place.onto(&mut target, &reading, false);
    let question = Question { form: Form::What, state: None, attribute: Some((*class).to_owned()) };
    Some(Command::new(Act::Ask(question), target))
}

fn told(mention: Mention<'_>, attribute: Option<String>) -> Command {
    let target = Target {
        name: Some(mention.name.name.clone()),
        id: Some(mention.name.id.clone()),
        domain: Some(domain_of(mention.name).to_owned()),
        class: mention.name.class.clone(),
        ..Target::default()
    };
    Command::new(Act::Ask(Question { form: Form::What, state: None, attribute }), target)
}
