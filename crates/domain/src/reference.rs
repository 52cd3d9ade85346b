//! `${step.path}`: how a plan takes values from results that do not exist yet.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use crate::id::StepId;

/// A place in a step's result.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reference {
    /// Whose result.
    pub step: StepId,
    /// The way into it.
    pub path: Vec<Segment>,
}

/// One turn on the way into a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Segment {
    /// A field of an object.
    Field(String),
    /// An item of a list.
    Item(usize),
}

/// Why something is not a reference, or refers to nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadReference {
    /// Write it as `${step.field[0]}`.
    #[error("`{0}` is not a reference; write `${{step.field[0]}}`")]
    Form(String),
    /// Refer to something that is there.
    #[error("`{0}` refers to nothing: the result has no such part")]
    Nothing(String),
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${{{}", self.step)?;
        for segment in &self.path {
            match segment {
                Segment::Field(name) => write!(f, ".{name}")?,
                Segment::Item(at) => write!(f, "[{at}]")?,
            }
        }
        f.write_str("}")
    }
}

impl Reference {
    /// Reads what stands between `${` and `}`.
    pub fn parse(inner: &str) -> Result<Self, BadReference> {
        let form = || BadReference::Form(format!("${{{inner}}}"));
        let end = inner.find(['.', '[']).unwrap_or(inner.len());
        let step = inner[..end].trim().parse().map_err(|_| form())?;
        let mut path = Vec::new();
        let mut rest = &inner[end..];
        while !rest.is_empty() {
            let end = if let Some(item) = rest.strip_prefix('[') {
                let close = item.find(']').ok_or_else(form)?;
                path.push(Segment::Item(item[..close].trim().parse().map_err(|_| form())?));
                close + 2
            } else {
                let field = rest.strip_prefix('.').ok_or_else(form)?;
                let end = field.find(['.', '[']).unwrap_or(field.len());
                if field[..end].trim().is_empty() {
                    return Err(form());
                }
                path.push(Segment::Field(field[..end].trim().to_owned()));
                end + 1
            };
            rest = &rest[end..];
        }
        Ok(Self { step, path })
    }

    /// The value it refers to, in the step's result.
    pub fn find<'v>(&self, result: &'v Value) -> Option<&'v Value> {
        self.path.iter().try_fold(result, |value, segment| match segment {
            Segment::Field(name) => value.get(name),
            Segment::Item(at) => value.get(at),
        })
    }
}

/// A part of a text that may contain references.
enum Piece<'t> {
    Words(&'t str),
    Reference(Reference),
}

/// `$${` stands for `${` itself.
fn pieces(text: &str) -> Result<Vec<Piece<'_>>, BadReference> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        if rest[..start].ends_with('$') {
            pieces.push(Piece::Words(&rest[..start - 1]));
            pieces.push(Piece::Words("${"));
            rest = &rest[start + 2..];
            continue;
        }
        let inner = &rest[start + 2..];
        let end = inner.find('}').ok_or_else(|| BadReference::Form(rest[start..].to_owned()))?;
        pieces.push(Piece::Words(&rest[..start]));
        pieces.push(Piece::Reference(Reference::parse(&inner[..end])?));
        rest = &inner[end + 1..];
    }
    pieces.push(Piece::Words(rest));
    pieces.retain(|piece| !matches!(piece, Piece::Words("")));
    Ok(pieces)
}

/// A reference, and where in a value it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The way to the text that has it.
    pub at: Vec<Segment>,
    /// What it refers to.
    pub reference: Reference,
    /// Whether the text is nothing else, so that it becomes the value itself.
    pub whole: bool,
}

/// Every reference in a value, in the order in which they stand there.
pub fn mentions(value: &Value) -> Result<Vec<Mention>, BadReference> {
    let mut found = Vec::new();
    mention(value, &mut Vec::new(), &mut found)?;
    Ok(found)
}

fn mention(value: &Value, at: &mut Vec<Segment>, found: &mut Vec<Mention>) -> Result<(), BadReference> {
    match value {
        Value::String(text) if is_template(text) => {
            let pieces = pieces(text)?;
            let whole = pieces.len() == 1;
            for piece in pieces {
                if let Piece::Reference(reference) = piece {
                    found.push(Mention { at: at.clone(), reference, whole });
                }
            }
        }
        Value::Array(items) => {
            for (nth, item) in items.iter().enumerate() {
                at.push(Segment::Item(nth));
                mention(item, at, found)?;
                at.pop();
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                at.push(Segment::Field(name.clone()));
                mention(field, at, found)?;
                at.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    Ok(())
}

/// The steps whose results a value takes something from.
pub fn steps_in(value: &Value) -> Result<BTreeSet<StepId>, BadReference> {
    let mut found = BTreeSet::new();
    collect(value, &mut |reference| {
        found.insert(reference.step);
    })?;
    Ok(found)
}

fn collect(value: &Value, found: &mut impl FnMut(Reference)) -> Result<(), BadReference> {
    match value {
        Value::String(text) => {
            for piece in pieces(text)? {
                if let Piece::Reference(reference) = piece {
                    found(reference);
                }
            }
            Ok(())
        }
        Value::Array(items) => items.iter().try_for_each(|item| collect(item, found)),
        Value::Object(fields) => fields.values().try_for_each(|field| collect(field, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

/// Whether a text contains anything to fill in.
pub fn is_template(text: &str) -> bool {
    text.contains("${")
}

/// Puts results in the place of references. A text that is one reference becomes the value itself, of whatever type.
pub fn fill<'v>(value: &Value, result_of: &dyn Fn(&StepId) -> Option<&'v Value>) -> Result<Value, BadReference> {
    match value {
        Value::String(text) if is_template(text) => fill_text(text, result_of),
        Value::Array(items) => {
            items.iter().map(|item| fill(item, result_of)).collect::<Result<_, _>>().map(Value::Array)
        }
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| Ok((name.clone(), fill(field, result_of)?)))
            .collect::<Result<_, _>>()
            .map(Value::Object),
        other => Ok(other.clone()),
    }
}

fn fill_text<'v>(text: &str, result_of: &dyn Fn(&StepId) -> Option<&'v Value>) -> Result<Value, BadReference> {
    let look_up = |reference: &Reference| {
        result_of(&reference.step)
            .and_then(|result| reference.find(result))
            .ok_or_else(|| BadReference::Nothing(reference.to_string()))
    };
    let pieces = pieces(text)?;
    if let [Piece::Reference(reference)] = pieces.as_slice() {
        return look_up(reference).cloned();
    }
    let mut filled = String::new();
    for piece in &pieces {
        match piece {
            Piece::Words(words) => filled.push_str(words),
            Piece::Reference(reference) => filled.push_str(&aloud(look_up(reference)?)),
        }
    }
    Ok(Value::String(filled))
}

/// A value as it is read within a sentence: texts without quotes, everything else as JSON.
pub fn aloud(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn filled(template: Value, result: Value) -> Result<Value, String> {
        fill(&template, &|step| (step.as_str() == "a").then_some(&result)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_reference_alone_keeps_the_type_and_within_words_is_read_aloud() {
        let result = json!({"rain": true, "days": [{"high": 21.5}]});
        assert_eq!(filled(json!("${a.days[0].high}"), result.clone()), Ok(json!(21.5)));
        assert_eq!(filled(json!({"x": ["rain: ${a.rain}"]}), result.clone()), Ok(json!({"x": ["rain: true"]})));
        assert_eq!(filled(json!("${a}"), result.clone()), Ok(result));
        assert_eq!(filled(json!("costs $${5}"), json!(1)), Ok(json!("costs ${5}")));
    }

    #[test]
    fn what_refers_to_nothing_says_so() {
        assert_eq!(
            filled(json!("${a.wind}"), json!({})),
            Err("`${a.wind}` refers to nothing: the result has no such part".into())
        );
        for wrong in ["${}", "${a.}", "${a[x]}", "${a", "${a b.c}"] {
            assert!(filled(json!(wrong), json!({})).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_mention_says_where_it_stands_and_whether_it_stands_alone() {
        let value = json!({"x": "${a.b} and ${b}", "y": [1, {"z": "${c[0]}"}]});
        let mentions: Vec<_> = mentions(&value)
            .expect("valid")
            .into_iter()
            .map(|mention| (mention.at.len(), mention.reference.to_string(), mention.whole))
            .collect();
        let expected = [(1, "${a.b}", false), (1, "${b}", false), (3, "${c[0]}", true)];
        assert_eq!(mentions, expected.map(|(depth, text, whole)| (depth, text.to_owned(), whole)));
    }

    #[test]
    fn the_steps_a_value_needs_are_found_wherever_they_stand() {
        let value = json!({"x": "${a.b} and ${b}", "y": [{"z": "${c[0]}"}], "n": 1});
        let steps: Vec<_> = steps_in(&value).expect("valid").into_iter().map(String::from).collect();
        assert_eq!(steps, ["a", "b", "c"]);
    }
}
