//! What stages say, in samples.

use domain::assessment::Assessment;
use domain::confidence::{Advice, Confidence, Named};
use domain::critique::{Critique, Scores, Verdict};
use domain::event::{Entry, Event};
use domain::forecast::{Forecast, Range};
use domain::plan::{Notes, PlanDraft};
use domain::run::RunStatus;
use domain::score::Score;
use domain::stage::{PlanAnswer, RequestRow, Stage, StageAnswer, StageRecord};
use domain::thought::Thought;
use serde_json::json;

use super::language::{at, entry_at};
use super::samples;

/// The nearest score.
pub(super) fn score(number: f64) -> Score {
    Score::nearest(number)
}

/// A thought, with characters that are hard to keep.
pub(super) fn thought() -> Thought {
    Thought {
        reasoning: "a\0b \u{1F408} 'quoted' \\".into(),
        approaches: vec!["look".into(), "ask".into()],
        confidence: Some(score(0.3)),
        ..Thought::default()
    }
}

/// A plan with what its planner says.
pub(super) fn plan_answer() -> PlanAnswer {
    let plan: PlanDraft = serde_json::from_value(json!({
        "goal": "a fed cat",
        "steps": [{"id": "look", "goal": "see", "tool": "cat.look", "arguments": {"near": [59.91, null, 0.1]}}],
    }))
    .expect("a plan");
    PlanAnswer {
        version: 2,
        alternatives: vec![plan.clone()],
        plan,
        rationale: "short".into(),
        ..PlanAnswer::default()
    }
}

/// A critique.
pub(super) fn critique() -> Critique {
    Critique {
        scores: Scores::all(score(0.7)),
        overall: score(0.7),
        verdict: Verdict::Revise,
        issues: Vec::new(),
        strengths: vec!["short".into()],
        follow_up_questions: Vec::new(),
        summary: "Almost.".into(),
    }
}

/// A confidence in a plan.
pub(super) fn confidence(plan: f64, reported: f64) -> Confidence {
    let plan = Named { name: "plan".into(), reported: score(plan), calibrated: score(plan), weight: 1.0 };
    Confidence {
        scores: vec![plan],
        reported: score(reported),
        overall: score(reported),
        variance: 0.1 / 3.0,
        drivers: Vec::new(),
        advice: Advice::Review,
    }
}

/// An assessment.
pub(super) fn assessment(quality: f64, should_replan: bool, should_deepen: bool) -> Assessment {
    Assessment {
        quality: score(quality),
        breakdown: [("plan".to_owned(), score(quality))].into(),
        should_replan,
        should_deepen,
        recommended_actions: vec!["look again".into()],
        assessment: "So so.".into(),
    }
}

/// A forecast.
pub(super) fn forecast() -> Forecast {
    let range = Range { low: 0.1, middle: 0.2, high: 0.7 };
    Forecast { usd: range, seconds: range, success: range, level: score(0.8), basis: 3, explanation: "a\0b".into() }
}

/// The event of a thought.
pub(super) fn thought_of(second: i64) -> Entry {
    let event = Event::Thought { round: 1, pass: second as u32, thought: Box::new(thought()) };
    entry_at(second, &format!("think/{second}"), event)
}

/// The event of a plan that a planner says something about.
pub(super) fn planned(second: i64, version: u32) -> Entry {
    let mut event = samples::planned(version);
    if let Event::Planned { notes, .. } = &mut event {
        *notes = Some(Box::new(Notes { confidence: Some(score(0.9)), ..Notes::default() }));
    }
    entry_at(second, &format!("plan/{version}"), event)
}

/// The event of a critique.
pub(super) fn critiqued(second: i64, version: u32) -> Entry {
    let event = Event::Critiqued { version, critique: Box::new(critique()) };
    entry_at(second, &format!("critique/{version}"), event)
}

/// The event of a confidence.
pub(super) fn scored(second: i64, version: u32, confidence: Confidence) -> Entry {
    let event = Event::Scored { version, confidence: Box::new(confidence) };
    entry_at(second, &format!("score/{version}"), event)
}

/// The event of an assessment.
pub(super) fn assessed(second: i64, version: u32, assessment: Assessment) -> Entry {
    let event = Event::Assessed { version, assessment: Box::new(assessment) };
    entry_at(second, &format!("assess/{version}"), event)
}

/// The event of a forecast.
pub(super) fn foreseen(second: i64) -> Entry {
    entry_at(second, "forecast", Event::Foreseen { version: 1, forecast: Box::new(forecast()) })
}

/// The event of an agent that was made.
pub(super) fn forged(second: i64, agent: &str) -> Entry {
    let event = Event::Forged {
        agent: agent.into(),
        step: None,
        tools: Vec::new(),
        prompt: "feed it".into(),
        max_iterations: 3,
        offered: None,
    };
    entry_at(second, &format!("forge/{second}"), event)
}

/// An answer that is to be filed.
pub(super) fn record(request: &str, stage: Stage, second: i64, answer: StageAnswer) -> StageRecord {
    StageRecord { request: request.into(), stage, attempt: 0, at: at(second), answer }
}

/// An assessment that is to be filed.
pub(super) fn assessment_of(request: &str, second: i64, quality: f64) -> StageRecord {
    record(
        request,
        Stage::MetaAgent,
        second,
        StageAnswer::Assessment(assessment(quality, quality < 0.5, quality < 0.3)),
    )
}

/// What a caller says about a request.
pub(super) fn told(request: &str, second: i64, chain: &[&str]) -> RequestRow {
    RequestRow {
        request: request.into(),
        created_at: at(second),
        updated_at: at(second),
        status: RunStatus::Running,
        chain: chain.iter().map(|name| (*name).to_owned()).collect(),
        query: None,
    }
}
