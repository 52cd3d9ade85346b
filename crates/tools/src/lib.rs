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
pub mod mcp;
mod phrase;
mod registry;
mod search;
mod smart_home;
mod summarization;
mod timer;
mod weather;
mod words;

pub use builtin::{Begin, Builtins, Desktop, Dialect, Notify, Starter, builtin};
pub use calendar::{CalDav, Calendar, calendar, synchronise};
pub use described::{LoadError, load};
pub use http::client;
pub use registry::{Domain, Filter, Registry, RegistryError};
pub use search::{BRAVE_URL, Search, Web, search};
pub use smart_home::{SmartHome, smart_home};
pub use summarization::{Summarization, summarization};
pub use timer::{Timers, timer};
pub use weather::{FORECAST_URL, GEOCODING_URL, Units, Weather, weather};

pub use reqwest::{Client, Url};
