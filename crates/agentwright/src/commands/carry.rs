//! Carrying a run to its end before somebody's eyes, and saying what came of it.

use std::collections::VecDeque;

use domain::approval::{ApprovalId, ApprovalStatus, Proposal, Ruling};
use domain::dispatch::Advanced;
use domain::event::{Need, Recorded, Wait};
use domain::id::RunId;
use domain::run::{Ending, FailureKind};
use domain::store::{Store, StoreError};
use domain::view::RunView;
use jiff::Timestamp;
use runtime::DecideError;
use serde_json::Value;

use super::Here;
use super::review::{self, Reviewed, person_is_here, typed};
use crate::args::Output;
use crate::compose::Parts;
use crate::drive::{self, Watched};
use crate::exit::Exit;
use crate::print::events::waiting;
use crate::print::plan;
use crate::print::result::{LastLine, RunResult};
use crate::print::run::how_to_answer;
use crate::print::text::{line, tame};
use crate::print::{self, Ink};
use crate::progress::Watcher;

/// How many questions a run may ask before it is left waiting.
const MOST_QUESTIONS: usize = 100;
/// How many runs that were started by runs are carried on; others are left to `agentwright work` and to conversations.
const MOST_STARTED: usize = 100;

/// What the caller wants of a run besides its end.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Manner {
    /// Say yes to what no rule wants a person for.
    pub(super) yes: bool,
    /// Show no progress.
    pub(super) quiet: bool,
    /// What the person at the terminal is asked.
    pub(super) ask: Ask,
    /// The plan is what is wanted.
    pub(super) plan_only: bool,
}

/// What the person at the terminal is asked, if there is one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Ask {
    /// Nothing.
    #[default]
    Nothing,
    /// What is proposed; questions are left to the caller.
    Proposals,
    /// Whatever the run wants to know.
    Everything,
}

/// A run and somebody who watches it.
pub(super) struct Watching {
    pub(super) watched: Watched,
    watcher: Watcher,
}

impl Watching {
    /// Nothing of the run has been seen yet.
    pub(super) fn new(here: &Here, run: RunId, manner: Manner) -> Self {
        let screen = here.screen;
        let terminal = screen.stderr_is_terminal.then_some(&here.bars);
        Self { watched: Watched::new(run), watcher: Watcher::new(manner.quiet, terminal, screen.ink_on_stderr) }
    }

    /// Watches while the run is carried on, up to where it ends or waits.
    pub(super) async fn on(
        &mut self,
        here: &Here,
        store: &dyn Store,
        advancing: impl Future<Output = Result<Advanced, StoreError>>,
    ) -> anyhow::Result<()> {
        let (watcher, output) = (&mut self.watcher, here.screen.output);
        let mut see = |recorded: &Recorded| {
            watcher.see(recorded);
            match output {
                Output::StreamJson => print::write(&print::json_line(recorded)),
                Output::Text | Output::Json => Ok(()),
            }
        };
        let driven = drive::drive(store, advancing, &mut self.watched, &mut see).await;
        self.watcher.rest();
        driven
    }
}

/// Carries a run on until it ends, or waits for something that nobody here can give, and prints the result.
pub(super) async fn through(here: &Here, parts: &Parts, run: RunId, manner: Manner) -> anyhow::Result<Exit> {
    let mut watching = Watching::new(here, run, manner);
    for _ in 0..MOST_QUESTIONS {
        watching.on(here, parts.store.as_ref(), parts.attend(run)).await?;
        if !answer_what_we_can(here, parts, &watching.watched, manner).await? {
            break;
        }
    }
    tell(here, &watching.watched, manner)?;
    carry_on_what_it_started(here, parts, &watching.watched.view, manner).await?;
    Ok(Exit::of_run(&watching.watched.view))
}

/// Runs that a run started go on after it, and what they started after them: perhaps nobody else is there to see to it.
async fn carry_on_what_it_started(here: &Here, parts: &Parts, view: &RunView, manner: Manner) -> anyhow::Result<()> {
    let store = parts.store.as_ref();
    let mut waiting: VecDeque<RunId> = started_by(view).collect();
    for _ in 0..MOST_STARTED {
        let Some(run) = waiting.pop_front() else { return Ok(()) };
        match store.run(run).await? {
            Some(summary) if !summary.status.is_final() => {}
            _ => continue,
        }
        let mut watching = Watching::new(here, run, Manner { quiet: true, ..manner });
        drive::drive(store, parts.attend(run), &mut watching.watched, &mut |_| Ok(())).await?;
        let view = &watching.watched.view;
        if !manner.quiet {
            let how = match &view.ending {
                Some(Ending::Completed { answer }) => format!("completed: {}", line(answer, 200)),
                Some(Ending::Failed { error, .. }) => format!("failed: {}", line(error, 200)),
                Some(Ending::Cancelled { .. }) => "was cancelled".to_owned(),
                None => "waits".to_owned(),
            };
            eprintln!("{run}, which it started, {how}");
        }
        waiting.extend(started_by(view));
    }
    Ok(())
}

fn started_by(view: &RunView) -> impl Iterator<Item = RunId> {
    view.declared.iter().filter(|(_, tool)| tool.as_str() == "workflow.start").map(|(key, _)| RunId::of_intent(key))
}

/// Whether anything was answered.
pub(super) async fn answer_what_we_can(
    here: &Here,
    parts: &Parts,
    watched: &Watched,
    manner: Manner,
) -> anyhow::Result<bool> {
    let store = parts.store.as_ref();
    let mut answered = false;
    for wait in &watched.view.waits {
        let answer = match &wait.need {
            Need::Approval { proposal: Some(proposal), .. } => {
                answered |= settled(here, parts, watched.run, &wait.name, proposal, manner).await?;
                None
            }
            Need::Budget { .. } if manner.yes => Some("yes".to_owned()),
            Need::Answer { .. } | Need::Approval { .. } | Need::Budget { .. } if manner.ask == Ask::Everything => {
                ask_the_person(here, wait).await?
            }
            Need::Answer { .. } | Need::Approval { .. } | Need::Budget { .. } | Need::Time { .. } => None,
        };
        if let Some(answer) = answer {
            runtime::answer(store, watched.run, &wait.name, Value::String(answer), None).await?;
            answered = true;
        }
    }
    Ok(answered)
}

/// Whether a proposal is decided: by a yes that was given beforehand, which does not reach what a rule wants a person
/// for, or by the person at the terminal.
async fn settled(
    here: &Here,
    parts: &Parts,
    run: RunId,
    name: &str,
    proposal: &Proposal,
    manner: Manner,
) -> anyhow::Result<bool> {
    let agreed = manner.yes && proposal.rule.is_none();
    if !agreed && (manner.ask == Ask::Nothing || !person_is_here(here)) {
        return Ok(false);
    }
    let asked = parts.store.approval(ApprovalId::of(run, name), Timestamp::now()).await?;
    let Some(approval) = asked.filter(|it| it.status == ApprovalStatus::Pending) else { return Ok(false) };
    if agreed {
        return match review::decide(here, parts, &approval, Ruling::Approve, None).await {
            Ok(_) | Err(DecideError::Already(_)) => Ok(true),
            Err(error) => Err(error.into()),
        };
    }
    Ok(review::review(here, parts, approval).await? == Reviewed::Settled)
}

/// What the person at the terminal says, if there is one who wants to say something.
async fn ask_the_person(here: &Here, wait: &Wait) -> anyhow::Result<Option<String>> {
    let Some(question) = wait.need.question().filter(|_| person_is_here(here)) else { return Ok(None) };
    let in_words = matches!(wait.need, Need::Answer { .. });
    let choice = if in_words { "" } else { " [yes/no]" };
    loop {
        let line = typed(&format!("{} {}{choice} ", here.screen.ink_on_stderr.strong("?"), tame(question))).await?;
        match line {
            None => return Ok(None),
            Some(answer) if wait.need.understands(&Value::from(answer.as_str())) => return Ok(Some(answer)),
            // What is neither would count as a no, and end the run for a slip of the finger.
            Some(_) => {}
        }
    }
}

/// Answers to stdout, everything else to stderr.
pub(super) fn tell(here: &Here, watched: &Watched, manner: Manner) -> anyhow::Result<()> {
    let result = RunResult::of(watched.run, &watched.view, watched.seconds());
    match here.screen.output {
        Output::Json => print::write(&print::json(&result))?,
        Output::StreamJson => print::write(&print::json_line(&LastLine::of(&result)))?,
        Output::Text => tell_in_words(here, watched, manner)?,
    }
    Ok(())
}

fn tell_in_words(here: &Here, watched: &Watched, manner: Manner) -> anyhow::Result<()> {
    let (run, view) = (watched.run, &watched.view);
    let screen = here.screen;
    let ink = screen.ink_on_stderr;
    // A file gets the answer byte by byte; a terminal must not be steered by it.
    let out = |text: &str| {
        let text = if screen.stdout_is_terminal { tame(text) } else { text.into() };
        print::write(&format!("{}\n", text.trim_end_matches('\n')))
    };
    match (&view.ending, view.plans.last()) {
        (Some(Ending::Completed { .. }), Some((plan, _))) if manner.plan_only => {
            print::write(&plan::words(plan, screen.ink))?;
        }
        (Some(Ending::Completed { answer }), _) => out(answer)?,
        (Some(Ending::Failed { reason, error, answer }), _) => {
            if let Some(answer) = answer {
                out(answer)?;
            }
            eprintln!("{} {}", ink.bad("error:"), tame(error));
            let mut hints = vec![format!("`agentwright runs show {run} --events` shows what happened")];
            if *reason == FailureKind::Model && here.loaded.config.models.all().is_empty() {
                hints.splice(0..0, here.loaded.lines_for_a_model());
            }
            if *reason == FailureKind::Budget {
                hints.insert(0, "`--max-cost` and `[budget.run]` in `agentwright.toml` set the limits".to_owned());
            }
            hints.iter().for_each(|hint| hint_line(ink, hint));
        }
        (Some(Ending::Cancelled { reason }), _) => {
            let why = reason.as_ref().map(|why| format!(": {}", tame(why))).unwrap_or_default();
            eprintln!("{run} was cancelled{why}");
        }
        (None, _) if view.waits.is_empty() => eprintln!("{run} goes on elsewhere"),
        (None, _) => {
            for wait in &view.waits {
                eprintln!("{run} {}", waiting(wait));
                if wait.need.question().is_some() {
                    hint_line(ink, &how_to_answer(run, wait, view.waits.len() > 1));
                }
            }
        }
    }
    let counts = view.intents;
    if counts.unknown > 0 {
        eprintln!(
            "{} of {} intents are UNKNOWN: somebody has to look whether they happened",
            counts.unknown, counts.declared
        );
        hint_line(ink, &format!("`agentwright runs show {run}` names them"));
    }
    Ok(())
}

fn hint_line(ink: Ink, hint: &str) {
    eprintln!("{} {hint}", ink.strong("hint:"));
}
