//! Speaks to the world: the registry of tools, tools described in files, and the tools that are always there.
//!
//! Start with [`Registry`], which is what planners, gates and executors look at. [`builtin`] and [`load`] make the
//! tools that go into it; both take everything they touch from their caller, and neither reads the environment.

mod builtin;
mod calendar;
mod check;
mod command;
mod declare;
mod described;
mod errors;
mod http;
mod phrase;
mod registry;
mod words;

pub use builtin::{Begin, Builtins, Notify, Starter, builtin};
pub use calendar::{CalDav, Calendar, calendar, synchronise};
pub use described::{LoadError, load};
pub use http::client;
pub use registry::{Domain, Filter, Registry, RegistryError};
