//! Counts what a kill cannot show: that everything acknowledged had been flushed to the disk before.
//!
//! A process that is killed leaves its writes to the kernel, which keeps them; only a power cut shows a missing flush. So
//! the system calls are counted instead, under `strace`.

mod trace;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, bail, ensure};
use clap::Parser;
use serde_json::{Value, json};

use crate::compose;
use crate::process::program;
use crate::trip::{self, Task};
pub use trace::{Counts, count};

/// Counts the flushes between each acknowledgement and the writes it acknowledges
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many runs are accepted, one after the other
    #[arg(long, default_value_t = 200)]
    pub accepts: usize,
}

/// Accepts runs, and says so after each.
#[derive(Debug, Clone, Parser)]
pub struct Accept {
    /// Where the ledger is
    #[arg(long)]
    pub dir: PathBuf,
    /// How many
    #[arg(long)]
    pub accepts: usize,
}

/// Traces a process that accepts runs. `file` is this program's file.
pub async fn run(args: &Args, file: &Path) -> anyhow::Result<Value> {
    let folder = tempfile::tempdir()?;
    let log = folder.path().join("trace.txt");
    let (dir, out) = (folder.path().to_str().context("a name")?, log.to_str().context("a name")?);
    let accepts = args.accepts.to_string();
    let calls = "trace=fdatasync,fsync,pwrite64,pwritev,write";
    let file = file.to_str().context("a name")?;
    let arguments = [
        "-f",
        "-y",
        "-s",
        "64",
        "-e",
        calls,
        "-e",
        "signal=none",
        "-o",
        out,
        file,
        "accept",
        "--dir",
        dir,
        "--accepts",
        &accepts,
    ];
    let traced = program(Path::new("strace"), &arguments).stdout(Stdio::null()).status().await;
    let status = match traced {
        Ok(status) => status,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!("strace is not installed\nhint: as root, apt-get install strace")
        }
        Err(error) => return Err(error).context("strace cannot be started"),
    };
    ensure!(status.success(), "strace ended with {status}\nhint: it may need the right to trace processes");
    let counts = count(&std::fs::read_to_string(&log)?);
    ensure!(counts.acknowledged == args.accepts, "{} of {accepts} acknowledgements were seen", counts.acknowledged);
    Ok(json!({
        "bench": "fsync", "acknowledged": counts.acknowledged, "flushes": counts.flushes, "writes": counts.writes,
        "without_write": counts.without_write, "without_flush": counts.without_flush,
        "flushes_per_acknowledgement": counts.flushes as f64 / counts.acknowledged.max(1) as f64,
    }))
}

/// The process that is traced.
pub async fn accept(args: &Accept) -> anyhow::Result<()> {
    let runtime = compose::runtime(compose::ledger(&args.dir).await?, None, Vec::new(), runtime::Settings::default())?;
    for number in 1..=args.accepts {
        runtime.accept(trip::ask(Task::Trip)).await?;
        // One call of the system per line: what is buffered would be acknowledged later than it seems.
        use std::io::Write;
        std::io::stdout().write_all(format!("acknowledged {number}\n").as_bytes())?;
        std::io::stdout().flush()?;
    }
    Ok(())
}
