//! The API describes itself.

use serde_json::Value;

use crate::world::World;

#[tokio::test]
async fn the_document_says_what_there_is() {
    let world = World::new().await;
    let mut said = world.get("/openapi.json").await;
    assert_eq!(said.headers["content-type"], "application/json");
    said.body["info"]["version"] = "of the crate".into();
    // Which zones there are is the machine's own affair.
    let zones = &mut said.body["components"]["schemas"]["NewRun"]["properties"]["zone"]["enum"];
    assert!(zones.as_array().is_some_and(|zones| zones.contains(&"Europe/Oslo".into())));
    *zones = "all".into();
    insta::assert_json_snapshot!("openapi", said.body);
}

#[tokio::test]
async fn every_operation_names_what_it_can_answer_and_what_it_takes() {
    let document = World::new().await.get("/openapi.json").await.body;
    let mut operations = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            operations += 1;
            let responses = operation["responses"].as_object().expect("responses");
            for status in ["400", "403", "421", "429", "431", "500", "503"] {
                assert!(responses.contains_key(status), "{method} {path} does not name {status}");
            }
            assert!(operation["summary"].is_string() && operation["tags"].is_array(), "{method} {path}");
            let in_path = path.matches('{').count();
            let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
            let whole = parameters.iter().filter(|it| it["in"] == "path" && it["required"] == true);
            assert_eq!(whole.count(), in_path, "{method} {path}");
            let keyless = operation["security"] == serde_json::json!([{}]);
            assert!(keyless || responses.contains_key("401"), "{method} {path}");
        }
    }
    assert!(operations > 12, "{operations} operations");
    let references = serde_json::to_string(&document).expect("JSON");
    for name in references.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert_ne!(document["components"]["schemas"][name], Value::Null, "`{name}` is named and not described");
    }
}

#[tokio::test]
async fn the_page_about_it_needs_nobody_else() {
    let world = World::new().await;
    let said = world.get("/docs").await;
    assert!(said.headers["content-type"].to_str().expect("text").starts_with("text/html"));
    let page = said.body.as_str().expect("a page");
    assert!(page.contains("/v1/runs/{run}/events"));
    for elsewhere in ["<script src", "<link", "@import", "url(", "<img"] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
}
