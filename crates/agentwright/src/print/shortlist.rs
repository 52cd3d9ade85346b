//! The tools that planners get to see, and how good that choice was.

use domain::id::{RunId, ToolName};
use domain::library::Considered;
use serde::Serialize;

use super::Ink;
use super::items::found;
use super::text::count;

/// How good shortlists were.
#[derive(Debug, Default, Serialize)]
pub struct ShortlistPage {
    /// How many runs were looked at.
    pub read: usize,
    /// In how many of them a planner saw a shortlist.
    pub runs: usize,
    /// About how many tokens were left out of one prompt of each.
    pub tokens_saved: u64,
    /// How many tools their plans use.
    pub wanted: usize,
    /// How many of these were on the list.
    pub on_list: usize,
    /// Those that were not.
    pub misses: Vec<Miss>,
}

/// A tool that a plan uses and that was not on the list.
#[derive(Debug, Clone, Serialize)]
pub struct Miss {
    /// In which run.
    pub run: RunId,
    /// Which tool.
    pub tool: ToolName,
}

/// The figures as text.
pub fn page(page: &ShortlistPage, ink: Ink) -> String {
    let of = count(page.read, "run");
    if page.runs == 0 {
        return format!("no planner saw a shortlist in the last {of}: `planning.shortlist` tools are shown at once\n");
    }
    let mut text = format!("{} of the last {of} had a shortlist\n", page.runs);
    text.push_str(&format!("about {} tokens were left out, counting one prompt a run\n", page.tokens_saved));
    if page.wanted > 0 {
        let rate = 100.0 * page.on_list as f64 / page.wanted as f64;
        let (on_list, wanted) = (page.on_list, count(page.wanted, "tool"));
        text.push_str(&format!("{on_list} of {wanted} in their plans were on the list: {rate:.1} %\n"));
    }
    for miss in &page.misses {
        text.push_str(&format!("{} {} in {}\n", ink.bad("missed"), miss.tool, miss.run));
    }
    text
}

/// What a planner would see first.
pub fn tools(tools: &[Considered], of: usize, most: usize, ink: Ink) -> String {
    let all = match of <= most {
        true => format!("a planner would see all {of} tools; these fit best\n\n"),
        false => format!("a planner would see {} of {of} tools\n\n", tools.len()),
    };
    all + &found(tools, ink)
}
