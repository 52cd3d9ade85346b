//! A child and everything it starts: read while it runs, bounded in time and output, and gone when its owner is.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// How long a pipe is read after the child has ended. Only a descendant that left the group can hold it open.
const LEFTOVER: Duration = Duration::from_millis(200);
/// How long we wait for the system to take a killed child away.
const BURIAL: Duration = Duration::from_secs(1);

/// What a child may use.
pub(super) struct Limits {
    pub(super) time: Duration,
    /// Of standard output and of standard error, each.
    pub(super) bytes: usize,
}

/// How it ended.
pub(super) enum Ended {
    Exited { status: ExitStatus, stdout: Vec<u8>, stderr: Vec<u8> },
    Flooded,
    TimedOut,
    Lost(io::Error),
}

/// A running child with a process group of its own.
pub(super) struct Spawned {
    // Dropped in this order: the group is killed while its leader still holds its number.
    group: Group,
    child: Child,
}

/// The processes a child leads. They are killed together, at the latest when this is dropped.
pub(crate) struct Group(Option<Pid>);

struct Flood;

impl Spawned {
    pub(super) fn new(mut command: Command, stdin: bool) -> io::Result<Self> {
        let input = if stdin { Stdio::piped() } else { Stdio::null() };
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).kill_on_drop(true);
        let child = command.spawn()?;
        Ok(Self { group: Group::led_by(&child), child })
    }

    /// Feeds and reads it until it ends or breaks a limit. Whatever it left running is killed either way.
    pub(super) async fn finish(mut self, stdin: Vec<u8>, limits: &Limits) -> Ended {
        let ended = timeout(limits.time, self.run(stdin, limits.bytes)).await.unwrap_or(Ended::TimedOut);
        self.group.kill();
        let _ = timeout(BURIAL, self.child.wait()).await;
        ended
    }

    async fn run(&mut self, stdin: Vec<u8>, cap: usize) -> Ended {
        let (input, output, errors) = (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take());
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let status = {
            let feed = async {
                if let Some(mut pipe) = input {
                    // A child need not read what it is given.
                    let _ = pipe.write_all(&stdin).await;
                }
                Ok(())
            };
            let pipes =
                async { tokio::try_join!(feed, take(output, &mut stdout, cap), take(errors, &mut stderr, cap)) };
            tokio::pin!(pipes);
            let mut open = true;
            let status = loop {
                tokio::select! {
                    done = &mut pipes, if open => match done {
                        Ok(_) => open = false,
                        Err(Flood) => return Ended::Flooded,
                    },
                    status = self.child.wait() => break status,
                }
            };
            self.group.kill();
            if open && let Ok(Err(Flood)) = timeout(LEFTOVER, &mut pipes).await {
                return Ended::Flooded;
            }
            status
        };
        match status {
            Ok(status) => Ended::Exited { status, stdout, stderr },
            Err(error) => Ended::Lost(error),
        }
    }
}

async fn take(pipe: Option<impl AsyncRead + Unpin>, bytes: &mut Vec<u8>, cap: usize) -> Result<(), Flood> {
    let Some(mut pipe) = pipe else { return Ok(()) };
    let mut chunk = [0; 8 << 10];
    loop {
        match pipe.read(&mut chunk).await {
            Ok(0) | Err(_) => return Ok(()),
            Ok(count) if bytes.len() + count > cap => return Err(Flood),
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
        }
    }
}

impl Group {
    /// The group of a child that was given one of its own.
    pub(crate) fn led_by(child: &Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw))
    }

    /// Ends them all.
    pub(crate) fn kill(&mut self) {
        if let Some(leader) = self.0.take() {
            // An error means that nobody is left.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
