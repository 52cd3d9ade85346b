//! What spans of each convention come to.

use domain::symbol::Symbol;
use domain::trace::{Source, Step, Trace, assemble};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{Sorted, json, partial, sort};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// A span with a name, attributes in plain JSON, and whatever else is to be different.
fn span(id: u8, name: &str, attributes: Value, more: Value) -> Value {
    let any = |value: &Value| match value {
        Value::String(text) => json!({"stringValue": text}),
        Value::Bool(yes) => json!({"boolValue": yes}),
        Value::Number(number) if number.is_i64() => json!({"intValue": number.to_string()}),
        Value::Number(number) => json!({"doubleValue": number}),
        Value::Array(items) => {
            let values: Vec<Value> = items.iter().map(|it| json!({"stringValue": it})).collect();
            json!({"arrayValue": {"values": values}})
        }
        Value::Object(_) => value.clone(),
        Value::Null => Value::Null,
    };
    let fields = attributes.as_object().expect("attributes");
    let attributes: Vec<Value> = fields.iter().map(|(key, it)| json!({"key": key, "value": any(it)})).collect();
    let mut span = json!({
        "traceId": TRACE, "spanId": format!("{id:016x}"), "name": name, "attributes": attributes,
        "startTimeUnixNano": format!("{}000000000", 1_700_000_000 + u64::from(id)),
        "endTimeUnixNano": format!("{}500000000", 1_700_000_000 + u64::from(id)),
    });
    span.as_object_mut().expect("a span").extend(more.as_object().cloned().unwrap_or_else(Map::new));
    span
}

fn within(id: u8) -> Value {
    json!({"parentSpanId": format!("{id:016x}")})
}

fn sorted(spans: Vec<Value>) -> Sorted {
    let resource = json!({"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]});
    let batch = json!({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}]});
    sort(&json::batch(&batch).expect("a batch"), Timestamp::UNIX_EPOCH)
}

/// The trace that spans make, which must all be taken.
fn traced(spans: Vec<Value>) -> Trace {
    let sorted = sorted(spans);
    assert_eq!((sorted.kept_out, sorted.rejected.len()), (0, 0));
    let id = sorted.parts.first().expect("a piece").trace.clone();
    assemble(&id, &Source::key("k"), sorted.parts).expect("a trace")
}

/// A trace in short.
fn told(trace: &Trace) -> Vec<String> {
    let step = |step: &Step| match step {
        Step::Call { tool, arguments, response, ended, millis, .. } => {
            format!("call {tool} {} -> {} {ended:?} {millis:?}", arguments.reveal(), response.reveal())
        }
        Step::Said { who, text, .. } => format!("{who:?}: {}", text.reveal()),
        Step::Thought { what, text, .. } => format!("{what}: {}", text.reveal()),
        Step::Model { model, tokens_in, tokens_out, ended, .. } => {
            format!("model {model} {tokens_in} {tokens_out} {ended:?}")
        }
    };
    trace.steps.iter().map(step).collect()
}

fn outcome(attributes: Value, status: Value) -> Option<bool> {
    let agent = span(1, "invoke_agent a", attributes, json!({"status": status}));
    traced(vec![agent]).outcome.map(|outcome| outcome.success)
}

#[test]
fn the_genai_conventions_are_understood() {
    let messages = |role: &str, kind: &str, text: &str| {
        json!([{"role": role, "parts": [{"type": kind, "content": text}]}]).to_string()
    };
    let trace = traced(vec![
        span(
            2,
            "chat gpt-5",
            json!({
                "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5", "gen_ai.agent.name": "forecaster",
                "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 5,
                "gen_ai.input.messages": messages("user", "text", "How is Oslo?"),
                "gen_ai.output.messages": messages("assistant", "reasoning", "I must look."),
            }),
            within(1),
        ),
        span(
            3,
            "execute_tool weather",
            json!({
                "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather",
                "gen_ai.tool.call.arguments": "{\"city\": \"Oslo\"}", "gen_ai.tool.call.result": "sunny",
            }),
            within(1),
        ),
        span(
            1,
            "invoke_agent forecaster",
            json!({
                "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "forecaster",
                "gen_ai.request.model": "gpt-5", "gen_ai.conversation.id": "c1", "user.id": "ada",
                "gen_ai.input.messages": messages("user", "text", "How is Oslo?"),
                "gen_ai.output.messages": messages("assistant", "text", "Sunny."),
                "agentwright.problem": "weather", "agentwright.task": "t-1", "agentwright.success": true,
                "agentwright.score": 0.5, "agentwright.lesson": ["lsn_1", "lsn_2"],
                "agentwright.experiment": "exp_1", "agentwright.arm": "candidate", "agentwright.metric.turns": 3,
            }),
            json!({}),
        ),
    ]);
    let names = (trace.agent.as_str(), trace.problem.as_str(), trace.system.as_ref().map(Symbol::as_str));
    assert_eq!(names, ("forecaster", "weather", Some("gpt-5")));
    assert_eq!((&trace.user, &trace.task), (&Some(Symbol::of("ada")), &Some(Symbol::of("t-1"))));
    assert_eq!(trace.context.reveal(), "How is Oslo?");
    let verdict = trace.outcome.as_ref().expect("an outcome");
    assert_eq!((verdict.success, verdict.score), (true, Some(0.5)));
    assert_eq!(verdict.answer.as_ref().map(|text| text.reveal().as_str()), Some("Sunny."));
    assert_eq!((trace.lessons.len(), trace.trials.len(), trace.metrics[&Symbol::of("turns")]), (2, 1, 3.0));
    assert_eq!(
        told(&trace),
        [
            "User: How is Oslo?",
            "model gpt-5 10 5 Done",
            "thought: I must look.",
            "call weather {\"city\":\"Oslo\"} -> sunny Done Some(500)",
        ]
    );
}

#[test]
fn openinference_is_understood() {
    let trace = traced(vec![
        span(
            1,
            "forecaster.run",
            json!({"openinference.span.kind": "AGENT", "input.value": "{\"task\": \"How is Oslo?\", \"reset\": true}"}),
            json!({"status": {"code": 1}}),
        ),
        span(
            2,
            "Model.generate",
            json!({
                "openinference.span.kind": "LLM", "llm.model_name": "gpt-5", "llm.token_count.prompt": 10,
                "llm.token_count.completion": "5",
                "llm.input_messages.0.message.role": "system", "llm.input_messages.0.message.content": "be brief",
                "llm.input_messages.1.message.role": "user",
                "llm.input_messages.1.message.contents.0.message_content.text": "Oslo?",
                "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Well.",
            }),
            within(1),
        ),
        span(
            3,
            "SimpleTool",
            json!({
                "openinference.span.kind": "TOOL", "tool.name": "weather", "output.value": "sunny",
                "input.value": "{\"args\": [1], \"sanitize_inputs_outputs\": true, \"kwargs\": {\"city\": \"Oslo\"}}",
            }),
            within(1),
        ),
    ]);
    assert_eq!((trace.agent.as_str(), trace.context.reveal().as_str()), ("forecaster", "How is Oslo?"));
    assert_eq!(trace.system, Some(Symbol::of("shop")), "the program, where no model is named");
    assert_eq!(trace.outcome.as_ref().map(|it| it.success), Some(true));
    assert_eq!(
        told(&trace),
        [
            "User: Oslo?",
            "model gpt-5 10 5 Done",
            "Agent: Well.",
            "call weather {\"0\":1,\"city\":\"Oslo\"} -> sunny Done Some(500)",
        ]
    );
}

#[test]
fn the_older_names_are_understood() {
    let trace = traced(vec![
        span(
            1,
            "forecaster.workflow",
            json!({
                "traceloop.span.kind": "workflow", "traceloop.entity.name": "forecaster",
                "traceloop.entity.input": "{\"question\": \"Oslo?\"}", "traceloop.entity.output": "sunny",
            }),
            json!({"status": {"code": "STATUS_CODE_OK"}}),
        ),
        span(
            2,
            "openai.chat",
            json!({
                "gen_ai.system": "openai", "llm.request.type": "chat", "gen_ai.request.model": "gpt-4",
                "gen_ai.usage.prompt_tokens": 10, "gen_ai.usage.completion_tokens": 5,
                "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Oslo?",
                "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "sunny",
            }),
            within(1),
        ),
        span(
            3,
            "weather.tool",
            json!({
                "traceloop.span.kind": "tool", "traceloop.entity.name": "weather",
                "traceloop.entity.input": "{\"city\": \"Oslo\"}", "traceloop.entity.output": "{\"sky\": \"clear\"}",
            }),
            within(1),
        ),
    ]);
    assert_eq!((trace.agent.as_str(), trace.context.reveal().as_str()), ("forecaster", "Oslo?"));
    assert_eq!(
        told(&trace),
        [
            "User: Oslo?",
            "model gpt-4 10 5 Done",
            "Agent: sunny",
            "call weather {\"city\":\"Oslo\"} -> {\"sky\": \"clear\"} Done Some(500)",
        ]
    );
}

#[test]
fn an_agent_has_an_outcome_where_somebody_says_so() {
    let agent = |more: &str, yes: Value| json!({"gen_ai.operation.name": "invoke_agent", more: yes});
    assert_eq!(outcome(agent("x", json!(1)), json!({"code": 0})), None);
    assert_eq!(outcome(agent("x", json!(1)), json!({"code": 1})), Some(true));
    assert_eq!(outcome(agent("x", json!(1)), json!({"code": 2, "message": "no"})), Some(false));
    assert_eq!(outcome(agent("agentwright.success", json!(true)), json!({"code": 2})), Some(true));
    assert_eq!(outcome(agent("agentwright.success", json!("false")), json!({"code": 1})), Some(false));
    assert_eq!(outcome(agent("agentwright.success", json!("perhaps")), json!({})), None);
}

#[test]
fn failures_are_told_by_status_by_attribute_and_by_exception() {
    let end = |attributes: Value, more: Value| {
        let trace = traced(vec![span(2, "execute_tool t", attributes, more)]);
        told(&trace)[0].split("-> ").nth(1).expect("an end").trim().to_owned()
    };
    let tool = json!({"gen_ai.tool.name": "t"});
    let exception = json!({"events": [{"name": "exception", "attributes": [
        {"key": "exception.type", "value": {"stringValue": "PermissionError"}},
    ]}]});
    assert_eq!(
        end(tool.clone(), json!({"status": {"code": 2, "message": "404 not found"}})),
        "Failed(NotFound) Some(500)"
    );
    assert_eq!(end(json!({"gen_ai.tool.name": "t", "error.type": "timeout"}), json!({})), "Failed(TimedOut) Some(500)");
    assert_eq!(end(tool.clone(), exception), "Failed(Denied) Some(500)");
    assert_eq!(end(tool, json!({"status": {"code": 1}})), "Done Some(500)");
}

#[test]
fn a_part_that_fails_does_not_fail_the_whole() {
    let agent = json!({"gen_ai.operation.name": "invoke_agent"});
    let inner = span(
        3,
        "invoke_agent inner",
        agent.clone(),
        json!({"parentSpanId": "00000000000000ff", "status": {"code": 2}}),
    );
    let outer = |more: Value| {
        let mut outer = json!({"endTimeUnixNano": "1700000009000000000"});
        outer.as_object_mut().expect("fields").extend(more.as_object().cloned().expect("fields"));
        span(2, "invoke_agent outer", agent.clone(), outer)
    };
    for parent in [json!({}), json!({"parentSpanId": "00000000000000fe"})] {
        let trace = traced(vec![inner.clone(), outer(parent)]);
        assert_eq!((trace.agent.as_str(), trace.outcome), ("outer", None));
    }
}

#[test]
fn what_agents_have_nothing_to_do_with_is_kept_out_and_counted() {
    let sorted = sorted(vec![
        span(1, "GET /", json!({"http.request.method": "GET"}), json!({})),
        span(2, "Step 1", json!({"openinference.span.kind": "CHAIN"}), within(1)),
        span(3, "embeddings e", json!({"gen_ai.operation.name": "embeddings", "gen_ai.request.model": "e"}), within(1)),
        span(4, "task", json!({"traceloop.span.kind": "task"}), within(1)),
    ]);
    assert_eq!((sorted.parts.len(), sorted.kept_out), (0, 4));
}

#[test]
fn spans_without_an_id_are_rejected_and_counted() {
    let tool = json!({"gen_ai.tool.name": "t"});
    let flawed = [
        json!({"traceId": ""}),
        json!({"traceId": "0".repeat(32)}),
        json!({"traceId": "trace-1"}),
        json!({"traceId": &TRACE[2..]}),
        json!({"traceId": format!("{}zz", &TRACE[2..])}),
        json!({"spanId": "0".repeat(16)}),
        json!({"spanId": null}),
    ];
    let sorted = sorted(flawed.map(|more| span(1, "execute_tool t", tool.clone(), more)).to_vec());
    assert_eq!(sorted.parts.len(), 0);
    let said = partial(&sorted.rejected).expect("a word about it");
    assert_eq!(said.rejected_spans, 7);
    assert_eq!(
        said.error_message,
        "spans were rejected: 5 without a trace id of 16 bytes that are not all zero, \
         2 without a span id of 8 bytes that are not all zero"
    );
}

#[test]
fn odd_spans_are_taken_as_well_as_they_can_be() {
    let deep = (0..12).fold(json!({"stringValue": "x"}), |inner, _| json!({"arrayValue": {"values": [inner]}}));
    let odd = json!({"gen_ai.tool.name": "two\nlines", "gen_ai.tool.call.arguments": deep, "error.type": 7});
    let mut times =
        json!({"startTimeUnixNano": "1700000009000000000", "endTimeUnixNano": 1_700_000_001_000_000_000_u64});
    let trace = traced(vec![span(1, "execute_tool", odd.clone(), times.clone())]);
    let Step::Call { tool, millis, .. } = &trace.steps[0] else { panic!("{trace:?}") };
    assert!(tool.as_str().starts_with("odd-"), "{tool}");
    assert_eq!(*millis, None, "it ended before it began");
    times["startTimeUnixNano"] = json!(0);
    times["endTimeUnixNano"] = json!("0");
    let agent = span(2, "invoke_agent a", json!({"gen_ai.operation.name": "invoke_agent"}), times);
    let trace = traced(vec![agent]);
    assert_eq!((trace.started_at, trace.ended_at), (Timestamp::UNIX_EPOCH, None), "it did not end");
}

#[test]
fn a_span_that_is_sent_twice_is_one_span() {
    let tool = |name: &str| span(1, "execute_tool", json!({"gen_ai.tool.name": name}), json!({}));
    let sorted = sorted(vec![
        tool("first"),
        span(2, "execute_tool x", json!({"gen_ai.tool.name": "x"}), json!({})),
        tool("last"),
    ]);
    let trace = assemble(&sorted.parts[0].trace.clone(), &Source::key("k"), sorted.parts).expect("a trace");
    let tools: Vec<&str> = trace
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Call { tool, .. } => Some(tool.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(tools, ["last", "x"]);
}

#[test]
fn both_spellings_of_json_are_read_and_what_is_wrong_is_named() {
    let snake = json!({"resource_spans": [{"scope_spans": [{"spans": [{
        "trace_id": TRACE, "span_id": "00000000000000aa", "parent_span_id": null, "name": "execute_tool t",
        "start_time_unix_nano": 1, "end_time_unix_nano": "2", "unknown": [],
        "attributes": [{"key": "gen_ai.tool.name", "value": {"string_value": "t"}}, {"key": "n", "value": {"int_value": "7"}}],
    }]}]}]});
    assert_eq!(sort(&json::batch(&snake).expect("a batch"), Timestamp::UNIX_EPOCH).parts.len(), 1);
    let say = |json: Value| json::batch(&json).expect_err("wrong").0;
    assert_eq!(say(json!({"resourceSpans": {}})), "`resourceSpans` must be a list");
    assert_eq!(say(json!({"resourceSpans": [7]})), "`resourceSpans` must be an object");
    let one = |span: Value| json!({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]});
    assert_eq!(say(one(json!({"name": 7}))), "`name` must be text");
    assert_eq!(
        say(one(json!({"startTimeUnixNano": "noon"}))),
        "`startTimeUnixNano` must be nanoseconds since 1970, as a number or as text"
    );
    let value = |value: Value| one(json!({"attributes": [{"key": "k", "value": value}]}));
    assert_eq!(say(value(json!({"intValue": "x"}))), "`intValue` must be a whole number, or one as text");
}
