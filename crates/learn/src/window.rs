//! Which finished runs still count: the newest ones that have what is asked for.

use domain::forecast::Hindsight;

/// How many finished runs are looked at; older ones speak of a program that has changed since.
pub const WINDOW: usize = 1_000;

/// What the newest runs have to say, newest first, whatever order they come in.
pub(crate) fn newest<'a, T>(history: &'a [Hindsight], says: impl Fn(&'a Hindsight) -> Option<T>) -> Vec<T> {
    let mut found: Vec<_> = history.iter().filter_map(|run| says(run).map(|said| ((run.at, run.run), said))).collect();
    found.sort_by(|(a, _), (b, _)| b.cmp(a));
    found.truncate(WINDOW);
    found.into_iter().map(|(_, said)| said).collect()
}

/// What a run reported under a name, and whether it succeeded.
pub(crate) fn reports(history: &[Hindsight], name: &str) -> Vec<(f64, bool)> {
    newest(history, |run| run.reported.get(name).map(|score| (score.get(), run.succeeded)))
}
