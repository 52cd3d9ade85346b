//! Understands text without a model: what it asks for, which values it names, how many things it wants. Pure and without
//! I/O; what it was taught is compiled in.

pub mod calibrate;
pub mod certificate;
pub mod classify;
pub mod drift;
pub mod embed;
pub mod features;
pub mod learn;
pub mod model;
pub mod slots;
pub mod tokens;
