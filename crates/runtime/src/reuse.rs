//! Uses again what worked for such a request before: a skill, a plan, or a whole team. What is taken from the request is
//! recognised by where it stands; where that cannot be told for sure, or a tool has changed, a planner is asked, who sees
//! what was done for the most similar request.

use std::collections::BTreeMap;

use domain::event::Event;
use domain::hash::Hash;
use domain::id::{ItemName, ToolName};
use domain::library::{Body, Choice, Considered, Decision, Draft, ItemSummary, Kind};
use domain::plan::{PlanDraft, Strategy};
use domain::score::Score;
use domain::skill::{Skill, Template};
use domain::store::StoreError;
use domain::thought::Orchestration;
use domain::tool::Toolbox;
use reflex::slots::Surroundings;
use reflex::template::{fill, guards};

use crate::Runtime;
use crate::explain::{Looked, Taken};
use crate::plan::{Planned, Planning};
use crate::record::Halt;
use crate::work::Work;

/// Where the decision is filed.
const KEY: &str = "reuse";
/// What can be used again for a whole request.
pub(crate) const WHOLE: [Kind; 3] = [Kind::Skill, Kind::Plan, Kind::Cohort];
/// How many skills, plans and teams are looked at for one that says the same: one is kept for each way of asking.
pub(crate) const CANDIDATES: usize = 24;
/// How many of those that were passed over are told.
const TOLD: usize = 5;
/// How many characters of an earlier plan a planner gets to see.
const EXAMPLE_CHARS: usize = 6_000;

/// What there is for a request.
pub(crate) enum Offer {
    /// A plan that can be carried out.
    Plan(Box<Planned>),
    /// What was done for a similar request, for the planner to read.
    Example(String),
    /// Nothing.
    Nothing,
}

/// What is used again for the whole request, if anything is.
pub(crate) async fn reuse(work: &Work<'_>, planning: &mut Planning, strategy: Strategy) -> Result<Offer, Halt> {
    let (choice, item) = match on_record(work) {
        Some((choice, item)) => (choice.clone(), item.cloned()),
        None => match work.journal.gate() {
            // What was done before there was a library was done without it.
            Some(_) => return Ok(Offer::Nothing),
            None => match choose(work, planning, strategy).await? {
                Some(chosen) => chosen,
                None => return Ok(Offer::Nothing),
            },
        },
    };
    let event = Event::Chosen { step: None, choice: Box::new(choice.clone()), item: item.clone().map(Box::new) };
    work.journal.record(KEY, event).await?;
    let Some(draft) = item else { return Ok(Offer::Nothing) };
    match choice.decision {
        Decision::Create => Ok(Offer::Nothing),
        Decision::Adapt => Ok(Offer::Example(example(&draft.body))),
        Decision::Reuse => {
            let Some(plan) = template_of(&draft.body).and_then(|template| filled(work, template).ok()) else {
                return Ok(Offer::Nothing);
            };
            let planned = planning.again(work, plan, &draft).await?;
            Ok(planned.map_or(Offer::Nothing, |planned| Offer::Plan(Box::new(planned))))
        }
    }
}

/// What was decided in this run, or in the run whose results may be used again.
pub(crate) fn on_record<'w>(work: &'w Work<'_>) -> Option<(&'w Choice, Option<&'w Draft>)> {
    match work.journal.past(KEY) {
        Some(Event::Chosen { choice, item, .. }) => Some((choice, item.as_deref())),
        _ => None,
    }
}

/// Skills first, then what else worked, best first. Nothing where nothing was ever kept.
async fn choose(
    work: &Work<'_>,
    planning: &Planning,
    strategy: Strategy,
) -> Result<Option<(Choice, Option<Draft>)>, Halt> {
    // Who asks for thought gets thought.
    if let Some(Orchestration::Standard | Orchestration::Adaptive) = work.request.wishes.orchestration {
        return Ok(None);
    }
    let surroundings = surroundings(work);
    let asked = Asked { text: work.request.text.as_str(), surroundings: &surroundings, strategy };
    let holds = |draft: &PlanDraft| planning.holds(work, draft);
    let found = work.runtime.lately.finder.search(asked.text, &WHOLE, CANDIDATES);
    let decided = decide(work.runtime, &asked, found, &holds).await.map_err(Halt::Store)?;
    Ok(decided.choice)
}

/// What is asked for, and how.
pub(crate) struct Asked<'a> {
    pub(crate) text: &'a str,
    pub(crate) surroundings: &'a Surroundings<'static>,
    pub(crate) strategy: Strategy,
}

/// What is used of what was found, as it is in the library, and how everything looked that was looked at on the way.
#[derive(Default)]
pub(crate) struct Decided {
    pub(crate) choice: Option<(Choice, Option<Draft>)>,
    pub(crate) looked: Vec<Looked>,
}

/// Looks at what was found, best first.
pub(crate) async fn decide(
    runtime: &Runtime,
    asked: &Asked<'_>,
    mut considered: Vec<Considered>,
    holds: &(dyn Fn(&PlanDraft) -> bool + Send + Sync),
) -> Result<Decided, StoreError> {
    considered.sort_by_key(|found| found.kind != Kind::Skill);
    let mut looked = Vec::new();
    if considered.is_empty() || !runtime.settings.reuse.whole {
        return Ok(Decided::default());
    }
    let mut nearest = None;
    for at in 0..considered.len() {
        let Considered { kind, score, why, .. } = considered[at].clone();
        let Ok(name) = considered[at].name.parse::<ItemName>() else { continue };
        let Some(found) = runtime.store.item(kind, &name, None).await? else { continue };
        if !found.active || (kind == Kind::Cohort && asked.strategy != Strategy::Cohort) {
            continue;
        }
        let item = Some((name.clone(), found.item.hash));
        let (look, fits) = look(runtime, asked, holds, &found);
        looked.push(Looked { score, found_by: why.clone(), ..look });
        match fits {
            Ok(says) => {
                considered.remove(at);
                considered.truncate(TOLD);
                let why = format!("{says}; {why}");
                let choice = Choice { decision: Decision::Reuse, kind, item, score, why, considered };
                return Ok(Decided { choice: Some((choice, Some(found.item.draft))), looked });
            }
            Err(why_not) => {
                considered[at].why = format!("{why}, but {why_not}");
                if nearest.is_none() && score.get() >= runtime.settings.reuse.adapt {
                    nearest = Some((at, kind, item, score, found.item.draft));
                }
            }
        }
    }
    let choice = match nearest {
        Some((at, kind, item, score, draft)) => {
            let why = considered.remove(at).why;
            considered.truncate(TOLD);
            (Choice { decision: Decision::Adapt, kind, item, score, why, considered }, Some(draft))
        }
        None => {
            let best = considered.first();
            let why = best.map_or_else(String::new, |best| format!("`{}` comes nearest: {}", best.name, best.why));
            let score = best.map_or(Score::ZERO, |best| best.score);
            considered.truncate(TOLD);
            (Choice { decision: Decision::Create, kind: Kind::Plan, item: None, score, why, considered }, None)
        }
    };
    Ok(Decided { choice: Some(choice), looked })
}

/// Whether something can be used as it is, and what makes sure of that or what speaks against it.
fn look(
    runtime: &Runtime,
    asked: &Asked<'_>,
    holds: &(dyn Fn(&PlanDraft) -> bool + Send + Sync),
    found: &ItemSummary,
) -> (Looked, Result<String, String>) {
    let mut look = Looked::at(found.item.kind(), &found.item.draft.name);
    let fits = fits(runtime, asked, holds, found, &mut look);
    look.against = fits.as_ref().err().cloned();
    (look, fits)
}

fn fits(
    runtime: &Runtime,
    asked: &Asked<'_>,
    holds: &(dyn Fn(&PlanDraft) -> bool + Send + Sync),
    found: &ItemSummary,
    look: &mut Looked,
) -> Result<String, String> {
    let body = &found.item.draft.body;
    let template = template_of(body).ok_or("it cannot be told what it takes from the request")?;
    look.phrase = Some(template.phrase());
    if let Some(changed) = changed(runtime.tools.as_ref(), pins_of(body)) {
        return Err(changed);
    }
    let filled = fill(template, asked.text, asked.surroundings).map_err(|error| error.to_string())?;
    look.values = filled.values.iter().map(Taken::from).collect();
    if let Body::Skill(skill) = body {
        let so_far = Skill {
            successes: skill.successes + found.record.good,
            failures: skill.failures + found.record.bad,
            ..(**skill).clone()
        };
        look.guards = guards(&so_far, &runtime.tools.specs(), &filled);
        if let Some(failed) = look.guards.iter().find(|guard| !guard.held) {
            return Err(failed.words.clone());
        }
    }
    if holds(&filled.plan) {
        let said: Vec<String> =
            filled.values.iter().map(|it| format!("{} `{}`", it.parameter, it.value.said)).collect();
        Ok(match said.is_empty() {
            true => "the request says the same as before".to_owned(),
            false => format!("the request says the same as before with {}", said.join(", ")),
        })
    } else {
        Err("its plan cannot be carried out now".into())
    }
}

fn filled(work: &Work<'_>, template: &Template) -> Result<PlanDraft, String> {
    let filled = fill(template, work.request.text.as_str(), &surroundings(work));
    filled.map(|filled| filled.plan).map_err(|error| error.to_string())
}

/// What values are read by. Names of things change from day to day, and a plan must come out the same when a run is taken
/// up again: so there are none.
pub(crate) fn surroundings(work: &Work<'_>) -> Surroundings<'static> {
    Surroundings { now: work.moment(), names: &[] }
}

/// A tool that is gone or not declared as it was.
fn changed(tools: &dyn Toolbox, pins: &BTreeMap<ToolName, Hash>) -> Option<String> {
    pins.iter().find_map(|(name, pin)| match tools.tool(name) {
        None => Some(format!("its tool `{name}` is gone")),
        Some(tool) if Hash::of_json(tool.spec()) != *pin => Some(format!("its tool `{name}` has changed")),
        Some(_) => None,
    })
}

fn template_of(body: &Body) -> Option<&Template> {
    match body {
        Body::Agent(_) => None,
        Body::Cohort(cohort) => cohort.template.as_ref(),
        Body::Plan(plan) => Some(&plan.template),
        Body::Skill(skill) => Some(&skill.template),
    }
}

fn pins_of(body: &Body) -> &BTreeMap<ToolName, Hash> {
    const NONE: &BTreeMap<ToolName, Hash> = &BTreeMap::new();
    match body {
        Body::Agent(_) => NONE,
        Body::Cohort(cohort) => &cohort.pins,
        Body::Plan(plan) => &plan.pins,
        Body::Skill(skill) => &skill.pins,
    }
}

/// What was done for a similar request, as a planner reads it.
fn example(body: &Body) -> String {
    let (request, plan) = match body {
        Body::Agent(_) => return String::new(),
        Body::Cohort(cohort) => (cohort.request.clone(), serde_json::to_string(&cohort.plan)),
        Body::Plan(plan) => (plan.template.phrase(), serde_json::to_string(plan.template.plan())),
        Body::Skill(skill) => (skill.template.phrase(), serde_json::to_string(skill.template.plan())),
    };
    let plan = crate::context::cap(&plan.unwrap_or_default(), EXAMPLE_CHARS);
    format!("“{}” was done with this plan:\n{plan}", crate::context::cap(&request, 500))
}
