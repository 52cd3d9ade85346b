//! One file per command. Each reads its arguments, makes one call, and prints.

mod approvals;
mod audit;
mod carry;
mod chat;
mod compare;
mod config;
mod doctor;
mod eval;
mod init;
mod keys;
mod learn;
mod library;
mod mcp;
mod people;
mod pin;
mod plan;
mod replay;
mod resume;
mod review;
mod route;
mod run;
mod runs;
mod serve;
mod shortlist;
mod tools;
mod traces;
mod work;

use std::sync::{Arc, Mutex};

use clap::CommandFactory;
use domain::library::Kind;
use indicatif::MultiProgress;

use crate::args::{Cli, Command, EvalCommand};
use crate::compose::{self, Crew, Host, Parts};
use crate::config::{self as configuration, Flags, Loaded, Surroundings};
use crate::exit::Exit;
use crate::print::{self, Screen};
use crate::progress::{self, Notices};

pub(crate) use init::keep_out_of_git;
pub(crate) use route::{Calibration, Summary};
pub(crate) use traces::{Imported, Refused};

/// Where a command finds itself: what is configured, and how results are written.
pub(crate) struct Here {
    pub(crate) loaded: Loaded,
    pub(crate) flags: Flags,
    pub(crate) screen: Screen,
    /// What moves on the terminal: whoever writes there writes around it.
    pub(crate) bars: MultiProgress,
}

impl Here {
    /// Everything that runs are carried out with; those that bring processes down get one of their own.
    pub(crate) async fn parts(&self) -> anyhow::Result<Parts> {
        let notices = Arc::new(Mutex::new(Notices(self.bars.clone())));
        let host = Host { notices, isolate: compose::in_child(&self.loaded), ..Host::default() };
        compose::parts(&self.loaded, Crew::Live, host).await
    }
}

/// Does what was typed.
pub(crate) async fn carry_out(cli: Cli, surroundings: Surroundings, screen: Screen) -> anyhow::Result<Exit> {
    // These must work where the configuration does not.
    match &cli.command {
        Command::Completion { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "agentwright", &mut script);
            print::write(&String::from_utf8_lossy(&script))?;
            return Ok(Exit::Done);
        }
        Command::Init => return init::init(&surroundings),
        _ => {}
    }
    let flags = Flags { config: cli.global.config.clone(), database: cli.global.database.clone(), ..Flags::default() };
    let loaded = configuration::load(surroundings, &flags);
    if matches!(cli.command, Command::Doctor) {
        return doctor::doctor(loaded, screen).await;
    }
    let here = Here { loaded: loaded?, flags, screen, bars: progress::bars() };
    match cli.command {
        Command::Run(args) => run::run(&here, args).await,
        Command::Chat(args) => chat::chat(&here, args).await,
        Command::Config(command) => config::config(&here, command),
        Command::Runs(command) => runs::runs(&here, command).await,
        Command::Plan(command) => plan::plan(&here, command).await,
        Command::Approvals(args) => approvals::approvals(&here, args).await,
        Command::Route(command) => route::route(&here, command).await,
        Command::Tools(command) => tools::tools(&here, command).await,
        Command::Mcp(command) => mcp::mcp(&here, command).await,
        Command::Agents(command) => library::library(&here, Kind::Agent, command).await,
        Command::Cohorts(command) => library::library(&here, Kind::Cohort, command).await,
        Command::Skills(command) => library::skills(&here, command).await,
        Command::Learn(command) => learn::learn(&here, command).await,
        Command::Traces(command) => traces::traces(&here, command).await,
        Command::Eval(EvalCommand::Run(args)) => eval::run(&here, args).await,
        Command::Compare(args) => compare::compare(&here, args).await,
        Command::Serve(args) => serve::serve(&here, args).await,
        Command::Keys(command) => keys::keys(&here, command).await,
        Command::People(command) => people::people(&here, command).await,
        Command::Audit(command) => audit::audit(&here, command).await,
        Command::Advance { run } => work::advance(&here, &run).await,
        Command::Work { watch } => work::work(&here, watch).await,
        Command::Init | Command::Doctor | Command::Completion { .. } => Ok(Exit::Done),
    }
}
