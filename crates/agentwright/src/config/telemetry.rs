//! Where spans are sent, in our section and in the variables that every OpenTelemetry exporter knows.

use figment::value::Value;
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};

use super::Loaded;
use super::surroundings::Surroundings;
use super::values::{Period, Secret};

/// `[telemetry]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Telemetry {
    /// Whether spans are sent at all, where there is somewhere to send them.
    pub enabled: bool,
    /// Where OTLP is spoken over HTTP; `/v1/traces` is added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// Where spans go, as it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traces_endpoint: Option<String>,
    /// Whether spans say what was asked, answered and passed on.
    pub content: bool,
    /// What this program is called there.
    pub service_name: String,
    /// How long a receiver may take to answer.
    pub timeout: Period,
}

impl Default for Telemetry {
    fn default() -> Self {
        Self {
            enabled: true,
            endpoint: None,
            traces_endpoint: None,
            content: false,
            service_name: "agentwright".to_owned(),
            timeout: Period::seconds(10),
        }
    }
}

/// Everything needed to send spans.
#[derive(Debug, Clone, PartialEq)]
pub struct Otlp {
    /// Where to.
    pub url: String,
    /// With which headers: often a key.
    pub headers: Vec<(String, Secret)>,
    /// What is said about this program.
    pub program: Vec<(String, String)>,
    /// Whether spans say what was asked, answered and passed on.
    pub content: bool,
    /// How long a receiver may take to answer.
    pub timeout: std::time::Duration,
}

impl Loaded {
    /// How spans are sent; nothing where they are not.
    pub fn otlp(&self) -> Option<Otlp> {
        let section = &self.config.telemetry;
        let url = match (&section.traces_endpoint, &section.endpoint) {
            _ if !section.enabled => return None,
            (Some(url), _) => url.clone(),
            (None, Some(base)) => format!("{}/v1/traces", base.trim_end_matches('/')),
            (None, None) => return None,
        };
        let variable = |name: &str| self.surroundings.variable(name).unwrap_or_default();
        let headers = ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"].map(variable);
        let headers = headers.into_iter().flat_map(pairs).map(|(name, value)| (name, Secret::new(value))).collect();
        let mut program = vec![
            ("service.name".to_owned(), section.service_name.clone()),
            ("service.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ];
        let said = pairs(variable("OTEL_RESOURCE_ATTRIBUTES"));
        program.extend(said.into_iter().filter(|(key, _)| !key.starts_with("service.")));
        Some(Otlp { url, headers, program, content: section.content, timeout: section.timeout.get() })
    }

    /// A protocol that was asked for and that we do not speak.
    pub fn foreign_protocol(&self) -> Option<&str> {
        let names = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];
        let asked = names.into_iter().find_map(|name| self.surroundings.variable(name))?;
        (asked != "http/protobuf").then_some(asked)
    }
}

/// What the usual variables say: each with its key of ours and its value.
pub(super) fn standard(surroundings: &Surroundings) -> Vec<(&'static str, &'static str, Value)> {
    let text = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "telemetry.endpoint"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "telemetry.traces_endpoint"),
        ("OTEL_SERVICE_NAME", "telemetry.service_name"),
    ];
    let text = text.into_iter().filter_map(|(name, key)| Some((name, key, Value::from(surroundings.variable(name)?))));
    let millis = ["OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT"].into_iter().filter_map(|name| {
        let millis: u64 = surroundings.variable(name)?.parse().ok()?;
        Some((name, "telemetry.timeout", Value::from(format!("{}s", millis.div_ceil(1000).max(1)))))
    });
    let off =
        [("OTEL_SDK_DISABLED", "true"), ("OTEL_TRACES_EXPORTER", "none")].into_iter().filter_map(|(name, off)| {
            let said = surroundings.variable(name)?;
            said.eq_ignore_ascii_case(off).then(|| (name, "telemetry.enabled", Value::from(false)))
        });
    text.chain(millis).chain(off).collect()
}

/// `name=value,name=value`, as these variables write it: values may be percent-encoded.
fn pairs(text: &str) -> Vec<(String, String)> {
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    let decoded = |text: &str| percent_decode_str(text.trim()).decode_utf8_lossy().into_owned();
    pairs.map(|(name, value)| (decoded(name), decoded(value))).filter(|(name, _)| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Flags, load};

    fn otlp(file: &str, variables: &[(&str, &str)]) -> Option<Otlp> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("agentwright.toml"), file).expect("a file");
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        load(Surroundings::new(folder.path(), variables), &Flags::default()).expect("a configuration").otlp()
    }

    #[test]
    fn spans_go_where_the_file_or_the_usual_variables_say() {
        let file = "[telemetry]\nendpoint = \"http://a:4318/\"\ncontent = true";
        let from_file = otlp(file, &[]).expect("somewhere");
        assert_eq!((from_file.url.as_str(), from_file.content), ("http://a:4318/v1/traces", true));
        let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://b");
        assert_eq!(otlp(file, &[endpoint]).expect("somewhere").url, "http://b/v1/traces");
        let exact = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://c/x");
        let named = [
            endpoint,
            exact,
            ("OTEL_SERVICE_NAME", "kitchen"),
            ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=a%20b"),
        ];
        let said = otlp("", &named).expect("somewhere");
        assert_eq!((said.url.as_str(), said.content), ("http://c/x", false));
        assert_eq!(said.program[0].1, "kitchen");
        assert_eq!(said.program[2], ("deployment.environment.name".into(), "a b".into()));
    }

    #[test]
    fn nothing_is_sent_where_nobody_said_where_or_somebody_said_no() {
        assert_eq!(otlp("", &[]), None);
        let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://b");
        assert_eq!(otlp("", &[endpoint, ("OTEL_SDK_DISABLED", "TRUE")]), None);
        assert_eq!(otlp("", &[endpoint, ("OTEL_TRACES_EXPORTER", "none")]), None);
        assert_eq!(otlp("[telemetry]\nenabled = false", &[endpoint]), None);
    }

    #[test]
    fn headers_are_read_from_the_environment_and_not_shown() {
        let said = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://b"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20x, a=b"),
        ];
        let otlp = otlp("", &said).expect("somewhere");
        let headers: Vec<_> = otlp.headers.iter().map(|(name, value)| (name.as_str(), value.expose())).collect();
        assert_eq!(headers, [("authorization", "Bearer x"), ("a", "b")]);
        assert!(!format!("{otlp:?}").contains("Bearer x"));
    }
}
