//! How much a request takes.

use domain::score::Score;
use domain::thought::{Complexity, Orchestration, Teller};

/// What can be told without a model, and whether it is sure enough not to ask one.
pub struct Weighed {
    /// How much it takes.
    pub complexity: Complexity,
    /// Whether no model need be asked.
    pub sure: bool,
}

/// What a score means: how deep, and in how many passes.
pub fn depth(score: Score) -> (Orchestration, u32) {
    match score.get() {
        low if low < 0.35 => (Orchestration::Simple, 1),
        middle if middle < 0.7 => (Orchestration::Standard, 2),
        _ => (Orchestration::Adaptive, 3),
    }
}

/// How much a request takes.
pub fn weigh(_: &str, parts: usize) -> Weighed {
    let score = Score::nearest((parts as f64 - 1.0) * 0.35);
    let (orchestration, passes) = depth(score);
    let complexity = Complexity {
        score,
        passes,
        orchestration,
        strategy: Teller::Lexical,
        signals: Vec::new(),
        explanation: String::new(),
    };
    Weighed { complexity, sure: true }
}
