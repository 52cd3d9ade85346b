//! Spoils a model's answers on purpose, to see what becomes of those who rely on it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, ModelError, Reply};
use futures::stream::{BoxStream, StreamExt};

use crate::chance::Chance;

/// What happens to one call.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// The model is not asked, and this is the answer.
    Fail(ModelError),
    /// The model is asked after a while.
    Delay(Duration),
    /// The answer never comes.
    Hang,
    /// A stream ends after so many pieces, without its last; a whole answer is garbled.
    Cut {
        /// How many pieces still come.
        after: usize,
    },
}

/// Which calls are spoilt.
#[derive(Debug)]
pub struct Faults(Choice);

#[derive(Debug)]
enum Choice {
    /// Those after the last are left alone.
    Schedule(Mutex<VecDeque<Option<Fault>>>),
    Chance {
        odds: Vec<(f64, Fault)>,
        dice: Chance,
    },
}

impl Faults {
    /// Call by call, in order; calls after the last are left alone.
    pub fn schedule(calls: impl IntoIterator<Item = Option<Fault>>) -> Self {
        Self(Choice::Schedule(Mutex::new(calls.into_iter().collect())))
    }

    /// By chance, each fault with its probability, together at most 1; the same seed spoils the same calls.
    pub fn chance(seed: u64, odds: impl IntoIterator<Item = (f64, Fault)>) -> Self {
        Self(Choice::Chance { odds: odds.into_iter().collect(), dice: Chance::new(seed) })
    }

    fn next(&self) -> Option<Fault> {
        match &self.0 {
            Choice::Schedule(calls) => calls.lock().unwrap_or_else(PoisonError::into_inner).pop_front().flatten(),
            Choice::Chance { odds, dice } => {
                let mut luck = dice.next();
                odds.iter().find_map(|(odds, fault)| {
                    luck -= odds;
                    (luck < 0.0).then(|| fault.clone())
                })
            }
        }
    }
}

/// A model whose answers are spoilt now and then.
pub struct Faulty {
    inner: Arc<dyn ChatModel>,
    faults: Faults,
}

impl Faulty {
    /// The model with its faults.
    pub fn new(inner: Arc<dyn ChatModel>, faults: Faults) -> Self {
        Self { inner, faults }
    }

    /// Lives through the fault; what is left to do is how many pieces of a stream may come.
    async fn suffer(&self) -> Result<Option<usize>, ModelError> {
        match self.faults.next() {
            None => Ok(None),
            Some(Fault::Fail(error)) => Err(error),
            Some(Fault::Hang) => std::future::pending().await,
            Some(Fault::Cut { after }) => Ok(Some(after)),
            Some(Fault::Delay(delay)) => {
                tokio::time::sleep(delay).await;
                Ok(None)
            }
        }
    }
}

#[async_trait]
impl ChatModel for Faulty {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        match self.suffer().await? {
            None => self.inner.reply(ask).await,
            Some(_) => Err(ModelError::Garbled {
                model: self.inner.name().to_owned(),
                detail: "cut off on purpose".to_owned(),
            }),
        }
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let pieces = self.suffer().await?;
        let stream = self.inner.stream(ask).await?;
        Ok(match pieces {
            None => stream,
            Some(pieces) => {
                let whole = |item: &Result<Delta, ModelError>| !matches!(item, Ok(Delta::Done(_)));
                stream.take(pieces).take_while(move |item| std::future::ready(whole(item))).boxed()
            }
        })
    }
}
