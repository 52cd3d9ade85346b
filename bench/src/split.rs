//! Whether the splitter tells requests for several things from requests for one that have a conjunction in them.
//!
//! None of the sets that are read here was learned from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use clap::Parser;
use reflex::split::{Split, Weights, split_with};
use serde::Deserialize;
use serde_json::{Value, json};

/// Measures the splitter on `multi_hard`, `mixsnips` and `mixatis`.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// The folder of the data sets
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"))]
    pub data: PathBuf,
    /// Weights that were learned without `snips` (`agentwright-train split DATA --without snips --to FILE`)
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/split-without-snips.bin"))]
    pub without_snips: PathBuf,
}

#[derive(Debug, Clone, Deserialize)]
struct Row {
    text: String,
    n_intents: usize,
    #[serde(default)]
    multi: bool,
    #[serde(default)]
    has_conj: bool,
    #[serde(default)]
    domain: String,
}

/// Every figure, or nothing where there is no data.
pub fn measure(args: &Args) -> anyhow::Result<Option<Value>> {
    if !args.data.join("multi_hard").is_dir() {
        return Ok(None);
    }
    let shipped = Weights::shipped();
    let mut figures = json!({"bench": "split"});
    for part in ["dev", "test"] {
        let judged = judge(shipped, rows(&args.data, "multi_hard", part)?);
        figures[part] = pooled(&judged);
        figures[part]["atis_left_out"] = auc(&judged, &["mixatis"]);
        if let Ok(bytes) = std::fs::read(&args.without_snips) {
            let weights = Weights::read(&bytes)?;
            let judged = judge(&weights, rows(&args.data, "multi_hard", part)?);
            figures[part]["snips_left_out"] = auc(&judged, &["mixsnips", "snips"]);
        }
    }
    for set in ["mixsnips", "mixatis"] {
        let judged = judge(shipped, rows(&args.data, set, "test")?);
        let right = judged.iter().filter(|judged| judged.split.parts.len() == judged.row.n_intents).count();
        figures["part_count"][set] = rounded(right as f64 / judged.len() as f64);
    }
    figures["time"] = time(shipped, &rows(&args.data, "multi_hard", "test")?);
    Ok(Some(figures))
}

struct Judged {
    row: Row,
    split: Split,
}

impl Judged {
    fn several(&self) -> bool {
        self.split.parts.len() > 1
    }
}

fn rows(data: &Path, set: &str, part: &str) -> anyhow::Result<Vec<Row>> {
    let path = data.join(set).join(format!("{part}.jsonl"));
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    text.lines().map(|line| serde_json::from_str(line).with_context(|| format!("reading {}", path.display()))).collect()
}

fn judge(weights: &Weights, rows: Vec<Row>) -> Vec<Judged> {
    rows.into_iter().map(|row| Judged { split: split_with(weights, &row.text), row }).collect()
}

/// F1 over everything, and how many single requests with a conjunction are torn, by where they come from.
fn pooled(judged: &[Judged]) -> Value {
    let count = |multi: bool, several: bool| {
        judged.iter().filter(|judged| judged.row.multi == multi && judged.several() == several).count() as f64
    };
    let (found, torn, missed) = (count(true, true), count(false, true), count(true, false));
    let mut sources: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for single in judged.iter().filter(|judged| judged.row.has_conj && !judged.row.multi) {
        for source in [single.row.domain.as_str(), "all"] {
            let (torn, of) = sources.entry(source).or_default();
            *torn += usize::from(single.several());
            *of += 1;
        }
    }
    let (torn_all, of_all) = sources.get("all").copied().unwrap_or_default();
    json!({
        "f1": rounded(2.0 * found / (2.0 * found + torn + missed)),
        "precision": rounded(found / (found + torn)),
        "recall": rounded(found / (found + missed)),
        "torn_share": rounded(torn_all as f64 / of_all.max(1) as f64),
        "torn_of_singles_with_conjunction": sources,
    })
}

/// How often a composite request of some domains is ranked above a single one, among those with a conjunction and among all.
fn auc(judged: &[Judged], domains: &[&str]) -> Value {
    let of = |multi: bool, all: bool| -> Vec<f32> {
        let those = judged.iter().filter(|judged| domains.contains(&judged.row.domain.as_str()));
        let those = those.filter(|judged| judged.row.multi == multi && (all || judged.row.has_conj));
        those.map(|judged| judged.split.several).collect()
    };
    let area = |several: &[f32], single: &[f32]| {
        let above = |one: &f32| {
            let wins =
                single.iter().map(|other| if one > other { 1.0 } else { f64::from(u8::from(one == other)) / 2.0 });
            wins.sum::<f64>()
        };
        rounded(several.iter().map(above).sum::<f64>() / (several.len() * single.len()).max(1) as f64)
    };
    let (several, single, all) = (of(true, true), of(false, false), of(false, true));
    json!({
        "auc_with_conjunction": area(&several, &single), "auc_all": area(&several, &all),
        "composite": several.len(), "single_with_conjunction": single.len(), "single": all.len(),
    })
}

/// Microseconds a request, each measured by itself once everything is warm.
fn time(weights: &Weights, rows: &[Row]) -> Value {
    let mut took = Vec::new();
    for _ in 0..3 {
        took.clear();
        for row in rows {
            let begun = Instant::now();
            std::hint::black_box(split_with(weights, std::hint::black_box(&row.text)));
            took.push(begun.elapsed().as_secs_f64() * 1e6);
        }
    }
    let (p50, p99) = crate::process::percentiles(&mut took);
    let long = "turn off the light and set a timer, ".repeat(280);
    let begun = Instant::now();
    std::hint::black_box(split_with(weights, &long));
    let whole = begun.elapsed().as_secs_f64() * 1e6;
    json!({"p50_us": rounded(p50), "p99_us": rounded(p99), "ten_kilobytes_us": rounded(whole)})
}

fn rounded(figure: f64) -> Value {
    json!((figure * 1e4).round() / 1e4)
}
