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
mod off_policy;
mod points;
mod spend;
mod taught;
mod mine;
mod marks;
mod predict;
mod sketch;
mod stories;
