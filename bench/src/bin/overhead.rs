//! `overhead`: processor time and memory of a conversation, ledger on disk. Also a contestant of the comparison with
//! agent frameworks.

use bench::overhead::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let workers = args.workers;
    bench::block_on(workers, async move {
        match (args.mock, &args.base) {
            (Some(port), _) => overhead::be_the_model(port).await?,
            (None, Some(base)) => {
                let measured = overhead::measure(&args, base).await?;
                println!("{}", measured.json());
                anyhow::ensure!(measured.bad == 0, "{} of {} conversations went wrong", measured.bad, measured.runs);
            }
            (None, None) => println!("{}", overhead::table(&std::env::current_exe()?).await?),
        }
        Ok(())
    })?
}
