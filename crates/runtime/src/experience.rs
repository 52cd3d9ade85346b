//! What calling tools was like: what a planner is told about it, and how it counts when tools are chosen.

use std::collections::BTreeMap;

use domain::id::ToolName;
use domain::library::Considered;
use domain::money::Usd;
use domain::score::Score;
use domain::trace::ToolRecord;

/// How many calls say something.
const ENOUGH: u64 = 10;
/// Failures that are worth a word, as a share of the calls.
const OFTEN: f64 = 0.1;
/// What is slow, in milliseconds.
const SLOW: u64 = 5_000;
/// How much of its fit a tool can lose by what it is like: of two that fit alike the better one comes first, and what fits
/// better stays ahead.
const AT_MOST: f64 = 0.1;
/// A call at this price loses half of what a price can lose.
const DEAR: f64 = 0.01;

/// What is known about tools besides what they say about themselves.
#[derive(Debug, Default)]
pub(crate) struct Experience<'e> {
    records: BTreeMap<&'e ToolName, &'e ToolRecord>,
    prices: Option<&'e BTreeMap<ToolName, Usd>>,
}

impl<'e> Experience<'e> {
    pub(crate) fn new(records: &'e [ToolRecord], prices: &'e BTreeMap<ToolName, Usd>) -> Self {
        Self { records: records.iter().map(|record| (&record.tool, record)).collect(), prices: Some(prices) }
    }

    fn record(&self, tool: &ToolName) -> Option<&ToolRecord> {
        self.records.get(tool).copied().filter(|record| record.calls >= ENOUGH)
    }

    fn price(&self, tool: &ToolName) -> Option<f64> {
        let price = self.prices?.get(tool)?.as_dollars();
        (price > 0.0).then_some(price)
    }

    /// What is worth knowing about a tool, in a few words; nothing where it is as one expects.
    pub(crate) fn words(&self, tool: &ToolName) -> Option<String> {
        let mut said = Vec::new();
        if let Some(record) = self.record(tool) {
            let failing = record.failures as f64 / record.calls as f64;
            if failing >= OFTEN {
                said.push(format!("failed in {} of {} calls", record.failures, record.calls));
            }
            if record.p50_ms >= SLOW {
                said.push(format!("usually takes {} s", record.p50_ms / 1_000));
            }
        }
        said.extend(self.price(tool).map(|price| format!("costs ${price} a call")));
        (!said.is_empty()).then(|| said.join(", "))
    }

    /// Puts tools that fit a request in order once more: what fails, and what costs, comes after what fits as well.
    pub(crate) fn weigh(&self, tools: &mut [Considered]) {
        for tool in tools.iter_mut() {
            let Ok(name) = tool.name.parse::<ToolName>() else { continue };
            tool.score = Score::nearest(tool.score.get() * (1.0 - AT_MOST * self.drawback(&name)));
        }
        tools.sort_by(|one, other| other.score.get().total_cmp(&one.score.get()));
    }

    /// What speaks against a tool, from 0 to 1.
    fn drawback(&self, tool: &ToolName) -> f64 {
        // A few failures in the beginning are not held against it for long.
        let failing = self.record(tool).map_or(0.0, |record| record.failures as f64 / (record.calls + ENOUGH) as f64);
        let dear = self.price(tool).map_or(0.0, |price| price / (price + DEAR));
        (failing + dear).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::library::Kind;

    fn tool(name: &str) -> ToolName {
        name.parse().expect("a tool's name")
    }

    fn record(name: &str, calls: u64, failures: u64, p50_ms: u64) -> ToolRecord {
        ToolRecord { tool: tool(name), calls, failures, p50_ms, p95_ms: p50_ms }
    }

    fn considered(name: &str, score: f64) -> Considered {
        Considered { kind: Kind::Tool, name: name.into(), score: Score::nearest(score), why: String::new() }
    }

    #[test]
    fn what_is_as_one_expects_is_not_worth_a_word() {
        let records = [record("a.good", 100, 1, 20), record("a.bad", 40, 20, 9_000), record("a.new", 3, 3, 20)];
        let prices = BTreeMap::from([(tool("a.dear"), Usd::dollars(0.02))]);
        let experience = Experience::new(&records, &prices);
        assert_eq!(experience.words(&tool("a.good")), None);
        assert_eq!(experience.words(&tool("a.new")), None, "three calls say nothing");
        let bad = experience.words(&tool("a.bad"));
        assert_eq!(bad.as_deref(), Some("failed in 20 of 40 calls, usually takes 9 s"));
        assert_eq!(experience.words(&tool("a.dear")).as_deref(), Some("costs $0.02 a call"));
    }

    #[test]
    fn of_tools_that_fit_alike_the_cheap_and_reliable_one_comes_first() {
        let records = [record("a.bad", 40, 30, 20)];
        let prices = BTreeMap::from([(tool("a.dear"), Usd::dollars(0.1))]);
        let mut tools = [considered("a.dear", 0.8), considered("a.bad", 0.8), considered("a.good", 0.79)];
        Experience::new(&records, &prices).weigh(&mut tools);
        assert_eq!(tools.each_ref().map(|tool| tool.name.as_str()), ["a.good", "a.bad", "a.dear"]);
        let mut tools = [considered("a.dear", 0.9), considered("a.good", 0.7)];
        Experience::new(&records, &prices).weigh(&mut tools);
        assert_eq!(tools[0].name, "a.dear", "what fits better stays ahead");
    }
}
