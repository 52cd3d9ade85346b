//! Both stores are put through the same checks; what only one of them can suffer is checked apart.

mod audit;
mod backup;
mod library;
mod postgres;
mod server;
mod sqlite;
mod traces;
mod words;
