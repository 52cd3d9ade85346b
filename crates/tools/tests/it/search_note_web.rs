//! Notes that are written and the web that is searched.

use std::fs;

use serde_json::{Value, json};
use tools::Web;

use crate::language::{Reply, serving};
use crate::search::Desk;
use crate::weather::nobody;

#[tokio::test]
async fn a_note_is_written_once_and_found() {
    let desk = Desk::new();
    let note = json!({"text": "Ask Ann about the wallpaper.", "title": "Living room / colours"});
    let first = desk.call("search.note", "run-1.step-2", note.clone()).await.expect("noted");
    assert_eq!(desk.call("search.note", "run-1.step-2", note.clone()).await.expect("noted"), first);
    let path = first["path"].as_str().expect("a path");
    assert!(path.contains("/notes/2025-03-01-living-room-colours-"), "{path}");
    assert_eq!(fs::read_to_string(path).expect("there"), "# Living room / colours\n\nAsk Ann about the wallpaper.\n");
    assert_eq!(first["said"], "Noted: Living room / colours");
    let found = desk.find("wallpaper").await;
    assert_eq!((&found["found"], &found["hits"][0]["title"]), (&json!(1), &json!("Living room / colours")));
    desk.call("search.note", "another", note).await.expect("noted");
    assert_eq!(desk.find("wallpaper").await["found"], 2);
    let names = fs::read_dir(desk.folder.path().join("notes")).expect("there").flatten().map(|entry| entry.file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().starts_with('.')), "no drafts are left");
}

#[tokio::test]
async fn odd_notes_stay_in_their_folder() {
    let desk = Desk::new();
    for (key, title) in [
        ("../../k", "../../../etc/passwd"),
        ("a/b", ""),
        ("c", "🌧"),
        ("d", "שלום\n\u{1b}[2J"),
        ("e", &"x".repeat(5000)),
    ] {
        let noted = desk.call("search.note", key, json!({"text": "text", "title": title})).await.expect("noted");
        let path = std::path::PathBuf::from(noted["path"].as_str().expect("a path"));
        assert_eq!(path.parent(), Some(desk.folder.path().join("notes").as_path()));
    }
    for text in ["", "  \n ", &"x".repeat(2 << 20)] {
        assert!(desk.call("search.note", "k", json!({"text": text})).await.is_err());
    }
    let blocked = Desk::new();
    fs::write(blocked.folder.path().join("notes"), "a file").expect("written");
    let error = blocked.call("search.note", "k", json!({"text": "text"})).await.expect_err("no folder").to_string();
    assert!(error.contains("cannot be written"), "{error}");
}

fn searxng(base: &str) -> Desk {
    Desk { web: Some(Web::Searxng { url: base.parse().expect("url") }), ..Desk::new() }
}

fn results(count: usize) -> Vec<Value> {
    let result = |n| {
        json!({"url": format!("https://example.org/{n}"), "title": format!("Pizza &amp; pasta {n}"),
        "content": "Best in town.", "engine": "duckduckgo", "score": 1.0, "category": "general"})
    };
    (1..=count).map(result).collect()
}

#[tokio::test]
async fn searxng_is_asked_for_json() {
    let answer =
        json!({"query": "pizza", "number_of_results": 0, "results": results(8), "answers": [], "infoboxes": []});
    let (found, requests) = serving(vec![Reply::Json(answer)], async |base| {
        searxng(&format!("{base}/engine/")).call("search.web", "k", json!({"query": " good  pizza & co"})).await
    })
    .await;
    let found = found.expect("results");
    assert!(requests[0].starts_with("GET /engine/search?q=good+pizza+%26+co&format=json "), "{}", requests[0]);
    assert_eq!(found["found"], 5);
    assert_eq!(
        found["results"][0],
        json!({"title": "Pizza & pasta 1", "url": "https://example.org/1", "snippet": "Best in town."})
    );
    let said = found["said"].as_str().expect("text");
    assert!(said.starts_with("The web has for “good pizza & co”:\n1. Pizza & pasta 1 (https://example.org/1): Best"));
    assert_eq!(said.lines().count(), 4);
}

#[tokio::test]
async fn brave_is_sent_its_token_and_its_markup_is_taken_off() {
    let answer = json!({"type": "search", "query": {"original": "pizza"}, "web": {"type": "search", "results": [
        {"title": "Pizza", "url": "https://example.org/", "description": "The <strong>best</strong> pizza&#x27;s here",
         "is_source_local": false, "language": "en"}]}});
    let (found, requests) = serving(vec![Reply::Json(answer)], async |base| {
        let url = format!("{base}/res/v1/web/search").parse().expect("url");
        let desk = Desk { web: Some(Web::Brave { url, token: "s3cret".into() }), ..Desk::new() };
        desk.call("search.web", "k", json!({"query": "pizza", "limit": 3})).await
    })
    .await;
    assert_eq!(found.expect("results")["results"][0]["snippet"], "The best pizza's here");
    assert!(requests[0].starts_with("GET /res/v1/web/search?q=pizza&count=3 "), "{}", requests[0]);
    assert!(requests[0].contains("x-subscription-token: s3cret"));
}

#[tokio::test]
async fn an_engine_that_does_not_answer_well_is_said() {
    for (reply, words) in [
        (Reply::Text("403 Forbidden", String::new()), "`json` is among its `search.formats`"),
        (Reply::Text("429 Too Many Requests", String::new()), "the search engine cannot be reached"),
        (Reply::Text("200 OK", "<html>".into()), "not JSON"),
        (Reply::Json(json!({"results": "none"})), "answered oddly"),
    ] {
        let (error, _) =
            serving(vec![reply], async |base| searxng(&base).call("search.web", "k", json!({"query": "x"})).await)
                .await;
        let error = error.expect_err("no results").to_string();
        assert!(error.contains(words), "{error}");
    }
    let away = searxng(&nobody().await);
    let error = away.call("search.web", "k", json!({"query": "x"})).await.expect_err("nobody").to_string();
    assert!(error.contains("the search engine cannot be reached (no connection: "), "{error}");
    for query in ["", " ", &"x".repeat(10_000)] {
        assert!(away.call("search.web", "k", json!({"query": query})).await.is_err());
    }
    let (found, _) = serving(vec![Reply::Json(json!({"results": []}))], async |base| {
        searxng(&base).call("search.web", "k", json!({"query": "x"})).await
    })
    .await;
    assert_eq!(found.expect("an answer")["said"], "Nothing was found on the web for “x”.");
}
