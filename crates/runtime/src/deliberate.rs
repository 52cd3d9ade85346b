//! The loop between a request and a plan that may be carried out: think, plan, prove, criticise, score, assess, and back,
//! with what was wrong, at most as often as the configuration says.

use std::sync::Arc;

use domain::assessment::{Assessment, Next};
use domain::budget::Spent;
use domain::chat::Usage;
use domain::confidence::Confidence;
use domain::critique::Critique;
use domain::event::{Event, Need};
use domain::forecast::Hindsight;
use domain::money::Usd;
use domain::plan::{PlanDraft, Strategy};
use domain::score::Score;
use domain::stage::Stage;
use domain::thought::{Complexity, Orchestration, Thought};

use crate::assess::{self, Part, Reasoned};
use crate::critique::{self, Subject};
use crate::foresee::foresee;
use crate::gate::{self, Judged};
use crate::plan::{self, NoPlan, Planned, Planning};
use crate::recall::{Recalled, recall};
use crate::record::Halt;
use crate::reuse::{Offer, reuse};
use crate::score::{Reported, of_critique, of_proof, score};
use crate::think::{self, Answer, Matter, think};
use crate::weigh::weigh;
use crate::work::Work;

/// How many questions of a critic a person is asked at once.
const QUESTIONS: usize = 3;

/// What was said about one version of a plan.
struct Judgement {
    critique: Option<Critique>,
    confidence: Option<Confidence>,
    assessment: Option<Assessment>,
}

/// A version with what was said about it.
struct Weighed {
    planned: Planned,
    overall: Score,
    objection: Option<String>,
}

/// A plan for the request that is good enough, or was let through by a person.
pub(crate) async fn deliberate(
    work: &Work<'_>,
    planning: &mut Planning,
    strategy: Strategy,
) -> Result<Result<Planned, NoPlan>, Halt> {
    if work.journal.gate().is_none() {
        work.runtime.refresh_components().await.map_err(Halt::Store)?;
    }
    let mut recalled = recall(work).await?;
    match reuse(work, planning, strategy).await? {
        Offer::Plan(planned) => {
            let history = history(work).await?;
            return foreseen(work, *planned, strategy, None, &history).await.map(Ok);
        }
        Offer::Example(text) => recalled.example = Some(text),
        Offer::Nothing => {}
    }
    if work.runtime.models.is_empty() {
        return planning.plan_and_configure_agent(work, &Recalled::default(), None).await;
    }
    let complexity = weigh(work).await?;
    let history = history(work).await?;
    let (planned, confidence) = match complexity.orchestration {
        Orchestration::Simple => (planning.plan_and_configure_agent(work, &recalled, None).await?, None),
        Orchestration::Standard | Orchestration::Adaptive => {
            match (Loop { work, recalled: &recalled, history: &history }).run(planning, &complexity).await? {
                Ok((planned, confidence)) => (Ok(planned), Some(confidence)),
                Err(no_plan) => (Err(no_plan), None),
            }
        }
    };
    match planned {
        Err(no_plan) => Ok(Err(no_plan)),
        Ok(planned) => foreseen(work, planned, strategy, confidence, &history).await.map(Ok),
    }
}

/// The plan with what is expected of it.
async fn foreseen(
    work: &Work<'_>,
    planned: Planned,
    strategy: Strategy,
    confidence: Option<Score>,
    history: &[Hindsight],
) -> Result<Planned, Halt> {
    let forecast = Some(foresee(work, &planned, strategy, confidence, history).await?);
    Ok(Planned { forecast, confidence: confidence.or(planned.confidence), ..planned })
}

/// What became of earlier runs. A replay needs none of it: what rests on it is on record.
async fn history(work: &Work<'_>) -> Result<Arc<Vec<Hindsight>>, Halt> {
    match work.journal.gate() {
        Some(_) => Ok(Arc::default()),
        None => work.runtime.lately.history(work.runtime.store.as_ref()).await.map_err(Halt::Store),
    }
}

/// What stays the same in every round.
struct Loop<'l, 'w> {
    work: &'l Work<'w>,
    recalled: &'l Recalled,
    history: &'l [Hindsight],
}

impl Loop<'_, '_> {
    async fn run(
        &self,
        planning: &mut Planning,
        complexity: &Complexity,
    ) -> Result<Result<(Planned, Score), NoPlan>, Halt> {
        let most = match self.work.switched_off(plan::AGAIN) {
            true => 0,
            false => self.work.runtime.settings.max_replans,
        };
        let rounds = match complexity.orchestration {
            Orchestration::Simple => 0,
            Orchestration::Standard => most.min(1),
            Orchestration::Adaptive => most,
        };
        let mut answers: Vec<Answer> = Vec::new();
        let mut thought = self.thought(1, complexity.passes, None, &[], &answers).await?;
        let mut planned = match planning.plan_and_configure_agent(self.work, self.recalled, thought.as_ref()).await? {
            Ok(planned) => planned,
            Err(no_plan) => return Ok(Err(no_plan)),
        };
        let mut judged: Vec<Weighed> = Vec::new();
        for round in 0..=rounds {
            let said = self.judge(&planned, thought.as_ref(), &answers).await?;
            let overall = said.confidence.as_ref().map_or(Score::ZERO, |confidence| confidence.overall);
            let objections = all_objections(&said);
            judged.push(Weighed { planned: planned.clone(), overall, objection: objections.first().cloned() });
            let questions = said.critique.as_ref().map(|critique| self.questions(critique, &answers));
            let questions = questions.unwrap_or_default();
            let pass = self.one_pass(round + 1);
            let gain = learn::gain(self.history, overall).expected;
            let view = Judged {
                critique: said.critique.as_ref(),
                confidence: said.confidence.as_ref(),
                assessment: said.assessment.as_ref(),
                rounds_left: rounds - round,
                room: self.work.meter.has_room(pass),
                questions: questions.len(),
                gain,
                cost: pass.usage.cost.as_dollars(),
            };
            let next = self.gated(planned.version, &view).await?;
            let good = gate::is_good_enough(&view, &self.work.runtime.settings.gate);
            let passes = match next {
                Next::Go if good => return Ok(Ok((planned, overall))),
                Next::Go => return self.best(planning, planned, overall, &judged).await.map(Ok),
                Next::Escalate => return self.escalate(planning, planned, overall, &judged).await,
                Next::Ask => {
                    answers.extend(self.ask(planned.version, questions).await?);
                    1
                }
                Next::Deepen => complexity.passes + 1,
                Next::Replan => 1,
            };
            let because = objections.first().cloned().unwrap_or_else(|| "it was not judged good enough".into());
            thought = self.thought(round + 2, passes, thought.as_ref(), &objections, &answers).await?;
            let revised = planning.revise(self.work, &objections, &answers, thought.as_ref(), &because).await?;
            match revised {
                Ok(better) => planned = better,
                // What there is may still be good enough; it was proved, after all.
                Err(_) => return self.escalate(planning, planned, overall, &judged).await,
            }
        }
        // The gate never sends a plan back when no round is left.
        let overall = judged.last().map_or(Score::ZERO, |last| last.overall);
        self.best(planning, planned, overall, &judged).await.map(Ok)
    }

    /// What one pass uses, going by those that were made.
    fn one_pass(&self, passes: u32) -> Spent {
        let spent = self.work.meter.spent();
        let passes = u64::from(passes);
        Spent {
            usage: Usage {
                input_tokens: spent.usage.input_tokens / passes,
                output_tokens: spent.usage.output_tokens / passes,
                cost: Usd::micros(spent.usage.cost.as_micros() / passes),
            },
            model_calls: spent.model_calls / passes,
            tool_calls: 0,
        }
    }

    async fn thought(
        &self,
        round: u32,
        passes: u32,
        before: Option<&Thought>,
        objections: &[String],
        answers: &[Answer],
    ) -> Result<Option<Thought>, Halt> {
        if !self.uses(think::COMPONENT, &format!("think/{round}/1")) {
            return Ok(None);
        }
        think(self.work, self.recalled, round, passes, &Matter { before, objections, answers }).await.map(Some)
    }

    async fn judge(&self, planned: &Planned, thought: Option<&Thought>, answers: &[Answer]) -> Result<Judgement, Halt> {
        let version = planned.version;
        let aloud = thought.map(think::aloud);
        let subject = Subject { plan: &planned.plan, findings: &planned.findings, thought: aloud.as_deref(), answers };
        let critique = match self.uses(critique::COMPONENT, &format!("critique/{version}")) {
            true => Some(critique::critique(self.work, self.recalled, version, &subject).await?),
            false => None,
        };
        let reported = Reported {
            thought: thought.and_then(|thought| thought.confidence),
            plan: planned.notes.as_ref().and_then(|notes| notes.confidence),
            verification: Some(of_proof(&planned.findings)),
            critique: critique.as_ref().map(of_critique),
        };
        let confidence = match self.uses(Stage::Scorer.component(), &format!("score/{version}")) {
            true => Some(score(self.work, version, reported, self.history).await?),
            false => None,
        };
        let reasoned = reasoned(thought, planned, critique.as_ref(), confidence.as_ref());
        let assessment = match self.uses(assess::COMPONENT, &format!("assess/{version}")) {
            true => Some(assess::assess(self.work, version, &reasoned).await?),
            false => None,
        };
        Ok(Judgement { critique, confidence, assessment })
    }

    /// Whether a stage is used; in a replay, whether it was.
    fn uses(&self, component: &str, key: &str) -> bool {
        match self.work.journal.gate() {
            Some(_) => self.work.journal.known(key).is_some(),
            None => !self.work.switched_off(component),
        }
    }

    /// The decision, on record: what another pass costs depends on the day.
    async fn gated(&self, version: u32, judged: &Judged<'_>) -> Result<Next, Halt> {
        let key = format!("gate/{version}");
        let (next, why) = match self.work.journal.known(&key) {
            Some(Event::Gated { next, why, .. }) => (*next, why.clone()),
            _ => gate::judge(judged, &self.work.runtime.settings.gate),
        };
        self.work.journal.record(key, Event::Gated { version, next, why }).await?;
        Ok(next)
    }

    /// Questions of the critic that were not asked before, where people may be asked.
    fn questions(&self, critique: &Critique, answers: &[Answer]) -> Vec<String> {
        let asked = |question: &&String| answers.iter().any(|answer| answer.question == **question);
        let all = critique.follow_up_questions.iter().filter(|question| !question.trim().is_empty());
        let fresh = all.filter(|question| !asked(question)).take(QUESTIONS).cloned();
        let allowed = self.work.runtime.settings.questions && !self.work.request.wishes.plan_only;
        if allowed { fresh.collect() } else { Vec::new() }
    }

    async fn ask(&self, version: u32, questions: Vec<String>) -> Result<Vec<Answer>, Halt> {
        let mut answers = Vec::new();
        for (at, question) in questions.into_iter().enumerate() {
            let name = format!("ask/critic/{version}/{}", at + 1);
            let need = Need::Answer { question: question.clone() };
            let said = self.work.journal.answer(&name, need, self.work.until()).await?;
            let answer = match said.as_str().map(str::trim) {
                Some("") | None => "they did not say".to_owned(),
                Some(words) => crate::context::cap(words, 2_000),
            };
            answers.push(Answer { question, answer });
        }
        Ok(answers)
    }

    /// The version everybody was surest of; the last one, where nothing is gained by going back to another.
    async fn best(
        &self,
        planning: &mut Planning,
        planned: Planned,
        overall: Score,
        judged: &[Weighed],
    ) -> Result<(Planned, Score), Halt> {
        const BETTER_BY: f64 = 0.05;
        let best = judged.iter().max_by(|left, right| left.overall.get().total_cmp(&right.overall.get()));
        match best.filter(|best| best.overall.get() > overall.get() + BETTER_BY) {
            None => Ok((planned, overall)),
            Some(best) => {
                let because = format!(
                    "version {} was judged better: confidence {} instead of {overall}",
                    best.planned.version, best.overall
                );
                Ok((planning.return_to(self.work, &best.planned, because).await?, best.overall))
            }
        }
    }

    /// A person decides about a plan that nobody could make good enough, before anything of it happens.
    async fn escalate(
        &self,
        planning: &mut Planning,
        planned: Planned,
        overall: Score,
        judged: &[Weighed],
    ) -> Result<Result<(Planned, Score), NoPlan>, Halt> {
        let (planned, overall) = self.best(planning, planned, overall, judged).await?;
        let objection = judged.iter().rev().find(|weighed| weighed.overall == overall);
        let objection = objection.and_then(|weighed| weighed.objection.as_deref());
        let why = objection.map_or_else(String::new, |words| format!(": {}", words.trim_end_matches('.')));
        let doubt = format!("this plan was not judged good enough (confidence {overall}){why}");
        Ok(Ok((Planned { doubtful: Some(doubt), ..planned }, overall)))
    }
}

/// What goes back into the next thought and the next plan.
fn all_objections(said: &Judgement) -> Vec<String> {
    let mut lines = said.critique.as_ref().map(critique::objections).unwrap_or_default();
    if let Some(assessment) = &said.assessment {
        if assessment.should_replan || assessment.should_deepen {
            lines.push(assessment.assessment.clone());
        }
        lines.extend(assessment.recommended_actions.iter().map(|action| format!("To do: {action}")));
    }
    lines.retain(|line| !line.trim().is_empty());
    lines
}

/// The reasoning behind a version, for the meta-agent.
fn reasoned(
    thought: Option<&Thought>,
    planned: &Planned,
    critique: Option<&Critique>,
    confidence: Option<&Confidence>,
) -> Reasoned {
    const CHARS: usize = 8_000;
    let json = |value: serde_json::Value| crate::context::cap(&value.to_string(), CHARS);
    let unsaid = Score::nearest(0.5);
    let plan_json = serde_json::to_value(PlanDraft::from(planned.plan.clone())).unwrap_or_default();
    Reasoned {
        thoughts: thought
            .map(|thought| Part { words: think::aloud(thought), score: thought.confidence.unwrap_or(unsaid) }),
        plan: Some(Part {
            words: json(plan_json),
            score: planned.notes.as_ref().and_then(|notes| notes.confidence).unwrap_or(of_proof(&planned.findings)),
        }),
        critique: critique.map(|critique| Part {
            words: json(serde_json::to_value(critique).unwrap_or_default()),
            score: of_critique(critique),
        }),
        confidence: confidence.map(|confidence| Part {
            words: json(serde_json::to_value(confidence).unwrap_or_default()),
            score: confidence.overall,
        }),
    }
}
