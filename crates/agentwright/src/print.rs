//! What people read on a terminal, and the JSON that programs read instead. Everything here is a function from values to
//! text; nothing is written but by [`write`](fn@write).

pub mod approval;
pub mod approvals;
pub mod audit;
pub mod compare;
pub mod eval;
pub mod events;
pub mod explained;
pub mod forecasts;
pub mod item_diff;
pub mod items;
pub mod keys;
pub mod learn;
mod library;
pub mod mcp;
pub mod people;
pub mod plan;
pub mod plan_diff;
pub mod reasoning;
pub mod result;
pub mod route;
pub mod run;
pub mod runs;
pub mod shortlist;
pub mod table;
pub mod text;
pub mod tools;
pub mod traces;
pub mod verified;

use std::io::{IsTerminal, Write};

use serde::Serialize;

use crate::args::Output;

/// How this process writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// In which form results are written.
    pub output: Output,
    /// What marks are made of on stdout.
    pub ink: Ink,
    /// What marks are made of on stderr.
    pub ink_on_stderr: Ink,
    /// Whether a person looks at stdout.
    pub stdout_is_terminal: bool,
    /// Whether a person looks at stderr.
    pub stderr_is_terminal: bool,
}

impl Screen {
    /// The one this process has.
    pub fn of_process(output: Output, colour_is_welcome: bool) -> Self {
        let stdout_is_terminal = std::io::stdout().is_terminal();
        let stderr_is_terminal = std::io::stderr().is_terminal();
        let ink = |terminal: bool| if terminal && colour_is_welcome { Ink::Colour } else { Ink::Plain };
        Self {
            output,
            ink: ink(stdout_is_terminal),
            ink_on_stderr: ink(stderr_is_terminal),
            stdout_is_terminal,
            stderr_is_terminal,
        }
    }

    /// Writes a result: as text made for people, or as JSON.
    pub fn show<T: Serialize>(&self, value: &T, text: impl FnOnce(Ink) -> String) -> std::io::Result<()> {
        match self.output {
            Output::Text => write(&text(self.ink)),
            Output::Json => write(&json(value)),
            Output::StreamJson => write(&json_line(value)),
        }
    }
}

/// Whether words are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// They are not.
    Plain,
    /// They are, by the terminal's own palette.
    Colour,
}

impl Ink {
    /// Good news.
    pub fn good(self, words: &str) -> String {
        self.dyed("32", words)
    }

    /// Bad news.
    pub fn bad(self, words: &str) -> String {
        self.dyed("31", words)
    }

    /// Something to look at.
    pub fn odd(self, words: &str) -> String {
        self.dyed("33", words)
    }

    /// Something of less weight.
    pub fn faint(self, words: &str) -> String {
        self.dyed("2", words)
    }

    /// Something of more weight.
    pub fn strong(self, words: &str) -> String {
        self.dyed("1", words)
    }

    fn dyed(self, code: &str, words: &str) -> String {
        match self {
            Ink::Plain => words.to_owned(),
            Ink::Colour => format!("\u{1b}[{code}m{words}\u{1b}[0m"),
        }
    }
}

/// Writes to stdout. A reader that has gone away, as `head` does, has read enough.
pub fn write(text: &str) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// JSON for people and programs.
pub fn json<T: Serialize>(value: &T) -> String {
    // Our own types always serialise.
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    format!("{text}\n")
}

/// JSON on one line.
pub fn json_line<T: Serialize>(value: &T) -> String {
    format!("{}\n", serde_json::to_string(value).unwrap_or_default())
}
