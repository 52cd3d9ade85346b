//! Lets others in: HTTP, and streams of events.
//!
//! [`router`] has every URL there is, [`App`] is what they are answered with, and [`listen`] serves them on a socket with
//! the [`Limits`] that keep strangers from holding it. Who may come in is a matter of [`keys`].

mod a2a;
mod access;
mod app;
mod approvals;
mod dashboard;
mod document;
mod error;
mod extract;
mod guard;
mod health;
mod idempotency;
mod impatient;
mod intents;
pub mod keys;
mod learning;
mod library;
mod listen;
mod mcp;
mod memories;
mod openapi;
mod otlp;
mod overview;
mod plain;
mod requests;
mod router;
mod routes;
mod runs;
mod schema;
mod settings;
mod stages;
mod tail;
mod tools;
mod traces;
mod urls;

pub use access::{Area, Grant, Missing, Role};
pub use app::{About, App, Limits, Person, Setting};
pub use approvals::ApprovalPage;
pub use dashboard::is_built as dashboard_is_built;
pub use error::ApiError;
pub use idempotency::forget_old;
pub use listen::listen;
pub use mcp::serve_mcp;
pub use otlp::otlp_pieces;
pub use router::router;
