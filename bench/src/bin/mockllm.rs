//! `mockllm PORT`: a model that answers at once, for any program that speaks chat completions.

use clap::Parser;

/// An OpenAI-compatible model without a mind: `http://127.0.0.1:PORT/l0/v1`, also `lat50` and `plan6` for `l0`
#[derive(Parser)]
struct Args {
    /// Where to listen; 0 takes a free port and says which
    port: u16,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    bench::block_on(1, bench::overhead::be_the_model(args.port))?
}
