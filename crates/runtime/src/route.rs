//! Which way a request goes: what is clear goes by reflex, what is unclear is put before a small model, the rest is planned.

use std::sync::Arc;

use domain::chat::{Message, Tier};
use domain::event::{Event, Need, Route, is_yes};
use domain::plan::Strategy;
use domain::request::Asked;
use domain::role::Role;
use domain::route::{Decision, Judgement};
use domain::symbol::Symbol;
use reflex::{Circumstances, Router};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::ask::{Question, ask};
use crate::heed::Kind;
use crate::prompt::{RoleLine, RoutePrompt, render};
use crate::record::Halt;
use crate::work::Work;

/// The decision, and what it rests on.
pub(crate) struct Routed {
    pub(crate) route: Route,
    pub(crate) strategy: Strategy,
    pub(crate) judgement: Option<Judgement>,
}

impl Routed {
    /// Whom guidelines are for in a run that goes this way, and what it is about.
    pub(crate) fn kind(&self) -> Kind {
        let problem = self.judgement.as_ref().map_or_else(|| Symbol::of("other"), Judgement::problem);
        Kind { agent: domain::trace::agent_of(self.route, self.strategy), problem }
    }
}

/// How often a question is put before it is given up.
const PATIENCE: usize = 3;

/// The decision, on record.
pub(crate) async fn route(work: &Work<'_>) -> Result<Routed, Halt> {
    if let Some(Event::Routed { route, strategy, judgement, why }) = work.journal.known("routed").cloned() {
        let judgement = judgement.map(|judgement| *judgement);
        if work.journal.gate().is_some() {
            work.as_recorded("route/").await?;
            let boxed = judgement.clone().map(Box::new);
            work.journal.record("routed", Event::Routed { route, strategy, why, judgement: boxed }).await?;
        }
        return Ok(Routed { route, strategy, judgement });
    }
    let settings = &work.runtime.settings;
    let (route, why, judgement) = way(work).await?;
    let (strategy, because) = match work.request.wishes.strategy {
        Some(strategy) => (strategy, "the request says how agents are made"),
        None if route == Route::Given => (Strategy::TaskGraph, "a given plan is carried out step by step"),
        None if route == Route::Direct => (Strategy::SingleAgent, "whoever asks carries out its calls"),
        None if route != Route::Plan => (Strategy::TaskGraph, "what is clear is carried out step by step"),
        None if !settings.meta_planning => (Strategy::TaskGraph, "meta-planning is switched off"),
        None => (settings.strategy, "as configured"),
    };
    let event =
        Event::Routed { route, strategy, why: format!("{why}; {because}"), judgement: judgement.clone().map(Box::new) };
    work.journal.record("routed", event).await?;
    Ok(Routed { route, strategy, judgement })
}

async fn way(work: &Work<'_>) -> Result<(Route, String, Option<Judgement>), Halt> {
    let wishes = &work.request.wishes;
    if wishes.plan.is_some() {
        return Ok((Route::Given, "the plan came with the request".into(), None));
    }
    let model = !work.runtime.models.is_empty();
    let lent = wishes.lent.as_deref();
    let planned = |why: &str| Ok((Route::Plan, why.to_owned(), None));
    let reflexes = match (&work.runtime.reflexes, lent) {
        // What can be told without a model is told where there is none, unless something has to be called.
        (Some(reflexes), Some(lent)) if !model && !lent.must_call && lent.since.is_empty() => reflexes,
        (_, Some(_)) => return Ok((Route::Direct, "whoever asks has functions of their own".into(), None)),
        (Some(reflexes), None) => reflexes,
        (None, None) => return planned("a planner decides what it takes"),
    };
    if wishes.strategy.is_some() || wishes.planner == Some(Asked::Always) {
        return planned("the request asks for a plan");
    }
    let router = reflexes.router(work.request.user.as_deref()).await;
    let names = reflexes.names().await;
    let judgement = router.judge(work.request.text.as_str(), &circumstances(work, &names));
    let acts = judgement.parts.iter().any(|part| part.act.is_some());
    let why = reason(&judgement);
    let route = match judgement.decision {
        Decision::Fast | Decision::Ask | Decision::Compose if acts => Route::Reflex,
        Decision::Fast if model => Route::Fast,
        Decision::Unsure if model => return unsure(work, &router, judgement, why).await,
        // Without a model a person can still say whether this was meant.
        Decision::Unsure if acts => Route::Reflex,
        _ if lent.is_some() => Route::Direct,
        Decision::Fast | Decision::Ask | Decision::Compose | Decision::Unsure | Decision::Plan => Route::Plan,
    };
    Ok((route, why, Some(judgement)))
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Opinion {
    /// Who answers, or `plan`.
    role: String,
    /// How sure that is.
    confidence: f64,
    /// Why.
    #[serde(default)]
    reason: String,
}

/// What a small model says where a quick look is not sure enough.
async fn unsure(
    work: &Work<'_>,
    router: &Router,
    mut judgement: Judgement,
    why: String,
) -> Result<(Route, String, Option<Judgement>), Halt> {
    if work.switched_off("router") {
        return Ok((Route::Plan, why, Some(judgement)));
    }
    let roles: Vec<&Role> = router.roles().filter(|role| role.fast_reply).collect();
    let lines: Vec<RoleLine> =
        roles.iter().map(|role| RoleLine { name: &role.name, when_to_use: &role.when_to_use }).collect();
    let prompt = RoutePrompt { roles: &lines, request: work.request.text.as_str(), guess: Some(&judgement.role) };
    let messages = vec![Message::User { text: render(work, &prompt)? }];
    let question = Question { key: "route/model", component: "router", tier: Tier::Weak, messages };
    let opinion: Opinion = match ask(work, question).await? {
        Ok(opinion) => opinion,
        Err(no_answer) => return Ok((Route::Plan, format!("{why}; the router's model: {no_answer}"), Some(judgement))),
    };
    let because =
        format!("{why}; a small model says `{}`: {}", opinion.role, crate::context::cap(&opinion.reason, 200));
    let known = roles.iter().any(|role| role.name == opinion.role);
    if !known || opinion.confidence < work.runtime.settings.accept {
        return Ok((Route::Plan, because, Some(judgement)));
    }
    let agreed = opinion.role == judgement.role && judgement.parts.iter().all(|part| part.act.is_some());
    judgement.decision = Decision::Fast;
    judgement.confidence = opinion.confidence;
    if !agreed {
        judgement.role.clone_from(&opinion.role);
        judgement.parts.truncate(1);
        for part in &mut judgement.parts {
            part.role.clone_from(&opinion.role);
            (part.act, part.missing) = (None, None);
        }
    }
    let route = if agreed { Route::Reflex } else { Route::Fast };
    Ok((route, because, Some(judgement)))
}

/// What a person was asked, and what came of it.
pub(crate) enum Filled {
    /// Everything is known.
    Clear(Judgement),
    /// The person does not want it after all.
    Withdrawn,
    /// It cannot be found out.
    Unclear,
}

/// Asks for what is missing, and whether it is meant where that is not sure.
pub(crate) async fn fill(work: &Work<'_>, judgement: &Judgement) -> Result<Filled, Halt> {
    let mut judgement = judgement.clone();
    if judgement.decision == Decision::Unsure {
        let need =
            Need::Answer { question: format!("I am not sure I understand. {} Yes or no?", meant(work, &judgement)) };
        let answer = work.journal.answer("ask/meant", need, work.until()).await?;
        if !is_yes(&answer) {
            return Ok(Filled::Withdrawn);
        }
        judgement.decision = Decision::Fast;
    }
    let mut apology = "";
    for asked in 1..=PATIENCE {
        let Some(missing) = judgement.parts.iter().find_map(|part| part.missing.as_ref()) else {
            return Ok(Filled::Clear(judgement));
        };
        let need = Need::Answer { question: format!("{apology}{}", missing.question) };
        let answer = work.journal.answer(&format!("ask/{asked}"), need, work.until()).await?;
        let Some(text) = answer.as_str() else { return Ok(Filled::Withdrawn) };
        if withdraws(text) {
            return Ok(Filled::Withdrawn);
        }
        let Some(reflexes) = &work.runtime.reflexes else { return Ok(Filled::Unclear) };
        // A replay waits for nothing but its record.
        let names = match work.journal.gate() {
            Some(_) => Arc::default(),
            None => reflexes.names().await,
        };
        match reflexes.roles().answered(&judgement, text, &circumstances(work, &names)) {
            Some(next) => {
                judgement = next;
                apology = "";
            }
            None => apology = "I did not understand that. ",
        }
    }
    let clear = judgement.parts.iter().all(|part| part.missing.is_none());
    Ok(if clear { Filled::Clear(judgement) } else { Filled::Unclear })
}

fn withdraws(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    ["", "no", "nothing", "never mind", "nevermind", "cancel", "stop", "forget it"].contains(&text.as_str())
}

/// What would be done, in the words of the tools that would do it.
fn meant(work: &Work<'_>, judgement: &Judgement) -> String {
    let acts = judgement.parts.iter().filter_map(|part| part.act.as_ref());
    let lines = acts.map(|act| {
        let tool = work.tools().tool(&act.tool);
        let about = tool.as_ref().map(|tool| tool.spec().description.as_str()).unwrap_or_default();
        let does = about.split(['.', ';', ':']).next().unwrap_or_default();
        let arguments: Vec<String> =
            act.arguments.iter().map(|(name, value)| format!("{name} {}", domain::reference::aloud(value))).collect();
        match arguments.is_empty() {
            true => does.to_owned(),
            false => format!("{does} ({})", arguments.join(", ")),
        }
    });
    format!("Is this what you want: {}?", lines.collect::<Vec<_>>().join("; "))
}

fn reason(judgement: &Judgement) -> String {
    let last = judgement.signals.last().map(|signal| signal.says.as_str()).unwrap_or_default();
    match judgement.parts.len() {
        1 => format!("{} ({:.2}): {last}", judgement.role, judgement.confidence),
        several => format!("{several} things are wanted ({:.2})", judgement.confidence),
    }
}

pub(crate) fn circumstances<'n>(work: &'n Work<'_>, names: &'n [domain::name::Name]) -> Circumstances<'n> {
    let bytes = *work.journal.run().bytes();
    Circumstances {
        now: work.moment(),
        names,
        person: work.request.user.as_deref(),
        seed: u64::from_le_bytes([
            bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15],
        ]),
    }
}
