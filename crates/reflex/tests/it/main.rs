//! What the crate promises as a whole.
mod router;

mod learned;
mod shipped;
