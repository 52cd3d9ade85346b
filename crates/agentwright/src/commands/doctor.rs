//! `agentwright doctor`: what is missing or wrong, and what to do about it.

mod around;
mod house;
mod servers;
mod settings;

use serde::Serialize;
use serde_json::json;

use crate::config::{ConfigError, Loaded};
use crate::exit::{self, Exit};
use crate::print::table::{Cell, lines};
use crate::print::text::tame;
use crate::print::{Ink, Screen};

/// What a check found.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Check {
    name: &'static str,
    state: State,
    detail: String,
    hints: Vec<String>,
}

/// How much it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    Warn,
    Fail,
}

impl Check {
    fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: State::Ok, detail: detail.into(), hints: Vec::new() }
    }

    fn warn(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: State::Warn, detail: detail.into(), hints: Vec::new() }
    }

    fn fail(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: State::Fail, detail: detail.into(), hints: Vec::new() }
    }

    /// An error as a check: its words with its causes, and its hints.
    fn failed(name: &'static str, error: &anyhow::Error) -> Self {
        let words = exit::words(error, Ink::Plain);
        let said = |prefix: &str| -> Vec<String> {
            words.lines().filter_map(|line| line.strip_prefix(prefix)).map(str::to_owned).collect()
        };
        let detail = [said("error: "), said("cause: ")].concat().join(": ");
        Self { hints: said("hint: "), ..Self::fail(name, detail) }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

pub(super) async fn doctor(loaded: Result<Loaded, ConfigError>, screen: Screen) -> anyhow::Result<Exit> {
    let checks = match loaded {
        Err(error) => vec![Check::failed("configuration", &error.into())],
        Ok(loaded) => {
            let mut checks = vec![settings::configuration(&loaded)];
            checks.extend(settings::models(&loaded));
            checks.extend(house::checks(&loaded).await);
            checks.extend(servers::checks(&loaded).await);
            checks.extend(around::checks(&loaded).await);
            checks.push(settings::secrets(&loaded));
            checks
        }
    };
    screen.show(&json!({ "checks": checks }), |ink| words(&checks, ink))?;
    let healthy = checks.iter().all(|check| check.state != State::Fail);
    Ok(if healthy { Exit::Done } else { Exit::Configuration })
}

fn words(checks: &[Check], ink: Ink) -> String {
    let mut text = String::new();
    let width = checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    for check in checks {
        let state = match check.state {
            State::Ok => Cell::marked("ok  ", Ink::good),
            State::Warn => Cell::marked("warn", Ink::odd),
            State::Fail => Cell::marked("FAIL", Ink::bad),
        };
        let name = format!("{:width$}", check.name);
        text.push_str(&lines(ink, &[vec![state, name.into(), tame(&check.detail).into_owned().into()]]));
        for hint in &check.hints {
            text.push_str(&format!("      {} {}\n", ink.strong("hint:"), hint.replace('\n', "\n      ")));
        }
    }
    text
}
