//! The seam to those who count and tell of what happens here. Nothing in a run depends on them.

use domain::event::Entry;
use domain::id::RunId;

/// Somebody who is told what goes on record and when runs come to rest. Neither may block.
pub trait Watch: Send + Sync {
    /// Entries of a run are about to be written by this process. Each is told once; those that are refused were told too.
    fn recorded(&self, run: RunId, entries: &[Entry]);

    /// A run that this process advanced has ended, or waits: everything about it is on record.
    fn rested(&self, run: RunId);
}
