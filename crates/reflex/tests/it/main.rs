//! What the crate promises as a whole.
mod router;

mod learned;
mod shipped;

mod reckon;
mod slots;

mod home;
mod home_doubt;
