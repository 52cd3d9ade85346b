//! The summarization tool over texts and files.

use std::fs;

use domain::tool::{Effect, ToolError};
use serde_json::{Value, json};
use tools::Summarization;

use crate::declared::as_declared;
use crate::language::call;
use crate::search::Desk;

const NEWS: &str = "The city of Bergen will close its old ferry harbour next spring. The decision was taken on Monday \
    after a long debate in the council. Ferries have left from the harbour since 1890. Mrs. Larsen, the mayor, said that \
    the harbour is too small for electric ferries. A new harbour for electric ferries is being built in the north of the \
    city. It rained during the debate. Somebody brought cake. Shop owners near the old harbour fear that customers will \
    stay away. The council promised them money from a fund for the old harbour. The new harbour is expected to open in \
    May.";

async fn summarize(desk: &Desk, arguments: Value) -> Result<Value, ToolError> {
    let folders = vec![desk.folder.path().join("papers")];
    let tool = tools::summarization(Summarization { folders, ignore: vec!["private".into()] }).remove(0);
    assert_eq!(tool.spec().effect, Effect::Read);
    as_declared(tool.spec(), call(&tool, arguments).await)
}

#[tokio::test]
async fn the_telling_sentences_are_kept_in_their_order() {
    let desk = Desk::new();
    let told = summarize(&desk, json!({"text": NEWS, "sentences": 3})).await.expect("a summary");
    let said = told["said"].as_str().expect("text");
    assert!(said.starts_with("The city of Bergen will close its old ferry harbour next spring. "), "{said}");
    assert!(said.contains("electric ferries"), "{said}");
    assert!(!said.contains("cake") && !said.contains("rained"), "{said}");
    assert_eq!((told["sentences"].as_array().map(Vec::len), &told["of"]), (Some(3), &json!(10)));
    let places: Vec<Option<usize>> =
        told["sentences"].as_array().expect("sentences").iter().map(|s| NEWS.find(s.as_str().expect("text"))).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{places:?}");
    assert_eq!(summarize(&desk, json!({"text": NEWS, "sentences": 3})).await.expect("a summary"), told);
}

#[tokio::test]
async fn short_texts_come_back_as_they_are() {
    let desk = Desk::new();
    let text = "Milk,  eggs.\nAnd bread!";
    let told = summarize(&desk, json!({"text": text})).await.expect("a summary");
    assert_eq!((&told["said"], &told["whole"]), (&json!(text), &json!(true)));
}

#[tokio::test]
async fn files_in_the_folders_are_summarized_and_no_others() {
    let desk = Desk::new();
    desk.put("house/news.md", format!("# Harbour\n\n{NEWS}"));
    desk.put("private/diary.md", NEWS);
    desk.put(".hidden.md", NEWS);
    desk.put("image.txt", b"\x89PNG\0\0");
    desk.put("huge.txt", "word ".repeat(500_000));
    fs::write(desk.folder.path().join("outside.md"), NEWS).expect("written");
    std::os::unix::fs::symlink(desk.folder.path().join("outside.md"), desk.path("link.md")).expect("linked");
    for path in ["house/news.md", desk.path("house/news.md").to_str().expect("text"), "house/../house/news.md"] {
        let told = summarize(&desk, json!({"path": path})).await.expect("a summary");
        assert_eq!((&told["of"], told["sentences"].as_array().map(Vec::len)), (&json!(10), Some(3)), "{path}");
    }
    let outside = desk.folder.path().join("outside.md");
    for path in [
        "../outside.md",
        outside.to_str().expect("text"),
        "link.md",
        "private/diary.md",
        ".hidden.md",
        "/etc/passwd",
        "house",
        "missing.md",
        "a\u{0}b",
    ] {
        let error = summarize(&desk, json!({"path": path})).await.expect_err("refused").to_string();
        assert!(error.ends_with("is not a file in the folders that are searched"), "{path}: {error}");
    }
    let error = summarize(&desk, json!({"path": "image.txt"})).await.expect_err("refused").to_string();
    assert_eq!(error, "`summarization.summarize`: `image.txt` holds no text");
    assert!(summarize(&desk, json!({"path": "huge.txt"})).await.is_err());
}

#[tokio::test]
async fn odd_texts_are_summarized_or_refused() {
    let desk = Desk::new();
    for arguments in [
        json!({}),
        json!({"text": ""}),
        json!({"text": " \n"}),
        json!({"text": "a", "path": "b"}),
        json!({"text": "a", "sentences": 0}),
        json!({"text": "a", "sentences": 21}),
        json!({"text": "…!?"}),
        json!({"text": "x".repeat(3 << 20)}),
    ] {
        let refused = summarize(&desk, arguments).await;
        assert!(refused.is_err(), "{refused:?}");
    }
    for text in [
        "word ".repeat(20_000),
        "The a of. ".repeat(50),
        "🌧 שלום עולם. ".repeat(50),
        "これは文です。".repeat(100),
        "A.B.C. ".repeat(1000),
        "\"\"\"((([[[".repeat(100) + " end.",
        "ONE THING. TWO THINGS! ".repeat(100),
    ] {
        let told = summarize(&desk, json!({"text": text, "sentences": 2})).await.expect("a summary");
        assert!(told["said"].as_str().is_some_and(|said| !said.is_empty() && said.chars().count() <= 1100));
    }
}
