//! Reads what brings things into a state: on and off, open and closed, locked and unlocked.

use super::command::{Act, Command, Machine, Switch};
use super::lexicon::{Kind, is_before_place};
use super::names::Mention;
use super::reading::Reading;
use super::things::{Things, may_stay};
use super::unknown;

/// How sure a verb is of being about a house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    /// *turn on*: whatever follows is a device.
    Plain,
    /// *open*, *activate*: much else can follow.
    Loose,
    /// *light up*: lights are meant, and what follows is where.
    Lights,
    /// *run*, *start*: only scenes and scripts are begun like this.
    Scene,
    /// No verb at all, only *on* or *off*.
    None,
}

pub(super) fn read(mut reading: Reading<'_>) -> Option<Command> {
    let (switch, verb) = verb(&mut reading)?;
    let before = reading;
    let mut things = Things::take(&mut reading, |mention| fits(mention, switch, verb));
    if verb == Verb::Lights
        && let Some(things) = &mut things
        && things.device.is_none()
        && things.kind.is_none()
    {
        things.kind = Some(Kind { domain: "light", class: None, plural: true });
    }
    if let Some(things) = things
        && reading.is_done(may_stay)
        && let Some(kind) = suits(&things, switch, verb)
    {
        let things = Things { kind, ..things };
        let act = match (things.domain(), switch) {
            (Some("vacuum" | "lawn_mower"), Switch::On) => Act::Machine(Machine::Start),
            (Some("vacuum" | "lawn_mower"), Switch::Off) => Act::Machine(Machine::Stop),
            _ => Act::Switch(switch),
        };
        return Some(Command::new(act, things.target(&reading)));
    }
    unknown::read(before, switch, verb)
}

/// Takes the words that say what to do.
fn verb(reading: &mut Reading<'_>) -> Option<(Switch, Verb)> {
    if reading.begins(&[
        "make sure that",
        "make sure",
        "ensure that",
        "ensure",
        "i want",
        "i need",
        "i'd like",
        "leave",
    ]) {
        let switch = particle(reading).or_else(|| ended_state(reading))?;
        reading.any(&["is", "are", "to be", "be"]);
        return Some((switch, Verb::Plain));
    }
    if reading.begins(&["light up", "illuminate"]) {
        return Some((Switch::On, Verb::Lights));
    }
    if reading.word(0) == "light" && reading.is_left(0) && reading.ends(&["up"]) {
        reading.take(0..1);
        return Some((Switch::On, Verb::Lights));
    }
    if reading.begins(&["turn out", "put out"]) {
        return Some((Switch::Off, Verb::Loose));
    }
    if reading.has("lights") && reading.ends(&["out"]) {
        reading.begins(&["turn", "put"]);
        return Some((Switch::Off, Verb::None));
    }
    let whole = *reading;
    if reading.begins(&["turn", "switch", "power", "put", "flip", "bring", "shut", "get", "flick", "cut", "set"]) {
        let first = reading.left().next().map(|(at, _)| at)?;
        let verb = reading.word(first.checked_sub(1)?);
        if let Some(switch) = particle(reading) {
            // What is put on may be music.
            let sure = if matches!(verb, "put" | "get" | "bring" | "set") { Verb::Loose } else { Verb::Plain };
            return (verb != "shut" || switch == Switch::Off).then_some((switch, sure));
        }
        return match verb {
            "shut" => {
                let mut down = whole;
                let found = single(&mut down);
                if found.is_some() {
                    *reading = down;
                }
                found.or(Some((Switch::Close, Verb::Loose)))
            }
            "set" => {
                reading.begins(&["the scene to", "scene to", "the mood to"]);
                Some((Switch::On, Verb::Scene))
            }
            "power" | "put" | "cut" => {
                *reading = whole;
                single(reading)
            }
            _ => None,
        };
    }
    single(reading).or_else(|| particle(reading).map(|switch| (switch, Verb::None)))
}

/// Takes a verb that needs no *on* or *off*.
fn single(reading: &mut Reading<'_>) -> Option<(Switch, Verb)> {
    let verbs: [(&[&str], Switch, Verb); 9] = [
        (&["activate", "enable"], Switch::On, Verb::Loose),
        (
            &["deactivate", "disable", "kill", "shut down", "power down", "put out", "cut", "extinguish", "douse"],
            Switch::Off,
            Verb::Loose,
        ),
        (&["open up", "open", "raise", "roll up", "pull up", "lift"], Switch::Open, Verb::Loose),
        (&["close", "lower", "roll down", "pull down", "draw"], Switch::Close, Verb::Loose),
        (&["unlock"], Switch::Unlock, Verb::Loose),
        (&["lock up", "lock"], Switch::Lock, Verb::Loose),
        (&["toggle"], Switch::Toggle, Verb::Plain),
        (&["run", "start", "trigger", "execute", "launch", "initiate", "begin"], Switch::On, Verb::Scene),
        (&["stop", "halt"], Switch::Stop, Verb::Loose),
    ];
    verbs.into_iter().find(|(phrases, ..)| reading.begins(phrases)).map(|(_, switch, verb)| (switch, verb))
}

/// Takes the *on* or *off* that belongs to the verb, and not to a place as in *on the first floor*.
fn particle(reading: &mut Reading<'_>) -> Option<Switch> {
    let first = reading.left().next().map(|(at, _)| at);
    let at = (0..reading.len()).find(|at| {
        let next = reading.word(at + 1);
        let free = !reading.is_left(at + 1)
            || Some(*at) == first
            || (is_before_place(next) && next != "of")
            || matches!(next, "here" | "everywhere" | "anywhere" | "please" | "all");
        reading.is_left(*at) && matches!(reading.word(*at), "on" | "off") && free
    })?;
    let to = at.checked_sub(1).filter(|before| reading.is_left(*before) && reading.word(*before) == "to");
    reading.take(to.unwrap_or(at)..at + 1);
    Some(if reading.word(at) == "on" { Switch::On } else { Switch::Off })
}

/// Takes the state that something is to be in, from the end: *is locked*.
fn ended_state(reading: &mut Reading<'_>) -> Option<Switch> {
    let states = [("open", Switch::Open), ("closed", Switch::Close), ("shut", Switch::Close), ("locked", Switch::Lock)];
    states.into_iter().find(|(word, _)| reading.ends(&[word])).map(|(_, switch)| switch)
}

/// Whether something with a name can be brought into a state.
fn fits(mention: &Mention<'_>, switch: Switch, verb: Verb) -> bool {
    let domain = mention.domain();
    match switch {
        Switch::On if verb == Verb::Scene => matches!(domain, "scene" | "script"),
        Switch::On | Switch::Off | Switch::Toggle => {
            !matches!(
                domain,
                "" | "sensor"
                    | "binary_sensor"
                    | "person"
                    | "weather"
                    | "todo"
                    | "lock"
                    | "cover"
                    | "zone"
                    | "timer"
                    | "calendar"
                    | "event"
            ) && (switch == Switch::On || domain != "scene")
        }
        Switch::Open | Switch::Close => matches!(domain, "cover" | "valve"),
        Switch::Lock => domain == "lock",
        // Nobody is let in by a guess.
        Switch::Unlock => domain == "lock" && mention.exact,
        Switch::Stop => matches!(domain, "cover" | "valve"),
    }
}

/// The kind that is meant, if the things that were said can be brought into the state. What was said must name them.
#[expect(clippy::option_option, reason = "a device has no kind, which is not the same as not fitting")]
pub(super) fn suits(things: &Things<'_>, switch: Switch, verb: Verb) -> Option<Option<Kind>> {
    if things.device.is_some() {
        return Some(None);
    }
    suits_kind(things.kind?, switch, verb).map(Some)
}

/// The kind that is meant, if it can be brought into the state: a door that is locked is a lock.
pub(super) fn suits_kind(kind: Kind, switch: Switch, verb: Verb) -> Option<Kind> {
    let opens = matches!(kind.domain, "cover" | "valve");
    match switch {
        Switch::On | Switch::Off | Switch::Toggle => {
            (!opens && kind.domain != "lock" && verb != Verb::Scene).then_some(kind)
        }
        Switch::Open | Switch::Close => opens.then_some(kind),
        Switch::Stop => (kind.domain == "cover").then_some(kind),
        Switch::Lock | Switch::Unlock => {
            let locks = kind.domain == "lock" || matches!(kind.class, Some("door" | "garage" | "gate" | "window"));
            locks.then_some(Kind { domain: "lock", class: None, ..kind })
        }
    }
}
