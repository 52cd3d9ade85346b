//! Makes and measures what `reflex` is compiled with.

pub mod data;
pub mod figures;
pub mod head;
pub mod notes;
pub mod tune;
