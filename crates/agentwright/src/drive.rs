//! One run, carried on and watched: what `run`, `resume`, `fork`, `chat` and `compare` have in common.

use std::pin::pin;

use domain::dispatch::Advanced;
use domain::event::{Recorded, Seq, Wait};
use domain::id::RunId;
use domain::run::RunStatus;
use domain::store::{Store, StoreError};
use domain::view::RunView;
use jiff::Timestamp;

use crate::exit::Refusal;

/// How many events are read at once.
const PAGE: usize = 500;

/// A run as far as somebody has watched it.
#[derive(Debug)]
pub(crate) struct Watched {
    pub(crate) run: RunId,
    pub(crate) view: RunView,
    seen: Seq,
    begun: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl Watched {
    /// A run that nobody has looked at yet.
    pub(crate) fn new(run: RunId) -> Self {
        Self { run, view: RunView::default(), seen: 0, begun: None, last: None }
    }

    /// From its first event to the last that was seen.
    pub(crate) fn seconds(&self) -> f64 {
        let took = self.begun.zip(self.last).map(|(begun, last)| last.duration_since(begun).as_secs_f64());
        took.unwrap_or_default().max(0.0)
    }

    async fn catch_up(&mut self, store: &dyn Store, see: See<'_>) -> anyhow::Result<()> {
        loop {
            let events = store.events(self.run, self.seen, PAGE).await?;
            for recorded in &events {
                self.begun.get_or_insert(recorded.entry.at);
                self.last = Some(recorded.entry.at);
                self.seen = recorded.seq;
                self.view.take(&recorded.entry);
                see(recorded)?;
            }
            if events.len() < PAGE {
                return Ok(());
            }
        }
    }

    /// Whether it has ended, or asks something that is not answered.
    fn rests(&self) -> bool {
        match self.view.status {
            Some(RunStatus::Waiting) => !self.view.waits.is_empty(),
            Some(status) => status.is_final(),
            None => false,
        }
    }
}

/// What is done with each event.
pub(crate) type See<'s> = &'s mut (dyn FnMut(&Recorded) -> std::io::Result<()> + Send);

/// Goes on with `advancing` until the run ends or waits, and hands on each event that was not seen before. The first
/// Ctrl-C cancels the run; the second leaves it to whoever takes it up next.
pub(crate) async fn drive(
    store: &dyn Store,
    advancing: impl Future<Output = Result<Advanced, StoreError>>,
    watched: &mut Watched,
    see: See<'_>,
) -> anyhow::Result<()> {
    let run = watched.run;
    let mut advancing = pin!(advancing);
    let mut advanced: Option<Advanced> = None;
    let mut interrupts = 0;
    loop {
        watched.catch_up(store, see).await?;
        match advanced {
            Some(Advanced::Ended | Advanced::Waits) => return Ok(()),
            // Whoever has it will bring it to where it ends or waits.
            Some(Advanced::Elsewhere) if watched.rests() => return Ok(()),
            Some(Advanced::Elsewhere) | None => {}
        }
        tokio::select! {
            outcome = &mut advancing, if advanced.is_none() => advanced = Some(outcome?),
            grown = store.grown(run, watched.seen) => grown?,
            interrupt = tokio::signal::ctrl_c() => {
                interrupt?;
                interrupts += 1;
                if interrupts > 1 {
                    let hint = format!("`agentwright runs resume {run}` goes on with it");
                    return Err(Refusal::failed(format!("{run} was left as it is")).hint(hint).into());
                }
                runtime::cancel(store, run, Some("interrupted at the terminal".to_owned())).await?;
            }
        }
    }
}

/// Which of several waits an answer is for.
pub(crate) fn wait_for<'w>(waits: &'w [Wait], name: Option<&str>) -> Result<&'w Wait, Refusal> {
    let questions: Vec<&Wait> = waits.iter().filter(|wait| wait.need.question().is_some()).collect();
    let names = || questions.iter().map(|wait| wait.name.as_str()).collect::<Vec<_>>().join("`, `");
    match (name, questions.as_slice()) {
        (_, []) => Err(Refusal::usage("the run asks nothing").hint("`agentwright runs show` says what it waits for")),
        (Some(name), questions) => questions.iter().find(|wait| wait.name == name).copied().ok_or_else(|| {
            Refusal::usage(format!("the run does not ask `{name}`")).hint(format!("it asks `{}`", names()))
        }),
        (None, [only]) => Ok(only),
        (None, _) => {
            Err(Refusal::usage("the run asks several questions")
                .hint(format!("say which one with `--to`: `{}`", names())))
        }
    }
}
