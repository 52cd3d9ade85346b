//! A server that is a child of ours: it sees little, is listened to, and ends with us.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::command::Group;
use crate::words::tail;

/// How much of its complaints is kept, in bytes.
const KEPT: usize = 8 << 10;
/// How much of them goes into an error.
const COMPLAINT: usize = 500;
/// How long a server has to end once nobody talks to it any more.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running server.
pub(super) struct ServerProcess {
    // Dropped in this order: the group is killed while its leader still holds its number.
    group: Group,
    child: Child,
    complaints: Arc<Mutex<VecDeque<u8>>>,
    reading: JoinSet<()>,
}

/// What it is talked to through.
pub(super) struct Streams {
    pub(super) input: ChildStdin,
    pub(super) output: ChildStdout,
}

impl ServerProcess {
    /// Starts it with nothing of our environment but what it is given.
    pub(super) fn start(
        program: &str,
        args: &[String],
        env: &[(String, String)],
        directory: &Path,
    ) -> io::Result<(Self, Streams)> {
        let mut command = match program.contains('/') {
            true => Command::new(directory.join(program)),
            false => Command::new(program),
        };
        command.args(args).env_clear().envs(env.iter().map(|(name, value)| (name, value))).current_dir(directory);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.process_group(0).kill_on_drop(true).spawn()?;
        let group = Group::led_by(&child);
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = (input, output, errors) else {
            return Err(io::Error::other("it has no standard streams"));
        };
        let complaints = Arc::default();
        let mut reading = JoinSet::new();
        reading.spawn(listen(errors, Arc::clone(&complaints)));
        Ok((Self { group, child, complaints, reading }, Streams { input, output }))
    }

    /// How it ended and what it complained about, once its streams are closed. It is gone afterwards.
    pub(super) async fn end(mut self) -> String {
        let status = timeout(FAREWELL, self.child.wait()).await;
        self.group.kill();
        let status = match status {
            Ok(Ok(status)) => format!("it ended with {status}"),
            Ok(Err(error)) => format!("it was lost sight of: {error}"),
            Err(_) => "it closed its output and was stopped".to_owned(),
        };
        // What it wrote last may still be on its way.
        let _ = timeout(FAREWELL, self.reading.join_next()).await;
        let complaint = self.complaint();
        let _ = timeout(FAREWELL, self.child.wait()).await;
        if complaint.is_empty() { status } else { format!("{status}: {complaint}") }
    }

    /// What it complained about last.
    pub(super) fn complaint(&self) -> String {
        let mut kept = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        tail(kept.make_contiguous(), COMPLAINT)
    }
}

async fn listen(mut pipe: impl AsyncRead + Unpin, kept: Arc<Mutex<VecDeque<u8>>>) {
    let mut chunk = [0; 4 << 10];
    while let Ok(count) = pipe.read(&mut chunk).await {
        if count == 0 {
            return;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&chunk[..count]);
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }
}
