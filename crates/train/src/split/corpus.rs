//! Single requests from the sets whose licence allows that what is learned from them is shipped.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

/// The single requests of one set.
#[derive(Clone)]
pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) texts: Vec<String>,
}

/// CC BY 3.0, CC BY 4.0, CC BY 4.0, CC0, CC BY 4.0.
const SETS: &[&str] = &["clinc150", "hwu64", "banking77", "snips", "home_assistant"];

impl Set {
    /// One of `of` parts, and the rest. Requests that read the same stay together.
    pub(crate) fn part(&self, part: u64, of: u64) -> (Set, Set) {
        let bytes = |text: &String| text.bytes().filter(u8::is_ascii_alphanumeric).collect::<Vec<u8>>();
        let mixed = |hash: u64, byte: u8| hash.wrapping_mul(31).wrapping_add(u64::from(byte));
        let chosen = |text: &String| bytes(text).into_iter().fold(7, mixed) % of == part;
        let (chosen, rest) = self.texts.iter().cloned().partition(chosen);
        (Set { name: self.name, texts: chosen }, Set { name: self.name, texts: rest })
    }
}

#[derive(Deserialize)]
struct Row {
    text: String,
}

/// Reads what may be learned from (`train` and `dev`) of every set but those named.
pub(crate) fn read(data: &Path, without: &[&str]) -> anyhow::Result<Vec<Set>> {
    let mut sets = Vec::new();
    for name in SETS.iter().filter(|name| !without.contains(name)) {
        let mut texts = Vec::new();
        for part in ["train.jsonl", "dev.jsonl"] {
            let path = data.join(name).join(part);
            let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            for line in text.lines() {
                let row: Row = serde_json::from_str(line).with_context(|| format!("reading {}", path.display()))?;
                texts.push(row.text);
            }
        }
        sets.push(Set { name, texts });
    }
    Ok(sets)
}
