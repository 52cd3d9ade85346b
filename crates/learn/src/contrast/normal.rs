//! Tails of the normal distribution and of what is made of it, without a library: accurate to some twelve digits.

use std::f64::consts::{PI, SQRT_2};

/// The chance that a normal variable lies above so many deviations.
pub(crate) fn upper_tail(deviations: f64) -> f64 {
    if deviations.is_nan() {
        return 0.5;
    }
    let far = deviations.abs();
    let tail = if far < 3.0 { 0.5 - middle(far) } else { beyond(far) };
    if deviations < 0.0 { 1.0 - tail } else { tail }
}

/// The chance that it lies as far out as this, on either side.
pub(crate) fn two_sided(deviations: f64) -> f64 {
    (2.0 * upper_tail(deviations.abs())).min(1.0)
}

/// The chance that the squares of so many normal variables sum to more than this (Wilson and Hilferty's cube root).
pub(crate) fn chi_square_tail(sum: f64, freedom: usize) -> f64 {
    match freedom {
        0 => 1.0,
        1 => two_sided(sum.max(0.0).sqrt()),
        _ => {
            let spread = 2.0 / (9.0 * freedom as f64);
            upper_tail(((sum.max(0.0) / freedom as f64).cbrt() - (1.0 - spread)) / spread.sqrt())
        }
    }
}

/// The share between the middle and here, by its power series.
fn middle(deviations: f64) -> f64 {
    let x = deviations / SQRT_2;
    let (mut term, mut sum, mut n) = (x, x, 0.0);
    while term.abs() > 1e-17 && n < 200.0 {
        n += 1.0;
        term *= -x * x / n;
        sum += term / (2.0 * n + 1.0);
    }
    sum / PI.sqrt()
}

/// The share beyond here, by its continued fraction.
fn beyond(deviations: f64) -> f64 {
    let fraction = (1..=60).rev().fold(deviations, |below, k| deviations + f64::from(k) / below);
    (-deviations * deviations / 2.0).exp() / (2.0 * PI).sqrt() / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_the_tables() {
        for (deviations, tail) in [(0.0, 1.0), (1.0, 0.317_310_507_9), (1.959_963_985, 0.05), (4.0, 6.334_248_367e-5)] {
            assert!((two_sided(deviations) / tail - 1.0).abs() < 1e-8, "{deviations}: {}", two_sided(deviations));
        }
        assert!((upper_tail(2.999_999) / upper_tail(3.000_001) - 1.0).abs() < 1e-4);
        assert!(two_sided(50.0) < 1e-300 && two_sided(f64::INFINITY) == 0.0);
        assert!((chi_square_tail(11.07, 5) - 0.05).abs() < 0.002);
    }
}
