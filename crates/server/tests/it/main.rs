//! HTTP as clients see it: a real socket, a real SQLite, no model but scripted ones.

mod agents;
mod approvals;
mod document;
mod fuzz;
mod idempotency;
mod keys;
mod library;
mod life;
mod limits;
mod otlp;
mod python;
mod refusals;
mod requests;
mod shutdown;
mod stages;
mod stream;
mod telemetry;
mod tools;
mod traces;
mod two_servers;
mod world;
