//! Reads what is said about timers, and commands that are to be carried out later.

use super::command::{Act, Command, Target, Timer, TimerAct};
use super::number::{self, Length};
use super::reading::Reading;

pub(super) fn read(mut reading: Reading<'_>) -> Option<Command> {
    let Some(noun) = ["timer", "timers", "countdown"].iter().find_map(|word| reading.find(word)) else {
        return left(reading).or_else(|| later(reading));
    };
    let (act, by) = act(&mut reading, noun.start)?;
    let mut timer = Timer { act, length: Length::default(), started: Length::default(), name: None, then: None };
    let lengths = lengths(&mut reading);
    match (act, lengths.as_slice()) {
        (TimerAct::Start, [(_, length)]) => timer.length = *length,
        (TimerAct::Increase | TimerAct::Decrease, [(_, length)]) => timer.length = *length,
        (TimerAct::Increase | TimerAct::Decrease, [(first, one), (_, two)]) => {
            // *increase the one hour timer by five minutes*, but *add five minutes to the one hour timer*
            let one_is_change = by.is_none_or(|by| by < *first);
            (timer.length, timer.started) = if one_is_change { (*one, *two) } else { (*two, *one) };
        }
        (TimerAct::Start | TimerAct::Increase | TimerAct::Decrease, _) => return None,
        (_, []) => {}
        (_, [(_, length)]) => timer.started = *length,
        _ => return None,
    }
    reading.take(noun);
    let mut target = Target::default();
    if act != TimerAct::Start {
        place(&mut reading, &mut target);
    }
    while let Some((at, _)) = reading.left().next().filter(|(_, word)| is_about_timers(word)) {
        reading.take(at..at + 1);
    }
    while let Some((at, _)) = reading.left().last().filter(|(_, word)| is_about_timers(word)) {
        reading.take(at..at + 1);
    }
    if reading.left().next().is_some() {
        let name = names(reading)?;
        timer.name = Some(reading.quote(name));
    }
    let all = act == TimerAct::CancelAll;
    (!all || timer.name.is_none()).then(|| Command::new(Act::Timer(timer), target))
}

/// What is to be done, and where the word *by* stands if it says by how much.
fn act(reading: &mut Reading<'_>, noun: usize) -> Option<(TimerAct, Option<usize>)> {
    const STATUS: [&str; 24] = [
        "status",
        "how much time is",
        "how much time",
        "how much longer",
        "how long",
        "time left",
        "time remaining",
        "remaining",
        "remains",
        "when will",
        "when does",
        "how many minutes",
        "how many seconds",
        "how many hours",
        "go off",
        "goes off",
        "are there any",
        "do i have any",
        "running",
        "is left",
        "check",
        "show me",
        "show",
        "what is",
    ];
    const CANCEL: [&str; 11] =
        ["cancel", "stop", "clear", "delete", "end", "remove", "dismiss", "kill", "abort", "turn off", "get rid of"];
    const ALL: [&str; 5] = ["all of", "all", "every", "each", "both"];
    if reading.begins(&["pause", "hold", "freeze"]) {
        return Some((TimerAct::Pause, None));
    }
    if reading.begins(&["resume", "continue", "unpause", "carry on"]) {
        return Some((TimerAct::Resume, None));
    }
    let changes = reading.left().any(|(at, _)| at < noun && number::length(&reading.sentence.words, at).is_some());
    let by = reading.find("by").map(|range| range.start);
    if by.is_some() || changes {
        let more = reading.begins(&["increase", "extend", "lengthen", "raise", "prolong"]) && by.is_some();
        if more || (reading.find("to").is_some() && reading.begins(&["add", "put", "give"])) {
            return Some((TimerAct::Increase, by));
        }
        let less = reading.begins(&["decrease", "reduce", "shorten", "lower", "cut"]) && by.is_some();
        let from = reading.find("from").is_some() || reading.find("off").is_some();
        if less || (from && reading.begins(&["remove", "take away", "take", "subtract", "deduct", "knock", "shave"])) {
            return Some((TimerAct::Decrease, by));
        }
    }
    if reading.begins(&CANCEL) {
        let all = reading.any(&ALL).is_some() || reading.word(noun) == "timers";
        return Some((if all { TimerAct::CancelAll } else { TimerAct::Cancel }, None));
    }
    if reading.any(&STATUS).is_some() {
        while reading.any(&STATUS).is_some() {}
        reading.any(&ALL);
        return Some((TimerAct::Status, None));
    }
    reading.begins(&[
        "set up", "set", "start", "create", "make", "begin", "add", "run", "put", "give me", "i need", "i want", "new",
    ]);
    Some((TimerAct::Start, None))
}

/// Takes all lengths of time, in order, with where they stand.
fn lengths(reading: &mut Reading<'_>) -> Vec<(usize, Length)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < reading.len() {
        match number::length(&reading.sentence.words, at) {
            Some((length, end)) if reading.are_left(at..end) => {
                reading.take(at..end);
                found.push((at, length));
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}

/// Takes the room whose timer is meant.
fn place(reading: &mut Reading<'_>, target: &mut Target) {
    let mentions = &reading.sentence.mentions;
    let area = mentions.iter().find(|mention| mention.is_place() && reading.are_left(mention.first..mention.end));
    if let Some(mention) = area {
        reading.take(mention.first..mention.end);
        target.area = Some(mention.name.into());
    }
}

/// Where the name of a timer stands: what is left, if it stands together and is short.
fn names(reading: Reading<'_>) -> Option<std::ops::Range<usize>> {
    let words = reading.rest().filter(|words| words.len() <= 4)?;
    let plain = words.clone().all(|at| {
        !matches!(reading.word(at), "." | "and" | "then" | "if" | "when" | "not" | "don't" | "do" | "i" | "you" | "me")
    });
    plain.then_some(words)
}

fn is_about_timers(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "my"
            | "our"
            | "a"
            | "an"
            | "timer"
            | "timers"
            | "for"
            | "named"
            | "called"
            | "labelled"
            | "labeled"
            | "in"
            | "on"
            | "to"
            | "from"
            | "off"
            | "by"
            | "with"
            | "of"
            | "is"
            | "are"
            | "left"
            | "there"
            | "that"
            | "'s"
            | "does"
            | "have"
            | "has"
            | "name"
            | "titled"
            | "it"
            | "do"
            | "i"
            | "be"
            | "me"
            | "time"
    )
}

/// *how much time is left*: only timers run out.
fn left(mut reading: Reading<'_>) -> Option<Command> {
    let asked =
        ["how much time is left", "how much time do i have left", "how much time left", "how much time remains"];
    if !reading.begins(&asked) || reading.left().next().is_some() {
        return None;
    }
    let none = Length::default();
    let timer = Timer { act: TimerAct::Status, length: none, started: none, name: None, then: None };
    Some(Command::new(Act::Timer(timer), Target::default()))
}

/// *open the gate in five minutes*: a command that waits.
fn later(mut reading: Reading<'_>) -> Option<Command> {
    const VERBS: [&str; 21] = [
        "turn",
        "switch",
        "open",
        "close",
        "lock",
        "unlock",
        "set",
        "start",
        "stop",
        "play",
        "pause",
        "resume",
        "dim",
        "activate",
        "deactivate",
        "lower",
        "raise",
        "run",
        "change",
        "shut",
        "toggle",
    ];
    let (at, length, end) = (0..reading.len()).rev().find_map(|at| {
        let said = match reading.word(at) {
            "in" => true,
            "after" => at == 0,
            _ => false,
        };
        let (length, end) = number::length(&reading.sentence.words, at + 1).filter(|_| said && reading.is_left(at))?;
        Some((at, length, end))
    })?;
    let (first, _) = reading.left().next()?;
    let (last, _) = reading.left().last()?;
    reading.take(at..end);
    let command = if at == first {
        end..last + 1
    } else if end == last + 1 {
        first..at
    } else {
        return None;
    };
    let command = command.start + usize::from(reading.word(command.start) == "please")..command.end;
    let several = command.clone().any(|at| matches!(reading.word(at), "and" | "then" | "." | "if" | "it" | "me"));
    if several || command.len() < 2 || !VERBS.contains(&reading.word(command.start)) {
        return None;
    }
    let then = Some(reading.quote(command));
    let timer = Timer { act: TimerAct::Start, length, started: Length::default(), name: None, then };
    Some(Command::new(Act::Timer(timer), Target::default()))
}
