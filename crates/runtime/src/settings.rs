//! What can be set about how runs are carried out, and the models they are carried out with.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::budget::Budget;
use domain::chat::{ChatModel, ModelError, Tier};
use domain::guideline::{Guideline, Version};
use domain::id::ToolName;
use domain::money::{Price, Usd};
use domain::plan::Strategy;
use domain::thought::Orchestration;

use serde::{Deserialize, Serialize};

use crate::learning::LearnPolicy;
use crate::policy::Rule;

/// The scores that a confidence is made of, by the names of their weights.
pub const SCORES: [&str; 4] = ["thought", "plan", "verification", "critique"];

/// Everything that can be set.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How agents are made from a plan, unless the request says otherwise.
    pub strategy: Strategy,
    /// Whether a planner may configure agents; without, plans are carried out as task graphs.
    pub meta_planning: bool,
    /// How much stands between a request and its plan; told by the request's complexity when absent.
    pub orchestration: Option<Orchestration>,
    /// When reasoning is not good enough.
    pub gate: Gate,
    /// How much each score counts in the confidence, by its name; what is not named here counts as configured by default.
    pub weights: BTreeMap<String, f64>,
    /// Whether a critic's questions are put before the person.
    pub questions: bool,
    /// What those who plan and act are told to heed.
    pub guidelines: Vec<Guideline>,
    /// How many turns an agent has, unless its plan says otherwise.
    pub max_iterations: u32,
    /// How often a plan may be replaced.
    pub max_replans: u32,
    /// How many tools one agent may be given.
    pub max_tools: usize,
    /// What a run may use, unless the request says otherwise.
    pub budget: Budget,
    /// Undo and repair steps whose result fails their check.
    pub validate: bool,
    /// How sure a small model must be of a role before that role answers.
    pub accept: f64,
    /// How long a tool may take that does not say so itself.
    pub tool_timeout: Duration,
    /// How long a step may take, waiting for people not counted.
    pub step_timeout: Duration,
    /// How many characters of one tool result a model gets to read.
    pub result_chars: usize,
    /// How many characters a conversation may have before its oldest results are cut.
    pub context_chars: usize,
    /// How long a person is waited for.
    pub patience: Option<Duration>,
    /// What needs a person, in the order in which it is looked up.
    pub rules: Vec<Rule>,
    /// Which plans are put before a person, besides those that a rule is about.
    pub propose: Propose,
    /// When what is there is used again.
    pub reuse: Reuse,
    /// How many tools a planner gets to see; all of them where there are no more.
    pub shortlist: usize,
    /// How what runs teach is learnt.
    pub learning: LearnPolicy,
    /// What a call of a tool costs, where it costs something.
    pub tool_prices: BTreeMap<ToolName, Usd>,
    /// The versions that are told in rehearsals, whatever the database says, with nothing tried out; absent in earnest.
    pub told: Option<Vec<Version>>,
    /// What is particular to one component: `planner`, `agent`, `answer`, `reflect`.
    pub components: BTreeMap<String, Component>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            strategy: Strategy::SingleAgent,
            meta_planning: true,
            orchestration: None,
            gate: Gate::default(),
            weights: BTreeMap::new(),
            questions: true,
            guidelines: Vec::new(),
            max_iterations: 10,
            max_replans: 3,
            max_tools: 15,
            budget: Budget::default(),
            validate: false,
            accept: 0.8,
            tool_timeout: Duration::from_secs(30),
            step_timeout: Duration::from_secs(600),
            result_chars: 16_000,
            context_chars: 240_000,
            patience: None,
            rules: Vec::new(),
            propose: Propose::Rules,
            reuse: Reuse::default(),
            shortlist: 30,
            learning: LearnPolicy::default(),
            tool_prices: BTreeMap::new(),
            told: None,
            components: BTreeMap::new(),
        }
    }
}

/// Which plans are put before a person, besides those that a rule is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Propose {
    /// No others.
    Rules,
    /// Those that a team of agents carries out.
    #[default]
    Teams,
    /// All that a planner made.
    Always,
}

/// When what is there is used again, and what is kept for later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reuse {
    /// Whether skills, plans and teams are used again for whole requests; agents are for steps in any case.
    pub whole: bool,
    /// From this score on something is used as it is.
    pub as_is: f64,
    /// From this score on something is changed a little, rather than made anew.
    pub adapt: f64,
    /// After how many successes of one shape a plan becomes a skill; never when 0.
    pub skill_after: u32,
    /// How long somebody has to complain before what a run made is offered to others.
    pub satisfied_after: Duration,
}

impl Default for Reuse {
    fn default() -> Self {
        Self {
            whole: true,
            as_is: 0.8,
            adapt: 0.55,
            skill_after: 3,
            satisfied_after: Duration::from_secs(24 * 60 * 60),
        }
    }
}

/// When reasoning is not good enough, and what making it better is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gate {
    /// Below this quality there is more thinking.
    pub deepen_below: f64,
    /// Below this quality there is another plan.
    pub replan_below: f64,
    /// What a right answer is worth, in dollars: another pass is made if what it brings is worth more than it costs.
    pub worth: f64,
}

impl Default for Gate {
    fn default() -> Self {
        Self { deepen_below: 0.6, replan_below: 0.4, worth: 0.5 }
    }
}

/// What is particular to one component.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Component {
    /// How able a model it needs.
    pub tier: Option<Tier>,
    /// A model by name, whatever the tier.
    pub model: Option<String>,
    /// How freely words are chosen.
    pub temperature: Option<f64>,
    /// The longest answer that is paid for.
    pub max_tokens: Option<u32>,
    /// Whether it is used at all, where the run can do without it.
    pub disabled: bool,
}

/// A model and what it costs.
#[derive(Clone)]
pub struct Model {
    /// How to ask it.
    pub chat: Arc<dyn ChatModel>,
    /// What it costs; nothing where no price is known.
    pub price: Price,
}

/// The models there are.
#[derive(Clone, Default)]
pub struct Models {
    /// By tier.
    pub tiers: BTreeMap<Tier, Model>,
    /// By name, for components that want a particular one.
    pub named: BTreeMap<String, Model>,
}

impl Models {
    /// One model for everything.
    pub fn only(chat: Arc<dyn ChatModel>) -> Self {
        let model = Model { chat, price: Price::default() };
        Self { tiers: [(Tier::Default, model)].into(), named: BTreeMap::new() }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tiers.is_empty() && self.named.is_empty()
    }

    /// The model for a component: the one it names, that of its tier, or the nearest tier that has one.
    pub fn choose(&self, component: &Component, tier: Tier) -> Result<&Model, ModelError> {
        if let Some(name) = &component.model {
            return self.named.get(name).ok_or(ModelError::NoModel);
        }
        let order = match component.tier.unwrap_or(tier) {
            Tier::Weak => [Tier::Weak, Tier::Default, Tier::Strong],
            Tier::Default => [Tier::Default, Tier::Strong, Tier::Weak],
            Tier::Strong => [Tier::Strong, Tier::Default, Tier::Weak],
        };
        order.iter().find_map(|tier| self.tiers.get(tier)).ok_or(ModelError::NoModel)
    }
}
