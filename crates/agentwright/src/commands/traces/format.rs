//! What files of traces look like, and how a trace is read from each.

use std::collections::BTreeMap;

use clap::ValueEnum;
use domain::id::TraceId;
use domain::trace::{Part, Trace};
use jiff::Timestamp;
use learn::foreign::{self, ForeignError};
use serde::Deserialize;
use serde_json::Value;

use crate::args::Format;

/// The formats there are, in words.
pub(super) fn known() -> String {
    let names = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    format!("`{}`", names.map(|name| name.get_name().to_owned()).collect::<Vec<_>>().join("`, `"))
}

/// The format that something is in, by what only traces in this format have.
pub(super) fn guess(item: &Value) -> Option<Format> {
    let has = |keys: &[&str]| keys.iter().all(|key| item.get(key).is_some());
    if has(&["resourceSpans"]) {
        Some(Format::Otlp)
    } else if !has(&["steps"]) {
        None
    } else if has(&["id", "agent", "problem", "started_at"]) {
        Some(Format::Agentwright)
    } else if has(&["task_id", "bench", "reward"]) {
        Some(Format::Tau)
    } else if has(&["task_id", "question", "human_label"]) {
        Some(Format::Livemcp)
    } else if has(&["question", "kind", "ground_truth"]) {
        Some(Format::WhoWhen)
    } else if has(&["trace_id", "dataset"]) {
        Some(Format::Trail)
    } else {
        None
    }
}

/// The pieces of the traces that something holds, by trace, or why it holds none. Public data sets say no times: theirs
/// are as of `at`.
pub(super) fn read(format: Format, item: &Value, at: Timestamp) -> Result<BTreeMap<TraceId, Vec<Part>>, String> {
    let foreign = |read: Result<Trace, ForeignError>| read.map_err(|error| error.to_string());
    let trace = match format {
        Format::Agentwright => Trace::deserialize(item).map_err(|error| error.to_string()),
        Format::Tau => foreign(foreign::tau(item, at)),
        Format::Livemcp => foreign(foreign::livemcp(item, at)),
        Format::WhoWhen => foreign(foreign::who_when(item, at)),
        Format::Trail => foreign(foreign::trail(item, at)),
        Format::Otlp => {
            let mut traces: BTreeMap<TraceId, Vec<Part>> = BTreeMap::new();
            for part in server::otlp_pieces(item, at)? {
                traces.entry(part.trace.clone()).or_default().push(part);
            }
            return Ok(traces);
        }
    };
    trace.map(|trace| BTreeMap::from([(trace.id.clone(), trace.parts())]))
}
