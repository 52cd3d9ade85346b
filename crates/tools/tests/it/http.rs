use std::sync::Arc;
use std::time::Duration;

use domain::tool::{Tool, ToolError};
use serde_json::{Value, json};

use crate::language::{Reply, call, context, serving, tool};

fn get(base: &str, http: &str) -> Arc<dyn Tool> {
    tool(&format!(
        r#"
        [[tool]]
        name = "weather.current"
        description = "Tells the weather."
        effect = "read"
        timeout = "20s"
        [tool.parameters.city]
        type = "string"
        [tool.parameters.days]
        type = "integer"
        required = false
        [tool.http]
        url = "{base}/v1/{{city}}/now"
        {http}
        "#
    ))
}

fn post(base: &str, timeout: &str) -> Arc<dyn Tool> {
    tool(&format!(
        r#"
        [[tool]]
        name = "mail.send"
        description = "Sends mail."
        effect = "write"
        timeout = "{timeout}"
        [tool.parameters.to]
        type = "string"
        [tool.http]
        url = "{base}/send"
        body = {{ to = "{{to}}" }}
        "#
    ))
}

fn line(request: &str) -> &str {
    request.lines().next().unwrap_or_default()
}

async fn city(base: &str, http: &str, city: &str) -> Result<Value, ToolError> {
    call(&get(base, http), json!({"city": city})).await
}

#[tokio::test]
async fn arguments_are_encoded_into_path_query_headers_and_body() {
    let (result, requests) = serving(vec![Reply::Json(json!({"current": {"high": 21}}))], async |base| {
        let http = r#"
            method = "PUT"
            query = { q = "{city}", n = "{days}", fixed = "a b" }
            headers = { authorization = "Bearer ${env:SECRET}", x-days = "{days}" }
            body = { where = { city = "{city}", days = "{days}" }, text = "in {city}", list = ["{city}", 1] }
            result = "/current"
        "#;
        call(&get(&base, http), json!({"city": "São Paulo/?#&=%2F..", "days": 3})).await
    })
    .await;
    assert_eq!(result, Ok(json!({"high": 21})));
    let (head, body) = requests[0].split_once("\r\n\r\n").expect("a body");
    assert_eq!(
        line(head),
        "PUT /v1/S%C3%A3o%20Paulo%2F%3F%23%26%3D%252F../now?fixed=a+b&n=3&q=S%C3%A3o+Paulo%2F%3F%23%26%3D%252F.. HTTP/1.1"
    );
    assert!(head.contains("authorization: Bearer s3cret") && head.contains("x-days: 3"), "{head}");
    assert!(!head.to_lowercase().contains("idempotency-key"));
    assert_eq!(
        serde_json::from_str::<Value>(body).expect("json"),
        json!({"where": {"city": "São Paulo/?#&=%2F..", "days": 3}, "text": "in São Paulo/?#&=%2F..",
               "list": ["São Paulo/?#&=%2F..", 1]})
    );
}

#[tokio::test]
async fn what_is_not_given_is_not_sent() {
    let (result, requests) = serving(vec![Reply::Text("200 OK", "sunny".into())], async |base| {
        city(&base, "query = { n = \"{days}\" }\nheaders = { x-days = \"{days}\" }", "Oslo").await
    })
    .await;
    assert_eq!(result, Ok(json!("sunny")));
    assert_eq!(line(&requests[0]), "GET /v1/Oslo/now HTTP/1.1");
    assert!(!requests[0].contains("x-days"));
}

#[tokio::test]
async fn an_argument_cannot_leave_its_place_in_the_url() {
    let ((), requests) = serving(vec![Reply::Json(json!({}))], async |base| {
        for wrong in ["..", "."] {
            let error = city(&base, "", wrong).await.expect_err("refused");
            assert!(matches!(error, ToolError::BadArguments { .. }), "{error}");
        }
        city(&base, "", "@evil.example:80/").await.expect("encoded");
    })
    .await;
    assert_eq!(line(&requests[0]), "GET /v1/%40evil.example%3A80%2F/now HTTP/1.1");
    let header = city("http://127.0.0.1:9", "headers = { x = \"{city}\" }", "a\r\nevil: 1").await;
    assert!(matches!(header, Err(ToolError::BadArguments { .. })));
}

#[tokio::test]
async fn redirects_are_followed_within_the_host_and_nowhere_else() {
    let moved = |to: &str| {
        Reply::Raw(format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"))
    };
    let (result, requests) =
        serving(vec![moved("/elsewhere"), Reply::Json(json!(1))], async |base| city(&base, "", "Oslo").await).await;
    assert_eq!((result, line(&requests[1])), (Ok(json!(1)), "GET /elsewhere HTTP/1.1"));
    let (result, requests) =
        serving(vec![moved("http://localhost:1/steal")], async |base| city(&base, "", "Oslo").await).await;
    assert_eq!(
        result.expect_err("not followed").to_string(),
        "`weather.current`: it answered 302 Found, a redirect to `http://localhost:1/steal` that is not followed"
    );
    assert_eq!(requests.len(), 1);
}

#[tokio::test]
async fn a_read_that_fails_says_how_and_keeps_it_short() {
    let cases = vec![
        Reply::Text("404 Not Found", "no such city".into()),
        Reply::Text("400 Bad Request", "x".repeat(5000)),
        Reply::Raw(
            "HTTP/1.1 429 Too Many Requests\r\nretry-after: 7\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".into(),
        ),
        Reply::Text("503 Service Unavailable", "later".into()),
        Reply::Text("500 Internal Server Error", String::new()),
        Reply::Raw(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 3\r\nconnection: close\r\n\r\n{,}"
                .into(),
        ),
        Reply::Flood,
        Reply::Raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\nconnection: close\r\n\r\nhalf".into()),
        Reply::Raw(String::new()),
    ];
    let count = cases.len();
    let (said, _) = serving(cases, async |base| {
        let mut said = Vec::new();
        for _ in 0..count {
            said.push(city(&base, "max_output = \"64KB\"", "Oslo").await.expect_err("failed").to_string());
        }
        said
    })
    .await;
    insta::assert_snapshot!(said.join("\n"));
}

#[tokio::test]
async fn a_pointer_that_leads_nowhere_is_a_failure_and_an_empty_answer_is_nothing() {
    let replies = vec![Reply::Json(json!({"a": 1})), Reply::Text("204 No Content", String::new())];
    let ((pointed, empty), _) = serving(replies, async |base| {
        (city(&base, "result = \"/current\"", "Oslo").await, city(&base, "", "Oslo").await)
    })
    .await;
    assert_eq!(pointed.expect_err("nowhere").to_string(), "`weather.current`: its answer has no `/current`: {\"a\":1}");
    assert_eq!(empty, Ok(Value::Null));
}

#[tokio::test]
async fn a_write_carries_its_key_and_reports_what_the_receiver_said() {
    let (result, requests) = serving(vec![Reply::Json(json!({"id": 5}))], async |base| {
        call(&post(&base, "20s"), json!({"to": "ada"})).await
    })
    .await;
    assert_eq!(result, Ok(json!({"id": 5})));
    assert!(requests[0].contains("idempotency-key: k1"), "{}", requests[0]);
    assert!(requests[0].ends_with("{\"to\":\"ada\"}"));
}

#[tokio::test]
async fn a_write_that_was_refused_did_not_happen_and_one_that_was_lost_is_in_doubt() {
    let cases: Vec<(Reply, &str)> = vec![
        (Reply::Text("422 Unprocessable Entity", "no".into()), "failed"),
        (Reply::Text("503 Service Unavailable", "no".into()), "unavailable"),
        (Reply::Text("429 Too Many Requests", "no".into()), "unavailable"),
        (Reply::Text("500 Internal Server Error", "?".into()), "in_doubt"),
        (Reply::Text("502 Bad Gateway", "?".into()), "in_doubt"),
        (Reply::Text("504 Gateway Timeout", "?".into()), "in_doubt"),
        (Reply::Raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nha".into()), "in_doubt"),
        (Reply::Raw(String::new()), "in_doubt"),
        (Reply::Silence, "in_doubt"),
    ];
    for (reply, expected) in cases {
        let patience = if matches!(reply, Reply::Silence) { "100ms" } else { "20s" };
        let (result, _) =
            serving(vec![reply], async |base| call(&post(&base, patience), json!({"to": "ada"})).await).await;
        let error = serde_json::to_value(result.expect_err("no success")).expect("json");
        assert_eq!(error["error"], expected, "{error}");
    }
    let refused = call(&post("http://127.0.0.1:9", "20s"), json!({"to": "ada"})).await;
    assert!(matches!(refused, Err(ToolError::Unavailable { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_write_that_was_accepted_happened_however_odd_the_answer() {
    let odd = Reply::Raw(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok".into(),
    );
    let (result, _) = serving(vec![odd], async |base| call(&post(&base, "20s"), json!({"to": "ada"})).await).await;
    assert_eq!(result, Ok(json!("ok")));
}

#[tokio::test]
async fn a_read_that_takes_too_long_is_given_up() {
    let (result, _) = serving(vec![Reply::Silence], async |base| {
        let text = format!(
            "[[tool]]\nname = \"a.b\"\ndescription = \"\"\neffect = \"read\"\ntimeout = \"50ms\"\n[tool.http]\nurl = \"{base}\""
        );
        call(&tool(&text), json!({})).await
    })
    .await;
    assert!(
        matches!(result, Err(ToolError::TimedOut { after, .. }) if after == Duration::from_millis(50)),
        "{result:?}"
    );
}

#[tokio::test]
async fn a_write_can_be_read_back_by_its_key() {
    let replies = vec![
        Reply::Json(json!({"message": {"id": 5}})),
        Reply::Text("404 Not Found", String::new()),
        Reply::Text("500 Internal Server Error", String::new()),
    ];
    let (found, requests) = serving(replies, async |base| {
        let text = format!(
            r#"
            [[tool]]
            name = "mail.send"
            description = "Sends mail."
            effect = "write"
            repeat = "read_back"
            [tool.http]
            url = "{base}/send"
            method = "POST"
            headers = {{ authorization = "${{env:SECRET}}" }}
            [tool.read_back]
            url = "{base}/sent/{{key}}"
            result = "/message"
            "#
        );
        let tool = tool(&text);
        (tool.read_back("k/1").await, tool.read_back("k2").await, tool.read_back("k3").await)
    })
    .await;
    assert_eq!((found.0, found.1), (Ok(Some(json!({"id": 5}))), Ok(None)));
    assert!(matches!(found.2, Err(ToolError::Unavailable { .. })));
    assert_eq!(line(&requests[0]), "GET /sent/k%2F1 HTTP/1.1");
    assert!(requests[0].contains("authorization: s3cret"));
}

#[tokio::test]
async fn errors_do_not_repeat_secrets_from_the_url() {
    let tool = get("http://127.0.0.1:9", "query = { key = \"${env:SECRET}\" }");
    let error = tool.call(&json!({"city": "Oslo"}), &context("k")).await.expect_err("nobody listens");
    assert!(!error.to_string().contains("s3cret"), "{error}");
}
