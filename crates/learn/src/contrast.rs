//! How much a mark changes the chance of success, where like is compared with like.
//!
//! Traces are compared within strata: kinds of agents and problems, and finer where there are enough. A stratum in which
//! all or none bear the mark, or in which all or none succeed, says nothing about chance and counts for none.

mod exact;
mod normal;

use crate::interval::NINETY_FIVE;

pub(crate) use normal::{chi_square_tail, two_sided, upper_tail};

/// How often traces of one stratum succeeded, with a mark and without.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Table {
    /// With the mark, succeeded.
    pub with_success: u64,
    /// With the mark, failed.
    pub with_failure: u64,
    /// Without it, succeeded.
    pub without_success: u64,
    /// Without it, failed.
    pub without_failure: u64,
}

/// What separates traces with a mark from those without it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// By how much the share of successes differs within strata, from −1 to 1: Mantel and Haenszel's risk difference.
    pub effect: f64,
    /// Where it lies, nineteen times in twenty.
    pub interval: (f64, f64),
    /// The end of the interval that is nearer to nothing; 0 where the interval covers it.
    pub confidence: f64,
    /// The chance of so much by accident, if the mark meant nothing: Cochran, Mantel and Haenszel's test, exact where the
    /// tables are small.
    pub p: f64,
    /// The estimate behind the interval, drawn towards nothing where there is little to go by.
    careful: f64,
    deviation: f64,
}

impl Contrast {
    /// How probable it is that the effect goes in this direction and is at least so large.
    pub fn surely(&self, least: f64) -> f64 {
        upper_tail((least - self.careful.abs()) / self.deviation)
    }
}

impl Table {
    fn with(&self) -> f64 {
        (self.with_success + self.with_failure) as f64
    }

    fn without(&self) -> f64 {
        (self.without_success + self.without_failure) as f64
    }

    fn succeeded(&self) -> f64 {
        (self.with_success + self.without_success) as f64
    }

    fn all(&self) -> f64 {
        self.with() + self.without()
    }

    /// Whether traces with the mark can be compared with traces without it.
    pub fn compares(&self) -> bool {
        self.with_success + self.with_failure > 0 && self.without_success + self.without_failure > 0
    }

    /// How many more successes there are with the mark than if it meant nothing, and how much that varies by chance.
    pub(crate) fn score(&self) -> (f64, f64) {
        let (with, all, succeeded) = (self.with(), self.all(), self.succeeded());
        if all < 2.0 {
            return (0.0, 0.0);
        }
        let surplus = self.with_success as f64 - with * succeeded / all;
        (surplus, with * self.without() * succeeded * (all - succeeded) / (all * all * (all - 1.0)))
    }
}

/// How many more successes there are than chance has it, in deviations; nothing where chance has no say.
pub(crate) fn deviations(tables: &[Table]) -> Option<f64> {
    let (surplus, variance) =
        tables.iter().map(Table::score).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    (variance > 1e-9).then(|| surplus / variance.sqrt())
}

/// The chance of so much by accident.
pub(crate) fn chance(tables: &[Table]) -> Option<f64> {
    let deviations = deviations(tables)?;
    // What is nowhere near being a discovery need not be known exactly.
    let exactly = if deviations.abs() < 1.5 { None } else { exact::chance(tables) };
    Some(exactly.unwrap_or_else(|| two_sided(deviations)))
}

/// Compares traces with a mark with those without it. Nothing where there is nothing to compare, or no chance at work.
pub fn contrast(tables: &[Table]) -> Option<Contrast> {
    let tables: Vec<Table> = tables.iter().copied().filter(Table::compares).collect();
    let p = chance(&tables)?;
    let weights: Vec<f64> = tables.iter().map(|table| table.with() * table.without() / table.all()).collect();
    let total: f64 = weights.iter().sum();
    let plain: Vec<[f64; 4]> =
        tables.iter().map(|t| [t.with_success as f64, t.with(), t.without_success as f64, t.without()]).collect();
    let (effect, _) = difference(&plain);
    // One success and one failure more on either side, shared among the strata (Agresti and Caffo): no variance is nothing.
    let more = plain.iter().zip(&weights).map(|([ys, y, ns, n], weight)| {
        let share = weight / total;
        [ys + share, y + 2.0 * share, ns + share, n + 2.0 * share]
    });
    let (careful, variance) = difference(&more.collect::<Vec<_>>());
    let deviation = variance.max(1e-12).sqrt();
    let low = (careful - NINETY_FIVE * deviation).min(effect).max(-1.0);
    let high = (careful + NINETY_FIVE * deviation).max(effect).min(1.0);
    let confidence = if low > 0.0 { low } else { (-high).max(0.0) };
    Some(Contrast { effect, interval: (low, high), confidence, p, careful, deviation })
}

/// The risk difference over strata of successes and cases with and without, and Sato's variance of it, which holds for
/// few large strata and for many small ones.
fn difference(strata: &[[f64; 4]]) -> (f64, f64) {
    let (mut sum, mut weights, mut slope, mut rest) = (0.0, 0.0, 0.0, 0.0);
    for [ys, y, ns, n] in strata {
        let all = y + n;
        sum += (ys * n - ns * y) / all;
        weights += y * n / all;
        slope += (y * y * ns - n * n * ys + y * n * (n - y) / 2.0) / (all * all);
        rest += (ys * (n - ns) + ns * (y - ys)) / (2.0 * all);
    }
    let effect = sum / weights;
    (effect, ((effect * slope + rest) / (weights * weights)).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(with: (u64, u64), without: (u64, u64)) -> Table {
        Table { with_success: with.0, with_failure: with.1, without_success: without.0, without_failure: without.1 }
    }

    #[test]
    fn a_difference_comes_with_its_interval() {
        let found = contrast(&[table((80, 20), (100, 100))]).expect("a contrast");
        assert!((found.effect - 0.3).abs() < 1e-9);
        assert!((found.interval.0 - 0.19).abs() < 0.01 && (found.interval.1 - 0.40).abs() < 0.01, "{found:?}");
        assert_eq!(found.confidence, found.interval.0);
        assert!(found.p < 1e-5 && found.surely(0.05) > 0.99);
    }

    #[test]
    fn other_base_rates_are_no_difference() {
        // Who is asked easy things succeeds more often, and uses the tool more often.
        let strata = [table((72, 8), (18, 2)), table((4, 16), (16, 64))];
        let found = contrast(&strata).expect("a contrast");
        assert!(found.effect.abs() < 1e-9 && found.p > 0.9 && found.confidence == 0.0, "{found:?}");
    }

    #[test]
    fn what_cannot_be_compared_is_no_contrast() {
        for tables in [
            vec![],
            vec![table((0, 0), (0, 0))],
            vec![table((1, 0), (0, 0))],
            vec![table((5, 5), (0, 0))],
            vec![table((0, 0), (5, 5))],
            vec![table((5, 0), (5, 0))],
            vec![table((0, 5), (0, 5))],
        ] {
            assert_eq!(contrast(&tables), None, "{tables:?}");
        }
    }

    #[test]
    fn a_few_traces_never_make_sure() {
        let found = contrast(&[table((3, 0), (0, 3))]).expect("a contrast");
        assert!((found.p - 0.1).abs() < 1e-9, "{found:?}");
        assert!(found.interval.0 < 0.4 && found.interval.1 == 1.0, "{found:?}");
    }
}
