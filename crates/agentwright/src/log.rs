//! What is logged to stderr, and how: sentences for people, or a JSON object a line for machines.
//!
//! In JSON, what is known about where a line comes from stands beside what it says: `run` for everything that happens on
//! behalf of a run, `request` for everything that happens on behalf of an HTTP request.

use std::fmt;
use std::io::IsTerminal;

use jiff::Timestamp;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::{JsonFields, Writer};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

use crate::config::{Log, LogFormat, LogLevel};

/// Our own crates, which are listened to more closely than others.
const OURS: [&str; 6] = ["agentwright", "server", "runtime", "store", "llm", "tools"];

/// Begins to log. `verbose` is how often `-v` was said; `learning` is how much is logged about learning, where that is
/// said apart.
pub(crate) fn begin(wanted: &Log, verbose: u8, learning: Option<&str>) {
    let filter = EnvFilter::new(filter(wanted.level, verbose, learning));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A program that depends on us may have its own.
    let _ = match wanted.format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).try_init(),
        LogFormat::Json => lines.fmt_fields(JsonFields::new()).event_format(Json).try_init(),
    };
}

fn filter(level: Option<LogLevel>, verbose: u8, learning: Option<&str>) -> String {
    let said = match verbose {
        0 => None,
        1 => Some(LogLevel::Info),
        _ => Some(LogLevel::Debug),
    };
    let ours = |theirs: &str, level: &str| {
        let ours = OURS.map(|name| format!("{name}={level}")).join(",");
        format!("{theirs},rmcp=off,{ours}")
    };
    let filter = match said.max(level) {
        // Where notifications go to the log, somebody must listen to them.
        // What goes wrong with MCP servers is said where it is handled.
        None | Some(LogLevel::Error) => "error,rmcp=off,tools::builtin::notification_send=info".to_owned(),
        Some(LogLevel::Off) => "off".to_owned(),
        Some(LogLevel::Warn) => ours("error", "warn"),
        Some(LogLevel::Info) => ours("warn", "info"),
        Some(LogLevel::Debug) => ours("info", "debug"),
    };
    learning.map_or(filter.clone(), |level| format!("{filter},runtime::learning={level}"))
}

/// Lines in JSON.
struct Json;

impl<S, N> FormatEvent<S, N> for Json
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let about = event.metadata();
        let mut line = Map::new();
        line.insert("at".to_owned(), Timestamp::now().to_string().into());
        line.insert("level".to_owned(), about.level().as_str().to_ascii_lowercase().into());
        line.insert("target".to_owned(), about.target().into());
        for span in context.event_scope().into_iter().flat_map(|scope| scope.from_root()) {
            let extensions = span.extensions();
            let fields = extensions.get::<FormattedFields<N>>().map(|fields| fields.fields.as_str());
            line.extend(
                fields.and_then(|fields| serde_json::from_str::<Map<String, Value>>(fields).ok()).unwrap_or_default(),
            );
        }
        event.record(&mut Fields(&mut line));
        writeln!(writer, "{}", Value::Object(line))
    }
}

struct Fields<'l>(&'l mut Map<String, Value>);

impl Fields<'_> {
    fn put(&mut self, field: &Field, value: Value) {
        self.0.insert(field.name().to_owned(), value);
    }
}

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}").into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_wants_to_know_more_wins() {
        assert_eq!(filter(None, 0, None), filter(Some(LogLevel::Error), 0, None));
        assert_eq!(filter(Some(LogLevel::Debug), 1, None), filter(None, 2, None));
        assert_eq!(filter(Some(LogLevel::Off), 0, None), "off");
        assert!(filter(Some(LogLevel::Warn), 1, Some("debug")).ends_with("tools=info,runtime::learning=debug"));
    }
}
