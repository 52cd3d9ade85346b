//! HTTP as clients see it: a real socket, a real SQLite, no model but scripted ones.

mod agents;
mod agui;
mod approvals;
mod clients;
mod document;
mod fuzz;
mod idempotency;
mod keys;
mod library;
mod life;
mod limits;
mod openai;
mod otlp;
mod refusals;
mod requests;
mod responses;
mod shutdown;
mod stages;
mod stream;
mod tools;
mod traces;
mod two_servers;
mod venv;
mod world;
