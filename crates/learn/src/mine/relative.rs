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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(agent: u32, seconds: Option<f64>) -> Row {
        let (marks, tools) = (Box::default(), Box::default());
        let (task, system, user, success) = (None, None, None, Some(true));
        Row { source: 0, agent, problem: 0, task, system, user, success, calls: 1, seconds, usd: None, marks, tools }
    }

    #[test]
    fn what_is_long_for_one_kind_is_short_for_another() {
        let rows: Vec<Row> = (0..80).map(|n| row(n % 2, Some(f64::from(n / 2) + 1_000.0 * f64::from(n % 2)))).collect();
        let found = relative(&rows.iter().collect::<Vec<_>>());
        let bearers = |name: &str| {
            let it =
                found.iter().find(|(mark, _)| matches!(mark, Mark::Trait { name: own, .. } if own.as_str() == name));
            it.map(|(_, rows)| rows.clone()).unwrap_or_default()
        };
        assert_eq!(bearers("slower_than_most"), (62..80).collect::<Vec<u32>>());
        assert_eq!(bearers("faster_than_most"), (0..20).collect::<Vec<u32>>());
        assert!(bearers("more_calls_than_most").is_empty(), "all have as many");
    }

    #[test]
    fn a_few_numbers_and_none_say_nothing_of_what_is_usual() {
        let rows: Vec<Row> = (0..60).map(|n| row(0, (n < 10).then_some(f64::from(n)))).collect();
        assert!(relative(&rows.iter().collect::<Vec<_>>()).iter().all(|(_, bearers)| bearers.is_empty()));
    }
}
