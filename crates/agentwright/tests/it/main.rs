//! The program as its users meet it.

mod config;
mod tidy;
