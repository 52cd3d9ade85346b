//! How often somebody may do something: buckets that fill again with time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::error::ApiError;

/// How many buckets there are at most. When there is no room for another, newcomers share one.
const MOST: usize = 10_000;
const SHARED: &str = "others";
/// What counting in fractions loses.
const SLIVER: f64 = 1e-6;

/// As many buckets as there are people who come: each holds what one may do in a minute.
#[derive(Debug)]
pub(crate) struct Buckets {
    per_minute: u32,
    left: Mutex<HashMap<String, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    since: Instant,
}

impl Buckets {
    /// Buckets that hold so much; 0 for as much as anybody wants.
    pub(crate) fn new(per_minute: u32) -> Self {
        Self { per_minute, left: Mutex::default() }
    }

    /// Takes one out of somebody's bucket, if there is one in it.
    pub(crate) fn take(&self, whose: &str) -> Result<(), ApiError> {
        match self.per_minute {
            0 => Ok(()),
            _ => self.take_at(whose, Instant::now()).map_err(|retry_after| ApiError::TooMany { retry_after }),
        }
    }

    /// Puts one back that turned out not to count.
    pub(crate) fn put_back(&self, whose: &str) {
        let mut buckets = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = buckets.get_mut(whose) {
            bucket.left = (bucket.left + 1.0).min(f64::from(self.per_minute));
        }
    }

    /// The same at a moment, or when to come back, in seconds.
    fn take_at(&self, whose: &str, now: Instant) -> Result<(), u64> {
        let (most, per_second) = (f64::from(self.per_minute), f64::from(self.per_minute) / 60.0);
        let filled = |bucket: &Bucket| {
            let seconds = now.saturating_duration_since(bucket.since).as_secs_f64();
            (bucket.left + seconds * per_second).min(most)
        };
        let mut buckets = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST && !buckets.contains_key(whose) {
            // A full bucket is as good as none.
            buckets.retain(|_, bucket| filled(bucket) < most);
        }
        let room = buckets.len() < MOST || buckets.contains_key(whose);
        let whose = if room { whose } else { SHARED };
        let bucket = buckets.entry(whose.to_owned()).or_insert(Bucket { left: most, since: now });
        *bucket = Bucket { left: filled(bucket), since: now };
        if bucket.left < 1.0 - SLIVER {
            return Err(((1.0 - bucket.left - SLIVER) / per_second).ceil().max(1.0) as u64);
        }
        bucket.left = (bucket.left - 1.0).max(0.0);
        Ok(())
    }
}

/// Whose bucket it is where only an address is known. Whoever has one address of IPv6 has all that begin like it.
pub(crate) fn address(from: Option<IpAddr>) -> String {
    match from {
        Some(IpAddr::V6(address)) => match address.to_ipv4_mapped() {
            Some(address) => address.to_string(),
            None => format!("{:x?}", &address.segments()[..4]),
        },
        Some(address) => address.to_string(),
        None => "nowhere".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_is_emptied_and_fills_again() {
        let (buckets, now) = (Buckets::new(10), Instant::now());
        for _ in 0..10 {
            assert_eq!(buckets.take_at("a", now), Ok(()));
        }
        assert_eq!(buckets.take_at("a", now), Err(6));
        assert_eq!(buckets.take_at("b", now), Ok(()), "each has their own");
        assert_eq!(buckets.take_at("a", now + Duration::from_secs(5)), Err(1));
        assert_eq!(buckets.take_at("a", now + Duration::from_secs(6)), Ok(()));
        buckets.put_back("a");
        assert_eq!(buckets.take_at("a", now + Duration::from_secs(6)), Ok(()));
    }

    #[test]
    fn there_are_only_so_many_buckets() {
        let (buckets, now) = (Buckets::new(2), Instant::now());
        for n in 0..MOST + 50 {
            let _ = buckets.take_at(&n.to_string(), now);
        }
        assert_eq!(buckets.left.lock().expect("no panic").len(), MOST + 1);
        assert!(buckets.take_at("newcomer", now).is_err(), "newcomers share one bucket");
        assert_eq!(buckets.take_at("newcomer", now + Duration::from_secs(60)), Ok(()));
        assert!(buckets.left.lock().expect("no panic").len() < 10, "full buckets are thrown away");
    }

    #[test]
    fn neighbours_in_one_network_share_a_bucket() {
        let of = |text: &str| address(Some(text.parse().expect("an address")));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }
}
