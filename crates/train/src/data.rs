//! The public sets, read where they are. Nothing of them is copied.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Deserialize;

/// A sentence of a set. Sets have more fields than these, and not all have these.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Row {
    /// What was said.
    pub text: String,
    /// The set's own label.
    #[serde(default)]
    pub label: String,
    /// One of ours, where the set is mapped on them.
    #[serde(default)]
    pub role: String,
    /// Where router6 has it from.
    #[serde(default)]
    pub source: String,
    /// Whether people could disagree on the role of its label.
    #[serde(default)]
    pub ambiguous: bool,
}

impl Row {
    /// Whether it is outside everything, not only outside our roles.
    pub fn out_of_scope(&self) -> bool {
        self.label == "oos"
    }
}

/// Where the sets are: beside the workspace, in `shared/data`. Nothing where there are none.
pub fn folder() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = workspace.join("../shared/data");
    folder.is_dir().then_some(folder)
}

/// A part of a set, such as `router6/dev`.
pub fn read(folder: &Path, part: &str) -> anyhow::Result<Vec<Row>> {
    let path = folder.join(format!("{part}.jsonl"));
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).with_context(|| format!("a row of {}", path.display())))
        .collect()
}
