//! Kills Agentwright again and again while it works, then looks whether anything was lost, done twice or passed over.
//!
//! This process is the world: it keeps a [receiver] that writes down everything that reaches it, starts the [victim] from
//! the same program, kills it at random instants, and starts it again. When all is over it reads ledger and receiver side
//! by side ([verdict]).

pub mod desk;
pub mod receiver;
pub mod verdict;
pub mod victim;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Parser;
use domain::id::RunId;
use domain::tool::Repeat;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::dice::Dice;
use crate::http::Server;
use crate::process::{listen_to, program};
use receiver::Receiver;

/// How long what is left may take once nothing is killed any more.
const DRAIN: Duration = Duration::from_secs(120);
/// The part of the time that is spent killing; the rest is for finishing and looking.
const KILLING: f64 = 0.7;

/// Kills a process that carries out runs, as often as it is told, and checks that nothing was lost or done twice
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How often
    #[arg(long, default_value_t = 200)]
    pub kills: u32,
    /// Stop killing in time to be done after about so many seconds
    #[arg(long, default_value_t = 170)]
    pub seconds: u64,
    /// How many runs are under way
    #[arg(long, default_value_t = 50)]
    pub under_way: usize,
    /// How long a process lives on average, in milliseconds
    #[arg(long, default_value_t = 400)]
    pub life: u64,
    /// How long the receiver takes at most, in milliseconds
    #[arg(long, default_value_t = 60)]
    pub slow: u64,
    /// What chance begins with; printed, so that it can be given again
    #[arg(long)]
    pub seed: Option<u64>,
    /// How many ended runs are replayed
    #[arg(long, default_value_t = 300)]
    pub replays: usize,
    /// Say that a write may be repeated which may not, to see that this is noticed
    #[arg(long, hide = true)]
    pub sabotage: bool,
    /// Keep ledger and tools here instead of in a temporary folder
    #[arg(long)]
    pub dir: Option<PathBuf>,
}

/// What happened.
pub struct Outcome {
    /// The figures.
    pub summary: Value,
    /// What must not have happened, a sentence each.
    pub violations: Vec<String>,
}

/// Kills, finishes, looks. `program` is this program's file, which is also the victim's.
pub async fn run(args: &Args, program: &Path) -> anyhow::Result<Outcome> {
    let made;
    let folder = match &args.dir {
        Some(folder) => folder.as_path(),
        None => {
            made = tempfile::tempdir()?;
            made.path()
        }
    };
    let seed = args.seed.unwrap_or_else(|| jiff::Timestamp::now().as_nanosecond() as u64 % 1_000_000);
    eprintln!("seed {seed}, ledger in {}", folder.display());
    let server = Server::bind(0).await?;
    let base = format!("http://{}", server.address()?);
    let charge = if args.sabotage { Repeat::SameKey } else { Repeat::Never };
    std::fs::write(folder.join("desk.toml"), desk::described(&base, charge)?)?;
    let mut world = World {
        program,
        folder,
        base,
        under_way: args.under_way,
        receiver: Arc::new(Receiver::new(seed, args.slow)),
        connections: server.connections(),
        acknowledged: Vec::new(),
    };
    let mut serving = JoinSet::new();
    serving.spawn(receiver::serve(server, Arc::clone(&world.receiver)));

    let begun = Instant::now();
    let limit = Duration::from_secs(args.seconds).mul_f64(KILLING);
    let mut dice = Dice::new(seed);
    let mut kills = 0;
    while kills < args.kills && begun.elapsed() < limit {
        world.receiver.new_life();
        // Now and then before it has come to its senses.
        let early = dice.below(12) == 0;
        let life = if early { dice.below(30) } else { 30 + dice.below(args.life.saturating_sub(30) * 2) };
        world.live(Mode::Work, Some(Duration::from_millis(life))).await?;
        kills += 1;
        if kills % 20 == 0 {
            eprintln!("{kills} kills, {} runs acknowledged, {:?}", world.acknowledged.len(), begun.elapsed());
        }
    }
    let killing = begun.elapsed();
    world.receiver.new_life();
    world.live(Mode::Drain, None).await?;
    let drained = begun.elapsed();
    eprintln!("nothing is under way any more after {drained:?}; looking");
    let verdict = verdict::look(folder, &world.base, &world.receiver, &world.acknowledged, args.replays, seed).await?;
    let mut summary = verdict.summary;
    let own = json!({
        "bench": "crash", "seed": seed, "kills": kills, "violations": verdict.violations.len(),
        "killing_s": killing.as_secs_f64(), "drained_s": drained.as_secs_f64(), "total_s": begun.elapsed().as_secs_f64(),
    });
    for (name, value) in own.as_object().into_iter().flatten() {
        summary[name] = value.clone();
    }
    Ok(Outcome { summary, violations: verdict.violations })
}

/// Everything outside the process that is killed.
struct World<'w> {
    program: &'w Path,
    folder: &'w Path,
    base: String,
    under_way: usize,
    receiver: Arc<Receiver>,
    connections: tokio::sync::watch::Receiver<usize>,
    acknowledged: Vec<RunId>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// Takes runs in and carries them out, until it is killed.
    Work,
    /// Carries out what there is, and ends.
    Drain,
}

impl World<'_> {
    /// One life of the victim: to the instant it is killed, or to the end of its work.
    async fn live(&mut self, mode: Mode, life: Option<Duration>) -> anyhow::Result<()> {
        let under_way = if mode == Mode::Drain { 0 } else { self.under_way };
        let folder = self.folder.to_str().context("the folder has no name")?;
        let under_way = under_way.to_string();
        let arguments = ["victim", "--dir", folder, "--base", &self.base, "--under-way", &under_way];
        let mut victim = listen_to(program(self.program, &arguments))?;
        let deadline = tokio::time::Instant::now() + life.unwrap_or(DRAIN);
        let mut ended = false;
        loop {
            tokio::select! {
                line = victim.lines.next_line() => match line? {
                    Some(line) => self.hear(&line)?,
                    None => { ended = true; break }
                },
                () = tokio::time::sleep_until(deadline) => break,
            }
        }
        match (mode, ended) {
            (Mode::Work, true) => bail!("the process ended by itself: {:?}", victim.child.wait().await?),
            (Mode::Work, false) => victim.child.start_kill()?,
            (Mode::Drain, true) => {}
            (Mode::Drain, false) => bail!("runs are still under way after {DRAIN:?}"),
        }
        // What it said before it died was said.
        while let Some(line) = victim.lines.next_line().await? {
            self.hear(&line)?;
        }
        let status = victim.child.wait().await?;
        if mode == Mode::Drain && !status.success() {
            bail!("the process that was to finish everything ended with {status}");
        }
        // What was on its way when it died arrives before the next one lives: no real network promises less than that.
        self.connections.wait_for(|open| *open == 0).await?;
        Ok(())
    }

    fn hear(&mut self, line: &str) -> anyhow::Result<()> {
        if let Some(run) = line.strip_prefix("accepted ") {
            self.acknowledged.push(run.parse()?);
        }
        Ok(())
    }
}
