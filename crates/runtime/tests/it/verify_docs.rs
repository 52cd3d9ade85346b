//! `docs/verifier.md` explains every finding there is, with examples that have them.

use std::collections::BTreeMap;

use domain::finding::Code;
use serde_json::Value;

use crate::verify::{Circumstances, checked};

const DOCS: &str = include_str!("../../../../docs/verifier.md");

/// One section: its code and its fenced blocks, each with what stands behind the fence.
struct Section {
    code: String,
    blocks: BTreeMap<String, String>,
}

fn sections() -> Vec<Section> {
    let parts = DOCS.split("\n### ").skip(1);
    parts
        .map(|part| {
            let part = part.split("\n## ").next().unwrap_or_default();
            Section { code: part.lines().next().unwrap_or_default().to_owned(), blocks: blocks(part) }
        })
        .collect()
}

fn blocks(text: &str) -> BTreeMap<String, String> {
    let mut blocks = BTreeMap::new();
    let mut parts = text.split("```").skip(1);
    while let (Some(block), _) = (parts.next(), parts.next()) {
        let (kind, text) = block.split_once('\n').unwrap_or_default();
        blocks.insert(kind.to_owned(), text.trim_end().to_owned());
    }
    blocks
}

/// The tools of the examples.
pub(crate) fn tools() -> Value {
    serde_json::from_str(&blocks(DOCS)["json tools"]).expect("tools")
}

impl Section {
    fn plan(&self) -> Value {
        let json = |text: &String| serde_json::from_str(text).expect("json");
        match self.blocks.get("json repeated 101") {
            Some(step) => vec![json(step); 101].into(),
            None => json(&self.blocks["json"]),
        }
    }

    fn given(&self) -> Circumstances {
        self.blocks
            .get("json given")
            .map_or_else(Circumstances::default, |given| serde_json::from_str(given).expect("circumstances"))
    }
}

#[test]
fn the_document_lists_exactly_the_codes_there_are() {
    let explained: Vec<String> = sections().into_iter().map(|section| section.code).collect();
    assert_eq!(explained, Code::ALL.map(|code| code.to_string()));
    for code in Code::ALL {
        let weight = format!("{:?}", code.weight()).to_lowercase();
        let row = format!("| [{code}](#{}) | {} | {weight} |", code.to_string().to_lowercase(), code.title());
        assert!(DOCS.contains(&row), "no row: {row}");
    }
}

#[test]
fn every_example_has_exactly_the_finding_it_is_an_example_of() {
    let mut wrong = BTreeMap::new();
    for section in sections() {
        let findings = checked(&section.plan(), &section.given());
        let said: Vec<String> = findings.iter().map(ToString::to_string).collect();
        let only = !findings.is_empty() && findings.iter().all(|finding| finding.code == section.code);
        if !only || section.blocks["text"] != said.join("\n") {
            wrong.insert(section.code, said.join("\n"));
        }
    }
    assert!(wrong.is_empty(), "not as printed: {}", serde_json::to_string(&wrong).expect("json"));
}
