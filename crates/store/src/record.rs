//! How calls of tools went, as counts by duration: buckets each a twentieth longer than the one before, so that a
//! percentile is right to within a tenth however many calls there were.

use std::collections::BTreeMap;

use domain::event::Route;
use domain::id::ToolName;
use domain::money::Usd;
use domain::plan::Strategy;
use domain::store::StoreError;
use domain::trace::{Pathway, ToolRecord};
use serde::Deserialize;

use crate::batch::Sent;
use crate::decode::{Columns, damaged, value, word};

/// How much longer calls in a bucket are than those in the one before.
const RATIO: f64 = 1.05;
/// The bucket of calls that nobody timed.
const UNTIMED: i64 = -1;

/// A call as it is counted. Those of one batch are sorted, so that two who count the same ones never wait for each other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) failed: bool,
    pub(crate) bucket: i64,
}

impl Call {
    /// The call that an intent was which was sent at one time and settled at another.
    pub(crate) fn of_write(intent: &str, sent: Sent, since: i64, at: i64) -> Result<Self, StoreError> {
        #[derive(Deserialize)]
        struct Called {
            tool: ToolName,
        }
        let Called { tool } = value(intent)?;
        let millis = u64::try_from(at.saturating_sub(since) / 1_000_000).unwrap_or(0);
        let (failed, bucket) = match sent {
            Sent::Went => (false, bucket(millis)),
            Sent::Failed => (true, bucket(millis)),
            Sent::InDoubt => (false, UNTIMED),
        };
        Ok(Self { tool: tool.as_str().to_owned(), failed, bucket })
    }
}

/// The bucket of a duration: 0 for none at all.
pub(crate) fn bucket(millis: u64) -> i64 {
    match millis {
        0 => 0,
        millis => ((millis as f64).ln() / RATIO.ln()) as i64 + 1,
    }
}

/// What calls in a bucket took, in milliseconds.
fn millis(bucket: i64) -> u64 {
    match bucket {
        ..=0 => 0,
        // In the middle of what falls into it.
        bucket => RATIO.powf(bucket as f64 - 0.5).round() as u64,
    }
}

/// Counts of calls, from tool, failed, bucket and calls: by tool, and within each by bucket.
pub(crate) fn counted(mut row: impl Columns) -> Result<(Call, u64), StoreError> {
    let call = Call { tool: row.text()?, failed: row.truth()?, bucket: row.integer()? };
    Ok((call, row.integer()? as u64))
}

/// The records that counts make, by tool.
pub(crate) fn records(counted: Vec<(Call, u64)>) -> Result<Vec<ToolRecord>, StoreError> {
    #[derive(Default)]
    struct Tally {
        calls: u64,
        failures: u64,
        buckets: BTreeMap<i64, u64>,
    }
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (call, calls) in counted {
        let tally = tallies.entry(call.tool).or_default();
        tally.calls += calls;
        tally.failures += if call.failed { calls } else { 0 };
        if call.bucket != UNTIMED {
            *tally.buckets.entry(call.bucket).or_default() += calls;
        }
    }
    let record = |(tool, tally): (String, Tally)| {
        Ok(ToolRecord {
            tool: ToolName::try_from(tool).map_err(damaged)?,
            calls: tally.calls,
            failures: tally.failures,
            p50_ms: percentile(&tally.buckets, 50),
            p95_ms: percentile(&tally.buckets, 95),
        })
    };
    tallies.into_iter().map(record).collect()
}

fn percentile(buckets: &BTreeMap<i64, u64>, percent: u64) -> u64 {
    let wanted = (buckets.values().sum::<u64>() * percent).div_ceil(100);
    let mut so_far = 0;
    let reached = buckets.iter().find(|(_, calls)| {
        so_far += **calls;
        so_far >= wanted
    });
    reached.map_or(0, |(bucket, _)| millis(*bucket))
}

/// How runs went, from route, strategy, runs, good ones, cost and milliseconds of work.
pub(crate) fn pathway(mut row: impl Columns) -> Result<Pathway, StoreError> {
    Ok(Pathway {
        route: word(row.text()?, Route::from_word)?,
        strategy: word(row.text()?, Strategy::from_word)?,
        runs: row.integer()? as u64,
        good: row.integer()? as u64,
        usd: Usd::micros(row.integer()? as u64).as_dollars(),
        seconds: row.integer()? as f64 / 1000.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_known_to_within_a_tenth() {
        for duration in (0..2_000).chain([12_345, 3_600_000, 86_400_000 * 365]) {
            let told = millis(bucket(duration));
            assert!((told.abs_diff(duration) as f64) <= duration as f64 * 0.1, "{duration}: {told}");
        }
        assert!(bucket(u64::MAX) < 1_000);
    }
}
