//! Rules of the architecture that are a matter of who calls whom.

use std::path::{Path, PathBuf};

/// The sources of the crate that contain a call, by their names; the suite for other dispatchers plays a runtime itself.
fn calling(call: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("conformance") {
                folders.push(path);
            } else if path.is_file() && std::fs::read_to_string(&path).expect("a source").contains(call) {
                found.push(path.file_name().expect("a name").to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_ledger_has_one_writer() {
    assert_eq!(calling(".commit("), ["record.rs"]);
}

#[test]
fn tools_are_called_in_one_place_to_read_and_in_one_to_write() {
    assert_eq!(calling("tool.call("), ["settle.rs", "work.rs"]);
}

#[test]
fn models_are_asked_in_one_place_for_runs_and_in_one_to_word_what_was_learnt() {
    assert_eq!(calling("chat.reply("), ["reword.rs", "work.rs"]);
}
