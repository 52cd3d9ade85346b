//! Lets others in: HTTP, and streams of events.
//!
//! [`router`] has every URL there is, [`App`] is what they are answered with, and [`listen`] serves them on a socket with
//! the [`Limits`] that keep strangers from holding it. Who may come in is a matter of [`keys`].

mod access;
mod app;
mod approvals;
mod document;
mod error;
mod extract;
mod guard;
mod health;
mod idempotency;
mod impatient;
pub mod keys;
mod learning;
mod library;
mod listen;
mod metrics;
mod observe;
mod openapi;
mod otlp;
mod pathways;
mod plain;
mod requests;
mod router;
mod runs;
mod schema;
mod stages;
mod tail;
mod tools;
mod traces;
mod urls;

pub use access::{Area, Grant, Missing, Role};
pub use app::{App, Limits, Person};
pub use approvals::ApprovalPage;
pub use error::ApiError;
pub use idempotency::forget_old;
pub use listen::listen;
pub use metrics::Metrics;
pub use otlp::{otlp_batch, otlp_pieces, otlp_rejected};
pub use router::router;
