//! What the service said about a place: its columns turned into hours and days. Any value may be missing.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use serde::Deserialize;

use super::code;

/// Everything that is known about the weather of a place.
pub(super) struct Report {
    pub(super) zone: TimeZone,
    pub(super) now: Option<Hour>,
    pub(super) hours: Vec<Hour>,
    pub(super) days: Vec<Day>,
}

/// The weather at a moment, or in the hour that follows it.
#[derive(Clone, Default)]
pub(super) struct Hour {
    pub(super) at: DateTime,
    pub(super) code: Option<u8>,
    pub(super) temperature: Option<f64>,
    pub(super) feels_like: Option<f64>,
    pub(super) humidity: Option<f64>,
    pub(super) precipitation: Option<f64>,
    pub(super) snowfall: Option<f64>,
    pub(super) probability: Option<f64>,
    pub(super) wind: Option<f64>,
}

/// The weather of a day.
#[derive(Clone, Default)]
pub(super) struct Day {
    pub(super) date: Date,
    pub(super) sunrise: Option<DateTime>,
    pub(super) sunset: Option<DateTime>,
    pub(super) sky: Sky,
}

/// The weather of any stretch of time, in metric units.
#[derive(Clone, Default)]
pub(super) struct Sky {
    pub(super) code: Option<u8>,
    pub(super) min: Option<f64>,
    pub(super) max: Option<f64>,
    pub(super) precipitation: Option<f64>,
    pub(super) snowfall: Option<f64>,
    pub(super) probability: Option<f64>,
    pub(super) wind: Option<f64>,
    pub(super) rain: bool,
    pub(super) snow: bool,
}

impl Sky {
    pub(super) fn description(&self) -> &'static str {
        self.code.map_or("unknown weather", code::words)
    }

    /// Decides whether it rains and snows from everything else. Somebody who asks about rain wants to know whether to
    /// take an umbrella, so a good chance of it counts.
    fn judged(self) -> Sky {
        let snow = self.code.is_some_and(code::is_snow) || self.snowfall.is_some_and(|cm| cm >= 0.1);
        let likely = self.probability.is_some_and(|percent| percent >= 50.0);
        let rain = self.code.is_some_and(code::is_rain) || (likely && !snow);
        Sky { rain, snow, ..self }
    }

    /// The weather of several stretches together: the most of everything.
    pub(super) fn together<'s>(skies: impl Iterator<Item = &'s Sky>) -> Sky {
        skies.cloned().reduce(Sky::and).unwrap_or_default()
    }

    fn and(self, other: Sky) -> Sky {
        Sky {
            // Codes grow with how much the weather matters.
            code: self.code.max(other.code),
            min: both(self.min, other.min, f64::min),
            max: both(self.max, other.max, f64::max),
            precipitation: both(self.precipitation, other.precipitation, |a, b| a + b),
            snowfall: both(self.snowfall, other.snowfall, |a, b| a + b),
            probability: both(self.probability, other.probability, f64::max),
            wind: both(self.wind, other.wind, f64::max),
            rain: self.rain || other.rain,
            snow: self.snow || other.snow,
        }
    }
}

impl Hour {
    pub(super) fn sky(&self) -> Sky {
        Sky {
            code: self.code,
            min: self.temperature,
            max: self.temperature,
            precipitation: self.precipitation,
            snowfall: self.snowfall,
            probability: self.probability,
            wind: self.wind,
            ..Sky::default()
        }
        .judged()
    }
}

fn both(a: Option<f64>, b: Option<f64>, how: impl Fn(f64, f64) -> f64) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(how(a, b)),
        (one, None) | (None, one) => one,
    }
}

impl Report {
    /// The time on the clocks of the place.
    pub(super) fn local(&self, at: Timestamp) -> DateTime {
        at.to_zoned(self.zone.clone()).datetime()
    }

    pub(super) fn day(&self, date: Date) -> Option<&Day> {
        self.days.iter().find(|day| day.date == date)
    }

    /// The hours that begin from `first` on and before `end`.
    pub(super) fn hours(&self, first: DateTime, end: DateTime) -> impl Iterator<Item = &Hour> {
        self.hours.iter().filter(move |hour| hour.at >= first && hour.at < end)
    }

    /// Reads an answer of the service.
    pub(super) fn read(answer: &serde_json::Value) -> Result<Self, serde_json::Error> {
        let answer = Answer::deserialize(answer)?;
        let zone = TimeZone::get(&answer.timezone).ok();
        let zone = zone.or_else(|| Some(Offset::from_seconds(answer.utc_offset_seconds).ok()?.to_time_zone()));
        Ok(Self {
            zone: zone.unwrap_or(TimeZone::UTC),
            now: answer.current.and_then(Current::hour),
            hours: (0..answer.hourly.time.len()).filter_map(|row| answer.hourly.row(row)).collect(),
            days: (0..answer.daily.time.len()).filter_map(|row| answer.daily.row(row)).collect(),
        })
    }
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    timezone: String,
    #[serde(default)]
    utc_offset_seconds: i32,
    current: Option<Current>,
    hourly: Hourly,
    daily: Daily,
}

#[derive(Deserialize)]
struct Current {
    time: String,
    temperature_2m: Option<f64>,
    apparent_temperature: Option<f64>,
    relative_humidity_2m: Option<f64>,
    precipitation: Option<f64>,
    snowfall: Option<f64>,
    weather_code: Option<f64>,
    wind_speed_10m: Option<f64>,
}

type Column = Vec<Option<f64>>;

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Hourly {
    time: Vec<String>,
    temperature_2m: Column,
    apparent_temperature: Column,
    relative_humidity_2m: Column,
    precipitation_probability: Column,
    precipitation: Column,
    snowfall: Column,
    weather_code: Column,
    wind_speed_10m: Column,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Daily {
    time: Vec<String>,
    weather_code: Column,
    temperature_2m_max: Column,
    temperature_2m_min: Column,
    precipitation_sum: Column,
    snowfall_sum: Column,
    precipitation_probability_max: Column,
    wind_speed_10m_max: Column,
    sunrise: Vec<Option<String>>,
    sunset: Vec<Option<String>>,
}

impl Current {
    fn hour(self) -> Option<Hour> {
        Some(Hour {
            at: self.time.parse().ok()?,
            code: self.weather_code.and_then(coded),
            temperature: self.temperature_2m,
            feels_like: self.apparent_temperature,
            humidity: self.relative_humidity_2m,
            precipitation: self.precipitation,
            snowfall: self.snowfall,
            probability: None,
            wind: self.wind_speed_10m,
        })
    }
}

impl Hourly {
    fn row(&self, row: usize) -> Option<Hour> {
        Some(Hour {
            at: self.time[row].parse().ok()?,
            code: cell(&self.weather_code, row).and_then(coded),
            temperature: cell(&self.temperature_2m, row),
            feels_like: cell(&self.apparent_temperature, row),
            humidity: cell(&self.relative_humidity_2m, row),
            precipitation: cell(&self.precipitation, row),
            snowfall: cell(&self.snowfall, row),
            probability: cell(&self.precipitation_probability, row),
            wind: cell(&self.wind_speed_10m, row),
        })
    }
}

impl Daily {
    fn row(&self, row: usize) -> Option<Day> {
        let moment = |column: &[Option<String>]| column.get(row)?.as_ref()?.parse().ok();
        Some(Day {
            date: self.time[row].parse().ok()?,
            sunrise: moment(&self.sunrise),
            sunset: moment(&self.sunset),
            sky: Sky {
                code: cell(&self.weather_code, row).and_then(coded),
                min: cell(&self.temperature_2m_min, row),
                max: cell(&self.temperature_2m_max, row),
                precipitation: cell(&self.precipitation_sum, row),
                snowfall: cell(&self.snowfall_sum, row),
                probability: cell(&self.precipitation_probability_max, row),
                wind: cell(&self.wind_speed_10m_max, row),
                ..Sky::default()
            }
            .judged(),
        })
    }
}

fn cell(column: &[Option<f64>], row: usize) -> Option<f64> {
    column.get(row).copied().flatten()
}

fn coded(code: f64) -> Option<u8> {
    (0.0..=99.0).contains(&code).then_some(code as u8)
}
