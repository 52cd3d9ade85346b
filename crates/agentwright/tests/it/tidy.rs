//! The invariants of ARCHITECTURE.md that show in the text of the tree. A broken one lists where, and says what to do.
//!
//! Files that git does not know yet are read too, unless they are ignored.

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

const ALL: &[&str] =
    &["domain", "reflex", "learn", "retrieve", "llm", "tools", "store", "runtime", "server", "agentwright", "train"];

/// Which of our crates a crate may depend on.
const ARROWS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("reflex", &["domain"]),
    ("retrieve", &["domain", "reflex"]),
    ("train", &["domain", "reflex"]),
    ("learn", &["domain"]),
    ("llm", &["domain"]),
    ("tools", &["domain"]),
    ("store", &["domain"]),
    ("runtime", &["domain", "reflex", "learn", "retrieve"]),
    ("server", &["domain", "runtime"]),
    ("agentwright", &["domain", "reflex", "learn", "retrieve", "llm", "tools", "store", "runtime", "server"]),
    ("bench", ALL),
];

/// Which it may use beyond that in its tests.
const ARROWS_OF_TESTS: &[(&str, &[&str])] =
    &[("runtime", &["llm", "tools", "store"]), ("server", &["llm", "tools", "store"])];

/// Crates that compute and do nothing else, and the crates that compute and do nothing else that they are made of.
const PURE: &[&str] = &["domain", "reflex", "learn", "retrieve"];
const PURE_DEPENDENCIES: &[&str] =
    &["async-trait", "futures", "jiff", "schemars", "serde", "serde_json", "sha2", "thiserror", "uuid"];

const NAMES_THAT_SAY_NOTHING: &[&str] =
    &["util", "utils", "common", "helper", "helpers", "manager", "managers", "service", "services"];

struct File {
    path: String,
    text: String,
}

static TREE: LazyLock<Vec<File>> = LazyLock::new(|| {
    let listed = output("git", &["-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"]);
    let paths = listed.split('\0').filter(|path| !path.is_empty() && root().join(path).is_file());
    // What is not text has no lines to look at.
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap_or_default();
    let files: Vec<File> = paths.map(|path| File { path: path.to_owned(), text: read(path) }).collect();
    assert!(files.len() > 20, "git lists only {} files; these checks need a clone of the repository", files.len());
    files
});

#[test]
fn domain_reflex_learn_and_retrieve_do_no_io() {
    let crates = crates();
    assert!(crates.iter().any(|it| it.name == "domain"), "`domain` is not in the workspace");
    let pure = |name: &str| PURE.contains(&name) || PURE_DEPENDENCIES.contains(&name);
    let mut broken = Vec::new();
    for it in crates.iter().filter(|it| PURE.contains(&it.name.as_str())) {
        broken.extend(it.uses.iter().filter(|used| !pure(used)).map(|used| format!("{}: {used}", it.name)));
    }
    let worldly = ["std::fs", "std::env", "std::process", "std::thread", "TcpStream", "TcpListener", "UdpSocket"];
    broken.extend(lines(|path| PURE.iter().any(|name| in_crate(path, name)), Part::Code, says(&worldly)));
    none(broken, "move what does I/O behind a seam; a crate that only computes may be added to PURE_DEPENDENCIES");
}

#[test]
fn crates_depend_on_each_other_along_the_arrows_and_no_others() {
    let ours: Vec<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    let allowed = |table: &[(&str, &[&str])], from: &str, to: &str| {
        table.iter().any(|(name, targets)| *name == from && targets.contains(&to))
    };
    let crates = crates();
    assert!(crates.len() > 6, "cargo lists only {} crates", crates.len());
    let mut broken = Vec::new();
    for it in &crates {
        if !ours.contains(&it.name.as_str()) {
            broken.push(format!("{} is not in the drawing", it.name));
        }
        for to in it.uses.iter().chain(&it.tests_use).filter(|to| crates.iter().any(|other| other.name == **to)) {
            let in_tests = !it.uses.contains(to);
            let drawn = allowed(ARROWS, &it.name, to) || (in_tests && allowed(ARROWS_OF_TESTS, &it.name, to));
            if !drawn {
                broken.push(format!("{} -> {to}{}", it.name, if in_tests { " (in tests)" } else { "" }));
            }
        }
    }
    none(broken, "add a seam to `domain`, or let compose hand the value over; the drawing in ARCHITECTURE.md decides");
}

#[test]
fn crates_are_named_after_their_folders_and_have_no_features_and_the_lints_of_the_workspace() {
    let mut broken = Vec::new();
    for it in crates() {
        let name = it.name.as_str();
        let folder = if name == "bench" { name.to_owned() } else { format!("crates/{name}") };
        if NAMES_THAT_SAY_NOTHING.contains(&name) || ["core", "types", "shared"].contains(&name) {
            broken.push(format!("{folder}: `{name}` says nothing"));
        }
        if !it.features.is_empty() {
            broken.push(format!("{folder}: has features: {}", it.features.join(", ")));
        }
        match TREE.iter().find(|file| file.path == format!("{folder}/Cargo.toml")) {
            None => broken.push(format!("{folder}: is not where `{name}` is")),
            Some(file) if !file.text.contains("[lints]\nworkspace = true\n") => {
                broken.push(format!("{folder}: lacks `[lints] workspace = true`"));
            }
            Some(_) => {}
        }
    }
    none(broken, "packages are `agentwright-<folder>`, all of one build, under one set of lints");
}

#[test]
fn only_compose_names_concrete_models_tools_and_stores() {
    let mut broken = Vec::new();
    for name in ["llm", "tools", "store"] {
        let elsewhere = |path: &str| {
            let place = path.strip_prefix("crates/agentwright/src/").unwrap_or_default();
            !place.is_empty() && !place.starts_with("compose") && !place.starts_with("config")
        };
        // A file with a module of that name means its own.
        let own = |path: &str| {
            let declares = |file: &File| file.path == path && file.text.contains(&format!("mod {name};"));
            TREE.iter().any(declares)
        };
        broken.extend(lines(|path| elsewhere(path) && !own(path), Part::Code, |line| names_crate(line, name)));
    }
    none(broken, "let compose make it and hand it over as the seam; configuration may name types");
}

#[test]
fn only_config_reads_the_environment_and_only_main_ends_the_process() {
    let source = |path: &str| path.starts_with("crates/") && path.contains("/src/");
    let config = |path: &str| path.starts_with("crates/agentwright/src/config");
    let reads = ["env::var(", "env::vars(", "env::var_os(", "env::vars_os("];
    let mut broken = lines(|path| source(path) && !config(path), Part::Code, says(&reads));
    let main = "crates/agentwright/src/main.rs";
    broken.extend(lines(|path| source(path) && path != main, Part::Code, says(&["process::exit("])));
    none(broken, "take the value as an argument; return an error");
}

#[test]
fn only_the_server_s_errors_name_statuses() {
    // What speaks to models and to the world reads statuses; it answers nobody.
    let answers = ["domain", "store", "runtime", "server", "agentwright"];
    let elsewhere =
        |path: &str| answers.iter().any(|name| in_crate(path, name)) && !path.starts_with("crates/server/src/error");
    let broken = lines(elsewhere, Part::Code, says(&["StatusCode"]));
    none(broken, "return an error of the crate, and give it its status in crates/server/src/error.rs");
}

#[test]
fn no_task_outlives_its_owner() {
    let spawns = ["tokio::spawn", "tokio::task::spawn(", " task::spawn(", "Handle::current().spawn("];
    none(lines(is_rust, Part::Code, says(&spawns)), "use a `JoinSet` or `TaskTracker` that ends with its owner");
}

#[test]
fn prompts_live_in_one_folder_and_each_is_used_and_has_a_snapshot() {
    let folder = "crates/runtime/prompts/";
    let prompts: Vec<&str> = TREE.iter().filter_map(|file| file.path.strip_prefix(folder)).collect();
    assert!(!prompts.is_empty(), "{folder} holds no prompts");
    let runtime = |part: &'static str| {
        TREE.iter().filter(move |file| file.path.starts_with("crates/runtime/") && file.path.contains(part))
    };
    // `it__prompts__plan@adaptive.snap` is a snapshot of `plan.md`, and of no `replan.md`.
    let words = |text: &str| format!("_{}_", text.replace(|c: char| !c.is_alphanumeric(), "_"));
    let mut broken = Vec::new();
    for prompt in prompts {
        let Some(name) = prompt.strip_suffix(".md") else {
            broken.push(format!("{folder}{prompt}: is not Markdown"));
            continue;
        };
        if !runtime("/src/").any(|file| ["/", "\""].iter().any(|mark| file.text.contains(&format!("{mark}{prompt}")))) {
            broken.push(format!("{folder}{prompt}: no source of `runtime` names it"));
        }
        if !runtime("/snapshots/").any(|file| words(&file.path).contains(&words(name))) {
            broken.push(format!("{folder}{prompt}: has no snapshot called after it"));
        }
    }
    let elsewhere = |path: &str| {
        path.starts_with("crates/")
            && !path.starts_with(folder)
            // What is learned is told about beside it.
            && !path.contains("/model/")
            && (path.contains("/prompts/") || path.ends_with(".md"))
    };
    broken.extend(TREE.iter().filter(|file| elsewhere(&file.path)).map(|file| format!("{}: is elsewhere", file.path)));
    none(broken, "a prompt is a file in crates/runtime/prompts, named by the code that fills it, with a snapshot test");
}

#[test]
fn no_file_is_longer_than_400_lines() {
    // What programs write, people need not read.
    let by_hand = |file: &File| is_source(&file.path) && !file.text.starts_with("// Made by");
    let long = |file: &&File| by_hand(file) && file.text.lines().count() > 400;
    let broken = TREE.iter().filter(long).map(|file| format!("{}: {} lines", file.path, file.text.lines().count()));
    none(broken.collect(), "find the two things it is about");
}

#[test]
fn no_file_or_folder_has_a_name_that_says_nothing() {
    let said_nothing = |part: &str| {
        let stem = part.split('.').next().unwrap_or_default().to_lowercase();
        stem.split(['_', '-']).any(|word| NAMES_THAT_SAY_NOTHING.contains(&word))
    };
    let broken = TREE.iter().filter(|file| file.path.split('/').any(said_nothing)).map(|file| file.path.clone());
    none(broken.collect(), "call it after the thing it holds or the verb it does");
}

#[test]
fn nothing_is_left_for_later() {
    let reminds = |comment: &str| {
        let comment = comment.trim_start_matches(['/', '!', '*', '#', ' ']);
        ["TODO", "FIXME", "XXX"].iter().any(|marker| comment.starts_with(marker))
    };
    let hashed = |line: &str| line.split_once('#').is_some_and(|(_, comment)| reminds(comment));
    let is_hashed = |path: &str| [".py", ".toml", "Makefile"].iter().any(|ending| path.ends_with(ending));
    let mut broken = lines(|path| is_source(path) && !is_hashed(path), Part::Comment, reminds);
    broken.extend(lines(is_hashed, Part::Any, hashed));
    broken.extend(lines(is_rust, Part::Code, says(&["todo!(", "unimplemented!(", "#[ignore"])));
    none(broken, "do it now, or say in an issue what is missing");
}

#[test]
fn every_source_opens_by_saying_why_it_is_a_file() {
    let source = |path: &str| is_rust(path) && path.contains("/src/");
    let silent = |file: &&File| source(&file.path) && !file.text.starts_with("//! ");
    let broken = TREE.iter().filter(silent).map(|file| file.path.clone());
    none(broken.collect(), "begin with `//!` and a sentence or two that say why it is a file");
}

#[test]
fn every_crate_has_one_integration_binary() {
    let stray =
        |path: &str| path.split_once("/tests/").is_some_and(|(_, rest)| is_rust(rest) && !rest.starts_with("it/"));
    let broken = TREE.iter().filter(|file| file.path.starts_with("crates/") && stray(&file.path));
    none(broken.map(|file| file.path.clone()).collect(), "make it a module of tests/it/main.rs");
}

#[test]
fn the_root_holds_the_five_documents_and_no_reports() {
    let known = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
    let paths = TREE.iter().map(|file| &file.path);
    let broken = paths.filter(|path| !path.contains('/') && path.ends_with(".md") && !known.contains(&path.as_str()));
    none(broken.cloned().collect(), "put what is true into one of the five");
}

#[test]
fn no_file_knows_this_machine_or_a_registry() {
    let folders = [concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/wo", "rk/")];
    let hosts =
        [concat!("crates", ".io"), concat!("pypi", ".org"), concat!("python", "hosted.org"), concat!("npm", "js.")];
    let absolute = |line: &str| {
        let starts = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}~".contains(c));
        folders.iter().any(|folder| line.match_indices(folder).any(|(at, _)| starts(at)))
    };
    let locked = |path: &str| path.ends_with("Cargo.lock") || path.ends_with("package-lock.json");
    let broken = lines(|path| !locked(path), Part::Any, |line| absolute(line) || says(&hosts)(line));
    none(
        broken,
        "use a path relative to the repository, a temporary folder, or the default registry without its address",
    );
}

/// One of our crates, by its folder, with the names of all crates it depends on.
struct Crate {
    name: String,
    uses: Vec<String>,
    tests_use: Vec<String>,
    features: Vec<String>,
}

fn crates() -> Vec<Crate> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let short = |name: &Value| name.as_str().unwrap_or_default().trim_start_matches("agentwright-").to_owned();
    let metadata = output(env!("CARGO"), &["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).expect("cargo writes JSON");
    let read = |package: &Value| {
        let (tests, real): (Vec<_>, Vec<_>) =
            list(&package["dependencies"]).into_iter().partition(|it| it["kind"] == "dev");
        Crate {
            name: short(&package["name"]),
            uses: real.iter().map(|it| short(&it["name"])).collect(),
            tests_use: tests.iter().map(|it| short(&it["name"])).collect(),
            features: package["features"].as_object().into_iter().flat_map(|it| it.keys().cloned()).collect(),
        }
    };
    list(&metadata["packages"]).iter().map(read).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Code,
    Comment,
    Literal,
    Any,
}

/// The lines of some files of which a part has something about it, as `path:line: text`.
fn lines(of: impl Fn(&str) -> bool, part: Part, has_it: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for file in TREE.iter().filter(|file| of(&file.path)) {
        let looked_at = only(part, &file.text);
        let pairs = looked_at.lines().zip(file.text.lines()).enumerate();
        let hits = pairs.filter(|(_, (looked_at, _))| has_it(looked_at));
        found.extend(hits.map(|(at, (_, line))| format!("{}:{}: {}", file.path, at + 1, line.trim())));
    }
    found
}

/// A source with blanks in place of everything but one part.
fn only(part: Part, text: &str) -> String {
    if part == Part::Any {
        return text.to_owned();
    }
    let chars: Vec<char> = text.chars().collect();
    let (mut kept, mut at) = (String::with_capacity(text.len()), 0);
    while at < chars.len() {
        let (what, length) = piece(&chars[at..]);
        kept.extend(chars[at..at + length].iter().map(|&c| if what == part || c == '\n' { c } else { ' ' }));
        at += length;
    }
    kept
}

/// What a source goes on with, and how long that is.
fn piece(rest: &[char]) -> (Part, usize) {
    let through = |from: usize, end: &[char]| {
        let found = rest.get(from..).and_then(|rest| rest.windows(end.len()).position(|window| window == end));
        found.map_or(rest.len(), |at| from + at + end.len())
    };
    match rest {
        ['/', '/', ..] => (Part::Comment, rest.iter().position(|c| *c == '\n').unwrap_or(rest.len())),
        ['/', '*', ..] => (Part::Comment, through(2, &['*', '/'])),
        ['r', '"' | '#', ..] => {
            let hashes = rest[1..].iter().take_while(|c| **c == '#').count();
            let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
            if rest.get(1 + hashes) == Some(&'"') {
                (Part::Literal, through(2 + hashes, &end))
            } else {
                (Part::Code, 1)
            }
        }
        ['"', ..] => {
            let mut at = 1;
            while at < rest.len() && rest[at] != '"' {
                at += if rest[at] == '\\' { 2 } else { 1 };
            }
            (Part::Literal, (at + 1).min(rest.len()))
        }
        ['\'', '\\', ..] => (Part::Literal, through(3, &['\''])),
        ['\'', _, '\'', ..] => (Part::Literal, 3),
        _ => (Part::Code, 1),
    }
}

fn says(words: &[&str]) -> impl Fn(&str) -> bool {
    move |line| words.iter().any(|word| line.contains(word))
}

fn names_crate(line: &str, name: &str) -> bool {
    let path = format!("{name}::");
    line.match_indices(&path).any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c)))
}

fn in_crate(path: &str, name: &str) -> bool {
    path.strip_prefix("crates/").and_then(|path| path.strip_prefix(name)).is_some_and(|rest| rest.starts_with("/src/"))
}

fn is_rust(path: &str) -> bool {
    path.ends_with(".rs")
}

fn is_source(path: &str) -> bool {
    [".rs", ".ts", ".tsx", ".py"].iter().any(|ending| path.ends_with(ending))
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(root()).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("paths are UTF-8")
}

#[track_caller]
fn none(broken: Vec<String>, hint: &str) {
    assert!(broken.is_empty(), "\n  {}\nhint: {hint}\n", broken.join("\n  "));
}
