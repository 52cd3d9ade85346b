//! Numbers that stay exact: a tenth is a tenth, and a third of nine is three.

use serde_json::Value;

/// Beyond this a number is not one that a person meant.
const MOST: i128 = 1_000_000_000_000_000_000_000_000_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ratio {
    num: i128,
    den: i128,
}

impl Ratio {
    pub(crate) const ZERO: Self = Self::whole(0);
    pub(crate) const HALF: Self = Self { num: 1, den: 2 };

    pub(crate) const fn whole(num: i64) -> Self {
        Self { num: num as i128, den: 1 }
    }

    /// Nothing when it cannot be: a zero below the line, or more digits than are kept.
    pub(crate) fn new(num: i128, den: i128) -> Option<Self> {
        if den == 0 {
            return None;
        }
        let divisor = gcd(num.unsigned_abs(), den.unsigned_abs());
        let divisor = i128::try_from(divisor).ok().filter(|divisor| *divisor > 0)?;
        let sign = den.signum();
        let (num, den) = (num.checked_div(divisor)?.checked_mul(sign)?, den.checked_div(divisor)?.checked_mul(sign)?);
        (num.abs() < MOST && den < MOST).then_some(Self { num, den })
    }

    /// Reads `12`, `1.05`.
    pub(crate) fn literal(text: &str) -> Option<Self> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        if whole.len() + decimals.len() > 28 {
            return None;
        }
        let num: i128 = format!("{whole}{decimals}").parse().ok()?;
        Self::new(num, 10_i128.checked_pow(u32::try_from(decimals.len()).ok()?)?)
    }

    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let left = self.num.checked_mul(other.den)?;
        let right = other.num.checked_mul(self.den)?;
        Self::new(left.checked_add(right)?, self.den.checked_mul(other.den)?)
    }

    pub(crate) fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negative())
    }

    pub(crate) fn times(self, other: Self) -> Option<Self> {
        Self::new(self.num.checked_mul(other.num)?, self.den.checked_mul(other.den)?)
    }

    pub(crate) fn over(self, other: Self) -> Option<Self> {
        Self::new(self.num.checked_mul(other.den)?, self.den.checked_mul(other.num)?)
    }

    pub(crate) fn power(self, exponent: u32) -> Option<Self> {
        Self::new(self.num.checked_pow(exponent)?, self.den.checked_pow(exponent)?)
    }

    /// The root, where it is exact.
    pub(crate) fn root(self) -> Option<Self> {
        let exact = |square: i128| {
            let root = square.checked_isqrt()?;
            (root * root == square).then_some(root)
        };
        Self::new(exact(self.num)?, exact(self.den)?)
    }

    pub(crate) fn negative(self) -> Self {
        Self { num: -self.num, den: self.den }
    }

    pub(crate) fn is_negative(self) -> bool {
        self.num < 0
    }

    /// The number, where it is whole and not huge.
    pub(crate) fn integer(self) -> Option<i64> {
        (self.den == 1).then(|| i64::try_from(self.num).ok()).flatten()
    }

    /// The number without what stands behind the point.
    pub(crate) fn truncated(self) -> Self {
        Self { num: self.num / self.den, den: 1 }
    }

    pub(crate) fn float(self) -> f64 {
        self.num as f64 / self.den as f64
    }

    pub(crate) fn json(self) -> Value {
        match self.integer() {
            Some(whole) => Value::from(whole),
            None => Value::from(self.float()),
        }
    }

    /// In digits, and whether they are the whole number.
    pub(crate) fn digits(self, places: u32) -> (String, bool) {
        let scale = 10_i128.pow(places);
        let (whole, rest) =
            (self.num.unsigned_abs() / self.den.unsigned_abs(), self.num.unsigned_abs() % self.den.unsigned_abs());
        let Some(scaled) = rest.checked_mul(scale.unsigned_abs()) else { return (self.float().to_string(), false) };
        let den = self.den.unsigned_abs();
        let exact = scaled % den == 0;
        let mut behind = (scaled + den / 2) / den;
        let whole = if behind == scale.unsigned_abs() {
            behind = 0;
            whole + 1
        } else {
            whole
        };
        let sign = if self.num < 0 && (whole > 0 || behind > 0) { "-" } else { "" };
        if behind == 0 {
            return (format!("{sign}{whole}"), exact);
        }
        let behind = format!("{behind:0width$}", width = places as usize);
        (format!("{sign}{whole}.{}", behind.trim_end_matches('0')), exact)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
