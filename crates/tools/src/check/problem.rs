//! What a schema finds wrong, in sentences.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::paths::LocationSegment;
use serde_json::Value;

use crate::words::{capped, nearest, shown};

/// Adds the sentences for one error. What is wrong as a whole is called `whole`.
pub(super) fn describe(error: &ValidationError<'_>, schema: &Value, whole: &str, problems: &mut Vec<String>) {
    let place = path(error);
    let subject = if place.is_empty() { whole.to_owned() } else { format!("`{place}`") };
    let within = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    let got = shown(error.instance());
    let must = |what: String| format!("{subject} must {what}, got {got}");
    match error.kind() {
        Kind::Required { property } => {
            problems.push(format!("`{}` is missing", within(property.as_str().unwrap_or_default())));
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let known = schema["properties"].as_object().filter(|_| place.is_empty());
            for name in unexpected {
                let near = known.and_then(|known| nearest(name, known.keys().map(String::as_str)));
                let near = near.map_or(String::new(), |near| format!("; the nearest is `{near}`"));
                problems.push(format!("`{}` is not known{near}", within(name)));
            }
        }
        Kind::Type { .. } if error.instance().is_null() => problems.push(format!("{subject} must not be null")),
        Kind::Type { kind } => problems.push(must(format!("be {}", types(kind)))),
        Kind::Enum { options } => problems.push(must(format!("be one of {}", choices(options)))),
        Kind::Constant { expected_value } => problems.push(must(format!("be {}", shown(expected_value)))),
        Kind::Minimum { limit } => problems.push(must(format!("be at least {limit}"))),
        Kind::Maximum { limit } => problems.push(must(format!("be at most {limit}"))),
        Kind::ExclusiveMinimum { limit } => problems.push(must(format!("be more than {limit}"))),
        Kind::ExclusiveMaximum { limit } => problems.push(must(format!("be less than {limit}"))),
        Kind::MultipleOf { multiple_of } => problems.push(must(format!("be a multiple of {multiple_of}"))),
        Kind::MinLength { limit } => problems.push(must(format!("have at least {limit} characters"))),
        Kind::MaxLength { limit } => problems.push(must(format!("have at most {limit} characters"))),
        Kind::MinItems { limit } => problems.push(must(format!("have at least {limit} items"))),
        Kind::MaxItems { limit } => problems.push(must(format!("have at most {limit} items"))),
        Kind::Pattern { pattern } => problems.push(must(format!("match `{}`", capped(pattern, 80)))),
        Kind::Format { format } => problems.push(must(format!("be a {format}"))),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            problems.push(format!("{subject} has none of the allowed forms: {got}"));
        }
        // A schema library's own words for the rest; models read them well enough.
        _ => problems.push(format!("{subject}: {}", capped(&error.to_string(), 160))),
    }
}

/// Whether an error may vanish once references have become values.
pub(super) fn hangs_on_a_reference(error: &ValidationError<'_>) -> bool {
    let instance = error.instance();
    let itself = instance.as_str().is_some_and(domain::reference::is_template);
    let choice = matches!(
        error.kind(),
        Kind::AnyOf { .. }
            | Kind::OneOfNotValid { .. }
            | Kind::OneOfMultipleValid { .. }
            | Kind::Not { .. }
            | Kind::Contains
            | Kind::UniqueItems
            | Kind::Enum { .. }
            | Kind::Constant { .. }
    );
    itself || (choice && holds_a_reference(instance))
}

fn holds_a_reference(value: &Value) -> bool {
    match value {
        Value::String(text) => domain::reference::is_template(text),
        Value::Array(items) => items.iter().any(holds_a_reference),
        Value::Object(fields) => fields.values().any(holds_a_reference),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn path(error: &ValidationError<'_>) -> String {
    let mut path = String::new();
    for segment in error.instance_path().segments() {
        match segment {
            LocationSegment::Property(name) if path.is_empty() => path.push_str(&name),
            LocationSegment::Property(name) => {
                path.push('.');
                path.push_str(&name);
            }
            LocationSegment::Index(at) => path.push_str(&format!("[{at}]")),
        }
    }
    path
}

fn types(kind: &TypeKind) -> String {
    let with_article = |name: &str| match name {
        "integer" | "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    };
    match kind {
        TypeKind::Single(kind) => with_article(kind.as_str()),
        TypeKind::Multiple(kinds) => {
            let names: Vec<String> =
                kinds.iter().map(|kind| kind.as_str().to_owned()).filter(|kind| kind != "null").collect();
            names.iter().map(|name| with_article(name)).collect::<Vec<_>>().join(" or ")
        }
    }
}

fn choices(options: &Value) -> String {
    let options: Vec<String> = options.as_array().into_iter().flatten().map(Value::to_string).collect();
    capped(&options.join(", "), 200)
}
