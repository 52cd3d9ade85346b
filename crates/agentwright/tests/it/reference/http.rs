//! The URLs, from the document that describes them.

use serde_json::Value;

use super::{root, up_to_date};

const DOCUMENT: &str = "crates/server/tests/it/snapshots/it__document__openapi.snap";

#[test]
fn the_reference_of_http_is_up_to_date() {
    let snapshot = std::fs::read_to_string(root().join(DOCUMENT)).expect("the document");
    let (_, json) = snapshot.trim_start_matches("---").split_once("\n---\n").expect("a snapshot");
    let document: Value = serde_json::from_str(json).expect("JSON");
    let mut text = String::from(
        "# URLs\n\nEverything that can be asked over HTTP, and the role it takes; `/openapi.json` says what goes in and what \
         comes out. [http.md](../http.md) explains it with examples.\n",
    );
    for tag in document["tags"].as_array().into_iter().flatten() {
        let rows = rows(&document, tag["name"].as_str().unwrap_or_default());
        if !rows.is_empty() {
            let words = tag["description"].as_str().unwrap_or_default();
            let name = tag["name"].as_str().unwrap_or_default();
            text.push_str(&format!("\n## {name}\n\n{words}.\n\n| | role | |\n|---|---|---|\n{rows}"));
        }
    }
    up_to_date("http.md", &text);
}

fn rows(document: &Value, tag: &str) -> String {
    let mut rows = String::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            if operation["tags"][0] == tag {
                let role = operation["x-agentwright-access"]["role"].as_str().unwrap_or("none");
                let says = operation["summary"].as_str().unwrap_or_default();
                // A summary begins with the URL, which stands beside it already.
                let says = says.split_once("`: ").map_or(says, |(_, says)| says).replace('|', "\\|");
                rows.push_str(&format!("| `{} {path}` | {role} | {says} |\n", method.to_uppercase()));
            }
        }
    }
    rows
}
