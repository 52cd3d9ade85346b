//! What is told from public trajectories by what was mined from others: whether they succeed, and where they go wrong.

mod ranked;
mod steps;
mod success;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Parser;
use domain::trace::{Sketch, Trace};
use jiff::Timestamp;
use learn::foreign::ForeignError;
use serde_json::{Value, json};

/// Learns from the training and development parts and measures on the test part.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// The folder of the data sets
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"))]
    pub data: PathBuf,
    /// Measures on what is learnt from instead, in five parts of whole tasks, as often as this
    #[arg(long, default_value_t = 0)]
    pub folds: u32,
    /// Prints what signs of decisive steps weigh, as the table that is shipped, and nothing else
    #[arg(long)]
    pub weights: bool,
}

/// Every figure, or nothing where there is no data.
pub fn measure(args: &Args) -> anyhow::Result<Option<Value>> {
    if !args.data.join("tau_traces").is_dir() {
        return Ok(None);
    }
    let mut figures = json!({"bench": "trajectories", "tau_traces": success::tau(&args.data, args.folds)?});
    figures["who_when"] = steps::who_when(&args.data, args.folds)?;
    if args.folds == 0 {
        figures["livemcp_traces"] = success::livemcp(&args.data)?;
        figures["trail"] = steps::trail(&args.data)?;
    }
    Ok(Some(figures))
}

/// The table of signs and weights.
pub fn weights(args: &Args) -> anyhow::Result<String> {
    steps::weights(&args.data)
}

/// A line of a set, and what may be learnt from it.
struct Line {
    value: Value,
    sketch: Sketch,
}

type Reading = fn(&Value, Timestamp) -> Result<Trace, ForeignError>;

fn lines(data: &Path, set: &str, parts: &[&str], read: Reading) -> anyhow::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for part in parts {
        let path = data.join(set).join(format!("{part}.jsonl"));
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        for (number, line) in (1..).zip(text.lines()) {
            let place = || format!("{}, line {number}", path.display());
            let value: Value = serde_json::from_str(line).with_context(place)?;
            let sketch = learn::sketch(&read(&value, Timestamp::UNIX_EPOCH).with_context(place)?);
            lines.push(Line { value, sketch });
        }
    }
    Ok(lines)
}

/// Which of so many parts something belongs to, in one of many ways to part.
fn part_of(name: &str, way: u32, parts: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ u64::from(way).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = name.bytes().fold(start, |mixed, byte| (mixed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (mixed ^ (mixed >> 31)) % parts
}

fn rounded(figure: f64) -> Value {
    json!((figure * 1e4).round() / 1e4)
}
