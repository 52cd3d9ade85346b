//! `fsync`: counts the flushes between each acknowledgement and the writes it acknowledges.

use bench::fsync::{self, Accept, Args};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    args_conflicts_with_subcommands = true,
    about = "Counts the flushes before each acknowledgement, under strace"
)]
struct Command {
    #[command(subcommand)]
    role: Option<Role>,
    #[command(flatten)]
    args: Args,
}

#[derive(Subcommand)]
enum Role {
    /// Be the process that is traced
    #[command(hide = true)]
    Accept(Accept),
}

fn main() -> anyhow::Result<()> {
    let command = Command::parse();
    match command.role {
        Some(Role::Accept(args)) => bench::block_on(1, fsync::accept(&args))?,
        None => bench::block_on(1, watch(command.args))?,
    }
}

async fn watch(args: Args) -> anyhow::Result<()> {
    let counted = fsync::run(&args, &std::env::current_exe()?).await?;
    println!(
        "{} acknowledgements, {} flushes of the log: {} acknowledged before the flush, {} without a write",
        counted["acknowledged"], counted["flushes"], counted["without_flush"], counted["without_write"]
    );
    println!("{counted}");
    anyhow::ensure!(
        counted["without_flush"] == 0 && counted["without_write"] == 0,
        "an acknowledgement was not durable"
    );
    Ok(())
}
