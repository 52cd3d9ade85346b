//! Gives the steps of a plan that need judgement their agents: one that did such work before, one made from such an agent,
//! or a new one. Why it was this one is on record, and what becomes of the run counts for or against it.

use domain::event::Event;
use domain::hash::Hash;
use domain::id::{ItemName, ToolName};
use domain::library::{AgentBody, Body, Choice, Considered, Decision, Draft, Kind, Member};
use domain::plan::{Action, AgentTask, Plan, Step, staffed};
use domain::score::Score;
use domain::tool::ToolSpec;

use crate::brief::{Brief, Job, brief, content_words};
use crate::plan::Planned;
use crate::recall::Recalled;
use crate::record::Halt;
use crate::work::Work;

/// How many agents are looked at for a step.
const CANDIDATES: usize = 5;
/// How many words of a goal make a name.
const NAME_WORDS: usize = 4;

/// The plan with its agents.
pub(crate) async fn staff(work: &Work<'_>, recalled: &Recalled, planned: Planned) -> Result<Planned, Halt> {
    let key = format!("staff/{}", planned.version);
    let mut members: Vec<Member> = Vec::new();
    for step in planned.plan.steps() {
        if let Action::Agent(task) = &step.action {
            let key = format!("{key}/{}", step.id);
            members.push(seat(work, recalled, &planned.plan, step, task, &key, &members).await?);
        }
    }
    if members.is_empty() {
        return Ok(planned);
    }
    work.journal.record(key, Event::Staffed { version: planned.version, members: members.clone() }).await?;
    Ok(Planned { plan: staffed(&planned.plan, &members), members, ..planned })
}

/// An agent for one step.
async fn seat(
    work: &Work<'_>,
    recalled: &Recalled,
    plan: &Plan,
    step: &Step,
    task: &AgentTask,
    key: &str,
    others: &[Member],
) -> Result<Member, Halt> {
    let (choice, agent) = choice(work, step, task, &format!("{key}/choice")).await?;
    let member = |name, description, keywords, agent, choice, criticised| Member {
        step: step.id.clone(),
        goal: step.goal.clone(),
        name,
        description,
        keywords,
        agent,
        choice,
        criticised,
        by: None,
    };
    if let (Decision::Reuse, Some(Draft { name, description, keywords, body: Body::Agent(body), .. })) =
        (choice.decision, &agent)
    {
        let (description, keywords) = (description.clone(), keywords.clone());
        return Ok(member(name.clone(), description, keywords, body.clone(), choice, Vec::new()));
    }
    let before = agent.as_ref().and_then(|draft| body_of(&draft.body));
    let tools = match (&task.tools[..], before) {
        ([], Some(before)) => before.tools.clone(),
        (tools, _) => tools.to_vec(),
    };
    let specs: Vec<_> = tools.iter().filter_map(|name| work.tools().tool(name)).collect();
    let specs: Vec<&ToolSpec> = specs.iter().map(|tool| tool.spec()).collect();
    let router = work.runtime.reflexes.as_ref().map(|reflexes| reflexes.roles());
    let role = router.as_ref().and_then(|router| {
        let shared = |role: &&domain::role::Role| role.tools.iter().filter(|tool| tools.contains(tool)).count();
        router.roles().filter(|role| shared(role) > 0).max_by_key(shared)
    });
    let job = Job {
        request: work.request.text.as_str(),
        step,
        planned: &task.prompt,
        inputs: inputs(plan, step),
        tools: specs,
        max_iterations: task.max_iterations.unwrap_or(work.runtime.settings.max_iterations),
        guidelines: recalled.said("agent"),
        role: role.map(|role| role.prompt.as_str()),
        before,
    };
    let Brief { description, keywords, prompt, criticised } = brief(work, key, &job).await?;
    let same_tools = before.is_some_and(|before| same(&before.tools, &tools));
    let name = match &agent {
        // Who does the same with the same tools is the same agent, in a new version.
        Some(draft) if same_tools => draft.name.clone(),
        _ => match on_record(work, key) {
            Some(member) => member.name.clone(),
            None => free_name(work, &step.goal, &tools, others).await?,
        },
    };
    let body = AgentBody { prompt, tools, max_iterations: task.max_iterations };
    Ok(member(name, description, keywords, body, choice, criticised))
}

/// What is on record, or is decided now: what is in the library tomorrow must not change it.
async fn choice(work: &Work<'_>, step: &Step, task: &AgentTask, key: &str) -> Result<(Choice, Option<Draft>), Halt> {
    let (choice, item) = match work.journal.past(key) {
        Some(Event::Chosen { choice, item, .. }) => ((**choice).clone(), item.as_deref().cloned()),
        _ => match (work.journal.gate(), &task.agent) {
            (Some(gate), _) => return gate.never().await,
            // Whoever wrote the plan has chosen.
            (None, Some(agent)) => choose(work, task, vec![named(agent)]).await?,
            (None, None) => {
                let sought = format!("{} {}", step.goal, step.expects.as_deref().unwrap_or_default());
                choose(work, task, work.runtime.lately.finder.search(&sought, &[Kind::Agent], CANDIDATES)).await?
            }
        },
    };
    let event = Event::Chosen {
        step: Some(step.id.clone()),
        choice: Box::new(choice.clone()),
        item: item.clone().map(Box::new),
    };
    work.journal.record(key, event).await?;
    Ok((choice, item))
}

/// Who is on record for the step that this is filed under: `staff/1/look`.
fn on_record<'w>(work: &'w Work<'_>, key: &str) -> Option<&'w Member> {
    let (staff, step) = key.rsplit_once('/')?;
    match work.journal.past(staff)? {
        Event::Staffed { members, .. } => members.iter().find(|member| member.step.as_str() == step),
        _ => None,
    }
}

fn named(agent: &ItemName) -> Considered {
    Considered { kind: Kind::Agent, name: agent.to_string(), score: Score::ONE, why: "the plan names it".into() }
}

/// The best agent that can do the step with just its tools, or one that can be changed to.
async fn choose(
    work: &Work<'_>,
    task: &AgentTask,
    mut considered: Vec<Considered>,
) -> Result<(Choice, Option<Draft>), Halt> {
    let reuse = work.runtime.settings.reuse;
    let mut adapted = None;
    for at in 0..considered.len() {
        let Considered { name, score, why, .. } = &considered[at];
        let (score, why) = (*score, why.clone());
        if score.get() < reuse.adapt {
            break;
        }
        let Ok(name) = name.parse::<ItemName>() else { continue };
        let found = work.runtime.store.item(Kind::Agent, &name, None).await.map_err(Halt::Store)?;
        let Some(found) = found.filter(|found| found.active) else { continue };
        let Some(body) = body_of(&found.item.draft.body) else { continue };
        if let Some(gone) = body.tools.iter().find(|tool| work.tools().tool(tool).is_none()) {
            considered[at].why = format!("{why}; its tool `{gone}` is gone");
            continue;
        }
        let fits = task.tools.is_empty() || same(&task.tools, &body.tools);
        let item = Some((found.item.draft.name.clone(), found.item.hash));
        if fits && score.get() >= reuse.as_is {
            considered.remove(at);
            let choice = Choice { decision: Decision::Reuse, kind: Kind::Agent, item, score, why, considered };
            return Ok((choice, Some(found.item.draft)));
        }
        let shares = task.tools.is_empty() || task.tools.iter().any(|tool| body.tools.contains(tool));
        if shares && adapted.is_none() {
            let how = if fits { "it does nearly this" } else { "it does this with other tools" };
            adapted = Some((at, item, score, format!("{how}: {why}"), found.item.draft));
        }
    }
    if let Some((at, item, score, why, draft)) = adapted {
        considered.remove(at);
        let choice = Choice { decision: Decision::Adapt, kind: Kind::Agent, item, score, why, considered };
        return Ok((choice, Some(draft)));
    }
    let why = match considered.first() {
        None => "no agent has done anything like it".to_owned(),
        Some(best) => format!("no agent is near enough: `{}` comes nearest with {:.2}", best.name, best.score.get()),
    };
    let score = considered.first().map_or(Score::ZERO, |best| best.score);
    Ok((Choice { decision: Decision::Create, kind: Kind::Agent, item: None, score, why, considered }, None))
}

fn body_of(body: &Body) -> Option<&AgentBody> {
    match body {
        Body::Agent(body) => Some(body),
        Body::Cohort(_) | Body::Plan(_) | Body::Skill(_) => None,
    }
}

fn same(one: &[ToolName], other: &[ToolName]) -> bool {
    one.len() == other.len() && one.iter().all(|tool| other.contains(tool))
}

/// What an agent is given: the results of the steps it waits for.
fn inputs(plan: &Plan, step: &Step) -> Vec<String> {
    let before = step.after.iter().filter_map(|id| plan.step(id));
    before.map(|step| format!("what the step `{}` brought: {}", step.id, step.goal)).collect()
}

/// A name made from what an agent is for. Another agent of that name with other tools keeps it.
async fn free_name(work: &Work<'_>, goal: &str, tools: &[ToolName], others: &[Member]) -> Result<ItemName, Halt> {
    let name = name_of(goal);
    let taken = match others.iter().find(|member| member.name == name) {
        Some(other) => !same(&other.agent.tools, tools),
        None => {
            let there = work.runtime.store.item(Kind::Agent, &name, None).await.map_err(Halt::Store)?;
            there.is_some_and(|there| body_of(&there.item.draft.body).is_some_and(|body| !same(&body.tools, tools)))
        }
    };
    if !taken {
        return Ok(name);
    }
    Ok(format!("{name}-{}", Hash::of_json(tools).digits(2)).parse().unwrap_or(name))
}

/// A name in the library for something with a purpose.
pub(crate) fn name_of(purpose: &str) -> ItemName {
    let letters = |word: &String| word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let words: Vec<String> = content_words(purpose).into_iter().filter(letters).take(NAME_WORDS).collect();
    let mut name = words.join("-");
    name.truncate(40);
    let name = name.trim_end_matches('-');
    let name = if name.starts_with(|c: char| c.is_ascii_lowercase()) { name.to_owned() } else { format!("a-{name}") };
    let name = name.trim_end_matches('-');
    // Only letters, digits and dashes are left.
    name.parse().or_else(|_| "agent".parse()).expect("a name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_made_of_what_something_is_for() {
        for (purpose, name) in [
            ("Look up the weather in Oslo", "look-weather-oslo"),
            ("Write a summary of the three reports, briefly", "write-summary-three-reports"),
            ("1. Compare", "compare"),
            ("3D prints", "a-3d-prints"),
            ("日本語", "a"),
            ("", "a"),
        ] {
            assert_eq!(name_of(purpose).as_str(), name, "{purpose}");
        }
        let long = "x".repeat(500);
        assert!(name_of(&long).as_str().len() <= 48);
    }
}
