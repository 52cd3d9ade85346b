//! The program's own server, in a process of its own, and what the kernel says about it.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::Child;

use crate::process::program;

/// How long anything may take before something is taken to be wrong.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that has begun to listen.
pub(crate) struct Served {
    _folder: tempfile::TempDir,
    _child: Child,
    pid: u32,
    pub(crate) address: SocketAddr,
    pub(crate) key: String,
}

impl Served {
    /// Starts `program serve` in a folder of its own, with tools that are found at `base`.
    pub(crate) async fn start(file: &Path, base: &str) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let tools = folder.path().join("tools");
        std::fs::create_dir(&tools)?;
        let limits = "[budget.run]\ntool_calls = 1000\nwall = \"1h\"\n";
        std::fs::write(folder.path().join("agentwright.toml"), limits)?;
        let tool = |name: &str| {
            format!(
                "[[tool]]\nname = \"desk.{name}\"\ndescription = \"Works at the desk.\"\neffect = \"read\"\n\
                 timeout = \"1h\"\n[tool.parameters.what]\ntype = \"string\"\n\
                 [tool.http]\nmethod = \"POST\"\nurl = \"{base}/{name}\"\nbody = {{ what = \"{{what}}\" }}\n"
            )
        };
        std::fs::write(tools.join("desk.toml"), [tool("look"), tool("hold")].join("\n"))?;
        let mut command = program(file, &["serve", "--port", "0"]);
        command.current_dir(folder.path()).env_remove("DATABASE_URL").stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot start the server")?;
        let stderr = child.stderr.take().context("a process without a standard error")?;
        let mut lines = BufReader::new(stderr).lines();
        let mut said = String::new();
        let address = loop {
            let line = lines.next_line().await?.with_context(|| format!("the server ended: {said}"))?;
            match line.strip_prefix("Listening on http://") {
                Some(address) => break address.parse()?,
                None => said = format!("{said}\n{line}"),
            }
        };
        let line = lines.next_line().await?.context("the server does not say where its key is")?;
        let file = line.strip_prefix("The key is in ").context("the server made no key")?;
        let key = std::fs::read_to_string(file)?.trim().to_owned();
        let pid = child.id().context("the server has no pid")?;
        Ok(Self { _folder: folder, _child: child, pid, address, key })
    }

    /// Starts a run with a plan, and says where it is found.
    pub(crate) async fn begin(&self, plan: &Value) -> anyhow::Result<String> {
        let run = self.ask("POST", "/v1/runs", &json!({"text": "work", "plan": plan})).await?;
        Ok(format!("/v1/runs/{}", run["run"].as_str().context("no run")?))
    }

    pub(crate) async fn cancel(&self, run: &str) -> anyhow::Result<()> {
        self.ask("POST", &format!("{run}/cancel"), &json!({})).await.map(drop)
    }

    /// How many events a run has that has ended.
    pub(crate) async fn events(&self, run: &str) -> anyhow::Result<u64> {
        let page = self.ask("GET", run, &json!({})).await?;
        let run = &page["run"];
        ensure!(run["status"] == "completed" || run["status"] == "cancelled", "the run is {}", run["status"]);
        run["events"].as_u64().context("no number")
    }

    /// What it says to a question.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: &Value) -> anyhow::Result<Value> {
        let body = body.to_string();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.key,
            body.len()
        );
        let mut socket = TcpStream::connect(self.address).await?;
        socket.write_all(head.as_bytes()).await?;
        let mut text = String::new();
        tokio::time::timeout(PATIENCE, socket.read_to_string(&mut text)).await.context("no answer")??;
        let (head, body) = text.split_once("\r\n\r\n").context("not an answer")?;
        ensure!(head.starts_with("HTTP/1.1 2"), "{text}");
        Ok(serde_json::from_str(body)?)
    }

    /// Returns once so many are connected.
    pub(crate) async fn until_connected(&self, clients: usize) -> anyhow::Result<()> {
        let waited = async {
            // A descriptor is a connection, but for a few dozen.
            while self.descriptors() < clients {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, waited).await.context("not all could connect")
    }

    fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.pid)).map_or(0, Iterator::count)
    }

    /// The memory it has, in bytes.
    pub(crate) fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap_or(0) << 10
    }

    /// The processor time it has used, to a hundredth of a second.
    pub(crate) fn cpu(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid)).unwrap_or_default();
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let ticks: u64 = fields.split_whitespace().skip(11).take(2).filter_map(|it| it.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 10)
    }
}
