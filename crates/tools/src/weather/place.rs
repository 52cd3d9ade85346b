//! Which of the places that share a name is meant.

use serde::{Deserialize, Serialize};

/// How alike a name must be to be worth suggesting.
const LIKE: f64 = 0.6;
/// How many times more people a place must have to be meant although its name is not quite the one asked for.
const EXACT: f64 = 20.0;

/// Somewhere on the map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Place {
    /// `Oslo`.
    pub(super) name: String,
    /// `Oslo, Norway`.
    pub(super) label: String,
    pub(super) latitude: f64,
    pub(super) longitude: f64,
    /// Whether others have the name too, so that it has to be said which is meant.
    pub(super) ambiguous: bool,
}

impl Place {
    /// How a sentence names it.
    pub(super) fn said(&self) -> &str {
        if self.ambiguous { &self.label } else { &self.name }
    }
}

/// What a person calls a place: `Portland, Oregon` is a name and where to look for it.
pub(super) struct Called<'t> {
    pub(super) name: &'t str,
    within: Vec<String>,
}

impl<'t> Called<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let mut parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let name = parts.next().unwrap_or_default();
        Self { name, within: parts.map(folded).collect() }
    }

    /// The name without its last word, which may be where to look for it: `Paris Texas`.
    pub(super) fn shorter(&self) -> Option<Self> {
        let (name, last) = self.name.rsplit_once(char::is_whitespace)?;
        let within = std::iter::once(folded(last)).chain(self.within.iter().cloned()).collect();
        Some(Self { name: name.trim(), within })
    }
}

/// A latitude and a longitude written as such.
pub(super) fn coordinates(text: &str) -> Option<Place> {
    let (latitude, longitude) = text.split_once(',')?;
    let (latitude, longitude): (f64, f64) = (latitude.trim().parse().ok()?, longitude.trim().parse().ok()?);
    let valid = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
    let name = format!("{latitude}, {longitude}");
    valid.then(|| Place { label: name.clone(), name, latitude, longitude, ambiguous: false })
}

/// An answer of the service that knows places.
#[derive(Deserialize)]
pub(super) struct Answer {
    #[serde(default)]
    results: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    name: String,
    latitude: f64,
    longitude: f64,
    population: Option<f64>,
    country: Option<String>,
    country_code: Option<String>,
    admin1: Option<String>,
    admin2: Option<String>,
}

impl Found {
    fn lies_within(&self, within: &[String]) -> bool {
        let around = [&self.country, &self.country_code, &self.admin1, &self.admin2];
        let around: Vec<String> = around.into_iter().flatten().map(|part| folded(part)).collect();
        within.iter().all(|wanted| {
            let wanted = match wanted.as_str() {
                "usa" | "u.s." | "u.s.a." | "america" => "united states",
                "uk" | "england" | "great britain" => "united kingdom",
                other => other,
            };
            around.iter().any(|part| part == wanted)
        })
    }

    fn label(&self, with_region: bool) -> String {
        let region = self.admin1.as_ref().filter(|region| with_region && **region != self.name);
        let parts: Vec<&str> =
            [Some(&self.name), region, self.country.as_ref()].into_iter().flatten().map(String::as_str).collect();
        parts.join(", ")
    }
}

/// The most populous place of this name.
pub(super) fn choose(called: &Called<'_>, answer: &Answer) -> Option<Place> {
    let wanted = folded(called.name);
    let fitting: Vec<&Found> = answer.results.iter().filter(|found| found.lies_within(&called.within)).collect();
    let weight = |found: &Found| {
        let people = found.population.unwrap_or(0.0) + 1.0;
        if folded(&found.name) == wanted { people * EXACT } else { people }
    };
    // Of equals the first: the service lists the likelier ones first.
    let best = fitting.iter().rev().max_by(|a, b| weight(a).total_cmp(&weight(b)))?;
    let namesakes = || fitting.iter().filter(|found| folded(&found.name) == folded(&best.name));
    let at_home = namesakes().filter(|found| found.country == best.country).count() > 1;
    Some(Place {
        name: best.name.clone(),
        label: best.label(at_home || !called.within.is_empty()),
        latitude: best.latitude,
        longitude: best.longitude,
        ambiguous: namesakes().count() > 1 || folded(&best.name) != wanted,
    })
}

/// Up to three labels of places that are called something like it.
pub(super) fn near(called: &Called<'_>, answer: &Answer) -> Vec<String> {
    let wanted = folded(called.name);
    let like = |found: &Found| strsim::normalized_damerau_levenshtein(&wanted, &folded(&found.name));
    let mut near: Vec<&Found> = answer.results.iter().filter(|found| like(found) >= LIKE).collect();
    near.sort_by(|a, b| {
        let people = |found: &Found| found.population.unwrap_or(0.0);
        like(b).total_cmp(&like(a)).then(people(b).total_cmp(&people(a)))
    });
    let mut labels: Vec<String> = Vec::new();
    for label in near.iter().map(|found| found.label(false)) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels.truncate(3);
    labels
}

/// A name without what people write one way or the other.
pub(super) fn folded(name: &str) -> String {
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}
