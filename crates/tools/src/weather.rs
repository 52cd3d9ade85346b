//! `weather.current` and `weather.forecast`, from Open-Meteo or a server that speaks like it.
//!
//! One answer of the service holds all that either tool tells about a place, so it is fetched whole, kept for a while
//! and read in any units.

mod code;
mod current;
mod forecast;
mod place;
mod report;
mod source;
mod span;
mod units;

use std::sync::Arc;

use domain::shelf::Shelf;
use domain::tool::Tool;
use reqwest::{Client, Url};

pub use units::Units;

/// Where forecasts come from unless the operator says otherwise.
pub const FORECAST_URL: &str = "https://api.open-meteo.com/v1/forecast";
/// Where places are looked up unless the operator says otherwise.
pub const GEOCODING_URL: &str = "https://geocoding-api.open-meteo.com/v1/search";

/// What the weather tools work with.
pub struct Weather {
    /// Where places and forecasts are kept, on the shelf `weather`.
    pub shelf: Arc<dyn Shelf>,
    /// How the service is reached.
    pub client: Client,
    /// The place that is meant when none is named.
    pub place: Option<String>,
    /// The units that are meant when none are named.
    pub units: Units,
    /// The endpoint of forecasts, usually [`FORECAST_URL`].
    pub forecast_url: Url,
    /// The endpoint that knows where places are, usually [`GEOCODING_URL`].
    pub geocoding_url: Url,
}

/// The weather tools.
pub fn weather(with: Weather) -> Vec<Arc<dyn Tool>> {
    let with = Arc::new(with);
    vec![Arc::new(current::Current::new(Arc::clone(&with))), Arc::new(forecast::Forecast::new(with))]
}
