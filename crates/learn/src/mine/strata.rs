//! Which traces are alike enough to be compared.

use std::collections::HashMap;

use super::row::Row;

/// So many traces with an outcome make a stratum of their own.
const ENOUGH: u32 = 8;

/// What traces of one stratum share. Ordered so that strata of one kind of agent and problem stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Stratum {
    /// The kind of agent.
    pub(super) agent: u32,
    /// The kind of problem.
    pub(super) problem: u32,
    task: Option<u32>,
    system: Option<u32>,
}

impl Stratum {
    /// From the finest to the coarsest: the very task on the very system, the task, the system, the kind of agent and
    /// problem.
    fn of(row: &Row, places: &[u32]) -> [Stratum; 4] {
        let place = |name: u32| places[name as usize];
        let (agent, problem) = (place(row.agent), place(row.problem));
        let (task, system) = (row.task.map(place), row.system.map(place));
        let of = |task, system| Stratum { agent, problem, task, system };
        [of(task, system), of(task, None), of(None, system), of(None, None)]
    }
}

/// The strata, sorted, and for each row the one it is in: the finest that has enough traces, whatever their outcomes. Tasks
/// differ in how hard they are and systems in how good, and both in which tools they use. Names stand in the given places.
pub(super) fn strata(rows: &[&Row], places: &[u32]) -> (Vec<Stratum>, Vec<u32>) {
    let mut sizes: HashMap<Stratum, u32> = HashMap::new();
    for row in rows {
        let mut counted: Option<Stratum> = None;
        for stratum in Stratum::of(row, places) {
            // Without a task or a system several of them are the same.
            if counted != Some(stratum) {
                *sizes.entry(stratum).or_default() += 1;
            }
            counted = Some(stratum);
        }
    }
    let chosen: Vec<Stratum> = rows
        .iter()
        .map(|row| {
            let [finest @ .., coarsest] = Stratum::of(row, places);
            finest.into_iter().find(|stratum| sizes[stratum] >= ENOUGH).unwrap_or(coarsest)
        })
        .collect();
    let mut sorted = chosen.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let places: HashMap<Stratum, u32> = sorted.iter().enumerate().map(|(at, stratum)| (*stratum, at as u32)).collect();
    let of_rows = chosen.iter().map(|stratum| places[stratum]).collect();
    (sorted, of_rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(task: Option<u32>, system: Option<u32>) -> Row {
        let (marks, tools, success) = (Box::default(), Box::default(), Some(true));
        let (seconds, usd, user) = (None, None, None);
        Row { source: 0, agent: 0, problem: 0, task, system, user, success, calls: 0, seconds, usd, marks, tools }
    }

    #[test]
    fn traces_are_as_alike_as_there_are_enough_of_them() {
        let mut rows = vec![row(Some(1), Some(5)); 8];
        rows.extend(vec![row(Some(2), Some(5)); 4]);
        rows.extend(vec![row(Some(2), Some(6)); 4]);
        rows.extend(vec![row(None, Some(7)); 8]);
        rows.extend(vec![row(Some(3), None); 2]);
        let (strata, of_rows) = strata(&rows.iter().collect::<Vec<_>>(), &[0, 1, 2, 3, 4, 5, 6, 7]);
        let of = |at: usize| (strata[of_rows[at] as usize].task, strata[of_rows[at] as usize].system);
        assert_eq!((of(0), of(8), of(12)), ((Some(1), Some(5)), (Some(2), None), (Some(2), None)));
        assert_eq!((of(16), of(24)), ((None, Some(7)), (None, None)));
    }
}
