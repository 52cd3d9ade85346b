//! The only place that names concrete models, tools and stores: from a configuration to parts that fit together.

pub mod backup;
mod domains;
mod isolate;
pub mod mcp;
mod models;
mod on_record;
pub mod probe;
mod reflexes;
mod settings;
pub mod telemetry;
mod tools;

use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock};

use domain::dispatch::{Advance, Advanced, Dispatch};
use domain::event::Seq;
use domain::guideline::Version;
use domain::id::RunId;
use domain::plan::Plan;
use domain::request::Request;
use domain::run::RunStatus;
use domain::store::{RunFilter, Store, StoreError};
use domain::tool::Toolbox;
use jiff::Timestamp;
use runtime::verify::{Given, Verified};
use runtime::{Embedded, Isolate, Prompts, Runtime, Settings, Watch};
use server::Metrics;

use crate::config::{Database, Loaded};
use crate::exit::Refusal;

pub use isolate::in_child;
pub use reflexes::{CALIBRATION, RoleBook};

/// How many runs are advanced at once.
const CONCURRENCY: usize = 64;

/// How often changes are exchanged with a calendar's server.
const IN_STEP: std::time::Duration = std::time::Duration::from_secs(300);

/// How often it is looked whether there is anything left to do.
const LOOK: std::time::Duration = std::time::Duration::from_millis(50);

/// Everything that runs are carried out with.
pub struct Parts {
    /// What the calendar is kept in step with, if anything.
    calendar: Option<::tools::Calendar>,
    /// Where ledgers are kept.
    pub store: Arc<dyn Store>,
    /// What decides.
    pub runtime: Arc<Runtime>,
    /// What keeps runs going.
    pub dispatch: Arc<Embedded>,
    /// What tells others of runs, where somebody listens.
    pub outbox: Option<Arc<telemetry::Outbox>>,
    /// What has happened in this process.
    pub metrics: Arc<Metrics>,
}

/// Who carries runs out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crew {
    /// Models and tools as they are configured.
    Live,
    /// Nobody: what is not on record is not to be had. Needs no keys.
    OnRecord,
}

/// What the process around lends to its parts.
pub struct Host {
    /// Where notifications for the terminal are written.
    pub notices: Arc<Mutex<dyn Write + Send>>,
    /// How runs that have brought processes down are advanced apart.
    pub isolate: Option<Isolate>,
    /// What models are told.
    pub prompts: Prompts,
    /// The versions of guidelines that are told, whatever the database says.
    pub told: Option<Vec<Version>>,
}

impl Default for Host {
    fn default() -> Self {
        Self {
            notices: Arc::new(Mutex::new(std::io::stderr())),
            isolate: None,
            prompts: Prompts::default(),
            told: None,
        }
    }
}

/// Opens the database, and makes its directory if nobody chose another place.
pub async fn store(loaded: &Loaded) -> anyhow::Result<Arc<dyn Store>> {
    if let Database::Sqlite(file) = &loaded.database {
        let directory = file.parent().unwrap_or(std::path::Path::new("/"));
        if !directory.is_dir() && loaded.is_set(&["database", "url"]) {
            return Err(Refusal::configuration(format!("the directory `{}` does not exist", directory.display()))
                .hint("make it, or name another database")
                .into());
        }
        if directory == loaded.state_directory() {
            prepare(directory)?;
        }
    }
    Ok(store::open(&loaded.database.url()).await?)
}

/// A directory of our own, which keeps itself out of repositories.
fn prepare(directory: &std::path::Path) -> anyhow::Result<()> {
    crate::commands::keep_out_of_git(directory).map_err(|error| {
        let words = format!("`{}` cannot be made", directory.display());
        Refusal::configuration(words).because(error).hint("name another database with `--database sqlite:PATH`").into()
    })
}

/// Gathers the tools that are built in and those that files describe.
pub fn tools(loaded: &Loaded, store: Arc<dyn Store>) -> anyhow::Result<Arc<dyn Toolbox>> {
    tools::toolbox(loaded, store, Host::default().notices, Arc::default())
}

/// How learning is done.
pub fn learning(loaded: &Loaded) -> runtime::learning::LearnPolicy {
    settings::learning(loaded)
}

/// What is known about requests without a model.
pub async fn reflexes(loaded: &Loaded, store: Arc<dyn Store>) -> anyhow::Result<RoleBook> {
    let tools = tools(loaded, Arc::clone(&store))?;
    RoleBook::open(loaded, store, tools).await
}

/// Puts everything together.
pub async fn parts(loaded: &Loaded, crew: Crew, host: Host) -> anyhow::Result<Parts> {
    let store = store(loaded).await?;
    let starter: Arc<OnceLock<_>> = Arc::default();
    let tools = tools::toolbox(loaded, Arc::clone(&store), host.notices, Arc::clone(&starter))?;
    let worker = Embedded::this_process();
    let reflexes = reflexes::RoleBook::open(loaded, Arc::clone(&store), Arc::clone(&tools)).await?;
    let (models, tools) = match crew {
        Crew::Live => (models::live(loaded)?, tools),
        Crew::OnRecord => (models::silent(loaded), on_record::only(tools)),
    };
    let outbox = match crew {
        Crew::Live => telemetry::outbox(loaded, Arc::clone(&store))?,
        Crew::OnRecord => None,
    };
    let metrics: Arc<Metrics> = Arc::default();
    let told = outbox.iter().map(|outbox| Arc::clone(outbox) as Arc<dyn Watch>);
    let watch = told.chain([Arc::clone(&metrics) as Arc<dyn Watch>]).collect();
    let runtime = Arc::new(Runtime {
        store: Arc::clone(&store),
        models,
        tools,
        settings: Settings { told: host.told, ..settings::settings(loaded) },
        prompts: host.prompts,
        worker: worker.id.clone(),
        isolate: host.isolate,
        watch,
        lately: runtime::Lately::default(),
        reflexes: Some(Arc::new(reflexes)),
    });
    // A tool can start runs, and runs use tools: the circle is closed here, weakly.
    let _ = starter.set(Arc::downgrade(&runtime));
    let calendar = domains::calendar(loaded, &store, &::tools::client()?)?;
    let calendar = (crew == Crew::Live && calendar.caldav.is_some()).then_some(calendar);
    let dispatch = Arc::new(Embedded::new(Arc::clone(&store), worker, CONCURRENCY));
    Ok(Parts { calendar, dispatch, store, runtime, outbox, metrics })
}

/// What can be proved about a plan without carrying it out.
pub fn verify(loaded: &Loaded, tools: &dyn Toolbox, plan: &Plan) -> anyhow::Result<Verified> {
    let settings = settings::settings(loaded);
    let given = Given {
        tools,
        rules: &settings.rules,
        budget: &settings.budget,
        max_iterations: settings.max_iterations,
        price: None,
        configuration: None,
        frozen: None,
        pins: None,
    };
    Ok(runtime::verify::verify(plan, &given))
}

impl Parts {
    /// Takes a request in. On return it is durable.
    pub async fn accept(&self, request: Request) -> Result<RunId, StoreError> {
        self.runtime.accept(request).await
    }

    /// Starts a run that shares another's events up to one of them.
    pub async fn fork(&self, parent: RunId, at: Seq) -> Result<RunId, runtime::ForkError> {
        self.runtime.fork(parent, at).await
    }

    /// Carries one run on, as far as it goes.
    pub async fn attend(&self, run: RunId) -> Result<Advanced, StoreError> {
        self.dispatch.attend(self.runtime.as_ref(), run).await
    }

    /// What carries runs on.
    pub fn advance(&self) -> Arc<dyn Advance> {
        Arc::clone(&self.runtime) as Arc<dyn Advance>
    }

    /// Carries on whatever is due until every run has ended or waits, or until somebody presses Ctrl-C.
    pub async fn work_until_idle(&self) -> Result<(), StoreError> {
        let stop = async {
            tokio::select! {
                () = self.idle() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
        };
        self.dispatch.work(self.advance(), Box::pin(stop)).await
    }

    /// Exchanges changes with the calendar's server now and then, for as long as it is polled.
    pub async fn keep_in_step(&self) {
        let Some(calendar) = &self.calendar else { return std::future::pending().await };
        loop {
            match ::tools::synchronise(calendar, Timestamp::now()).await {
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "the calendar could not be brought in step with its server"),
            }
            tokio::time::sleep(IN_STEP).await;
        }
    }

    /// Carries on whatever becomes due until somebody presses Ctrl-C.
    pub async fn work_on(&self) -> Result<(), StoreError> {
        let stop = async {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                () = self.keep_in_step() => {}
            }
        };
        self.dispatch.work(self.advance(), Box::pin(stop)).await
    }

    async fn idle(&self) {
        loop {
            tokio::time::sleep(LOOK).await;
            let busy = RunFilter {
                status: vec![RunStatus::Pending, RunStatus::Running],
                // What begins later is not waited for.
                until: Some(Timestamp::now()),
                ..RunFilter::default()
            };
            // A store that does not answer is not idle: work goes on as soon as it does.
            let due = self.store.due(Timestamp::now(), 1).await;
            if due.is_ok_and(|due| due.is_empty()) && matches!(self.store.count(&busy).await, Ok(0)) {
                return;
            }
        }
    }
}
