//! The chance of what was counted, without leaning on large numbers.

use super::Table;

/// Above so many cases the normal distribution is as good.
const MOST: usize = 400;

/// The chance of so many or more extreme successes with the mark over all strata, if it meant nothing: twice the smaller
/// tail of the sum of hypergeometric variables. Nothing where that is too much to reckon.
pub(super) fn chance(tables: &[Table]) -> Option<f64> {
    let shares: Vec<(usize, Vec<f64>)> = tables.iter().map(hypergeometric).collect();
    if shares.iter().map(|(_, share)| share.len() - 1).sum::<usize>() > MOST {
        return None;
    }
    let least: usize = shares.iter().map(|(least, _)| least).sum();
    let seen: usize = tables.iter().map(|table| table.with_success as usize).sum();
    let sum = shares.iter().fold(vec![1.0], |sum, (_, share)| convolve(&sum, share));
    let at = seen.checked_sub(least).filter(|at| *at < sum.len())?;
    let below: f64 = sum[..=at].iter().sum();
    let above: f64 = sum[at..].iter().sum();
    Some((2.0 * below.min(above)).min(1.0))
}

/// The fewest successes that can fall to those with the mark, and the chances of that many, one more, and so on.
fn hypergeometric(table: &Table) -> (usize, Vec<f64>) {
    let (with, without) = (table.with_success + table.with_failure, table.without_success + table.without_failure);
    let succeeded = table.with_success + table.without_success;
    let (least, most) = (succeeded.saturating_sub(without), succeeded.min(with));
    // From the most probable number outwards, so that nothing overflows.
    let middle = ((succeeded + 1) * (with + 1) / (with + without + 2)).clamp(least, most);
    let ratio = |k: u64| ((with - k) * (succeeded - k)) as f64 / ((k + 1) * (without + k + 1 - succeeded)) as f64;
    let mut share = vec![0.0; (most - least + 1) as usize];
    share[(middle - least) as usize] = 1.0;
    for k in middle..most {
        share[(k + 1 - least) as usize] = share[(k - least) as usize] * ratio(k);
    }
    for k in (least..middle).rev() {
        share[(k - least) as usize] = share[(k + 1 - least) as usize] / ratio(k);
    }
    let total: f64 = share.iter().sum();
    share.iter_mut().for_each(|one| *one /= total);
    (least as usize, share)
}

fn convolve(left: &[f64], right: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; left.len() + right.len() - 1];
    for (i, a) in left.iter().enumerate() {
        for (cell, b) in sum[i..].iter_mut().zip(right) {
            *cell += a * b;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_table_has_the_chance_of_fisher() {
        let tea = Table { with_success: 4, with_failure: 0, without_success: 0, without_failure: 4 };
        assert!((chance(&[tea]).expect("a chance") - 2.0 / 70.0).abs() < 1e-12);
        let two = chance(&[tea, tea]).expect("a chance");
        assert!((two - 2.0 / 4_900.0).abs() < 1e-12, "{two}");
    }

    #[test]
    fn large_tables_are_left_to_the_normal_distribution() {
        let large = Table { with_success: 9_000, with_failure: 9_000, without_success: 9_000, without_failure: 9_000 };
        assert_eq!(chance(&[large]), None);
    }
}
