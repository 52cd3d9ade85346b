//! Texts with holes: `{city}` is an argument, `{key}` the key of the call, `${env:NAME}` was filled in when the file was
//! read, and `{{city}}` stands for `{city}` itself. Every other brace is a brace.

use std::collections::BTreeSet;

use domain::reference::aloud;
use serde_json::{Map, Value};

use crate::words::nearest;

/// What a template may mention.
pub(crate) struct Scope<'a> {
    /// The names of the parameters.
    pub(crate) parameters: &'a BTreeSet<String>,
    /// The operator's variables.
    pub(crate) env: &'a dyn Fn(&str) -> Option<String>,
}

/// What the holes of one call are filled with.
pub(crate) struct Values<'a> {
    pub(crate) arguments: &'a Value,
    pub(crate) defaults: &'a Map<String, Value>,
    pub(crate) key: &'a str,
}

/// A text with holes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text(Vec<Piece>);

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Words(String),
    Parameter(String),
    Key,
}

/// A JSON value with holes in its texts. A text that is one hole becomes the argument itself, of whatever type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Text(Text),
    List(Vec<Json>),
    Table(Vec<(String, Json)>),
    Other(Value),
}

impl Values<'_> {
    /// The argument or its default; nothing where the call leaves it out.
    fn get(&self, name: &str) -> Option<&Value> {
        self.arguments.get(name).filter(|value| !value.is_null()).or_else(|| self.defaults.get(name))
    }
}

impl Text {
    /// A text without holes, whatever braces it has.
    pub(crate) fn verbatim(words: String) -> Self {
        Self(vec![Piece::Words(words)])
    }

    pub(crate) fn parse(text: &str, scope: &Scope<'_>) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut words = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let taken = if let Some((name, taken)) = hole(rest, "${env:", "}") {
                let value = (scope.env)(name).ok_or_else(|| format!("the variable `{name}` is not set"))?;
                words.push_str(&value);
                taken
            } else if let Some((name, taken)) = hole(rest, "{{", "}}") {
                words.push_str(&format!("{{{name}}}"));
                taken
            } else if let Some((name, taken)) = hole(rest, "{", "}") {
                pieces.push(Piece::Words(std::mem::take(&mut words)));
                pieces.push(piece(name, scope)?);
                taken
            } else {
                words.push(c);
                c.len_utf8()
            };
            rest = &rest[taken..];
        }
        pieces.push(Piece::Words(words));
        pieces.retain(|piece| *piece != Piece::Words(String::new()));
        Ok(Self(pieces))
    }

    /// The text with its holes filled, or nothing where one of them stays empty.
    pub(crate) fn fill(&self, values: &Values<'_>) -> Option<String> {
        self.fill_with(values, |value| value)
    }

    /// The same, with each value (not the words around it) passed through `encode`.
    pub(crate) fn fill_with(&self, values: &Values<'_>, encode: impl Fn(String) -> String) -> Option<String> {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Words(words) => text.push_str(words),
                Piece::Parameter(name) => text.push_str(&encode(aloud(values.get(name)?))),
                Piece::Key => text.push_str(&encode(values.key.to_owned())),
            }
        }
        Some(text)
    }

    /// The text, if it has no holes.
    pub(crate) fn plain(&self) -> Option<&str> {
        match self.0.as_slice() {
            [] => Some(""),
            [Piece::Words(words)] => Some(words),
            _ => None,
        }
    }

    /// What stands before the first hole.
    pub(crate) fn beginning(&self) -> &str {
        match self.0.first() {
            Some(Piece::Words(words)) => words,
            Some(Piece::Parameter(_) | Piece::Key) | None => "",
        }
    }

    /// The parameters it mentions.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Parameter(name) => Some(name.as_str()),
            Piece::Words(_) | Piece::Key => None,
        })
    }

    /// Whether the key of the call goes into it.
    pub(crate) fn has_key(&self) -> bool {
        self.0.contains(&Piece::Key)
    }
}

impl Json {
    pub(crate) fn parse(value: &Value, scope: &Scope<'_>) -> Result<Self, String> {
        Ok(match value {
            Value::String(text) => Json::Text(Text::parse(text, scope)?),
            Value::Array(items) => {
                Json::List(items.iter().map(|item| Self::parse(item, scope)).collect::<Result<_, _>>()?)
            }
            Value::Object(fields) => Json::Table(
                fields
                    .iter()
                    .map(|(name, field)| Ok((name.clone(), Self::parse(field, scope)?)))
                    .collect::<Result<_, String>>()?,
            ),
            other => Json::Other(other.clone()),
        })
    }

    /// The value with its holes filled; fields and items whose holes stay empty are left out.
    pub(crate) fn fill(&self, values: &Values<'_>) -> Option<Value> {
        match self {
            Json::Text(text) => match text.0.as_slice() {
                [Piece::Parameter(name)] => values.get(name).cloned(),
                _ => text.fill(values).map(Value::String),
            },
            Json::List(items) => Some(items.iter().filter_map(|item| item.fill(values)).collect()),
            Json::Table(fields) => Some(
                fields
                    .iter()
                    .filter_map(|(name, field)| Some((name.clone(), field.fill(values)?)))
                    .collect::<Map<_, _>>()
                    .into(),
            ),
            Json::Other(value) => Some(value.clone()),
        }
    }
}

/// The name between `open` and `close` at the very start of a text, and how much of the text that takes.
fn hole<'t>(text: &'t str, open: &str, close: &str) -> Option<(&'t str, usize)> {
    let inner = text.strip_prefix(open)?;
    let name =
        &inner[..inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').unwrap_or(inner.len())];
    let whole = !name.is_empty() && inner[name.len()..].starts_with(close);
    whole.then_some((name, open.len() + name.len() + close.len()))
}

fn piece(name: &str, scope: &Scope<'_>) -> Result<Piece, String> {
    if scope.parameters.contains(name) {
        return Ok(Piece::Parameter(name.to_owned()));
    }
    if name == "key" {
        return Ok(Piece::Key);
    }
    let near = nearest(name, scope.parameters.iter().map(String::as_str));
    let near = near.map_or(String::new(), |near| format!("; the nearest is `{near}`"));
    Err(format!("`{{{name}}}` is not a parameter{near}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn filled(template: Value, arguments: Value) -> Result<Option<Value>, String> {
        let parameters = ["city", "days"].map(str::to_owned).into();
        let env = |name: &str| (name == "TOKEN").then(|| "s{city}".to_owned());
        let json = Json::parse(&template, &Scope { parameters: &parameters, env: &env })?;
        let defaults = json!({}).as_object().cloned().expect("object");
        Ok(json.fill(&Values { arguments: &arguments, defaults: &defaults, key: "k1" }))
    }

    #[test]
    fn a_hole_alone_keeps_the_type_and_within_words_is_read_aloud() {
        let arguments = json!({"city": "Oslo", "days": 3});
        assert_eq!(filled(json!("{days}"), arguments.clone()), Ok(Some(json!(3))));
        assert_eq!(filled(json!({"q": ["{city}/{days}"]}), arguments), Ok(Some(json!({"q": ["Oslo/3"]}))));
        assert_eq!(filled(json!("{key}"), json!({})), Ok(Some(json!("k1"))));
    }

    #[test]
    fn what_is_not_given_is_left_out() {
        assert_eq!(filled(json!({"a": "{city}", "b": 1}), json!({"city": null})), Ok(Some(json!({"b": 1}))));
        assert_eq!(filled(json!("in {city}"), json!({})), Ok(None));
    }

    #[test]
    fn variables_are_never_read_as_templates_and_other_braces_are_braces() {
        assert_eq!(filled(json!("Bearer ${env:TOKEN}"), json!({})), Ok(Some(json!("Bearer s{city}"))));
        assert_eq!(filled(json!("{ user { name } } {{city}}"), json!({})), Ok(Some(json!("{ user { name } } {city}"))));
    }

    #[test]
    fn holes_that_nothing_can_fill_say_so() {
        assert_eq!(filled(json!("{cty}"), json!({})), Err("`{cty}` is not a parameter; the nearest is `city`".into()));
        assert_eq!(filled(json!("${env:NOPE}"), json!({})), Err("the variable `NOPE` is not set".into()));
    }
}
