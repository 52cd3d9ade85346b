//! OTLP as JSON: ids in hexadecimal, large numbers as text, names in either spelling, and unknown fields passed over.

use serde_json::{Map, Value};

use super::wire::{
    Any, AnyValue, ArrayValue, Batch, Event, KeyValue, KeyValueList, Resource, ResourceSpans, ScopeSpans, Span, Status,
};

/// What is wrong, and where.
pub(super) type Wrong = (String, &'static str);

type Object = Map<String, Value>;

/// The batch that JSON stands for.
pub(super) fn batch(json: &Value) -> Result<Batch, Wrong> {
    let batch = object(json, "the body")?;
    Ok(Batch { resource_spans: list(batch, "resourceSpans", "resource_spans", resource_spans)? })
}

fn resource_spans(json: &Value) -> Result<ResourceSpans, Wrong> {
    let it = object(json, "resourceSpans")?;
    let resource = match field(it, "resource", "resource") {
        Some(resource) => Some(Resource { attributes: attributes(object(resource, "resource")?)? }),
        None => None,
    };
    Ok(ResourceSpans { resource, scope_spans: list(it, "scopeSpans", "scope_spans", scope_spans)? })
}

fn scope_spans(json: &Value) -> Result<ScopeSpans, Wrong> {
    Ok(ScopeSpans { spans: list(object(json, "scopeSpans")?, "spans", "spans", span)?, ..ScopeSpans::default() })
}

fn span(json: &Value) -> Result<Span, Wrong> {
    let it = object(json, "spans")?;
    let status = match field(it, "status", "status") {
        Some(status) => {
            let status = object(status, "status")?;
            Some(Status { message: text(status, "message", "message")?, code: status_code(status)? })
        }
        None => None,
    };
    Ok(Span {
        trace_id: id(it, "traceId", "trace_id")?,
        span_id: id(it, "spanId", "span_id")?,
        parent_span_id: id(it, "parentSpanId", "parent_span_id")?,
        name: text(it, "name", "name")?,
        start_time_unix_nano: nanos(it, "startTimeUnixNano", "start_time_unix_nano")?,
        end_time_unix_nano: nanos(it, "endTimeUnixNano", "end_time_unix_nano")?,
        attributes: attributes(it)?,
        events: list(it, "events", "events", event)?,
        status,
        // Nobody reads these.
        ..Span::default()
    })
}

fn event(json: &Value) -> Result<Event, Wrong> {
    let it = object(json, "events")?;
    Ok(Event { name: text(it, "name", "name")?, attributes: attributes(it)?, ..Event::default() })
}

fn attributes(it: &Object) -> Result<Vec<KeyValue>, Wrong> {
    list(it, "attributes", "attributes", key_value)
}

fn key_value(json: &Value) -> Result<KeyValue, Wrong> {
    let it = object(json, "attributes")?;
    let value = field(it, "value", "value").map(any_value).transpose()?;
    Ok(KeyValue { key: text(it, "key", "key")?, value })
}

fn any_value(json: &Value) -> Result<AnyValue, Wrong> {
    let it = object(json, "value")?;
    let get = |one, other| field(it, one, other);
    let value = if let Some(value) = get("stringValue", "string_value") {
        Any::String(value.as_str().ok_or_else(|| wrong("stringValue", "text"))?.to_owned())
    } else if let Some(value) = get("boolValue", "bool_value") {
        Any::Bool(value.as_bool().ok_or_else(|| wrong("boolValue", "true or false"))?)
    } else if let Some(value) = get("intValue", "int_value") {
        Any::Int(number(value).ok_or_else(|| wrong("intValue", "a whole number, or one as text"))?)
    } else if let Some(value) = get("doubleValue", "double_value") {
        Any::Double(double(value).ok_or_else(|| wrong("doubleValue", "a number"))?)
    } else if let Some(value) = get("arrayValue", "array_value") {
        Any::Array(ArrayValue { values: list(object(value, "arrayValue")?, "values", "values", any_value)? })
    } else if let Some(value) = get("kvlistValue", "kvlist_value") {
        Any::Map(KeyValueList { values: list(object(value, "kvlistValue")?, "values", "values", key_value)? })
    } else if let Some(value) = get("bytesValue", "bytes_value") {
        // Nothing is read from bytes; that there are some is enough.
        Any::Bytes(value.as_str().ok_or_else(|| wrong("bytesValue", "text"))?.as_bytes().to_vec())
    } else {
        return Ok(AnyValue { value: None });
    };
    Ok(AnyValue { value: Some(value) })
}

/// A field under either of its names; `null` is as good as nothing.
fn field<'o>(it: &'o Object, camel: &str, snake: &str) -> Option<&'o Value> {
    it.get(camel).or_else(|| it.get(snake)).filter(|value| !value.is_null())
}

fn object<'v>(json: &'v Value, place: &'static str) -> Result<&'v Object, Wrong> {
    json.as_object().ok_or_else(|| wrong(place, "an object"))
}

fn list<T>(
    it: &Object,
    camel: &'static str,
    snake: &str,
    read: impl Fn(&Value) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    match field(it, camel, snake) {
        Some(Value::Array(values)) => values.iter().map(read).collect(),
        Some(_) => Err(wrong(camel, "a list")),
        None => Ok(Vec::new()),
    }
}

fn text(it: &Object, camel: &'static str, snake: &str) -> Result<String, Wrong> {
    match field(it, camel, snake) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(wrong(camel, "text")),
        None => Ok(String::new()),
    }
}

fn nanos(it: &Object, camel: &'static str, snake: &str) -> Result<u64, Wrong> {
    match field(it, camel, snake) {
        Some(value) => number(value).ok_or_else(|| wrong(camel, "nanoseconds since 1970, as a number or as text")),
        None => Ok(0),
    }
}

/// An id's bytes. One that is no hexadecimal number is of no length, and so is no id.
fn id(it: &Object, camel: &'static str, snake: &str) -> Result<Vec<u8>, Wrong> {
    let digits = text(it, camel, snake)?;
    let bytes = digits.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.bytes().all(|byte| byte.is_ascii_hexdigit()));
        pair.filter(|pair| pair.len() == 2).and_then(|pair| u8::from_str_radix(pair, 16).ok())
    });
    Ok(bytes.collect::<Option<Vec<u8>>>().unwrap_or_default())
}

fn status_code(status: &Object) -> Result<i32, Wrong> {
    match field(status, "code", "code") {
        None => Ok(0),
        Some(Value::String(name)) if name == "STATUS_CODE_UNSET" => Ok(0),
        Some(Value::String(name)) if name == "STATUS_CODE_OK" => Ok(1),
        Some(Value::String(name)) if name == "STATUS_CODE_ERROR" => Ok(2),
        Some(code) => number(code).ok_or_else(|| wrong("code", "0, 1 or 2")),
    }
}

/// A whole number, written as one or as text.
fn number<T: TryFrom<i128>>(value: &Value) -> Option<T> {
    let number: i128 = match value {
        Value::String(text) => text.parse().ok()?,
        Value::Number(number) => number.as_i128()?,
        _ => return None,
    };
    T::try_from(number).ok()
}

fn double(value: &Value) -> Option<f64> {
    match value {
        // As text there is what JSON cannot say: `NaN`, `Infinity`.
        Value::String(text) => text.parse().ok(),
        value => value.as_f64(),
    }
}

fn wrong(place: &'static str, wanted: &str) -> Wrong {
    (format!("`{place}` must be {wanted}"), place)
}
