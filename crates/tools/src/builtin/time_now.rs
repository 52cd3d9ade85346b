//! `time.now`: the time of the call, which a repetition of the call sees again.

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::errors;

pub(super) struct Now {
    spec: ToolSpec,
    zone: TimeZone,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A zone such as `Europe/Oslo`; the user's own when left out.
    zone: Option<String>,
}

impl Now {
    pub(super) fn new(zone: TimeZone) -> Self {
        let spec = super::spec::<Arguments>(
            "time.now",
            "Tells the date, the weekday and the time, in any zone.",
            Effect::Read,
        );
        let returns = super::fields(
            json!({"now": "string", "date": "string", "time": "string", "weekday": "string", "zone": "string"}),
            json!({}),
        );
        Self { spec: super::returning(spec, returns), zone }
    }
}

#[async_trait]
impl Tool for Now {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { zone } = super::parse(&self.spec, arguments)?;
        let zone = match zone {
            None => self.zone.clone(),
            Some(name) => TimeZone::get(&name).map_err(|_| {
                errors::bad_argument(&self.spec, format!("`zone` must be a zone such as `Europe/Oslo`, got `{name}`"))
            })?,
        };
        let now = call.now.to_zoned(zone);
        Ok(json!({
            "now": now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
            "date": now.date().to_string(),
            "time": now.strftime("%H:%M").to_string(),
            "weekday": now.strftime("%A").to_string(),
            "zone": now.time_zone().iana_name().unwrap_or("fixed offset"),
        }))
    }
}
