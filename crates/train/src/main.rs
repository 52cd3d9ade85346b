//! Makes the artefact that `reflex` is compiled with, from public data sets, with the figures it reached.

mod split;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("split") => split::train(&args[1..]),
        _ => Ok(()),
    }
}
