//! What numbers are told in. The service is always asked in metric units; others are made here.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::declare::fields;

/// A family of units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// °C, km/h and mm.
    #[default]
    Metric,
    /// °F, mph and inches.
    Imperial,
}

/// By hand, so that planners read two words and not two schemas.
impl JsonSchema for Units {
    fn schema_name() -> Cow<'static, str> {
        "Units".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "enum": ["metric", "imperial"]})
    }
}

impl Units {
    /// A temperature given in °C, to a tenth.
    pub(super) fn temperature(self, celsius: f64) -> f64 {
        tenths(match self {
            Units::Metric => celsius,
            Units::Imperial => celsius * 9.0 / 5.0 + 32.0,
        })
    }

    /// A speed given in km/h, to a tenth.
    pub(super) fn speed(self, kmh: f64) -> f64 {
        tenths(match self {
            Units::Metric => kmh,
            Units::Imperial => kmh / 1.609_344,
        })
    }

    /// A height of water given in mm: to a tenth, inches to a hundredth.
    pub(super) fn water(self, mm: f64) -> f64 {
        match self {
            Units::Metric => tenths(mm),
            Units::Imperial => (mm / 25.4 * 100.0).round() / 100.0,
        }
    }

    pub(super) fn degrees(self) -> &'static str {
        match self {
            Units::Metric => "°C",
            Units::Imperial => "°F",
        }
    }

    pub(super) fn per_hour(self) -> &'static str {
        match self {
            Units::Metric => "km/h",
            Units::Imperial => "mph",
        }
    }

    /// What [`named`](Self::named) gives.
    pub(super) fn declared() -> Value {
        fields(json!({"temperature": "string", "wind": "string", "precipitation": "string"}), json!({}))
    }

    /// The names of the units, for results.
    pub(super) fn named(self) -> Value {
        let water = match self {
            Units::Metric => "mm",
            Units::Imperial => "inch",
        };
        json!({"temperature": self.degrees(), "wind": self.per_hour(), "precipitation": water})
    }
}

fn tenths(value: f64) -> f64 {
    // Adding zero turns a negative zero into a plain one.
    (value * 10.0).round() / 10.0 + 0.0
}

/// A number as it is said: whole, and never `-0`.
pub(super) fn whole(value: f64) -> i64 {
    value.round() as i64
}
