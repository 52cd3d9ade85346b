//! What finished runs teach, on histories that are made up from a seed and on ones that make no sense.

mod absurd;
mod alert;
mod calibrate;
mod experiment;
mod forecast;
mod gain;
mod hits;
mod made_up;
mod off_policy;
mod points;
mod spend;
mod taught;
mod mine;
