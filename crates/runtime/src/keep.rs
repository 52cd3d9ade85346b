//! Keeps what worked: the plan with what came from the request lifted out, a skill once it worked often enough, and the
//! team that carried it out. On record before the run ends, in the same ledger.

use domain::event::Event;
use domain::id::ItemName;
use domain::library::{Body, CohortBody, Decision, Draft, ItemFilter, ItemSummary, Kind, PlanBody, Seat};
use domain::plan::{Action, Plan, PlanDraft, Strategy};
use domain::skill::{Skill, Template};
use reflex::template::{lift, unify};

use crate::brief::{content_words, distinct};
use crate::plan::Planned;
use crate::record::Halt;
use crate::reuse::{on_record, surroundings};
use crate::staff::name_of;
use crate::work::Work;

/// Where what is kept is filed.
const KEY: &str = "kept";
/// How many runs a plan remembers having worked in.
const RUNS: usize = 20;
/// How many plans with the same steps are looked at for one that is the same in other words.
const RELATIVES: usize = 50;
/// How many keywords a team is found by.
const KEYWORDS: usize = 16;
/// The fewest agents that are a team.
const TEAM: usize = 2;

/// Keeps what is worth it of a run that went well.
pub(crate) async fn keep(work: &Work<'_>, planned: &Planned, strategy: Strategy) -> Result<(), Halt> {
    let wishes = &work.request.wishes;
    if planned.notes.is_none() || wishes.dry || wishes.plan_only {
        return Ok(());
    }
    let items = match work.journal.past(KEY) {
        Some(Event::Kept { items }) => items.clone(),
        _ => match work.journal.gate() {
            Some(_) => return Ok(()),
            None => worth_keeping(work, planned, strategy).await?,
        },
    };
    match items.is_empty() {
        true => Ok(()),
        false => work.journal.record(KEY, Event::Kept { items }).await,
    }
}

async fn worth_keeping(work: &Work<'_>, planned: &Planned, strategy: Strategy) -> Result<Vec<Draft>, Halt> {
    // A skill that is used has nothing to learn from being used.
    if on_record(work).is_some_and(|(choice, _)| choice.decision == Decision::Reuse && choice.kind == Kind::Skill) {
        return Ok(Vec::new());
    }
    let request = work.request.text.as_str();
    let lifted = |draft: &PlanDraft| lift(request, &surroundings(work), draft).ok();
    let mut items = Vec::new();
    if strategy == Strategy::Cohort && planned.members.len() >= TEAM {
        items.push(team(work, planned, lifted(&named_only(planned))));
    } else if says_how(&planned.plan)
        && let Some(template) = lifted(&PlanDraft::from(planned.plan.clone()))
    {
        items.extend(plan(work, planned, template).await?);
    }
    Ok(items)
}

/// Whether a plan says more than that somebody should do it.
fn says_how(plan: &Plan) -> bool {
    plan.steps().iter().any(|step| match &step.action {
        Action::Call(_) => true,
        Action::Agent(task) => !task.prompt.trim().is_empty(),
    })
}

/// The plan of a team without what its agents are told: they are in the library by name.
fn named_only(planned: &Planned) -> PlanDraft {
    let mut draft = PlanDraft::from(planned.plan.clone());
    for step in draft.steps.iter_mut().filter(|step| step.how.agent.is_some()) {
        step.how.prompt.clear();
    }
    draft
}

fn team(work: &Work<'_>, planned: &Planned, template: Option<Template>) -> Draft {
    let seat = |member: &domain::library::Member| Seat {
        step: member.step.clone(),
        agent: member.name.clone(),
        hash: member.draft().hash(),
    };
    let goal = match planned.plan.goal() {
        "" => work.request.text.as_str(),
        goal => goal,
    };
    let body = CohortBody {
        request: work.request.text.as_str().to_owned(),
        strategy: Strategy::Cohort,
        plan: named_only(planned),
        template,
        pins: planned.notes.as_ref().map(|notes| notes.pins.clone()).unwrap_or_default(),
        members: planned.members.iter().map(seat).collect(),
    };
    let patience = work.runtime.settings.reuse.satisfied_after;
    Draft {
        name: name_of(goal),
        description: crate::context::cap(goal, 300),
        keywords: keywords(planned),
        body: Body::Cohort(Box::new(body)),
        lineage: Default::default(),
        offered_from: jiff::Timestamp::now().checked_add(patience).ok(),
    }
}

fn keywords(planned: &Planned) -> Vec<String> {
    let of_members = planned.members.iter().flat_map(|member| member.keywords.clone());
    distinct(of_members.chain(planned.plan.steps().iter().flat_map(|step| content_words(&step.goal))), KEYWORDS)
}

/// The plan, joined with the one it repeats if there is one, and the skill that it becomes.
async fn plan(work: &Work<'_>, planned: &Planned, template: Template) -> Result<Vec<Draft>, Halt> {
    let family = template.family().digits(6);
    let filter = ItemFilter { kind: Some(Kind::Plan), active: None, text: Some(format!("plan-{family}")) };
    let (relatives, _) = work.runtime.store.items(&filter, None, RELATIVES).await.map_err(Halt::Store)?;
    let joined = relatives.iter().find_map(|relative| match &relative.item.draft.body {
        Body::Plan(body) => Some((relative, body, unify(&body.template, &template)?)),
        _ => None,
    });
    let run = work.journal.run();
    let pins = planned.notes.as_ref().map(|notes| notes.pins.clone()).unwrap_or_default();
    let (name, body, before) = match joined {
        None => {
            let name = format!("plan-{family}-{}", template.shape().digits(4));
            (name.parse().unwrap_or_else(|_| name_of("plan")), PlanBody { template, pins, runs: vec![run] }, None)
        }
        Some((relative, body, template)) => {
            let mut runs = if body.pins == pins { body.runs.clone() } else { Vec::new() };
            runs.push(run);
            runs.drain(..runs.len().saturating_sub(RUNS));
            (relative.item.draft.name.clone(), PlanBody { template, pins, runs }, Some(relative))
        }
    };
    let skill = skill(work, &name, &body, before).await?;
    let draft = described(name, &body.template, Body::Plan(Box::new(body.clone())));
    Ok(std::iter::once(draft).chain(skill).collect())
}

/// A plan that worked often enough, and did not fail lately, is a skill.
async fn skill(
    work: &Work<'_>,
    name: &ItemName,
    body: &PlanBody,
    before: Option<&ItemSummary>,
) -> Result<Option<Draft>, Halt> {
    let wanted = work.runtime.settings.reuse.skill_after as usize;
    if wanted == 0 || body.runs.len() < wanted {
        return Ok(None);
    }
    if before.is_some() {
        let lately = work.runtime.store.uses(Kind::Plan, name, wanted).await.map_err(Halt::Store)?;
        if lately.iter().any(|used| used.good == Some(false)) {
            return Ok(None);
        }
    }
    let phrase = body.template.phrase();
    let named = format!("{}-{}", name_of(&phrase), name.as_str().rsplit('-').next().unwrap_or_default());
    let named: ItemName = named.parse().unwrap_or_else(|_| name_of(&phrase));
    let skill = Skill {
        name: named.clone(),
        description: format!("Does what was asked as “{phrase}”."),
        template: body.template.clone(),
        pins: body.pins.clone(),
        guards: guards_in_words(body),
        runs: body.runs.clone(),
        successes: body.runs.len() as u32,
        failures: 0,
    };
    Ok(Some(described(named, &body.template, Body::Skill(Box::new(skill)))))
}

fn guards_in_words(body: &PlanBody) -> Vec<String> {
    let tools = body.pins.keys().map(|tool| format!("`{tool}` is there and declared as it was"));
    let values = body.template.parameters().iter().map(|it| format!("`{}` is said clearly", it.name));
    tools.chain(values).collect()
}

fn described(name: ItemName, template: &Template, body: Body) -> Draft {
    let requests: Vec<&str> = template.requests().iter().map(String::as_str).take(3).collect();
    Draft {
        name,
        description: crate::context::cap(&requests.join(" / "), 600),
        keywords: Vec::new(),
        body,
        lineage: Default::default(),
        offered_from: None,
    }
}
