//! What a process costs, as the kernel counts it, and processes started from this program's own file.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::Context;
use rustix::time::{ClockId, clock_gettime};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// The processor time of this process, all its threads, those that have ended included.
pub fn cpu() -> Duration {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(spent.tv_sec as u64, spent.tv_nsec as u32)
}

/// Memory of this process in bytes: what is resident now, and the most that ever was.
pub fn memory() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_start_matches(':').trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    (kib("VmRSS").unwrap_or(0) << 10, kib("VmHWM").unwrap_or(0) << 10)
}

/// A program to be started on any processor. It ends with whoever holds it.
pub fn program(file: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(file);
    command.args(arguments).stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// The same, on one processor only, where there are several and `taskset` is installed.
pub fn pinned(file: &Path, core: usize, arguments: &[&str]) -> Command {
    let several = std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
    match taskset() {
        Some(taskset) if several => {
            let mut command = program(Path::new(taskset), &["-c", &core.to_string()]);
            command.arg(file).args(arguments);
            command
        }
        _ => program(file, arguments),
    }
}

fn taskset() -> Option<&'static str> {
    ["/usr/bin/taskset", "/bin/taskset"].into_iter().find(|path| Path::new(path).exists())
}

/// A process that says something on its standard output.
pub struct Speaking {
    /// The process.
    pub child: Child,
    /// What it says.
    pub lines: Lines<BufReader<ChildStdout>>,
}

/// Starts a command and listens to it.
pub fn listen_to(mut command: Command) -> anyhow::Result<Speaking> {
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start a process")?;
    let stdout = child.stdout.take().context("a process without a standard output")?;
    Ok(Speaking { child, lines: BufReader::new(stdout).lines() })
}

impl Speaking {
    /// The next line that is JSON, or nothing when the process has said everything.
    pub async fn json(&mut self) -> anyhow::Result<Option<serde_json::Value>> {
        while let Some(line) = self.lines.next_line().await? {
            if line.starts_with('{') {
                return Ok(Some(serde_json::from_str(&line)?));
            }
        }
        Ok(None)
    }
}

/// The middle value, and the one below which 99 of 100 lie.
pub fn percentiles(values: &mut [f64]) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |share: usize| values.get((values.len() * share / 100).min(values.len().saturating_sub(1))).copied();
    (at(50).unwrap_or_default(), at(99).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_knows_what_it_costs() {
        let before = cpu();
        let (now, most) = memory();
        assert!(now > 0 && most >= now);
        assert!(cpu() >= before);
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let mut values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(percentiles(&mut values), (51.0, 100.0));
        assert_eq!(percentiles(&mut []), (0.0, 0.0));
    }
}
