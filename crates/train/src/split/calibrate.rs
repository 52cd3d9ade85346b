//! Sets the odds: from which score on a request is said to want several things.

use reflex::split::{Learned, NotWeights, Weights, seams, split_with, words};

use super::compose::Example;

/// The share of single requests with a conjunction that may be torn.
const TORN: f32 = 0.007;

/// About where the threshold will be: what is found to the left of a seam depends on it.
const GUESS: f32 = 3.5;

/// Scores of requests that were not learned from.
#[derive(Default)]
pub(super) struct Scores {
    single: Vec<f32>,
    several: Vec<f32>,
}

impl Scores {
    /// Adds what was learned makes of these requests.
    pub(super) fn add(&mut self, learned: &Learned, examples: &[Example]) -> Result<(), NotWeights> {
        let guessed = Learned { threshold: GUESS, ..learned.clone() };
        let weights = Weights::read(&guessed.write())?;
        for example in examples {
            let joined = seams::find(&words::read(&example.text)).iter().any(seams::Seam::has_conjunction);
            let odds = split_with(&weights, &example.text).odds() + GUESS;
            if example.real && joined {
                self.single.push(odds);
            } else if !example.seams.is_empty() {
                self.several.push(odds);
            }
        }
        Ok(())
    }

    /// Sets the threshold so that few single requests are torn, and the slope so that the odds are as right as they can be
    /// around it.
    pub(super) fn calibrate(mut self, learned: &mut Learned) {
        self.single.sort_by(|a, b| b.total_cmp(a));
        let at = |torn: f32| self.single.get((self.single.len() as f32 * torn) as usize).copied().unwrap_or(0.0);
        println!(
            "{} singles with a conjunction, {} composites, none learned from",
            self.single.len(),
            self.several.len()
        );
        for torn in [0.003, 0.005, TORN, 0.01, 0.02] {
            let found =
                self.several.iter().filter(|score| **score > at(torn)).count() as f32 / self.several.len() as f32;
            println!(
                "{:.1} % of singles torn: threshold {:.2}, {:.1} % of composites found",
                torn * 100.0,
                at(torn),
                found * 100.0
            );
        }
        learned.threshold = at(TORN);
    }
}
