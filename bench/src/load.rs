//! Obvious requests over HTTP: how many a second, how long each takes, what more than can be done at once is answered,
//! and what the server costs before anybody asks.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::process::percentiles;
use crate::served::Served;

/// Asks obvious things of a server of its own, from this process, over connections that are kept.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How long each number of connections is measured, in seconds
    #[arg(long, default_value_t = 10)]
    pub seconds: u64,
    /// The numbers of connections
    #[arg(long, value_delimiter = ',', default_value = "1,64,512")]
    pub connections: Vec<usize>,
    /// How many times as many are tried at once in the end
    #[arg(long, default_value_t = 10)]
    pub overload: usize,
}

/// What one request of a connection came to.
enum Came {
    Answered(Duration),
    Refused(Duration),
    Broken,
}

/// Figures as JSON.
pub async fn measure(args: &Args, program: &Path) -> anyhow::Result<Value> {
    let began = Instant::now();
    let server = Served::start(program, "http://127.0.0.1:9").await?;
    server.ask("GET", "/healthz", &json!({})).await?;
    let start = json!({
        "ms": began.elapsed().as_secs_f64() * 1e3, "cpu_ms": server.cpu().as_secs_f64() * 1e3,
        "idle_mb": megabytes(server.resident()),
    });
    let request = request(&server);
    let mut at = Vec::new();
    for connections in &args.connections {
        at.push(steady(&server, &request, *connections, Duration::from_secs(args.seconds)).await?);
    }
    let most = args.connections.iter().max().copied().unwrap_or(64) * args.overload;
    let overload = overload(&server, &request, most).await?;
    Ok(json!({ "start": start, "at": at, "overload": overload }))
}

/// The bytes of an obvious request that is answered once it is done.
fn request(server: &Served) -> Vec<u8> {
    let body = json!({"text": "what is 15 percent of 80", "wait": 30}).to_string();
    let head = format!(
        "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        server.key,
        body.len()
    );
    head.into_bytes()
}

/// So many connections, each of which asks again as soon as it is answered.
async fn steady(server: &Served, request: &[u8], connections: usize, time: Duration) -> anyhow::Result<Value> {
    let (until, cpu, began) = (Instant::now() + time, server.cpu(), Instant::now());
    let mut clients: JoinSet<anyhow::Result<Vec<f64>>> = JoinSet::new();
    for _ in 0..connections {
        let (address, request) = (server.address, request.to_vec());
        clients.spawn(async move {
            let mut socket = TcpStream::connect(address).await?;
            socket.set_nodelay(true)?;
            let (mut took, mut buffer) = (Vec::new(), Vec::new());
            while Instant::now() < until {
                let asked = Instant::now();
                socket.write_all(&request).await?;
                let (status, body) = answer(&mut socket, &mut buffer).await?;
                ensure!(status == 201 && body.contains("\"completed\""), "{status}: {body}");
                took.push(asked.elapsed().as_secs_f64() * 1e3);
            }
            Ok(took)
        });
    }
    let mut took = Vec::new();
    let mut most = server.resident();
    while let Some(client) = clients.join_next().await {
        took.extend(client??);
        most = most.max(server.resident());
    }
    let (seconds, spent) = (began.elapsed().as_secs_f64(), (server.cpu() - cpu).as_secs_f64() * 1e3);
    let count = took.len() as f64;
    let (p50, p99) = percentiles(&mut took);
    Ok(json!({
        "connections": connections, "per_second": count / seconds, "p50_ms": p50, "p99_ms": p99,
        "cpu_ms": spent / count.max(1.0), "rss_mb": megabytes(most),
    }))
}

/// So many at once, each of which asks once: who is answered, who is refused, and how soon.
async fn overload(server: &Served, request: &[u8], connections: usize) -> anyhow::Result<Value> {
    let before = total(server).await?;
    let mut clients: JoinSet<Came> = JoinSet::new();
    for _ in 0..connections {
        let (address, request) = (server.address, request.to_vec());
        clients.spawn(async move { once(address, &request).await.unwrap_or(Came::Broken) });
    }
    let (mut answered, mut refused, mut broken, mut most) = (Vec::new(), Vec::new(), 0, 0);
    while let Some(came) = clients.join_next().await {
        match came? {
            Came::Answered(took) => answered.push(took.as_secs_f64() * 1e3),
            Came::Refused(took) => refused.push(took.as_secs_f64() * 1e3),
            Came::Broken => broken += 1,
        }
        most = most.max(server.resident());
    }
    let accepted = total(server).await? - before;
    let completed = accepted == answered.len() as u64 && unfinished(server).await? == 0;
    let (p50, p99) = percentiles(&mut refused);
    Ok(json!({
        "connections": connections, "answered": answered.len(), "refused": refused.len(), "broken": broken,
        "refused_p50_ms": p50, "refused_p99_ms": p99, "answered_p99_ms": percentiles(&mut answered).1,
        "accepted": accepted, "all_completed": completed, "rss_mb": megabytes(most),
    }))
}

async fn once(address: std::net::SocketAddr, request: &[u8]) -> anyhow::Result<Came> {
    let mut socket = TcpStream::connect(address).await?;
    let asked = Instant::now();
    // Whoever is refused at the door is told so without having been listened to.
    let _ = socket.write_all(request).await;
    let (status, head) = answer(&mut socket, &mut Vec::new()).await?;
    Ok(match status {
        201 => Came::Answered(asked.elapsed()),
        429 | 503 if head.to_lowercase().contains("retry-after") => Came::Refused(asked.elapsed()),
        status => anyhow::bail!("{status}"),
    })
}

/// The next answer: its status, and its text.
async fn answer(socket: &mut TcpStream, buffer: &mut Vec<u8>) -> anyhow::Result<(u16, String)> {
    loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&buffer[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
            let length: usize = length.map_or(Ok(0), |length| length.trim().parse())?;
            if buffer.len() >= end + 4 + length {
                let rest = buffer.split_off(end + 4 + length);
                let whole = String::from_utf8_lossy(&std::mem::replace(buffer, rest)).into_owned();
                let status = head.split(' ').nth(1).context("not an answer")?.parse()?;
                return Ok((status, whole));
            }
        }
        ensure!(socket.read_buf(buffer).await? > 0, "the connection broke off");
    }
}

async fn total(server: &Served) -> anyhow::Result<u64> {
    counted(server, "").await
}

async fn unfinished(server: &Served) -> anyhow::Result<u64> {
    counted(server, "&status=pending,running,waiting,failed,cancelled").await
}

async fn counted(server: &Served, which: &str) -> anyhow::Result<u64> {
    let page = server.ask("GET", &format!("/v1/runs?limit=1{which}"), &json!({})).await?;
    page["total"].as_u64().context("no total")
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
