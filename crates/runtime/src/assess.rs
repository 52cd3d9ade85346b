//! The meta-agent: judges the reasoning behind a plan, and asks for another plan or for more thought.

use std::collections::BTreeMap;

use domain::assessment::Assessment;
use domain::chat::Message;
use domain::event::Event;
use domain::score::Score;
use domain::stage::Stage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{Question, ask};
use crate::prompt::{Prompt, render};
use crate::record::Halt;
use crate::settings::Gate;
use crate::work::Work;

/// What the component is called in configuration.
pub(crate) const COMPONENT: &str = Stage::MetaAgent.component();

/// What a meta-agent is told.
#[derive(Serialize)]
pub(crate) struct AssessPrompt<'p> {
    request: &'p str,
    thoughts: Option<&'p str>,
    plan: Option<&'p str>,
    critique: Option<&'p str>,
    confidence: Option<&'p str>,
}

impl Prompt for AssessPrompt<'_> {
    const NAME: &'static str = "assess";
}

/// What there is to assess: the words of each part, and how good it looks by itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Reasoned {
    pub(crate) thoughts: Option<Part>,
    pub(crate) plan: Option<Part>,
    pub(crate) critique: Option<Part>,
    pub(crate) confidence: Option<Part>,
}

/// A part of the reasoning.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    pub(crate) words: String,
    pub(crate) score: Score,
}

impl Reasoned {
    fn parts(&self) -> impl Iterator<Item = (&'static str, &Part)> {
        let named = [
            ("thoughts", &self.thoughts),
            ("plan", &self.plan),
            ("critique", &self.critique),
            ("confidence", &self.confidence),
        ];
        named.into_iter().filter_map(|(name, part)| Some((name, part.as_ref()?)))
    }

    /// Whether there is nothing to assess.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts().next().is_none()
    }
}

/// An assessment as models write it.
#[derive(Debug, Deserialize, JsonSchema)]
struct Draft {
    /// How good the reasoning is, from 0 to 1.
    #[serde(alias = "reasoningQuality", alias = "reasoning_quality")]
    quality: Score,
    /// How good its parts are.
    #[serde(default)]
    breakdown: BTreeMap<String, Score>,
    /// Whether another plan is needed.
    #[serde(default, alias = "shouldReplan")]
    should_replan: bool,
    /// Whether more thought is needed.
    #[serde(default, alias = "shouldDeepen", alias = "shouldDeepenReasoning", alias = "should_deepen_reasoning")]
    should_deepen: bool,
    /// What to do next.
    #[serde(default, alias = "recommendedActions")]
    recommended_actions: Vec<String>,
    /// The judgement in words.
    #[serde(default)]
    assessment: String,
}

/// An assessment of the reasoning behind a version, on record.
pub(crate) async fn assess(work: &Work<'_>, version: u32, reasoned: &Reasoned) -> Result<Assessment, Halt> {
    let key = format!("assess/{version}");
    let assessment = judge(work, &key, reasoned).await?;
    let event = Event::Assessed { version, assessment: Box::new(assessment.clone()) };
    work.journal.record(key, event).await?;
    Ok(assessment)
}

/// An assessment, with a model where there is one. There must be something to assess.
pub(crate) async fn judge(work: &Work<'_>, key: &str, reasoned: &Reasoned) -> Result<Assessment, Halt> {
    let gate = &work.runtime.settings.gate;
    if !work.asks(COMPONENT) {
        return Ok(plainly(reasoned, gate));
    }
    let words = |part: &Option<Part>| part.as_ref().map(|part| part.words.clone());
    let (thoughts, plan) = (words(&reasoned.thoughts), words(&reasoned.plan));
    let (critique, confidence) = (words(&reasoned.critique), words(&reasoned.confidence));
    let prompt = AssessPrompt {
        request: work.request.text.as_str(),
        thoughts: thoughts.as_deref(),
        plan: plan.as_deref(),
        critique: critique.as_deref(),
        confidence: confidence.as_deref(),
    };
    let messages = vec![Message::User { text: render(work, &prompt)? }];
    let model_key = format!("{key}/model");
    let question =
        Question { key: &model_key, component: COMPONENT, tier: Stage::MetaAgent.tier().unwrap_or_default(), messages };
    let answered: Result<Draft, _> = ask(work, question).await?;
    Ok(answered.map_or_else(|_| plainly(reasoned, gate), |draft| settle(draft, gate)))
}

/// What a draft amounts to: the thresholds and the model's own word both count.
fn settle(draft: Draft, gate: &Gate) -> Assessment {
    let quality = draft.quality;
    Assessment {
        quality,
        breakdown: draft.breakdown,
        should_replan: quality.get() < gate.replan_below || draft.should_replan,
        should_deepen: quality.get() < gate.deepen_below || draft.should_deepen,
        recommended_actions: draft.recommended_actions,
        assessment: draft.assessment,
    }
}

/// What the parts say by themselves: reasoning is as good as its parts together, and the weakest is named.
pub(crate) fn plainly(reasoned: &Reasoned, gate: &Gate) -> Assessment {
    let parts: Vec<(&str, Score)> = reasoned.parts().map(|(name, part)| (name, part.score)).collect();
    let sum: f64 = parts.iter().map(|(_, score)| score.get()).sum();
    let quality = Score::nearest(sum / parts.len().max(1) as f64);
    let weakest = parts.iter().min_by(|left, right| left.1.get().total_cmp(&right.1.get()));
    let said = weakest.map(|(name, score)| format!("the weakest part is `{name}` at {score}")).unwrap_or_default();
    let replan = quality.get() < gate.replan_below;
    let deepen = quality.get() < gate.deepen_below;
    let mut actions = Vec::new();
    if replan {
        actions.push("make another plan".to_owned());
    }
    if deepen {
        actions.push("think it through again".to_owned());
    }
    if actions.is_empty() {
        actions.push("carry the plan out".to_owned());
    }
    Assessment {
        quality,
        breakdown: parts.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect(),
        should_replan: replan,
        should_deepen: deepen,
        recommended_actions: actions,
        assessment: format!("Judged by what its parts say of themselves, the reasoning has quality {quality}; {said}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Prompts;

    fn draft(text: &str) -> Result<Assessment, String> {
        let draft: Draft = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Ok(settle(draft, &Gate::default()))
    }

    #[test]
    fn the_worst_reasoning_is_replanned() {
        let worst = draft(r#"{"quality": 0}"#).expect("an assessment");
        assert_eq!(worst.quality, Score::ZERO);
        assert!(worst.should_replan && worst.should_deepen);
    }

    #[test]
    fn thresholds_and_the_model_s_own_word_both_count() {
        let of = |text: &str| draft(text).map(|it| (it.should_replan, it.should_deepen));
        assert_eq!(of(r#"{"quality": 0.39}"#), Ok((true, true)));
        assert_eq!(of(r#"{"quality": 0.4}"#), Ok((false, true)));
        assert_eq!(of(r#"{"quality": 0.6}"#), Ok((false, false)));
        assert_eq!(of(r#"{"quality": 0.9, "shouldReplan": true}"#), Ok((true, false)));
        assert_eq!(of(r#"{"reasoningQuality": 0.9, "shouldDeepenReasoning": true}"#), Ok((false, true)));
    }

    #[test]
    fn what_is_no_score_is_no_assessment() {
        for wrong in
            [r#"{"quality": 1.7}"#, r#"{"quality": "high"}"#, r#"{"quality": null}"#, "{}", r#"{"quality": NaN}"#]
        {
            assert!(draft(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn without_a_model_the_parts_speak_for_themselves() {
        let part = |score: f64| Some(Part { words: "x".into(), score: Score::nearest(score) });
        let reasoned = Reasoned { thoughts: part(0.2), plan: part(0.4), ..Reasoned::default() };
        let assessment = plainly(&reasoned, &Gate::default());
        assert!((assessment.quality.get() - 0.3).abs() < 1e-9);
        assert!(assessment.should_replan);
        assert!(assessment.assessment.contains("`thoughts`"));
        assert!(Reasoned::default().is_empty());
    }

    #[test]
    fn the_prompt_reads_as_it_should() {
        let prompt = AssessPrompt {
            request: "Do I need an umbrella?",
            thoughts: Some("Rain decides."),
            plan: Some("{\"steps\": []}"),
            critique: Some("It is almost right."),
            confidence: Some("0.70"),
        };
        insta::assert_snapshot!("assess", Prompts::default().render(&prompt).expect("assess"));
        let bare = AssessPrompt { thoughts: None, critique: None, confidence: None, ..prompt };
        insta::assert_snapshot!("assess_bare", Prompts::default().render(&bare).expect("assess"));
    }
}
