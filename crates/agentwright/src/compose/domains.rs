//! The tools of the domains: timers, calendar, weather, house, search, summaries, with what is configured for each.

use std::sync::Arc;

use domain::shelf::Shelf;
use domain::store::Store;
use domain::tool::Tool;
use jiff::tz::TimeZone;
use tools::{CalDav, Calendar, Desktop, Notify, Search, SmartHome, Starter, Summarization, Timers, Weather, Web};

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
    let shelf = || Arc::clone(store) as Arc<dyn Shelf>;
    let zone = TimeZone::system();
    let mut all = tools::timer(Timers { shelf: shelf(), starter: Arc::clone(starter), zone });
    all.extend(tools::calendar(calendar(loaded, store, client)?));
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
    all.extend(tools::smart_home(house(loaded, shelf(), client)?));
    let folders = loaded.search_folders();
    all.extend(tools::summarization(Summarization { folders: folders.clone(), ignore: Vec::new() }));
    all.extend(tools::search(Search {
        index: loaded.state_directory().join("index"),
        notes: folders.first().cloned().unwrap_or_else(|| loaded.state_directory().join("notes")),
        folders,
        ignore: config.search.ignore.clone(),
        zone: TimeZone::system(),
        web: web(loaded)?,
        client: client.clone(),
    }));
    Ok(all)
}

/// The calendar, with the server it is kept in step with, if there is one.
pub(super) fn calendar(loaded: &Loaded, store: &Arc<dyn Store>, client: &tools::Client) -> anyhow::Result<Calendar> {
    Ok(Calendar {
        shelf: Arc::clone(store) as Arc<dyn Shelf>,
        zone: TimeZone::system(),
        caldav: caldav(loaded, client)?,
        files: Some(loaded.project_directory().to_owned()),
    })
}

/// The house that is configured, or one that exists in the store only.
fn house(loaded: &Loaded, shelf: Arc<dyn Shelf>, client: &tools::Client) -> anyhow::Result<SmartHome> {
    let config = &loaded.config.smart_home;
    if let Some(there) = &config.home_assistant {
        let variable = there.token_env.as_deref().unwrap_or("HOME_ASSISTANT_TOKEN");
        let token = secret(loaded, variable, "there is no access token for Home Assistant")?;
        let url = url("smart_home.home_assistant.url", &there.url)?;
        return Ok(SmartHome::HomeAssistant { url, token, client: client.clone(), shelf });
    }
    let Some(broker) = &config.mqtt else { return Ok(SmartHome::Virtual { shelf }) };
    let variable = broker.password_env.as_deref().unwrap_or("MQTT_PASSWORD");
    Ok(SmartHome::Mqtt {
        host: broker.host.clone(),
        port: broker.port.map_or(1883, |port| u16::try_from(port.get()).unwrap_or(1883)),
        user: broker.user.clone(),
        password: loaded.surroundings().variable(variable).map(str::to_owned),
        prefix: broker.prefix.clone().unwrap_or_else(|| "homeassistant".to_owned()),
        shelf,
    })
}

/// The server the calendar is kept in step with, if there is one.
fn caldav(loaded: &Loaded, client: &tools::Client) -> anyhow::Result<Option<CalDav>> {
    let Some(server) = &loaded.config.calendar.caldav else { return Ok(None) };
    let variable = server.password_env.as_deref().unwrap_or("CALDAV_PASSWORD");
    let password = match &server.user {
        Some(_) => secret(loaded, variable, "there is no password for the calendar server")?,
        None => String::new(),
    };
    let url = url("calendar.caldav.url", &server.url)?;
    let user = server.user.clone().unwrap_or_default();
    Ok(Some(CalDav { url, user, password, client: client.clone() }))
}

/// Who searches the web, if anybody is to.
fn web(loaded: &Loaded) -> anyhow::Result<Option<Web>> {
    let config = &loaded.config.search;
    if let Some(address) = &config.searxng {
        return Ok(Some(Web::Searxng { url: url("search.searxng", address)? }));
    }
    let Some(variable) = &config.brave_key_env else { return Ok(None) };
    let token = secret(loaded, variable, "there is no key for Brave's search")?;
    Ok(Some(Web::Brave { url: url("search.brave", tools::BRAVE_URL)?, token }))
}

fn secret(loaded: &Loaded, variable: &str, problem: &str) -> anyhow::Result<String> {
    let found = loaded.surroundings().variable(variable).map(str::to_owned);
    Ok(found.ok_or_else(|| Refusal::configuration(problem).hint(format!("put it into the variable `{variable}`")))?)
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
