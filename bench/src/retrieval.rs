//! Whether what a request needs is among the first that are found, and what finding costs.
//!
//! R@k is the mean share of the needed tools among the first k, complete@10 the share of requests all of whose tools are
//! among the first ten, nDCG@10 counts early ones more: the definitions of the baselines in the data's own README.

mod crowd;
pub mod sets;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use domain::library::Kind;
use reflex::embed::StaticEmbedder;
use retrieve::{Entry, Found, Index, Use, Wanted};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use self::sets::{Row, Set};
use crate::dice::Dice;
use crate::process::{memory, percentiles};

/// Measures retrieval on the test parts of public sets, and its time and memory.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// The folder of the data sets
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"))]
    pub data: PathBuf,
    /// Generated agents that time is measured with
    #[arg(long, default_value_t = 100_000)]
    pub agents: usize,
    /// Leave out what is learned from uses, which takes a minute
    #[arg(long)]
    pub without_use: bool,
}

/// R@1, R@5, R@10, complete@10 and nDCG@10 of one way to search one set.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures(pub [f64; 5]);

/// One line of the table.
pub struct Line {
    /// The set.
    pub set: &'static str,
    /// How it was searched.
    pub how: &'static str,
    /// Requests measured.
    pub requests: usize,
    /// Tools to choose from.
    pub registry: usize,
    /// What was reached.
    pub figures: Figures,
}

/// All lines of a set.
pub fn reach(args: &Args, set: &Set) -> Vec<Line> {
    let index = filled(set.tools.clone());
    let all = Wanted::new([], usize::MAX);
    let by = |part: fn(&Found) -> f32| {
        measured(set, |text| {
            let mut found = index.search(text, &all);
            found.sort_by(|one, two| part(two).total_cmp(&part(one)));
            found
        })
    };
    let shortlist = |index: &Index| measured(set, |text| index.shortlist(text, &[], 10));
    let line = |how, figures| Line { set: set.name, how, requests: set.test.len(), registry: set.tools.len(), figures };
    let mut lines = vec![
        line("words only", by(|found| found.words)),
        line("meaning only", by(|found| found.meaning)),
        line("fused, as one text", measured(set, |text| index.search(text, &Wanted::new([], 10)))),
        line("fused, in steps", shortlist(&index)),
    ];
    if !args.without_use && !set.train.is_empty() {
        learn(&index, &set.train);
        lines.push(line("fused, in steps, with uses of train", shortlist(&index)));
    }
    lines
}

/// What it costs to search all registries together, and many agents that are nearly the same.
pub fn cost(args: &Args, sets: &[Set]) -> anyhow::Result<(Value, Value)> {
    let tools: Vec<Entry> = sets.iter().flat_map(|set| renamed(set.name, &set.tools)).collect();
    let requests: Vec<String> =
        sets.iter().flat_map(|set| set.test.iter().step_by(5)).map(|row| row.text.clone()).collect();
    let union = timed(tools, &requests)?;
    let mut dice = Dice::new(5);
    let agents = crowd::agents(&mut dice, args.agents);
    let crowd = timed(agents, &crowd::requests(&mut dice, 1_000))?;
    Ok((union, crowd))
}

fn filled(entries: Vec<Entry>) -> Index {
    let index = Index::new(Arc::new(StaticEmbedder::shipped()));
    index.put(entries);
    index
}

/// Sets share names of tools.
fn renamed(set: &str, tools: &[Entry]) -> Vec<Entry> {
    let rename = |tool: &Entry| Entry { name: format!("{set}:{}", tool.name), ..tool.clone() };
    tools.iter().map(rename).collect()
}

fn learn(index: &Index, rows: &[Row]) {
    for row in rows {
        for name in &row.needs {
            index.learn(Use { text: row.text.clone(), kind: Kind::Tool, name: name.clone(), good: true });
        }
    }
}

fn measured(set: &Set, search: impl Fn(&str) -> Vec<Found>) -> Figures {
    let mut sums = [0.0; 5];
    for row in &set.test {
        let found = search(&row.text);
        let mut seen = Vec::new();
        let mut hits = [false; 10];
        for (hit, found) in hits.iter_mut().zip(&found) {
            let name = sets::called(set.name, &found.name);
            if row.needs.iter().any(|need| need == name) && !seen.contains(&name) {
                seen.push(name);
                *hit = true;
            }
        }
        score(&hits, row.needs.len()).iter().zip(&mut sums).for_each(|(one, sum)| *sum += one);
    }
    Figures(sums.map(|sum| sum / set.test.len().max(1) as f64))
}

fn score(hits: &[bool; 10], needed: usize) -> [f64; 5] {
    let within = |k: usize| hits[..k].iter().filter(|hit| **hit).count();
    let share = |k: usize| within(k) as f64 / needed as f64;
    let gain = |at: usize| ((at + 2) as f64).log2().recip();
    let gained: f64 = (0..10).filter(|at| hits[*at]).map(gain).sum();
    let ideal: f64 = (0..needed.min(10)).map(gain).sum();
    [share(1), share(5), share(10), f64::from(u8::from(within(10) == needed)), gained / ideal]
}

fn timed(entries: Vec<Entry>, requests: &[String]) -> anyhow::Result<Value> {
    let count = entries.len();
    let again = entries[count / 2].clone();
    let (before, _) = memory();
    let begun = cpu_millis();
    let index = filled(entries);
    let built = cpu_millis() - begun;
    let (after, _) = memory();
    let millis = |work: &dyn Fn(&str)| {
        let mut took: Vec<f64> = requests
            .iter()
            .map(|text| {
                let begun = cpu_millis();
                work(text);
                cpu_millis() - begun
            })
            .collect();
        let (p50, p99) = percentiles(&mut took);
        json!({"p50_ms": rounded(p50), "p99_ms": rounded(p99)})
    };
    let wanted = Wanted::new([], 10);
    let search = millis(&|text| drop(std::hint::black_box(index.search(text, &wanted))));
    let shortlist = millis(&|text| drop(std::hint::black_box(index.shortlist(text, &[], 10))));
    let begun = cpu_millis();
    (0..100).for_each(|_| index.put(vec![again.clone()]));
    let put = (cpu_millis() - begun) / 100.0;
    let size = index.size();
    anyhow::ensure!(size.entries == count, "{count} entries went in, {} are there", size.entries);
    Ok(json!({
        "entries": count, "requests": requests.len(), "built_ms": rounded(built), "search": search, "shortlist": shortlist,
        "put_one_ms": rounded(put), "estimated_mb": rounded(size.bytes as f64 / 1e6),
        "resident_mb": rounded(after.saturating_sub(before) as f64 / 1e6),
    }))
}

/// Reads every set, or nothing where there are none.
pub fn sets(folder: &Path) -> anyhow::Result<Option<Vec<Set>>> {
    if !sets::SETS.iter().all(|set| folder.join(set).is_dir()) {
        return Ok(None);
    }
    sets::SETS.iter().map(|set| sets::read(folder, set)).collect::<anyhow::Result<_>>().map(Some)
}

/// Processor time of this thread in milliseconds.
fn cpu_millis() -> f64 {
    let spent = clock_gettime(ClockId::ThreadCPUTime);
    spent.tv_sec as f64 * 1e3 + spent.tv_nsec as f64 / 1e6
}

/// To four digits after the point.
pub fn rounded(figure: f64) -> Value {
    json!((figure * 1e4).round() / 1e4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_hits_and_complete_ones_count_as_defined() {
        let mut hits = [false; 10];
        (hits[0], hits[6]) = (true, true);
        let [one, five, ten, complete, gain] = score(&hits, 2);
        assert_eq!([one, five, ten, complete], [0.5, 0.5, 1.0, 1.0]);
        assert!((gain - (1.0 + 1.0 / 3.0) / (1.0 + 3.0_f64.log2().recip())).abs() < 1e-9);
        assert_eq!(score(&[false; 10], 3), [0.0; 5]);
    }
}
