//! The tools of the domains: timers, calendar, weather, house, search, summaries, with what is configured for each.

use std::sync::Arc;

use domain::store::Store;
use domain::tool::Tool;
use jiff::tz::TimeZone;
use tools::{Calendar, Desktop, Notify, SmartHome, Starter, Timers, Weather};

use crate::config::{Loaded, Units};
use crate::exit::Refusal;

/// All of them.
pub(super) fn all(
    loaded: &Loaded,
    store: &Arc<dyn Store>,
    starter: &Arc<dyn Starter>,
    client: &tools::Client,
) -> anyhow::Result<Vec<Arc<dyn Tool>>> {
    let config = &loaded.config;
    let shelf = || Arc::clone(store) as Arc<dyn domain::shelf::Shelf>;
    let zone = TimeZone::system();
    let mut all = tools::timer(Timers { shelf: shelf(), starter: Arc::clone(starter), zone: zone.clone() });
    let files = Some(loaded.project_directory().to_owned());
    all.extend(tools::calendar(Calendar { shelf: shelf(), zone, files }));
    all.extend(tools::weather(Weather {
        shelf: shelf(),
        client: client.clone(),
        place: config.weather.place.clone().or_else(|| config.person.place.clone()),
        units: match config.weather.units {
            Units::Metric => tools::Units::Metric,
            Units::Imperial => tools::Units::Imperial,
        },
        forecast_url: url(
            "weather.forecast_url",
            config.weather.forecast_url.as_deref().unwrap_or(tools::FORECAST_URL),
        )?,
        geocoding_url: url(
            "weather.geocoding_url",
            config.weather.geocoding_url.as_deref().unwrap_or(tools::GEOCODING_URL),
        )?,
    }));
    all.extend(tools::smart_home(SmartHome::Virtual { shelf: shelf() }));
    Ok(all)
}

pub(super) fn url(key: &str, url: &str) -> anyhow::Result<tools::Url> {
    let wrong = |error| Refusal::configuration(format!("`{key}` is not a URL")).because(error);
    Ok(url.parse().map_err(wrong)?)
}

/// What shows windows on this desktop, if there is one.
pub(super) fn desktop(loaded: &Loaded) -> Option<Notify> {
    let variable = |name: &str| loaded.surroundings().variable(name).map(str::to_owned);
    Desktop::find(&variable).map(Notify::Desktop)
}
