//! Teaches the splitter where requests meet, on requests that were put together from single ones.
//!
//! No set of composite requests is read: `multi_hard`, `mixsnips` and `mixatis` only measure.

mod compose;
mod corpus;
mod dice;
mod learn;

use std::path::{Path, PathBuf};

use anyhow::Context;

use self::compose::Example;
use self::dice::Dice;

/// `split DATA [--without SET]... [--to FILE]`: reads the sets under `DATA` and writes weights.
pub(crate) fn train(args: &[String]) -> anyhow::Result<()> {
    let mut data = None;
    let mut without = Vec::new();
    let mut to = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../reflex/model/split.bin"));
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--without" => without.push(args.next().context("`--without` names a set")?.as_str()),
            "--to" => to = PathBuf::from(args.next().context("`--to` names a file")?),
            _ => data = Some(PathBuf::from(arg)),
        }
    }
    let data = data.context("which folder holds the data sets?")?;
    let bytes = teach(&data, &without)?;
    std::fs::write(&to, &bytes).with_context(|| format!("writing {}", to.display()))?;
    println!("wrote {} bytes to {}", bytes.len(), to.display());
    Ok(())
}

fn teach(data: &Path, without: &[&str]) -> anyhow::Result<Vec<u8>> {
    let mut dice = Dice::new(7);
    let n: usize = std::env::var("COMP").ok().and_then(|v| v.parse().ok()).unwrap_or(40_000);
    let taught = compose::examples(&corpus::read(data, "train", without)?, n, &mut dice);
    let kept = compose::examples(&corpus::read(data, "dev", without)?, COMPOSITES / 8, &mut dice);
    let singles = |examples: &[Example]| examples.iter().filter(|example| example.seams.is_empty()).count();
    println!("{} requests to learn from, {} of them single", taught.len(), singles(&taught));
    let mut learned = learn::fit(&taught, &mut dice);
    learn::calibrate(&mut learned, &kept);
    println!("{} requests to calibrate on, {} of them single", kept.len(), singles(&kept));
    Ok(learned.write())
}

const COMPOSITES: usize = 40_000;
