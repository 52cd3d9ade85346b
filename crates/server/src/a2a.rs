//! The runtime as an agent for other agents: A2A 1.0 over JSON-RPC, and the 0.3 of before it.
//!
//! A task is a run, a context is a session, and the answer is an artifact. [`card`] says what there is, [`rpc`] answers.

pub(crate) mod card;
mod dialect;
mod message;
pub(crate) mod rpc;
mod stream;
mod task;
mod tasks;
