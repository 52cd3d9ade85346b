//! What finished runs teach, on histories that are made up from a seed and on ones that make no sense.

mod absurd;
mod calibrate;
mod forecast;
mod gain;
mod hits;
mod made_up;
mod mine;
