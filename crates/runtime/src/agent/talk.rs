//! An agent among others: what it sends, what it reads before a turn, how it waits, and what is done when its team gets
//! nowhere. Each of these decisions is on record under the turn it was made in, so that a repetition decides the same.

use domain::chat::{Message, ToolCall};
use domain::event::{Event, Purpose};

use super::own::{WAIT_FOR_REPLY, text};
use super::{Agent, End};
use crate::context::cap;
use crate::messages::{NOTICE, RUNTIME, Sending};
use crate::record::Halt;
use crate::room::Outlook;
use crate::stall::Stall;
use crate::work::Work;

impl Agent {
    /// Sends a message, or says why not.
    pub(super) async fn send(&self, work: &Work<'_>, key: &str, call: &ToolCall) -> Result<String, Halt> {
        let (to, said, word) = (self.meant(&text(call, "to")), text(call, "text"), text(call, "purpose"));
        let Some(purpose) = Purpose::from_word(&word).or((word.is_empty()).then_some(Purpose::Update)) else {
            let words = Purpose::ALL.map(Purpose::word).join("`, `");
            return Ok(format!("Error: `{}` is not a purpose; there are `{words}`", cap(&word, 100)));
        };
        if said.is_empty() {
            return Ok("Error: `text` is missing".into());
        }
        let event = match (work.journal.known(key), work.journal.gate()) {
            (Some(sent @ Event::MessageSent { .. }), _) => sent.clone(),
            (_, Some(gate)) => return gate.never().await,
            _ => {
                // A message that was cut before it went on record still has the length it had.
                let given = call.arguments.get("chars").and_then(serde_json::Value::as_u64).unwrap_or_default();
                let chars = said.chars().count().max(usize::try_from(given).unwrap_or(usize::MAX));
                let sending = Sending { from: &self.name, to: &to, text: &said, chars, purpose };
                let refused = work.journal.room().refusal(&sending, &self.peers);
                Event::MessageSent { from: self.name.clone(), to: cap(&to, 100), text: said, purpose, refused }
            }
        };
        let answer = match &event {
            Event::MessageSent { refused: Some(refused), .. } => format!("Error: {refused}"),
            _ if purpose == Purpose::Request => {
                format!("Sent. The reply comes before one of your next turns; `{WAIT_FOR_REPLY}` waits for it.")
            }
            _ => "Sent.".into(),
        };
        work.journal.record(key, event).await?;
        Ok(answer)
    }

    /// Whom a name means: models leave out what all names begin with.
    fn meant(&self, name: &str) -> String {
        let whole = format!("agent:{name}");
        if self.peers.contains(&whole) || self.name == whole { whole } else { name.to_owned() }
    }

    /// Puts what others wrote before the next turn; how much of it was there is on record.
    pub(super) async fn read_mail(&mut self, work: &Work<'_>, turn: &str) -> Result<(), Halt> {
        let key = format!("{turn}/mail");
        let count = match work.journal.known(&key) {
            Some(Event::MessagesRead { count, .. }) => *count,
            // The turn was taken without reading: so it is again.
            _ if self.peers.is_empty() || taken(work, turn) => return Ok(()),
            _ => work.journal.room().count(&self.name),
        };
        if count > self.read {
            work.journal.record(key, Event::MessagesRead { agent: self.name.clone(), count }).await?;
            let text = work.journal.room().between(&self.name, self.read, count).join("\n\n");
            self.read = count;
            self.ask.messages.push(Message::User { text });
        }
        Ok(())
    }

    /// Looks whether the team gets anywhere: an agent of one that does not is told to finish, and later stopped.
    pub(super) async fn look_around(&self, work: &Work<'_>, turn: &str) -> Result<Option<End>, Halt> {
        if self.peers.is_empty() {
            return Ok(None);
        }
        let (notice, stop) = (format!("{turn}{NOTICE}"), format!("{turn}/stalled"));
        let on_record = |key: &str| match work.journal.known(key) {
            Some(Event::MessageSent { text, .. }) => Some(text.clone()),
            _ => None,
        };
        let stall = match (on_record(&stop), on_record(&notice)) {
            (Some(text), _) => Some(Stall::Stop(text)),
            (None, Some(text)) => Some(Stall::Notice(text)),
            (None, None) if taken(work, turn) || work.journal.known(&format!("{turn}/mail")).is_some() => None,
            (None, None) => work.journal.room().stall(&self.name, self.peers.len() + 1),
        };
        match stall {
            None => Ok(None),
            Some(Stall::Notice(text)) => {
                work.journal.record(notice, self.told(text)).await?;
                Ok(None)
            }
            Some(Stall::Stop(reason)) => {
                work.journal.record(stop, self.told(reason.clone())).await?;
                Ok(Some(End::Failed { reason, in_doubt: false }))
            }
        }
    }

    /// Whether a call is the wish to wait.
    pub(super) fn waits_by(&self, call: &ToolCall) -> bool {
        call.name == WAIT_FOR_REPLY && !self.peers.is_empty()
    }

    /// Returns when there is something to read: a reply, or the reason why none can come.
    pub(super) async fn wait(&self, work: &Work<'_>, key: &str) -> Result<String, Halt> {
        const READ: &str = "What came in follows.";
        if self.turn >= self.max_iterations {
            return Ok("Error: you have no turn left in which you could read a reply".into());
        }
        let waited = format!("{key}/waited");
        if let Some(event @ Event::MessageSent { .. }) = work.journal.known(&waited) {
            work.journal.record(waited, event.clone()).await?;
            return Ok(READ.into());
        }
        let next = format!("{}/turn/{}", self.key, self.turn + 1);
        // Whoever has taken another turn since has waited enough.
        let begun = ["/mail", NOTICE, "/stalled"];
        if taken(work, &next) || begun.iter().any(|end| work.journal.known(&format!("{next}{end}")).is_some()) {
            return Ok(READ.into());
        }
        match work.journal.room().wait(&self.name, self.read).await {
            Outlook::Mail | Outlook::Hope => {}
            Outlook::Pause => return Err(Halt::Waits),
            Outlook::None(reason) => work.journal.record(waited, self.told(reason)).await?,
        }
        Ok(READ.into())
    }

    /// What this agent is told by nobody in particular.
    fn told(&self, text: String) -> Event {
        let (from, to) = (RUNTIME.to_owned(), self.name.clone());
        Event::MessageSent { from, to, text, purpose: Purpose::Update, refused: None }
    }
}

/// Whether a turn was taken: then nothing is decided about it any more.
fn taken(work: &Work<'_>, turn: &str) -> bool {
    work.journal.gate().is_some() || work.journal.known(turn).is_some()
}
