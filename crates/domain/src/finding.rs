//! What a proof of a plan brings to light: sentences a planner can act on, and bounds on what the plan can use.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::money::Usd;

/// Something that was proved about a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Which rule it is about, for example `AW-PLAN-003`; `docs/verifier.md` has them all.
    pub code: String,
    /// The step, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// What is wrong and what would be right, in a sentence.
    pub says: String,
    /// What follows.
    pub weight: Weight,
}

/// What follows from a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// It is worth knowing.
    Notice,
    /// A person has to agree before it happens.
    Approval,
    /// The plan cannot be carried out.
    Fatal,
}

impl Finding {
    /// What a rule says about a step, or about the plan as a whole.
    pub fn new(code: Code, step: Option<&str>, says: impl Into<String>) -> Self {
        Self { code: code.to_string(), step: step.map(str::to_owned), says: says.into(), weight: code.weight() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code)?;
        if let Some(step) = &self.step {
            write!(f, "step `{step}`: ")?;
        }
        f.write_str(&self.says)
    }
}

/// Every rule there is. Numbers are never given again: those of one subject share their tens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// What was given has not the form of a plan, or one of its steps not that of a step.
    NotAPlan,
    /// There is nothing to do.
    NoSteps,
    /// There is more to do than a plan can hold.
    TooManySteps,
    /// Two steps cannot be told apart.
    SameId,
    /// Something waits for a step that is not there.
    UnknownStep,
    /// Steps wait for each other.
    Circle,
    /// A step waits for its own result.
    OwnResult,
    /// A name cannot be one.
    BadName,
    /// A condition cannot be read.
    BadCondition,
    /// A reference cannot be read.
    BadReference,
    /// Arguments are no object.
    ArgumentsNoObject,
    /// An agent has no turns, or too many.
    Turns,
    /// A step does not say what to do.
    EmptyStep,
    /// A step has a field that means nothing.
    UnreadField,
    /// A tool is not there.
    UnknownTool,
    /// A tool is not the one that was planned with.
    ChangedTool,
    /// An argument is missing.
    MissingArgument,
    /// An argument has the wrong type.
    WrongType,
    /// A tool has no such argument.
    UnknownArgument,
    /// An argument stands for a value that nobody filled in.
    Placeholder,
    /// An argument breaks another rule of the tool's declaration.
    OutOfRange,
    /// A reference brings a value of the wrong type.
    ReferenceType,
    /// A result has no such field.
    NoSuchField,
    /// A reference goes into a value that has no such parts.
    NoWayIn,
    /// Not every way to do a step brings the field.
    FieldOfSome,
    /// What an agent brings is text.
    FieldOfWords,
    /// A result is used that may not be there.
    MayBeMissing,
    /// A condition compares what cannot be compared.
    Incomparable,
    /// A step is never begun.
    Unreachable,
    /// A condition always holds.
    AlwaysTrue,
    /// A check never holds.
    NeverPasses,
    /// A rule forbids a tool.
    Denied,
    /// A rule wants a person to agree.
    Asks,
    /// What is reached is decided by data that nobody vouches for.
    UntrustedTarget,
    /// The same, and a rule allows it.
    AllowedTarget,
    /// A later plan reaches for more than reading.
    NewEffect,
    /// An intent changes nothing.
    IdleIntent,
    /// Even the least is more than the budget.
    OverBudget,
    /// Even the least is more than the budget, which a person can raise.
    AsksForBudget,
    /// The most is more than the budget.
    MayExceedBudget,
    /// A result is used by nobody.
    Unused,
    /// The same call is made twice.
    SameCall,
}

impl Code {
    /// All of them, by number.
    pub const ALL: [Code; 42] = [
        Self::NotAPlan,
        Self::NoSteps,
        Self::TooManySteps,
        Self::SameId,
        Self::UnknownStep,
        Self::Circle,
        Self::OwnResult,
        Self::BadName,
        Self::BadCondition,
        Self::BadReference,
        Self::ArgumentsNoObject,
        Self::Turns,
        Self::EmptyStep,
        Self::UnreadField,
        Self::UnknownTool,
        Self::ChangedTool,
        Self::MissingArgument,
        Self::WrongType,
        Self::UnknownArgument,
        Self::Placeholder,
        Self::OutOfRange,
        Self::ReferenceType,
        Self::NoSuchField,
        Self::NoWayIn,
        Self::FieldOfSome,
        Self::FieldOfWords,
        Self::MayBeMissing,
        Self::Incomparable,
        Self::Unreachable,
        Self::AlwaysTrue,
        Self::NeverPasses,
        Self::Denied,
        Self::Asks,
        Self::UntrustedTarget,
        Self::AllowedTarget,
        Self::NewEffect,
        Self::IdleIntent,
        Self::OverBudget,
        Self::AsksForBudget,
        Self::MayExceedBudget,
        Self::Unused,
        Self::SameCall,
    ];

    /// What stands behind `AW-PLAN-`.
    pub fn number(self) -> u16 {
        self.facts().0
    }

    /// The rule in a few words.
    pub fn title(self) -> &'static str {
        self.facts().1
    }

    /// What follows where it is broken.
    pub fn weight(self) -> Weight {
        self.facts().2
    }

    fn facts(self) -> (u16, &'static str, Weight) {
        use Weight::{Approval, Fatal, Notice};
        match self {
            Code::NotAPlan => (1, "not a plan", Fatal),
            Code::NoSteps => (2, "no steps", Fatal),
            Code::TooManySteps => (3, "too many steps", Fatal),
            Code::SameId => (4, "two steps with one name", Fatal),
            Code::UnknownStep => (5, "unknown step", Fatal),
            Code::Circle => (6, "steps in a circle", Fatal),
            Code::OwnResult => (7, "a step that waits for itself", Fatal),
            Code::BadName => (8, "unreadable name", Fatal),
            Code::BadCondition => (9, "unreadable condition", Fatal),
            Code::BadReference => (10, "unreadable reference", Fatal),
            Code::ArgumentsNoObject => (11, "arguments that are no object", Fatal),
            Code::Turns => (12, "impossible number of turns", Fatal),
            Code::EmptyStep => (13, "a step without a task", Fatal),
            Code::UnreadField => (14, "field that is not read", Notice),
            Code::UnknownTool => (20, "unknown tool", Fatal),
            Code::ChangedTool => (21, "a tool that has changed", Fatal),
            Code::MissingArgument => (30, "missing argument", Fatal),
            Code::WrongType => (31, "argument of the wrong type", Fatal),
            Code::UnknownArgument => (32, "unknown argument", Fatal),
            Code::Placeholder => (33, "placeholder", Fatal),
            Code::OutOfRange => (34, "argument outside the allowed values", Fatal),
            Code::ReferenceType => (35, "reference to a value of the wrong type", Fatal),
            Code::NoSuchField => (40, "reference to a field that is not there", Fatal),
            Code::NoWayIn => (41, "reference into a value without parts", Fatal),
            Code::FieldOfSome => (42, "field that not every way brings", Notice),
            Code::FieldOfWords => (43, "field of an agent's words", Notice),
            Code::MayBeMissing => (44, "result that may be missing", Notice),
            Code::Incomparable => (50, "values that cannot be compared", Fatal),
            Code::Unreachable => (51, "a step that is never begun", Fatal),
            Code::AlwaysTrue => (52, "condition that always holds", Notice),
            Code::NeverPasses => (53, "check that never holds", Fatal),
            Code::Denied => (60, "forbidden tool", Fatal),
            Code::Asks => (61, "a person has to agree", Approval),
            Code::UntrustedTarget => (62, "target from untrusted data", Approval),
            Code::AllowedTarget => (63, "target from untrusted data, allowed by a rule", Notice),
            Code::NewEffect => (64, "a new plan that does more than read", Fatal),
            Code::IdleIntent => (65, "intent that changes nothing", Fatal),
            Code::OverBudget => (70, "more than the budget", Fatal),
            Code::AsksForBudget => (71, "more than the budget, which can be raised", Approval),
            Code::MayExceedBudget => (72, "perhaps more than the budget", Notice),
            Code::Unused => (80, "unused result", Notice),
            Code::SameCall => (81, "the same call twice", Notice),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AW-PLAN-{:03}", self.number())
    }
}

/// What carrying a plan out can use at least and at most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bounds {
    /// Calls of tools.
    pub tool_calls: Extent<u64>,
    /// Calls of models.
    pub model_calls: Extent<u64>,
    /// Money for models, where prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<Extent<Usd>>,
    /// Steps that can only be taken one after the other.
    pub critical_path: u64,
    /// Seconds along the critical path if every call takes all the time it may.
    pub seconds: f64,
}

/// The least and the most of something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Extent<T> {
    /// At least.
    pub least: T,
    /// At most.
    pub most: T,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_number_of_its_own_and_they_are_listed_in_order() {
        let numbers: Vec<u16> = Code::ALL.iter().map(|code| code.number()).collect();
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
        assert_eq!(Code::ALL.map(|code| code as usize), std::array::from_fn(|at| at));
        assert_eq!(Code::UnknownTool.to_string(), "AW-PLAN-020");
    }
}
