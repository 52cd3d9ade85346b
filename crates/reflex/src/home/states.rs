//! The states that things can be asked about, and the nouns for what sensors notice and measure.

/// What a word for a state means for sensors that say yes or no, and for everything else.
#[derive(Debug, Clone, Copy)]
pub(super) struct StateWord {
    /// As it is said.
    pub(super) phrase: &'static str,
    /// Classes of sensors that it is about, with whether it is their yes.
    pub(super) classes: &'static [(&'static str, bool)],
    /// What other devices call it.
    pub(super) plain: Option<&'static str>,
    /// Whether it is said of sensors of any class, and is that their yes?
    pub(super) any_class: Option<bool>,
}

const fn about(phrase: &'static str, classes: &'static [(&'static str, bool)]) -> StateWord {
    StateWord { phrase, classes, plain: None, any_class: None }
}

const fn plain(phrase: &'static str, plain: &'static str, classes: &'static [(&'static str, bool)]) -> StateWord {
    StateWord { phrase, classes, plain: Some(plain), any_class: None }
}

const fn any(phrase: &'static str, plain: Option<&'static str>, yes: bool) -> StateWord {
    StateWord { phrase, classes: &[], plain, any_class: Some(yes) }
}

/// Longer phrases stand before those that they contain.
pub(super) const STATES: [StateWord; 73] = [
    about("up to date", &[("update", false)]),
    about("out of date", &[("update", true)]),
    about("update available", &[("update", true)]),
    about("updates available", &[("update", true)]),
    about("updated", &[("update", false)]),
    about("outdated", &[("update", true)]),
    about("available", &[("update", true)]),
    about("plugged in", &[("plug", true)]),
    about("plugged", &[("plug", true)]),
    about("unplugged", &[("plug", false)]),
    about("powered on", &[("power", true)]),
    about("powered off", &[("power", false)]),
    about("powered", &[("power", true)]),
    about("tampered with", &[("tamper", true)]),
    about("tampered", &[("tamper", true)]),
    about("tampering", &[("tamper", true)]),
    about("in danger", &[("safety", true)]),
    about("safe", &[("safety", false)]),
    about("unsafe", &[("safety", true)]),
    about("dangerous", &[("safety", true)]),
    about("low", &[("battery", true)]),
    about("charged", &[("battery", false)]),
    about("fully charged", &[("battery", false)]),
    about("full", &[("battery", false)]),
    about("normal", &[("battery", false), ("cold", false), ("heat", false)]),
    about("charging", &[("battery_charging", true)]),
    about("discharging", &[("battery_charging", false)]),
    about("cold", &[("cold", true)]),
    about("freezing", &[("cold", true)]),
    about("frozen", &[("cold", true)]),
    about("hot", &[("heat", true)]),
    about("overheating", &[("heat", true)]),
    about("connected", &[("connectivity", true)]),
    about("disconnected", &[("connectivity", false)]),
    about("online", &[("connectivity", true)]),
    about("offline", &[("connectivity", false)]),
    about("wet", &[("moisture", true)]),
    about("flooded", &[("moisture", true)]),
    about("flooding", &[("moisture", true)]),
    about("leaking", &[("moisture", true)]),
    about("damp", &[("moisture", true)]),
    about("dry", &[("moisture", false)]),
    about("moving", &[("moving", true), ("motion", true)]),
    about("occupied", &[("occupancy", true)]),
    about("unoccupied", &[("occupancy", false)]),
    about("empty", &[("occupancy", false)]),
    about("vacant", &[("occupancy", false)]),
    about("running", &[("running", true)]),
    about("stopped", &[("running", false)]),
    about("finished", &[("running", false)]),
    about("done", &[("running", false)]),
    about("idle", &[("running", false)]),
    about("vibrating", &[("vibration", true)]),
    about("still", &[("vibration", false)]),
    about("ok", &[("problem", false)]),
    about("okay", &[("problem", false)]),
    about("fine", &[("problem", false)]),
    about("broken", &[("problem", true)]),
    plain("open", "open", OPEN),
    plain("opened", "open", OPEN),
    plain("closed", "closed", CLOSED),
    plain("shut", "closed", CLOSED),
    plain("locked", "locked", &[("lock", false)]),
    plain("unlocked", "unlocked", &[("lock", true)]),
    plain("at home", "home", &[("presence", true)]),
    plain("home", "home", &[("presence", true)]),
    plain("away", "not_home", &[("presence", false)]),
    plain("gone", "not_home", &[("presence", false)]),
    any("detected", None, true),
    any("triggered", None, true),
    any("clear", None, false),
    any("on", Some("on"), true),
    any("off", Some("off"), false),
];

const OPEN: &[(&str, bool)] = &[("door", true), ("window", true), ("garage_door", true), ("opening", true)];
const CLOSED: &[(&str, bool)] = &[("door", false), ("window", false), ("garage_door", false), ("opening", false)];

/// Nouns for what sensors notice. Longer phrases stand before those that they contain.
pub(super) const NOTICED: [(&str, &str); 42] = [
    ("carbon monoxide", "carbon_monoxide"),
    ("co", "carbon_monoxide"),
    ("gas", "gas"),
    ("smoke", "smoke"),
    ("motion", "motion"),
    ("movement", "motion"),
    ("occupancy", "occupancy"),
    ("presence", "presence"),
    ("water", "moisture"),
    ("leak", "moisture"),
    ("leaks", "moisture"),
    ("moisture", "moisture"),
    ("flood", "moisture"),
    ("flooding", "moisture"),
    ("sound", "sound"),
    ("sounds", "sound"),
    ("noise", "sound"),
    ("vibration", "vibration"),
    ("vibrations", "vibration"),
    ("tampering", "tamper"),
    ("tamper", "tamper"),
    ("problem", "problem"),
    ("problems", "problem"),
    ("update", "update"),
    ("updates", "update"),
    ("battery", "battery"),
    ("batteries", "battery"),
    ("garage door", "garage_door"),
    ("garage doors", "garage_door"),
    ("door", "door"),
    ("doors", "door"),
    ("window", "window"),
    ("windows", "window"),
    ("lock", "lock"),
    ("locks", "lock"),
    ("power", "power"),
    ("heat", "heat"),
    ("cold", "cold"),
    ("light", "light"),
    ("lights", "light"),
    ("opening", "opening"),
    ("safety", "safety"),
];

/// Whether a word says what a class of sensors measures.
pub(super) fn is_measure(class: &str, word: &str) -> bool {
    let other: &[&str] = match class {
        "aqi" => &["air", "quality", "index"],
        "atmospheric_pressure" => &["air", "barometric"],
        "battery" => &["charge", "percentage", "left"],
        "carbon_dioxide" => &["co2"],
        "carbon_monoxide" => &["co"],
        "current" => &["amperage", "electric", "electrical"],
        "data_rate" => &["speed", "download", "upload", "transfer", "throughput", "bandwidth"],
        "data_size" => &["file", "storage"],
        "distance" => &["mileage", "far", "length", "travelled", "traveled"],
        "duration" => &["length", "time", "long"],
        "energy" => &["consumption", "production", "usage", "consumed", "produced", "used"],
        "energy_storage" => &["stored", "available"],
        "gas" => &["consumption", "usage", "volume"],
        "humidity" => &["relative", "humid"],
        "illuminance" => &["brightness", "light", "illumination", "bright", "luminosity"],
        "irradiance" => &["radiation", "solar"],
        "moisture" => &["wetness", "water"],
        "monetary" => &["price", "cost", "money", "balance", "amount"],
        "nitrogen_dioxide" => &["no2"],
        "nitrogen_monoxide" => &["no"],
        "nitrous_oxide" => &["n2o"],
        "ozone" => &["o3"],
        "pm1" => &["particulate", "matter", "particle", "particles", "pm"],
        "pm25" => &["pm2.5", "particulate", "matter", "particle", "particles", "pm", "2.5"],
        "pm10" => &["particulate", "matter", "particle", "particles", "pm", "10"],
        "power" => &["draw", "usage", "consumption", "wattage"],
        "precipitation" => &["rain", "rainfall", "snow", "accumulated"],
        "precipitation_intensity" => &["rain", "rainfall", "rate"],
        "signal_strength" => &["reception"],
        "sound_pressure" => &["noise", "acoustic", "loudness"],
        "speed" => &["velocity", "fast", "pace"],
        "sulphur_dioxide" => &["so2", "sulfur"],
        "temperature" => &["temp", "hot", "warm", "cold", "cool"],
        "volatile_organic_compounds" | "volatile_organic_compounds_parts" => &["voc", "vocs"],
        "volume_storage" => &["stored", "storage"],
        "water" => &["consumption", "usage", "used", "consumed"],
        "weight" => &["mass", "heavy"],
        "wind_speed" => &["velocity", "fast"],
        _ => &[],
    };
    class.split('_').any(|part| part == word) || other.contains(&word)
}

/// Words around a reading that say nothing about what is measured.
pub(super) fn is_of_readings(word: &str) -> bool {
    matches!(
        word,
        "location"
            | "amount"
            | "level"
            | "levels"
            | "concentration"
            | "content"
            | "indicated"
            | "measured"
            | "reported"
            | "shown"
            | "reading"
            | "value"
            | "total"
            | "by"
            | "in"
            | "from"
            | "at"
            | "for"
            | "current"
            | "currently"
            | "much"
            | "is"
            | "state"
            | "status"
            | "on"
            | "it"
            | "there"
            | "does"
            | "show"
            | "has"
            | "have"
            | "per"
            | "ratio"
            | "rate"
            | "measurement"
    )
}
