//! What the document says about values of the stages: as exact as what is accepted.

use domain::run::RunStatus;
use domain::stage::Stage;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, KnownFormat, OneOfBuilder, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{Object, ObjectBuilder, RefOr, Schema};

use crate::schema;

pub(crate) fn agent() -> Object {
    let names: Vec<serde_json::Value> = Stage::ALL.map(|stage| stage.name().into()).into();
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).build()
}

pub(crate) fn score() -> Object {
    ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0)).maximum(Some(1)).build()
}

pub(crate) fn score_or_null() -> Object {
    or_null(score())
}

pub(crate) fn line_or_null() -> Object {
    or_null(schema::line())
}

/// A moment, or a day.
pub(crate) fn date() -> RefOr<Schema> {
    let day = SchemaFormat::KnownFormat(KnownFormat::Date);
    let day = ObjectBuilder::new().schema_type(Type::String).format(Some(day)).build();
    RefOr::T(OneOfBuilder::new().item(schema::moment()).item(day).build().into())
}

pub(crate) fn tier_or_null() -> Object {
    let words = ["weak", "default", "strong"].map(serde_json::Value::from).into_iter();
    let words: Vec<serde_json::Value> = words.chain([serde_json::Value::Null]).collect();
    or_null(ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).build())
}

pub(crate) fn temperature_or_null() -> Object {
    or_null(ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0)).maximum(Some(2)).build())
}

pub(crate) fn tokens_or_null() -> Object {
    let most = super::configure::MOST_TOKENS;
    or_null(ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(most)).build())
}

/// What callers say about a request.
pub(crate) fn request_context() -> Object {
    let mut statuses: Vec<serde_json::Value> = RunStatus::ALL.map(|status| status.word().into()).into();
    statuses.push(serde_json::Value::Null);
    let status = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(statuses)).build();
    let chain = ArrayBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Array, Type::Null]))
        .items(schema::line())
        .max_items(Some(super::body::LONGEST_CHAIN))
        .build();
    let described = ObjectBuilder::new()
        .schema_type(Type::Object)
        .property("requestId", line_or_null())
        .property("createdAt", or_null(schema::moment()))
        .property("agentChain", chain)
        .property("status", or_null(status))
        .property("userQuery", or_null(schema::words()))
        .additional_properties(Some(AdditionalProperties::FreeForm(true)))
        .description(Some(
            "The request that it belongs to. Only `thought-agent`, where a request begins, does without a `requestId`.",
        ))
        .build();
    or_null(described)
}

fn or_null(mut object: Object) -> Object {
    let kind = match object.schema_type {
        SchemaType::Type(kind) => vec![kind],
        SchemaType::Array(kinds) => kinds,
        SchemaType::AnyValue => return object,
    };
    object.schema_type = kind.into_iter().chain([Type::Null]).collect();
    object
}
