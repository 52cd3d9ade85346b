//! Live progress on stderr: a tree of steps on a terminal, plain lines elsewhere. The same events give the same lines.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use domain::event::{Event, Recorded, Route, StepOutcome};
use domain::id::{StepId, ToolName};
use domain::library::Decision;
use domain::thought::Orchestration;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use jiff::Timestamp;

use crate::print::Ink;
use crate::print::events::{mark, settled, words};
use crate::print::text::{between, duration, line};

/// How often spinners turn.
const TICK: Duration = Duration::from_millis(120);

/// Something to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// About the run as a whole.
    Run(String),
    /// A step has begun.
    Begin(StepId, String),
    /// What a step, or the run, is doing.
    Note(Option<StepId>, String),
    /// A step has ended.
    End(StepId, String),
}

/// Turns a ledger into updates, event by event.
#[derive(Debug, Default)]
pub struct Progress {
    begun: Option<Timestamp>,
    goals: BTreeMap<StepId, String>,
    started: BTreeMap<StepId, Timestamp>,
    /// The tools of intents, by the intents' keys.
    tools: BTreeMap<String, ToolName>,
    /// What is obvious is done before anybody could read about it: only what goes wrong is told.
    obvious: bool,
    /// What is simple is planned before anybody could read how simple it is.
    simple: bool,
}

impl Progress {
    /// What an event means to somebody who watches, and how long after the request it happened.
    pub fn take(&mut self, recorded: &Recorded, ink: Ink) -> Option<(Duration, Update)> {
        let entry = &recorded.entry;
        let begun = *self.begun.get_or_insert(entry.at);
        self.obvious = match &entry.event {
            Event::Routed { route, .. } => *route == Route::Reflex,
            Event::Planned { version, .. } => self.obvious && *version == 1,
            Event::StepFinished { outcome: StepOutcome::Failed { .. }, .. } | Event::PlanRefused { .. } => false,
            _ => self.obvious,
        };
        if self.obvious && !matches!(entry.event, Event::Routed { .. }) {
            if let Event::Planned { plan, .. } = &entry.event {
                self.goals = plan.steps().iter().map(|step| (step.id.clone(), step.goal.clone())).collect();
            }
            return None;
        }
        if let Event::Weighed { complexity } = &entry.event {
            self.simple = complexity.orchestration == Orchestration::Simple;
        }
        if self.simple && matches!(entry.event, Event::Weighed { .. } | Event::Foreseen { .. }) {
            return None;
        }
        let said = mark(&entry.event)(ink, &words(&entry.event));
        let update = match &entry.event {
            Event::Planned { plan, .. } => {
                self.goals = plan.steps().iter().map(|step| (step.id.clone(), step.goal.clone())).collect();
                Update::Run(said)
            }
            Event::Routed { .. }
            | Event::Weighed { .. }
            | Event::Thought { .. }
            | Event::PlanRefused { .. }
            | Event::Critiqued { .. }
            | Event::Scored { .. }
            | Event::Assessed { .. }
            | Event::Gated { .. }
            | Event::Foreseen { .. }
            | Event::Resumed { .. } => Update::Run(said),
            Event::StepStarted { step, .. } => {
                self.started.insert(step.clone(), entry.at);
                let goal = self.goals.get(step).filter(|goal| !goal.is_empty());
                let goal = goal.map(|goal| format!(": {}", line(goal, 80))).unwrap_or_default();
                Update::Begin(step.clone(), format!("{said}{goal}"))
            }
            Event::StepFinished { step, outcome, .. } => {
                let took = self.started.remove(step).map(|started| duration(between(started, entry.at)));
                let how = match outcome {
                    StepOutcome::Done { .. } => ink.good("done"),
                    StepOutcome::Failed { reason, .. } => ink.bad(&format!("failed: {}", line(reason, 160))),
                    StepOutcome::Skipped { reason } => ink.faint(&format!("skipped: {}", line(reason, 160))),
                };
                let took = took.map(|took| format!(" ({took})")).unwrap_or_default();
                Update::End(step.clone(), format!("step `{step}` {how}{took}"))
            }
            Event::IntentDeclared { intent } => {
                self.tools.insert(intent.key.clone(), intent.tool.clone());
                Update::Note(step_of(&entry.key), said)
            }
            Event::IntentSettled { intent, settlement } => {
                let said = match self.tools.get(intent) {
                    Some(tool) => mark(&entry.event)(ink, &format!("{tool} {}", settled(settlement))),
                    None => said,
                };
                Update::Note(step_of(&entry.key), said)
            }
            Event::ModelCalled { .. } | Event::ToolCalled { .. } | Event::MessageSent { .. } => {
                Update::Note(step_of(&entry.key), said)
            }
            Event::Waiting { .. } | Event::Answered { .. } | Event::CancelAsked { .. } => Update::Run(said),
            Event::Chosen { step: None, choice, .. } if choice.decision != Decision::Create => Update::Run(said),
            Event::Staffed { .. } => Update::Run(said),
            // The result itself is printed when the run has ended.
            Event::Received { .. }
            | Event::Recalled { .. }
            | Event::Chosen { .. }
            | Event::Kept { .. }
            | Event::Verified { .. }
            | Event::Forged { .. }
            | Event::MessagesRead { .. }
            | Event::IntentSent { .. }
            | Event::Finished { .. } => return None,
        };
        Some((between(begun, entry.at), update))
    }
}

/// The step that an entry belongs to, by its key: `step/forecast/1/turn/2`.
fn step_of(key: &str) -> Option<StepId> {
    key.strip_prefix("step/")?.split('/').next()?.parse().ok()
}

/// What moves on stderr.
pub fn bars() -> MultiProgress {
    MultiProgress::with_draw_target(ProgressDrawTarget::stderr())
}

/// Stderr for those who write while bars move: the bars step aside.
pub struct Notices(pub MultiProgress);

impl Write for Notices {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.suspend(|| std::io::stderr().write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}

/// Where progress goes.
pub enum Watcher {
    /// Nowhere.
    Quiet,
    /// To stderr, line by line.
    Plain(Progress),
    /// To a terminal, as a tree.
    Tree(Box<Tree>),
}

impl Watcher {
    /// The watcher for a terminal, on which bars can move, or for something else.
    pub fn new(quiet: bool, terminal: Option<&MultiProgress>, ink: Ink) -> Self {
        match (quiet, terminal) {
            (true, _) => Watcher::Quiet,
            (false, Some(bars)) => Watcher::Tree(Box::new(Tree::new(bars.clone(), ink))),
            (false, None) => Watcher::Plain(Progress::default()),
        }
    }

    /// Shows what an event means.
    pub fn see(&mut self, recorded: &Recorded) {
        match self {
            Watcher::Quiet => {}
            Watcher::Plain(progress) => {
                if let Some((after, update)) = progress.take(recorded, Ink::Plain) {
                    eprintln!("{}", plain_line(after, &update));
                }
            }
            Watcher::Tree(tree) => tree.see(recorded),
        }
    }

    /// Takes what moves off the terminal; what was said stays.
    pub fn rest(&mut self) {
        if let Watcher::Tree(tree) = self {
            tree.rest();
        }
    }
}

/// An update as one line.
pub fn plain_line(after: Duration, update: &Update) -> String {
    let (margin, said) = match update {
        Update::Run(said) => ("", said),
        Update::Begin(_, said) | Update::End(_, said) | Update::Note(None, said) => ("  ", said),
        Update::Note(Some(_), said) => ("    ", said),
    };
    format!("{:>8}  {margin}{said}", duration(after))
}

/// The steps of a run, each with a spinner and its time while it is under way.
pub struct Tree {
    progress: Progress,
    ink: Ink,
    bars: MultiProgress,
    run: Option<ProgressBar>,
    /// What the run is about, for when it is taken up again.
    about: String,
    steps: BTreeMap<StepId, ProgressBar>,
}

impl Tree {
    fn new(bars: MultiProgress, ink: Ink) -> Self {
        Self { progress: Progress::default(), ink, bars, run: None, about: String::new(), steps: BTreeMap::new() }
    }

    fn see(&mut self, recorded: &Recorded) {
        match &recorded.entry.event {
            Event::Received { request, .. } => self.about = line(request.text.as_str(), 60),
            Event::Routed { .. } => self.about = "planning".to_owned(),
            Event::Planned { plan, .. } => self.about = line(plan.goal(), 60),
            _ => {}
        }
        let run = self.run.get_or_insert_with(|| {
            let run = self.bars.add(spinner("{spinner} {wide_msg} {elapsed:>4}"));
            run.enable_steady_tick(TICK);
            run
        });
        run.set_message(self.about.clone());
        let Some((_, update)) = self.progress.take(recorded, self.ink) else { return };
        match update {
            Update::Run(said) => self.say(&said),
            Update::Begin(step, said) => {
                let bar = self.bars.insert_before(run, spinner("  {spinner} {prefix} {wide_msg} {elapsed:>4}"));
                bar.set_prefix(said);
                bar.enable_steady_tick(TICK);
                self.steps.insert(step, bar);
            }
            Update::Note(step, said) => match step.and_then(|step| self.steps.get(&step)) {
                Some(bar) => bar.set_message(format!("{} {said}", self.ink.faint("·"))),
                None => self.say(&format!("  {said}")),
            },
            Update::End(step, said) => {
                if let Some(bar) = self.steps.remove(&step) {
                    bar.finish_and_clear();
                }
                self.say(&format!("  {said}"));
            }
        }
    }

    fn say(&self, said: &str) {
        // A terminal that does not take it has nobody to read it.
        let _ = self.bars.println(said);
    }

    fn rest(&mut self) {
        for bar in std::mem::take(&mut self.steps).into_values().chain(self.run.take()) {
            bar.finish_and_clear();
        }
    }
}

fn spinner(template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    ProgressBar::new_spinner().with_style(style.tick_strings(&["-", "\\", "|", "/", " "]))
}
