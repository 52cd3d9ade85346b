//! Whether an experiment goes on, is promoted, or is rolled back.

use domain::guideline::{Arm, Direction, Effect, Experiment, ExperimentStatus, Observation, Tally};

use super::process::{EProcess, Round, count, possible};
use super::range::{difference, effect};

/// When an experiment ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExperimentPolicy {
    /// How many get what is tried, from 0 to 1; must be the share they were assigned with.
    pub share: f64,
    /// With what chance, at most, something that is no better than [`margin`](Self::margin) is promoted.
    pub alpha: f64,
    /// What it must be better by beyond doubt: nothing for what is added; less than nothing for what is left out, which is
    /// promoted once it is clear that it costs next to nothing.
    pub margin: f64,
    /// How much it must seem to help. What clearly helps less is given up.
    pub minimum: f64,
    /// With what chance, at most, something that is no worse than the margin is rolled back as harmful. Looser than
    /// [`alpha`](Self::alpha), because everything stays as it was.
    pub harm: f64,
    /// With what chance, at most, something that helps enough is given up because it seems to help too little.
    pub futile: f64,
    /// After so many outcomes it is given up.
    pub most_runs: u64,
}

impl ExperimentPolicy {
    /// The chance of a false rollback, and of giving up wrongly.
    pub const LOOSE: f64 = 0.1;
    /// How many outcomes an experiment has at most.
    pub const MOST_RUNS: u64 = 20_000;

    /// The policy that an experiment was begun with.
    pub fn of(experiment: &Experiment) -> Self {
        let (margin, minimum) = match experiment.direction {
            Direction::Add => (0.0, experiment.minimum),
            Direction::Remove => (-experiment.minimum, -experiment.minimum),
        };
        Self {
            share: experiment.share,
            alpha: experiment.alpha,
            margin,
            minimum,
            harm: Self::LOOSE,
            futile: Self::LOOSE,
            most_runs: Self::MOST_RUNS,
        }
    }
}

/// What is to become of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is clear yet.
    GoOn,
    /// It helps.
    Promote,
    /// It harms.
    Harmful,
    /// It does not help enough, or that would take too long to see.
    Useless,
    /// The arms do not have the shares they should have: nothing can be said.
    Skewed,
}

impl Verdict {
    /// Where the experiment stands then; nothing where it goes on as it is.
    pub fn status(self) -> Option<ExperimentStatus> {
        match self {
            Verdict::GoOn => None,
            Verdict::Promote => Some(ExperimentStatus::Promoted),
            Verdict::Harmful | Verdict::Useless | Verdict::Skewed => Some(ExperimentStatus::RolledBack),
        }
    }
}

/// What the outcomes say.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What is to become of it.
    pub verdict: Verdict,
    /// Why, in a sentence.
    pub because: String,
    /// After how many outcomes that was clear; the later ones change nothing about it.
    pub decided_after: Option<u64>,
    /// All outcomes.
    pub tally: Tally,
    /// How strongly they spoke for it when that was clear, or speak now: at 1/α it is promoted.
    pub evidence_for: f64,
    /// How strongly they spoke against it: at 1/[`harm`](ExperimentPolicy::harm) it is rolled back.
    pub evidence_against: f64,
    /// What it does, over all outcomes.
    pub effect: Option<Effect>,
}

/// What the outcomes say, in the order in which they became known. May be asked after every one of them.
///
/// What was decided once stays decided, as long as no outcome before it turns out otherwise.
pub fn judge(observations: &[Observation], policy: &ExperimentPolicy) -> Judgement {
    let mut trial = Running::new(policy);
    let mut tally = Tally::default();
    let mut decided = None;
    for (at, seen) in observations.iter().enumerate() {
        count(&mut tally, seen.arm, seen.success);
        if decided.is_none() {
            trial.observe(seen.arm, seen.success);
            decided = trial.verdict().map(|verdict| (verdict, at as u64 + 1));
        }
    }
    let verdict = decided.map_or(Verdict::GoOn, |(verdict, _)| verdict);
    let effect = effect(observations, policy.share, policy.alpha);
    Judgement {
        verdict,
        because: words(verdict, &tally, effect.as_ref(), policy),
        decided_after: decided.map(|(_, after)| after),
        tally,
        evidence_for: trial.better.evidence(),
        evidence_against: trial.worse.evidence(),
        effect,
    }
}

/// An experiment as its outcomes come in.
#[derive(Debug, Clone)]
pub struct Running {
    policy: ExperimentPolicy,
    better: EProcess,
    worse: EProcess,
    too_little: EProcess,
    skew: f64,
}

impl Running {
    /// How surely the arms must have wrong shares.
    const SKEWED: f64 = 1e4;

    /// Before the first outcome.
    pub fn new(policy: &ExperimentPolicy) -> Self {
        let share = policy.share;
        Self {
            policy: *policy,
            better: EProcess::above(policy.margin, share),
            worse: EProcess::below(policy.margin, share),
            too_little: EProcess::below(policy.minimum, share),
            skew: 1.0,
        }
    }

    /// Takes in the next outcome.
    pub fn observe(&mut self, arm: Arm, success: bool) {
        let Tally { control, candidate, .. } = *self.better.tally();
        let share = possible(self.policy.share);
        // A guess from the arms before it against what the share says.
        let (seen, said) = match arm {
            Arm::Control => (control, 1.0 - share),
            Arm::Candidate => (candidate, share),
        };
        self.skew = (self.skew * (seen as f64 + 1.0) / ((control + candidate) as f64 + 2.0) / said).min(f64::MAX);
        let round = Round::of(self.better.tally(), share, arm, success);
        for process in [&mut self.better, &mut self.worse, &mut self.too_little] {
            process.take(&round, arm, success);
        }
    }

    /// What is clear now; nothing while it goes on.
    pub fn verdict(&self) -> Option<Verdict> {
        let ExperimentPolicy { alpha, minimum, harm, futile, most_runs, .. } = self.policy;
        let tally = self.better.tally();
        if self.skew >= Self::SKEWED {
            Some(Verdict::Skewed)
        } else if self.worse.evidence() * harm >= 1.0 {
            Some(Verdict::Harmful)
        } else if self.better.evidence() * alpha >= 1.0 && difference(tally).is_some_and(|seen| seen >= minimum) {
            Some(Verdict::Promote)
        } else if self.too_little.evidence() * futile >= 1.0 || tally.control + tally.candidate >= most_runs {
            Some(Verdict::Useless)
        } else {
            None
        }
    }
}

fn words(verdict: Verdict, tally: &Tally, effect: Option<&Effect>, policy: &ExperimentPolicy) -> String {
    let Tally { control, control_successes, candidate, candidate_successes } = tally;
    let counted = format!(
        "{candidate_successes} of {candidate} runs with the change and {control_successes} of {control} without it"
    );
    let range = effect.map_or_else(String::new, |effect| {
        format!(", {:+.1} points ({:+.1} to {:+.1})", effect.estimate * 1e2, effect.low * 1e2, effect.high * 1e2)
    });
    let runs = control + candidate;
    match verdict {
        Verdict::GoOn => format!("nothing is clear yet: {counted} succeeded{range}"),
        Verdict::Promote => format!("it helps: {counted} succeeded{range}"),
        Verdict::Harmful => format!("it harms: {counted} succeeded{range}"),
        Verdict::Useless if runs >= policy.most_runs => {
            format!("it is not clear after {runs} runs that it helps: {counted} succeeded{range}")
        }
        Verdict::Useless => format!("it does not help enough: {counted} succeeded{range}"),
        Verdict::Skewed => format!(
            "{candidate} of {runs} runs got what is tried, which cannot be a share of {:.2}: nothing can be said",
            policy.share
        ),
    }
}
