//! The confidence scorer: weighs what every stage says of its own work, and what such words turned out to be worth. Needs
//! no model.

use std::collections::BTreeMap;

use domain::confidence::{Advice, Confidence, Named};
use domain::critique::Critique;
use domain::event::Event;
use domain::finding::{Finding, Weight};
use domain::forecast::Hindsight;
use domain::score::Score;

use crate::record::Halt;
use crate::work::Work;

/// How much the scores count unless configured otherwise: what was proved and what a critic says weigh more than what
/// anybody says of their own work.
const WEIGHTS: [(&str, f64); 4] = [("thought", 0.15), ("plan", 0.2), ("verification", 0.25), ("critique", 0.4)];

/// What a finding takes away from the score of a proof.
const APPROVAL: f64 = 0.2;
const NOTICE: f64 = 0.05;

/// What the stages report; what a stage does not say does not count.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Reported {
    pub(crate) thought: Option<Score>,
    pub(crate) plan: Option<Score>,
    pub(crate) verification: Option<Score>,
    pub(crate) critique: Option<Score>,
}

impl Reported {
    fn named(&self) -> impl Iterator<Item = (&'static str, Score)> {
        let scores = [self.thought, self.plan, self.verification, self.critique];
        crate::settings::SCORES.into_iter().zip(scores).filter_map(|(name, score)| Some((name, score?)))
    }
}

/// The confidence in a version, on record.
pub(crate) async fn score(
    work: &Work<'_>,
    version: u32,
    reported: Reported,
    history: &[Hindsight],
) -> Result<Confidence, Halt> {
    let key = format!("score/{version}");
    // What earlier runs were worth changes with every run: what was weighed once stays as it was.
    let confidence = match work.journal.known(&key) {
        Some(Event::Scored { confidence, .. }) => (**confidence).clone(),
        _ => weigh(reported, &work.runtime.settings.weights, history),
    };
    let event = Event::Scored { version, confidence: Box::new(confidence.clone()) };
    work.journal.record(key, event).await?;
    Ok(confidence)
}

/// The weighted aggregate.
pub(crate) fn weigh(reported: Reported, weights: &BTreeMap<String, f64>, history: &[Hindsight]) -> Confidence {
    let weight = |name: &str| {
        let usual = WEIGHTS.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, weight)| *weight);
        weights.get(name).copied().unwrap_or(usual)
    };
    let scores: Vec<Named> = reported
        .named()
        .map(|(name, reported)| Named {
            name: name.to_owned(),
            reported,
            calibrated: learn::calibrate(history, name).apply(reported),
            weight: weight(name),
        })
        .collect();
    let total: f64 = scores.iter().map(|score| score.weight).sum();
    let mean = |of: &dyn Fn(&Named) -> f64| match total > 0.0 {
        true => scores.iter().map(|score| of(score) * score.weight).sum::<f64>() / total,
        false => 0.0,
    };
    let overall = mean(&|score| score.calibrated.get());
    let variance = mean(&|score| (score.calibrated.get() - overall).powi(2));
    let overall = Score::nearest(overall);
    Confidence {
        reported: Score::nearest(mean(&|score| score.reported.get())),
        overall,
        variance,
        drivers: drivers(&scores, overall, total),
        advice: Advice::of(overall),
        scores,
    }
}

/// What moves the confidence away from where the others would leave it, strongest first.
fn drivers(scores: &[Named], overall: Score, total: f64) -> Vec<String> {
    const WORTH_A_WORD: f64 = 0.02;
    let pull = |score: &Named| (score.calibrated.get() - overall.get()) * score.weight / total.max(f64::EPSILON);
    let mut pulls: Vec<(&Named, f64)> = scores.iter().map(|score| (score, pull(score))).collect();
    pulls.sort_by(|left, right| right.1.abs().total_cmp(&left.1.abs()));
    let said = pulls.into_iter().filter(|(_, pull)| pull.abs() >= WORTH_A_WORD);
    said.map(|(score, pull)| {
        let way = if pull < 0.0 { "pulls it down" } else { "holds it up" };
        let worth = match score.reported == score.calibrated {
            true => String::new(),
            false => format!(", worth {} going by earlier runs", score.calibrated),
        };
        format!("`{}` at {}{worth} {way}", score.name, score.reported)
    })
    .collect()
}

/// How good a proof is.
pub(crate) fn of_proof(findings: &[Finding]) -> Score {
    let lost: f64 = findings
        .iter()
        .map(|finding| match finding.weight {
            Weight::Fatal => 1.0,
            Weight::Approval => APPROVAL,
            Weight::Notice => NOTICE,
        })
        .sum();
    Score::nearest(1.0 - lost)
}

/// A critique as a score: a critic who says no is not outweighed by the numbers beside it.
pub(crate) fn of_critique(critique: &Critique) -> Score {
    use domain::critique::{APPROVE_FROM, REVISE_FROM, Verdict};
    let most = match critique.verdict {
        Verdict::Approve => 1.0,
        Verdict::Revise => APPROVE_FROM,
        Verdict::Reject => REVISE_FROM,
    };
    Score::nearest(critique.overall.get().min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(number: f64) -> Option<Score> {
        Some(Score::nearest(number))
    }

    #[test]
    fn what_is_not_said_does_not_count_and_zero_does() {
        let reported = Reported { critique: score(0.0), ..Reported::default() };
        assert_eq!(weigh(reported, &BTreeMap::new(), &[]).overall, Score::ZERO);
        let both = Reported { critique: score(0.0), verification: score(1.0), ..Reported::default() };
        let confidence = weigh(both, &BTreeMap::new(), &[]);
        assert!((confidence.overall.get() - 0.25 / 0.65).abs() < 1e-9);
        assert_eq!(confidence.advice, Advice::Escalate);
        assert_eq!(weigh(Reported::default(), &BTreeMap::new(), &[]).overall, Score::ZERO);
    }

    #[test]
    fn weights_can_be_chosen_and_the_strongest_pull_is_named_first() {
        let reported =
            Reported { thought: score(0.2), critique: score(0.9), plan: score(0.9), verification: score(1.0) };
        let usual = weigh(reported, &BTreeMap::new(), &[]);
        assert_eq!(usual.advice, Advice::Execute);
        let heavy = weigh(reported, &[("thought".to_owned(), 1.0), ("critique".to_owned(), 0.1)].into(), &[]);
        assert!(heavy.overall < usual.overall);
        assert!(heavy.drivers[0].contains("`thought`"), "{:?}", heavy.drivers);
        assert!(usual.variance > 0.0);
    }

    #[test]
    fn advice_follows_the_thresholds() {
        for (number, advice) in [
            (0.8, Advice::Execute),
            (0.79, Advice::Review),
            (0.6, Advice::Review),
            (0.4, Advice::Rethink),
            (0.39, Advice::Escalate),
        ] {
            let reported = Reported { plan: score(number), ..Reported::default() };
            assert_eq!(weigh(reported, &BTreeMap::new(), &[]).advice, advice, "{number}");
        }
    }

    #[test]
    fn a_fault_leaves_nothing_of_a_proof() {
        let finding = |weight| Finding { code: "AW-PLAN-001".into(), step: None, says: "x".into(), weight };
        assert_eq!(of_proof(&[finding(Weight::Fatal)]), Score::ZERO);
        assert_eq!(of_proof(&[]), Score::ONE);
        assert!(of_proof(&[finding(Weight::Approval)]) < of_proof(&[finding(Weight::Notice)]));
    }
}
