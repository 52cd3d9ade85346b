//! The sections of a configuration file, with what holds when a key is absent.

use std::collections::BTreeMap;
use std::path::PathBuf;

use domain::budget::{Budget, OnExceed};
use domain::id::ToolName;
use domain::money::Usd;
use domain::plan::Strategy;
use domain::thought::Orchestration;
use serde::{Deserialize, Serialize};

use super::approval::Approval;
use super::domains::{Calendar, FastPath, Roles, Search, SmartHome, Weather};
use super::learning::Learning;
use super::log::Log;
use super::mcp::Mcp;
use super::models::{Component, Models, Provider};
use super::server::Server;
use super::telemetry::Telemetry;
use super::values::{Count, Dollars, Fraction, Period, Within};

/// Everything that can be configured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Which models there are.
    pub models: Models,
    /// How providers are reached, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub providers: BTreeMap<String, Provider>,
    /// How single components use models, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub components: BTreeMap<String, Component>,
    /// What is switched on.
    pub features: Features,
    /// How requests are planned.
    pub planning: Planning,
    /// When reasoning is not good enough.
    pub gate: Gate,
    /// When what is there is used again, and what is kept.
    pub library: Library,
    /// When a request is answered without a plan.
    pub fast_path: FastPath,
    /// What things may cost.
    pub budget: Budgets,
    /// Where ledgers are kept.
    pub database: DatabaseSection,
    /// Which tools there are.
    pub tools: Tools,
    /// Which servers have tools for us.
    pub mcp: Mcp,
    /// Which roles there are.
    pub roles: Roles,
    /// Where the weather comes from.
    pub weather: Weather,
    /// Which house there is.
    pub smart_home: SmartHome,
    /// What the calendar is kept in step with.
    pub calendar: Calendar,
    /// What can be searched.
    pub search: Search,
    /// Who asks, and from where.
    pub person: Person,
    /// How people are told things.
    pub notifications: Notifications,
    /// How runs are learnt from.
    pub learning: Learning,
    /// Where others are let in.
    pub server: Server,
    /// Who is told what happens here.
    pub telemetry: Telemetry,
    /// What is logged.
    pub log: Log,
    /// What needs a person.
    pub approval: Approval,
}

/// `[features]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Features {
    /// Whether agents are configured by a planner; without, complex requests become a `task_graph`.
    pub meta_planning: bool,
}

impl Default for Features {
    fn default() -> Self {
        Self { meta_planning: true }
    }
}

/// `[planning]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Planning {
    /// How agents are made from a plan.
    pub strategy: Strategy,
    /// How many turns an agent has when its plan does not say.
    pub max_iterations: Within<1, 50>,
    /// How often a plan may be replaced.
    pub max_replans: Within<0, 10>,
    /// How many tools one agent may be given.
    pub max_tools: Within<1, 100>,
    /// How many tools a planner gets to see; all of them where there are no more.
    pub shortlist: Within<1, 1000>,
    /// Whether steps whose result fails their check are undone and repaired.
    pub validate: bool,
    /// How much stands between a request and its plan; told by the request's complexity when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orchestration: Option<Orchestration>,
    /// Whether a critic's questions are put before the person.
    pub questions: bool,
    /// What those who plan are told to heed, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guidelines: Vec<String>,
}

impl Default for Planning {
    fn default() -> Self {
        Self {
            strategy: Strategy::default(),
            max_iterations: Within::clamped(10),
            max_replans: Within::clamped(3),
            max_tools: Within::clamped(15),
            shortlist: Within::clamped(30),
            validate: false,
            orchestration: None,
            questions: true,
            guidelines: Vec::new(),
        }
    }
}

/// `[gate]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gate {
    /// Below this quality there is more thinking.
    pub deepen_below: Fraction,
    /// Below this quality there is another plan.
    pub replan_below: Fraction,
    /// What a right answer is worth, in dollars: another pass is made if what it brings is worth more than it costs.
    pub worth: Dollars,
    /// How much each score counts in the confidence: `thought`, `plan`, `verification`, `critique`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, Fraction>,
}

impl Default for Gate {
    fn default() -> Self {
        Self {
            deepen_below: Fraction::clamped(0.6),
            replan_below: Fraction::clamped(0.4),
            worth: Dollars::at_least_zero(0.5),
            weights: BTreeMap::new(),
        }
    }
}

/// `[library]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Library {
    /// Whether skills, plans and teams are used again for whole requests.
    pub reuse: bool,
    /// From this score on something is used as it is.
    pub reuse_from: Fraction,
    /// From this score on something is changed a little, rather than made anew.
    pub adapt_from: Fraction,
    /// After how many successes of one shape a plan becomes a skill; never when 0.
    pub skill_after: Within<0, 1000>,
    /// How long somebody has to complain before what a run made is offered to others.
    pub satisfied_after: Period,
}

impl Default for Library {
    fn default() -> Self {
        Self {
            reuse: true,
            reuse_from: Fraction::clamped(0.8),
            adapt_from: Fraction::clamped(0.55),
            skill_after: Within::clamped(3),
            satisfied_after: Period::seconds(24 * 60 * 60),
        }
    }
}

/// `[budget]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budgets {
    /// What one run may use.
    pub run: RunBudget,
}

/// `[budget.run]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunBudget {
    /// Money for models; counts for models whose price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd: Option<Dollars>,
    /// Tokens read and written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Count>,
    /// Calls of tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Count>,
    /// Calls of models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_calls: Option<Count>,
    /// Time in which the run is being worked on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall: Option<Period>,
    /// What happens at a limit.
    pub on_exceed: OnExceed,
}

impl Default for RunBudget {
    fn default() -> Self {
        Self {
            usd: Some(Dollars::at_least_zero(0.5)),
            tokens: Some(Count::clamped(200_000)),
            tool_calls: Some(Count::clamped(40)),
            model_calls: Some(Count::clamped(60)),
            wall: Some(Period::seconds(600)),
            on_exceed: OnExceed::Stop,
        }
    }
}

impl From<&RunBudget> for Budget {
    fn from(budget: &RunBudget) -> Budget {
        Budget {
            usd: budget.usd.map(|amount| Usd::dollars(amount.get())),
            tokens: budget.tokens.map(Count::get),
            model_calls: budget.model_calls.map(Count::get),
            tool_calls: budget.tool_calls.map(Count::get),
            wall: budget.wall.map(Period::get),
            on_exceed: budget.on_exceed,
        }
    }
}

/// `[database]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DatabaseSection {
    /// `sqlite:PATH` or `postgres://…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// `[tools]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tools {
    /// Files that describe tools, and folders of such files; `tools/` next to `agentwright.toml` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<PathBuf>>,
    /// What a call of a tool costs, in dollars, by its name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub prices: BTreeMap<ToolName, Dollars>,
}

/// `[person]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Person {
    /// Under whose name runs are filed; the user's login name when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where they are, in words a planner can use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// `[notifications]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Notifications {
    /// Whether they are written to the terminal.
    pub terminal: bool,
    /// Whether the desktop shows them, where there is one.
    pub desktop: bool,
    /// Where they are posted as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook: Option<String>,
}

impl Default for Notifications {
    fn default() -> Self {
        Self { terminal: true, desktop: true, webhook: None }
    }
}
