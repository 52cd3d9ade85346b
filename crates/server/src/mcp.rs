//! The runtime as an MCP server: tools that other agents and their programs use, over HTTP and over pipes.
//!
//! [`door`] answers the protocol, [`catalogue`] has the tools there are; each tool is a type in a file of its own subject
//! that says what it needs, what it takes and what it answers.

mod approvals;
mod ask;
mod catalogue;
mod desk;
mod door;
pub(crate) mod http;
mod learning;
mod library;
mod resources;
mod route;
pub(crate) mod run;
mod runs;
pub(crate) mod standing;
mod stdio;
mod tools;
pub(crate) mod watch;

pub use stdio::serve_mcp;
