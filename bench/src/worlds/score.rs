//! Whether what was found is what was planted.

use domain::pattern::Pattern;

use super::plant::Plant;

/// What was found, beside what was planted.
#[derive(Debug, Clone, Default)]
pub struct Score {
    /// How many patterns were reported.
    pub found: usize,
    /// How many of them are true.
    pub right: usize,
    /// How many things were planted.
    pub planted: usize,
    /// How many of them were found.
    pub recalled: usize,
    /// The patterns that are not true.
    pub wrong: Vec<String>,
    /// The plants that were not found.
    pub missed: Vec<String>,
}

impl Score {
    /// Both together.
    pub fn and(mut self, other: Self) -> Self {
        self.found += other.found;
        self.right += other.right;
        self.planted += other.planted;
        self.recalled += other.recalled;
        self.wrong.extend(other.wrong);
        self.missed.extend(other.missed);
        self
    }
}

/// A pattern is true if its mark is that of a plant, to the letter, its effect goes in the same direction, and it is not
/// told for agents for whom it does not hold. A plant is found if some pattern is true of it.
pub fn score(plants: &[Plant], patterns: &[Pattern]) -> Score {
    let mut score = Score { found: patterns.len(), planted: plants.len(), ..Score::default() };
    let mut found = vec![false; plants.len()];
    for pattern in patterns {
        let plant = plants.iter().position(|plant| {
            let told = plant.agent.is_none_or(|agent| {
                pattern.agent.as_ref().is_some_and(|told| told.as_str() == format!("agent-{agent}"))
            });
            told && plant.mark == pattern.mark && (plant.log_odds > 0.0) == pattern.evidence.helps()
        });
        match plant {
            Some(plant) => {
                score.right += 1;
                found[plant] = true;
            }
            None => score.wrong.push(pattern.words.clone()),
        }
    }
    score.recalled = found.iter().filter(|found| **found).count();
    let missed = plants.iter().zip(&found).filter(|(_, found)| !**found);
    score.missed = missed.map(|(plant, _)| format!("{:?}", (&plant.mark, plant.agent, plant.log_odds))).collect();
    score
}
