//! What was thought about a run before it acted, as its ledger tells: every attempt, in order.

use serde::Serialize;

use crate::assessment::{Assessment, Next};
use crate::confidence::Confidence;
use crate::critique::Critique;
use crate::event::Event;
use crate::finding::{Bounds, Finding};
use crate::forecast::Forecast;
use crate::guideline::Guideline;
use crate::plan::Notes;
use crate::thought::{Complexity, Thought};

/// Everything the stages of reasoning said.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Reasoning {
    /// What those who plan and act were told to heed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guidelines: Vec<Guideline>,
    /// How much the request takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// What was thought, with round and pass.
    pub thoughts: Vec<(u32, u32, Thought)>,
    /// What was found in drafts of plans, with the attempt.
    pub findings: Vec<(u32, Vec<Finding>)>,
    /// What the plan that was proved last can use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// What planners say about their plans, by version.
    pub notes: Vec<(u32, Notes)>,
    /// What critics say, by version.
    pub critiques: Vec<(u32, Critique)>,
    /// How sure everyone is, by version.
    pub confidences: Vec<(u32, Confidence)>,
    /// What the meta-agent says, by version.
    pub assessments: Vec<(u32, Assessment)>,
    /// What was done with each version, and why.
    pub gates: Vec<(u32, Next, String)>,
    /// What is expected of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast: Option<Forecast>,
}

impl Reasoning {
    /// Adds one event.
    pub(super) fn take(&mut self, event: &Event) {
        match event {
            Event::Recalled { guidelines, .. } => self.guidelines.clone_from(guidelines),
            Event::Weighed { complexity } => self.complexity = Some(complexity.clone()),
            Event::Thought { round, pass, thought } => self.thoughts.push((*round, *pass, (**thought).clone())),
            Event::Verified { attempt, findings, bounds } => {
                self.findings.push((*attempt, findings.clone()));
                self.bounds = *bounds;
            }
            Event::Planned { version, notes: Some(notes), .. } => self.notes.push((*version, (**notes).clone())),
            Event::Critiqued { version, critique } => self.critiques.push((*version, (**critique).clone())),
            Event::Scored { version, confidence } => self.confidences.push((*version, (**confidence).clone())),
            Event::Assessed { version, assessment } => self.assessments.push((*version, (**assessment).clone())),
            Event::Gated { version, next, why } => self.gates.push((*version, *next, why.clone())),
            Event::Foreseen { forecast, .. } => self.forecast = Some((**forecast).clone()),
            _ => {}
        }
    }
}
