//! The program as its users meet it.

mod config;
mod docs;
mod errors;
mod examples;
mod help;
mod library;
mod print;
mod program;
mod progress;
mod routes;
mod runs;
mod serve;
mod setup;
mod talk;
mod tidy;
