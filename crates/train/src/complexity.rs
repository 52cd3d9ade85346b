//! Teaches what tells requests that take several steps from those that take one.
//!
//! Hyper-parameters, calibration and thresholds come from dev parts; test parts only measure.

mod corpus;
mod learn;
mod own;

use std::path::{Path, PathBuf};

use anyhow::Context;
use reflex::complexity::{Judge, SECTION};

use crate::artefact;

pub use self::corpus::{Corpus, Example, elsewhere, shipped, taskbench};
pub use self::learn::{Lesson, Senses, fit, lessons};

/// `complexity DATA [--to FILE]`: reads the sets under `DATA` and writes what was learned, into the artefact if nothing else
/// is said.
pub fn train(args: &[String]) -> anyhow::Result<()> {
    let mut data = None;
    let mut to = None;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--to" => to = Some(PathBuf::from(args.next().context("`--to` names a file")?)),
            _ => data = Some(PathBuf::from(arg)),
        }
    }
    let data = data.context("which folder holds the data sets?")?;
    artefact::write(SECTION, teach(&data)?.write(), to)
}

/// What is shipped, learned from everything that may be.
pub fn teach(data: &Path) -> anyhow::Result<Judge> {
    Ok(learned(&shipped(data)?, Senses::All))
}

/// What a corpus teaches.
pub fn learned(corpus: &Corpus, senses: Senses) -> Judge {
    let check: Vec<Vec<Lesson>> = corpus.check.iter().map(|kind| lessons(kind)).collect();
    fit(&lessons(&corpus.learn), &check, senses)
}
