//! The program as its users meet it.

mod access;
mod approvals;
mod backup;
mod clients;
mod config;
mod docs;
mod errors;
mod eval;
mod examples;
mod help;
mod library;
mod mcp;
#[path = "../../../tools/tests/it/mcp_servers.rs"]
mod mcp_servers;
mod print;
mod program;
mod progress;
mod reference;
mod routes;
mod runs;
mod serve;
mod setup;
mod talk;
mod telemetry;
mod tidy;
mod traces;
#[path = "../../../server/tests/it/venv.rs"]
mod venv;
