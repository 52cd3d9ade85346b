//! What the crate promises as a whole.
