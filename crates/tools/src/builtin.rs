//! The tools that are always there, one file each. A write returns once its effect is durable or acknowledged: what
//! was not confirmed is an error.

mod audit_note;
mod conversation_correct;
mod conversation_say;
mod error_report;
mod journal;
mod memory_forget;
mod memory_recall;
mod memory_remember;
mod notification_send;
mod time_now;
mod workflow_start;

use std::path::PathBuf;
use std::sync::Arc;

use domain::store::Store;
use domain::tool::Tool;
use jiff::tz::TimeZone;

pub use notification_send::{Desktop, Dialect, Notify};
pub use workflow_start::{Begin, Starter};

use crate::declare::{fields, from_store, list, local_write, parse, returning, spec};

/// What the built-in tools work with.
pub struct Builtins {
    /// Where notifications go.
    pub notify: Notify,
    /// The file that audit notes are appended to.
    pub audit: PathBuf,
    /// The file that error reports are appended to.
    pub errors: PathBuf,
    /// Where memories are kept.
    pub store: Arc<dyn Store>,
    /// Who starts runs.
    pub starter: Arc<dyn Starter>,
    /// The zone in which the time is told unless another is asked for.
    pub zone: TimeZone,
}

/// The built-in tools.
pub fn builtin(with: Builtins) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(audit_note::AuditNote::new(with.audit)),
        Arc::new(conversation_correct::Correct::new(Arc::clone(&with.store))),
        Arc::new(conversation_say::Say::new()),
        Arc::new(error_report::ErrorReport::new(with.errors)),
        Arc::new(memory_forget::Forget::new(Arc::clone(&with.store))),
        Arc::new(memory_recall::Recall::new(Arc::clone(&with.store))),
        Arc::new(memory_remember::Remember::new(with.store)),
        Arc::new(notification_send::Send::new(with.notify)),
        Arc::new(time_now::Now::new(with.zone)),
        Arc::new(workflow_start::Start::new(with.starter)),
    ]
}
