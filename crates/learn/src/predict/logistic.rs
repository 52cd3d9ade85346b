//! The weights under which outcomes are most likely, each held near nothing: one weight at a time, round after round.

/// How many rounds there are at most.
const ROUNDS: usize = 400;
/// When no weight moves farther than this in a round, they have come to rest.
const STILL: f64 = 1e-5;

/// Something that turned out one way or the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) good: bool,
    /// How much it counts.
    pub(super) counts: f64,
    /// Whether it is a trace, with a chance of its own, and not a pair that is compared.
    pub(super) alone: bool,
}

/// The rows of which something is so, and how much.
pub(super) type Column = Vec<(u32, f64)>;

/// The weight of being a trace at all, and those of the columns.
///
/// Each step goes where a parabola that lies nowhere below the loss has its lowest point, so that no step makes
/// anything worse and the same rows always give the same weights.
pub(super) fn solve(columns: &[Column], rows: &[Row], caution: f64) -> (f64, Vec<f64>) {
    let traces: Vec<usize> = (0..rows.len()).filter(|row| rows[*row].alone).collect();
    let good = traces.iter().filter(|row| rows[**row].good).count() as f64;
    let all = traces.len() as f64;
    let mut base = ((good + 1.0) / (all - good + 1.0)).ln();
    let mut weights = vec![0.0; columns.len()];
    let mut leaning: Vec<f64> = rows.iter().map(|row| if row.alone { base } else { 0.0 }).collect();
    for _ in 0..ROUNDS {
        let off: f64 = traces.iter().map(|row| surplus(leaning[*row], rows[*row])).sum();
        let step = -off / (all / 4.0 + 1.0);
        base += step;
        traces.iter().for_each(|row| leaning[*row] += step);
        let mut farthest = step.abs();
        for (column, weight) in columns.iter().zip(&mut weights) {
            let (mut off, mut bend) = (caution * *weight, caution);
            for (row, much) in column {
                let (row, leaning) = (rows[*row as usize], leaning[*row as usize]);
                off += much * surplus(leaning, row);
                bend += much * much * row.counts / 4.0;
            }
            let step = -off / bend;
            *weight += step;
            column.iter().for_each(|(row, much)| leaning[*row as usize] += step * much);
            farthest = farthest.max(step.abs());
        }
        if farthest < STILL {
            break;
        }
    }
    (base, weights)
}

/// How much more likely than it turned out to be a success was taken.
fn surplus(leaning: f64, row: Row) -> f64 {
    row.counts * (1.0 / (1.0 + (-leaning).exp()) - f64::from(u8::from(row.good)))
}
