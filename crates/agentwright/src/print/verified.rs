//! What was proved about a plan, gravest first, and how much it can use.

use domain::finding::{Bounds, Extent, Finding, Weight};
use serde::Serialize;

use super::Ink;
use super::text::{count, tame};

/// What `plan check` shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerifiedPage {
    /// Whether it can be carried out.
    pub valid: bool,
    /// What was found.
    pub findings: Vec<Finding>,
    /// What it can use; absent where it is no plan.
    pub bounds: Option<Bounds>,
}

/// The page in words.
pub fn page(page: &VerifiedPage, ink: Ink) -> String {
    let number = count(page.findings.len(), "finding");
    let mut text = match (page.valid, page.findings.is_empty()) {
        (true, true) => format!("{} the plan can be carried out\n", ink.good("ok:")),
        (true, false) => format!("{} the plan can be carried out, with {number}\n", ink.good("ok:")),
        (false, _) => format!("{} {number}\n", ink.bad("not valid:")),
    };
    let groups = [
        (Weight::Fatal, "this keeps it from being carried out:"),
        (Weight::Approval, "a person has to agree:"),
        (Weight::Notice, "worth knowing:"),
    ];
    for (weight, title) in groups {
        let mut findings = page.findings.iter().filter(|finding| finding.weight == weight).peekable();
        if findings.peek().is_some() {
            text.push_str(&format!("{title}\n"));
            findings.for_each(|finding| text.push_str(&format!("- {}\n", tame(&finding.to_string()))));
        }
    }
    if let Some(bounds) = &page.bounds {
        text.push_str(&format!("{}\n", ink.faint(&used(bounds))));
    }
    text
}

/// How much it can use, in a sentence.
fn used(bounds: &Bounds) -> String {
    let extent = |extent: &Extent<u64>, noun: &str| match (extent.least, extent.most) {
        (least, most) if least == most => count(usize::try_from(most).unwrap_or(usize::MAX), noun),
        (least, most) => format!("{least} to {most} {noun}s"),
    };
    let money = bounds.usd.map_or(String::new(), |usd| format!(", {} to {}", usd.least, usd.most));
    let path = usize::try_from(bounds.critical_path).unwrap_or(usize::MAX);
    format!(
        "it takes {} and {}{money}; the longest chain has {} and takes {} s at most",
        extent(&bounds.tool_calls, "tool call"),
        extent(&bounds.model_calls, "model call"),
        count(path, "step"),
        bounds.seconds,
    )
}
