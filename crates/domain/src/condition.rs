//! Conditions on results, decidable without a model: `${forecast.rain} == true && ${forecast.high} > 10`.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::StepId;
use crate::reference::Reference;

/// A yes-or-no question about results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Condition {
    source: String,
    root: Node,
}

/// What a condition asks, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// Whether both hold.
    And(Box<Node>, Box<Node>),
    /// Whether one of them holds.
    Or(Box<Node>, Box<Node>),
    /// Whether it does not hold.
    Not(Box<Node>),
    /// How two values compare.
    Compare(Operand, Comparison, Operand),
    /// Whether there is anything.
    Exists(Reference),
    /// Whether it is `true`.
    Truth(Operand),
}

/// A value that is known, or known once there are results.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A place in a result.
    Reference(Reference),
    /// The value itself.
    Literal(Value),
}

/// How two values can compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `contains`
    Contains,
}

impl Comparison {
    /// Whether two values compare like this.
    pub fn holds(self, left: &Value, right: &Value) -> bool {
        compare(left, self, right)
    }
}

/// Where a condition stops making sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{source_text}` is not a condition: {problem} at character {at}")]
pub struct BadCondition {
    source_text: String,
    problem: String,
    at: usize,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl From<Condition> for String {
    fn from(condition: Condition) -> String {
        condition.source
    }
}

impl TryFrom<String> for Condition {
    type Error = BadCondition;

    fn try_from(source: String) -> Result<Self, BadCondition> {
        let mut parser = Parser { source: &source, at: 0, depth: 0 };
        let root = parser.either()?;
        parser.skip_space();
        if parser.at < source.len() {
            return Err(parser.error("there is something left over"));
        }
        Ok(Self { root, source })
    }
}

impl std::str::FromStr for Condition {
    type Err = BadCondition;

    fn from_str(source: &str) -> Result<Self, BadCondition> {
        source.to_owned().try_into()
    }
}

impl Condition {
    /// Whether it holds. What refers to nothing is `null`: it equals nothing else and compares with nothing.
    pub fn holds<'v>(&self, result_of: &dyn Fn(&StepId) -> Option<&'v Value>) -> bool {
        self.root.holds(result_of)
    }

    /// What it asks, taken apart.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The steps whose results it asks about.
    pub fn steps(&self) -> BTreeSet<StepId> {
        let mut steps = BTreeSet::new();
        self.root.collect(&mut steps);
        steps
    }
}

impl Node {
    fn holds<'v>(&self, result_of: &dyn Fn(&StepId) -> Option<&'v Value>) -> bool {
        let find = |reference: &Reference| result_of(&reference.step).and_then(|result| reference.find(result));
        let value = |operand: &Operand| match operand {
            Operand::Reference(reference) => find(reference).cloned().unwrap_or(Value::Null),
            Operand::Literal(value) => value.clone(),
        };
        match self {
            Node::And(left, right) => left.holds(result_of) && right.holds(result_of),
            Node::Or(left, right) => left.holds(result_of) || right.holds(result_of),
            Node::Not(inner) => !inner.holds(result_of),
            Node::Exists(reference) => find(reference).is_some_and(|value| !value.is_null()),
            Node::Truth(operand) => value(operand) == Value::Bool(true),
            Node::Compare(left, comparison, right) => compare(&value(left), *comparison, &value(right)),
        }
    }

    fn collect(&self, steps: &mut BTreeSet<StepId>) {
        let mut operand = |operand: &Operand| {
            if let Operand::Reference(reference) = operand {
                steps.insert(reference.step.clone());
            }
        };
        match self {
            Node::And(left, right) | Node::Or(left, right) => {
                left.collect(steps);
                right.collect(steps);
            }
            Node::Not(inner) => inner.collect(steps),
            Node::Exists(reference) => {
                steps.insert(reference.step.clone());
            }
            Node::Truth(only) => operand(only),
            Node::Compare(left, _, right) => {
                operand(left);
                operand(right);
            }
        }
    }
}

fn compare(left: &Value, comparison: Comparison, right: &Value) -> bool {
    let order = match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left.as_f64().zip(right.as_f64()).and_then(|(left, right)| left.partial_cmp(&right))
        }
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    };
    match comparison {
        Comparison::Equal => order.map_or(left == right, Ordering::is_eq),
        Comparison::NotEqual => !order.map_or(left == right, Ordering::is_eq),
        Comparison::Less => order.is_some_and(Ordering::is_lt),
        Comparison::AtMost => order.is_some_and(Ordering::is_le),
        Comparison::Greater => order.is_some_and(Ordering::is_gt),
        Comparison::AtLeast => order.is_some_and(Ordering::is_ge),
        Comparison::Contains => match (left, right) {
            (Value::String(text), Value::String(part)) => text.to_lowercase().contains(&part.to_lowercase()),
            (Value::Array(items), item) => items.contains(item),
            (Value::Object(fields), Value::String(name)) => fields.contains_key(name),
            _ => false,
        },
    }
}

/// The deepest nesting that is read: a condition is a sentence, not a program.
const MAX_DEPTH: usize = 32;

struct Parser<'s> {
    source: &'s str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn error(&self, problem: &str) -> BadCondition {
        BadCondition {
            source_text: self.source.to_owned(),
            problem: problem.to_owned(),
            at: self.source[..self.at].chars().count() + 1,
        }
    }

    fn skip_space(&mut self) {
        let rest = &self.source[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn takes(&mut self, word: &str) -> bool {
        self.skip_space();
        let Some(rest) = self.source[self.at..].strip_prefix(word) else { return false };
        let cut_short = word.ends_with(char::is_alphanumeric) && rest.starts_with(char::is_alphanumeric);
        if !cut_short {
            self.at += word.len();
        }
        !cut_short
    }

    fn either(&mut self) -> Result<Node, BadCondition> {
        let mut left = self.both()?;
        while self.takes("||") || self.takes("or") {
            left = Node::Or(Box::new(left), Box::new(self.both()?));
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Node, BadCondition> {
        let mut left = self.single()?;
        while self.takes("&&") || self.takes("and") {
            left = Node::And(Box::new(left), Box::new(self.single()?));
        }
        Ok(left)
    }

    fn single(&mut self) -> Result<Node, BadCondition> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("it is nested too deeply"));
        }
        let node = self.single_within_depth();
        self.depth -= 1;
        node
    }

    fn single_within_depth(&mut self) -> Result<Node, BadCondition> {
        self.skip_space();
        if !self.source[self.at..].starts_with("!=") && (self.takes("!") || self.takes("not")) {
            return Ok(Node::Not(Box::new(self.single()?)));
        }
        if self.takes("(") {
            let inner = self.either()?;
            return if self.takes(")") { Ok(inner) } else { Err(self.error("a `)` is missing")) };
        }
        if self.takes("exists") {
            return match self.operand()? {
                Operand::Reference(reference) => Ok(Node::Exists(reference)),
                Operand::Literal(_) => Err(self.error("`exists` asks about a reference")),
            };
        }
        let left = self.operand()?;
        // Longer signs first, so that `<=` is not read as `<`.
        let comparisons = [
            ("==", Comparison::Equal),
            ("!=", Comparison::NotEqual),
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
            ("contains", Comparison::Contains),
        ];
        match comparisons.into_iter().find(|(sign, _)| self.takes(sign)) {
            Some((_, comparison)) => Ok(Node::Compare(left, comparison, self.operand()?)),
            None => Ok(Node::Truth(left)),
        }
    }

    fn operand(&mut self) -> Result<Operand, BadCondition> {
        self.skip_space();
        let rest = &self.source[self.at..];
        if let Some(inner) = rest.strip_prefix("${") {
            let end = inner.find('}').ok_or_else(|| self.error("a `}` is missing"))?;
            let reference = Reference::parse(&inner[..end]).map_err(|error| self.error(&error.to_string()))?;
            self.at += end + 3;
            return Ok(Operand::Reference(reference));
        }
        if let Some(inner) = rest.strip_prefix('\'') {
            let end = inner.find('\'').ok_or_else(|| self.error("a `'` is missing"))?;
            self.at += end + 2;
            return Ok(Operand::Literal(Value::String(inner[..end].to_owned())));
        }
        let missing = "a value or a `${reference}` is missing";
        if rest.starts_with('"') {
            let mut texts = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            let text = texts.next().and_then(Result::ok).ok_or_else(|| self.error(missing))?;
            self.at += texts.byte_offset();
            return Ok(Operand::Literal(Value::String(text)));
        }
        let end = rest.find(|c: char| c.is_whitespace() || "()&|=<>!".contains(c)).unwrap_or(rest.len());
        let value = serde_json::from_str(&rest[..end]).map_err(|_| self.error(missing))?;
        self.at += end;
        Ok(Operand::Literal(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn holds(condition: &str) -> Result<bool, String> {
        let result = json!({"rain": true, "high": 12.0, "sky": "Light Rain", "tags": ["wet"], "none": null});
        let condition: Condition = condition.parse().map_err(|error: BadCondition| error.to_string())?;
        Ok(condition.holds(&|step| (step.as_str() == "w").then_some(&result)))
    }

    #[test]
    fn conditions_are_decided_by_results() {
        for yes in [
            "${w.rain}",
            "${w.rain} == true && ${w.high} > 10",
            "${w.high} == 12",
            "${w.sky} contains 'rain' and not ${w.high} >= 13",
            "${w.tags} contains \"wet\"",
            "exists ${w.high} && !exists ${w.wind} && !exists ${w.none}",
            "(${w.high} < 5 || ${w.high} > 11) && ${w.sky} != 'x'",
            "${w.wind} == null",
        ] {
            assert_eq!(holds(yes), Ok(true), "{yes}");
        }
        for no in
            ["${w.wind} > 1", "${w.high} > '3'", "!${w.rain}", "${w.sky}", "${other.rain}", "${w.sky} == 'light rain'"]
        {
            assert_eq!(holds(no), Ok(false), "{no}");
        }
    }

    #[test]
    fn what_is_not_a_condition_says_where() {
        assert_eq!(
            holds("${w.rain} ==").expect_err("incomplete"),
            "`${w.rain} ==` is not a condition: a value or a `${reference}` is missing at character 13"
        );
        for wrong in ["", "rain", "(${w.rain}", "${w.rain} true", "exists 3", "${w.", &"(".repeat(100)] {
            assert!(holds(wrong).is_err(), "{wrong}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<Condition>();
        }
    }
}
