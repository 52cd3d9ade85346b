//! The company a trace is in: what is so of it before it has done anything.

use domain::symbol::Symbol;
use domain::trace::Sketch;
use serde::{Deserialize, Serialize};

/// Traces that have something in common besides what they did.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub(super) struct Company(String);

/// The company of a trace.
pub(super) fn company(sketch: &Sketch) -> Vec<Company> {
    let Sketch { agent, problem, system, .. } = sketch;
    let mut all = vec![named("agent", &[agent]), named("problem", &[problem])];
    if let Some(system) = system {
        all.push(named("system", &[system]));
        all.push(named("system_problem", &[system, problem]));
    }
    all
}

fn named(kind: &str, of: &[&Symbol]) -> Company {
    Company(of.iter().fold(kind.to_owned(), |name, symbol| format!("{name} {symbol}")))
}

impl From<String> for Company {
    fn from(name: String) -> Self {
        Self(name)
    }
}

impl From<Company> for String {
    fn from(company: Company) -> String {
        company.0
    }
}
