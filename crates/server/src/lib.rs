//! Lets others in: HTTP, and streams of events.
//!
//! [`router`] has every URL there is, [`App`] is what they are answered with, and [`listen`] serves them on a socket with
//! the [`Limits`] that keep strangers from holding it. Who may come in is a matter of [`keys`] and [`people`].

mod a2a;
mod access;
mod agui;
mod app;
mod approvals;
mod audit;
mod caller;
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
mod limit;
mod listen;
mod mcp;
mod memories;
mod metrics;
mod observe;
mod openai;
mod openapi;
mod otlp;
mod overview;
mod password;
pub mod people;
mod plain;
mod requests;
mod router;
mod routes;
mod runs;
mod schema;
mod secret;
mod session;
mod settings;
mod site;
mod stages;
mod tail;
mod talk;
mod tls;
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
pub use metrics::Metrics;
pub use otlp::{otlp_batch, otlp_pieces, otlp_rejected};
pub use router::{declared, router};
pub use site::Site;
pub use tls::{TlsError, tls};
pub use urls::Declared;
