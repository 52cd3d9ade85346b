//! What the crate promises as a whole.

mod reckon;
mod slots;
