//! Counts and compares finished runs: what reported confidences turned out to be worth, and what to expect of the next run.
//!
//! Everything here is a function of values: no clock, no I/O, no chance. All of it takes for granted that the next run
//! is like those before it, so that their order says nothing (exchangeability). A new model, new prices, new tools or
//! requests of another kind break that. Then the figures are off until runs of the new kind outnumber the old ones among
//! the newest [`WINDOW`]. What is known is also one-sided: plans that were stopped or turned down have no outcome, so
//! the figures speak of plans that were carried out.

mod interval;
mod window;

pub mod blame;
pub mod calibrate;
pub mod forecast;
pub mod foreign;
pub mod gain;
pub mod hits;
pub mod marks;
pub mod predict;
pub mod sketch;

pub use calibrate::{Curve, calibrate, calibration_error};
pub use forecast::{Shape, forecast};
pub use gain::{Gain, gain};
pub use hits::{Hits, hits};
pub use marks::marks;
pub use predict::{FitPolicy, Predictor, fit};
pub use sketch::sketch;
pub use window::WINDOW;
