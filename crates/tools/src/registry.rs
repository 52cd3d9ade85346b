//! All tools there are, under names that mean one tool each. Built once, never changed.

mod listing;
mod nearest;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use domain::id::ToolName;
use domain::tool::{Tool, ToolError, ToolSpec, Toolbox};
use serde_json::Value;

use crate::check::{Checks, Stage};

/// The tools of a process.
#[derive(Default)]
pub struct Registry {
    tools: BTreeMap<ToolName, Entry>,
    wire: HashMap<String, ToolName>,
}

struct Entry {
    tool: Arc<dyn Tool>,
    checks: Checks,
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.tools.keys()).finish()
    }
}

/// Which tools a listing shows.
#[derive(Debug, Clone, Copy)]
pub enum Filter<'a> {
    /// Every one.
    All,
    /// Those of one domain.
    Domain(&'a str),
    /// Those with these names, as far as they exist.
    Named(&'a [ToolName]),
}

/// How many tools a domain has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// What stands before the dot.
    pub name: String,
    /// How many of its tools change nothing.
    pub reads: usize,
    /// How many of its tools send data out.
    pub egresses: usize,
    /// How many of its tools change something.
    pub writes: usize,
}

/// Why tools cannot stand in one registry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// Rename one of them.
    #[error("two tools are called `{name}`: \"{first}\" and \"{second}\"")]
    SameName {
        /// The name of both.
        name: ToolName,
        /// How the one describes itself.
        first: String,
        /// How the other does.
        second: String,
    },
    /// Rename one of them: model providers could not tell them apart.
    #[error("`{first}` and `{second}` are both called `{wire}` in requests to models")]
    SameWireName {
        /// The one.
        first: ToolName,
        /// The other.
        second: ToolName,
        /// What they are both called.
        wire: String,
    },
    /// Correct the tool's declaration.
    #[error("the declaration of `{tool}` is wrong: {detail}")]
    BadSchema {
        /// Whose declaration.
        tool: ToolName,
        /// What is wrong with it.
        detail: String,
    },
}

impl Registry {
    /// Takes the tools in; the first conflict or unusable declaration refuses them all.
    pub fn new(tools: Vec<Arc<dyn Tool>>) -> Result<Self, RegistryError> {
        let mut registry = Self::default();
        for tool in tools {
            registry.insert(tool)?;
        }
        Ok(registry)
    }

    /// The tool of this name.
    pub fn get(&self, name: &ToolName) -> Option<&Arc<dyn Tool>> {
        self.tools.get(name).map(|entry| &entry.tool)
    }

    /// The tools of these names, in this order, or the first name that is nobody's.
    pub fn many(&self, names: &[ToolName]) -> Result<Vec<&Arc<dyn Tool>>, ToolError> {
        names.iter().map(|name| self.entry(name).map(|entry| &entry.tool)).collect()
    }

    /// The tools that a filter lets through, by name.
    pub fn tools<'r, 'f>(&'r self, filter: Filter<'f>) -> impl Iterator<Item = &'r Arc<dyn Tool>> + use<'r, 'f> {
        self.tools.iter().filter(move |(name, _)| filter.lets_through(name)).map(|(_, entry)| &entry.tool)
    }

    /// How many tools each domain has.
    pub fn summary(&self) -> Vec<Domain> {
        listing::summary(self.tools(Filter::All).map(|tool| tool.spec()))
    }

    /// The text a planner reads: what there is, what it needs and what it does, within a fixed length.
    pub fn listing(&self, filter: Filter<'_>) -> String {
        listing::listing(self.tools(filter).map(|tool| tool.spec()))
    }

    /// The tool that a model or a person means: by its name, its wire name, or what stands after the dot if only one of
    /// the allowed tools has that. Nothing is guessed; what is near goes into the error.
    pub fn resolve(&self, text: &str, among: Option<&[ToolName]>) -> Result<&Arc<dyn Tool>, ToolError> {
        let text = text.trim();
        let filter = among.map_or(Filter::All, Filter::Named);
        let named = text.parse::<ToolName>().ok().or_else(|| self.wire.get(text).cloned());
        if let Some((name, entry)) = named.and_then(|name| self.tools.get_key_value(&name)) {
            return if filter.lets_through(name) {
                Ok(&entry.tool)
            } else {
                Err(ToolError::Denied {
                    tool: name.clone(),
                    detail: "it is not among the tools that may be used".into(),
                })
            };
        }
        let short: Vec<_> = self.tools(filter).filter(|tool| tool.spec().name.short() == text).collect();
        match short.as_slice() {
            [one] => Ok(*one),
            _ => Err(self.unknown(text, filter)),
        }
    }

    /// Whether a tool may be called with these arguments. A null for an optional argument counts as left out.
    pub fn check(&self, name: &ToolName, arguments: &Value) -> Result<(), ToolError> {
        self.entry(name)?.checks.arguments(name, arguments, Stage::Call)
    }

    /// Whether a tool could be called with these arguments once each `${…}` has become a value: texts with references
    /// count as values of any type.
    pub fn check_draft(&self, name: &ToolName, arguments: &Value) -> Result<(), ToolError> {
        self.entry(name)?.checks.arguments(name, arguments, Stage::Draft)
    }

    /// Whether a result is what the tool declares. For reads a mismatch is a failure; a write that answers something
    /// else is in doubt, because it may well have happened.
    pub fn check_result(&self, name: &ToolName, result: &Value) -> Result<(), ToolError> {
        let entry = self.entry(name)?;
        entry.checks.result(entry.tool.spec(), result)
    }

    fn insert(&mut self, tool: Arc<dyn Tool>) -> Result<(), RegistryError> {
        let spec = tool.spec();
        let name = spec.name.clone();
        if let Some(first) = self.get(&name) {
            return Err(RegistryError::SameName {
                first: first.spec().description.clone(),
                second: spec.description.clone(),
                name,
            });
        }
        let wire = name.wire();
        if let Some(first) = self.wire.get(&wire) {
            return Err(RegistryError::SameWireName { first: first.clone(), second: name, wire });
        }
        let checks = Checks::of(spec).map_err(|detail| RegistryError::BadSchema { tool: spec.name.clone(), detail })?;
        self.wire.insert(wire, name.clone());
        self.tools.insert(name, Entry { tool, checks });
        Ok(())
    }

    fn entry(&self, name: &ToolName) -> Result<&Entry, ToolError> {
        self.tools.get(name).ok_or_else(|| self.unknown(name.as_str(), Filter::All))
    }

    fn unknown(&self, text: &str, filter: Filter<'_>) -> ToolError {
        let names = self.tools.keys().filter(|name| filter.lets_through(name));
        ToolError::Unknown { name: crate::words::capped(text, 100), nearest: nearest::names(text, names) }
    }
}

impl Toolbox for Registry {
    fn specs(&self) -> Vec<&ToolSpec> {
        self.tools(Filter::All).map(|tool| tool.spec()).collect()
    }

    fn tool(&self, name: &ToolName) -> Option<Arc<dyn Tool>> {
        self.get(name).cloned()
    }

    fn resolve(&self, name: &str, among: Option<&[ToolName]>) -> Result<Arc<dyn Tool>, ToolError> {
        self.resolve(name, among).cloned()
    }

    fn check(&self, tool: &ToolName, arguments: &Value) -> Result<(), ToolError> {
        self.check(tool, arguments)
    }

    fn check_draft(&self, tool: &ToolName, arguments: &Value) -> Result<(), ToolError> {
        self.check_draft(tool, arguments)
    }

    fn listing(&self, among: Option<&[ToolName]>) -> String {
        self.listing(among.map_or(Filter::All, Filter::Named))
    }
}

impl Filter<'_> {
    fn lets_through(&self, name: &ToolName) -> bool {
        match self {
            Filter::All => true,
            Filter::Domain(domain) => name.domain() == *domain,
            Filter::Named(names) => names.contains(name),
        }
    }
}
