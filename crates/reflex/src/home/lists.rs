//! Reads what is put on lists and ticked off, and what is to be said in every room.

use super::command::{Act, Change, Command, Target};
use super::reading::Reading;

pub(super) fn read(mut reading: Reading<'_>) -> Option<Command> {
    broadcast(reading).or_else(|| {
        let change = change(&mut reading)?;
        let target = list(&mut reading)?;
        while reading.begins(&["that", "item", "the item"]) {}
        while reading.ends(&["as done", "as completed", "as complete", "as finished", "done", "off", "off of", "item"])
        {
        }
        let words = reading.rest().filter(|words| words.len() <= 12 && !reading.says_more(words.clone()))?;
        Some(Command::new(Act::List { change, item: reading.quote(words) }, target))
    })
}

fn change(reading: &mut Reading<'_>) -> Option<Change> {
    const ADD: [&str; 6] = ["add", "put", "append", "place", "write", "include"];
    const DONE: [&str; 16] = [
        "check off",
        "tick off",
        "cross off",
        "mark off",
        "strike off",
        "take off",
        "check",
        "tick",
        "cross",
        "complete",
        "mark",
        "remove",
        "delete",
        "finish",
        "strike",
        "take",
    ];
    if reading.begins(&ADD) { Some(Change::Add) } else { reading.begins(&DONE).then_some(Change::Complete) }
}

/// Takes the list from the end: *to my shopping list*, *on Chores*.
fn list(reading: &mut Reading<'_>) -> Option<Target> {
    let named = reading.devices().find(|mention| mention.domain() == "todo");
    let mut target = Target::default();
    // A list that was named needs no *list* after it, unless its name says what kind.
    if let Some(mention) = named {
        let mut end = mention.end;
        while matches!(reading.word(end), "to" | "do" | "todo" | "list" | "shopping") {
            end += 1;
        }
        if end != reading.len() {
            return None;
        }
        target.name = Some(mention.name.name.clone());
        target.id = Some(mention.name.id.clone());
        target.domain = Some("todo".to_owned());
        reading.take(mention.first..end);
    } else {
        const SHOPPING: [&str; 5] = ["shopping list", "grocery list", "groceries list", "shopping lists", "list"];
        if !reading.ends(&SHOPPING) {
            return None;
        }
    }
    while reading.ends(&["my", "the", "our"]) {}
    reading
        .ends(&["from off", "off of", "off from", "to", "on", "onto", "on to", "in", "into", "from", "off"])
        .then_some(target)
}

fn broadcast(mut reading: Reading<'_>) -> Option<Command> {
    const VERBS: [&str; 8] = [
        "broadcast a message saying",
        "broadcast",
        "announce to everyone",
        "announce",
        "tell everyone",
        "tell everybody",
        "let everyone know",
        "let everybody know",
    ];
    if !reading.begins(&VERBS) {
        return None;
    }
    reading.begins(&["that"]);
    let words = reading.rest().filter(|words| !reading.says_more(words.clone()))?;
    Some(Command::new(Act::Broadcast(reading.quote(words)), Target::default()))
}
