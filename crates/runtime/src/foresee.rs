//! Says what a run will probably take and bring before anything of it happens, and keeps that on record so that it can be
//! held against what came of it.

use domain::event::Event;
use domain::forecast::{Forecast, Hindsight};
use domain::plan::{Action, Plan, Strategy};
use domain::score::Score;
use learn::Shape;

use crate::plan::Planned;
use crate::record::Halt;
use crate::work::Work;

/// How many turns an agent usually takes for one step.
const TURNS: f64 = 2.0;
/// What a turn takes where this run has not asked a model yet.
const SECONDS_PER_TURN: f64 = 2.0;
const SECONDS_PER_CALL: f64 = 0.5;
/// What a turn reads and writes, for models whose price is known.
const TOKENS_PER_TURN: (u64, u64) = (2_000, 300);

/// The forecast for a plan, on record.
pub(crate) async fn foresee(
    work: &Work<'_>,
    planned: &Planned,
    strategy: Strategy,
    confidence: Option<Score>,
    history: &[Hindsight],
) -> Result<Forecast, Halt> {
    let key = format!("forecast/{}", planned.version);
    let forecast = match work.journal.known(&key) {
        Some(Event::Foreseen { forecast, .. }) => (**forecast).clone(),
        _ => expect(work, &planned.plan, strategy, confidence, history),
    };
    let event = Event::Foreseen { version: planned.version, forecast: Box::new(forecast.clone()) };
    work.journal.record(key, event).await?;
    Ok(forecast)
}

fn expect(
    work: &Work<'_>,
    plan: &Plan,
    strategy: Strategy,
    confidence: Option<Score>,
    history: &[Hindsight],
) -> Forecast {
    let spent = work.meter.spent();
    let worked = work.meter.worked().as_secs_f64();
    let calls = plan.steps().iter().filter(|step| matches!(step.action, Action::Call(_))).count() as f64;
    let judged = plan.steps().len() as f64 - calls;
    let turns = match strategy {
        Strategy::TaskGraph => judged * TURNS,
        Strategy::SingleAgent => plan.steps().len() as f64 + 1.0,
        Strategy::Cohort => plan.steps().len() as f64 * TURNS,
    };
    let asked = spent.model_calls as f64;
    let price = work.runtime.models.choose(&work.runtime.component("agent"), domain::chat::Tier::Default);
    let usual = price.map_or(0.0, |model| model.price.of(TOKENS_PER_TURN.0, TOKENS_PER_TURN.1).as_dollars());
    let (per_turn, per_turn_seconds) = match asked > 0.0 {
        true => (spent.usage.cost.as_dollars() / asked, worked / asked),
        false => (usual, SECONDS_PER_TURN),
    };
    let shape = Shape {
        usd: turns * per_turn,
        seconds: turns * per_turn_seconds + (calls + judged) * SECONDS_PER_CALL,
        spent_usd: spent.usage.cost.as_dollars(),
        spent_seconds: worked,
        confidence: confidence.unwrap_or_else(|| Score::nearest(0.7)),
    };
    learn::forecast(history, &shape)
}
