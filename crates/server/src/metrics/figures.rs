//! Numbers that many count at once: atomics, and families of them with a bound.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// How many members a family has at most; what comes later is counted under one name.
const MOST: usize = 300;

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The upper ends of the buckets for durations, in seconds.
pub(crate) const BOUNDS: [f64; 14] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0, 600.0];

/// How long things took.
#[derive(Debug, Default)]
pub(crate) struct Durations {
    buckets: [AtomicU64; BOUNDS.len()],
    beyond: AtomicU64,
    micros: AtomicU64,
}

impl Durations {
    pub(crate) fn add(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        let bucket = BOUNDS.iter().position(|bound| seconds <= *bound);
        bucket.map_or(&self.beyond, |at| &self.buckets[at]).fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// How many took at most as long as each bound, how many there are in all, and how long they took together.
    pub(crate) fn get(&self) -> ([u64; BOUNDS.len()], u64, f64) {
        let mut sum = 0;
        let cumulative = std::array::from_fn(|at| {
            sum += self.buckets[at].load(Ordering::Relaxed);
            sum
        });
        let all = sum + self.beyond.load(Ordering::Relaxed);
        (cumulative, all, self.micros.load(Ordering::Relaxed) as f64 / 1e6)
    }
}

/// Figures of one kind, told apart by a label each.
#[derive(Debug)]
pub(crate) struct Family<K, F>(RwLock<HashMap<K, Arc<F>>>);

impl<K, F> Default for Family<K, F> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<K: Hash + Eq + Clone + Ord, F: Default> Family<K, F> {
    /// The figure with a label; `beyond` where there are too many.
    pub(crate) fn of<Q>(&self, label: &Q, beyond: impl FnOnce() -> K) -> Arc<F>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        if let Some(figure) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(label) {
            return Arc::clone(figure);
        }
        let mut family = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let label = if family.len() < MOST { label.to_owned() } else { beyond() };
        Arc::clone(family.entry(label).or_default())
    }

    /// All of them, in order.
    pub(crate) fn all(&self) -> Vec<(K, Arc<F>)> {
        let family = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = family.iter().map(|(label, figure)| (label.clone(), Arc::clone(figure))).collect();
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_a_time_is_in_every_bucket_that_is_longer() {
        let durations = Durations::default();
        for millis in [1, 3, 3, 700_000] {
            durations.add(Duration::from_millis(millis));
        }
        let (buckets, all, seconds) = durations.get();
        assert_eq!((buckets[0], buckets[2], buckets[13], all), (1, 3, 3, 4));
        assert!((seconds - 700.007).abs() < 1e-9, "{seconds}");
    }

    #[test]
    fn a_family_has_a_bound() {
        let family: Family<String, Counter> = Family::default();
        for number in 0..2 * MOST {
            family.of(number.to_string().as_str(), || "other".to_owned()).add(1);
        }
        let all = family.all();
        assert_eq!(all.len(), MOST + 1);
        let other = all.iter().find(|(label, _)| label == "other").expect("the others");
        assert_eq!(other.1.get(), MOST as u64);
    }
}
