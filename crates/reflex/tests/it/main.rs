//! What the crate promises as a whole.

mod home;
mod home_doubt;
