//! `weather.current`: what it is like outside right now.

use std::sync::Arc;

use async_trait::async_trait;
use domain::name::{Name, NameKind};
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use jiff::ToSpan;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::forecast::{age, percent};
use super::units::whole;
use super::{Units, Weather, source};
use crate::{declare, errors};

pub(super) struct Current {
    spec: ToolSpec,
    with: Arc<Weather>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A town such as `Oslo` or `Portland, Oregon`; the user's own when left out.
    place: Option<String>,
    /// The units of the answer; the user's own when left out.
    units: Option<Units>,
}

impl Current {
    pub(super) fn new(with: Arc<Weather>) -> Self {
        let mut spec = declare::spec::<Arguments>(
            "weather.current",
            "Tells the weather at a place right now: temperature, wind, rain and snow.",
            Effect::Egress,
        );
        spec.timeout = Some(source::CALL);
        let returns = declare::fields(
            json!({
                "said": "string", "place": "string", "day": "string", "time": "string", "description": "string",
                "temperature": ["number", "null"], "feels_like": ["number", "null"],
                "temperature_min": ["number", "null"], "temperature_max": ["number", "null"],
                "rain": "boolean", "snow": "boolean", "rain_probability": ["integer", "null"],
                "precipitation": ["number", "null"], "humidity": ["integer", "null"], "wind": ["number", "null"],
                "units": Units::declared(), "as_of": "string", "source": "string",
            }),
            json!({}),
        );
        Self { spec: declare::returning(spec, returns), with }
    }
}

#[async_trait]
impl Tool for Current {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { place, units } = declare::parse(&self.spec, arguments)?;
        let units = units.unwrap_or(self.with.units);
        let told = source::tell(&self.with, &self.spec, place.as_deref(), call.now).await?;
        let here = told.report.local(call.now);
        let hour = here.date().at(here.hour(), 0, 0, 0);
        let forecast = told.report.hours(hour, hour.saturating_add(1.hour())).next();
        // What was measured hours ago is no longer so; what was forecast for now may be.
        let now = if told.stale { forecast } else { told.report.now.as_ref().or(forecast) };
        let now = now.ok_or_else(|| errors::failed(&self.spec, "the weather service says nothing about now"))?;
        let (sky, today) = (now.sky(), told.report.day(here.date()).map(|day| &day.sky));
        let temperature = |celsius: Option<f64>| celsius.map(|celsius| units.temperature(celsius));
        let place = told.place.said();
        let mut said = match temperature(now.temperature) {
            Some(degrees) => format!("In {place} it is now {} {}", whole(degrees), units.degrees()),
            None => format!("In {place} now"),
        };
        if let (Some(is), Some(feels)) = (temperature(now.temperature), temperature(now.feels_like))
            && (is - feels).abs() >= 3.0
        {
            said.push_str(&format!(" (feels like {} {})", whole(feels), units.degrees()));
        }
        said.push_str(&format!(", {}", sky.description()));
        if let Some(wind) = now.wind {
            said.push_str(&format!(", wind {} {}", whole(units.speed(wind)), units.per_hour()));
        }
        said.push('.');
        said.push_str(&age(&told, call.now));
        Ok(json!({
            "said": said,
            "place": told.place.label,
            "day": here.date(),
            "time": here.strftime("%H:%M").to_string(),
            "description": sky.description(),
            "temperature": temperature(now.temperature),
            "feels_like": temperature(now.feels_like),
            "temperature_min": today.and_then(|sky| temperature(sky.min)),
            "temperature_max": today.and_then(|sky| temperature(sky.max)),
            "rain": sky.rain,
            "snow": sky.snow,
            "rain_probability": forecast.and_then(|hour| percent(hour.probability)),
            "precipitation": now.precipitation.map(|mm| units.water(mm)),
            "humidity": percent(now.humidity),
            "wind": now.wind.map(|kmh| units.speed(kmh)),
            "units": units.named(),
            "as_of": told.at,
            "source": "Open-Meteo.com",
        }))
    }

    async fn names(&self) -> Vec<Name> {
        let name = |place: &String| Name {
            kind: NameKind::Place,
            id: place.clone(),
            name: place.clone(),
            aliases: Vec::new(),
            domain: None,
            class: None,
            within: None,
        };
        self.with.place.iter().map(name).collect()
    }
}
