//! Reads what `strace` wrote: who wrote to the ledger's log, who flushed it, and when it was acknowledged.

use std::collections::HashMap;

/// What a trace shows.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines of acknowledgement.
    pub acknowledged: usize,
    /// Flushes of the log that ended well.
    pub flushes: usize,
    /// Writes to the log.
    pub writes: usize,
    /// Acknowledgements of nothing that was written since the one before.
    pub without_write: usize,
    /// Acknowledgements before what they acknowledge was flushed.
    pub without_flush: usize,
}

/// Counts. Every line is `PID call(FD<path>, …) = result`; a call that others interrupt has two lines.
pub fn count(trace: &str) -> Counts {
    let mut counts = Counts::default();
    // How many writes there were when a flush that is under way began: later ones are not sure to be in it.
    let mut flushing: HashMap<&str, usize> = HashMap::new();
    let (mut flushed, mut acknowledged_writes) = (0, 0);
    for line in trace.lines() {
        let Some((process, call)) = line.trim_start().split_once(' ') else { continue };
        let call = call.trim_start();
        let is_flush = ["fdatasync(", "fsync("].iter().any(|name| call.starts_with(name));
        let is_log = call.contains("-wal>");
        if is_log && call.starts_with("pwrite") {
            counts.writes += 1;
        } else if is_log && is_flush && call.contains("<unfinished") {
            flushing.insert(process, counts.writes);
        } else if is_log && is_flush && call.ends_with("= 0") {
            counts.flushes += 1;
            flushed = counts.writes;
        } else if call.starts_with("<... fdatasync resumed") || call.starts_with("<... fsync resumed") {
            if let Some(writes) = flushing.remove(process).filter(|_| call.ends_with("= 0")) {
                counts.flushes += 1;
                flushed = flushed.max(writes);
            }
        } else if call.starts_with("write(1<") && call.contains("\"acknowledged ") {
            counts.acknowledged += 1;
            counts.without_write += usize::from(counts.writes == acknowledged_writes);
            counts.without_flush += usize::from(flushed < counts.writes);
            acknowledged_writes = counts.writes;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITE: &str = "11 pwrite64(9</d/ledger.db-wal>, \"7\"..., 24, 0) = 24\n";
    const FLUSH: &str = "11 fdatasync(9</d/ledger.db-wal>) = 0\n";
    const SAID: &str = "10 write(1</dev/null>, \"acknowledged 1\\n\", 15) = 15\n";

    fn counted(trace: &str) -> (usize, usize, usize) {
        let counts = count(trace);
        (counts.acknowledged, counts.without_write, counts.without_flush)
    }

    #[test]
    fn an_acknowledgement_after_its_flush_is_fine() {
        assert_eq!(counted(&format!("{WRITE}{WRITE}{FLUSH}{SAID}{WRITE}{FLUSH}{SAID}")), (2, 0, 0));
    }

    #[test]
    fn an_acknowledgement_without_a_flush_is_seen() {
        assert_eq!(counted(&format!("{WRITE}{SAID}{FLUSH}")), (1, 0, 1));
        assert_eq!(counted(&format!("{WRITE}{FLUSH}{WRITE}{SAID}")), (1, 0, 1));
        assert_eq!(counted(&format!("{WRITE}{FLUSH}{SAID}{SAID}")), (2, 1, 0));
    }

    #[test]
    fn a_flush_counts_when_it_has_ended_and_for_what_was_written_before_it_began() {
        let begun = "11 fdatasync(9</d/ledger.db-wal> <unfinished ...>\n";
        let ended = "11 <... fdatasync resumed>)           = 0\n";
        assert_eq!(counted(&format!("{WRITE}{begun}{ended}{SAID}")), (1, 0, 0));
        assert_eq!(counted(&format!("{WRITE}{begun}{SAID}{ended}")), (1, 0, 1));
        assert_eq!(counted(&format!("{WRITE}{begun}{WRITE}{ended}{SAID}")), (1, 0, 1));
        assert_eq!(
            counted(&format!("{WRITE}11 fdatasync(9</d/ledger.db-wal>) = -1 EIO (Input/output error)\n{SAID}")),
            (1, 0, 1)
        );
        assert_eq!(counted(&format!("{WRITE}11 fdatasync(8</d/ledger.db>) = 0\n{SAID}")), (1, 0, 1));
    }
}
