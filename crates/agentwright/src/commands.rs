//! One file per command. Each reads its arguments, makes one call, and prints.

mod approvals;
mod audit;
mod backup;
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

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::CommandFactory;
use domain::library::Kind;
use futures::future::join_all;
use indicatif::MultiProgress;

use crate::args::{Cli, Command, EvalCommand, Global};
use crate::compose::telemetry::Outbox;
use crate::compose::{self, Crew, Host, Parts};
use crate::config::{self as configuration, ConfigError, Flags, Loaded, Surroundings};
use crate::exit::Exit;
use crate::print::{self, Screen};
use crate::progress::{self, Notices};

pub(crate) use init::keep_out_of_git;
pub(crate) use route::{Calibration, Summary};
pub(crate) use traces::{Imported, Refused};

/// How long a command waits at its end for spans to be sent.
const FAREWELL: Duration = Duration::from_secs(3);

/// What is known before a command begins.
pub(crate) struct Begun {
    pub(crate) surroundings: Surroundings,
    pub(crate) flags: Flags,
    pub(crate) loaded: Result<Loaded, ConfigError>,
}

impl Begun {
    /// Reads the configuration that a command line wants.
    pub(crate) fn of(cli: &Cli, surroundings: Surroundings) -> Self {
        let Global { config, database, .. } = &cli.global;
        let flags = Flags { config: config.clone(), database: database.clone(), ..Flags::default() };
        let loaded = configuration::load(surroundings.clone(), &flags);
        Self { surroundings, flags, loaded }
    }
}

/// Where a command finds itself: what is configured, and how results are written.
pub(crate) struct Here {
    pub(crate) loaded: Loaded,
    pub(crate) flags: Flags,
    pub(crate) screen: Screen,
    /// What moves on the terminal: whoever writes there writes around it.
    pub(crate) bars: MultiProgress,
    /// What still has to be told of runs before the process may end.
    outboxes: Mutex<Vec<Arc<Outbox>>>,
}

impl Here {
    /// Everything that runs are carried out with; those that bring processes down get one of their own.
    pub(crate) async fn parts(&self) -> anyhow::Result<Parts> {
        let notices = Arc::new(Mutex::new(Notices(self.bars.clone())));
        let host = Host { notices, isolate: compose::in_child(&self.loaded), ..Host::default() };
        self.parts_for(host).await
    }

    /// The same, for those who have something to lend themselves.
    pub(crate) async fn parts_for(&self, host: Host) -> anyhow::Result<Parts> {
        let parts = compose::parts(&self.loaded, Crew::Live, host).await?;
        self.outboxes.lock().unwrap_or_else(PoisonError::into_inner).extend(parts.outbox.clone());
        Ok(parts)
    }

    /// Sees to it that what happened is told of, as far as that takes no longer than anybody would wait.
    async fn farewell(&self) {
        let outboxes = std::mem::take(&mut *self.outboxes.lock().unwrap_or_else(PoisonError::into_inner));
        let emptied = join_all(outboxes.iter().map(|outbox| outbox.empty()));
        if tokio::time::timeout(FAREWELL, emptied).await.is_err() {
            tracing::warn!("not all spans were sent in time");
        }
    }
}

/// Does what was typed.
pub(crate) async fn carry_out(cli: Cli, begun: Begun, screen: Screen) -> anyhow::Result<Exit> {
    // These must work where the configuration does not.
    match &cli.command {
        Command::Completion { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "agentwright", &mut script);
            print::write(&String::from_utf8_lossy(&script))?;
            return Ok(Exit::Done);
        }
        Command::Init => return init::init(&begun.surroundings),
        _ => {}
    }
    let Begun { loaded, flags, .. } = begun;
    if matches!(cli.command, Command::Doctor) {
        return doctor::doctor(loaded, screen).await;
    }
    let here = Here { loaded: loaded?, flags, screen, bars: progress::bars(), outboxes: Mutex::default() };
    let done = command(&here, cli.command).await;
    here.farewell().await;
    done
}

async fn command(here: &Here, command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Run(args) => run::run(here, args).await,
        Command::Chat(args) => chat::chat(here, args).await,
        Command::Config(command) => config::config(here, command),
        Command::Runs(command) => runs::runs(here, command).await,
        Command::Plan(command) => plan::plan(here, command).await,
        Command::Approvals(args) => approvals::approvals(here, args).await,
        Command::Route(command) => route::route(here, command).await,
        Command::Tools(command) => tools::tools(here, command).await,
        Command::Mcp(command) => mcp::mcp(here, command).await,
        Command::Agents(command) => library::library(here, Kind::Agent, command).await,
        Command::Cohorts(command) => library::library(here, Kind::Cohort, command).await,
        Command::Skills(command) => library::skills(here, command).await,
        Command::Learn(command) => learn::learn(here, command).await,
        Command::Traces(command) => traces::traces(here, command).await,
        Command::Eval(EvalCommand::Run(args)) => eval::run(here, args).await,
        Command::Compare(args) => compare::compare(here, args).await,
        Command::Serve(args) => serve::serve(here, args).await,
        Command::Keys(command) => keys::keys(here, command).await,
        Command::People(command) => people::people(here, command).await,
        Command::Audit(command) => audit::audit(here, command).await,
        Command::Backup(args) => backup::backup(here, args).await,
        Command::Restore(args) => backup::restore(here, args).await,
        Command::Advance { run } => work::advance(here, &run).await,
        Command::Work { watch } => work::work(here, watch).await,
        Command::Init | Command::Doctor | Command::Completion { .. } => Ok(Exit::Done),
    }
}
