//! Single requests from the sets whose licence allows that what is learned from them is shipped.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

/// The single requests of one set.
pub(super) struct Set {
    pub(super) name: &'static str,
    pub(super) texts: Vec<String>,
}

/// CC BY 3.0, CC BY 4.0, CC BY 4.0, CC0, CC BY 4.0.
const SETS: &[&str] = &["clinc150", "hwu64", "banking77", "snips", "home_assistant"];

#[derive(Deserialize)]
struct Row {
    text: String,
}

/// Reads one part (`train` or `dev`) of every set but those named.
pub(super) fn read(data: &Path, part: &str, without: &[&str]) -> anyhow::Result<Vec<Set>> {
    let mut sets = Vec::new();
    for name in SETS.iter().filter(|name| !without.contains(name)) {
        let path = data.join(name).join(format!("{part}.jsonl"));
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let mut texts = Vec::new();
        for line in text.lines() {
            let row: Row = serde_json::from_str(line).with_context(|| format!("reading {}", path.display()))?;
            if let Some(fold) = std::env::var("FOLD").ok().and_then(|f| f.parse::<u64>().ok()) { let h = row.text.bytes().filter(u8::is_ascii_alphanumeric).fold(7_u64, |h, b| h.wrapping_mul(31).wrapping_add(b as u64)); if h % 3 == fold { continue; } }
            texts.push(row.text);
        }
        sets.push(Set { name, texts });
    }
    Ok(sets)
}
