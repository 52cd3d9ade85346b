//! What the planner decides about an agent before it is made.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::ToolName;

/// The fewest and the most turns an agent can be given.
pub const ITERATIONS: std::ops::RangeInclusive<u32> = 1..=50;

/// An agent to be made: what it works by, what it is told, and all it can reach.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "AgentDraft")]
pub struct AgentConfiguration {
    /// How to go about it, in words.
    pub plan: String,
    /// Who the agent is and what it must do.
    pub system_prompt: String,
    /// The tools it needs, each once.
    pub tool_names: Vec<ToolName>,
    /// What to look out for.
    pub guidance: String,
    /// How many turns it has.
    pub max_iterations: u32,
    /// Anything else the planner wants on record.
    pub metadata: Map<String, Value>,
}

/// An agent as planners write it: `system_prompt`, `tool_names`, `guidance`, or `agent_system_prompt`, `selected_tools`,
/// `guidance_notes`; in snake case or camel case.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AgentDraft {
    /// What the request needs; kept in the metadata.
    pub analysis: String,
    /// How to go about it, as text or as a list of steps.
    pub plan: Value,
    /// Who the agent is and what it must do.
    #[serde(alias = "agent_system_prompt", alias = "systemPrompt", alias = "agentSystemPrompt")]
    pub system_prompt: String,
    /// The tools it needs.
    #[serde(alias = "selected_tools", alias = "toolNames", alias = "selectedTools", alias = "tools")]
    pub tool_names: Vec<String>,
    /// What to look out for.
    #[serde(alias = "guidance_notes", alias = "guidanceNotes")]
    pub guidance: Value,
    /// How many turns it has.
    #[serde(alias = "maxIterations")]
    pub max_iterations: Option<i64>,
    /// Anything else.
    pub metadata: Map<String, Value>,
    /// How sure the planner is of its plan, from 0 to 1.
    pub confidence: Value,
    /// How much the plan takes.
    pub complexity: Value,
    /// Why the plan is as it is.
    #[serde(alias = "reasoning")]
    pub rationale: String,
    /// Other plans, for when this one dies.
    #[serde(alias = "alternative_plans", alias = "alternativePlans")]
    pub alternatives: Vec<Value>,
}

/// Why a draft is not an agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadAgent {
    /// Write one.
    #[error("`system_prompt` is empty")]
    NoPrompt,
    /// Choose another number.
    #[error("`max_iterations` is {0}; it must be from 1 to 50")]
    Iterations(i64),
    /// Use names as the registry has them.
    #[error(transparent)]
    Tool(#[from] crate::id::BadName),
}

impl TryFrom<AgentDraft> for AgentConfiguration {
    type Error = BadAgent;

    fn try_from(draft: AgentDraft) -> Result<Self, BadAgent> {
        if draft.system_prompt.trim().is_empty() {
            return Err(BadAgent::NoPrompt);
        }
        let wanted = draft.max_iterations.unwrap_or(10);
        let max_iterations = u32::try_from(wanted)
            .ok()
            .filter(|turns| ITERATIONS.contains(turns))
            .ok_or(BadAgent::Iterations(wanted))?;
        let mut tool_names: Vec<ToolName> = Vec::new();
        for name in draft.tool_names {
            let name: ToolName = name.try_into()?;
            if !tool_names.contains(&name) {
                tool_names.push(name);
            }
        }
        let mut metadata = draft.metadata;
        if !draft.analysis.is_empty() {
            metadata.insert("analysis".into(), draft.analysis.into());
        }
        Ok(Self {
            plan: in_words(&draft.plan),
            system_prompt: draft.system_prompt,
            tool_names,
            guidance: in_words(&draft.guidance),
            max_iterations,
            metadata,
        })
    }
}

/// Planners write plans and guidance as text, as lists and as objects: all of them can be read aloud.
fn in_words(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(at, item)| format!("{}. {}", at + 1, in_words(item)))
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Object(fields) => match fields.get("goal").or(fields.get("description")) {
            Some(Value::String(text)) => text.clone(),
            _ => value.to_string(),
        },
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn agent(draft: Value) -> Result<AgentConfiguration, String> {
        serde_json::from_value(draft).map_err(|error| error.to_string())
    }

    #[test]
    fn both_spellings_mean_the_same_agent() {
        let snake = json!({"plan": "look, then tell", "system_prompt": "You look.", "tool_names": ["weather.current"],
            "guidance": "be brief", "max_iterations": 3, "metadata": {}});
        let other = json!({"analysis": "", "plan": "look, then tell", "agent_system_prompt": "You look.",
            "selected_tools": ["weather.current"], "guidance_notes": "be brief", "max_iterations": 3});
        let camel = json!({"plan": "look, then tell", "systemPrompt": "You look.", "toolNames": ["weather.current"],
            "guidance": "be brief", "maxIterations": 3, "metadata": {}});
        let agents = [snake, other, camel].map(|draft| agent(draft).expect("valid"));
        assert_eq!(agents[0], agents[1]);
        assert_eq!(agents[0], agents[2]);
    }

    #[test]
    fn what_is_not_an_agent_says_why() {
        let with = |turns: i64| agent(json!({"system_prompt": "You look.", "max_iterations": turns}));
        assert_eq!(with(0).expect_err("too few"), "`max_iterations` is 0; it must be from 1 to 50");
        assert_eq!(with(51).expect_err("too many"), "`max_iterations` is 51; it must be from 1 to 50");
        assert!(with(1).is_ok() && with(50).is_ok());
        assert_eq!(agent(json!({"system_prompt": " "})).expect_err("empty"), "`system_prompt` is empty");
    }

    #[test]
    fn a_tool_named_twice_is_given_once() {
        let twice = agent(json!({"system_prompt": "You look.", "tools": ["a.b", "a.b", "a.c"]})).expect("valid");
        assert_eq!(twice.tool_names.len(), 2);
    }
}
