//! Stages of reasoning called alone, outside a run: with what the caller gives instead of what earlier stages said.

mod given;

use domain::critique::Critique;
use domain::id::RunId;
use domain::plan::{ActionDraft, PlanDraft, StepDraft};
use domain::request::{Request, Text, Wishes};
use domain::score::Score;
use domain::stage::{PlanAnswer, Stage, StageAnswer};
use domain::store::StoreError;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Runtime;
use crate::critique::{Subject, by_proof};
use crate::meter::Meter;
use crate::plan::Planning;
use crate::recall::Recalled;
use crate::record::{Halt, Journal};
use crate::score::{Reported, weigh};
use crate::think::{Matter, one_pass, plainly};
use crate::verify::{self, Verified};
use crate::work::Work;
use crate::{assess, critique, received};

/// What stands for a request that was not told.
const UNTOLD: &str = "The request was not given.";

/// What a caller gives a stage to work on. Anything may be missing; what a stage cannot do without it says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct StageContext {
    /// What was asked.
    pub query: Option<String>,
    /// What was thought: text, or a thought as a thinker answers it.
    pub thoughts: Option<Value>,
    /// The plan, as a planner answers it.
    pub plan: Option<Value>,
    /// The critique, as a critic answers it.
    pub critique: Option<Value>,
    /// The confidence: a number, or as a scorer answers it.
    pub confidence_score: Option<Value>,
    /// What the meta-agent said.
    pub assessment: Option<Value>,
}

/// Why a stage gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// Give it something to work on.
    #[error("{0}")]
    Nothing(String),
    /// Correct what was given.
    #[error("{0}")]
    Context(String),
    /// Switch it on.
    #[error("`{}` is switched off", .0.name())]
    Disabled(Stage),
    /// Ask for less, or raise the budget.
    #[error("the budget does not allow it: {0}")]
    OverBudget(String),
    /// See there.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Runtime {
    /// Calls one stage with what the caller gives. With a model where there is one, without otherwise.
    pub async fn alone(&self, stage: Stage, context: &StageContext) -> Result<StageAnswer, StageError> {
        self.refresh_components().await?;
        if self.component(stage.component()).disabled {
            return Err(StageError::Disabled(stage));
        }
        let text = match context.query.as_deref().map(str::trim) {
            Some("") | None if matches!(stage, Stage::Thinker | Stage::Planner) => {
                return Err(StageError::Nothing(format!("{} needs the request: give `userQuery`", stage.name())));
            }
            Some("") | None => UNTOLD,
            Some(words) => words,
        };
        let text = Text::try_from(text.to_owned()).map_err(|error| StageError::Context(error.to_string()))?;
        let request = Request {
            text,
            at: Timestamp::now(),
            zone: None,
            place: None,
            session: None,
            user: None,
            earlier: Vec::new(),
            wishes: Wishes { dry: true, ..Wishes::default() },
        };
        let meter = Meter::new(self.settings.budget.clone(), &[]);
        let journal = Journal::trying(RunId::fresh(), received(request.clone(), None), Default::default());
        let work = Work::new(self, &request, &journal, &meter);
        tokio::select! {
            biased;
            error = journal.write_nowhere() => Err(error.into()),
            answer = answer(&work, stage, context) => answer,
        }
    }
}

impl From<Halt> for StageError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Store(error) => StageError::Store(error),
            Halt::OverBudget(limit) => StageError::OverBudget(limit),
            Halt::Diverged(detail) => StageError::Context(detail),
            Halt::Waits => StageError::Context("a stage that is called alone cannot wait for an answer".into()),
        }
    }
}

async fn answer(work: &Work<'_>, stage: Stage, context: &StageContext) -> Result<StageAnswer, StageError> {
    match stage {
        Stage::Thinker => think(work, context).await.map(StageAnswer::Thought),
        Stage::Planner => plan(work, context).await.map(StageAnswer::Plan),
        Stage::Critic => criticise(work, context).await.map(StageAnswer::Critique),
        Stage::Scorer => {
            let reported = given::reported(context)?;
            if reported == Reported::default() {
                let needs = "confidence-scorer needs `thoughts`, `plan` or `critique` with a confidence to weigh";
                return Err(StageError::Nothing(needs.into()));
            }
            let history = work.runtime.lately.history(work.runtime.store.as_ref()).await?;
            Ok(StageAnswer::Confidence(weigh(reported, &work.runtime.settings.weights, &history)))
        }
        Stage::MetaAgent => {
            let reasoned = given::reasoned(context)?;
            if reasoned.is_empty() {
                let needs = "there is nothing to assess: give `thoughts`, `plan`, `critique` or `confidenceScore`";
                return Err(StageError::Nothing(needs.into()));
            }
            Ok(StageAnswer::Assessment(assess::judge(work, "assess/1", &reasoned).await?))
        }
        Stage::Replanner => replan(work, context).await.map(StageAnswer::Plan),
    }
}

async fn think(work: &Work<'_>, context: &StageContext) -> Result<domain::thought::Thought, StageError> {
    let before = context.thoughts.as_ref().and_then(given::thought);
    let objections = given::objections(context);
    let matter = Matter { before: before.as_ref(), objections: &objections, answers: &[] };
    Ok(one_pass(work, &Recalled::default(), "think/1/1", before.as_ref(), &matter).await?)
}

async fn plan(work: &Work<'_>, context: &StageContext) -> Result<PlanAnswer, StageError> {
    if !work.asks(Stage::Planner.component()) {
        return Ok(without_a_planner(work));
    }
    let thought = context.thoughts.as_ref().and_then(given::thought);
    let planned = Planning::default().plan_and_configure_agent(work, &Recalled::default(), thought.as_ref()).await?;
    Ok(match planned {
        Ok(planned) => given::plan_answer(planned),
        Err(no_plan) => PlanAnswer { rationale: no_plan.error, ..without_a_planner(work) },
    })
}

/// What the request itself means, where that is clear; a single step for an agent otherwise.
fn without_a_planner(work: &Work<'_>) -> PlanAnswer {
    let text = work.request.text.as_str();
    let clear = work.runtime.reflexes.as_ref().and_then(|reflexes| {
        let judgement = reflexes.roles().judge(text, &crate::route::circumstances(work, &[]));
        let clear = judgement.parts.iter().all(|part| part.act.is_some() && part.missing.is_none());
        (clear && !judgement.parts.is_empty())
            .then(|| (reflex::draft(text, &judgement), Score::nearest(judgement.confidence)))
    });
    let (plan, confidence, rationale) = match clear {
        Some((plan, sure)) => (plan, Some(sure), "the request is clear without a model".to_owned()),
        None => {
            let tools = plainly(work, &Matter::default()).recommended_tools;
            let how = ActionDraft { tools, ..ActionDraft::default() };
            let step = StepDraft { id: Some("answer".into()), goal: text.to_owned(), how, ..StepDraft::default() };
            let plan = PlanDraft { goal: text.to_owned(), steps: vec![step], ..PlanDraft::default() };
            (plan, None, "no model planned this: one agent gets the whole request".to_owned())
        }
    };
    let findings = prove(work, &plan).map_or_else(|findings| findings, |(_, verified)| verified.findings);
    PlanAnswer { version: 1, plan, confidence, rationale, alternatives: Vec::new(), findings }
}

async fn criticise(work: &Work<'_>, context: &StageContext) -> Result<Critique, StageError> {
    let draft =
        given::plan(context)?.ok_or_else(|| StageError::Nothing("critic-agent needs a `plan` to criticise".into()))?;
    let thought = context.thoughts.as_ref().and_then(given::thought).map(|thought| crate::think::aloud(&thought));
    match prove(work, &draft) {
        Ok((plan, verified)) => {
            let subject =
                Subject { plan: &plan, findings: &verified.findings, thought: thought.as_deref(), answers: &[] };
            Ok(critique::judge(work, &Recalled::default(), "critique/1", &subject).await?)
        }
        // What is no plan needs no critic: the faults themselves are the critique.
        Err(findings) => {
            let steps = vec![StepDraft { goal: "nothing".into(), ..StepDraft::default() }];
            let empty = domain::plan::Plan::parse(PlanDraft { steps, ..PlanDraft::default() });
            let empty = empty.map_err(|_| StageError::Context("the plan cannot be read".into()))?;
            let subject = Subject { plan: &empty, findings: &findings, thought: None, answers: &[] };
            Ok(by_proof(work.request.text.as_str(), &subject))
        }
    }
}

async fn replan(work: &Work<'_>, context: &StageContext) -> Result<PlanAnswer, StageError> {
    let draft = given::plan(context)?
        .ok_or_else(|| StageError::Nothing("replan-agent needs the `plan` that is to be replaced".into()))?;
    let objections = given::objections(context);
    if objections.is_empty() {
        let needs = "replan-agent needs a `critique` or an `assessment` that says what is wrong";
        return Err(StageError::Nothing(needs.into()));
    }
    let version = given::version(context) + 1;
    if !work.asks(Stage::Replanner.component()) {
        let findings = prove(work, &draft).map_or_else(|findings| findings, |(_, verified)| verified.findings);
        let rationale = "there is no model to plan again with: the plan is as it was".to_owned();
        return Ok(PlanAnswer {
            version,
            plan: draft,
            confidence: None,
            rationale,
            alternatives: Vec::new(),
            findings,
        });
    }
    let thought = context.thoughts.as_ref().and_then(given::thought);
    let mut planning = Planning::default();
    planning.begin_with(work, &draft)?;
    let revised = planning.revise(work, &objections, &[], thought.as_ref(), &objections[0]).await?;
    Ok(match revised {
        Ok(planned) => PlanAnswer { version, ..given::plan_answer(planned) },
        Err(no_plan) => PlanAnswer { version, plan: draft, rationale: no_plan.error, ..PlanAnswer::default() },
    })
}

fn prove(work: &Work<'_>, draft: &PlanDraft) -> Result<(domain::plan::Plan, Verified), Vec<domain::finding::Finding>> {
    let plan = verify::read(&serde_json::to_value(draft).unwrap_or_default())?;
    let verified = verify::verify(&plan, &work.measures());
    if verified.holds() { Ok((plan, verified)) } else { Err(verified.findings) }
}
