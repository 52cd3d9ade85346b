//! Understands text without a model: what it asks for, which values it names, how many things it wants. Pure and without
//! I/O; what it was taught is compiled in.

pub mod reckon;
pub mod slots;
