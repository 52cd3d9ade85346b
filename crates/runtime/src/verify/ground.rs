//! What every proof stands on: the plan taken apart once, with the declarations of its tools at hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::agent::AgentConfiguration;
use domain::finding::{Code, Finding};
use domain::id::{StepId, ToolName};
use domain::intent::IntentDraft;
use domain::plan::{Action, Plan, Step};
use domain::reference::{self, Mention, Reference};
use domain::tool::{Tool, ToolSpec, Toolbox};
use serde_json::Value;

use super::schema::{self, Gone, Kinds, Look};

/// A plan and what is known about it.
pub(super) struct Ground<'g> {
    pub(super) plan: &'g Plan,
    pub(super) toolbox: &'g dyn Toolbox,
    /// Everything in the plan that calls or refers to something.
    pub(super) sites: Vec<Site<'g>>,
    /// Every tool that can be reached, each once.
    pub(super) reachable: Vec<ToolName>,
    tools: BTreeMap<ToolName, Arc<dyn Tool>>,
    steps: BTreeMap<&'g StepId, &'g Step>,
}

/// A place in a plan that calls or refers to something.
pub(super) struct Site<'g> {
    /// The step it belongs to; what belongs to none comes after all steps.
    pub(super) step: Option<&'g Step>,
    pub(super) part: Part,
    /// The tool and its arguments, where it is a call.
    pub(super) call: Option<(&'g ToolName, &'g Value)>,
    pub(super) mentions: Vec<Mention>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Action,
    Alternative,
    Undo,
    Intent,
    Answer,
}

/// What a way to do a step brings.
pub(super) enum Brings<'g> {
    /// What its tool declares.
    Declared(&'g Value),
    /// An agent's words.
    Words,
    /// Nobody knows.
    Anything,
}

impl Site<'_> {
    /// A finding about this place.
    pub(super) fn finding(&self, code: Code, says: &str) -> Finding {
        let within = match self.part {
            Part::Action => "",
            Part::Alternative => "as an alternative, ",
            Part::Undo => "to undo it, ",
            Part::Intent => "intents: ",
            Part::Answer => "answer: ",
        };
        Finding::new(code, self.step.map(|step| step.id.as_str()), format!("{within}{says}"))
    }
}

impl<'g> Ground<'g> {
    pub(super) fn new(plan: &'g Plan, toolbox: &'g dyn Toolbox, configuration: Option<&'g AgentConfiguration>) -> Self {
        let mut reachable = plan.tools();
        for tool in configuration.iter().flat_map(|configuration| &configuration.tool_names) {
            if !reachable.contains(tool) {
                reachable.push(tool.clone());
            }
        }
        let found = reachable.iter().filter_map(|name| toolbox.tool(name).map(|tool| (name.clone(), tool)));
        Self {
            plan,
            toolbox,
            sites: sites(plan),
            tools: found.collect(),
            reachable,
            steps: plan.steps().iter().map(|step| (&step.id, step)).collect(),
        }
    }

    pub(super) fn step(&self, id: &StepId) -> Option<&'g Step> {
        self.steps.get(id).copied()
    }

    pub(super) fn spec(&self, tool: &ToolName) -> Option<&ToolSpec> {
        self.tools.get(tool).map(|tool| tool.spec())
    }

    /// What each way to do a step brings.
    pub(super) fn brings(&self, step: &Step) -> Vec<Brings<'_>> {
        let way = |action: &Action| match action {
            Action::Agent(_) => Brings::Words,
            Action::Call(call) => match self.spec(&call.tool).and_then(|spec| spec.returns.as_ref()) {
                Some(schema) => Brings::Declared(schema),
                None => Brings::Anything,
            },
        };
        std::iter::once(&step.action).chain(&step.alternatives).map(way).collect()
    }

    /// What is declared about the value that a reference brings, one entry for each way; nothing where one is unknown.
    pub(super) fn declared(&self, reference: &Reference) -> Option<Vec<(&Value, &Value)>> {
        let mut declared = Vec::new();
        for way in self.brings(self.step(&reference.step)?) {
            match way {
                Brings::Declared(root) => match schema::look(root, root, &reference.path) {
                    Look::Is(schemas) => declared.extend(schemas.into_iter().map(|schema| (root, schema))),
                    // Reported where references are followed.
                    Look::Gone(Gone::Field { .. } | Gone::Kind(_)) => {}
                    Look::Unknown => return None,
                },
                Brings::Words | Brings::Anything => return None,
            }
        }
        (!declared.is_empty()).then_some(declared)
    }

    /// The types that the value of a reference can have, where that is known.
    pub(super) fn kinds(&self, reference: &Reference) -> Option<Kinds> {
        let declared = self.declared(reference)?;
        let kinds = declared.into_iter().map(|(root, schema)| schema::kinds(root, schema));
        kinds.reduce(|one, other| Some(one?.or(other?))).flatten()
    }

    /// The values that a reference can bring, where all of them are listed.
    pub(super) fn choices(&self, reference: &Reference) -> Option<Vec<&Value>> {
        let declared = self.declared(reference)?;
        let mut choices = Vec::new();
        for (root, schema) in declared {
            choices.extend(schema::choices(root, schema)?);
        }
        Some(choices)
    }
}

fn sites(plan: &Plan) -> Vec<Site<'_>> {
    let mut sites = Vec::new();
    for step in plan.steps() {
        let main = std::iter::once((Part::Action, &step.action));
        let others = step.alternatives.iter().map(|action| (Part::Alternative, action));
        for (part, action) in main.chain(others) {
            sites.push(match action {
                Action::Call(call) => site(Some(step), part, &call.tool, &call.arguments),
                Action::Agent(task) => Site { step: Some(step), part, call: None, mentions: words(&task.prompt) },
            });
        }
        sites.extend(step.undo.iter().map(|call| site(Some(step), Part::Undo, &call.tool, &call.arguments)));
    }
    intents(plan.intents(), &mut sites);
    if let Some(answer) = plan.answer() {
        sites.push(Site { step: None, part: Part::Answer, call: None, mentions: words(answer) });
    }
    sites
}

fn intents<'g>(drafts: &'g [IntentDraft], sites: &mut Vec<Site<'g>>) {
    for intent in drafts {
        sites.push(site(None, Part::Intent, &intent.tool, &intent.arguments));
        intents(&intent.then, sites);
    }
}

fn site<'g>(step: Option<&'g Step>, part: Part, tool: &'g ToolName, arguments: &'g Value) -> Site<'g> {
    // A plan's references were read when it was.
    Site { step, part, call: Some((tool, arguments)), mentions: reference::mentions(arguments).unwrap_or_default() }
}

fn words(text: &str) -> Vec<Mention> {
    if !reference::is_template(text) {
        return Vec::new();
    }
    reference::mentions(&Value::String(text.to_owned())).unwrap_or_default()
}
