//! What things are, and the seams between those who deal with them. Nothing here does anything to the outside world.

pub mod agent;
pub mod budget;
pub mod chat;
pub mod condition;
pub mod dispatch;
pub mod embed;
pub mod event;
pub mod hash;
pub mod id;
pub mod intent;
pub mod money;
pub mod name;
pub mod plan;
pub mod reference;
pub mod request;
pub mod role;
pub mod route;
pub mod run;
pub mod shelf;
pub mod store;
pub mod tool;
pub mod view;
