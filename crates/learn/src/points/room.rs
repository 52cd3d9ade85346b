//! How much an agent may be told.

use std::collections::BTreeSet;

use domain::guideline::Lesson;
use domain::symbol::Symbol;

use super::{covers, is_told, worth};

/// What an agent may be told, and what it takes to be told again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// How many tokens learnt points may take of an agent's prompt, those for all agents included.
    pub tokens: usize,
    /// How many times the traces it had when it was retired a lesson needs to be looked at again.
    pub new_evidence: f64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { tokens: 600, new_evidence: 2.0 }
    }
}

/// Whether a lesson can be told besides what is told already.
pub fn fits<'a>(lesson: &'a Lesson, told: impl IntoIterator<Item = &'a Lesson>, tokens: usize) -> bool {
    let told: Vec<&Lesson> = told.into_iter().filter(|other| other.id != lesson.id).chain([lesson]).collect();
    readers(&told).iter().all(|agent| taken(&told, agent) <= tokens)
}

/// Those that have to give way so that no agent is told too much: what is worth least goes first.
pub(crate) fn too_many(lessons: &[Lesson], tokens: usize) -> Vec<usize> {
    let mut told: Vec<(usize, &Lesson)> = lessons.iter().enumerate().filter(|(_, lesson)| is_told(lesson)).collect();
    told.sort_by(|(_, a), (_, b)| worth(b).total_cmp(&worth(a)).then_with(|| a.id.cmp(&b.id)));
    let mut gone = Vec::new();
    for agent in readers(&told.iter().map(|(_, lesson)| *lesson).collect::<Vec<_>>()) {
        while taken(&told.iter().map(|(_, lesson)| *lesson).collect::<Vec<_>>(), &agent) > tokens {
            let Some(last) = told.iter().rposition(|(_, lesson)| covers(&lesson.agent, &agent)) else { break };
            gone.push(told.remove(last).0);
        }
    }
    gone
}

fn readers(told: &[&Lesson]) -> BTreeSet<Symbol> {
    told.iter().map(|lesson| lesson.agent.clone()).collect()
}

fn taken(told: &[&Lesson], agent: &Symbol) -> usize {
    told.iter().filter(|lesson| covers(&lesson.agent, agent)).map(|lesson| lesson.text.tokens()).sum()
}
