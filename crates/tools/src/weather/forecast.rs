//! `weather.forecast`: what the coming days or hours will be like, with values on top that conditions can test.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::report::{Day, Hour, Sky};
use super::source::{self, Told};
use super::span::{self, Span};
use super::units::whole;
use super::{Units, Weather};
use crate::declare::{and, fields, list};
use crate::words::capped;
use crate::{declare, errors};

/// The most days that are said; the others are in the data.
const SAID: usize = 7;

pub(super) struct Forecast {
    spec: ToolSpec,
    with: Arc<Weather>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A town such as `Oslo` or `Portland, Oregon`; the user's own when left out.
    place: Option<String>,
    /// A date such as `2025-03-02`, or a moment such as `2025-03-02T08:00`; today when left out.
    from: Option<String>,
    /// The last day, or the moment at which a stretch of hours ends; the same day or hour when left out.
    to: Option<String>,
    /// The units of the answer; the user's own when left out.
    units: Option<Units>,
}

impl Forecast {
    pub(super) fn new(with: Arc<Weather>) -> Self {
        let mut spec = declare::spec::<Arguments>(
            "weather.forecast",
            "Tells the weather of days or hours up to 16 days ahead. Conditions can test rain, snow, rain_probability, \
             temperature, temperature_min, temperature_max, wind and description.",
            Effect::Egress,
        );
        spec.timeout = Some(source::CALL);
        Self { spec: declare::returning(spec, returns()), with }
    }

    fn when(&self, name: &str, text: Option<&str>, today: Date) -> Result<Option<span::When>, ToolError> {
        let Some(text) = text else { return Ok(None) };
        let read = span::when(text, today).map(Some);
        read.ok_or_else(|| {
            let got = capped(text, 40);
            let problem =
                format!("`{name}` must be a date such as `{today}` or a moment such as `{today}T08:00`, got `{got}`");
            errors::bad_argument(&self.spec, problem)
        })
    }
}

#[async_trait]
impl Tool for Forecast {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { place, from, to, units } = declare::parse(&self.spec, arguments)?;
        let units = units.unwrap_or(self.with.units);
        // Nobody is asked about a day that does not exist.
        let guess = call.now.to_zoned(jiff::tz::TimeZone::UTC).date();
        self.when("from", from.as_deref(), guess)?;
        self.when("to", to.as_deref(), guess)?;
        let told = source::tell(&self.with, &self.spec, place.as_deref(), call.now).await?;
        let today = told.report.local(call.now).date();
        let from = self.when("from", from.as_deref(), today)?;
        let to = self.when("to", to.as_deref(), today)?;
        let span = span::span(from, to, &told.report.zone, call.now);
        let span = span.map_err(|refusal| errors::failed(&self.spec, refusal))?;
        let view = View { told: &told, units, today };
        let mut result = match &span {
            Span::Days { first, last, told: which, .. } => {
                let days: Vec<&Day> =
                    told.report.days.iter().filter(|day| (first..=last).contains(&&day.date)).collect();
                view.days(&days, *which)
            }
            Span::Hours { first, end } => {
                let hours: Vec<&Hour> = told.report.hours(*first, *end).collect();
                view.hours(&hours, told.report.day(first.date()))
            }
        }
        .ok_or_else(|| errors::failed(&self.spec, "the weather service has no forecast for then"))?;
        if let Some(Value::String(said)) = result.get_mut("said") {
            if let Span::Days { last, cut: true, .. } = &span {
                said.push_str(&format!("\nForecasts reach no further than {last}."));
            }
            said.push_str(&age(&told, call.now));
        }
        Ok(result)
    }
}

fn returns() -> Value {
    let sky = || {
        json!({
            "description": "string", "temperature": ["number", "null"],
            "temperature_min": ["number", "null"], "temperature_max": ["number", "null"],
            "rain": "boolean", "snow": "boolean", "rain_probability": ["integer", "null"],
            "precipitation": ["number", "null"], "wind": ["number", "null"],
        })
    };
    let with_sky = |always: Value| and(fields(always, json!({})), fields(sky(), json!({})));
    let clock = ["string", "null"];
    let day = with_sky(json!({"day": "string", "weekday": "string", "sunrise": clock, "sunset": clock}));
    let hour = with_sky(json!({"at": "string", "feels_like": ["number", "null"]}));
    let top = with_sky(json!({
        "said": "string", "place": "string", "day": "string", "days": list(day),
        "units": Units::declared(), "as_of": "string", "source": "string",
    }));
    and(top, fields(json!({}), json!({"time": "string", "hours": list(hour)})))
}

/// How one report is told.
struct View<'t> {
    told: &'t Told,
    units: Units,
    today: Date,
}

impl View<'_> {
    fn days(&self, days: &[&Day], which: span::Told) -> Option<Value> {
        let first = *days.first()?;
        let sky = match which {
            span::Told::All => Sky::together(days.iter().map(|day| &day.sky)),
            span::Told::First => first.sky.clone(),
        };
        let place = self.told.place.said();
        let said = match days {
            [day] => format!("In {place} {}: {}.", self.day(day.date), self.sky(&day.sky)),
            days => {
                let mut lines = vec![format!("In {place}:")];
                for day in days.iter().take(SAID) {
                    lines.push(format!("{}: {}.", capital(&self.day(day.date)), self.sky(&day.sky)));
                }
                match days.len().saturating_sub(SAID) {
                    0 => {}
                    1 => lines.push("And one more day.".into()),
                    more => lines.push(format!("And {more} more days.")),
                }
                lines.join("\n")
            }
        };
        let mut result = self.top(said, first.date, &sky);
        result["days"] = days.iter().map(|day| self.day_values(day)).collect();
        Some(result)
    }

    fn hours(&self, hours: &[&Hour], day: Option<&Day>) -> Option<Value> {
        let first = *hours.first()?;
        let skies: Vec<Sky> = hours.iter().map(|hour| hour.sky()).collect();
        let sky = Sky::together(skies.iter());
        let clock = |hour: i8| format!("{hour:02}:00");
        let time = match hours {
            [hour] => format!("at {}", clock(hour.at.hour())),
            [.., last] => format!("from {} to {}", clock(first.at.hour()), clock((last.at.hour() + 1) % 24)),
            [] => return None,
        };
        let place = self.told.place.said();
        let said = format!("In {place} {} {time}: {}.", self.day(first.at.date()), self.sky(&sky));
        let mut result = self.top(said, first.at.date(), &sky);
        result["time"] = first.at.strftime("%H:%M").to_string().into();
        result["days"] = day.into_iter().map(|day| self.day_values(day)).collect();
        result["hours"] = hours.iter().map(|hour| self.hour_values(hour)).collect();
        Some(result)
    }

    /// What conditions can test.
    fn top(&self, said: String, day: Date, sky: &Sky) -> Value {
        let mut top = json!({"said": said, "place": self.told.place.label, "day": day});
        merge(&mut top, self.sky_values(sky));
        merge(&mut top, json!({"units": self.units.named(), "as_of": self.told.at, "source": "Open-Meteo.com"}));
        top
    }

    fn day_values(&self, day: &Day) -> Value {
        let clock = |moment: Option<jiff::civil::DateTime>| moment.map(|at| at.strftime("%H:%M").to_string());
        let mut values = json!({"day": day.date, "weekday": day.date.strftime("%A").to_string()});
        merge(&mut values, self.sky_values(&day.sky));
        merge(&mut values, json!({"sunrise": clock(day.sunrise), "sunset": clock(day.sunset)}));
        values
    }

    fn hour_values(&self, hour: &Hour) -> Value {
        let mut values = json!({"at": hour.at.strftime("%Y-%m-%dT%H:%M").to_string()});
        merge(&mut values, self.sky_values(&hour.sky()));
        merge(&mut values, json!({"feels_like": hour.feels_like.map(|celsius| self.units.temperature(celsius))}));
        values
    }

    fn sky_values(&self, sky: &Sky) -> Value {
        let temperature = |celsius: Option<f64>| celsius.map(|celsius| self.units.temperature(celsius));
        json!({
            "description": sky.description(),
            "temperature": temperature(sky.max),
            "temperature_min": temperature(sky.min),
            "temperature_max": temperature(sky.max),
            "rain": sky.rain,
            "snow": sky.snow,
            "rain_probability": percent(sky.probability),
            "precipitation": sky.precipitation.map(|mm| self.units.water(mm)),
            "wind": sky.wind.map(|kmh| self.units.speed(kmh)),
        })
    }

    /// `light rain, 2 to 6 °C, 80 % chance of rain, wind 14 km/h`.
    fn sky(&self, sky: &Sky) -> String {
        let mut parts = vec![sky.description().to_owned()];
        let degrees = |celsius: f64| whole(self.units.temperature(celsius));
        if let (Some(min), Some(max)) = (sky.min, sky.max) {
            let unit = self.units.degrees();
            parts.push(match (degrees(min), degrees(max)) {
                (min, max) if min == max => format!("{max} {unit}"),
                (min, max) => format!("{min} to {max} {unit}"),
            });
        }
        if let Some(percent) = percent(sky.probability) {
            let what = if sky.snow && !sky.rain { "snow" } else { "rain" };
            parts.push(format!("{percent} % chance of {what}"));
        }
        if let Some(wind) = sky.wind {
            parts.push(format!("wind {} {}", whole(self.units.speed(wind)), self.units.per_hour()));
        }
        parts.join(", ")
    }

    fn day(&self, date: Date) -> String {
        if date == self.today {
            "today".into()
        } else if self.today.tomorrow().is_ok_and(|tomorrow| tomorrow == date) {
            "tomorrow".into()
        } else {
            date.strftime("on %A, %-d %B").to_string()
        }
    }
}

fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}

fn capital(text: &str) -> String {
    let text = text.strip_prefix("on ").unwrap_or(text);
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

pub(super) fn percent(value: Option<f64>) -> Option<i64> {
    value.map(whole)
}

/// The words that say how old an answer is, where it is old.
pub(super) fn age(told: &Told, now: Timestamp) -> String {
    if !told.stale {
        return String::new();
    }
    let minutes = (now.as_second() - told.at.as_second()).max(0) / 60;
    let ago = match minutes {
        0..=89 => format!("{minutes} minutes"),
        _ => format!("{} hours", (minutes + 30) / 60),
    };
    format!(" The weather service cannot be reached; this is what it said {ago} ago.")
}
