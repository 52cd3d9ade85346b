//! What a declaration says about a value, as far as it is certain. What is open, or written in ways that are not read
//! here, is unknown: then nothing is reported.

use domain::reference::Segment;
use serde_json::{Map, Value};

/// How many times a declaration may point somewhere else on the way to one value.
const MAX_DEPTH: usize = 16;
/// How many names a sentence lists.
const MAX_NAMES: usize = 8;

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

/// What is at the end of a path.
pub(super) enum Look<'s> {
    /// A value that fits one of these.
    Is(Vec<&'s Value>),
    /// Nothing, for certain.
    Gone(Gone),
    /// Nobody knows.
    Unknown,
}

/// Why there is nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Gone {
    /// The object has other fields.
    Field {
        /// The one that is missing.
        missing: String,
        /// Those it has.
        has: Vec<String>,
    },
    /// The value has no such parts; this is what it is.
    Kind(Kinds),
}

impl Kinds {
    const WORDS: [(&'static str, Kinds); 7] = [
        ("null", Kinds::NULL),
        ("boolean", Kinds::BOOLEAN),
        ("integer", Kinds::INTEGER),
        ("number", Kinds::NUMBER),
        ("string", Kinds::STRING),
        ("array", Kinds::ARRAY),
        ("object", Kinds::OBJECT),
    ];
    pub(super) const NULL: Kinds = Kinds(1);
    pub(super) const BOOLEAN: Kinds = Kinds(2);
    const INTEGER: Kinds = Kinds(4);
    pub(super) const NUMBER: Kinds = Kinds(8);
    pub(super) const STRING: Kinds = Kinds(16);
    pub(super) const ARRAY: Kinds = Kinds(32);
    pub(super) const OBJECT: Kinds = Kinds(64);

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a value of one set may fit the other. Whole numbers are numbers, and a number may turn out whole.
    pub(super) fn may_be(self, other: Self) -> bool {
        let wide = |kinds: Self| if kinds.0 & 12 == 0 { kinds.0 } else { kinds.0 | 12 };
        wide(self) & wide(other) != 0
    }

    /// Without null, unless there is nothing else: a result that may be missing still has a type.
    pub(super) fn present(self) -> Self {
        if self == Self::NULL { self } else { Self(self.0 & !Self::NULL.0) }
    }

    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_f64() => Self::NUMBER,
            Value::Number(_) => Self::INTEGER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    fn named(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(name, _)| *name == word).map(|(_, kinds)| *kinds)
    }

    /// In words, with articles.
    pub(super) fn words(self) -> String {
        let held = Self::WORDS.iter().filter(|(_, kinds)| self.0 & kinds.0 != 0);
        let named = held.map(|(name, _)| match *name {
            "null" => "null".to_owned(),
            "integer" | "array" | "object" => format!("an {name}"),
            _ => format!("a {name}"),
        });
        named.collect::<Vec<_>>().join(" or ")
    }
}

/// Follows a path into what a schema describes.
pub(super) fn look<'s>(root: &'s Value, schema: &'s Value, path: &[Segment]) -> Look<'s> {
    follow(root, schema, path, 0)
}

fn follow<'s>(root: &'s Value, schema: &'s Value, path: &[Segment], depth: usize) -> Look<'s> {
    let Some(fields) = schema.as_object().filter(|_| depth < MAX_DEPTH) else { return Look::Unknown };
    if let Some(target) = fields.get("$ref") {
        return match pointed(root, target) {
            Some(target) => follow(root, target, path, depth + 1),
            None => Look::Unknown,
        };
    }
    let Some((segment, rest)) = path.split_first() else { return Look::Is(vec![schema]) };
    let into = match segment {
        Segment::Field(_) => Kinds::OBJECT,
        Segment::Item(_) => Kinds::ARRAY,
    };
    if let Some(kinds) = kinds(root, schema).filter(|kinds| !kinds.may_be(into)) {
        return Look::Gone(Gone::Kind(kinds.present()));
    }
    match part(fields, segment) {
        Next::At(schema) => follow(root, schema, rest, depth + 1),
        Next::Open => Look::Unknown,
        Next::Closed(gone) => match branches(fields) {
            Some(branches) => among(branches.iter().map(|branch| follow(root, branch, path, depth + 1)), gone),
            None if ["allOf", "if", "dependentSchemas"].iter().any(|word| fields.contains_key(*word)) => Look::Unknown,
            None => gone.map_or(Look::Unknown, Look::Gone),
        },
    }
}

enum Next<'s> {
    At(&'s Value),
    Open,
    /// Not here: for certain, or because nothing is said here.
    Closed(Option<Gone>),
}

fn part<'s>(fields: &'s Map<String, Value>, segment: &Segment) -> Next<'s> {
    match segment {
        Segment::Field(name) => {
            let properties = fields.get("properties").and_then(Value::as_object);
            if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
                return Next::At(schema);
            }
            if fields.contains_key("patternProperties") {
                return Next::Open;
            }
            let has = || properties.into_iter().flatten().map(|(name, _)| name.clone()).collect();
            let gone = || Next::Closed(Some(Gone::Field { missing: name.clone(), has: has() }));
            match fields.get("additionalProperties") {
                Some(Value::Bool(false)) => gone(),
                Some(Value::Bool(true)) => Next::Open,
                Some(schema) => Next::At(schema),
                // Who lists what there is, lists all of it.
                None if properties.is_some_and(|properties| !properties.is_empty()) => gone(),
                None => Next::Closed(None),
            }
        }
        Segment::Item(at) => {
            let listed = |word: &str| fields.get(word).and_then(Value::as_array).and_then(|items| items.get(*at));
            match listed("prefixItems").or_else(|| listed("items")).or_else(|| fields.get("items")) {
                Some(schema @ Value::Object(_)) => Next::At(schema),
                Some(_) => Next::Open,
                None => Next::Closed(None),
            }
        }
    }
}

fn branches(fields: &Map<String, Value>) -> Option<&Vec<Value>> {
    fields.get("anyOf").or_else(|| fields.get("oneOf")).and_then(Value::as_array)
}

/// One of several: unknown if one is, gone only if all are.
fn among<'s>(looks: impl Iterator<Item = Look<'s>>, here: Option<Gone>) -> Look<'s> {
    let mut found = Vec::new();
    let mut gone = here;
    for look in looks {
        match look {
            Look::Is(schemas) => found.extend(schemas),
            // Null has no parts, and says nothing about those of the others.
            Look::Gone(Gone::Kind(Kinds::NULL)) if gone.is_some() => {}
            Look::Gone(why) => gone = Some(why),
            Look::Unknown => return Look::Unknown,
        }
    }
    match (found.is_empty(), gone) {
        (false, _) => Look::Is(found),
        (true, Some(gone)) => Look::Gone(gone),
        (true, None) => Look::Unknown,
    }
}

fn pointed<'s>(root: &'s Value, target: &Value) -> Option<&'s Value> {
    root.pointer(target.as_str()?.strip_prefix('#')?)
}

/// The types a value can have, where the schema says so.
pub(super) fn kinds(root: &Value, schema: &Value) -> Option<Kinds> {
    kinds_within(root, schema, 0)
}

fn kinds_within(root: &Value, schema: &Value, depth: usize) -> Option<Kinds> {
    let fields = schema.as_object().filter(|_| depth < MAX_DEPTH)?;
    let all =
        |kinds: &mut dyn Iterator<Item = Option<Kinds>>| kinds.reduce(|one, other| Some(one?.or(other?))).flatten();
    if let Some(target) = fields.get("$ref") {
        return kinds_within(root, pointed(root, target)?, depth + 1);
    }
    match fields.get("type") {
        Some(Value::String(word)) => return Kinds::named(word),
        Some(Value::Array(words)) => return all(&mut words.iter().map(|word| Kinds::named(word.as_str()?))),
        _ => {}
    }
    if let Some(Value::Array(options)) = fields.get("enum") {
        return all(&mut options.iter().map(|option| Some(Kinds::of(option))));
    }
    if let Some(value) = fields.get("const") {
        return Some(Kinds::of(value));
    }
    if let Some(branches) = branches(fields) {
        return all(&mut branches.iter().map(|branch| kinds_within(root, branch, depth + 1)));
    }
    let every = fields.get("allOf").and_then(Value::as_array)?;
    every.iter().find_map(|part| kinds_within(root, part, depth + 1))
}

/// The values there can be, where the schema lists them.
pub(super) fn choices<'s>(root: &'s Value, schema: &'s Value) -> Option<Vec<&'s Value>> {
    choices_within(root, schema, 0)
}

fn choices_within<'s>(root: &'s Value, schema: &'s Value, depth: usize) -> Option<Vec<&'s Value>> {
    let fields = schema.as_object().filter(|_| depth < MAX_DEPTH)?;
    if let Some(target) = fields.get("$ref") {
        return choices_within(root, pointed(root, target)?, depth + 1);
    }
    if let Some(Value::Array(options)) = fields.get("enum") {
        return Some(options.iter().collect());
    }
    if let Some(value) = fields.get("const") {
        return Some(vec![value]);
    }
    let branches = branches(fields)?;
    let listed: Option<Vec<_>> = branches.iter().map(|branch| choices_within(root, branch, depth + 1)).collect();
    Some(listed?.concat())
}

/// What a value must be, in words; nothing where the schema does not say.
pub(super) fn must(root: &Value, schema: &Value) -> Option<String> {
    if let Some(choices) = choices(root, schema) {
        let choices: Vec<&Value> = choices.into_iter().filter(|choice| !choice.is_null()).collect();
        let words: Vec<String> = choices.iter().take(MAX_NAMES).map(|choice| format!("`{choice}`")).collect();
        let more = if choices.len() > MAX_NAMES { ", …" } else { "" };
        return Some(format!("one of {}{more}", words.join(", ")));
    }
    kinds(root, schema).map(|kinds| kinds.present().words())
}

/// Names as a sentence lists them.
pub(super) fn listed(names: &[String]) -> String {
    let more = if names.len() > MAX_NAMES { ", …" } else { "" };
    format!("`{}`{more}", names[..names.len().min(MAX_NAMES)].join("`, `"))
}
