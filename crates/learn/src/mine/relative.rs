//! How long, how much and how often, beside traces of the same kind of agent and problem: what is much for one is little
//! for another.

use std::collections::HashMap;

use domain::pattern::{Family, Mark};
use domain::symbol::Symbol;

use super::row::Row;

/// With fewer numbers than this there is no telling what is usual.
const ENOUGH: usize = 20;

type Measure = (&'static str, &'static str, fn(&Row) -> Option<f64>);

const MEASURES: [Measure; 3] = [
    ("faster_than_most", "slower_than_most", |row| row.seconds),
    ("cheaper_than_most", "dearer_than_most", |row| row.usd),
    ("fewer_calls_than_most", "more_calls_than_most", |row| Some(f64::from(row.calls))),
];

/// Marks that rows bear because of the others: each with the rows that do. `Most` are three in four.
pub(super) fn relative(rows: &[&Row]) -> Vec<(Mark, Vec<u32>)> {
    let mut kinds: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        kinds.entry((row.agent, row.problem)).or_default().push(at as u32);
    }
    let mut found = Vec::new();
    for (less, more, measure) in MEASURES {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for kind in kinds.values() {
            let measured = kind.iter().filter_map(|at| Some((*at, measure(rows[*at as usize])?)));
            let measured: Vec<(u32, f64)> = measured.collect();
            let Some((first, third)) = quarters(measured.iter().map(|(_, value)| *value).collect()) else { continue };
            low.extend(measured.iter().filter(|(_, value)| *value < first).map(|(at, _)| *at));
            high.extend(measured.iter().filter(|(_, value)| *value > third).map(|(at, _)| *at));
        }
        for (name, mut bearers) in [(less, low), (more, high)] {
            bearers.sort_unstable();
            found.push((Mark::Trait { family: Family::Performance, name: Symbol::of(name), tool: None }, bearers));
        }
    }
    found
}

fn quarters(mut values: Vec<f64>) -> Option<(f64, f64)> {
    if values.len() < ENOUGH {
        return None;
    }
    values.sort_by(f64::total_cmp);
    Some((values[values.len() / 4], values[values.len() * 3 / 4]))
}
