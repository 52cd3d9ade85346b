//! Which way a request goes.

use domain::event::{Event, Route};
use domain::plan::Strategy;

use crate::record::Halt;
use crate::work::Work;

/// The decision, on record.
pub(crate) async fn route(work: &Work<'_>) -> Result<(Route, Strategy), Halt> {
    let settings = &work.runtime.settings;
    let (route, why) = match &work.request.wishes.plan {
        Some(_) => (Route::Given, "the plan came with the request"),
        None => (Route::Plan, "a planner decides what it takes"),
    };
    let (strategy, because) = match work.request.wishes.strategy {
        Some(strategy) => (strategy, "the request says how agents are made"),
        None if route == Route::Given => (Strategy::TaskGraph, "a given plan is carried out step by step"),
        None if !settings.meta_planning => (Strategy::TaskGraph, "meta-planning is switched off"),
        None => (settings.strategy, "as configured"),
    };
    if let Some(Event::Routed { route, strategy, .. }) = work.journal.known("routed")
        && work.journal.gate().is_none()
    {
        return Ok((*route, *strategy));
    }
    work.journal
        .record("routed", Event::Routed { route, strategy, why: format!("{why}; {because}"), judgement: None })
        .await?;
    Ok((route, strategy))
}
