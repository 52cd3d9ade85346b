//! HTTP as clients see it: a real socket, a real SQLite, no model but scripted ones.

mod approvals;
mod document;
mod fuzz;
mod idempotency;
mod keys;
mod library;
mod life;
mod limits;
mod refusals;
mod requests;
mod shutdown;
mod stages;
mod stream;
mod tools;
mod two_servers;
mod world;
