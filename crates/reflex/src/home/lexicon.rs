//! The words of houses: what kinds of devices are called, colours, and words that carry no meaning of their own.

/// A kind of device that a noun stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) domain: &'static str,
    pub(super) class: Option<&'static str>,
    pub(super) plural: bool,
}

/// The kind that one word stands for.
pub(super) fn kind(word: &str) -> Option<Kind> {
    let of = |domain, class, plural| Some(Kind { domain, class, plural });
    match word {
        "light" | "lamp" | "bulb" => of("light", None, false),
        "lights" | "lamps" | "bulbs" | "lighting" => of("light", None, true),
        "fan" => of("fan", None, false),
        "fans" => of("fan", None, true),
        "switch" => of("switch", None, false),
        "switches" => of("switch", None, true),
        "outlet" | "socket" | "plug" => of("switch", Some("outlet"), false),
        "outlets" | "sockets" | "plugs" => of("switch", Some("outlet"), true),
        "cover" => of("cover", None, false),
        "covers" => of("cover", None, true),
        "blind" => of("cover", Some("blind"), false),
        "blinds" => of("cover", Some("blind"), true),
        "curtain" | "drape" => of("cover", Some("curtain"), false),
        "curtains" | "drapes" => of("cover", Some("curtain"), true),
        "shade" => of("cover", Some("shade"), false),
        "shades" => of("cover", Some("shade"), true),
        "shutter" => of("cover", Some("shutter"), false),
        "shutters" => of("cover", Some("shutter"), true),
        "awning" => of("cover", Some("awning"), false),
        "awnings" => of("cover", Some("awning"), true),
        "gate" => of("cover", Some("gate"), false),
        "gates" => of("cover", Some("gate"), true),
        "window" => of("cover", Some("window"), false),
        "windows" => of("cover", Some("window"), true),
        "door" => of("cover", Some("door"), false),
        "doors" => of("cover", Some("door"), true),
        "lock" => of("lock", None, false),
        "locks" => of("lock", None, true),
        "valve" => of("valve", None, false),
        "valves" => of("valve", None, true),
        "vacuum" | "hoover" | "roomba" => of("vacuum", None, false),
        "vacuums" => of("vacuum", None, true),
        "mower" | "lawnmower" => of("lawn_mower", None, false),
        "tv" | "television" | "telly" | "speaker" => of("media_player", None, false),
        "tvs" | "televisions" | "speakers" => of("media_player", None, true),
        "thermostat" | "heating" | "heater" | "ac" | "aircon" => of("climate", None, false),
        "thermostats" | "heaters" => of("climate", None, true),
        "humidifier" => of("humidifier", None, false),
        "siren" => of("siren", None, false),
        "sirens" => of("siren", None, true),
        _ => None,
    }
}

/// Kinds that need two words, tried before single ones.
pub(super) const PAIRS: [(&str, Kind); 8] = [
    ("garage door", Kind { domain: "cover", class: Some("garage"), plural: false }),
    ("garage doors", Kind { domain: "cover", class: Some("garage"), plural: true }),
    ("media player", Kind { domain: "media_player", class: None, plural: false }),
    ("media players", Kind { domain: "media_player", class: None, plural: true }),
    ("air conditioner", Kind { domain: "climate", class: None, plural: false }),
    ("air conditioning", Kind { domain: "climate", class: None, plural: false }),
    ("robot vacuum", Kind { domain: "vacuum", class: None, plural: false }),
    ("lawn mower", Kind { domain: "lawn_mower", class: None, plural: false }),
];

const COLOURS: [&str; 34] = [
    "red",
    "green",
    "blue",
    "yellow",
    "orange",
    "purple",
    "pink",
    "white",
    "black",
    "brown",
    "cyan",
    "magenta",
    "turquoise",
    "teal",
    "violet",
    "indigo",
    "gold",
    "lime",
    "lavender",
    "maroon",
    "navy",
    "olive",
    "salmon",
    "silver",
    "beige",
    "crimson",
    "coral",
    "amber",
    "aqua",
    "peach",
    "mint",
    "gray",
    "grey",
    "fuchsia",
];

/// A colour by its name.
pub(super) fn colour(word: &str) -> Option<&'static str> {
    COLOURS.iter().copied().find(|colour| *colour == word)
}

/// Words that point, count or bind, and can be left over without changing what is meant.
pub(super) fn is_glue(word: &str) -> bool {
    matches!(
        word,
        "the" | "teh" | "a" | "an" | "my" | "our" | "your" | "of" | "'s" | "some" | "those" | "these" | "that" | "its"
    )
}

/// Words that say *all of them*.
pub(super) fn is_every(word: &str) -> bool {
    matches!(word, "all" | "every" | "each" | "both" | "everything")
}

/// Words that stand before a place.
pub(super) fn is_before_place(word: &str) -> bool {
    matches!(
        word,
        "in" | "on" | "at" | "of" | "inside" | "across" | "throughout" | "within" | "around" | "from" | "for" | "over"
    )
}

/// Words that are themselves, and so not a name with a slip in it.
pub(super) fn is_known(word: &str) -> bool {
    kind(word).is_some()
        || colour(word).is_some()
        || is_glue(word)
        || matches!(
            word,
            "turn"
                | "open"
                | "close"
                | "closed"
                | "there"
                | "where"
                | "what"
                | "which"
                | "play"
                | "this"
                | "here"
                | "hour"
                | "house"
                | "home"
                | "room"
                | "rooms"
                | "floor"
                | "down"
                | "song"
                | "list"
                | "timer"
                | "done"
                | "clock"
                | "heat"
                | "light"
                | "white"
                | "while"
                | "plane"
                | "place"
                | "work"
                | "word"
        )
}
