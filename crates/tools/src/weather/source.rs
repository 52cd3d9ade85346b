//! Where answers come from: the shelf while they are fresh, the service, and the shelf again when there is no network.

use std::time::Duration;

use domain::tool::{ToolError, ToolSpec};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Weather;
use super::place::{self, Answer, Called, Place};
use super::report::Report;
use crate::errors;
use crate::words::capped;

const SHELF: &str = "weather";
/// How long one request may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// How long one call may take: two questions about the place, one about its weather.
pub(super) const CALL: Duration = Duration::from_secs(35);
/// How long an answer is as good as a new one.
const FRESH: i64 = 15 * 60;
/// How long an answer is better than none.
const USABLE: i64 = 6 * 3600;
/// No place has a longer name, in characters.
const NAME: usize = 100;

const CURRENT: &str = "temperature_2m,apparent_temperature,relative_humidity_2m,precipitation,snowfall,weather_code,\
                       wind_speed_10m";
const HOURLY: &str = "temperature_2m,apparent_temperature,relative_humidity_2m,precipitation_probability,\
                      precipitation,snowfall,weather_code,wind_speed_10m";
const DAILY: &str = "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,snowfall_sum,\
                     precipitation_probability_max,wind_speed_10m_max,sunrise,sunset";

/// A report and where it came from.
pub(super) struct Told {
    pub(super) place: Place,
    pub(super) report: Report,
    pub(super) at: Timestamp,
    /// Whether the service could not be reached, so that this is what it said last.
    pub(super) stale: bool,
}

#[derive(Deserialize)]
struct Saved {
    at: Timestamp,
    answer: Value,
}

/// The weather of a place, or of the one that is configured.
pub(super) async fn tell(
    with: &Weather,
    spec: &ToolSpec,
    place: Option<&str>,
    now: Timestamp,
) -> Result<Told, ToolError> {
    let named = |place: Option<&'_ str>| place.map(|place| place.trim().to_owned()).filter(|place| !place.is_empty());
    let text = named(place).or_else(|| named(with.place.as_deref())).ok_or_else(|| {
        let missing = "`place` is missing and no place is configured: name one, such as `Oslo`, or set `weather.place`";
        errors::bad_argument(spec, missing)
    })?;
    let place = find(with, spec, &text).await?;
    let key = format!("forecast {:.3} {:.3}", place.latitude, place.longitude);
    let kept = with.shelf.kept(SHELF, &key).await.ok().flatten();
    let saved = kept.as_ref().and_then(|kept| Saved::deserialize(&kept.value).ok());
    let age = |saved: &Saved| now.as_second() - saved.at.as_second();
    let told = |at, answer: &Value, stale| {
        let report = Report::read(answer)
            .map_err(|error| errors::failed(spec, format!("the weather service answered oddly: {error}")))?;
        Ok(Told { place: place.clone(), report, at, stale })
    };
    if let Some(saved) = saved.as_ref().filter(|saved| age(saved) < FRESH) {
        return told(saved.at, &saved.answer, false);
    }
    match forecast(with, spec, &place).await {
        Ok(answer) => {
            let fresh = told(now, &answer, false)?;
            let version = kept.as_ref().map_or(0, |kept| kept.version);
            keep(with, &key, &json!({"at": now, "answer": answer}), version).await;
            discard_old(with, now).await;
            Ok(fresh)
        }
        Err(error) => match saved.filter(|saved| age(saved) <= USABLE) {
            Some(saved) => told(saved.at, &saved.answer, true),
            None => Err(error),
        },
    }
}

/// Where a place is. That does not change, so what was found once is never asked for again.
async fn find(with: &Weather, spec: &ToolSpec, text: &str) -> Result<Place, ToolError> {
    if let Some(place) = place::coordinates(text) {
        return Ok(place);
    }
    let called = Called::read(text);
    if called.name.chars().count() < 2 || text.chars().count() > NAME {
        let shown = capped(text, 40);
        return Err(errors::bad_argument(spec, format!("`place` must be the name of a place, got `{shown}`")));
    }
    let key = format!("place {}", place::folded(text));
    if let Ok(Some(kept)) = with.shelf.kept(SHELF, &key).await
        && let Ok(place) = Place::deserialize(&kept.value)
    {
        return Ok(place);
    }
    let answer = look_up(with, spec, called.name).await?;
    let mut found = place::choose(&called, &answer);
    if found.is_none()
        && let Some(shorter) = called.shorter()
    {
        found = place::choose(&shorter, &look_up(with, spec, shorter.name).await?);
    }
    let Some(place) = found else {
        let mut near = place::near(&called, &answer);
        if near.is_empty() {
            let letters = called.name.chars().count();
            let beginning: String = called.name.chars().take((letters * 3 / 4).max(3)).collect();
            near = look_up(with, spec, &beginning).await.map(|more| place::near(&called, &more)).unwrap_or_default();
        }
        let hint = match near.as_slice() {
            [] => "name a town, perhaps with its country, such as `Oslo, Norway`".into(),
            near => format!("did you mean {}?", near.join(" or ")),
        };
        return Err(errors::failed(spec, format!("no place called `{text}` is known; {hint}")));
    };
    keep(with, &key, &json!(place), 0).await;
    Ok(place)
}

async fn look_up(with: &Weather, spec: &ToolSpec, name: &str) -> Result<Answer, ToolError> {
    let mut url = with.geocoding_url.clone();
    url.query_pairs_mut().extend_pairs([("name", name), ("count", "20"), ("language", "en"), ("format", "json")]);
    let answer = ask(with, spec, url).await?;
    Answer::deserialize(&answer)
        .map_err(|error| errors::failed(spec, format!("the service that knows places answered oddly: {error}")))
}

async fn forecast(with: &Weather, spec: &ToolSpec, place: &Place) -> Result<Value, ToolError> {
    let mut url = with.forecast_url.clone();
    url.query_pairs_mut()
        .append_pair("latitude", &place.latitude.to_string())
        .append_pair("longitude", &place.longitude.to_string())
        .extend_pairs([("current", CURRENT), ("hourly", HOURLY), ("daily", DAILY)])
        .extend_pairs([("timezone", "auto"), ("forecast_days", "16")]);
    ask(with, spec, url).await
}

async fn ask(with: &Weather, spec: &ToolSpec, url: reqwest::Url) -> Result<Value, ToolError> {
    let request = with.client.get(url);
    crate::http::json(spec, request, PATIENCE).await.map_err(|error| match error {
        ToolError::Unavailable { detail, .. } => {
            errors::unavailable(spec, format!("the weather service cannot be reached ({detail}); try again later"))
        }
        ToolError::TimedOut { .. } => {
            let seconds = PATIENCE.as_secs();
            errors::unavailable(
                spec,
                format!("the weather service cannot be reached (no answer within {seconds} seconds); try again later"),
            )
        }
        other => other,
    })
}

/// What cannot be kept, or was kept by somebody else meanwhile, is asked for again next time.
async fn keep(with: &Weather, key: &str, value: &Value, replacing: u64) {
    if let Err(error) = with.shelf.keep(SHELF, key, value, replacing).await {
        tracing::warn!(%error, key, "an answer about the weather cannot be kept");
    }
}

async fn discard_old(with: &Weather, now: Timestamp) {
    let Ok(shelf) = with.shelf.shelf(SHELF).await else { return };
    for kept in shelf.iter().filter(|kept| kept.key.starts_with("forecast ")) {
        let old = Saved::deserialize(&kept.value).map_or(true, |saved| now.as_second() - saved.at.as_second() > USABLE);
        if old {
            let _ = with.shelf.discard(SHELF, &kept.key, kept.version).await;
        }
    }
}
