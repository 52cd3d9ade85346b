//! Reads what brings things into a state: on and off, open and closed, locked and unlocked.

use super::command::{Act, Command, Machine, Switch, Target};
use super::lexicon::{Kind, is_before_place, is_glue, kind};
use super::names::Mention;
use super::place::{self, Scope};
use super::reading::Reading;
use super::things::{Things, may_stay};

/// How sure a verb is of being about a house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
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
    unknown(before, switch, verb)
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
            return (verb != "shut" || switch == Switch::Off).then_some((switch, Verb::Plain));
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
        Switch::Lock | Switch::Unlock => domain == "lock",
        Switch::Stop => matches!(domain, "cover" | "valve"),
    }
}

/// The kind that is meant, if the things that were said can be brought into the state. What was said must name them.
#[expect(clippy::option_option, reason = "a device has no kind, which is not the same as not fitting")]
fn suits(things: &Things<'_>, switch: Switch, verb: Verb) -> Option<Option<Kind>> {
    if things.device.is_some() {
        return Some(None);
    }
    suits_kind(things.kind?, switch, verb).map(Some)
}

/// The kind that is meant, if it can be brought into the state: a door that is locked is a lock.
fn suits_kind(kind: Kind, switch: Switch, verb: Verb) -> Option<Kind> {
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

/// A clear act on something that this house does not have.
fn unknown(mut reading: Reading<'_>, switch: Switch, verb: Verb) -> Option<Command> {
    let has_kind = reading.left().any(|(_, word)| kind(word).is_some());
    match verb {
        Verb::Plain => {}
        Verb::Loose if has_kind => {}
        Verb::Loose | Verb::Lights | Verb::Scene | Verb::None => return None,
    }
    let place = place::take(&mut reading)?;
    while let Some((at, _)) = reading.left().next().filter(|(_, word)| is_glue(word)) {
        reading.take(at..at + 1);
    }
    if let Some(command) = unknown_place(reading, switch, verb) {
        return Some(command);
    }
    let words = reading.rest().filter(|words| words.len() <= 4)?;
    let plain = words.clone().all(|at| is_of_a_name(reading.word(at)));
    // What is known but cannot be done like this is not unknown: *open* said of a lock.
    let known =
        reading.devices().any(|mention| mention.end - mention.first > 1 || kind(reading.word(mention.first)).is_none());
    // The kind comes last in a name; what follows it says something else. And it must be one that can be done so.
    let last = kind(reading.word(words.end - 1));
    let kind_suits = last.is_some_and(|kind| suits_kind(kind, switch, verb).is_some());
    if !plain || known || (has_kind && (!kind_suits || words.len() == 1)) {
        return None;
    }
    let mut target = Target::default();
    if place.scope == Scope::Named {
        place.onto(&mut target, &reading, false);
    }
    Some(Command { act: Act::Switch(switch), target, unknown: Some(reading.quote(words)) })
}

/// A clear act on things of a kind, in a room that this house does not have: *the lights in the bathroom*.
fn unknown_place(mut reading: Reading<'_>, switch: Switch, verb: Verb) -> Option<Command> {
    let things = Things::take(&mut reading, |_| false)?;
    let kind = suits(&things, switch, verb)?;
    if things.place.scope != Scope::Unsaid || !reading.begins(&["in", "inside", "on", "at"]) {
        return None;
    }
    while reading.begins(&["the", "my", "our"]) {}
    let words = reading.rest().filter(|words| words.len() <= 3)?;
    if !words.clone().all(|at| is_of_a_name(reading.word(at))) {
        return None;
    }
    let unknown = Some(reading.quote(words));
    // Only what was said counts: the speaker's own room is not the one that is meant.
    let mut target = Things { kind, ..things }.target(&reading);
    (target.area, target.here) = (None, false);
    Some(Command { act: Act::Switch(switch), target, unknown })
}

/// Whether a word can be part of what a thing is called.
fn is_of_a_name(word: &str) -> bool {
    word.starts_with(char::is_alphabetic)
        && !is_before_place(word)
        && !is_of_other_roles(word)
        && !is_of_time(word)
        && !matches!(
            word,
            "and"
                | "or"
                | "then"
                | "if"
                | "when"
                | "unless"
                | "until"
                | "not"
                | "never"
                | "but"
                | "me"
                | "it"
                | "them"
                | "this"
                | "that"
                | "you"
                | "i"
                | "is"
                | "are"
                | "to"
                | "with"
                | "by"
                | "up"
                | "down"
                | "off"
                | "about"
                | "after"
                | "before"
                | "instructions"
                | "everything"
                | "anything"
                | "now"
                | "every"
                | "all"
                | "what"
                | "how"
                | "why"
                | "who"
        )
}

/// Words for what is turned on and off but stands in no house.
fn is_of_other_roles(word: &str) -> bool {
    matches!(
        word,
        "alarm"
            | "alarms"
            | "reminder"
            | "reminders"
            | "account"
            | "accounts"
            | "card"
            | "cards"
            | "music"
            | "song"
            | "songs"
            | "playlist"
            | "radio"
            | "podcast"
            | "podcasts"
            | "station"
            | "shuffle"
            | "repeat"
            | "volume"
            | "notifications"
            | "book"
            | "audiobook"
            | "game"
            | "mode"
            | "setting"
            | "settings"
            | "voice"
            | "app"
            | "next"
            | "location"
            | "subscription"
            | "autopay"
            | "notification"
            | "previous"
            | "language"
            | "spotify"
            | "pandora"
            | "news"
    )
}

/// Words for when, which are not where.
fn is_of_time(word: &str) -> bool {
    let day = word.strip_suffix('s').unwrap_or(word);
    matches!(
        day,
        "morning" | "afternoon" | "evening" | "night" | "noon" | "midnight" | "sunset" | "sunrise" | "dusk" | "dawn"
    ) || matches!(
        day,
        "day" | "week" | "weekend" | "month" | "hour" | "minute" | "second" | "tonight" | "tomorrow" | "today"
    ) || matches!(
        day,
        "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" | "time" | "pm" | "am"
    )
}
