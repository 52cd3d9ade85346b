//! What the crate promises as a whole.

mod complexity;
mod home;
mod home_doubt;
mod learned;
mod reckon;
mod router;
mod shipped;
mod slots;
mod split;
