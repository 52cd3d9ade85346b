//! One who follows a run: a socket, and the last event that was seen.

use anyhow::{Context, ensure};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::served::Served;

/// What a client saw, and how often it had to come.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) events: Vec<u64>,
    pub(super) connections: usize,
    pub(super) comments: usize,
}

/// How one connection ended.
enum Parted {
    /// The run has ended.
    Ended,
    /// The client hung up, or the server did.
    CutOff,
}

/// Follows a run to its end, and hangs up after each of the events `cuts` names.
pub(super) async fn follow(served: &Served, run: &str, mut cuts: Vec<u64>) -> anyhow::Result<Seen> {
    cuts.sort_unstable();
    let mut cuts = cuts.into_iter();
    let mut seen = Seen::default();
    loop {
        seen.connections += 1;
        ensure!(seen.connections < 1_000, "a client gets nowhere");
        let cut = cuts.next();
        match visit(served, run, &mut seen, cut).await? {
            Parted::Ended => return Ok(seen),
            Parted::CutOff => {}
        }
    }
}

async fn visit(served: &Served, run: &str, seen: &mut Seen, cut: Option<u64>) -> anyhow::Result<Parted> {
    let last = seen.events.last().copied().unwrap_or(0);
    let mut socket = TcpStream::connect(served.address).await.context("nobody listens")?;
    let head = format!(
        "GET {run}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nLast-Event-ID: {last}\r\n\r\n",
        served.key
    );
    socket.write_all(head.as_bytes()).await?;
    let mut lines = BufReader::with_capacity(4 * 1024, socket).lines();
    let first = lines.next_line().await?.context("no answer")?;
    if first.contains(" 204 ") {
        return Ok(Parted::Ended);
    }
    ensure!(first.contains(" 200 "), "not a stream: {first}");
    let mut id = None;
    while let Some(line) = lines.next_line().await? {
        if let Some(number) = line.strip_prefix("id: ") {
            id = Some(number.parse()?);
        } else if let Some(data) = line.strip_prefix("data: ") {
            let id: u64 = id.take().context("an event without a number")?;
            ensure!(data.ends_with('}'), "an event that is not whole");
            seen.events.push(id);
            // Those that fall before what was seen already count at once: chance knows no order.
            if cut.is_some_and(|cut| id >= cut) {
                return Ok(Parted::CutOff);
            }
        } else if line == ": the run has ended" {
            return Ok(Parted::Ended);
        } else if line.starts_with(": ") {
            seen.comments += 1;
        }
    }
    Ok(Parted::CutOff)
}
