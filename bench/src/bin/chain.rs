//! `chain`: processor time of everything between a request and its plan, over a model that answers at once.

use bench::chain::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    bench::block_on(1, async move { chain::print(&args).await })?
}
