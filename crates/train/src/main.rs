//! Makes the artefact that `reflex` is compiled with, from what was distilled and from public data sets, with the figures
//! it reached.

use std::path::PathBuf;
use std::{env, fs};

use anyhow::Context;
use reflex::certificate;
use reflex::classify::Classifier;
use reflex::embed::Encoder;
use reflex::model::Artefact;
use train::{complexity, data, figures, notes, split, tune};

/// Sections that are made here; all others are kept as they are.
const OURS: [&str; 2] = ["tuning", "samples"];

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("split") => split::train(&args[1..]),
        Some("complexity") => complexity::train(&args[1..]),
        from => classifier(from),
    }
}

/// Calibrates what was distilled, and measures it.
fn classifier(from: Option<&str>) -> anyhow::Result<()> {
    let model = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../reflex/model"));
    let file = model.join("reflex.bin");
    // What was just distilled, or the artefact itself, which keeps what was distilled.
    let from = from.map_or_else(|| file.clone(), PathBuf::from);
    let folder = data::folder().context("the public sets are not there: they belong in ../shared/data")?;
    // Kept for the life of the process, which ends soon.
    let bytes: &'static [u8] =
        Box::leak(fs::read(&from).with_context(|| from.display().to_string())?.into_boxed_slice());
    let distilled = Artefact::parse(bytes)?;
    let old = fs::read(&file).unwrap_or_default();
    let mut sections: Vec<(&str, &[u8])> = distilled.sections().to_vec();
    if let Ok(old) = Artefact::parse(&old) {
        sections.extend(old.sections().iter().filter(|(name, _)| distilled.section(name).is_none()).copied());
    }
    sections.retain(|(name, _)| !OURS.contains(name));

    let encoder: &'static Encoder = Box::leak(Box::new(Encoder::read(&distilled)?));
    let bare: Vec<(&str, &[u8])> =
        distilled.sections().iter().filter(|(name, _)| !OURS.contains(name)).copied().collect();
    let bare = Artefact::write(&bare);
    let bare = Classifier::read(encoder, &Artefact::parse(&bare)?)?;
    let dev = data::read(&folder, "router6/dev")?;
    let tuning = tune::tune(&bare, &dev);
    println!("sharpness {:.3}", tuning.sharpness);
    let tuned = bare.with(tuning.clone());
    let samples = tune::samples(&tuned, &dev);
    let (tuning, samples) = (tuning.write(), certificate::write(&samples));
    sections.push(("tuning", &tuning));
    sections.push(("samples", &samples));
    let artefact = Artefact::write(&sections);
    fs::write(&file, &artefact)?;

    let mut reached = figures::all(&tuned, &folder)?;
    reached.extend(figures::own_labels(encoder, &folder)?);
    reached.push(("size of the artefact".into(), "≤ 8 MB".into(), format!("{:.2} MB", artefact.len() as f64 / 1e6)));
    reached.iter().for_each(|(what, wanted, got)| println!("{what}: {got} (wanted {wanted})"));
    fs::write(model.join("README.md"), notes::notes(&reached))?;
    Ok(())
}
