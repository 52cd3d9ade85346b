//! What is on record means what it meant: golden files of every released version, and the views of whole ledgers.

mod changes;
mod fold;
mod golden;
mod ledgers;
mod spans;
mod traces;
