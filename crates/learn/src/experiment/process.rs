//! Evidence that can be looked at after every outcome: capital won by betting against a claim about two success rates.
//!
//! Each outcome becomes a score that is, on average, exactly the difference of the two rates, whatever they are and
//! however they drift, because the arm was thrown with a known chance. Whoever bets on scores above a claimed
//! difference, with stakes fixed before each outcome, wins nothing on average where the claim is true. So the chance that
//! the capital ever reaches 1/α is at most α (Ville's inequality), however often one looks.

use domain::guideline::{Arm, Tally};

/// Differences that are bet on, each with an equal part of the capital. Twice as large each time: one of them is never far
/// from the truth.
const BETS: [f64; 6] = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32];
/// How much of its capital a bet may lose at once.
const STAKE: f64 = 0.75;
/// Shares of an arm are kept this far from 0 and 1, where nothing could be compared.
const LEAST_SHARE: f64 = 0.01;

/// What one bet can become at most, so that it stays a number; giving up the rest does no harm.
const MOST: f64 = 1e300;

/// What each bet has become.
pub(crate) type Bets = [f64; BETS.len()];

/// Which way a claim is bet against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The claim is that the difference is no larger.
    Above,
    /// The claim is that the difference is no smaller.
    Below,
}

/// What outcomes say against one claim about the difference between candidate and control.
#[derive(Debug, Clone, PartialEq)]
pub struct EProcess {
    share: f64,
    claim: f64,
    side: Side,
    bets: Bets,
    tally: Tally,
}

impl EProcess {
    /// Bets against "the candidate is better by no more than this".
    pub fn above(claim: f64, share: f64) -> Self {
        Self::new(claim, share, Side::Above)
    }

    /// Bets against "the candidate is better by no less than this".
    pub fn below(claim: f64, share: f64) -> Self {
        Self::new(claim, share, Side::Below)
    }

    fn new(claim: f64, share: f64, side: Side) -> Self {
        let claim = claim.clamp(-1.0, 1.0);
        Self { share: possible(share), claim, side, bets: Round::NOTHING_WON, tally: Tally::default() }
    }

    /// Takes in the next outcome.
    pub fn observe(&mut self, arm: Arm, success: bool) {
        self.take(&Round::of(&self.tally, self.share, arm, success), arm, success);
    }

    /// The same, where several processes look at one outcome.
    pub(crate) fn take(&mut self, round: &Round, arm: Arm, success: bool) {
        round.play(&mut self.bets, self.claim, self.side);
        count(&mut self.tally, arm, success);
    }

    /// How strongly the outcomes speak against the claim: 1 is not at all, and 1/α is reached with chance α at most where
    /// the claim is true.
    pub fn evidence(&self) -> f64 {
        self.bets.iter().sum()
    }

    /// What it has taken in.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }
}

/// One outcome, ready to be bet on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Round {
    /// A number that is on average the difference between the arms.
    score: f64,
    /// The stake that makes the most of a difference, for each point of it: one over the score's variance.
    scale: f64,
    /// The largest stakes, by side.
    most: (f64, f64),
}

impl Round {
    /// The bets before the first outcome.
    pub(crate) const NOTHING_WON: Bets = [1.0 / BETS.len() as f64; BETS.len()];

    /// What comes after what was counted. The rate so far is taken off beforehand, which keeps scores small and changes
    /// nothing on average.
    pub(crate) fn of(before: &Tally, share: f64, arm: Arm, success: bool) -> Self {
        let successes = before.control_successes + before.candidate_successes;
        let rate = (successes as f64 + 1.0) / ((before.control + before.candidate) as f64 + 2.0);
        let above = f64::from(u8::from(success)) - rate;
        let score = match arm {
            Arm::Candidate => above / share,
            Arm::Control => -above / (1.0 - share),
        };
        let lowest = (rate / share).max((1.0 - rate) / (1.0 - share));
        let highest = ((1.0 - rate) / share).max(rate / (1.0 - share));
        // No claim is farther than 1 from nothing: the same stakes fit all of them.
        let most = (STAKE / (lowest + 1.0), STAKE / (highest + 1.0));
        Self { score, scale: share * (1.0 - share) / (rate * (1.0 - rate)), most }
    }

    /// Bets on it, against a claim.
    pub(crate) fn play(&self, bets: &mut Bets, claim: f64, side: Side) {
        let (won, most) = match side {
            Side::Above => (self.score - claim, self.most.0),
            Side::Below => (claim - self.score, self.most.1),
        };
        for (bet, difference) in bets.iter_mut().zip(BETS) {
            *bet = (*bet * (1.0 + (difference * self.scale).min(most) * won)).min(MOST);
        }
    }
}

/// The nearest share at which there is something to compare.
pub(crate) fn possible(share: f64) -> f64 {
    if share.is_nan() { 0.5 } else { share.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE) }
}

/// One more outcome.
pub(crate) fn count(tally: &mut Tally, arm: Arm, success: bool) {
    let (all, good) = match arm {
        Arm::Control => (&mut tally.control, &mut tally.control_successes),
        Arm::Candidate => (&mut tally.candidate, &mut tally.candidate_successes),
    };
    *all += 1;
    *good += u64::from(success);
}
