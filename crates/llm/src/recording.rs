//! Writes down every ask and what came of it, one JSON object a line, to be played back by [`crate::Replayed`].

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, ModelError, Reply};
use domain::hash::Hash;
use futures::stream::{BoxStream, StreamExt};
use serde::{Deserialize, Serialize};

/// One line of a recording.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Line<A, O> {
    /// Names the ask, for those who read recordings with other tools.
    pub(crate) hash: Hash,
    pub(crate) model: String,
    pub(crate) ask: A,
    #[serde(flatten)]
    pub(crate) outcome: O,
}

/// What came of an ask.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Reply(Reply),
    Failed(ModelError),
}

impl From<Result<Reply, ModelError>> for Outcome {
    fn from(answer: Result<Reply, ModelError>) -> Self {
        match answer {
            Ok(reply) => Outcome::Reply(reply),
            Err(error) => Outcome::Failed(error),
        }
    }
}

/// A model whose answers are written down. A stream that is dropped before its end is not.
pub struct Recording {
    inner: Arc<dyn ChatModel>,
    paper: Arc<Mutex<dyn Write + Send>>,
}

impl Recording {
    /// Writes to anything.
    pub fn new(inner: Arc<dyn ChatModel>, paper: impl Write + Send + 'static) -> Self {
        Self { inner, paper: Arc::new(Mutex::new(paper)) }
    }

    /// Writes to the end of a file, which is made where there is none.
    pub fn to_path(inner: Arc<dyn ChatModel>, path: &Path) -> io::Result<Self> {
        Ok(Self::new(inner, File::options().create(true).append(true).open(path)?))
    }
}

#[async_trait]
impl ChatModel for Recording {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let answer = self.inner.reply(ask).await;
        write(&self.paper, self.inner.name(), ask, answer.clone());
        answer
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let (paper, model, asked) = (Arc::clone(&self.paper), self.inner.name().to_owned(), ask.clone());
        let stream = self
            .inner
            .stream(ask)
            .await
            .inspect_err(|error| write(&self.paper, self.inner.name(), ask, Err(error.clone())))?;
        Ok(stream
            .inspect(move |item| match item {
                Ok(Delta::Text(_)) => {}
                Ok(Delta::Done(reply)) => write(&paper, &model, &asked, Ok(reply.clone())),
                Err(error) => write(&paper, &model, &asked, Err(error.clone())),
            })
            .boxed())
    }
}

/// The name of an ask. Tools and arguments are hashed with their keys in order, because `genai` makes `serde_json` keep
/// whatever order they came in.
pub(crate) fn name(ask: &Ask) -> Hash {
    let mut ask = serde_json::to_value(ask).unwrap_or_default();
    ask.sort_all_objects();
    Hash::of_json(&ask)
}

/// An answer that was paid for is not lost because it cannot be written down.
fn write(paper: &Mutex<dyn Write + Send>, model: &str, ask: &Ask, answer: Result<Reply, ModelError>) {
    let line = Line { hash: name(ask), model: model.to_owned(), ask, outcome: Outcome::from(answer) };
    let written = serde_json::to_vec(&line).map_err(io::Error::from).and_then(|mut bytes| {
        bytes.push(b'\n');
        let mut paper = paper.lock().unwrap_or_else(PoisonError::into_inner);
        paper.write_all(&bytes)?;
        paper.flush()
    });
    if let Err(error) = written {
        tracing::warn!(model, %error, "answer of a model was not recorded");
    }
}
