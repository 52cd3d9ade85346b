//! The search tools over real folders and a real index.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use domain::tool::{Effect, Tool, ToolError};
use serde_json::{Value, json};
use tools::{Registry, Search, Web};

use crate::declared::as_declared;
use crate::language::context;

/// A folder of files, a folder of notes and a place for the index.
pub(crate) struct Desk {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) ignore: Vec<String>,
    pub(crate) web: Option<Web>,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        fs::create_dir(folder.path().join("papers")).expect("made");
        Self { folder, ignore: Vec::new(), web: None }
    }

    /// A desk with some papers on it.
    pub(crate) fn with_papers() -> Self {
        let desk = Self::new();
        desk.put("house/boiler.md", "# The boiler\n\nThe old boiler leaks when the heating runs. Call the plumber.");
        desk.put("house/roof.txt", "Roof repairs were expensive. The plumber knows a roofer.");
        desk.put("trip.org", "#+TITLE: Trip to Norway\nFerries leave from Kiel. Book cabins early.");
        desk.put(
            "page.html",
            "<html><title>Recipes</title><script>var plumber</script><p>Pancakes &amp; jam</p></html>",
        );
        desk.put("code.rs", "fn parse_invoice(text: &str) -> Invoice { todo!() }");
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("papers").join(name)
    }

    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, content).expect("written");
    }

    pub(crate) fn tools(&self) -> Vec<Arc<dyn Tool>> {
        tools::search(Search {
            index: self.folder.path().join("index"),
            folders: vec![self.folder.path().join("papers")],
            notes: self.folder.path().join("notes"),
            ignore: self.ignore.clone(),
            zone: jiff::tz::TimeZone::UTC,
            web: self.web.clone(),
            client: tools::client().expect("client"),
        })
    }

    pub(crate) async fn call(&self, name: &str, key: &str, arguments: Value) -> Result<Value, ToolError> {
        let registry = Registry::new(self.tools()).expect("no conflict");
        let name = name.parse().expect("name");
        registry.check(&name, &arguments)?;
        let tool = registry.get(&name).expect("there");
        as_declared(tool.spec(), tool.call(&arguments, &context(key)).await)
    }

    pub(crate) async fn find(&self, query: &str) -> Value {
        self.call("search.files", "k1", json!({"query": query})).await.expect("an answer")
    }

    /// The names of the files that are found, best first.
    pub(crate) async fn names(&self, query: &str) -> Vec<String> {
        let found = self.find(query).await;
        let hits = found["hits"].as_array().expect("hits");
        hits.iter()
            .map(|hit| {
                let path = hit["path"].as_str().expect("a path");
                path.rsplit('/').next().unwrap_or_default().to_owned()
            })
            .collect()
    }
}

#[tokio::test]
async fn files_are_found_by_their_words_with_the_place_shown() {
    let desk = Desk::with_papers();
    let found = desk.find("leaking boilers").await;
    let hit = &found["hits"][0];
    assert_eq!(hit["title"], "The boiler");
    assert_eq!(hit["path"], desk.path("house/boiler.md").canonicalize().expect("there").to_str().expect("text"));
    let snippet = hit["snippet"].as_str().expect("text");
    assert!(snippet.contains("The old **boiler** **leaks** when the heating runs."), "{snippet}");
    assert!(hit["score"].as_f64().is_some_and(|score| score > 0.0));
    assert!(hit["modified"].is_string());
    assert_eq!(
        found["said"],
        "One file was found for “leaking boilers”: The boiler (papers/house/boiler.md): # The boiler The old boiler \
         leaks when the heating runs. Call the plumber."
    );
    assert_eq!((&found["catching_up"], &found["found"]), (&json!(false), &json!(1)));
}

#[tokio::test]
async fn the_better_match_comes_first_and_three_are_said() {
    let desk = Desk::with_papers();
    for n in 0..4 {
        desk.put(&format!("filler{n}.txt"), format!("{} a plumber passed by", "Nothing of interest here. ".repeat(40)));
    }
    assert_eq!(desk.names("plumber").await[0], "roof.txt");
    let found = desk.call("search.files", "k", json!({"query": "plumber", "limit": 50})).await.expect("an answer");
    assert_eq!(found["found"], 6);
    let said = found["said"].as_str().expect("text");
    assert!(said.starts_with("6 files were found for “plumber”; the best 3:\n1. Roof repairs"), "{said}");
    assert_eq!(said.lines().count(), 4);
    assert_eq!(desk.names("where is my file about the plumber and the boiler?").await, ["boiler.md"]);
    assert_eq!(desk.names("the").await.len(), 2, "a word that says nothing is looked for when it is all there is");
}

#[tokio::test]
async fn typing_errors_accents_case_and_endings_do_not_matter() {
    let desk = Desk::with_papers();
    desk.put("cafe.md", "Das Café am Markt");
    for (query, name) in [
        ("plumer roof", "roof.txt"),
        ("PANCAKE", "page.html"),
        ("norwey ferry", "trip.org"),
        ("cafe markt", "cafe.md"),
        ("parse invoices", "code.rs"),
    ] {
        assert_eq!(desk.names(query).await, [name], "{query}");
    }
    assert_eq!(desk.names("\"heating runs\"").await, ["boiler.md"]);
    assert_eq!(desk.names("boiler zzzzzz").await, ["boiler.md"], "some words where no file has all");
    let none = desk.find("quetzalcoatl").await;
    assert_eq!(none["said"], "Nothing was found for “quetzalcoatl” in your files.");
}

#[tokio::test]
async fn what_changes_appears_and_goes_is_noticed() {
    let desk = Desk::with_papers();
    assert_eq!(desk.names("ferries").await, ["trip.org"]);
    desk.put("trip.org", "#+TITLE: Trip\nNow by train, which is quicker.");
    desk.put("new.md", "A ferry after all");
    assert_eq!(desk.names("ferries").await, ["new.md"]);
    assert_eq!(desk.names("train").await, ["trip.org"]);
    fs::remove_file(desk.path("new.md")).expect("removed");
    assert_eq!(desk.names("ferries").await, Vec::<String>::new());
}

#[tokio::test]
async fn what_is_hidden_ignored_foreign_or_made_by_machines_is_not_found() {
    let desk = Desk { ignore: vec!["secret*".into(), "work/old".into()], ..Desk::new() };
    fs::write(desk.folder.path().join("outside.txt"), "walrus").expect("written");
    for name in [
        ".hidden/a.txt",
        ".dot.txt",
        "target/a.txt",
        "node_modules/x/a.txt",
        "secrets.txt",
        "secret/a.txt",
        "work/old/a.txt",
        "movie.mp4",
    ] {
        desk.put(name, "walrus");
    }
    std::os::unix::fs::symlink(desk.folder.path().join("outside.txt"), desk.path("link.txt")).expect("linked");
    std::os::unix::fs::symlink(desk.folder.path(), desk.path("loop")).expect("linked");
    desk.put("work/new.txt", "walrus");
    assert_eq!(desk.names("walrus").await, ["new.txt"]);
}

#[tokio::test]
async fn many_files_are_read_a_part_at_a_time_and_it_says_so() {
    let desk = Desk::new();
    for n in 0..450 {
        desk.put(&format!("{n}.txt"), "heron");
    }
    let first = desk.find("heron").await;
    assert_eq!((&first["catching_up"], &first["unread"]), (&json!(true), &json!(50)));
    let said = first["said"].as_str().expect("text");
    assert!(said.ends_with("The index is still catching up: 50 files have not been read yet."), "{said}");
    let second = desk.find("heron").await;
    assert_eq!((&second["catching_up"], &second["unread"]), (&json!(false), &json!(0)));
}

#[test]
fn the_planner_reads_what_can_be_looked_up() {
    let desk = Desk { web: Some(Web::Searxng { url: "http://127.0.0.1:1".parse().expect("url") }), ..Desk::new() };
    let mut all = desk.tools();
    all.extend(tools::weather(crate::weather::weather("http://127.0.0.1:1", &Arc::default())));
    all.extend(tools::summarization(tools::Summarization { folders: Vec::new(), ignore: Vec::new() }));
    insta::assert_snapshot!(Registry::new(all).expect("no conflict").listing(tools::Filter::All));
}

#[tokio::test]
async fn the_tools_say_what_they_do_to_the_world() {
    let desk = Desk::new();
    let effects: Vec<(String, bool)> =
        desk.tools().iter().map(|tool| (tool.spec().name.to_string(), tool.spec().effect == Effect::Read)).collect();
    assert_eq!(effects, [("search.files".into(), true), ("search.note".into(), false)]);
}
