//! Somewhere on the map: words that name a place, by a list of large ones and by how they stand in the sentence.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::days;
use super::words::{Class, Words};

/// Places that anybody knows, with their time zones, by the first word of their names.
static ATLAS: LazyLock<HashMap<&'static str, Vec<Known>>> = LazyLock::new(|| {
    let mut atlas: HashMap<&'static str, Vec<Known>> = HashMap::new();
    for (zone, names) in include_str!("atlas.txt").lines().filter_map(|line| line.split_once(':')) {
        for name in names.split(',').map(str::trim) {
            let first = name.split(' ').next().unwrap_or(name);
            atlas.entry(first).or_default().push(Known { name, zone: zone.trim() });
        }
    }
    // The longest name is tried first.
    atlas.values_mut().for_each(|known| known.sort_by_key(|known| std::cmp::Reverse(known.name.len())));
    atlas
});

struct Known {
    name: &'static str,
    /// Empty of meaning (`-`) where there are several.
    zone: &'static str,
}

const LEADS: &[&str] = &[
    "in", "at", "for", "near", "to", "from", "around", "outside", "of", "over", "across", "visiting", "toward",
    "towards",
];

/// Names that are words first.
const WORDS_FIRST: &[&str] = &[
    "nice",
    "reading",
    "bath",
    "split",
    "turkey",
    "chad",
    "jordan",
    "la",
    "us",
    "york",
    "male",
    "cork",
    "fez",
    "mali",
    "cali",
    "rio",
    "java",
    "the states",
    "salvador",
    "victoria",
    "florence",
    "sofia",
    "regina",
    "kingston",
    "georgia",
    "cordoba",
    "lima",
    "china",
    "male maldives",
    "portland",
    "phoenix",
    "buffalo",
    "providence",
    "queens",
    "washington",
    "virginia",
    "charlotte",
    "odessa",
    "ny",
    "maine",
    "guinea",
    "togo",
    "niger",
    "cancun",
    "orlando",
    "austin",
    "houston",
    "dallas",
    "columbus",
    "richmond",
    "darwin",
    "wellington",
    "bergen",
    "linz",
    "bremen",
    "rochester",
    "memphis",
    "savannah",
    "boulder",
    "reno",
    "alexandria",
    "mecca",
    "medina",
    "utc",
    "gmt",
    "surat",
    "goa",
    "mobile",
    "hamburg",
    "cologne",
    "santiago",
    "santa cruz",
];

/// The time zone of a place that has one: `Asia/Tokyo`.
pub(crate) fn zone(place: &str) -> Option<&'static str> {
    let known = ATLAS.get(place.split(' ').next()?)?;
    known.iter().find(|known| known.name == place && known.zone != "-").map(|known| known.zone)
}

/// The longest place in the list that starts at a word, and the word after it.
fn known(words: &Words<'_>, i: usize) -> Option<(&'static str, usize)> {
    ATLAS.get(words.at(i))?.iter().find_map(|known| {
        let next = i + known.name.split(' ').count();
        (words.phrase(i, next) == known.name).then_some((known.name, next))
    })
}

/// The words of every place that a text names.
pub(super) fn places(words: &Words<'_>, taken: &[Range<usize>]) -> Vec<Range<usize>> {
    let shouted = !words.text.chars().any(char::is_lowercase);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut i = 0;
    while i < words.len() {
        let free = |range: &Range<usize>| !taken.iter().any(|other| other.start < range.end && range.start < other.end);
        let place =
            listed(words, i).or_else(|| capitalised(words, i).filter(|_| !shouted)).or_else(|| outside(words, i));
        match place.map(|next| i..next).filter(free) {
            Some(range) => {
                i = range.end;
                found.push(range);
            }
            None => i += 1,
        }
    }
    found
}

/// The word after a place in the list, the longest first, with the country or state that follows it.
fn listed(words: &Words<'_>, i: usize) -> Option<usize> {
    if words.class(i) != Some(Class::Letters) {
        return None;
    }
    let led = LEADS.contains(&words.before(i)) || i > 1 && words.before(i) == "the" && LEADS.contains(&words.at(i - 2));
    let (name, next) = known(words, i)?;
    if !led && WORDS_FIRST.contains(&name) && !(words.capital(i) && i > 0) {
        return None;
    }
    // `to us` and `for us` are people.
    if name == "us" && (!words.raw(i).starts_with("US") || words.before(i) != "in") {
        return None;
    }
    let comma = usize::from(words.at(next) == ",");
    let within = known(words, next + comma).filter(|(name, _)| !WORDS_FIRST.contains(name)).map(|(_, next)| next);
    let state = words
        .is(next + comma, &["fl", "ca", "tx", "pa", "nj", "dc", "il", "ny", "uk", "usa"])
        .then_some(next + comma + 1);
    Some(within.or(state).unwrap_or(next))
}

/// Capitalised words after a preposition: `in Lillestrøm`, `to Santa Rosa`.
fn capitalised(words: &Words<'_>, i: usize) -> Option<usize> {
    if i == 0 || !["in", "near", "at", "to", "from", "for", "around"].contains(&words.before(i)) {
        return None;
    }
    let name = |at: usize| {
        let word = words.at(at);
        words.class(at) == Some(Class::Letters)
            && words.capital(at)
            && word != "i"
            && word.chars().count() > 1
            && days::weekday(word).is_none()
            && days::month(word).is_none()
            && !matches!(
                word,
                "celsius" | "fahrenheit" | "am" | "pm" | "christmas" | "easter" | "the" | "my" | "i'm" | "i'll"
            )
    };
    let end = (i..words.len()).take(4).find(|at| !name(*at)).unwrap_or(words.len().min(i + 4));
    // People are met, called and invited; after `to` and `for` a lone name is more often theirs.
    let person = words.is(i - 1, &["for", "to", "from", "at"])
        && end == i + 1
        && !words.any(&[
            "weather",
            "forecast",
            "temperature",
            "rain",
            "snow",
            "sunny",
            "fly",
            "drive",
            "travel",
            "trip",
            "flight",
            "train",
            "directions",
            "time",
        ]);
    (end > i && !person).then_some(end)
}

fn outside(words: &Words<'_>, i: usize) -> Option<usize> {
    let alone = !words.is(i + 1, &["light", "lights", "lamp", "lamps", "of", "the", "temperature"]);
    (words.is(i, &["outside", "outdoors"]) && alone).then_some(i + 1)
}
