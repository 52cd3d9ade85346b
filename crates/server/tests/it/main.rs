//! HTTP as clients see it: a real socket, a real SQLite, no model but scripted ones.

mod a2a;
mod agents;
mod approvals;
mod document;
mod door;
mod fuzz;
mod idempotency;
mod keys;
mod library;
mod life;
mod limits;
mod matrix;
mod mcp;
mod openai;
mod otlp;
mod refusals;
mod requests;
mod sessions;
mod shutdown;
mod stages;
mod stream;
mod tools;
mod traces;
mod two_servers;
mod world;
