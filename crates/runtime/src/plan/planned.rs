//! What planning brings: a plan that can be carried out, or the reason why there is none.

use domain::agent::AgentConfiguration;
use domain::finding::{Bounds, Finding};
use domain::library::Member;
use domain::plan::{Notes, Plan};
use domain::run::FailureKind;

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
    /// Nobody could make it good enough, and nobody was asked.
    pub(crate) doubtful: bool,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NoPlan {
    pub(crate) kind: FailureKind,
    pub(crate) error: String,
}
