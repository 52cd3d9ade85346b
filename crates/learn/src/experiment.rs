//! What is tried on a part of the runs: who gets it, what the outcomes say, and what is tried next.
//!
//! `docs/experiments.md` says how it works, what it takes for granted and what breaks it.

mod assign;
mod judge;
mod plan;
mod process;
mod range;
mod settle;

pub use assign::assign;
pub use judge::{ExperimentPolicy, Judgement, Running, Verdict, judge};
pub use plan::{PlanPolicy, id_of, next};
pub use process::EProcess;
pub use range::effect;
pub use settle::{begin, prune, settle, stop, stop_orphans};
