//! The search tools where something is odd: questions, files, the index.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::search::Desk;

#[tokio::test]
async fn a_question_without_words_is_refused() {
    let desk = Desk::with_papers();
    for query in ["", "   ", "\"(", "🌧🌧", "&&&", "\u{0}"] {
        let error = desk.call("search.files", "k", json!({"query": query})).await.expect_err("refused").to_string();
        assert!(error.contains("query"), "{error}");
    }
    assert!(desk.call("search.files", "k", json!({"query": "x", "limit": 0})).await.is_err());
}

#[tokio::test]
async fn signs_that_mean_something_elsewhere_mean_nothing() {
    let desk = Desk::with_papers();
    for query in [
        "\"( AND boiler",
        "boiler AND (",
        "body:boiler",
        "+boiler -roofs",
        "boiler~2 OR *",
        "boiler^9",
        "[a TO boiler}",
        "/boiler.*/",
        "\"boiler\"\"\"",
        "boiler 🌧 שלום",
        "' OR 1=1; DROP TABLE boiler",
    ] {
        assert!(desk.names(query).await.contains(&"boiler.md".to_owned()), "{query}");
    }
    let long = format!("boiler {}", "lorem ipsum \"dolor sit\" ".repeat(500));
    let found = desk.find(&long).await;
    assert_eq!(found["hits"][0]["title"], "The boiler");
    assert!(found["said"].as_str().is_some_and(|said| said.len() < 2000));
}

#[tokio::test]
async fn files_that_are_not_text_do_no_harm() {
    let desk = Desk::with_papers();
    desk.put("image.txt", b"\x89PNG\r\n\x1a\n\0\0boiler\0");
    desk.put("noise.md", (0u8..=255).cycle().take(10_000).collect::<Vec<_>>());
    desk.put("latin.txt", b"der Boiler ist grau-gr\xfcn".as_slice());
    desk.put("huge.txt", "boiler ".repeat(400_000));
    desk.put("empty.txt", "");
    desk.put("wide.json", format!("\"{}\"", "boiler".repeat(50_000)));
    desk.put("locked.txt", "boiler");
    fs::set_permissions(desk.path("locked.txt"), fs::Permissions::from_mode(0o000)).expect("locked");
    let mut names = desk.names("boiler").await;
    names.retain(|name| name != "locked.txt");
    names.sort();
    assert_eq!(names, ["boiler.md", "latin.txt"]);
    assert_eq!(desk.find("boiler").await["unread"], 0, "what cannot be read is not tried again");
}

#[tokio::test]
async fn a_damaged_index_is_built_anew() {
    let desk = Desk::with_papers();
    let index = desk.folder.path().join("index/v1");
    let files = || fs::read_dir(&index).expect("there").flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    let damages: [&dyn Fn(); 4] = [
        &|| fs::write(index.join("meta.json"), "{\"odd\":").expect("written"),
        &|| fs::write(index.join("meta.json"), "{}").expect("written"),
        &|| {
            let segments = files().into_iter().filter(|path| path.extension().is_some_and(|ending| ending != "json"));
            segments.for_each(|path| fs::write(path, "rubbish").expect("written"));
        },
        &|| files().iter().filter(|path| !path.ends_with("meta.json")).for_each(|path| drop(fs::remove_file(path))),
    ];
    for (at, damage) in damages.iter().enumerate() {
        assert_eq!(desk.names("boiler").await, ["boiler.md"], "before {at}");
        damage();
        assert_eq!(desk.names("boiler").await, ["boiler.md"], "after {at}");
    }
    fs::remove_dir_all(desk.folder.path().join("index")).expect("removed");
    assert_eq!(desk.names("boiler").await, ["boiler.md"]);
}

#[tokio::test]
async fn while_another_process_writes_the_index_is_read() {
    let desk = Desk::with_papers();
    fs::create_dir(desk.folder.path().join("index")).expect("made");
    let lock = File::create(desk.folder.path().join("index/lock")).expect("made");
    lock.lock().expect("locked");
    let found = desk.find("boiler").await;
    assert_eq!((&found["found"], &found["catching_up"]), (&json!(0), &json!(true)), "nobody has made an index yet");
    drop(lock);
    assert_eq!(desk.names("boiler").await, ["boiler.md"]);
    let lock = File::options().write(true).open(desk.folder.path().join("index/lock")).expect("there");
    lock.lock().expect("locked");
    desk.put("new.md", "Another boiler");
    let found = desk.find("boiler").await;
    assert_eq!((&found["found"], &found["catching_up"]), (&json!(1), &json!(true)));
    drop(lock);
    assert_eq!(desk.find("boiler").await["found"], 2);
}

#[tokio::test]
async fn what_an_index_remembers_of_other_folders_is_not_told() {
    let desk = Desk::with_papers();
    assert_eq!(desk.names("boiler").await, ["boiler.md"]);
    let lock = File::options().write(true).open(desk.folder.path().join("index/lock")).expect("there");
    lock.lock().expect("locked");
    let narrower = Desk { ignore: vec!["house".into()], ..desk };
    assert_eq!(narrower.names("boiler").await, Vec::<String>::new());
}

#[tokio::test]
async fn without_a_folder_or_a_place_for_the_index_it_says_so() {
    let desk = Desk::new();
    fs::remove_dir(desk.path("")).expect("removed");
    assert_eq!(desk.find("boiler").await["said"], "None of the folders to search exists.");
    fs::remove_dir_all(desk.folder.path().join("index")).expect("removed");
    fs::write(desk.folder.path().join("index"), "a file").expect("written");
    let error = desk.call("search.files", "k", json!({"query": "boiler"})).await.expect_err("no index").to_string();
    assert!(error.starts_with("`search.files` is not available: the index cannot be used: "), "{error}");
}
