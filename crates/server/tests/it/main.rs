//! HTTP as clients see it: a real socket, a real SQLite, no model but scripted ones.

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
mod two_servers;
mod world;
