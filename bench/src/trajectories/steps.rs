//! Which steps were to blame.

use std::fmt::Write;
use std::path::Path;

use domain::trace::{Move, Sketch};
use learn::blame::{self, Blame};
use learn::foreign;
use serde_json::{Value, json};

use super::ranked::{Ranked, auc};
use super::{Line, lines, part_of, rounded};

/// What weighs less is left out of the table.
const NEXT_TO_NOTHING: f64 = 0.03;

/// Teams that failed, of which people said which step was decisive.
pub(super) fn who_when(data: &Path, folds: u32) -> anyhow::Result<Value> {
    let known = lines(data, "who_when", &["train", "dev"], foreign::who_when)?;
    if folds > 0 {
        let all: Vec<(&Line, usize)> = (0..folds).flat_map(|way| folded(&known, way)).collect();
        return Ok(shares(&all));
    }
    let tests = lines(data, "who_when", &["test"], foreign::who_when)?;
    let blame = learnt(known.iter());
    let mut figures = shares(&tests.iter().map(|line| (line, first(&blame, &line.sketch))).collect::<Vec<_>>());
    let shipped = |line: &Line| blame::decisive(&line.sketch).first().map_or(0, |(at, _)| *at);
    figures["shipped"] = shares(&tests.iter().map(|line| (line, shipped(line))).collect::<Vec<_>>());
    figures["always_step_1"] = shares(&tests.iter().map(|line| (line, 1)).collect::<Vec<_>>());
    Ok(figures)
}

/// Spans, of which people said which are wrong.
pub(super) fn trail(data: &Path) -> anyhow::Result<Value> {
    let known = lines(data, "trail", &["train", "dev"], foreign::trail)?;
    let tests = lines(data, "trail", &["test"], foreign::trail)?;
    let wrong: Vec<(Sketch, usize)> =
        known.iter().flat_map(|line| wrong(line).into_iter().map(|at| (line.sketch.clone(), at))).collect();
    let blame = blame::fit(&wrong);
    let (known, tests) = (judged(&blame, &known), judged(&blame, &tests));
    let least = threshold(&known);
    Ok(json!({
        "spans": tests.len(), "wrong_spans": tests.iter().filter(|one| one.good).count(),
        "auc": rounded(auc(&tests)), "f1": rounded(f1(&tests, least)),
        "f1_of_all_spans": rounded(f1(&tests, f64::NEG_INFINITY)),
    }))
}

/// The table that is shipped.
pub(super) fn weights(data: &Path) -> anyhow::Result<String> {
    let known = lines(data, "who_when", &["train", "dev"], foreign::who_when)?;
    let mut table = String::new();
    for (sign, weight) in learnt(known.iter()).weights().filter(|(_, weight)| weight.abs() >= NEXT_TO_NOTHING) {
        writeln!(table, "    (\"{sign}\", {weight:.2}),")?;
    }
    Ok(table)
}

fn learnt<'a>(lines: impl Iterator<Item = &'a Line>) -> Blame {
    let known: Vec<(Sketch, usize)> = lines.filter_map(|line| Some((line.sketch.clone(), decisive(line)?))).collect();
    blame::fit(&known)
}

fn decisive(line: &Line) -> Option<usize> {
    usize::try_from(line.value["mistake_step"].as_u64()?).ok()
}

fn first(blame: &Blame, sketch: &Sketch) -> usize {
    blame.decisive(sketch).first().map_or(0, |(at, _)| *at)
}

fn folded(known: &[Line], way: u32) -> Vec<(&Line, usize)> {
    const PARTS: u64 = 8;
    let part = |line: &Line| part_of(line.value["question"].as_str().unwrap_or_default(), way, PARTS);
    let named = (0..PARTS).flat_map(|left_out| {
        let blame = learnt(known.iter().filter(|line| part(line) != left_out));
        let those = known.iter().filter(move |line| part(line) == left_out);
        those.map(move |line| (line, first(&blame, &line.sketch))).collect::<Vec<_>>()
    });
    named.collect()
}

/// The shares of logs in which the right step was named, and the right agent.
fn shares(named: &[(&Line, usize)]) -> Value {
    let share = |kind: &str| {
        let those: Vec<_> = named.iter().filter(|(line, _)| line.sketch.problem.as_str().contains(kind)).collect();
        let steps = those.iter().filter(|(line, at)| decisive(line) == Some(*at)).count();
        let agents = those.iter().filter(|(line, at)| agent(line, *at)).count();
        let of = |count: usize| rounded(count as f64 / those.len() as f64);
        json!({"logs": those.len(), "step": of(steps), "agent": of(agents)})
    };
    json!({"algorithm_generated": share("Algorithm"), "hand_crafted": share("Hand"), "together": share("")})
}

fn agent(line: &Line, at: usize) -> bool {
    let by = match line.sketch.moves.get(at) {
        Some(Move::Said { by, .. } | Move::Thought { by, .. } | Move::Call { by, .. }) => by.as_ref(),
        Some(Move::Model { .. }) | None => None,
    };
    let blamed = line.value["mistake_agent"].as_str().unwrap_or_default();
    by.is_some_and(|by| by.as_str().eq_ignore_ascii_case(blamed))
}

/// The spans that people found something wrong with.
fn wrong(line: &Line) -> Vec<usize> {
    let errors = line.value["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
    let steps = line.value["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
    let blamed = |step: &Value| errors.iter().any(|error| error["location"] == step["span_id"]);
    steps.iter().enumerate().filter(|(_, step)| blamed(step)).map(|(at, _)| at).collect()
}

/// Every span with how many times likelier it is blamed than by chance.
fn judged(blame: &Blame, lines: &[Line]) -> Vec<Ranked> {
    let spans = lines.iter().flat_map(|line| {
        let wrong = wrong(line);
        let spans = line.sketch.moves.len() as f64;
        let scored = blame.decisive(&line.sketch).into_iter();
        scored.map(move |(at, share)| Ranked {
            group: line.sketch.trace.to_string(),
            score: share * spans,
            good: wrong.contains(&at),
        })
    });
    spans.collect()
}

/// From where on spans are best called wrong, on what was learnt from.
fn threshold(known: &[Ranked]) -> f64 {
    let tries = (0..200).map(|step| f64::from(step) / 40.0);
    tries.max_by(|a, b| f1(known, *a).total_cmp(&f1(known, *b))).unwrap_or(1.0)
}

fn f1(ranked: &[Ranked], least: f64) -> f64 {
    let called = ranked.iter().filter(|one| one.score >= least);
    let right = called.clone().filter(|one| one.good).count() as f64;
    let wrong = ranked.iter().filter(|one| one.good).count() as f64;
    2.0 * right / (called.count() as f64 + wrong)
}
