//! What a person makes of a proposed plan: another one in its place, or words that a planner takes into account.

use domain::chat::Message;
use domain::event::Event;
use domain::library::{AgentBody, Choice, Decision, Kind, Member};
use domain::plan::{Action, AgentTask, Notes, Plan, PlanDraft, Step, Strategy};
use domain::run::FailureKind;
use domain::score::Score;
use serde_json::Value;

use super::{Instead, NoPlan, Planned, Planning, Sound, draft};
use crate::approve::UnderWay;
use crate::context::cap;
use crate::edit;
use crate::prompt::{Revise, render};
use crate::record::Halt;
use crate::staff::staff;
use crate::verify::{self, Given};
use crate::work::Work;

/// How many characters of what a person says a planner reads.
const WORDS: usize = 4_000;

impl Planning {
    /// The plan as it would be carried out: a team's with its agents. In a plan that came with the request the steps say
    /// themselves who carries them out.
    pub(crate) async fn ready(&self, work: &Work<'_>, planned: Planned, strategy: Strategy) -> Result<Planned, Halt> {
        match (strategy, &planned.notes) {
            (Strategy::Cohort, Some(_)) => staff(work, &self.recalled, planned).await,
            (Strategy::Cohort, None) | (Strategy::TaskGraph | Strategy::SingleAgent, _) => Ok(planned),
        }
    }

    /// The plan that a person wrote in the place of a proposed one, if it can be carried out.
    pub(crate) async fn changed(
        &mut self,
        work: &Work<'_>,
        proposed: &Planned,
        wanted: &Value,
        by: Option<String>,
    ) -> Result<Result<Planned, NoPlan>, Halt> {
        self.attempts += 1;
        // What a person adds is theirs to add: it need not have been part of the first plan.
        let given = Given { configuration: proposed.configuration.as_ref(), ..work.measures() };
        let (plan, verified) = match edit::plan(wanted, &given) {
            Ok(proved) => proved,
            Err(findings) => {
                self.refuse(work, &findings).await?;
                let wrong = draft::said(&findings).join("; ");
                let error = format!("the plan cannot be carried out as a person changed it: {wrong}");
                return Ok(Err(NoPlan { kind: FailureKind::Plan, error }));
            }
        };
        self.proved(work, &verified.findings, Some(verified.bounds)).await?;
        let configuration = proposed.configuration.clone().map(|mut agent| {
            let dropped: Vec<_> = proposed.plan.tools().into_iter().filter(|it| !plan.tools().contains(it)).collect();
            agent.tool_names.retain(|tool| !dropped.contains(tool));
            draft::limit_tools(&mut agent, &plan, work.runtime.settings.max_tools);
            agent
        });
        if let Some(frozen) = &mut self.frozen {
            frozen.extend(plan.tools());
        }
        let notes = proposed.notes.clone().map(|notes| Notes {
            alternatives: Vec::new(),
            pins: verify::pins(work.tools(), &plan),
            ..notes
        });
        let members = members(proposed, &plan, by.as_deref());
        let sound = Sound { plan, configuration, notes, verified };
        let planned = self.accept(work, sound, Some("a person changed it".into())).await?;
        if !members.is_empty() {
            let event = Event::Staffed { version: planned.version, members: members.clone() };
            work.journal.record(format!("staff/{}", planned.version), event).await?;
        }
        let Planned { forecast, confidence, .. } = proposed.clone();
        Ok(Ok(Planned { members, forecast, confidence, ..planned }))
    }

    /// Another plan that takes a person's words into account.
    pub(crate) async fn respond(
        &mut self,
        work: &Work<'_>,
        proposed: &Planned,
        words: &str,
        under_way: UnderWay<'_>,
    ) -> Result<Result<Planned, NoPlan>, Halt> {
        if self.messages.is_empty() {
            self.begin_with(work, &PlanDraft::from(proposed.plan.clone()))?;
        }
        let objections = [format!("The person who was asked to agree to it says: {}", cap(words.trim(), WORDS))];
        let prompt = Revise { objections: &objections, answers: &[], thought: None };
        self.messages.push(Message::User { text: render(work, &prompt)? });
        self.draft_until_valid(work, Instead { of: under_way, because: Some(&objections[0]) }).await
    }
}

/// The team after a person changed its plan: whom they changed is a new version of that agent, by that person.
fn members(proposed: &Planned, plan: &Plan, by: Option<&str>) -> Vec<Member> {
    if proposed.members.is_empty() {
        return Vec::new();
    }
    let judged = plan.steps().iter().filter_map(|step| match &step.action {
        Action::Agent(task) => member(proposed, step, task, by),
        Action::Call(_) => None,
    });
    judged.collect()
}

fn member(proposed: &Planned, step: &Step, task: &AgentTask, by: Option<&str>) -> Option<Member> {
    let AgentTask { agent: named, prompt, tools, max_iterations } = task.clone();
    let body = AgentBody { prompt, tools, max_iterations };
    let old = proposed.members.iter().find(|member| member.step == step.id);
    let same = |member: &&Member| {
        let AgentBody { prompt, tools, .. } = &member.agent;
        *prompt == body.prompt && *tools == body.tools
    };
    if let Some(member) = old.filter(same) {
        return Some(Member { goal: step.goal.clone(), ..member.clone() });
    }
    let item = old.map(|member| (member.name.clone(), member.draft().hash()));
    let decision = if item.is_some() { Decision::Adapt } else { Decision::Create };
    let choice = Choice {
        decision,
        kind: Kind::Agent,
        item,
        score: Score::ONE,
        why: "a person changed it".into(),
        considered: Vec::new(),
    };
    Some(Member {
        step: step.id.clone(),
        goal: step.goal.clone(),
        name: named.or_else(|| old.map(|member| member.name.clone())).or_else(|| step.id.as_str().parse().ok())?,
        description: old.map_or_else(|| step.goal.clone(), |member| member.description.clone()),
        keywords: old.map(|member| member.keywords.clone()).unwrap_or_default(),
        agent: body,
        choice,
        criticised: Vec::new(),
        by: by.map(str::to_owned),
    })
}
