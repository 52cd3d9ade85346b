//! Reads what needs no house to answer: the time, the day, the weather, greetings, and taking something back.

use super::command::{Act, Command, Target};
use super::lexicon::is_glue;
use super::reading::Reading;

pub(super) fn read(reading: Reading<'_>) -> Option<Command> {
    let mut said = String::with_capacity(64);
    for (_, word) in
        reading.left().filter(|(_, word)| !matches!(*word, "the" | "a" | "an" | "my" | "right" | "now" | "current"))
    {
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(if word == "'s" { "is" } else { word });
    }
    let act = clock(&said).or_else(|| small(&said));
    act.map(|act| Command::new(act, Target::default())).or_else(|| weather(reading))
}

fn clock(said: &str) -> Option<Act> {
    let asked =
        ["what is ", "tell me ", "do you know ", "do you have ", "give me ", "say ", "whats ", "what ", "which "]
            .iter()
            .find_map(|lead| said.strip_prefix(lead))
            .unwrap_or(said);
    match asked {
        "time" | "time is it" | "what time is it" | "what time it is" | "time it is" | "time of day" => Some(Act::Time),
        "date"
        | "date today"
        | "day"
        | "day is it"
        | "day is it today"
        | "day is today"
        | "today is date"
        | "date is it"
        | "date is it today"
        | "what day is it"
        | "what day it is"
        | "date is today"
        | "today is day"
        | "day today"
        | "day of week is it"
        | "day of week"
        | "what date it is"
        | "what day is it today"
        | "day of week is it today"
        | "todays date"
        | "day it is"
        | "which day is it"
        | "today" => {
            // *time* alone is not a question, and *day* alone even less.
            (asked.len() < said.len() || asked.contains(' ')).then_some(Act::Date)
        }
        _ => None,
    }
    .filter(|_| asked.len() < said.len() || asked.contains(' '))
}

fn small(said: &str) -> Option<Act> {
    match said {
        "nevermind" | "never mind" | "forget it" | "forget that" | "forget about it" | "cancel" | "cancel that"
        | "cancel it" | "scratch that" | "ignore that" | "nothing" | "oh nevermind" | "oh never mind"
        | "no nevermind" => Some(Act::Nevermind),
        "hi"
        | "hello"
        | "hey"
        | "hi there"
        | "hello there"
        | "hey there"
        | "good morning"
        | "good evening"
        | "good night"
        | "good afternoon"
        | "hi home assistant"
        | "hello home assistant"
        | "hey home assistant"
        | "thanks"
        | "thank you"
        | "how are you"
        | "who are you"
        | "what are you"
        | "what is your name"
        | "what can i say"
        | "what can i ask"
        | "what can i ask you"
        | "what can you do"
        | "what do you do"
        | "who made you"
        | "who created you"
        | "who built you"
        | "where does data go"
        | "where is data stored"
        | "is data private"
        | "do you share data"
        | "help"
        | "what can i say to you"
        | "who developed you"
        | "who invented you"
        | "home assistant" => Some(Act::Respond),
        _ => None,
    }
}

/// A short question about the assistant itself: *where were you born*, *what is your favourite colour*.
pub(super) fn about_you(reading: Reading<'_>) -> Option<Command> {
    let (first, second, third) = (reading.word(0), reading.word(1), reading.word(2));
    let asked = match first {
        "who" | "what" | "where" | "how" | "why" | "when" => {
            matches!(second, "are" | "were" | "is" | "was") && matches!(third, "you" | "your")
        }
        "are" => second == "you",
        _ => false,
    };
    (asked && reading.len() <= 5).then(|| Command::new(Act::Respond, Target::default()))
}

fn weather(mut reading: Reading<'_>) -> Option<Command> {
    reading.any(&["weather like", "weather forecast", "weather", "forecast"])?;
    let place = reading.devices().find(|mention| mention.domain() == "weather");
    let mut target = Target::default();
    if let Some(mention) = place {
        reading.take(mention.first..mention.end);
        target.name = Some(mention.name.name.clone());
        target.id = Some(mention.name.id.clone());
        target.domain = Some("weather".to_owned());
    }
    reading.begins(&["what is", "whats", "how is", "tell me", "show me", "give me", "what"]);
    let done = |word: &str| {
        is_glue(word)
            || matches!(word, "in" | "is" | "for" | "like" | "at" | "outside" | "current" | "today" | "about" | "it")
    };
    reading.is_done(done).then(|| Command::new(Act::Weather, target))
}
