//! Which things are asked about when none is named, from what is said of them: what they are, and what they might be.

use domain::name::Name;

use super::lexicon::Kind;
use super::names::domain_of;
use super::states::StateWord;

/// What else was said in a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hints {
    /// *not*
    pub(super) negated: bool,
    /// *sensors*, *devices*, *things*
    pub(super) sensors: bool,
    /// Anything that says whose state it is, if only a room.
    pub(super) around: bool,
    /// *is there*, *has*: the noun alone asks whether it is so.
    pub(super) there: bool,
}

/// Domain, class and state of what is asked about.
pub(super) type Asked = (&'static str, Option<&'static str>, &'static str);

pub(super) fn asked(
    house: &[Name],
    state: Option<&'static StateWord>,
    noun: Option<&'static str>,
    kind: Option<Kind>,
    hints: Hints,
) -> Option<Asked> {
    let sensor = |class, yes: bool| {
        let state = if yes != hints.negated { "on" } else { "off" };
        Some(("binary_sensor", Some(class), state))
    };
    let plain = state.and_then(|state| state.plain).filter(|_| !hints.negated);
    match (state, noun, kind) {
        (Some(state), Some(noun), None) => plain.and_then(|plain| device(house, noun, plain, hints)).or_else(|| {
            let known = state.classes.iter().find(|(class, _)| is_said_of(noun, class));
            let (class, yes) = known.copied().or(state.any_class.map(|yes| (noun, yes)))?;
            sensor(class, yes)
        }),
        (Some(_), None, Some(kind)) => {
            let opens = matches!(kind.domain, "cover" | "valve");
            let plain = plain?;
            let suits = match plain {
                "open" | "closed" => opens,
                "on" | "off" => !opens && kind.domain != "lock",
                "locked" | "unlocked" => kind.domain == "lock",
                _ => false,
            };
            suits.then_some((kind.domain, kind.class, plain))
        }
        // *is the house locked*
        (Some(_), None, None) if matches!(plain, Some("locked" | "unlocked")) && hints.around => {
            plain.map(|plain| ("lock", None, plain))
        }
        // *which devices are connected*, *is the kitchen occupied*: the state says the class.
        (Some(state), None, None) if hints.around => {
            // What is open and not said to be a door is anything that opens.
            let opens = matches!(state.plain, Some("open" | "closed"));
            let (class, yes) = if opens { state.classes.last() } else { state.classes.first() }?;
            sensor(class, *yes)
        }
        // *is there smoke in the kitchen*
        (None, Some(noun), None) if hints.there => sensor(noun, true),
        _ => None,
    }
}

/// What is noticed by sensors but also a thing of its own: a door that is locked, a light that is on.
fn device(house: &[Name], noun: &'static str, plain: &'static str, hints: Hints) -> Option<Asked> {
    let exists = |domain: &str, class: &str| {
        house.iter().any(|name| domain_of(name) == domain && name.class.as_deref() == Some(class))
    };
    let cover = if noun == "garage_door" { "garage" } else { noun };
    match (plain, noun) {
        ("locked" | "unlocked", "door" | "garage_door" | "window" | "lock") => Some(("lock", None, plain)),
        ("on" | "off", "light") if !hints.sensors => Some(("light", None, plain)),
        ("open" | "closed", "door" | "window" | "garage_door")
            if exists("cover", cover) && !exists("binary_sensor", noun) =>
        {
            Some(("cover", Some(cover), plain))
        }
        _ => None,
    }
}

/// Whether a noun can stand for a class of sensors: batteries are low and batteries charge.
pub(super) fn is_said_of(noun: &str, class: &str) -> bool {
    noun == class || (noun == "battery" && class == "battery_charging")
}
