//! Lets others in: HTTP, and streams of events.
//!
//! [`router`] has every URL there is, [`App`] is what they are answered with, [`Limits`] keep strangers from holding it.
//! Who may come in is a matter of [`keys`].

mod app;
mod document;
mod error;
mod extract;
mod guard;
mod health;
pub mod keys;
mod openapi;
mod router;

pub use app::{App, Limits};
pub use error::ApiError;
pub use router::router;
