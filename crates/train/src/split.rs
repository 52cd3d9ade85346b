//! Teaches the splitter where requests meet, on requests that were put together from single ones.
//!
//! No set of composite requests is read: `multi_hard`, `mixsnips`, `mixatis` and `ultratool` only measure.

mod calibrate;
pub(crate) mod compose;
pub(crate) mod corpus;
pub(crate) mod dice;
mod learn;
pub(crate) mod own;

use std::path::{Path, PathBuf};

use anyhow::Context;

use self::calibrate::Scores;
use self::compose::Example;
use self::corpus::Set;
use self::dice::Dice;
use crate::artefact;

/// Where the weights are in the artefact.
const SECTION: &str = "split";

/// `split DATA [--without SET]... [--to FILE]`: reads the sets under `DATA` and writes weights, into the artefact if nothing else
/// is said.
pub fn train(args: &[String]) -> anyhow::Result<()> {
    let mut data = None;
    let mut without = Vec::new();
    let mut to = None;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--without" => without.push(args.next().context("`--without` names a set")?.as_str()),
            "--to" => to = Some(PathBuf::from(args.next().context("`--to` names a file")?)),
            _ => data = Some(PathBuf::from(arg)),
        }
    }
    let data = data.context("which folder holds the data sets?")?;
    artefact::write(SECTION, teach(&data, &without)?, to)
}

/// What is shipped learned from everything; the threshold comes from others that each left a part out, so that it is set on
/// requests which were not learned from.
fn teach(data: &Path, without: &[&str]) -> anyhow::Result<Vec<u8>> {
    let mut dice = Dice::new(7);
    let sets = corpus::read(data, without)?;
    let mut scores = Scores::default();
    for fold in 0..FOLDS {
        let (left_out, kept): (Vec<Set>, Vec<Set>) = sets.iter().map(|set| set.part(fold, FOLDS)).unzip();
        let learned = learn::fit(&lessons(&kept, &mut dice), &mut dice);
        scores.add(&learned, &compose::examples(&left_out, COMPOSITES / 8, &mut dice))?;
    }
    let mut learned = learn::fit(&lessons(&sets, &mut dice), &mut dice);
    scores.calibrate(&mut learned);
    Ok(learned.write())
}

fn lessons(sets: &[Set], dice: &mut Dice) -> Vec<Vec<Example>> {
    let mut sets = sets.to_vec();
    let mut lessons = Vec::new();
    for _ in 0..learn::MEMBERS {
        sets.push(Set { name: "own", texts: own::singles(2000, dice) });
        let mut lesson = compose::examples(&sets, COMPOSITES, dice);
        lesson.extend(own::with_conjunction(1500, dice).into_iter().map(Example::single));
        lessons.push(lesson);
        sets.pop();
    }
    lessons
}

const COMPOSITES: usize = 40_000;
const FOLDS: u64 = 4;
