//! Reads questions about what is so: is it on, which are open, how many are low, who is at home.

use super::asked::{Hints, asked, is_said_of};
use super::command::{Act, Command, Form, Question, Target};
use super::lexicon::{is_glue, kind};
use super::names::{Mention, domain_of};
use super::place::{self, Scope};
use super::reading::Reading;
use super::states::{NOTICED, STATES, StateWord};
use domain::name::Name;

/// What is said of things without saying what they are.
const THINGS: [&str; 13] = [
    "devices",
    "device",
    "things",
    "thing",
    "sensors",
    "sensor",
    "detectors",
    "detector",
    "appliances",
    "anything",
    "something",
    "rooms",
    "areas",
];

pub(super) fn read(mut reading: Reading<'_>) -> Option<Command> {
    let form = lead(&mut reading)?;
    person(reading, form).or_else(|| state(reading, form))
}

/// Takes the words that make it a question, and says what they ask for.
fn lead(reading: &mut Reading<'_>) -> Option<Form> {
    const IF: [&str; 12] = [
        "tell me if",
        "tell me whether",
        "do you know if",
        "do you know whether",
        "check if",
        "check whether",
        "let me know if",
        "can you check if",
        "see if",
        "tell me",
        "i wonder if",
        "check that",
    ];
    let told = reading.begins(&IF);
    let form = if reading.begins(&["how many of", "how many"]) {
        Form::HowMany
    } else if reading.begins(&["which of", "which"]) || (reading.find("what is").is_none() && reading.begins(&["what"]))
    {
        Form::Which
    } else if reading.begins(&["is there", "are there", "do we have", "do i have", "does any", "do any", "has any"]) {
        Form::Any
    } else if reading.begins(&["is", "are", "has", "have", "does", "do", "did"])
        || reading.find("any").is_some()
        || told
    {
        Form::All
    } else if reading.word(0).starts_with("who") && reading.begins(&["who"]) {
        return Some(Form::Which);
    } else {
        return None;
    };
    let any = reading.any(&["any of", "any"]).is_some()
        || ["anything", "anyone", "anybody", "someone", "somebody"].iter().any(|word| reading.has(word));
    let all = reading.any(&["all of", "all", "every", "each", "both"]).is_some();
    Some(match form {
        Form::All if any => Form::Any,
        _ if all && form == Form::Any => Form::All,
        _ => form,
    })
}

/// *is Ada at home*, *who is at work*
fn person(mut reading: Reading<'_>, form: Form) -> Option<Command> {
    let who = reading.devices().find(|mention| mention.domain() == "person");
    let people = reading
        .any(&["everyone", "everybody", "people", "anyone", "anybody", "persons", "someone", "somebody"])
        .is_some();
    let mut target = Target { domain: Some("person".to_owned()), ..Target::default() };
    match who {
        Some(mention) => {
            reading.take(mention.first..mention.end);
            target.name = Some(mention.name.name.clone());
            target.id = Some(mention.name.id.clone());
        }
        None if people || reading.word(0) == "who" || form == Form::Any => target.all = true,
        None => return None,
    }
    reading.any(&["is", "are", "'s"]);
    let negated = reading.any(&["not"]).is_some();
    let state = if reading.any(&["at home", "home", "in the house", "here"]).is_some() {
        if negated { "not_home" } else { "home" }.to_owned()
    } else if reading.any(&["away", "gone", "not home", "out"]).is_some() {
        "not_home".to_owned()
    } else if !negated && reading.any(&["at", "in"]).is_some() {
        while reading.begins(&["the", "my"]) {}
        let words = reading.rest().filter(|words| words.len() <= 2)?;
        // Who is in a room is for its sensors to say.
        if reading.sentence.mentions.iter().any(|mention| mention.is_place() && mention.first == words.start) {
            return None;
        }
        let zone = reading.quote(words.clone());
        reading.take(words);
        zone
    } else {
        return None;
    };
    // *is anyone home* is about people, *are any devices home* is not.
    let done = |word: &str| is_glue(word) || matches!(word, "there" | "still" | "currently");
    let about_people = who.is_some() || people || reading.word(0) == "who";
    if !about_people && reading.sentence.words.len() > 3 || !reading.is_done(done) {
        return None;
    }
    Some(Command::new(Act::Ask(Question { form, state: Some(state), attribute: None }), target))
}

fn state(mut reading: Reading<'_>, form: Form) -> Option<Command> {
    // *who turned off the lights* asks for a culprit, not for a state.
    if reading.word(0) == "who" {
        return None;
    }
    let there = reading.sentence.words.get(1) == "there" || form == Form::Any;
    let whole = reading;
    let named = reading.devices().find_map(|mention| one(whole, mention, form));
    if let Some(command) = named {
        return Some(command);
    }
    let negated = reading.any(&["not"]).is_some();
    let somebody = reading.any(&["anyone", "anybody", "someone", "somebody"]).map(|_| "occupancy");
    let noun = somebody.or_else(|| noun(&mut reading));
    let kind = reading.left().find_map(|(at, word)| kind(word).map(|kind| (at, kind)));
    if let Some((at, _)) = kind {
        reading.take(at..at + 1);
    }
    let state = take_state(&mut reading);
    let place = place::take(&mut reading)?;
    let things = reading.any(&THINGS).is_some();
    let possessed = reading.any(&["there", "have", "has", "having", "need", "needs"]).is_some();
    let there = there || somebody.is_some() || possessed;
    let floor =
        state.is_some_and(|state| state.phrase == "wet") && reading.any(&["floor", "ground", "carpet"]).is_some();
    if !reading.is_done(may_stay) {
        return None;
    }
    let hints = Hints { negated, sensors: things, around: things || floor || place.scope != Scope::Unsaid, there };
    let (domain, class, state) = asked(reading.sentence.house, state, noun, kind.map(|(_, kind)| kind), hints)?;
    let mut target = Target { all: true, domain: Some(domain.to_owned()), ..Target::default() };
    target.class = class.map(str::to_owned);
    place.onto(&mut target, &reading, false);
    Some(Command::new(Act::Ask(Question { form, state: Some(state.to_owned()), attribute: None }), target))
}

/// The question read as one about a single thing with a name.
fn one(mut reading: Reading<'_>, mention: Mention<'_>, form: Form) -> Option<Command> {
    if form != Form::All && form != Form::Any {
        return None;
    }
    // *are any gas sensors on* is not about the sensor that is called *Gas*, nor is *is there any gas*.
    let word = reading.word(mention.first);
    let common =
        mention.end - mention.first == 1 && (kind(word).is_some() || NOTICED.iter().any(|(noun, _)| *noun == word));
    let several = common && form == Form::Any;
    let counted = matches!(reading.word(mention.end), "sensors" | "detectors");
    if several || counted {
        return None;
    }
    reading.take(mention.first..mention.end);
    let negated = reading.any(&["not"]).is_some();
    let state = take_state(&mut reading);
    // *is the light on* is about lamps, even where a sensor is called *Light*.
    let lamp = common && kind(word).is_some_and(|kind| kind.domain != mention.domain());
    if lamp && state.is_some_and(|state| state.plain.is_some()) {
        return None;
    }
    let noun = noun(&mut reading);
    let place = place::take(&mut reading)?;
    reading.any(&["have", "has", "having", "need", "needs"]);
    let done = |word: &str| may_stay(word) || matches!(word, "sensor" | "detector");
    if !reading.is_done(done) {
        return None;
    }
    let answer = answer(mention.name, state, noun, negated)?;
    let mut target = Target {
        name: Some(mention.name.name.clone()),
        id: Some(mention.name.id.clone()),
        domain: Some(domain_of(mention.name).to_owned()),
        class: mention.name.class.clone(),
        ..Target::default()
    };
    place.onto(&mut target, &reading, false);
    Some(Command::new(Act::Ask(Question { form: Form::All, state: Some(answer), attribute: None }), target))
}

/// The state of a thing that a word for a state means, if it can be said of that thing.
fn answer(name: &Name, state: Option<&StateWord>, noun: Option<&str>, negated: bool) -> Option<String> {
    let domain = domain_of(name);
    if domain == "binary_sensor" {
        let class = name.class.as_deref()?;
        if noun.is_some_and(|noun| !is_said_of(noun, class)) {
            return None;
        }
        let on = match state {
            Some(state) => {
                state.classes.iter().find(|(about, _)| *about == class).map(|(_, on)| *on).or(state.any_class)?
            }
            None => noun.is_some().then_some(true)?,
        };
        return Some(if on != negated { "on" } else { "off" }.to_owned());
    }
    let plain = state?.plain.filter(|_| !negated && noun.is_none())?;
    let suits = match plain {
        "open" | "closed" => matches!(domain, "cover" | "valve"),
        "locked" | "unlocked" => domain == "lock",
        "on" | "off" => {
            !matches!(domain, "cover" | "valve" | "lock" | "sensor" | "person" | "weather" | "todo" | "scene")
        }
        _ => false,
    };
    suits.then(|| plain.to_owned())
}

fn take_state(reading: &mut Reading<'_>) -> Option<&'static StateWord> {
    let state = STATES.iter().find(|state| {
        // *on the first floor* is a place.
        let found = reading.find(state.phrase);
        let place = |at: usize| reading.is_left(at) && is_glue(reading.word(at));
        found.is_some_and(|range| state.phrase != "on" || !place(range.end))
    })?;
    reading.any(&[state.phrase]);
    Some(state)
}

fn noun(reading: &mut Reading<'_>) -> Option<&'static str> {
    let (phrase, class) = NOTICED.iter().find(|(phrase, _)| reading.find(phrase).is_some())?;
    // *is the pipe cold*: a state, not what is noticed, unless sensors follow.
    let at = reading.find(phrase)?;
    let sensors = matches!(reading.word(at.end), "sensor" | "sensors" | "detector" | "detectors" | "detected");
    if matches!(*phrase, "cold" | "heat" | "flooding" | "tampering" | "opening") && !sensors {
        return None;
    }
    reading.take(at);
    Some(class)
}

/// Words that may be left over in a question about states.
fn may_stay(word: &str) -> bool {
    is_glue(word)
        || matches!(
            word,
            "is" | "are" | "there" | "with" | "been" | "being" | "at" | "in" | "single" | "turned" | "switched" | "for"
        )
}
