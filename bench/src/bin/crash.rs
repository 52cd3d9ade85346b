//! `crash`: kills Agentwright while it works, and looks whether anything was lost, done twice or passed over.

use bench::crash::{self, victim};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true, about = "Kills Agentwright while it works, and looks what is left")]
struct Command {
    #[command(subcommand)]
    role: Option<Role>,
    #[command(flatten)]
    args: crash::Args,
}

#[derive(Subcommand)]
enum Role {
    /// Be the process that is killed
    #[command(hide = true)]
    Victim(victim::Args),
}

fn main() -> anyhow::Result<()> {
    let command = Command::parse();
    match command.role {
        Some(Role::Victim(args)) => bench::block_on(2, victim::live(&args))?,
        None => bench::block_on(2, watch(command.args))?,
    }
}

async fn watch(args: crash::Args) -> anyhow::Result<()> {
    let outcome = crash::run(&args, &std::env::current_exe()?).await?;
    for violation in outcome.violations.iter().take(50) {
        println!("VIOLATION {violation}");
    }
    let summary = &outcome.summary;
    println!(
        "{} kills, {} runs accepted: {} lost, {} taken up again, {} writes carried out twice, {} violations",
        summary["kills"],
        summary["acknowledged"],
        summary["lost"],
        summary["resumed"],
        summary["carried_out_twice"],
        summary["violations"]
    );
    println!("intents: {}", summary["intents"]);
    println!("{summary}");
    anyhow::ensure!(outcome.violations.is_empty(), "{} violations", outcome.violations.len());
    Ok(())
}
