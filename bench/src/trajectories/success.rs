//! Whether a trajectory succeeds, told by its marks.

use std::path::Path;

use domain::trace::Sketch;
use learn::foreign;
use learn::predict::{FitPolicy, Predictor, fit};
use serde_json::{Value, json};

use super::ranked::{Ranked, auc, interval, within};
use super::{Line, lines, part_of, rounded};

/// Customers and their agents, tasks that were never seen.
pub(super) fn tau(data: &Path, folds: u32) -> anyhow::Result<Value> {
    let known = lines(data, "tau_traces", &["train", "dev"], foreign::tau)?;
    if folds > 0 {
        let each: Vec<[f64; 3]> = (0..folds).map(|way| shares(&folded(&known, way))).collect();
        let mean = |at: usize| rounded(each.iter().map(|shares| shares[at]).sum::<f64>() / each.len() as f64);
        return Ok(json!({"auc": mean(0), "within_task": mean(1), "within_task_and_system": mean(2), "ways": folds}));
    }
    let tests = lines(data, "tau_traces", &["test"], foreign::tau)?;
    let predictor = learnt(known.iter());
    let judged: Vec<(&Line, f64)> = tests.iter().map(|line| (line, predictor.chance(&line.sketch).get())).collect();
    let (low, high) = interval(&ranked(&judged, group));
    let (by_task, by_system) = (within(&ranked(&judged, task)), within(&ranked(&judged, task_and_system)));
    Ok(json!({
        "learnt_from": predictor.traces(), "measured_on": tests.len(),
        "auc": rounded(auc(&ranked(&judged, task))), "interval": [rounded(low), rounded(high)],
        "within_task": rounded(by_task.0), "task_pairs": by_task.1,
        "within_task_and_system": rounded(by_system.0), "system_pairs": by_system.1,
        "off_by": rounded(off(&judged)),
    }))
}

/// Runs of another kind, by another agent with other tools: nothing was learnt from any of them.
pub(super) fn livemcp(data: &Path) -> anyhow::Result<Value> {
    let predictor = learnt(lines(data, "tau_traces", &["train", "dev"], foreign::tau)?.iter());
    let tests = lines(data, "livemcp_traces", &["test"], foreign::livemcp)?;
    let judged: Vec<(&Line, f64)> = tests.iter().map(|line| (line, predictor.chance(&line.sketch).get())).collect();
    let ranked = ranked(&judged, task);
    let (low, high) = interval(&ranked);
    Ok(json!({"measured_on": tests.len(), "auc": rounded(auc(&ranked)), "interval": [rounded(low), rounded(high)]}))
}

fn learnt<'a>(lines: impl Iterator<Item = &'a Line>) -> Predictor {
    let sketches: Vec<Sketch> = lines.map(|line| line.sketch.clone()).collect();
    fit(&sketches, &FitPolicy::default())
}

/// Each part judged by what the other four teach.
fn folded(known: &[Line], way: u32) -> Vec<(&Line, f64)> {
    const PARTS: u64 = 5;
    let part = |line: &Line| part_of(&group(line), way, PARTS);
    let judged = (0..PARTS).flat_map(|left_out| {
        let predictor = learnt(known.iter().filter(|line| part(line) != left_out));
        let those = known.iter().filter(move |line| part(line) == left_out);
        those.map(move |line| (line, predictor.chance(&line.sketch).get())).collect::<Vec<_>>()
    });
    judged.collect()
}

fn shares(judged: &[(&Line, f64)]) -> [f64; 3] {
    let by_task = ranked(judged, task);
    [auc(&by_task), within(&by_task).0, within(&ranked(judged, task_and_system)).0]
}

fn ranked(judged: &[(&Line, f64)], group: fn(&Line) -> String) -> Vec<Ranked> {
    let good = |line: &Line| line.sketch.success == Some(true);
    judged.iter().map(|(line, score)| Ranked { group: group(line), score: *score, good: good(line) }).collect()
}

/// A domain and a number: the same task in both editions of the benchmark.
fn group(line: &Line) -> String {
    let task = line.value["task_id"].as_str().unwrap_or_default();
    format!("{} {}", line.sketch.problem, task.splitn(3, '-').nth(2).unwrap_or(task))
}

fn task(line: &Line) -> String {
    format!("{} {}", line.sketch.problem, line.value["task_id"])
}

fn task_and_system(line: &Line) -> String {
    format!("{} {} {}", task(line), line.value["model"], line.value["system"])
}

/// How far chances and outcomes are apart on average, over ten groups of neighbours.
fn off(judged: &[(&Line, f64)]) -> f64 {
    let mut sorted: Vec<(f64, f64)> =
        judged.iter().map(|(line, chance)| (*chance, f64::from(u8::from(line.sketch.success == Some(true))))).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let apart = |group: &[(f64, f64)]| group.iter().map(|(chance, good)| chance - good).sum::<f64>().abs();
    sorted.chunks(sorted.len().div_ceil(10)).map(apart).sum::<f64>() / sorted.len() as f64
}
