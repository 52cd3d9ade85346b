//! What a change does, with an interval that holds however often one looks.

use domain::guideline::{Effect, Observation, Tally};

use super::process::{Round, Side, count, possible};

/// So often is the interval halved when an end of it is looked for.
const HALVINGS: usize = 24;

/// By how much the candidate is better, and all differences that the outcomes do not speak against: on each side, one
/// that is true is left out at some moment with chance `level` at most. Absent while one arm has no outcome.
pub fn effect(observations: &[Observation], share: f64, level: f64) -> Option<Effect> {
    let mut tally = Tally::default();
    let rounds: Vec<Round> = observations
        .iter()
        .map(|seen| {
            let round = Round::of(&tally, possible(share), seen.arm, seen.success);
            count(&mut tally, seen.arm, seen.success);
            round
        })
        .collect();
    let estimate = difference(&tally)?;
    let bar = 1.0 / level.clamp(f64::EPSILON, 1.0);
    // What speaks against "no more than x" falls with x, and what speaks against "no less than x" rises.
    let low = crossing(|claim| evidence(&rounds, claim, Side::Above) >= bar);
    let high = -crossing(|claim| evidence(&rounds, -claim, Side::Below) >= bar);
    Some(Effect { estimate, low: low.min(estimate), high: high.max(estimate), runs: rounds.len() as u64 })
}

/// The difference of the rates as counted.
pub(crate) fn difference(tally: &Tally) -> Option<f64> {
    let Tally { control, control_successes, candidate, candidate_successes } = *tally;
    (control > 0 && candidate > 0)
        .then(|| candidate_successes as f64 / candidate as f64 - control_successes as f64 / control as f64)
}

fn evidence(rounds: &[Round], claim: f64, side: Side) -> f64 {
    let mut bets = Round::NOTHING_WON;
    for round in rounds {
        round.play(&mut bets, claim, side);
    }
    bets.iter().sum()
}

/// The largest x from −1 to 1 up to which something is so, if it is so of everything below.
fn crossing(is_so: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (-1.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if is_so(middle) { low = middle } else { high = middle }
    }
    low
}
