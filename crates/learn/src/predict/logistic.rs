//! The weights under which outcomes are most likely, each held near nothing: one weight at a time, round after round.

/// How many rounds there are at most.
const ROUNDS: usize = 400;
/// When no weight moves farther than this in a round, they have come to rest.
const STILL: f64 = 1e-5;

/// Something that is so of some rows.
pub(super) struct Column<'a> {
    pub(super) rows: &'a [u32],
    /// How much it is there where it is so.
    pub(super) size: f64,
}

/// The weight of being there at all, and those of the columns.
///
/// Each step goes where a parabola that lies nowhere below the loss has its lowest point, so that no step makes
/// anything worse and the same rows always give the same weights.
pub(super) fn solve(columns: &[Column<'_>], outcomes: &[bool], caution: f64) -> (f64, Vec<f64>) {
    let good = outcomes.iter().filter(|good| **good).count() as f64;
    let all = outcomes.len() as f64;
    let mut base = ((good + 1.0) / (all - good + 1.0)).ln();
    let mut weights = vec![0.0; columns.len()];
    let mut leaning = vec![base; outcomes.len()];
    for _ in 0..ROUNDS {
        let off: f64 = outcomes.iter().zip(&leaning).map(|(good, leaning)| surplus(*leaning, *good)).sum();
        let step = -off / (all / 4.0 + 1.0);
        base += step;
        leaning.iter_mut().for_each(|leaning| *leaning += step);
        let mut farthest = step.abs();
        for (column, weight) in columns.iter().zip(&mut weights) {
            let rows = column.rows.iter().map(|row| *row as usize);
            let off: f64 = rows.clone().map(|row| surplus(leaning[row], outcomes[row])).sum();
            let bend = column.size * column.size * column.rows.len() as f64 / 4.0 + caution;
            let step = -(off * column.size + caution * *weight) / bend;
            *weight += step;
            rows.for_each(|row| leaning[row] += step * column.size);
            farthest = farthest.max(step.abs());
        }
        if farthest < STILL {
            break;
        }
    }
    (base, weights)
}

/// How much more likely than it turned out to be a success was taken.
fn surplus(leaning: f64, good: bool) -> f64 {
    1.0 / (1.0 + (-leaning).exp()) - f64::from(u8::from(good))
}
