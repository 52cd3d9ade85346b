//! What planning brings: a plan that can be carried out, or the reason why there is none.

use domain::agent::AgentConfiguration;
use domain::finding::{Bounds, Finding};
use domain::forecast::Forecast;
use domain::library::Member;
use domain::plan::{Notes, Plan};
use domain::run::FailureKind;
use domain::score::Score;

/// A plan that can be carried out, and by whom.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Planned {
    pub(crate) version: u32,
    pub(crate) plan: Plan,
    pub(crate) configuration: Option<AgentConfiguration>,
    /// What the planner says about it; nothing where there was no planner.
    pub(crate) notes: Option<Notes>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) bounds: Bounds,
    /// Who carries out the steps that need judgement, once that was decided.
    pub(crate) members: Vec<Member>,
    /// Why nobody thinks it good enough, where nobody could make it better: a person decides.
    pub(crate) doubtful: Option<String>,
    /// How sure everybody is of it.
    pub(crate) confidence: Option<Score>,
    /// What it will probably take, where that was said.
    pub(crate) forecast: Option<Forecast>,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NoPlan {
    pub(crate) kind: FailureKind,
    pub(crate) error: String,
}
