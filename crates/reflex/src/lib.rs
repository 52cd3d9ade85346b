//! Understands text without a model: what it asks for, which values it names, how many things it wants. Pure and without
//! I/O; what it was taught is compiled in.
//!
//! Start with [`Router`]: it turns a request into a [judgement](domain::route::Judgement), and [`draft`] turns that into a
//! plan.

mod act;
pub mod calibrate;
pub mod certificate;
pub mod classify;
pub mod complexity;
mod compose;
mod decide;
pub mod drift;
pub mod embed;
pub mod features;
pub mod home;
pub mod learn;
mod mind;
pub mod model;
pub mod pattern;
pub mod quality;
mod reading;
pub mod reckon;
pub mod respond;
mod router;
pub mod slots;
pub mod split;
pub mod template;
pub mod tokens;

pub use complexity::{Weighed, depth, weigh};
pub use compose::draft;
pub use decide::{Experience, Policy, Preference, Record, Turn};
pub use router::{BadRole, Circumstances, Explained, Nearest, Router};
