//! What the crate promises as a whole.

mod learned;
mod shipped;
