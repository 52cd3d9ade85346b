//! What finished runs and others' traces teach, on histories that are made up from a seed and on ones that make no sense.

mod absurd;
mod alert;
mod blame;
mod calibrate;
mod experiment;
mod forecast;
mod foreign;
mod gain;
mod hits;
mod made_up;
mod marks;
mod mine;
mod off_policy;
mod points;
mod predict;
mod sketch;
mod spend;
mod stories;
mod taught;
