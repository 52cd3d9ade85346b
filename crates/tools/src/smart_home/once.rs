//! A house elsewhere does not know the keys of calls. This wrapper notes on the shelf what is about to be sent before it
//! is sent, so that a repetition sends the same absolute values and never "ten percent more" a second time.

use std::sync::Arc;

use async_trait::async_trait;
use domain::shelf::Shelf;

use super::house::{Change, Earlier, House, HouseError, Outcome, View};
use super::journal::Journal;
use super::record;

/// The record on the shelf.
const RECORD: &str = "calls";
/// How often a record is read again because somebody else was faster.
const ATTEMPTS: usize = 16;

pub(super) struct Once<H> {
    pub(super) house: H,
    pub(super) shelf: Arc<dyn Shelf>,
}

impl<H> Once<H> {
    async fn note(&self, note: impl Fn(&mut Journal) + Send + Sync) -> Result<(), HouseError> {
        for _ in 0..ATTEMPTS {
            let (mut journal, version) = record::read::<Journal>(self.shelf.as_ref(), RECORD).await?;
            note(&mut journal);
            if record::write(self.shelf.as_ref(), RECORD, &journal, version).await? {
                return Ok(());
            }
        }
        Err(HouseError::Away("others keep changing the house at the same time".into()))
    }
}

#[async_trait]
impl<H: House> House for Once<H> {
    async fn look(&self) -> Result<View, HouseError> {
        self.house.look().await
    }

    fn known(&self) -> Arc<View> {
        self.house.known()
    }

    async fn earlier(&self, key: &str) -> Result<Earlier, HouseError> {
        Ok(record::read::<Journal>(self.shelf.as_ref(), RECORD).await?.0.find(key))
    }

    async fn apply(&self, changes: &[Change], key: &str, seen: u64) -> Result<Vec<Outcome>, HouseError> {
        let again = self.earlier(key).await? != Earlier::Nothing;
        if !again {
            // Nothing has been sent yet, whatever became of the note.
            let noted = self.note(|journal| journal.begin(key, changes)).await;
            noted.map_err(|error| HouseError::Away(error.to_string()))?;
        }
        let outcomes = match self.house.apply(changes, key, seen).await {
            Ok(outcomes) => outcomes,
            Err(error @ (HouseError::Away(_) | HouseError::Refused(_) | HouseError::Moved)) => {
                if again {
                    return Err(HouseError::Lost(format!("it was sent before, perhaps, and now {error}")));
                }
                // The next attempt may decide anew; if this note fails too, it sends what was decided before.
                let _ = self.note(|journal| journal.forget(key)).await;
                return Err(error);
            }
            Err(error) => return Err(error),
        };
        if let Err(error) = self.note(|journal| journal.finish(key, changes, &outcomes)).await {
            // A repetition would send the same again, which is harmless or, where it is not, refused.
            tracing::warn!(key, error = &error as &dyn std::error::Error, "what was done in the house was not noted");
        }
        Ok(outcomes)
    }
}
