//! Meta-planning: a plan for the request and a configuration for the agent that carries it out, from a model that is told
//! what it got wrong, or from the request itself.

mod draft;
mod given;
mod person;
mod planned;

use domain::agent::{AgentConfiguration, AgentDraft};
use domain::chat::Message;
use domain::event::Event;
use domain::finding::{Bounds, Finding};
use domain::id::ToolName;
use domain::plan::{Notes, Plan, PlanDraft};
use domain::run::FailureKind;
use domain::stage::Stage;
use domain::thought::Thought;

use crate::ask::{NoAnswer, Question, ask};
use crate::engine::Results;
use crate::lend;
use crate::prompt::{Refused, Replan, Revise, render};
use crate::recall::Recalled;
use crate::record::Halt;
use crate::think::{self, Answer};
use crate::verify::{self, Given, Verified};
use crate::work::Work;

pub(crate) use draft::{step_lines, steps_of};
pub(crate) use planned::{NoPlan, Planned};

/// What the component is called in configuration, for first plans and for later ones.
pub(crate) const COMPONENT: &str = Stage::Planner.component();
pub(crate) const AGAIN: &str = Stage::Replanner.component();

/// What the planner made so far: attempts are counted over the whole run, and what is carried out first freezes what can
/// be reached.
#[derive(Default)]
pub(crate) struct Planning {
    attempts: u32,
    versions: u32,
    replaced: u32,
    frozen: Option<Vec<ToolName>>,
    alternatives: Vec<PlanDraft>,
    messages: Vec<Message>,
    /// What the first plan was made with; later ones are made with the same.
    recalled: Recalled,
}

/// What a new plan takes the place of.
#[derive(Clone, Copy, Default)]
struct Instead<'i> {
    /// A plan that is under way: what is done of it is kept.
    of: Option<(&'i Plan, &'i Results)>,
    because: Option<&'i str>,
}

/// A draft that holds.
struct Sound {
    plan: Plan,
    configuration: Option<AgentConfiguration>,
    notes: Option<Notes>,
    verified: Verified,
}

impl Planning {
    /// Asks a planner for a plan and the configuration of its agent.
    pub(crate) async fn plan_and_configure_agent(
        &mut self,
        work: &Work<'_>,
        recalled: &Recalled,
        thought: Option<&Thought>,
    ) -> Result<Result<Planned, NoPlan>, Halt> {
        let text = draft::planner_prompt(work, recalled, thought)?;
        self.recalled = recalled.clone();
        self.messages = vec![Message::System { text }, Message::User { text: work.request.text.as_str().to_owned() }];
        self.draft_until_valid(work, Instead::default()).await
    }

    /// Takes a plan from elsewhere for what was said last.
    pub(crate) fn begin_with(&mut self, work: &Work<'_>, draft: &PlanDraft) -> Result<(), Halt> {
        let text = draft::planner_prompt(work, &Recalled::default(), None)?;
        let answered = serde_json::to_string(draft).unwrap_or_default();
        self.messages = vec![
            Message::System { text },
            Message::User { text: work.request.text.as_str().to_owned() },
            Message::Assistant { text: answered, calls: Vec::new() },
        ];
        Ok(())
    }

    /// Asks for a better plan, of which nothing has happened yet, with what was wrong with the last one.
    pub(crate) async fn revise(
        &mut self,
        work: &Work<'_>,
        objections: &[String],
        answers: &[Answer],
        thought: Option<&Thought>,
        because: &str,
    ) -> Result<Result<Planned, NoPlan>, Halt> {
        let thought = thought.map(think::aloud);
        let prompt = Revise { objections, answers, thought: thought.as_deref() };
        self.messages.push(Message::User { text: render(work, &prompt)? });
        self.draft_until_valid(work, Instead { of: None, because: Some(because) }).await
    }

    /// Another version that is a plan of before.
    pub(crate) async fn return_to(
        &mut self,
        work: &Work<'_>,
        planned: &Planned,
        because: String,
    ) -> Result<Planned, Halt> {
        self.attempts += 1;
        let verified = Verified { findings: planned.findings.clone(), bounds: planned.bounds };
        let Planned { plan, configuration, notes, .. } = planned.clone();
        self.accept(work, Sound { plan, configuration, notes, verified }, Some(because)).await
    }

    /// Whether what is carried out is what was planned, and not what took its place on the way.
    pub(crate) fn went_as_planned(&self) -> bool {
        self.replaced == 0
    }

    /// From now on something may happen: later plans can add reads, but nothing that changes or reveals anything.
    pub(crate) fn freeze(&mut self, planned: &Planned) {
        let mut reachable = planned.plan.tools();
        reachable.extend(planned.configuration.iter().flat_map(|configuration| configuration.tool_names.clone()));
        self.alternatives = planned.notes.as_ref().map(|notes| notes.alternatives.clone()).unwrap_or_default();
        for other in self.alternatives.iter().filter_map(|draft| Plan::parse(draft.clone()).ok()) {
            reachable.extend(other.tools());
        }
        self.frozen.get_or_insert(reachable);
    }

    /// Asks for a new version of the part of a plan that is left. Finished work is kept; what the planner thought of as
    /// another way comes first.
    pub(crate) async fn replan(
        &mut self,
        work: &Work<'_>,
        current: &Plan,
        results: &Results,
        reason: &str,
    ) -> Result<Result<Planned, NoPlan>, Halt> {
        if self.replaced >= work.runtime.settings.max_replans || work.switched_off(AGAIN) {
            let often = if self.replaced == 0 {
                String::new()
            } else {
                format!("; the plan was replaced {} times already", self.replaced)
            };
            return Ok(Err(NoPlan { kind: FailureKind::Step, error: format!("{reason}{often}") }));
        }
        self.replaced += 1;
        let instead = Instead { of: Some((current, results)), because: Some(reason) };
        while !self.alternatives.is_empty() {
            let other = self.alternatives.remove(0);
            if let Some(planned) = self.fall_back(work, other, instead).await? {
                return Ok(Ok(planned));
            }
        }
        if work.runtime.models.is_empty() {
            return Ok(Err(NoPlan { kind: FailureKind::Step, error: reason.to_owned() }));
        }
        if self.messages.is_empty() {
            self.messages.push(Message::System { text: draft::planner_prompt(work, &self.recalled, None)? });
        }
        let steps = step_lines(current, results);
        self.messages.push(Message::User { text: render(work, &Replan { reason, steps: &steps })? });
        let replanned = self.draft_until_valid(work, instead).await?;
        Ok(replanned.map_err(|no_plan| NoPlan {
            kind: FailureKind::Step,
            error: format!("{reason}; there is no other plan: {}", no_plan.error),
        }))
    }

    async fn draft_until_valid(
        &mut self,
        work: &Work<'_>,
        instead: Instead<'_>,
    ) -> Result<Result<Planned, NoPlan>, Halt> {
        let component = if instead.because.is_some() { AGAIN } else { COMPONENT };
        if work.switched_off(component) {
            let error = format!("`{component}` is switched off: there is nobody to plan it");
            return Ok(Err(NoPlan { kind: FailureKind::Model, error }));
        }
        let mut error = String::new();
        let most = work.runtime.settings.max_replans + 1;
        for _ in 0..most {
            self.attempts += 1;
            let key = format!("plan/{}/model", self.attempts);
            let question = Question {
                key: &key,
                component,
                tier: Stage::Planner.tier().unwrap_or_default(),
                messages: self.messages.clone(),
            };
            let draft: AgentDraft = match ask(work, question).await? {
                Ok(draft) => draft,
                Err(NoAnswer::Model(error)) => {
                    return Ok(Err(NoPlan { kind: FailureKind::Model, error: error.to_string() }));
                }
                Err(no_answer @ NoAnswer::Form(_)) => {
                    self.refuse(work, &[verify::unreadable(no_answer.to_string())]).await?;
                    return Ok(Err(NoPlan { kind: FailureKind::Plan, error: no_answer.to_string() }));
                }
            };
            let answered = serde_json::to_string(&draft.plan).unwrap_or_default();
            lend::meet(work, &draft.plan).await?;
            lend::meet(work, &draft.tool_names.clone().into()).await?;
            self.messages.push(Message::Assistant { text: answered, calls: Vec::new() });
            let notes = draft::notes_of(&draft);
            let others = notes.alternatives.clone();
            let findings = match self.check(work, draft, notes, instead) {
                Ok(sound) => {
                    self.proved(work, &sound.verified.findings, Some(sound.verified.bounds)).await?;
                    return self.accept(work, sound, instead.because.map(str::to_owned)).await.map(Ok);
                }
                Err(findings) => findings,
            };
            self.refuse(work, &findings).await?;
            let wrong = draft::said(&findings);
            for other in others {
                let because = format!("the plan cannot be carried out: {}", wrong.join("; "));
                let instead = Instead { because: Some(&because), ..instead };
                if let Some(planned) = self.fall_back(work, other, instead).await? {
                    return Ok(Ok(planned));
                }
            }
            self.messages.push(Message::User { text: render(work, &Refused { findings: &wrong })? });
            error = wrong.join("; ");
        }
        let times = if most == 1 { "once".to_owned() } else { format!("{most} times") };
        Ok(Err(NoPlan { kind: FailureKind::Plan, error: format!("no plan could be made, tried {times}: {error}") }))
    }

    /// Another way that a planner thought of, if it can be carried out.
    async fn fall_back(
        &mut self,
        work: &Work<'_>,
        other: PlanDraft,
        instead: Instead<'_>,
    ) -> Result<Option<Planned>, Halt> {
        self.attempts += 1;
        let draft = AgentDraft { plan: serde_json::to_value(other).unwrap_or_default(), ..AgentDraft::default() };
        match self.check(work, draft, Notes::default(), instead) {
            Ok(sound) => {
                self.proved(work, &sound.verified.findings, Some(sound.verified.bounds)).await?;
                let because = format!("{}; the planner had another way", instead.because.unwrap_or_default());
                Ok(Some(self.accept(work, sound, Some(because)).await?))
            }
            Err(findings) => {
                self.refuse(work, &findings).await?;
                Ok(None)
            }
        }
    }

    fn check(
        &self,
        work: &Work<'_>,
        draft: AgentDraft,
        notes: Notes,
        instead: Instead<'_>,
    ) -> Result<Sound, Vec<Finding>> {
        let unreadable = |problems: Vec<String>| problems.into_iter().map(verify::unreadable).collect::<Vec<_>>();
        let settings = &work.runtime.settings;
        let (mut plan, mut configuration) =
            draft::read_draft(draft, work.request.text.as_str(), settings.max_iterations).map_err(unreadable)?;
        if let Some((old, results)) = instead.of {
            draft::keep_finished(old, &mut plan, results).map_err(unreadable)?;
        }
        let plan = Plan::parse(plan).map_err(|problems| verify::misread(&problems))?;
        if instead.of.is_some_and(|(old, results)| *old == plan && results.any_failed()) {
            return Err(vec![verify::unreadable("this is the plan that failed: change something about it".into())]);
        }
        draft::limit_tools(&mut configuration, &plan, settings.max_tools);
        let verified = verify::verify(&plan, &self.measures(work, Some(&configuration)));
        if !verified.holds() {
            return Err(verified.findings);
        }
        let notes = Notes { pins: verify::pins(work.tools(), &plan), ..notes };
        Ok(Sound { plan, configuration: Some(configuration), notes: Some(notes), verified })
    }

    fn measures<'g>(&'g self, work: &'g Work<'_>, configuration: Option<&'g AgentConfiguration>) -> Given<'g> {
        Given { configuration, frozen: self.frozen.as_deref(), ..work.measures() }
    }

    async fn accept(&mut self, work: &Work<'_>, sound: Sound, because: Option<String>) -> Result<Planned, Halt> {
        let Sound { plan, configuration, notes, verified } = sound;
        self.versions += 1;
        let version = self.versions;
        let key = format!("plan/{}", self.attempts);
        // What was planned with stays what it was, whatever the tools are called today.
        let notes = match work.journal.known(&key) {
            Some(Event::Planned { notes, .. }) => notes.as_deref().cloned(),
            _ => notes,
        };
        let event = Event::Planned {
            version,
            plan: plan.clone(),
            configuration: configuration.clone().map(Box::new),
            because,
            notes: notes.clone().map(Box::new),
        };
        work.journal.record(key, event).await?;
        let confidence = notes.as_ref().and_then(|notes| notes.confidence);
        Ok(Planned {
            version,
            plan,
            configuration,
            notes,
            findings: verified.findings,
            bounds: verified.bounds,
            members: Vec::new(),
            doubtful: None,
            confidence,
            forecast: None,
        })
    }

    async fn proved(&self, work: &Work<'_>, findings: &[Finding], bounds: Option<Bounds>) -> Result<(), Halt> {
        let event = Event::Verified { attempt: self.attempts, findings: findings.to_vec(), bounds };
        work.journal.record(format!("plan/{}/verified", self.attempts), event).await
    }

    async fn refuse(&self, work: &Work<'_>, findings: &[Finding]) -> Result<(), Halt> {
        self.proved(work, findings, None).await?;
        let event = Event::PlanRefused { version: self.attempts, findings: draft::said(findings) };
        work.journal.record(format!("plan/{}/refused", self.attempts), event).await
    }
}
