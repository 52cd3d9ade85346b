//! Spans over the wire: protobuf and JSON, packed and broken, many and late.

use server::Role;
use server::keys::Wanted;
use std::io::Write;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::world::{Said, World};

const PATH: &str = "/v1/otlp/v1/traces";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// A field of a protobuf message that is bytes, text, or a message.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out.extend_from_slice(bytes);
    out
}

fn fixed(number: u8, value: u64) -> Vec<u8> {
    [vec![number << 3 | 1], value.to_le_bytes().to_vec()].concat()
}

fn attribute(key: &str, value: &str) -> Vec<u8> {
    field(9, &[field(1, key.as_bytes()), field(2, &field(1, value.as_bytes()))].concat())
}

/// A call of a tool in protobuf.
fn call(trace: [u8; 16], span: u64, tool: &str) -> Vec<u8> {
    let at = 1_700_000_000_000_000_000 + span;
    let parts = [
        field(1, &trace),
        field(2, &span.to_be_bytes()),
        field(4, &[9; 8]),
        field(5, b"execute_tool"),
        fixed(7, at),
        fixed(8, at + 5_000_000),
        attribute("gen_ai.operation.name", "execute_tool"),
        attribute("gen_ai.tool.name", tool),
    ];
    parts.concat()
}

fn batch(spans: &[Vec<u8>]) -> Vec<u8> {
    let spans: Vec<u8> = spans.iter().flat_map(|span| field(2, span)).collect();
    field(1, &field(2, &spans))
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(bytes).expect("packed");
    gzip.finish().expect("packed")
}

fn protobuf(world: &World, body: Vec<u8>) -> RequestBuilder {
    world.request(Method::POST, PATH).header("content-type", "application/x-protobuf").body(body)
}

async fn answered(request: RequestBuilder) -> Said {
    Said::of(request.send().await.expect("an answer")).await
}

fn span(id: &str, attributes: &[(&str, Value)], more: Value) -> Value {
    let attributes: Vec<Value> = attributes.iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
    let mut span =
        json!({"traceId": TRACE, "spanId": id, "attributes": attributes, "startTimeUnixNano": "1700000000000000000"});
    span.as_object_mut().expect("a span").extend(more.as_object().cloned().expect("fields"));
    span
}

async fn post(world: &World, spans: Vec<Value>) -> Said {
    world.post(PATH, json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})).await
}

#[tokio::test]
async fn protobuf_is_answered_in_protobuf_and_json_in_json() {
    let world = World::new().await;
    let body = batch(&[call([7; 16], 1, "weather")]);
    for request in [
        protobuf(&world, body.clone()),
        protobuf(&world, packed(&body)).header("content-encoding", "gzip"),
        world.request(Method::POST, PATH).header("content-type", "application/x-protobuf; v=1").body(body.clone()),
    ] {
        let said = answered(request).await;
        assert_eq!((said.status, &said.body), (200, &json!("")));
        assert_eq!(said.headers["content-type"], "application/x-protobuf");
    }
    let said = post(&world, vec![]).await;
    assert_eq!(
        (said.status, said.body, &said.headers["content-type"]),
        (200, json!({}), &"application/json".parse().expect("a value"))
    );
    let trace = world.get(&format!("/v1/traces/{}", "07".repeat(16))).await.body;
    assert_eq!((&trace["steps"][0]["tool"], trace["steps"].as_array().map(Vec::len)), (&json!("weather"), Some(1)));
}

#[tokio::test]
async fn spans_that_cannot_be_filed_are_counted_and_the_others_are_kept() {
    let world = World::new().await;
    let spans = [call([7; 16], 1, "weather"), call([0; 16], 2, "lost"), call([7; 16], 0, "lost")];
    let said = answered(protobuf(&world, batch(&spans))).await;
    let words = said.body.as_str().expect("protobuf").to_owned();
    assert!(words.contains("1 without a trace id") && words.contains("1 without a span id"), "{words:?}");
    let tool = ("gen_ai.tool.name", json!({"stringValue": "t"}));
    let said = post(&world, vec![span("00000000000000aa", &[tool], json!({"traceId": "literal"}))]).await;
    assert_eq!((said.status, &said.body["partialSuccess"]["rejectedSpans"]), (200, &json!("1")));
    assert_eq!(world.get("/v1/traces").await.body["total"], 1);
}

#[tokio::test]
async fn what_is_broken_is_refused_in_words() {
    let world = World::new().await;
    let body = batch(&[call([7; 16], 1, "weather")]);
    let zipped = packed(&body);
    let gzip = |body: Vec<u8>| protobuf(&world, body).header("content-encoding", "gzip");
    let other = |kind: &str| world.request(Method::POST, PATH).header("content-type", kind).body(body.clone());
    for (request, status, part) in [
        (protobuf(&world, body[..body.len() - 3].to_vec()), 400, "not a whole `ExportTraceServiceRequest`"),
        (gzip(zipped[..zipped.len() - 9].to_vec()), 400, "not whole gzip"),
        (gzip(body.clone()), 400, "not whole gzip"),
        (protobuf(&world, body.clone()).header("content-encoding", "br"), 415, "`gzip` or absent"),
        (other("application/grpc"), 415, "`application/x-protobuf` or `application/json`"),
        (other("application/json"), 400, "the body is wrong"),
    ] {
        let said = answered(request).await;
        assert_eq!(said.status, status, "{said:?}");
        assert!(said.message().contains(part), "{said:?}");
    }
    assert_eq!(world.get("/v1/traces").await.body["total"], 0);
}

#[tokio::test]
async fn a_gzip_bomb_is_refused_without_being_unpacked() {
    let world = World::limited(|limits| limits.spans = 1_000_000).await;
    let bomb = packed(&vec![0; 200_000_000]);
    assert!(bomb.len() < 1_000_000, "it is small as long as it is packed");
    let said = answered(protobuf(&world, bomb).header("content-encoding", "gzip")).await;
    assert_eq!((said.status, said.code()), (413, "too_large"));
    let said = answered(protobuf(&world, vec![0; 1_000_001])).await;
    assert_eq!((said.status, said.code()), (413, "too_large"));
}

#[tokio::test]
async fn ten_thousand_spans_in_a_batch_are_kept() {
    let world = World::new().await;
    let spans: Vec<Vec<u8>> = (1..=10_000).map(|at| call([7; 16], at, "weather")).collect();
    assert_eq!(answered(protobuf(&world, batch(&spans))).await.status, 200);
    assert_eq!(world.get("/v1/traces").await.body["traces"][0]["calls"], 10_000);
}

#[tokio::test]
async fn children_that_come_first_and_parents_that_come_late_are_one_trace() {
    let world = World::new().await;
    let text = |text: &str| json!({"stringValue": text});
    let tool = [("gen_ai.tool.name", text("weather")), ("error.type", text("timeout"))];
    post(&world, vec![span("00000000000000aa", &tool, json!({"parentSpanId": "00000000000000bb"}))]).await;
    let row = world.get("/v1/traces?ended=false").await.body;
    assert_eq!((&row["traces"][0]["agent"], &row["traces"][0]["failures"]), (&json!("unknown"), &json!(1)));
    let agent = [
        ("gen_ai.operation.name", text("invoke_agent")),
        ("gen_ai.agent.name", text("My Forecaster")),
        ("agentwright.success", json!({"boolValue": false})),
    ];
    // Days later, by another clock.
    let end = json!({"startTimeUnixNano": "1700300000000000000", "endTimeUnixNano": "1700200000000000000"});
    post(&world, vec![span("00000000000000bb", &agent, end)]).await;
    let found = world.get("/v1/traces?agent=My%20Forecaster&success=false&ended=true").await.body;
    assert_eq!((&found["total"], &found["traces"][0]["id"]), (&json!(1), &json!(TRACE)));
    assert_eq!(world.get("/v1/traces?success=true").await.body["total"], 0);
}

#[tokio::test]
async fn a_trace_belongs_to_the_key_that_began_it() {
    let mut world = World::new().await;
    let tool = [("gen_ai.tool.name", json!({"stringValue": "t"}))];
    post(&world, vec![span("00000000000000aa", &tool, json!({}))]).await;
    (world.key, _) = server::keys::create(world.store.as_ref(), Wanted::new(Role::Admin)).await.expect("a key");
    let said = post(&world, vec![span("00000000000000bb", &tool, json!({}))]).await.body;
    assert_eq!(said["partialSuccess"]["rejectedSpans"], "1");
    assert_eq!(said["partialSuccess"]["errorMessage"], "spans were rejected: 1 in traces that another key began");
    assert_eq!(world.get("/v1/traces").await.body["traces"][0]["calls"], 1);
}
