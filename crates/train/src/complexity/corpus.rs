//! Requests whose shape is known: public ones, ones sewn from public ones, and our own.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use super::own;
use crate::split::compose;
use crate::split::corpus::{self as singles, Set};
use crate::split::dice::Dice;
use crate::split::own as household;

/// A request, and whether it takes several steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The request.
    pub text: String,
    /// Whether it takes several steps.
    pub several: bool,
    /// How much it counts.
    pub weight: f32,
}

/// What is learned from, and what settings are checked on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Corpus {
    /// Learned from.
    pub learn: Vec<Example>,
    /// Held back for settings: requests to tools, and those of a household. What is promised holds on each.
    pub check: [Vec<Example>; 2],
}

/// Fields of the sets that say what shape a request has.
#[derive(Debug, Deserialize)]
struct Row {
    text: String,
    #[serde(rename = "type", default)]
    shape: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    category: String,
    #[serde(default)]
    n_calls: usize,
    #[serde(default)]
    n_intents: usize,
    #[serde(default)]
    multi: bool,
}

/// A part of TaskBench: `train`, `dev` or `test`.
pub fn taskbench(data: &Path, part: &str) -> anyhow::Result<Vec<Example>> {
    Ok(rows(data, &format!("taskbench/{part}"))?
        .into_iter()
        .map(|row| example(row.text, row.shape != "single"))
        .collect())
}

/// Everything whose licence lets what is learned from it be shipped.
pub fn shipped(data: &Path) -> anyhow::Result<Corpus> {
    let mut dice = Dice::new(5);
    let (mut learn, mut tools) = (taskbench(data, "train")?, taskbench(data, "dev")?);
    for (part, into) in [("train", &mut learn), ("dev", &mut tools)] {
        into.extend(weighted(metatool(data, part, &mut dice)?, OTHERS));
        into.extend(weighted(bfcl(data, part)?, OTHERS));
    }
    let sets = singles::read(data, &[])?;
    let (left_out, kept): (Vec<Set>, Vec<Set>) = sets.iter().map(|set| set.part(0, HELD_BACK)).unzip();
    learn.extend(weighted(at_home(&kept, HOUSEHOLD, &mut dice), OTHERS));
    let household = weighted(at_home(&left_out, HOUSEHOLD / 4, &mut dice), OTHERS).collect();
    learn.extend(own::examples(OWN, &mut dice));
    Ok(Corpus { learn, check: [tools, household] })
}

/// Nothing of TaskBench, but all other sets that know one from several, whatever their licence: to measure with, not to ship.
pub fn elsewhere(data: &Path) -> anyhow::Result<Corpus> {
    let mut dice = Dice::new(5);
    let (mut learn, mut check) = (Vec::new(), [Vec::new(), Vec::new()]);
    for part in ["train", "dev"] {
        let mut tools: Vec<Example> =
            rows(data, &format!("ultratool/{part}"))?.into_iter().map(|row| example(row.text, true)).collect();
        tools.extend(metatool(data, part, &mut dice)?);
        tools.extend(bfcl(data, part)?);
        let mut household = Vec::new();
        for set in ["multi_hard", "mixatis", "mixsnips"] {
            let rows = rows(data, &format!("{set}/{part}"))?.into_iter();
            household.extend(rows.map(|row| example(row.text, row.multi || row.n_intents > 1)));
        }
        let single = rows(data, &format!("router6/{part}"))?.into_iter().map(|row| example(row.text, false));
        household.extend(single.filter(|_| dice.chance(20)));
        if part == "train" {
            learn.extend(tools.into_iter().chain(household));
        } else {
            check = [tools, household];
        }
    }
    Ok(Corpus { learn, check })
}

/// How much a request counts that is not from TaskBench, so that its many relations do not drown it.
const OTHERS: f32 = 0.15;
/// Requests of the household that are learned from, half of them for several things.
const HOUSEHOLD: usize = 8000;
/// One in so many requests is held back.
const HELD_BACK: u64 = 8;
/// Sentences of our own.
const OWN: usize = 5000;

fn example(text: String, several: bool) -> Example {
    Example { text, several, weight: 1.0 }
}

fn weighted(examples: Vec<Example>, weight: f32) -> impl Iterator<Item = Example> {
    examples.into_iter().map(move |example| Example { weight, ..example })
}

/// One tool or two, though most are one: a quarter of those is enough.
fn metatool(data: &Path, part: &str, dice: &mut Dice) -> anyhow::Result<Vec<Example>> {
    let examples =
        rows(data, &format!("metatool/{part}"))?.into_iter().map(|row| example(row.text, row.kind == "multi"));
    Ok(examples.filter(|example| example.several || dice.chance(25)).collect())
}

/// One call or calls of several functions. The same function twice is neither here nor there, and no call is no request.
fn bfcl(data: &Path, part: &str) -> anyhow::Result<Vec<Example>> {
    let clear = |row: &Row| row.n_calls == 1 || row.n_calls > 1 && row.category.contains("multiple");
    let rows = rows(data, &format!("bfcl/{part}"))?.into_iter().filter(clear);
    Ok(rows.map(|row| example(row.text, row.n_calls > 1)).collect())
}

/// What a household says: singles as they are, some with a conjunction, and several sewn together.
fn at_home(sets: &[Set], count: usize, dice: &mut Dice) -> Vec<Example> {
    let mut sets = sets.to_vec();
    sets.push(Set { name: "own", texts: household::singles(count / 4, dice) });
    let all = compose::examples(&sets, count / 2, dice);
    let (several, mut one): (Vec<_>, Vec<_>) = all.into_iter().partition(|example| !example.seams.is_empty());
    dice.shuffle(&mut one);
    let one = one.into_iter().take(count / 2).chain(several);
    let mut examples: Vec<Example> = one.map(|found| example(found.text, !found.seams.is_empty())).collect();
    examples.extend(household::with_conjunction(count / 8, dice).into_iter().map(|text| example(text, false)));
    examples
}

fn rows(data: &Path, part: &str) -> anyhow::Result<Vec<Row>> {
    let path = data.join(format!("{part}.jsonl"));
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).with_context(|| format!("a row of {}", path.display()))).collect()
}
