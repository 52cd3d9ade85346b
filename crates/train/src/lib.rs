//! Makes and measures what `reflex` is compiled with.

mod artefact;
pub mod complexity;
pub mod data;
pub mod figures;
pub mod head;
pub mod notes;
pub mod split;
pub mod tune;
