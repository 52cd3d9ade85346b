//! Decides what is done with a plan after it was judged. Pure: what was said goes in, a decision with its reason comes out.

use domain::assessment::{Assessment, Next};
use domain::confidence::{Advice, Confidence};
use domain::critique::{Critique, Verdict};

use crate::settings::Gate;

/// Everything the decision rests on; who is switched off says nothing.
pub(crate) struct Judged<'j> {
    pub(crate) critique: Option<&'j Critique>,
    pub(crate) confidence: Option<&'j Confidence>,
    pub(crate) assessment: Option<&'j Assessment>,
    /// How often the plan may still go back.
    pub(crate) rounds_left: u32,
    /// Whether the budget has room for another pass.
    pub(crate) room: bool,
    /// Questions of the critic that were not asked yet, where people may be asked.
    pub(crate) questions: usize,
    /// What another pass is expected to add to the chance of success.
    pub(crate) gain: f64,
    /// What the last pass cost, in dollars.
    pub(crate) cost: f64,
}

/// What is wanted, how urgently, and why.
struct Wanted {
    next: Next,
    /// Wanted whatever it costs.
    must: bool,
    why: String,
}

/// The decision.
pub(crate) fn judge(judged: &Judged<'_>, gate: &Gate) -> (Next, String) {
    let Some(wanted) = wanted(judged, gate) else {
        return (Next::Go, praise(judged));
    };
    let Wanted { next, must, why } = wanted;
    if judged.rounds_left == 0 {
        return at_the_end(judged, gate, &format!("{why}, but it went back as often as it may"));
    }
    if !judged.room {
        return at_the_end(judged, gate, &format!("{why}, but the budget has no room for another pass"));
    }
    if judged.questions > 0 {
        return (Next::Ask, format!("{why}, and the critic has something to ask"));
    }
    let worth = judged.gain * gate.worth;
    let weighed =
        format!("another pass is worth ${worth:.4} (+{:.2} success) and costs ${:.4}", judged.gain, judged.cost);
    if must || worth >= judged.cost {
        return (next, format!("{why}; {weighed}"));
    }
    (Next::Go, format!("{why}, but {weighed}"))
}

/// Whether nobody wants the plan to be better.
pub(crate) fn is_good_enough(judged: &Judged<'_>, gate: &Gate) -> bool {
    wanted(judged, gate).is_none()
}

fn wanted(judged: &Judged<'_>, gate: &Gate) -> Option<Wanted> {
    let quality = judged.assessment.map(|assessment| assessment.quality);
    let below = |limit: f64| quality.filter(|quality| quality.get() < limit);
    let says = |verdict| judged.critique.filter(|critique| critique.verdict == verdict);
    let advises = |advice| judged.confidence.filter(|confidence| confidence.advice == advice);
    let want = |next, must, why: String| Some(Wanted { next, must, why });
    if let Some(quality) = below(gate.replan_below) {
        return want(Next::Replan, true, format!("the quality {quality} is below {:.2}", gate.replan_below));
    }
    if judged.assessment.is_some_and(|assessment| assessment.should_replan) {
        return want(Next::Replan, true, "the meta-agent wants another plan".into());
    }
    if let Some(critique) = says(Verdict::Reject) {
        return want(Next::Replan, true, format!("the critic rejects it at {}", critique.overall));
    }
    if let Some(confidence) = advises(Advice::Escalate) {
        return want(Next::Replan, true, format!("the confidence is only {}", confidence.overall));
    }
    if let Some(quality) = below(gate.deepen_below) {
        return want(Next::Deepen, false, format!("the quality {quality} is below {:.2}", gate.deepen_below));
    }
    if judged.assessment.is_some_and(|assessment| assessment.should_deepen) {
        return want(Next::Deepen, false, "the meta-agent wants more thought".into());
    }
    if let Some(confidence) = advises(Advice::Rethink) {
        return want(Next::Deepen, false, format!("the confidence is only {}", confidence.overall));
    }
    if let Some(critique) = says(Verdict::Revise) {
        return want(Next::Replan, false, format!("the critic wants it revised at {}", critique.overall));
    }
    None
}

/// What is done with a plan that cannot be made better: the worst are put before a person.
fn at_the_end(judged: &Judged<'_>, gate: &Gate, why: &str) -> (Next, String) {
    let bad = judged.assessment.is_some_and(|assessment| assessment.quality.get() < gate.replan_below)
        || judged.critique.is_some_and(|critique| critique.verdict == Verdict::Reject)
        || judged.confidence.is_some_and(|confidence| confidence.advice == Advice::Escalate);
    (if bad { Next::Escalate } else { Next::Go }, why.to_owned())
}

/// What everybody says who was asked.
fn praise(judged: &Judged<'_>) -> String {
    let said = [
        ("critique", judged.critique.map(|critique| critique.overall)),
        ("confidence", judged.confidence.map(|confidence| confidence.overall)),
        ("quality", judged.assessment.map(|assessment| assessment.quality)),
    ];
    let said: Vec<String> = said.iter().filter_map(|(name, score)| Some(format!("{name} {}", (*score)?))).collect();
    match said.is_empty() {
        true => "nobody was asked to judge it".to_owned(),
        false => format!("good enough: {}", said.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::confidence::Confidence;
    use domain::critique::Scores;
    use domain::score::Score;

    /// What a plan judged so comes to: critique, confidence, quality, and what else is so.
    fn gated(numbers: [f64; 3], change: impl Fn(&mut Judged<'_>, &mut Assessment)) -> (Next, String) {
        let [critic, sure, quality] = numbers.map(Score::nearest);
        let critique = Critique {
            scores: Scores::all(critic),
            overall: critic,
            verdict: Verdict::of(critic),
            issues: Vec::new(),
            strengths: Vec::new(),
            follow_up_questions: Vec::new(),
            summary: String::new(),
        };
        let confidence = Confidence {
            scores: Vec::new(),
            reported: sure,
            overall: sure,
            variance: 0.0,
            drivers: Vec::new(),
            advice: Advice::of(sure),
        };
        let mut assessment = Assessment {
            quality,
            breakdown: Default::default(),
            should_replan: false,
            should_deepen: false,
            recommended_actions: Vec::new(),
            assessment: String::new(),
        };
        let said = assessment.clone();
        let mut judged = Judged {
            critique: Some(&critique),
            confidence: Some(&confidence),
            assessment: Some(&said),
            rounds_left: 2,
            room: true,
            questions: 0,
            gain: 0.2,
            cost: 0.01,
        };
        change(&mut judged, &mut assessment);
        let judged = Judged { assessment: judged.assessment.map(|_| &assessment), ..judged };
        judge(&judged, &Gate::default())
    }

    #[test]
    fn what_is_good_goes_ahead() {
        assert_eq!(gated([0.8, 0.8, 0.6], |_, _| {}).0, Next::Go);
    }

    #[test]
    fn thresholds_decide() {
        assert_eq!(gated([0.9, 0.9, 0.0], |_, _| {}).0, Next::Replan);
        assert_eq!(gated([0.9, 0.9, 0.5], |_, _| {}).0, Next::Deepen);
        assert_eq!(gated([0.5, 0.9, 0.9], |_, _| {}).0, Next::Replan);
        assert_eq!(gated([0.9, 0.5, 0.9], |_, _| {}).0, Next::Deepen);
        assert_eq!(gated([0.9, 0.3, 0.9], |_, _| {}).0, Next::Replan);
        assert_eq!(gated([0.7, 0.9, 0.9], |_, _| {}).0, Next::Replan);
    }

    #[test]
    fn the_meta_agent_s_own_word_counts() {
        assert_eq!(gated([0.9, 0.9, 0.9], |_, assessment| assessment.should_replan = true).0, Next::Replan);
        assert_eq!(gated([0.9, 0.9, 0.9], |_, assessment| assessment.should_deepen = true).0, Next::Deepen);
    }

    #[test]
    fn a_pass_that_costs_more_than_it_brings_is_not_made_and_that_is_said() {
        let (next, why) = gated([0.9, 0.9, 0.5], |judged, _| judged.cost = 1.0);
        assert_eq!(next, Next::Go);
        assert!(why.contains("worth $0.1000") && why.contains("costs $1.0000"), "{why}");
        // What must be replanned is, whatever it costs.
        assert_eq!(gated([0.9, 0.9, 0.1], |judged, _| judged.cost = 1.0).0, Next::Replan);
        // A model that costs nothing may think as often as it is allowed to.
        assert_eq!(gated([0.9, 0.9, 0.5], |judged, _| (judged.cost, judged.gain) = (0.0, 0.0)).0, Next::Deepen);
    }

    #[test]
    fn questions_come_before_another_pass() {
        assert_eq!(gated([0.5, 0.9, 0.9], |judged, _| judged.questions = 1).0, Next::Ask);
        assert_eq!(gated([0.9, 0.9, 0.9], |judged, _| judged.questions = 1).0, Next::Go);
    }

    #[test]
    fn who_is_switched_off_has_no_say() {
        assert_eq!(gated([0.1, 0.9, 0.9], |judged, _| judged.critique = None).0, Next::Go);
        assert_eq!(gated([0.9, 0.9, 0.0], |judged, _| judged.assessment = None).0, Next::Go);
        assert_eq!(gated([0.9, 0.1, 0.9], |judged, _| judged.confidence = None).0, Next::Go);
    }

    #[test]
    fn the_end_of_the_rounds_is_an_end() {
        assert_eq!(gated([0.9, 0.9, 0.1], |judged, _| judged.rounds_left = 0).0, Next::Escalate);
        assert_eq!(gated([0.9, 0.9, 0.5], |judged, _| judged.rounds_left = 0).0, Next::Go);
        assert_eq!(gated([0.5, 0.9, 0.9], |judged, _| judged.room = false).0, Next::Escalate);
    }
}
