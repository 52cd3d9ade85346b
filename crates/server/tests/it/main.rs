//! HTTP as clients see it: a real socket, a real SQLite, no model but scripted ones.

mod document;
mod idempotency;
mod keys;
mod life;
mod limits;
mod refusals;
mod shutdown;
mod stream;
mod two_servers;
mod world;
