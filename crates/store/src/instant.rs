//! Moments as databases keep them: whole nanoseconds since 1970, which last until the year 2262.

use domain::store::StoreError;
use jiff::Timestamp;

/// The number that is stored. Moments beyond its range, which only wishes like "wait until the year 9999" have, are
/// taken to its end.
pub(crate) fn nanos(at: Timestamp) -> i64 {
    i64::try_from(at.as_nanosecond()).unwrap_or(if at.as_nanosecond() < 0 { i64::MIN } else { i64::MAX })
}

/// The moment that a stored number means.
pub(crate) fn moment(nanos: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_nanosecond(nanos.into())
        .map_err(|_| StoreError::Damaged { detail: format!("`{nanos}` is not a moment") })
}

/// The earlier of two moments, where there are any.
pub(crate) fn earlier(one: Option<i64>, other: Option<i64>) -> Option<i64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_survives_being_written_and_read() {
        let at: Timestamp = "2025-11-15T06:13:00.123456789Z".parse().expect("a moment");
        assert_eq!(moment(nanos(at)).expect("a moment"), at);
    }

    #[test]
    fn a_moment_too_far_away_is_as_far_away_as_possible() {
        assert_eq!((nanos(Timestamp::MAX), nanos(Timestamp::MIN)), (i64::MAX, i64::MIN));
    }

    #[test]
    fn no_moment_is_later_than_any() {
        assert_eq!((earlier(Some(1), Some(2)), earlier(None, Some(2)), earlier(None, None)), (Some(1), Some(2), None));
    }
}
