//! Where what was learned is written: a section of the artefact that the program is compiled with, or a file of its own.

use std::path::PathBuf;

use anyhow::Context;
use reflex::model::Artefact;

/// Writes a section into the artefact in the place of the one it had, or by itself to another file.
pub(crate) fn write(section: &str, bytes: Vec<u8>, to: Option<PathBuf>) -> anyhow::Result<()> {
    let (to, whole) = match to {
        Some(to) => (to, bytes),
        None => with(section, &bytes)?,
    };
    std::fs::write(&to, &whole).with_context(|| format!("writing {}", to.display()))?;
    println!("wrote {} bytes to {}", whole.len(), to.display());
    Ok(())
}

fn with(section: &str, bytes: &[u8]) -> anyhow::Result<(PathBuf, Vec<u8>)> {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../reflex/model/reflex.bin"));
    let old = std::fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
    let old = Artefact::parse(&old)?;
    let others = old.sections().iter().filter(|(name, _)| *name != section).copied();
    let sections: Vec<(&str, &[u8])> = others.chain([(section, bytes)]).collect();
    Ok((file, Artefact::write(&sections)))
}
