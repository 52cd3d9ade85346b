//! Plays back what [`crate::Recording`] wrote: the same ask gets the same answer, without a provider.
//!
//! An ask that was recorded more than once gets its answers in their order, and the last one from then on. In the
//! configuration this is the model `recorded:PATH`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, ModelError, Reply};
use domain::hash::Hash;
use futures::stream::BoxStream;

use crate::recording::{self, Line, Outcome};
use crate::scripted::told;

/// Why a recording cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum BadRecording {
    /// Correct the path.
    #[error("`{path}` cannot be read")]
    Unreadable {
        /// Where it should be.
        path: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// Remove the line, or record again.
    #[error("line {line} is not a recorded answer")]
    BadLine {
        /// Counted from one.
        line: usize,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
}

/// A model that answers from a recording.
pub struct Replayed {
    name: String,
    asks: Vec<(usize, Ask)>,
    answers: HashMap<Hash, Vec<Outcome>>,
    played: Mutex<HashMap<Hash, usize>>,
}

impl Replayed {
    /// Reads a file.
    pub fn from_path(path: &Path) -> Result<Self, BadRecording> {
        let unreadable = |source| BadRecording::Unreadable { path: path.display().to_string(), source };
        let file = File::open(path).map_err(unreadable)?;
        Self::read(format!("recorded:{}", path.display()), BufReader::new(file))
    }

    /// Reads lines from anywhere.
    pub fn read(name: impl Into<String>, lines: impl BufRead) -> Result<Self, BadRecording> {
        let name = name.into();
        let (mut asks, mut answers) = (Vec::new(), HashMap::<Hash, Vec<Outcome>>::new());
        for (at, line) in lines.lines().enumerate() {
            let line = line.map_err(|source| BadRecording::Unreadable { path: name.clone(), source })?;
            if line.trim().is_empty() {
                continue;
            }
            let line: Line<Ask, Outcome> =
                serde_json::from_str(&line).map_err(|source| BadRecording::BadLine { line: at + 1, source })?;
            answers.entry(recording::name(&line.ask)).or_default().push(line.outcome);
            asks.push((at + 1, line.ask));
        }
        Ok(Self { name, asks, answers, played: Mutex::new(HashMap::new()) })
    }

    fn answer(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let hash = recording::name(ask);
        let Some(answers) = self.answers.get(&hash) else { return Err(self.missing(ask)) };
        let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        let next = played.entry(hash).or_default();
        let answer = &answers[(*next).min(answers.len() - 1)];
        *next += 1;
        match answer {
            Outcome::Reply(reply) => Ok(reply.clone()),
            Outcome::Failed(error) => Err(error.clone()),
        }
    }

    fn missing(&self, ask: &Ask) -> ModelError {
        let alike = |other: &Ask| ask.messages.iter().zip(&other.messages).take_while(|(a, b)| a == b).count();
        // The first of the nearest, as later ones usually follow from it.
        let nearest = self.asks.iter().rev().max_by_key(|(_, other)| (alike(other), ask.tools == other.tools));
        let detail = match nearest {
            None => "the recording is empty".to_owned(),
            Some((line, other)) => {
                let (same, of) = (alike(other), ask.messages.len());
                format!(
                    "this ask was not recorded; the nearest is line {line}, which has its first {same} of {of} messages"
                )
            }
        };
        ModelError::Refused { model: self.name.clone(), detail }
    }
}

#[async_trait]
impl ChatModel for Replayed {
    fn name(&self) -> &str {
        &self.name
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        self.answer(ask)
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        self.answer(ask).map(told)
    }
}
