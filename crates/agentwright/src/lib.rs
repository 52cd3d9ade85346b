//! Agentwright as a library: what the program `agentwright` is made of, for those who build on it.
//!
//! [`config::load`] reads what the user wants; [`compose`] turns it into a store, tools and models that fit together and
//! carries runs on. Everything else is the program itself, which [`main`] is.

#[doc(hidden)]
pub mod args;
mod commands;
pub mod compose;
pub mod config;
mod drive;
pub mod exit;
mod lookup;
#[doc(hidden)]
pub mod print;
#[doc(hidden)]
pub mod progress;
mod sheet;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;

use config::Surroundings;
use exit::Exit;
use print::Screen;

/// The program: reads the command line, does what it says, and ends with the code that belongs to how it went.
pub fn main() -> ExitCode {
    let cli = args::Cli::parse();
    let surroundings = Surroundings::of_process();
    log(cli.global.verbose, surroundings.as_ref().ok().and_then(Surroundings::learning_log));
    let colour = surroundings.as_ref().is_ok_and(Surroundings::colour_is_welcome) && !cli.global.no_color;
    let screen = Screen::of_process(cli.global.output, colour);
    let done = surroundings.map_err(anyhow::Error::from).and_then(|surroundings| {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let done = runtime.block_on(commands::carry_out(cli, surroundings, screen));
        // A thread that waits for a line nobody types must not keep us.
        runtime.shutdown_background();
        done
    });
    let exit = done.unwrap_or_else(|error| {
        eprint!("{}", exit::words(&error, screen.ink_on_stderr));
        Exit::of_error(&error)
    });
    exit.into()
}

fn log(verbose: u8, learning: Option<&str>) {
    let filter = match verbose {
        // Where notifications go to the log, somebody must listen to them.
        // What goes wrong with MCP servers is said where it is handled.
        0 => "error,rmcp=off,tools::builtin::notification_send=info",
        1 => "warn,rmcp=off,agentwright=info,server=info,runtime=info,store=info,llm=info,tools=info",
        _ => "info,agentwright=debug,server=debug,runtime=debug,store=debug,llm=debug,tools=debug",
    };
    let filter = learning.map_or_else(|| filter.to_owned(), |level| format!("{filter},runtime::learning={level}"));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(filter))
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    // A program that depends on us may have its own.
    let _ = subscriber.try_init();
}
