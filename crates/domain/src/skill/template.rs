//! Requests that say the same with other values, and the plan that they mean.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::lifted::Lifted;
use crate::hash::Hash;

/// A request and its plan, both with holes where the values were. Every parameter stands in the request once and in the
/// plan at least once, and was seen in every request that the template was made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "Written")]
#[schemars(with = "Written")]
pub struct Template {
    pieces: Vec<Piece>,
    parameters: Vec<Parameter>,
    plan: Lifted,
    requests: Vec<String>,
}

/// A part of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Words that have to be said, as they were said first.
    Words(String),
    /// The value of a parameter, counted from 0.
    Hole(usize),
}

/// A value that is taken from the request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Parameter {
    /// What it is called: mostly after the argument that takes it.
    pub name: String,
    /// What kind of value it is.
    pub kind: ParameterKind,
    /// What was said for it, one for each request of the template.
    pub examples: Vec<Example>,
    /// What stood within those words besides names and things: `and`, a comma, a date. Whatever else stands in a new value
    /// could mean another plan.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub within: BTreeSet<String>,
    /// Whether there is no plan without it. Until now always so: a request that lacks it is another shape.
    pub required: bool,
}

/// Kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// Any words.
    Text,
    /// One of the values that were seen, and no other.
    Choice,
    /// Words in quotation marks.
    Quoted,
    /// A number.
    Number,
    /// A percentage.
    Percent,
    /// A number with a unit.
    Quantity,
    /// How long.
    Duration,
    /// When, to the minute.
    Moment,
    /// A day.
    Date,
    /// A stretch of time.
    Range,
    /// How often.
    Recurrence,
    /// Somewhere.
    Place,
    /// A device or another thing with a name.
    Thing,
    /// A colour.
    Colour,
}

impl ParameterKind {
    /// The word for it in listings.
    pub fn word(self) -> &'static str {
        match self {
            ParameterKind::Text => "text",
            ParameterKind::Choice => "choice",
            ParameterKind::Quoted => "quoted",
            ParameterKind::Number => "number",
            ParameterKind::Percent => "percent",
            ParameterKind::Quantity => "quantity",
            ParameterKind::Duration => "duration",
            ParameterKind::Moment => "moment",
            ParameterKind::Date => "date",
            ParameterKind::Range => "range",
            ParameterKind::Recurrence => "recurrence",
            ParameterKind::Place => "place",
            ParameterKind::Thing => "thing",
            ParameterKind::Colour => "colour",
        }
    }
}

/// What was said once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Example {
    /// The words.
    pub said: String,
    /// What they named then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
}

/// The value that words name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reading {
    /// What kind of value.
    pub kind: ParameterKind,
    /// The value as tools take it.
    pub value: Value,
    /// Whether the words could have meant another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub doubtful: bool,
}

/// Why parts are not a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTemplate {
    /// Let each hole be a parameter's, once.
    #[error("the holes of the request are `{0:?}`; each of the {1} parameters must stand there once")]
    Holes(Vec<usize>, usize),
    /// Leave the parameter out.
    #[error("parameter `{0}` is not used in the plan")]
    Unused(String),
    /// Take the value from a parameter.
    #[error("the plan has a hole for parameter {0}, which there is not")]
    Unknown(usize),
    /// Let the sources of each hole be known.
    #[error("the plan has a hole that nothing fills")]
    Empty,
    /// Give an example of each parameter for each request.
    #[error("parameter `{name}` has {examples} examples for {requests} requests")]
    Examples {
        /// Which parameter.
        name: String,
        /// How many it has.
        examples: usize,
        /// How many it must have.
        requests: usize,
    },
}

/// A template as it is written down.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Written {
    pieces: Vec<Piece>,
    parameters: Vec<Parameter>,
    plan: Lifted,
    requests: Vec<String>,
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    shape: Option<Hash>,
}

impl TryFrom<Written> for Template {
    type Error = BadTemplate;

    fn try_from(written: Written) -> Result<Self, BadTemplate> {
        Template::new(written.pieces, written.parameters, written.plan, written.requests)
    }
}

impl From<Template> for Written {
    fn from(template: Template) -> Self {
        let shape = Some(template.shape());
        let Template { pieces, parameters, plan, requests } = template;
        Self { pieces, parameters, plan, requests, shape }
    }
}

impl Template {
    /// Puts the parts together, if they go together.
    pub fn new(
        pieces: Vec<Piece>,
        parameters: Vec<Parameter>,
        plan: Lifted,
        requests: Vec<String>,
    ) -> Result<Self, BadTemplate> {
        let holes = |piece: &Piece| match piece {
            Piece::Words(_) => None,
            Piece::Hole(parameter) => Some(*parameter),
        };
        let holes: Vec<usize> = pieces.iter().filter_map(holes).collect();
        let mut sorted = holes.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..parameters.len()) {
            return Err(BadTemplate::Holes(holes, parameters.len()));
        }
        let mut used = BTreeSet::new();
        let mut nothing = false;
        plan.holes(&mut |sources| {
            nothing |= sources.is_empty();
            used.extend(sources.iter().map(|source| source.parameter));
        });
        if nothing {
            return Err(BadTemplate::Empty);
        }
        if let Some(unknown) = used.iter().find(|used| **used >= parameters.len()) {
            return Err(BadTemplate::Unknown(*unknown));
        }
        if let Some((_, unused)) = parameters.iter().enumerate().find(|(at, _)| !used.contains(at)) {
            return Err(BadTemplate::Unused(unused.name.clone()));
        }
        if let Some(parameter) = parameters.iter().find(|parameter| parameter.examples.len() != requests.len()) {
            return Err(BadTemplate::Examples {
                name: parameter.name.clone(),
                examples: parameter.examples.len(),
                requests: requests.len(),
            });
        }
        Ok(Self { pieces, parameters, plan, requests })
    }

    /// The request: its fixed words and where the parameters stand.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// What is taken from the request.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The plan, with holes.
    pub fn plan(&self) -> &Lifted {
        &self.plan
    }

    /// The requests it was made from, those that say something new, oldest first.
    pub fn requests(&self) -> &[String] {
        &self.requests
    }

    /// Equal for templates that do the same with other values: the same fixed words, steps, tools and holes. Spelling and
    /// punctuation do not count, nor how a value is written.
    pub fn shape(&self) -> Hash {
        let said: Vec<Value> = self
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Words(words) => json!(normal(words)),
                Piece::Hole(parameter) => json!(parameter),
            })
            .collect();
        Hash::of_json(&json!([said, self.plan.sketch(&|parameter| format!("{{{{{parameter}}}}}"))]))
    }

    /// Equal for templates whose plans have the same steps and tools, whatever their words and values: only these can be
    /// joined.
    pub fn family(&self) -> Hash {
        Hash::of_json(&frame(&self.plan))
    }

    /// The request in words, parameters in braces: `set a timer for {duration}`.
    pub fn phrase(&self) -> String {
        let said = |piece: &Piece| match piece {
            Piece::Words(words) => words.clone(),
            Piece::Hole(parameter) => {
                format!("{{{}}}", self.parameters.get(*parameter).map_or("", |parameter| parameter.name.as_str()))
            }
        };
        self.pieces.iter().map(said).collect::<Vec<_>>().join(" ")
    }
}

/// Small letters and digits, one space between words.
fn normal(words: &str) -> String {
    let lower = words.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The steps of a plan, without what they are given.
fn frame(plan: &Lifted) -> Value {
    const SAYS_WHAT: [&str; 11] = [
        "steps",
        "id",
        "tool",
        "tools",
        "depends_on",
        "intents",
        "then",
        "undo",
        "alternatives",
        "arguments",
        "max_iterations",
    ];
    match plan {
        Lifted::Fixed(Value::String(text)) => json!(text),
        Lifted::Fixed(_) | Lifted::Hole(_) | Lifted::Text(_) | Lifted::Request => Value::Null,
        Lifted::List(items) => items.iter().map(frame).collect(),
        Lifted::Fields(fields) => {
            let known = fields.iter().filter(|(name, _)| SAYS_WHAT.contains(&name.as_str()));
            let framed = known.map(|(name, value)| {
                let value = match value {
                    Lifted::Fields(arguments) if name == "arguments" => {
                        arguments.iter().map(|(name, _)| json!(name)).collect()
                    }
                    _ if name == "arguments" => Value::Null,
                    value => frame(value),
                };
                (name.clone(), value)
            });
            Value::Object(framed.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lifted::{Form, Source};
    use super::*;

    fn source(parameter: usize) -> BTreeSet<Source> {
        BTreeSet::from([Source { parameter, form: Form::AsSaid }])
    }

    fn parameter(name: &str) -> Parameter {
        let example = Example { said: "Oslo".into(), reading: None };
        Parameter {
            name: name.into(),
            kind: ParameterKind::Text,
            examples: vec![example],
            within: BTreeSet::new(),
            required: true,
        }
    }

    fn template(words: &str, holes: &[usize], names: &[&str], plan: Lifted) -> Result<Template, String> {
        let mut pieces = vec![Piece::Words(words.into())];
        pieces.extend(holes.iter().map(|hole| Piece::Hole(*hole)));
        let parameters = names.iter().map(|name| parameter(name)).collect();
        Template::new(pieces, parameters, plan, vec!["weather in Oslo".into()]).map_err(|error| error.to_string())
    }

    #[test]
    fn parts_that_do_not_go_together_are_no_template() {
        let plan = || Lifted::Hole(source(0));
        assert!(template("weather in", &[0], &["place"], plan()).is_ok());
        assert_eq!(
            template("weather in", &[0], &["place"], Lifted::Request),
            Err("parameter `place` is not used in the plan".into())
        );
        assert_eq!(
            template("weather in", &[0, 0], &["place"], plan()),
            Err("the holes of the request are `[0, 0]`; each of the 1 parameters must stand there once".into())
        );
        assert_eq!(
            template("weather in", &[], &[], plan()),
            Err("the plan has a hole for parameter 0, which there is not".into())
        );
        let nothing = Lifted::List(vec![plan(), Lifted::Hole(BTreeSet::new())]);
        assert_eq!(
            template("weather in", &[0], &["place"], nothing),
            Err("the plan has a hole that nothing fills".into())
        );
    }

    #[test]
    fn shapes_are_equal_whatever_the_spelling_and_the_values_and_no_further() {
        let of = |words: &str| template(words, &[0], &["place"], Lifted::Hole(source(0))).expect("a template");
        assert_eq!(of("Weather, in").shape(), of("weather in").shape());
        assert_ne!(of("weather in").shape(), of("time in").shape());
        assert_eq!(of("weather in").family(), of("time in").family());
        let written = serde_json::to_value(of("weather in")).expect("JSON");
        assert_eq!(serde_json::from_value::<Template>(written).expect("a template"), of("weather in"));
    }
}
