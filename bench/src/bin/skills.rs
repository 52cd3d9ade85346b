//! `skills`: plans that are used again, and requests that get the wrong one.

use bench::skills::{Args, measure};
use clap::Parser;

fn main() {
    let figures = measure(&Args::parse());
    let after = &figures["after_warm_up"];
    println!(
        "after warm-up: {} planner calls per request, {} of repeated tasks filled rightly, wrong {} of what was used",
        after["planner_calls_per_request"], after["filled_rightly_of_tasks"], after["wrong_of_used"]
    );
    println!("{figures}");
}
