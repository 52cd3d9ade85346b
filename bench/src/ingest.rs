//! How many spans of others' agents a server takes in per second. Each batch is answered once it is durable, and in the end
//! every trace must be there with every call.

mod spans;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Parser;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use self::spans::{CALLS, SPANS, trace};
use crate::served::Served;

/// Sends spans of made-up agents to a server, and counts what it takes.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many spans in all
    #[arg(long, default_value_t = 200_000)]
    pub spans: u64,
    /// How many go at once
    #[arg(long, default_value_t = 500)]
    pub batch: u64,
    /// Over how many connections
    #[arg(long, default_value_t = 4)]
    pub connections: u64,
}

/// Sends all spans; an error where one of them is missing afterwards.
pub async fn measure(args: &Args, program: &Path) -> anyhow::Result<Value> {
    let served = Arc::new(Served::start(program, "http://127.0.0.1:9").await?);
    let traces = (args.spans / SPANS).max(1);
    let per_batch = (args.batch / SPANS).max(1);
    // Made before the clock starts: what is measured is the server.
    let numbers: Vec<u64> = (0..traces).collect();
    let batches: Vec<Vec<u8>> = numbers.chunks(per_batch as usize).map(spans::batch).collect();
    let bytes: usize = batches.iter().map(Vec::len).sum();
    let batches = Arc::new(batches);
    let (begun, cpu) = (Instant::now(), served.cpu());
    let mut senders = JoinSet::new();
    for sender in 0..args.connections.max(1) {
        let (served, batches) = (Arc::clone(&served), Arc::clone(&batches));
        let stride = args.connections.max(1) as usize;
        senders.spawn(async move { send(&served, batches.iter().skip(sender as usize).step_by(stride)).await });
    }
    while let Some(sent) = senders.join_next().await {
        sent??;
    }
    let (seconds, cpu) = (begun.elapsed().as_secs_f64(), served.cpu().saturating_sub(cpu).as_secs_f64());
    check(&served, traces).await?;
    let spans = traces * SPANS;
    Ok(json!({
        "bench": "ingest", "spans": spans, "traces": traces, "batch": per_batch * SPANS, "connections": args.connections,
        "bytes_per_span": bytes as f64 / spans as f64, "seconds": seconds, "spans_per_second": spans as f64 / seconds,
        "cpu_us_per_span": cpu * 1e6 / spans as f64, "rss_mb": served.resident() as f64 / 1e6,
    }))
}

/// Sends batches one after the other over one connection.
async fn send(served: &Served, batches: impl Iterator<Item = &Vec<u8>>) -> anyhow::Result<()> {
    let mut socket = BufReader::new(TcpStream::connect(served.address).await?);
    for batch in batches {
        let head = format!(
            "POST /v1/otlp/v1/traces HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/x-protobuf\r\nContent-Length: {}\r\n\r\n",
            served.key,
            batch.len()
        );
        socket.get_mut().write_all(&[head.as_bytes(), batch].concat()).await?;
        let mut length = 0;
        let mut first = String::new();
        loop {
            let mut line = String::new();
            ensure!(socket.read_line(&mut line).await? > 0, "the server hung up");
            if first.is_empty() {
                first.clone_from(&line);
            }
            let lower = line.to_ascii_lowercase();
            if let Some(said) = lower.strip_prefix("content-length:") {
                length = said.trim().parse()?;
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        socket.read_exact(&mut body).await?;
        ensure!(first.contains(" 200 ") && body.is_empty(), "{first}{}", String::from_utf8_lossy(&body));
    }
    Ok(())
}

/// Every trace is there, and one of them is looked at closely.
async fn check(served: &Served, traces: u64) -> anyhow::Result<()> {
    let listed = served.ask("GET", "/v1/traces?success=true&limit=1", &json!({})).await?;
    ensure!(listed["total"] == traces, "{} of {traces} traces are there", listed["total"]);
    let row = listed["traces"].get(0).context("no trace")?;
    ensure!(row["calls"] == CALLS, "a trace has {} calls", row["calls"]);
    let last = trace(traces - 1);
    let found = served.ask("GET", &format!("/v1/traces/{last}"), &json!({})).await?;
    ensure!(found["agent"] == "forecaster", "{found}");
    Ok(())
}
