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
mod log;
mod lookup;
#[doc(hidden)]
pub mod print;
#[doc(hidden)]
pub mod progress;
mod sheet;

use std::process::ExitCode;

use clap::Parser;

use commands::Begun;
use config::Surroundings;
use exit::Exit;
use print::Screen;

/// The program: reads the command line, does what it says, and ends with the code that belongs to how it went.
pub fn main() -> ExitCode {
    let cli = args::Cli::parse();
    let surroundings = Surroundings::of_process();
    let colour = surroundings.as_ref().is_ok_and(Surroundings::colour_is_welcome) && !cli.global.no_color;
    let screen = Screen::of_process(cli.global.output, colour);
    let done = surroundings.map_err(anyhow::Error::from).and_then(|surroundings| {
        let begun = Begun::of(&cli, surroundings);
        let wanted = begun.loaded.as_ref().map(|loaded| loaded.config.log.clone()).unwrap_or_default();
        log::begin(&wanted, cli.global.verbose, begun.surroundings.learning_log());
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let done = runtime.block_on(commands::carry_out(cli, begun, screen));
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
