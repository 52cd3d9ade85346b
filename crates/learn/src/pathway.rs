//! What each way of dealing with a request is worth, by what became of requests that went it.

use domain::event::Route;
use domain::plan::Strategy;
use domain::trace::Pathway;
use serde::Serialize;

use crate::interval::{NINETY_FIVE, wilson};

/// What a way is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quality {
    /// Which way.
    pub route: Route,
    /// How agents are made from the plan.
    pub strategy: Strategy,
    /// How many runs it rests on.
    pub runs: u64,
    /// The share that went well.
    pub success: f64,
    /// Where that share probably lies, nineteen times in twenty.
    pub interval: (f64, f64),
    /// What a run costs on average, in dollars.
    pub usd: f64,
    /// What it takes on average, in seconds of work.
    pub seconds: f64,
    /// From 0 to 1: the success that can be counted on, less the cost as a share of what a success is worth.
    pub score: f64,
}

/// What each way is worth when a success is worth so many dollars, the best first.
pub fn qualities(pathways: &[Pathway], worth: f64) -> Vec<Quality> {
    let mut qualities: Vec<Quality> =
        pathways.iter().filter(|pathway| pathway.runs > 0).map(|way| quality(way, worth)).collect();
    qualities.sort_by(|one, other| other.score.total_cmp(&one.score));
    qualities
}

fn quality(way: &Pathway, worth: f64) -> Quality {
    let runs = way.runs as f64;
    let interval = wilson(way.good as f64, runs, NINETY_FIVE);
    let usd = way.usd / runs;
    let cost = if worth > 0.0 { usd / worth } else { 0.0 };
    Quality {
        route: way.route,
        strategy: way.strategy,
        runs: way.runs,
        success: way.good as f64 / runs,
        interval,
        usd,
        seconds: way.seconds / runs,
        score: (interval.0 - cost).clamp(0.0, 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(route: Route, runs: u64, good: u64, usd: f64) -> Pathway {
        Pathway { route, strategy: Strategy::TaskGraph, runs, good, usd, seconds: 1.0 }
    }

    #[test]
    fn what_can_be_counted_on_counts_and_so_does_what_it_costs() {
        let ways = [
            way(Route::Plan, 100, 90, 20.0),
            way(Route::Reflex, 100, 90, 0.0),
            way(Route::Fast, 2, 2, 0.0),
            way(Route::Given, 0, 0, 0.0),
        ];
        let order: Vec<Route> = qualities(&ways, 0.5).iter().map(|quality| quality.route).collect();
        assert_eq!(order, [Route::Reflex, Route::Plan, Route::Fast], "two good runs are no proof");
        assert!(qualities(&ways, 0.5).iter().all(|quality| (0.0..=1.0).contains(&quality.score)));
    }
}
