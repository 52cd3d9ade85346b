//! Reads what is said to machines that drive about by themselves: vacuums and mowers.

use super::command::{Act, Command, Machine};
use super::lexicon::Kind;
use super::place::Scope;
use super::reading::Reading;
use super::things::{Things, may_stay};

const VACUUM: Kind = Kind { domain: "vacuum", class: None, plural: false };
const MOWER: Kind = Kind { domain: "lawn_mower", class: None, plural: false };

pub(super) fn read(mut reading: Reading<'_>) -> Option<Command> {
    let machine = verb(&mut reading);
    // *vacuum the kitchen*, *mow the lawn*: the verb names the machine.
    let (machine, mut kind) = match machine {
        Some(machine) => (machine, None),
        None if reading.begins(&["vacuum", "hoover", "sweep", "clean up", "clean"]) => (Machine::Start, Some(VACUUM)),
        None if reading.begins(&["mow the lawn", "mow the grass", "mow"]) => (Machine::Start, Some(MOWER)),
        None => return None,
    };
    let things = Things::take(&mut reading, |mention| matches!(mention.domain(), "vacuum" | "lawn_mower"))?;
    let doing = reading.any(&["cleaning", "vacuuming", "mowing"]).map(|at| reading.word(at.start));
    kind = things.kind.or(kind).or(doing.map(|doing| if doing == "mowing" { MOWER } else { VACUUM }));
    let works = things.device.is_some() || kind.is_some_and(|kind| matches!(kind.domain, "vacuum" | "lawn_mower"));
    let somewhere =
        things.device.is_some() || things.kind.is_some() || things.place.scope != Scope::Unsaid || kind == Some(MOWER);
    let done = |word: &str| may_stay(word) || matches!(word, "to" | "robot" | "with" | "cleaner" | "and" | "start");
    if !works || !somewhere || !reading.is_done(done) {
        return None;
    }
    let things = Things { kind: if things.device.is_some() { None } else { kind }, ..things };
    Some(Command::new(Act::Machine(machine), things.target(&reading)))
}

/// What to do, by words that are not the machine's own.
fn verb(reading: &mut Reading<'_>) -> Option<Machine> {
    const BASE: [&str; 14] = [
        "return to base",
        "return to its base",
        "return to the base",
        "return to dock",
        "return to its dock",
        "return home",
        "to its base",
        "to the base",
        "to base",
        "to its dock",
        "to the dock",
        "to dock",
        "home",
        "to its charger",
    ];
    const AWAY: [&str; 12] =
        ["send", "return", "dock", "bring", "make", "have", "let", "get", "tell", "recall", "stop", "charge"];
    let mut back = *reading;
    let verb = back.begins(&AWAY);
    let base = back.any(&BASE).is_some();
    if base && (verb || back.devices().any(|mention| mention.domain() == "vacuum")) {
        back.any(&["go back", "go", "come", "return", "back", "cleaning and"]);
        back.any(&["back"]);
        *reading = back;
        return Some(Machine::Dock);
    }
    // *have the vacuum clean the kitchen*
    let mut sent = *reading;
    if sent.begins(&["have", "let", "make", "tell", "get", "ask"])
        && sent.any(&["to clean", "to vacuum", "to sweep", "to mow", "to start", "clean", "sweep", "mow"]).is_some()
    {
        *reading = sent;
        return Some(Machine::Start);
    }
    if reading.begins(&["return", "dock", "recall"]) || reading.begins(&["send back"]) {
        reading.any(&["back"]);
        return Some(Machine::Dock);
    }
    if reading.begins(&["start", "run", "begin", "turn on", "switch on", "activate", "resume", "launch"]) {
        return Some(Machine::Start);
    }
    if reading.begins(&["stop", "pause", "halt", "turn off", "switch off"]) {
        return Some(Machine::Stop);
    }
    None
}
