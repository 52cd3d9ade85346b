//! Lines that somebody types, with a history, or that come through a pipe.

use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

/// Where lines come from.
pub(super) enum Lines {
    /// A person at a terminal.
    Typed { editor: Option<Box<DefaultEditor>>, history: Option<PathBuf> },
    /// A pipe or a file.
    Piped,
}

/// What came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// A line.
    Text(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or the end of the file.
    End,
}

impl Lines {
    /// Lines from stdin; those typed are remembered in a file, if there is a place for one.
    pub(super) fn open(history: Option<PathBuf>) -> anyhow::Result<Self> {
        if !std::io::stdin().is_terminal() {
            return Ok(Lines::Piped);
        }
        let mut editor = DefaultEditor::new()?;
        if let Some(file) = &history {
            // There is none the first time, and without one we only forget.
            let _ = editor.load_history(file);
        }
        Ok(Lines::Typed { editor: Some(Box::new(editor)), history })
    }

    /// Whether a person types them.
    pub(super) fn are_typed(&self) -> bool {
        matches!(self, Lines::Typed { .. })
    }

    /// The next line. Reading blocks, so it is done where nothing else waits for it.
    pub(super) async fn next(&mut self, prompt: &'static str) -> anyhow::Result<Line> {
        match self {
            Lines::Piped => {
                let read = || {
                    let mut line = String::new();
                    std::io::stdin().lock().read_line(&mut line).map(|read| (read, line))
                };
                let (read, line) = tokio::task::spawn_blocking(read).await??;
                Ok(if read == 0 { Line::End } else { Line::Text(line) })
            }
            Lines::Typed { editor, history } => {
                let Some(mut taken) = editor.take() else { return Ok(Line::End) };
                let reading = tokio::task::spawn_blocking(move || {
                    let line = taken.readline(prompt);
                    (taken, line)
                });
                let (mut taken, line) = reading.await?;
                let line = match line {
                    Ok(text) => {
                        remember(&mut taken, &text, history.as_deref());
                        Line::Text(text)
                    }
                    Err(ReadlineError::Interrupted) => Line::Interrupt,
                    Err(ReadlineError::Eof) => Line::End,
                    Err(error) => return Err(error.into()),
                };
                *editor = Some(taken);
                Ok(line)
            }
        }
    }
}

/// A history that cannot be written is no reason not to talk.
fn remember(editor: &mut DefaultEditor, text: &str, history: Option<&std::path::Path>) {
    let is_new = editor.add_history_entry(text).unwrap_or(false);
    if let Some(file) = history.filter(|_| is_new) {
        let _ = file.parent().map(std::fs::create_dir_all);
        let _ = editor.append_history(file);
    }
}
