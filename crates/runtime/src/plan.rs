//! Meta-planning: a plan for the request and a configuration for the agent that carries it out, from a model that is told
//! what it got wrong, or from the request itself.

use domain::agent::{AgentConfiguration, AgentDraft};
use domain::chat::{Message, Tier};
use domain::event::{Event, StepOutcome};
use domain::finding::Weight;
use domain::id::ToolName;
use domain::plan::{Action, ActionDraft, AgentTask, Plan, PlanDraft, StepDraft};
use domain::role::Role;
use domain::run::FailureKind;
use serde_json::Value;

use crate::ask::{NoAnswer, Question, ask};
use crate::engine::Results;
use crate::prompt::{Planner, Refused, Replan, StepLine, render};
use crate::recall::{Recalled, recall};
use crate::record::Halt;
use crate::verify::{self, Given};
use crate::work::Work;

/// A plan that can be carried out, and by whom.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Planned {
    pub(crate) version: u32,
    pub(crate) plan: Plan,
    pub(crate) configuration: Option<AgentConfiguration>,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NoPlan {
    pub(crate) kind: FailureKind,
    pub(crate) error: String,
}

/// What the planner made so far: attempts are counted over the whole run, and a first plan freezes what can be reached.
#[derive(Default)]
pub(crate) struct Planning {
    attempts: u32,
    versions: u32,
    frozen: Option<Vec<ToolName>>,
    messages: Vec<Message>,
}

impl Planning {
    /// The plan that came with the request.
    pub(crate) async fn given(&mut self, work: &Work<'_>, draft: &Value) -> Result<Result<Planned, NoPlan>, Halt> {
        let checked = verify::read(draft).map_err(said).and_then(|plan| {
            let verified = verify::verify(&plan, &self.given_by(work, None, None));
            if verified.holds() { Ok(plan) } else { Err(said(verified.findings)) }
        });
        self.attempts += 1;
        match checked {
            Ok(plan) => self.accept(work, plan, None, None).await.map(Ok),
            Err(findings) => {
                self.refuse(work, &findings).await?;
                Ok(Err(NoPlan { kind: FailureKind::Plan, error: findings.join("; ") }))
            }
        }
    }

    /// The plan that a judgement means.
    pub(crate) async fn clear(&mut self, work: &Work<'_>, draft: PlanDraft) -> Result<Result<Planned, NoPlan>, Halt> {
        let draft = serde_json::to_value(draft).unwrap_or_default();
        let planned = self.given(work, &draft).await;
        // If it fails, a planner plans the request for the first time: only then is it known what it takes.
        self.frozen = None;
        planned
    }

    /// One step for the agent of a role, which knows what was said before.
    pub(crate) async fn role(&mut self, work: &Work<'_>, role: &Role) -> Result<Result<Planned, NoPlan>, Halt> {
        let Recalled { memories, recent, .. } = recall(work).await?;
        let mut prompt = role.prompt.trim().to_owned();
        for (title, lines) in
            [("Earlier in this conversation, newest first", &recent), ("What you remember", &memories)]
        {
            if !lines.is_empty() {
                prompt.push_str(&format!("\n\n{title}:\n- {}", lines.join("\n- ")));
            }
        }
        let there = |tool: &&ToolName| work.runtime.tools.tool(tool).is_some();
        let how = ActionDraft {
            prompt,
            tools: role.tools.iter().filter(there).map(ToString::to_string).collect(),
            ..ActionDraft::default()
        };
        let text = work.request.text.as_str().to_owned();
        let step = StepDraft { id: Some(role.name.clone()), goal: text.clone(), how, ..StepDraft::default() };
        self.clear(work, PlanDraft { goal: text, steps: vec![step], ..PlanDraft::default() }).await
    }

    /// Asks a planner for a plan and the configuration of its agent.
    pub(crate) async fn plan_and_configure_agent(&mut self, work: &Work<'_>) -> Result<Result<Planned, NoPlan>, Halt> {
        let Recalled { memories, recent, .. } = recall(work).await?;
        let text = planner_prompt(work, &memories, &recent)?;
        self.messages = vec![Message::System { text }, Message::User { text: work.request.text.as_str().to_owned() }];
        self.draft_until_valid(work, None, &Results::default()).await
    }

    /// Asks for a new version of the part of a plan that is left. Finished work is kept.
    pub(crate) async fn replan(
        &mut self,
        work: &Work<'_>,
        current: &Plan,
        results: &Results,
        reason: &str,
    ) -> Result<Result<Planned, NoPlan>, Halt> {
        if self.versions > work.runtime.settings.max_replans {
            let error = format!("{reason}; the plan was replaced {} times already", self.versions - 1);
            return Ok(Err(NoPlan { kind: FailureKind::Step, error }));
        }
        if work.runtime.models.is_empty() {
            return Ok(Err(NoPlan { kind: FailureKind::Step, error: reason.to_owned() }));
        }
        if self.messages.is_empty() {
            self.messages.push(Message::System { text: planner_prompt(work, &[], &[])? });
        }
        let steps = step_lines(current, results);
        self.messages.push(Message::User { text: render(work, &Replan { reason, steps: &steps })? });
        let replanned = self.draft_until_valid(work, Some((current, reason)), results).await?;
        Ok(replanned.map_err(|no_plan| NoPlan {
            kind: FailureKind::Step,
            error: format!("{reason}; there is no other plan: {}", no_plan.error),
        }))
    }

    async fn draft_until_valid(
        &mut self,
        work: &Work<'_>,
        replaced: Option<(&Plan, &str)>,
        results: &Results,
    ) -> Result<Result<Planned, NoPlan>, Halt> {
        let mut findings = Vec::new();
        for _ in 0..=work.runtime.settings.max_replans {
            self.attempts += 1;
            let key = format!("plan/{}/model", self.attempts);
            let question =
                Question { key: &key, component: "planner", tier: Tier::Strong, messages: self.messages.clone() };
            let draft: AgentDraft = match ask(work, question).await? {
                Ok(draft) => draft,
                Err(NoAnswer::Model(error)) => {
                    return Ok(Err(NoPlan { kind: FailureKind::Model, error: error.to_string() }));
                }
                Err(no_answer @ NoAnswer::Form(_)) => {
                    self.refuse(work, &[no_answer.to_string()]).await?;
                    return Ok(Err(NoPlan { kind: FailureKind::Plan, error: no_answer.to_string() }));
                }
            };
            let answered = serde_json::to_string(&draft.plan).unwrap_or_default();
            match self.check(work, draft, replaced.map(|(plan, _)| plan), results) {
                Ok((plan, configuration)) => {
                    self.messages.push(Message::Assistant { text: answered, calls: Vec::new() });
                    let because = replaced.map(|(_, reason)| reason.to_owned());
                    return self.accept(work, plan, Some(configuration), because).await.map(Ok);
                }
                Err(wrong) => {
                    self.refuse(work, &wrong).await?;
                    self.messages.push(Message::Assistant { text: answered, calls: Vec::new() });
                    self.messages.push(Message::User { text: render(work, &Refused { findings: &wrong })? });
                    findings = wrong;
                }
            }
        }
        Ok(Err(NoPlan { kind: FailureKind::Plan, error: findings.join("; ") }))
    }

    fn check(
        &self,
        work: &Work<'_>,
        draft: AgentDraft,
        replaced: Option<&Plan>,
        results: &Results,
    ) -> Result<(Plan, AgentConfiguration), Vec<String>> {
        let settings = &work.runtime.settings;
        let (mut plan, mut configuration) = read_draft(draft, work.request.text.as_str(), settings.max_iterations)?;
        if let Some(old) = replaced {
            keep_finished(old, &mut plan, results)?;
        }
        let plan =
            Plan::parse(plan).map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        limit_tools(&mut configuration, &plan, settings.max_tools);
        let verified = verify::verify(&plan, &self.given_by(work, Some(&configuration), self.frozen.as_deref()));
        if verified.holds() { Ok((plan, configuration)) } else { Err(said(verified.findings)) }
    }

    fn given_by<'g>(
        &self,
        work: &'g Work<'_>,
        configuration: Option<&'g AgentConfiguration>,
        frozen: Option<&'g [ToolName]>,
    ) -> Given<'g> {
        let settings = &work.runtime.settings;
        Given {
            tools: work.runtime.tools.as_ref(),
            rules: &settings.rules,
            budget: work.meter.budget(),
            max_iterations: settings.max_iterations,
            price: None,
            configuration,
            frozen,
            pins: None,
        }
    }

    async fn accept(
        &mut self,
        work: &Work<'_>,
        plan: Plan,
        configuration: Option<AgentConfiguration>,
        because: Option<String>,
    ) -> Result<Planned, Halt> {
        self.versions += 1;
        let version = self.versions;
        if self.frozen.is_none() {
            let mut reachable = plan.tools();
            reachable.extend(configuration.iter().flat_map(|configuration| configuration.tool_names.clone()));
            self.frozen = Some(reachable);
        }
        let event = Event::Planned {
            version,
            plan: plan.clone(),
            configuration: configuration.clone().map(Box::new),
            because,
            notes: None,
        };
        work.journal.record(format!("plan/{}", self.attempts), event).await?;
        Ok(Planned { version, plan, configuration })
    }

    async fn refuse(&self, work: &Work<'_>, findings: &[String]) -> Result<(), Halt> {
        let event = Event::PlanRefused { version: self.attempts, findings: findings.to_vec() };
        work.journal.record(format!("plan/{}/refused", self.attempts), event).await
    }
}

fn said(findings: Vec<domain::finding::Finding>) -> Vec<String> {
    findings.into_iter().filter(|finding| finding.weight == Weight::Fatal).map(|finding| finding.to_string()).collect()
}

fn planner_prompt(work: &Work<'_>, memories: &[String], recent: &[String]) -> Result<String, Halt> {
    let prompt = Planner {
        request: work.request.text.as_str(),
        now: &work.request.at.to_string(),
        zone: work.request.zone.as_deref(),
        place: work.request.place.as_deref(),
        recent,
        memories,
        tools: &work.runtime.tools.listing(None),
        max_iterations: work.runtime.settings.max_iterations,
        max_tools: work.runtime.settings.max_tools,
    };
    render(work, &prompt)
}

/// A draft as a plan and an agent. A plan in words becomes one step for an agent with all the tools.
fn read_draft(
    mut draft: AgentDraft,
    request: &str,
    max_iterations: u32,
) -> Result<(PlanDraft, AgentConfiguration), Vec<String>> {
    let steps = match &draft.plan {
        Value::Object(fields) if fields.contains_key("steps") => Some(draft.plan.clone()),
        Value::Array(items) if items.iter().any(Value::is_object) => Some(serde_json::json!({ "steps": items })),
        _ => None,
    };
    let plan = match steps {
        Some(steps) => serde_json::from_value::<PlanDraft>(steps).map_err(|error| vec![format!("plan: {error}")])?,
        None => PlanDraft {
            goal: request.to_owned(),
            steps: vec![StepDraft {
                id: Some("answer".into()),
                goal: request.to_owned(),
                how: domain::plan::ActionDraft { tools: draft.tool_names.clone(), ..Default::default() },
                ..StepDraft::default()
            }],
            ..PlanDraft::default()
        },
    };
    if draft.system_prompt.trim().is_empty() {
        draft.system_prompt = "You carry out a plan for a person, with the tools you are given.".into();
    }
    draft.max_iterations.get_or_insert(i64::from(max_iterations));
    if let Value::Object(fields) = &draft.plan {
        // The steps are given to the agent by themselves; what is left in words is the goal.
        draft.plan = fields.get("goal").cloned().unwrap_or_default();
    } else if draft.plan.as_array().is_some_and(|items| items.iter().any(Value::is_object)) {
        draft.plan = Value::Null;
    }
    let configuration = AgentConfiguration::try_from(draft).map_err(|error| vec![error.to_string()])?;
    Ok((plan, configuration))
}

/// An agent gets at most so many tools: those its plan calls for first, then the others in the planner's order.
fn limit_tools(configuration: &mut AgentConfiguration, plan: &Plan, max_tools: usize) {
    let mut wanted = plan.tools();
    wanted.extend(configuration.tool_names.iter().filter(|tool| !plan.tools().contains(tool)).cloned());
    let left_out: Vec<Value> = wanted.iter().skip(max_tools).map(|tool| Value::String(tool.to_string())).collect();
    wanted.truncate(max_tools);
    configuration.tool_names = wanted;
    if !left_out.is_empty() {
        configuration.metadata.insert("tools_left_out".into(), left_out.into());
    }
}

/// Puts the steps of an old plan that are done before those of a new one.
fn keep_finished(old: &Plan, new: &mut PlanDraft, results: &Results) -> Result<(), Vec<String>> {
    let kept: Vec<_> = old.steps().iter().filter(|step| results.output(&step.id).is_some()).cloned().collect();
    new.steps.retain(|step| !kept.iter().any(|done| step.id.as_deref() == Some(done.id.as_str())));
    if new.steps.is_empty() {
        return Err(vec!["the new plan has no steps that are still to be done".into()]);
    }
    new.steps.splice(0..0, kept.into_iter().map(StepDraft::from));
    Ok(())
}

/// The steps of a plan as prompts list them.
pub(crate) fn step_lines(plan: &Plan, results: &Results) -> Vec<StepLine> {
    plan.steps()
        .iter()
        .map(|step| StepLine {
            id: step.id.to_string(),
            goal: step.goal.clone(),
            how: match &step.action {
                Action::Call(call) => format!("`{}` with {}", call.tool, call.arguments),
                Action::Agent(AgentTask { tools, .. }) if tools.is_empty() => String::new(),
                Action::Agent(AgentTask { tools, .. }) => {
                    format!("with {}", tools.iter().map(|tool| format!("`{tool}`")).collect::<Vec<_>>().join(", "))
                }
            },
            after: step.after.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", "),
            status: match results.get(&step.id) {
                None => "to do".into(),
                Some(StepOutcome::Done { .. }) => "done".into(),
                Some(StepOutcome::Failed { reason, .. }) => format!("failed: {reason}"),
                Some(StepOutcome::Skipped { reason }) => format!("skipped: {reason}"),
            },
        })
        .collect()
}
