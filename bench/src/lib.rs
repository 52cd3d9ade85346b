//! What Agentwright costs and what it survives. One module and one command per figure; `README.md` lists them.

pub mod approvals;
pub mod chain;
pub mod cohorts;
pub mod compose;
pub mod crash;
pub mod dice;
pub mod experiments;
pub mod fast;
pub mod fsync;
pub mod home;
pub mod http;
pub mod ingest;
pub mod ledger;
pub mod load;
pub mod mining;
pub mod mock;
pub mod overhead;
pub mod parallel;
pub mod process;
pub mod retrieval;
pub mod router;
mod served;
pub mod skills;
pub mod slots;
pub mod split;
pub mod stream;
pub mod trajectories;
pub mod trip;
pub mod verifier;
pub mod waiting;
pub mod worlds;

/// Runs something on so many threads, and returns when it is done.
pub fn block_on<T>(threads: usize, work: impl Future<Output = T>) -> std::io::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads.max(1)).enable_all().build()?;
    Ok(runtime.block_on(work))
}
