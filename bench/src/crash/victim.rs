//! The process that is killed: takes runs in, says so, and carries them out with the dispatcher that the product uses.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use clap::Parser;
use domain::dispatch::{Advance, Advanced, Dispatch};
use domain::id::RunId;
use domain::run::RunStatus;
use domain::store::{RunFilter, StoreError};
use runtime::{Embedded, Runtime};
use tokio::sync::watch;

use super::desk;

/// Carries runs out until it is killed, or until there are none.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// Where ledger and tools are
    #[arg(long)]
    pub dir: PathBuf,
    /// Where the receiver is
    #[arg(long)]
    pub base: String,
    /// How many runs are kept under way; none are taken in for 0
    #[arg(long)]
    pub under_way: usize,
}

/// Counts the runs that have ended.
struct Counting {
    runtime: Arc<Runtime>,
    open: watch::Sender<usize>,
}

#[async_trait]
impl Advance for Counting {
    async fn advance(&self, run: RunId) -> Result<Advanced, StoreError> {
        let advanced = self.runtime.advance(run).await?;
        if advanced == Advanced::Ended {
            self.open.send_modify(|open| *open = open.saturating_sub(1));
        }
        Ok(advanced)
    }
}

/// Lives.
pub async fn live(args: &Args) -> anyhow::Result<()> {
    let mut runtime = desk::runtime(&args.dir, &args.base, args.under_way.max(50)).await?;
    let worker = Embedded::this_process();
    runtime.worker = worker.id.clone();
    let runtime = Arc::new(runtime);
    let dispatch = Embedded::new(Arc::clone(&runtime.store), worker, args.under_way.max(50));
    let counting = Counting { runtime: Arc::clone(&runtime), open: watch::Sender::new(open(&runtime).await?) };
    let counting = Arc::new(counting);
    let busy =
        async { if args.under_way > 0 { take_in(args, &counting, &dispatch).await } else { finished(&runtime).await } };
    tokio::select! {
        biased;
        worked = dispatch.work(Arc::clone(&counting) as Arc<dyn Advance>, Box::pin(std::future::pending())) => {
            worked.map_err(Into::into)
        }
        ended = busy => ended,
    }
}

async fn open(runtime: &Runtime) -> Result<usize, StoreError> {
    let status = vec![RunStatus::Pending, RunStatus::Running, RunStatus::Waiting];
    Ok(runtime.store.count(&RunFilter { status, ..RunFilter::default() }).await? as usize)
}

/// Takes a run in whenever there is room for one more, and says so once it is accepted.
async fn take_in(args: &Args, counting: &Counting, dispatch: &Embedded) -> anyhow::Result<()> {
    let mut open = counting.open.subscribe();
    loop {
        open.wait_for(|open| *open < args.under_way).await?;
        let mark = RunId::fresh().to_string().replace("run_", "job_");
        let run = counting.runtime.accept(desk::job(&mark)).await?;
        let mut stdout = std::io::stdout().lock();
        writeln!(stdout, "accepted {run}")?;
        stdout.flush()?;
        drop(stdout);
        counting.open.send_modify(|open| *open += 1);
        dispatch.nudge(run).await;
    }
}

/// Returns when every run has ended.
async fn finished(runtime: &Runtime) -> anyhow::Result<()> {
    while open(runtime).await? > 0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}
