//! How commands end: the only place that knows exit codes, and the words an error leaves on the terminal.

use std::fmt;
use std::process::ExitCode;

use domain::chat::ModelError;
use domain::request::BadRequest;
use domain::run::{Ending, FailureKind, RunStatus};
use domain::store::StoreError;
use domain::view::RunView;

use crate::config::ConfigError;
use crate::print::Ink;
use crate::print::text::tame;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// As it should: 0.
    Done,
    /// The run failed, or something broke: 1.
    Failed,
    /// The command does not make sense: 2.
    Usage,
    /// The configuration does not: 3.
    Configuration,
    /// Something is needed from a person: 4.
    Waiting,
    /// A limit was reached: 5.
    OverBudget,
    /// What was checked does not hold: 6.
    Unverified,
}

impl Exit {
    /// The number that shells see.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Configuration => 3,
            Exit::Waiting => 4,
            Exit::OverBudget => 5,
            Exit::Unverified => 6,
        }
    }

    /// How a command ends whose run stands like this.
    pub fn of_run(view: &RunView) -> Self {
        match (&view.ending, view.status) {
            (Some(Ending::Completed { .. }), _) => Exit::Done,
            (Some(Ending::Failed { reason: FailureKind::Budget, .. }), _) => Exit::OverBudget,
            (Some(Ending::Failed { reason: FailureKind::Plan, .. }), _) => Exit::Unverified,
            (Some(Ending::Failed { .. } | Ending::Cancelled { .. }), _) => Exit::Failed,
            (None, Some(RunStatus::Waiting)) => Exit::Waiting,
            // Somebody else goes on with it.
            (None, _) => Exit::Done,
        }
    }

    /// How a command ends that met an error.
    pub fn of_error(error: &anyhow::Error) -> Self {
        for cause in error.chain() {
            if let Some(refusal) = cause.downcast_ref::<Refusal>() {
                return refusal.exit;
            }
            if cause.is::<ConfigError>() {
                return Exit::Configuration;
            }
            if cause.is::<BadRequest>() || cause.is::<domain::id::BadName>() {
                return Exit::Usage;
            }
            if let Some(error) = cause.downcast_ref::<StoreError>() {
                return of_store(error);
            }
            if let Some(error) = cause.downcast_ref::<ModelError>() {
                return of_model(error);
            }
        }
        Exit::Failed
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

fn of_store(error: &StoreError) -> Exit {
    match error {
        StoreError::NoSuchRun { .. } | StoreError::NotEnded { .. } | StoreError::BadCursor { .. } => Exit::Usage,
        StoreError::Newer { .. } => Exit::Configuration,
        StoreError::Fenced { .. }
        | StoreError::Conflict { .. }
        | StoreError::Unavailable(_)
        | StoreError::Full
        | StoreError::Damaged { .. } => Exit::Failed,
    }
}

fn of_model(error: &ModelError) -> Exit {
    match error {
        ModelError::NoModel | ModelError::Refused { .. } => Exit::Configuration,
        ModelError::OverBudget { .. } => Exit::OverBudget,
        ModelError::Busy { .. }
        | ModelError::Unavailable { .. }
        | ModelError::TimedOut { .. }
        | ModelError::Garbled { .. }
        | ModelError::TooLong { .. } => Exit::Failed,
    }
}

/// Something that we say no to ourselves, with what to do about it.
#[derive(Debug)]
pub struct Refusal {
    exit: Exit,
    words: String,
    hints: Vec<String>,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Refusal {
    /// The command does not make sense.
    pub fn usage(words: impl Into<String>) -> Self {
        Self::new(Exit::Usage, words.into())
    }

    /// The configuration does not allow it.
    pub fn configuration(words: impl Into<String>) -> Self {
        Self::new(Exit::Configuration, words.into())
    }

    /// What was checked does not hold.
    pub fn unverified(words: impl Into<String>) -> Self {
        Self::new(Exit::Unverified, words.into())
    }

    /// It could not be done.
    pub fn failed(words: impl Into<String>) -> Self {
        Self::new(Exit::Failed, words.into())
    }

    /// With what led to it.
    pub fn because(mut self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// With what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    fn new(exit: Exit, words: String) -> Self {
        Self { exit, words, hints: Vec::new(), cause: None }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn std::error::Error + 'static))
    }
}

/// What an error leaves on the terminal: itself, its causes, and what can be done.
pub fn words(error: &anyhow::Error, ink: Ink) -> String {
    let mut text = format!("{} {}\n", ink.bad("error:"), tame(error.to_string().trim_end()));
    let mut said = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        // Some libraries repeat their cause in their own words.
        if !said.contains(&cause) {
            text.push_str(&format!("{} {}\n", ink.faint("cause:"), tame(cause.trim_end())));
        }
        said = cause;
    }
    for hint in hints(error) {
        text.push_str(&format!("{} {hint}\n", ink.strong("hint:")));
    }
    text
}

fn hints(error: &anyhow::Error) -> Vec<String> {
    for cause in error.chain() {
        if let Some(refusal) = cause.downcast_ref::<Refusal>() {
            return refusal.hints.clone();
        }
        if let Some(error) = cause.downcast_ref::<ConfigError>() {
            return of_config(error).into_iter().collect();
        }
        let hint = match cause.downcast_ref::<StoreError>() {
            Some(StoreError::NoSuchRun { .. }) => "`agentwright runs list` shows the runs there are",
            Some(StoreError::NotEnded { .. }) => "`agentwright runs show` follows a run until it ends",
            Some(StoreError::Unavailable(_)) => {
                "`agentwright doctor` says whether the database can be reached and written to"
            }
            Some(StoreError::Full) => "nothing was lost; free some space and try again",
            Some(StoreError::Newer { .. }) => "install the newer version, or name another database with `--database`",
            Some(StoreError::Damaged { .. }) => "keep the file, and restore a backup",
            Some(StoreError::BadCursor { .. }) => "a cursor is what an earlier listing printed after `--cursor`",
            Some(StoreError::Fenced { .. } | StoreError::Conflict { .. }) => {
                "another process works on this run; `agentwright runs show` follows it"
            }
            None => continue,
        };
        return vec![hint.to_owned()];
    }
    Vec::new()
}

fn of_config(error: &ConfigError) -> Option<String> {
    match error {
        ConfigError::UnknownKey { key, .. } if key.ends_with(".api_key") => {
            Some("keys do not stand in files: name the variable that holds it with `api_key_env`".to_owned())
        }
        ConfigError::UnknownKey { .. } | ConfigError::BadValue { .. } => {
            Some("`docs/cli.md` lists every key and its range".to_owned())
        }
        ConfigError::Unreadable { .. } => Some("check the path and its permissions".to_owned()),
        ConfigError::NoHome => Some("name a database: `--database sqlite:PATH`".to_owned()),
        ConfigError::NotToml { .. } | ConfigError::NoDirectory(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_why_and_what_to_do() {
        let cause = StoreError::Unavailable("connection refused".into());
        let error = anyhow::Error::new(cause).context("the runs cannot be listed");
        assert_eq!(Exit::of_error(&error), Exit::Failed);
        assert_eq!(
            words(&error, Ink::Plain),
            "error: the runs cannot be listed\ncause: the database is not available\ncause: connection refused\n\
             hint: `agentwright doctor` says whether the database can be reached and written to\n"
        );
    }

    #[test]
    fn every_ending_has_its_exit_code() {
        let failed = |reason| Ending::Failed { reason, error: "x".into(), answer: None };
        let code = |ending| Exit::of_run(&RunView { ending: Some(ending), ..RunView::default() }).code();
        assert_eq!(code(Ending::Completed { answer: "x".into() }), 0);
        assert_eq!(code(failed(FailureKind::Step)), 1);
        assert_eq!(code(failed(FailureKind::Budget)), 5);
        assert_eq!(code(failed(FailureKind::Plan)), 6);
        assert_eq!(code(Ending::Cancelled { reason: None }), 1);
        assert_eq!(Exit::of_run(&RunView { status: Some(RunStatus::Waiting), ..RunView::default() }).code(), 4);
    }
}
