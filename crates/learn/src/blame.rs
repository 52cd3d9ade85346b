//! Where a trace that failed probably went wrong.
//!
//! Each move is told by what is so of it and of the moves around it: who made it, how far on, how long, after what. The
//! weights come from logs in which people named the decisive step. They say where such steps tend to lie and what they
//! look like, not what was wrong: a first place to look, right about one time in three.

mod choice;
mod signs;
mod weights;

use std::collections::BTreeMap;

use domain::trace::Sketch;

use choice::{Choice, learn};
use signs::signs;

/// How hard weights are held near nothing.
const CAUTION: f64 = 8.0;
/// So many logs must have a move with a sign.
const LEAST: usize = 5;

/// What tells a decisive move from others.
#[derive(Debug, Clone, PartialEq)]
pub struct Blame {
    weights: BTreeMap<String, f64>,
}

/// The moves of a failed trace that were probably decisive, each with its share of a chance of 1, the likeliest first.
pub fn decisive(sketch: &Sketch) -> Vec<(usize, f64)> {
    let weights = weights::WEIGHTS.iter().map(|(sign, weight)| ((*sign).to_owned(), *weight));
    Blame { weights: weights.collect() }.decisive(sketch)
}

/// What tells decisive moves from others in failed traces of which it is known, each given with its decisive move.
pub fn fit(known: &[(Sketch, usize)]) -> Blame {
    let told: Vec<(Vec<Vec<String>>, usize)> = known
        .iter()
        .map(|(sketch, decisive)| (signs(sketch), *decisive))
        .filter(|(moves, decisive)| *decisive < moves.len())
        .collect();
    let mut logs: BTreeMap<&str, usize> = BTreeMap::new();
    for (moves, _) in &told {
        let mut all: Vec<&str> = moves.iter().flatten().map(String::as_str).collect();
        all.sort_unstable();
        all.dedup();
        for sign in all {
            *logs.entry(sign).or_default() += 1;
        }
    }
    let frequent = logs.into_iter().filter(|(_, logs)| *logs >= LEAST).map(|(sign, _)| sign);
    let places: BTreeMap<&str, usize> = frequent.zip(0..).collect();
    let choices: Vec<Choice> = told
        .iter()
        .map(|(moves, taken)| {
            let options = moves.iter().map(|move_| move_.iter().filter_map(|sign| places.get(sign.as_str()).copied()));
            Choice { options: options.map(Iterator::collect).collect(), taken: *taken }
        })
        .collect();
    let weights = learn(&choices, places.len(), CAUTION);
    Blame { weights: places.into_iter().map(|(sign, place)| (sign.to_owned(), weights[place])).collect() }
}

impl Blame {
    /// The moves that were probably decisive, each with its share of a chance of 1, the likeliest first.
    pub fn decisive(&self, sketch: &Sketch) -> Vec<(usize, f64)> {
        let told = signs(sketch);
        let leanings: Vec<f64> =
            told.iter().map(|signs| signs.iter().filter_map(|sign| self.weights.get(sign)).sum()).collect();
        let mut moves: Vec<(usize, f64)> = choice::shares(&leanings).into_iter().enumerate().collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        moves
    }

    /// What each sign weighs.
    pub fn weights(&self) -> impl Iterator<Item = (&str, f64)> {
        self.weights.iter().map(|(sign, weight)| (sign.as_str(), *weight))
    }
}
