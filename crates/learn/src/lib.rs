//! Counts and compares finished runs: what reported confidences turned out to be worth, and what to expect of the next run.
//!
//! Everything here is a function of values: no clock, no I/O, no chance. All of it takes for granted that the next run
//! is like those before it, so that their order says nothing (exchangeability). A new model, new prices, new tools or
//! requests of another kind break that. Then the figures are off until runs of the new kind outnumber the old ones among
//! the newest [`WINDOW`]. What is known is also one-sided: plans that were stopped or turned down have no outcome, so
//! the figures speak of plans that were carried out.

mod interval;
mod window;
mod words;

pub mod alert;
pub mod blame;
pub mod calibrate;
pub mod contrast;
pub mod discovery;
pub mod experiment;
pub mod forecast;
pub mod foreign;
pub mod gain;
pub mod hits;
pub mod marks;
pub mod mine;
pub mod off_policy;
pub mod pass;
pub mod pathway;
pub mod points;
pub mod predict;
pub mod sketch;
pub mod spend;

pub use calibrate::{Curve, calibrate, calibration_error};
pub use forecast::{Shape, forecast};
pub use gain::{Gain, gain};
pub use hits::{Hits, hits};
pub use marks::marks;
pub use mine::{MinePolicy, Miner};
pub use pass::{Estimate, gained, pass_rate};
pub use pathway::{Quality, qualities};
pub use predict::{FitPolicy, Predictor, fit};
pub use sketch::sketch;
pub use window::WINDOW;
pub use words::so;
