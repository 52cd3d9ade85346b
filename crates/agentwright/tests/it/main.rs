//! The program as its users meet it.

mod access;
mod approvals;
mod clients;
mod backup;
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
#[path = "../../../server/tests/it/python.rs"]
mod python;
mod routes;
mod runs;
mod serve;
mod setup;
mod talk;
mod telemetry;
mod tidy;
mod traces;
