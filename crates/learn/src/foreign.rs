//! Traces as public data sets write them down: one function for each way, from a line to a trace.

mod livemcp;
mod messages;
mod row;
mod tau;
mod trail;
mod who_when;

pub use livemcp::livemcp;
pub use row::ForeignError;
pub use tau::tau;
pub use trail::trail;
pub use who_when::who_when;
